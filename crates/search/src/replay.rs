//! Going a trace again, step by step, in the system itself.
//!
//! A trail from elsewhere may name its steps loosely, so that several steps fit, and may leave out steps or
//! have several entries for one. All traces that fit are followed side by side; one that fits at all is found.

use std::collections::BTreeMap;

use graph::{End, System, Worker};
use rustc_hash::FxHashSet;

/// How a trace ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing goes on from its last state, which is no valid end.
    Deadlock,
    /// Its last step is violating: the system's number for what is wrong.
    Wrong(u32),
    /// It violates nothing.
    Fine,
    /// Nothing that is possible in its last state fits the next step; these events are possible.
    Diverges { possible: Vec<u64> },
}

/// A trace that was gone again, as far as possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// One more than there are events.
    pub states: Vec<Vec<u8>>,
    pub events: Vec<u64>,
    pub ending: Ending,
}

/// A state that was reached, and how.
struct Node {
    state: Vec<u8>,
    /// How many entries of the trail lie before it.
    at: usize,
    /// The last node before the loop, if it lies in the loop.
    start: Option<usize>,
    /// The node before it, the event, and what is wrong with the step.
    by: Option<(usize, u64, Option<u32>)>,
}

/// What tells nodes apart: how many entries lie before them, the start of the loop, the state, what is wrong.
type Key = (usize, Option<usize>, Vec<u8>, Option<u32>);

/// A trace that follows a trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    pub trace: Replayed,
    /// For every state of the trace, how many entries of the trail lie before it.
    pub entries: Vec<usize>,
    /// How many steps lie before the loop, if there is one and the trace comes back to where it began.
    pub loop_start: Option<usize>,
}

/// How many states are followed side by side, and how many in all for each entry of a long trail. More are left
/// out; they differ only in how far processes have gone on that the trail says nothing about.
const MOST_BESIDE: usize = 10_000;
const MOST_FOR_EACH: usize = 64;

/// Goes `length` steps, of which the `n`th must fit `fits(n, event)`. Of the traces that fit, one that
/// violates something at its end is preferred.
pub fn replay<S: System>(system: &S, length: usize, fits: impl Fn(usize, u64) -> bool) -> Replayed {
    follow(system, length, None, |at, event| (at < length && fits(at, event)).then_some(1)).trace
}

/// Follows a trail of `length` entries. `covers` says how many entries the event stands for if `at` of them
/// lie before it: some if it fits, none at all (0) if the trail passes over such steps. Of the traces that fit,
/// one that violates something at its end is preferred, or, if the trail has a loop behind `cycle` entries, one
/// that comes back to where the loop began.
pub fn follow<S: System>(
    system: &S,
    length: usize,
    cycle: Option<usize>,
    covers: impl Fn(usize, u64) -> Option<usize>,
) -> Followed {
    let mut worker = system.worker();
    let mut nodes: Vec<Node> = Vec::new();
    worker.initial(|state| nodes.push(Node { state: state.to_vec(), at: 0, start: None, by: None }));
    // By the number of entries that lie before them.
    let mut waiting = BTreeMap::from([(0, (0..nodes.len()).collect::<Vec<usize>>())]);
    let mut furthest = Vec::new();
    let mut known: FxHashSet<Key> = FxHashSet::default();
    while let Some((at, mut layer)) = waiting.pop_first() {
        known.retain(|(entries, ..)| *entries >= at);
        let mut next = 0;
        while next < layer.len() {
            let node = layer[next];
            next += 1;
            let mut found = Vec::new();
            worker.steps(&nodes[node].state, |step| {
                let Some(covered) = covers(at, step.event) else { return };
                // What is in the loop remembers where it came into it.
                let enters = cycle == Some(at) && covered > 0;
                let start = if enters { Some(node) } else { nodes[node].start };
                let at = at + covered;
                if at <= length && known.insert((at, start, step.state.to_vec(), step.violation)) {
                    found.push(Node {
                        state: step.state.to_vec(),
                        at,
                        start,
                        by: Some((node, step.event, step.violation)),
                    });
                }
            });
            let is_full = nodes.len() > MOST_BESIDE + MOST_FOR_EACH.saturating_mul(length);
            for found in found.into_iter().filter(|found| !is_full || found.at > at) {
                let beside = if found.at == at { &mut layer } else { waiting.entry(found.at).or_default() };
                if beside.len() < MOST_BESIDE {
                    beside.push(nodes.len());
                    nodes.push(found);
                }
            }
        }
        furthest = layer;
    }
    let last = furthest.first().copied().unwrap_or_default();
    if nodes.get(last).is_none_or(|node| node.at < length) {
        let mut possible = Vec::new();
        if let Some(node) = nodes.get(last) {
            worker.steps(&node.state, |step| possible.push(step.event));
        }
        possible.dedup();
        return told(&nodes, last, Ending::Diverges { possible }, None);
    }
    if cycle.is_some() {
        let closes =
            |end: &&usize| nodes[**end].start.is_some_and(|at| nodes[at].state == nodes[**end].state);
        let end = furthest.iter().find(closes);
        let start = end.and_then(|end| nodes[*end].start);
        let before = start.map(|start| std::iter::successors(nodes[start].by, |by| nodes[by.0].by).count());
        return told(&nodes, end.copied().unwrap_or(last), Ending::Fine, before);
    }
    for at in furthest {
        let mut goes_on = false;
        worker.steps(&nodes[at].state, |_| goes_on = true);
        let ending = match nodes[at].by {
            Some((_, _, Some(what))) => Ending::Wrong(what),
            _ if !goes_on && worker.end(&nodes[at].state) == End::Deadlock => Ending::Deadlock,
            _ => continue,
        };
        return told(&nodes, at, ending, None);
    }
    told(&nodes, last, Ending::Fine, None)
}

fn told(nodes: &[Node], last: usize, ending: Ending, loop_start: Option<usize>) -> Followed {
    let (mut states, mut entries, mut events) = (Vec::new(), Vec::new(), Vec::new());
    let mut at = nodes.get(last);
    while let Some(node) = at {
        states.push(node.state.clone());
        entries.push(node.at);
        events.extend(node.by.map(|(_, event, _)| event));
        at = node.by.map(|(before, ..)| &nodes[before]);
    }
    states.reverse();
    entries.reverse();
    events.reverse();
    Followed { trace: Replayed { states, events, ending }, entries, loop_start }
}

#[cfg(test)]
mod tests {
    use graph::Step;

    use super::*;

    /// From 0 the event 1 leads to 1 and to 2; only 2 can do event 7, which is wrong, and then stops.
    struct Fork;

    impl System for Fork {
        type Worker<'a> = Fork;

        fn worker(&self) -> Fork {
            Fork
        }
    }

    impl Worker for Fork {
        fn initial(&mut self, mut visit: impl FnMut(&[u8])) {
            visit(&[0]);
        }

        fn steps(&mut self, state: &[u8], mut visit: impl FnMut(Step<'_>)) {
            match state {
                [0] => {
                    visit(Step { event: 1, state: &[1], violation: None });
                    visit(Step { event: 1, state: &[2], violation: None });
                }
                [2] => visit(Step { event: 7, state: &[3], violation: Some(4) }),
                _ => {}
            }
        }

        fn end(&mut self, state: &[u8]) -> End {
            if state == [1] { End::Deadlock } else { End::Valid }
        }

        fn is_passing(&self, _: &[u8]) -> bool {
            false
        }
    }

    fn go(events: &[u64]) -> Replayed {
        replay(&Fork, events.len(), |n, event| events[n] == event)
    }

    #[test]
    fn all_that_fits_is_followed() {
        let found = go(&[1, 7]);
        assert_eq!((found.ending, found.events), (Ending::Wrong(4), vec![1, 7]));
        assert_eq!(found.states, [[0], [2], [3]]);
        assert_eq!(go(&[1]).ending, Ending::Deadlock);
        assert_eq!(go(&[]).ending, Ending::Fine);
    }

    #[test]
    fn entries_may_stand_for_no_step_or_for_several() {
        // The trail knows only of the 7, in two entries.
        let found = follow(&Fork, 2, None, |_, event| Some(if event == 7 { 2 } else { 0 }));
        assert_eq!((found.trace.ending, found.entries), (Ending::Wrong(4), vec![0, 0, 2]));
        let found = follow(&Fork, 3, None, |_, event| Some(if event == 7 { 2 } else { 0 }));
        assert_eq!(found.trace.ending, Ending::Diverges { possible: vec![] });
    }

    /// Counts to 3 and starts again; a step of 2 is event 2.
    struct Ring;

    impl System for Ring {
        type Worker<'a> = Ring;

        fn worker(&self) -> Ring {
            Ring
        }
    }

    impl Worker for Ring {
        fn initial(&mut self, mut visit: impl FnMut(&[u8])) {
            visit(&[0]);
        }

        fn steps(&mut self, state: &[u8], mut visit: impl FnMut(Step<'_>)) {
            for event in [1, 2] {
                let next = (u64::from(state[0]) + event) % 4;
                visit(Step { event, state: &[next as u8], violation: None });
            }
        }

        fn end(&mut self, _: &[u8]) -> End {
            End::Valid
        }

        fn is_passing(&self, _: &[u8]) -> bool {
            false
        }
    }

    #[test]
    fn loops_come_back() {
        let go = |events: &[u64], cycle: usize| {
            follow(&Ring, events.len(), Some(cycle), |at, event| {
                (events.get(at) == Some(&event)).then_some(1)
            })
        };
        let found = go(&[1, 2, 2], 1);
        assert_eq!((found.trace.states.len(), found.loop_start), (4, Some(1)));
        assert_eq!(go(&[1, 2, 1], 1).loop_start, None);
        // With steps of 1 left out there is a way back.
        let silent = follow(&Ring, 1, Some(0), |at, event| match event {
            2 => (at == 0).then_some(1),
            _ => Some(0),
        });
        assert_eq!(silent.loop_start, Some(0));
        assert_eq!(silent.trace.states.first(), silent.trace.states.last());
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let found = go(&[1, 9]);
        assert_eq!((found.events, found.ending), (vec![1], Ending::Diverges { possible: vec![] }));
        assert_eq!(go(&[9]).ending, Ending::Diverges { possible: vec![1] });
    }
}
