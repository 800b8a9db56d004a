//! The simulation preorder straight from the definition, on all pairs.

use std::collections::BTreeSet;

use graph::StateGraph;

/// The largest simulation of `small` by `large`, as a matrix; labels are matched by their texts, and
/// steps of `small` labelled `ignored` are not looked at.
pub fn simulation(small: &StateGraph, large: &StateGraph, ignored: Option<&str>) -> Vec<Vec<bool>> {
    let mut relation = vec![vec![true; large.state_count()]; small.state_count()];
    loop {
        let mut changed = false;
        for x in 0..small.state_count() {
            for y in 0..large.state_count() {
                let follows =
                    steps(small, x).filter(|(label, _)| Some(*label) != ignored).all(|(label, next)| {
                        steps(large, y).any(|(other, to)| other == label && relation[next][to])
                    });
                if relation[x][y] && !follows {
                    relation[x][y] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return relation;
        }
    }
}

/// The pairs of the largest simulation that can be reached from its pairs of initial states by equal
/// steps, ascending.
pub fn reachable_pairs(small: &StateGraph, large: &StateGraph, ignored: Option<&str>) -> Vec<(u32, u32)> {
    let relation = simulation(small, large, ignored);
    let mut found = BTreeSet::new();
    let mut waiting = Vec::new();
    for x in small.initial() {
        for y in large.initial() {
            waiting.push((*x as usize, *y as usize));
        }
    }
    while let Some((x, y)) = waiting.pop() {
        if !relation[x][y] || !found.insert((x as u32, y as u32)) {
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
