//! Following a given sequence of labels, such as a counterexample from another tool.
//!
//! A label can lead to several states, so whole layers of states are followed at once; each state
//! remembers the calmest way there (see [`calmest_shortest`](crate::calmest_shortest)).

use rustc_hash::FxHashMap;

use crate::calmest::{Cost, of_state, of_step};
use crate::{Edge, OUTSIDE, Trace, Transitions};

/// What became of an attempt to follow given labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Followed {
    /// The calmest violating trace with these labels. It may be shorter than what was given: a trace
    /// ends with its violation.
    Violating(Trace),
    /// No trace with these labels is violating; one of those that last longest. It is shorter than what
    /// was given where a label led [`OUTSIDE`], where nothing can be violated any more.
    Harmless(Trace),
    /// After this trace the next label is possible nowhere; the labels that are, ascending.
    Diverged { trace: Trace, possible: Vec<u32> },
}

/// Each state with the cost of the calmest way there and the state before it.
type Layer = FxHashMap<u32, (Cost, u32)>;

/// Follows `labels` from the initial states. Where a label has several targets all are followed.
pub fn follow<T: Transitions>(system: &T, labels: &[u32], marked: impl Fn(u32) -> bool) -> Followed {
    follow_within(system, labels, marked, |_, _| true)
}

/// The same, but after so many steps only through the states that are admitted.
pub fn follow_within<T: Transitions>(
    system: &T,
    labels: &[u32],
    marked: impl Fn(u32) -> bool,
    admits: impl Fn(usize, u32) -> bool,
) -> Followed {
    let start = |state| (state, (of_state(marked(state)), state));
    let initial = system.initial().into_iter().filter(|state| admits(0, *state));
    let mut layers: Vec<Layer> = vec![initial.map(start).collect()];
    let mut left = false;
    for at in 0..=labels.len() {
        if let Some(end) = calmest(&layers[at], |state| system.is_violating(state)) {
            return Followed::Violating(walk_back(&layers, labels, end));
        }
        let Some(&label) = labels.get(at) else { break };
        let mut next = Layer::default();
        let mut possible = Vec::new();
        for (state, (cost, _)) in sorted(&layers[at]) {
            let here = marked(state);
            system.successors(state, |found, target| {
                possible.push(found);
                if found != label {
                    return;
                }
                if target == OUTSIDE {
                    left = true;
                } else if admits(at + 1, target) {
                    let there = marked(target);
                    let arrival = (cost + of_state(there) + of_step(here || there), state);
                    let entry = next.entry(target).or_insert(arrival);
                    *entry = (*entry).min(arrival);
                }
            });
        }
        if !left && next.is_empty() {
            possible.sort_unstable();
            possible.dedup();
            return Followed::Diverged { trace: any_trace(&layers, labels), possible };
        }
        if next.is_empty() {
            // Every way on has left for where nothing can be violated any more.
            break;
        }
        layers.push(next);
    }
    Followed::Harmless(any_trace(&layers, labels))
}

fn calmest(layer: &Layer, wanted: impl Fn(u32) -> bool) -> Option<u32> {
    let arrivals = layer.iter().map(|(state, (cost, _))| (*cost, *state));
    arrivals.filter(|(_, state)| wanted(*state)).min().map(|(_, state)| state)
}

fn sorted(layer: &Layer) -> Vec<(u32, (Cost, u32))> {
    let mut states: Vec<_> = layer.iter().map(|(state, arrival)| (*state, *arrival)).collect();
    states.sort_unstable();
    states
}

fn any_trace(layers: &[Layer], labels: &[u32]) -> Trace {
    let end = layers.last().and_then(|layer| calmest(layer, |_| true));
    end.map(|end| walk_back(layers, labels, end)).unwrap_or_default()
}

fn walk_back(layers: &[Layer], labels: &[u32], end: u32) -> Trace {
    let mut steps = Vec::new();
    let mut at = end;
    for (layer, label) in layers[1..].iter().zip(labels).rev() {
        steps.push(Edge { label: *label, state: at });
        at = layer[&at].1;
    }
    steps.reverse();
    Trace { start: at, steps }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fixture, failed, fine};

    /// `go` leads to two states, only one of which can do `on`, and to the other again.
    fn fixture() -> Fixture {
        Fixture::new(
            5,
            &[
                (0, "go", 1),
                (0, "go", 2),
                (1, "go", 2),
                (2, "on", 3),
                (3, "bad", 4),
                (3, "over", 0),
                (4, "go", 0),
            ],
        )
    }

    fn followed(labels: &[&str]) -> Followed {
        let fixture = fixture();
        let labels: Vec<u32> = labels.iter().map(|label| fixture.label(label)).collect();
        follow(&fixture.product(), &labels, |state| state == fine(1))
    }

    fn states(trace: &Trace) -> Vec<u32> {
        trace.states().collect()
    }

    #[test]
    fn a_trace_ends_with_its_violation() {
        let Followed::Violating(trace) = followed(&["go", "on", "bad", "go", "on"]) else {
            panic!("it does something bad")
        };
        assert_eq!(states(&trace), [fine(0), fine(2), fine(3), failed(4)]);
    }

    #[test]
    fn of_several_ways_the_calm_one_is_told() {
        // To state 1, which is marked, or to state 2.
        let Followed::Harmless(trace) = followed(&["go"]) else { panic!("it does nothing bad") };
        assert_eq!(states(&trace), [fine(0), fine(2)]);
    }

    #[test]
    fn who_leaves_is_harmless_whatever_comes() {
        let Followed::Harmless(trace) = followed(&["go", "on", "over", "bad", "bad"]) else {
            panic!("nothing matters after `over`")
        };
        assert_eq!(states(&trace), [fine(0), fine(2), fine(3)]);
    }

    #[test]
    fn where_no_trace_goes_on_the_possible_labels_are_told() {
        let Followed::Diverged { trace, possible } = followed(&["go", "bad"]) else {
            panic!("it cannot do that")
        };
        assert_eq!(states(&trace), [fine(0), fine(2)]);
        let fixture = fixture();
        assert_eq!(possible, [fixture.label("go"), fixture.label("on")]);
    }
}
