//! A few runs of a system as a graph: only what they came by is in it.
//!
//! Where there are too many steps to look at all, some runs are known all the same. Their graph is one of a search
//! that looked at nothing else: every state may have steps that are not in it, but for those in which a run
//! violates something or ends.

use graph::{Edge, GraphBuilder, TooManyEdges};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::order::Levels;
use crate::{Ending, Explored, Replayed, Store, Violation};

/// The graph of runs, which all begin in an initial state.
pub fn gather(runs: &[Replayed]) -> Result<Explored, TooManyEdges> {
    let mut store = Store::new();
    let mut builder = GraphBuilder::new();
    let mut labels: FxHashMap<u64, u32> = FxHashMap::default();
    let mut events = Vec::new();
    let mut known: FxHashSet<(u32, Edge)> = FxHashSet::default();
    let mut initial = Vec::new();
    let mut violations = Vec::new();
    let mut ends = FxHashSet::default();
    for run in runs {
        let states: Vec<u32> = run.states.iter().map(|state| store.insert(state).0).collect();
        initial.extend(states.first());
        for (at, event) in run.events.iter().enumerate() {
            let fresh = events.len() as u32;
            let label = *labels.entry(*event).or_insert(fresh);
            if label == fresh {
                events.push(*event);
            }
            let (state, edge) = (states[at], Edge { label, state: states[at + 1] });
            if !known.insert((state, edge)) {
                continue;
            }
            builder.edge(state, label, edge.state);
            if let (true, Ending::Wrong(what)) = (at + 1 == run.events.len(), &run.ending) {
                violations.push(Violation::Step { state, edge, what: *what });
            }
        }
        if let Some(last) = states.last() {
            match run.ending {
                Ending::Deadlock => {
                    if ends.insert(*last) {
                        violations.push(Violation::Deadlock { state: *last });
                    }
                }
                Ending::Wrong(_) => _ = ends.insert(*last),
                Ending::Fine | Ending::Diverges { .. } => {}
            }
        }
    }
    initial.sort_unstable();
    initial.dedup();
    let states = store.len();
    let edges = known.len() as u64;
    let graph = builder.finish(states, initial)?;
    let levels = Levels::of_graph(&graph);
    Ok(Explored {
        counted_states: states as u64,
        transitions: edges,
        errors: violations.len() as u64,
        open: (0..states as u32).filter(|state| !ends.contains(state)).collect(),
        store,
        graph,
        events,
        violations,
        levels,
        interrupt: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_share_their_beginnings() {
        let run = |states: &[&str], events: &[u64], ending| Replayed {
            states: states.iter().map(|state| state.as_bytes().to_vec()).collect(),
            events: events.to_vec(),
            ending,
        };
        let runs = [
            run(&["a", "b", "c"], &[7, 8], Ending::Wrong(3)),
            run(&["a", "b", "d", "b", "e"], &[7, 9, 7, 5], Ending::Fine),
            run(&["a", "b", "c"], &[7, 8], Ending::Wrong(3)),
        ];
        let found = gather(&runs).unwrap();
        assert_eq!((found.store.len(), found.graph.edge_count()), (5, 5));
        assert_eq!((found.graph.initial(), &found.events[..]), (&[0][..], &[7, 8, 9, 5][..]));
        let edge = Edge { label: 1, state: 2 };
        assert_eq!(found.violations, [Violation::Step { state: 1, edge, what: 3 }]);
        assert_eq!(found.open, [0, 1, 3, 4]);
        assert_eq!((found.depth(2), found.max_depth()), (2, 2));
    }
}
