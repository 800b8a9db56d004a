//! Bisimilarity straight from the definitions: start with all pairs, drop those that fail, repeat.

use graph::StateGraph;

/// `relation[s][t]`: whether `s` and `t` are related.
pub type Relation = Vec<Vec<bool>>;

/// Strong bisimilarity (Park 1981, Milner 1989).
pub fn strong(graph: &StateGraph) -> Relation {
    greatest(graph, |relation, s, t| {
        graph.edges(s).iter().all(|step| {
            graph
                .edges(t)
                .iter()
                .any(|answer| answer.label == step.label && related(relation, step.state, answer.state))
        })
    })
}

/// Branching bisimilarity (van Glabbeek and Weijland 1996): `s` steps to `s'` with `a`; then either `a`
/// is silent and `s'` is still related to `t`, or `t` gets silently to a state related to `s` from where
/// it steps with `a` to a state related to `s'`.
pub fn branching(graph: &StateGraph, silent: impl Fn(&str) -> bool) -> Relation {
    let silent: Vec<bool> = graph.labels.iter().map(silent).collect();
    let silent = |label: u32| silent[label as usize];
    let closure: Vec<Vec<u32>> =
        (0..graph.state_count() as u32).map(|state| silently_reachable(graph, state, silent)).collect();
    greatest(graph, |relation, s, t| {
        graph.edges(s).iter().all(|step| {
            silent(step.label) && related(relation, step.state, t)
                || closure[t as usize].iter().filter(|middle| related(relation, s, **middle)).any(|middle| {
                    graph.edges(*middle).iter().any(|answer| {
                        let same = answer.label == step.label || silent(answer.label) && silent(step.label);
                        same && related(relation, step.state, answer.state)
                    })
                })
        })
    })
}

/// The largest symmetric relation all of whose pairs pass the test in both directions.
fn greatest(graph: &StateGraph, test: impl Fn(&Relation, u32, u32) -> bool) -> Relation {
    let states = graph.state_count();
    let mut relation = vec![vec![true; states]; states];
    loop {
        let mut changed = false;
        for s in 0..states as u32 {
            for t in 0..states as u32 {
                if related(&relation, s, t) && !(test(&relation, s, t) && test(&relation, t, s)) {
                    relation[s as usize][t as usize] = false;
                    relation[t as usize][s as usize] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return relation;
        }
    }
}

fn related(relation: &Relation, s: u32, t: u32) -> bool {
    relation[s as usize][t as usize]
}

fn silently_reachable(graph: &StateGraph, from: u32, silent: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut found = vec![from];
    let mut at = 0;
    while at < found.len() {
        for edge in graph.edges(found[at]) {
            if silent(edge.label) && !found.contains(&edge.state) {
                found.push(edge.state);
            }
        }
        at += 1;
    }
    found
}
