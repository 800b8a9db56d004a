//! Transitions and errors as SPIN counts them: how often its search arrives at a state it keeps, or at
//! something wrong.
//!
//! SPIN keeps no states inside sequences that nothing interrupts. So two ways through such a sequence
//! count twice even where they meet inside, and what is counted is ways, from one kept state to the
//! next or to a violation. The ways onward from a state inside are the sum over its steps, the ways that
//! lead to it the sum over the steps to it, both found once for each state along a depth-first pass
//! (dynamic programming); where such a sequence can go round for ever there is no end of ways, and the
//! count stays at its greatest value.

use graph::{Edge, StateGraph};
use rustc_hash::FxHashSet;

use crate::Violation;

/// Not looked at yet, and on the stack; both stand for more ways than can be counted.
const UNKNOWN: u64 = u64::MAX;
const UNDER_WAY: u64 = u64::MAX - 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    /// One for every initial state, and one for every way from a kept state to the next one.
    pub(crate) transitions: u64,
    /// One for every way from a kept state to something wrong, and one for every deadlock.
    pub(crate) errors: u64,
}

pub(crate) fn count(
    graph: &StateGraph,
    is_passing: impl Fn(u32) -> bool,
    violations: &[Violation],
) -> Counts {
    let states = graph.state_count() as u32;
    let passing: Vec<u32> = (0..states).filter(|state| is_passing(*state)).collect();
    let initial = graph.initial().len() as u64;
    if passing.is_empty() {
        let transitions = initial + graph.edge_count() as u64;
        return Counts { transitions, errors: violations.len() as u64 };
    }
    let inside = Inside::new(graph, &passing, violations);
    let (onward, order) = inside.ways_onward(&passing);
    let mut rest = passing.iter().copied().peekable();
    let kept: Vec<u32> = (0..states).filter(|state| rest.next_if_eq(state).is_none()).collect();
    let from_kept =
        kept.iter().map(|state| sum(graph.edges(*state).iter().map(|edge| onward[edge.state as usize])));
    let transitions = sum(from_kept.chain([initial]));
    let mut errors = violations.len() as u64;
    let starts = violations.iter().filter_map(|violation| match violation {
        Violation::Step { state, .. } if is_passing(*state) => Some(*state),
        _ => None,
    });
    let starts: Vec<u32> = starts.collect();
    if !starts.is_empty() {
        let arriving = inside.ways_to(&kept, &order);
        errors -= starts.len() as u64;
        errors = sum(starts.iter().map(|state| arriving[*state as usize]).chain([errors]));
    }
    Counts { transitions, errors }
}

/// The states that are not kept, with their steps.
struct Inside<'g> {
    graph: &'g StateGraph,
    passing: Vec<bool>,
    /// Steps that fail where they stand: these lead nowhere.
    failing: FxHashSet<(u32, Edge)>,
}

impl<'g> Inside<'g> {
    fn new(graph: &'g StateGraph, passing: &[u32], violations: &[Violation]) -> Self {
        let mut is_passing = vec![false; graph.state_count()];
        passing.iter().for_each(|state| is_passing[*state as usize] = true);
        let failing = violations.iter().filter_map(|violation| match violation {
            Violation::Step { state, edge, .. } if edge.state == *state => Some((*state, *edge)),
            _ => None,
        });
        Self { graph, passing: is_passing, failing: failing.collect() }
    }

    fn leads_on(&self, state: u32, edge: Edge) -> bool {
        edge.state != state || !self.failing.contains(&(state, edge))
    }

    /// The ways from every state that is not kept to the next one that is, which itself has one; and the
    /// order in which these were found, last steps first.
    fn ways_onward(&self, passing: &[u32]) -> (Vec<u64>, Vec<u32>) {
        let mut ways: Vec<u64> =
            self.passing.iter().map(|passing| if *passing { UNKNOWN } else { 1 }).collect();
        let mut order = Vec::with_capacity(passing.len());
        let mut stack: Vec<(u32, usize)> = Vec::new();
        for state in passing {
            if ways[*state as usize] == UNKNOWN {
                ways[*state as usize] = UNDER_WAY;
                stack.push((*state, 0));
            }
            while let Some((state, next)) = stack.last_mut() {
                let state = *state;
                let edges = self.graph.edges(state);
                if let Some(edge) = edges.get(*next) {
                    *next += 1;
                    if ways[edge.state as usize] == UNKNOWN {
                        ways[edge.state as usize] = UNDER_WAY;
                        stack.push((edge.state, 0));
                    }
                } else {
                    // What is still under way here lies on a cycle.
                    let leading_on = edges.iter().filter(|edge| self.leads_on(state, **edge));
                    ways[state as usize] = sum(leading_on.map(|edge| ways[edge.state as usize]));
                    order.push(state);
                    stack.pop();
                }
            }
        }
        (ways, order)
    }

    /// The ways from kept states to every state that is not kept.
    fn ways_to(&self, kept: &[u32], order: &[u32]) -> Vec<u64> {
        let mut ways = vec![0u64; self.graph.state_count()];
        let to_inside = |state: u32| {
            self.graph
                .edges(state)
                .iter()
                .filter(move |edge| self.leads_on(state, **edge))
                .map(|edge| edge.state)
        };
        for state in kept {
            for inside in to_inside(*state).filter(|inside| self.passing[*inside as usize]) {
                ways[inside as usize] = ways[inside as usize].saturating_add(1);
            }
        }
        for state in order.iter().rev() {
            for inside in to_inside(*state).filter(|inside| self.passing[*inside as usize]) {
                ways[inside as usize] = ways[inside as usize].saturating_add(ways[*state as usize]);
            }
        }
        ways
    }
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
        count(&graph, |state| passing.contains(&state), &[]).transitions
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

    #[test]
    fn errors_count_once_a_way() {
        // Two ways to 3, whose steps are both wrong: one leads on, one fails where it stands.
        let mut builder = GraphBuilder::new();
        for (source, label, target) in [(0, 0, 1), (0, 1, 2), (1, 2, 3), (2, 3, 3), (3, 4, 4), (3, 5, 3)] {
            builder.edge(source, label, target);
        }
        let graph = builder.finish(5, vec![0]).unwrap();
        let step = |label, state| Violation::Step { state: 3, edge: Edge { label, state }, what: 0 };
        let violations = [step(4, 4), step(5, 3), Violation::Deadlock { state: 4 }];
        let counts = count(&graph, |state| (1..=3).contains(&state), &violations);
        assert_eq!(counts, Counts { transitions: 1 + 2, errors: 2 + 2 + 1 });
    }
}
