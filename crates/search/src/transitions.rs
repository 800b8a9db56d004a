//! Transitions as SPIN counts them: how often a search would arrive at a state it keeps.
//!
//! SPIN keeps no states inside sequences that nothing interrupts. So two ways through such a sequence
//! count twice even where they meet inside, and what is counted is ways, from one kept state to the
//! next. The ways onward from a state inside are the sum over its steps, found once for each state
//! by a depth-first pass (dynamic programming); where such a sequence can go round for ever there is no
//! end of ways, and the count stays at its greatest value.

use graph::StateGraph;

/// Not looked at yet, and on the stack; both stand for more ways than can be counted.
const UNKNOWN: u64 = u64::MAX;
const UNDER_WAY: u64 = u64::MAX - 1;

/// One for every initial state, and one for every way from a kept state to the next one.
pub(crate) fn count(graph: &StateGraph, is_passing: impl Fn(u32) -> bool) -> u64 {
    let states = graph.state_count() as u32;
    let passing: Vec<u32> = (0..states).filter(|state| is_passing(*state)).collect();
    let initial = graph.initial().len() as u64;
    if passing.is_empty() {
        return initial + graph.edge_count() as u64;
    }
    let mut ways = vec![1u64; states as usize];
    for state in &passing {
        ways[*state as usize] = UNKNOWN;
    }
    let mut stack: Vec<(u32, usize)> = Vec::new();
    for state in &passing {
        if ways[*state as usize] == UNKNOWN {
            ways[*state as usize] = UNDER_WAY;
            stack.push((*state, 0));
        }
        while let Some((state, next)) = stack.last_mut() {
            let edges = graph.edges(*state);
            if let Some(edge) = edges.get(*next) {
                *next += 1;
                if ways[edge.state as usize] == UNKNOWN {
                    ways[edge.state as usize] = UNDER_WAY;
                    stack.push((edge.state, 0));
                }
            } else {
                // What is still under way here lies on a cycle.
                ways[*state as usize] = sum(edges.iter().map(|edge| ways[edge.state as usize]));
                stack.pop();
            }
        }
    }
    let mut passing = passing.iter().copied().peekable();
    let kept = (0..states).filter(|state| passing.next_if_eq(state).is_none());
    let from_kept = kept.map(|state| sum(graph.edges(state).iter().map(|edge| ways[edge.state as usize])));
    sum(from_kept.chain([initial]))
}

/// Ends below the two marks unless it is beyond counting.
fn sum(values: impl Iterator<Item = u64>) -> u64 {
    values.fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use graph::GraphBuilder;

    use super::*;

    fn count_of(states: usize, edges: &[(u32, u32)], passing: &[u32]) -> u64 {
        let mut builder = GraphBuilder::new();
        for (label, (source, target)) in (0..).zip(edges) {
            builder.edge(*source, label, *target);
        }
        let graph = builder.finish(states, vec![0]).unwrap();
        count(&graph, |state| passing.contains(&state))
    }

    #[test]
    fn without_sequences_every_step_counts_once() {
        assert_eq!(count_of(3, &[(0, 1), (1, 2), (2, 0), (0, 2)], &[]), 5);
    }

    #[test]
    fn ways_that_meet_inside_count_apart() {
        // Two diamonds in a row, all inside but the ends; numbered so that steps also lead to lower numbers.
        let edges = [(0, 5), (0, 4), (5, 3), (4, 3), (3, 2), (3, 1), (2, 6), (1, 6)];
        assert_eq!(count_of(7, &edges, &[1, 2, 3, 4, 5]), 1 + 4);
        assert_eq!(count_of(7, &edges, &[1, 2, 4, 5]), 1 + 2 + 2);
    }

    #[test]
    fn a_sequence_that_goes_round_has_no_end_of_ways() {
        assert_eq!(count_of(4, &[(0, 1), (1, 2), (2, 1), (2, 3)], &[1, 2]), u64::MAX);
        // A dead end inside is no way.
        assert_eq!(count_of(3, &[(0, 1), (0, 2)], &[1]), 2);
    }
}
