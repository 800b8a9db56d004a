//! Going a trace again, step by step, in the system itself.
//!
//! A trace from elsewhere may name its steps loosely, so that several steps fit. All of them are
//! followed side by side; a trace that fits at all is found.

use graph::{End, System, Worker};

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
    /// The node before it, the event, and what is wrong with the step.
    by: Option<(usize, u64, Option<u32>)>,
}

/// Goes `length` steps, of which the `n`th must fit `fits(n, event)`. Of the traces that fit, one that
/// violates something at its end is preferred.
pub fn replay<S: System>(system: &S, length: usize, fits: impl Fn(usize, u64) -> bool) -> Replayed {
    let mut worker = system.worker();
    let mut nodes: Vec<Node> = Vec::new();
    worker.initial(|state| nodes.push(Node { state: state.to_vec(), by: None }));
    let mut layer = 0..nodes.len();
    for n in 0..length {
        let mut next: Vec<Node> = Vec::new();
        for at in layer.clone() {
            worker.steps(&nodes[at].state, |step| {
                let known = |node: &Node| {
                    node.state == step.state && node.by.is_some_and(|(_, _, wrong)| wrong == step.violation)
                };
                if fits(n, step.event) && !next.iter().any(known) {
                    let by = Some((at, step.event, step.violation));
                    next.push(Node { state: step.state.to_vec(), by });
                }
            });
        }
        if next.is_empty() {
            let mut possible = Vec::new();
            let last = layer.start;
            worker.steps(&nodes[last].state, |step| possible.push(step.event));
            possible.dedup();
            return told(&nodes, last, Ending::Diverges { possible });
        }
        layer = nodes.len()..nodes.len() + next.len();
        nodes.extend(next);
    }
    let mut best = (layer.start, Ending::Fine);
    for at in layer {
        let mut goes_on = false;
        worker.steps(&nodes[at].state, |_| goes_on = true);
        let ending = match nodes[at].by {
            Some((_, _, Some(what))) => Ending::Wrong(what),
            _ if !goes_on && worker.end(&nodes[at].state) == End::Deadlock => Ending::Deadlock,
            _ => continue,
        };
        best = (at, ending);
        break;
    }
    told(&nodes, best.0, best.1)
}

fn told(nodes: &[Node], last: usize, ending: Ending) -> Replayed {
    let mut states = vec![nodes[last].state.clone()];
    let mut events = Vec::new();
    let mut at = last;
    while let Some((before, event, _)) = nodes[at].by {
        states.push(nodes[before].state.clone());
        events.push(event);
        at = before;
    }
    states.reverse();
    events.reverse();
    Replayed { states, events, ending }
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
    fn what_does_not_fit_is_told() {
        let found = go(&[1, 9]);
        assert_eq!((found.events, found.ending), (vec![1], Ending::Diverges { possible: vec![] }));
        assert_eq!(go(&[9]).ending, Ending::Diverges { possible: vec![1] });
    }
}
