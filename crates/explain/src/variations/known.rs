//! Variations that are known one by one, where there is no graph to look for them in.
//!
//! They come from elsewhere, as inputs with which the program was run. A negative is a trace that fails with the
//! failing step; of any other trace, what counts is the first time it takes the failing step unharmed after it has
//! left all negatives.

use graph::{OUTSIDE, Trace, Transitions};
use rustc_hash::FxHashMap;

use super::generate::Generated;
use super::tree::Tree;

/// The variations among some traces that all begin as the first of them, which is the counterexample. `keys` has the
/// key of each label.
pub fn among<T: Transitions>(system: &T, traces: &[Trace], keys: &[u32]) -> Generated {
    let start = traces.first().map_or(OUTSIDE, |trace| trace.start);
    let failing = traces.first().and_then(|trace| trace.steps.last());
    let failing = failing.map(|step| keys[step.label as usize]);
    let is_failing = |label: u32| Some(keys[label as usize]) == failing;
    let has_failed = |trace: &Trace| {
        let last = trace.steps.last();
        last.is_some_and(|step| {
            let (label, state) = (step.label, step.state);
            state != OUTSIDE && system.is_violating(state) && system.is_target(state) && is_failing(label)
        })
    };
    let mut tree = Tree::new(start);
    let mut known = FxHashMap::default();
    let mut nodes_of = |trace: &Trace| -> Vec<u32> {
        let mut last = Tree::ROOT;
        let mut node = |step: &graph::Edge| {
            last = *known.entry((last, *step)).or_insert_with(|| tree.child(last, *step));
            last
        };
        trace.steps.iter().map(&mut node).collect()
    };
    let of_start = traces.iter().filter(|trace| trace.start == start);
    let (negatives, others): (Vec<&Trace>, Vec<&Trace>) = of_start.partition(|trace| has_failed(trace));
    let mut on_negative = rustc_hash::FxHashSet::default();
    let mut ends = Vec::new();
    for trace in negatives {
        let nodes = nodes_of(trace);
        ends.extend(nodes.last());
        on_negative.extend(nodes);
    }
    let mut passing = Vec::new();
    for trace in others {
        let nodes = nodes_of(trace);
        let is_harmless = |state: u32| state == OUTSIDE || !system.is_violating(state);
        let unharmed = nodes.iter().zip(&trace.steps).find(|(node, step)| {
            is_failing(step.label) && !on_negative.contains(*node) && is_harmless(step.state)
        });
        passing.extend(unharmed.map(|(node, _)| *node));
    }
    for list in [&mut ends, &mut passing] {
        list.sort_by_cached_key(|node| (tree.length(*node), *node));
        list.dedup();
    }
    let states = tree.len() as u64;
    Generated { tree, negatives: ends, positives: passing, states, is_limited: false }
}

#[cfg(test)]
mod tests {
    use graph::{Checked, Edge, GraphBuilder, Marks, WrongStep};

    use super::*;

    /// From state 0 label 0 leads on; label 1 is the check, wrong from state 1 and harmless elsewhere.
    fn system() -> Checked {
        let mut builder = GraphBuilder::new();
        for (from, label, to) in [(0, 0, 1), (0, 2, 2), (1, 1, 3), (2, 1, 4), (4, 0, 5), (5, 1, 6)] {
            builder.edge(from, label, to);
        }
        let mut graph = builder.finish(7, vec![0]).unwrap();
        ["go", "check", "turn"].iter().for_each(|name| _ = graph.labels.intern(name));
        let wrong = WrongStep { source: 1, edge: Edge { label: 1, state: 3 }, class: 0 };
        Checked::new(graph, Marks { wrong: vec![wrong], classes: 1, ..Marks::default() })
    }

    #[test]
    fn a_positive_ends_where_it_first_takes_the_failing_step() {
        let mut system = system();
        system.aim(|_| true);
        let way = |labels: &[u32]| match graph::follow(&system, labels, |_| false) {
            graph::Followed::Violating(trace) | graph::Followed::Harmless(trace) => trace,
            graph::Followed::Diverged { .. } => panic!("there is no such trace"),
        };
        let traces = [way(&[0, 1]), way(&[2, 1, 0, 1]), way(&[2])];
        let found = among(&system, &traces, &[0, 1, 2]);
        let lengths = |nodes: &[u32]| nodes.iter().map(|node| found.tree.length(*node)).collect::<Vec<_>>();
        assert_eq!((lengths(&found.negatives), lengths(&found.positives)), (vec![2], vec![2]));
        assert_eq!(found.tree.state(found.positives[0]), 4);
    }
}
