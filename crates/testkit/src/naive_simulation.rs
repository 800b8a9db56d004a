//! The simulation preorder straight from the definition, on all pairs.

use std::collections::BTreeSet;

use graph::StateGraph;

/// For every pair of states the round in which it turned out that the state of `large` does not simulate
/// the state of `small`, or nothing if it does. A pair fails in round 0 if `small` has a step that
/// `large` has not, in round `n + 1` if `small` has a step all answers to which fail up to round `n`.
/// Labels are matched by their texts, and steps of `small` labelled `ignored` are not looked at.
pub fn failing_rounds(
    small: &StateGraph,
    large: &StateGraph,
    ignored: Option<&str>,
) -> Vec<Vec<Option<usize>>> {
    let mut failed = vec![vec![None; large.state_count()]; small.state_count()];
    for round in 0.. {
        let before = failed.clone();
        for x in 0..small.state_count() {
            for y in 0..large.state_count() {
                let follows =
                    steps(small, x).filter(|(label, _)| Some(*label) != ignored).all(|(label, next)| {
                        steps(large, y).any(|(other, to)| other == label && before[next][to].is_none())
                    });
                if !follows && before[x][y].is_none() {
                    failed[x][y] = Some(round);
                }
            }
        }
        if failed == before {
            break;
        }
    }
    failed
}

/// The pairs of the largest simulation that can be reached from its pairs of initial states by equal
/// steps, ascending.
pub fn reachable_pairs(small: &StateGraph, large: &StateGraph, ignored: Option<&str>) -> Vec<(u32, u32)> {
    let failed = failing_rounds(small, large, ignored);
    let mut found = BTreeSet::new();
    let mut waiting = Vec::new();
    for x in small.initial() {
        for y in large.initial() {
            waiting.push((*x as usize, *y as usize));
        }
    }
    while let Some((x, y)) = waiting.pop() {
        if failed[x][y].is_some() || !found.insert((x as u32, y as u32)) {
            continue;
        }
        for (label, next) in steps(small, x).filter(|(label, _)| Some(*label) != ignored) {
            for (_, to) in steps(large, y).filter(|(other, _)| *other == label) {
                waiting.push((next, to));
            }
        }
    }
    found.into_iter().collect()
}

fn steps(graph: &StateGraph, state: usize) -> impl Iterator<Item = (&str, usize)> {
    graph.edges(state as u32).iter().map(|edge| (graph.labels.get(edge.label), edge.state as usize))
}
