//! Deferred events: those that could have happened long before they did.
//!
//! In the paper's example a statement is enabled at one step and executed 27 steps later, and what
//! happened in between happened because it had not been executed. An event is deferred if from some
//! state on it could have been executed all the time, its process did not move, and steps of others
//! overtook it whose order with it matters: they read what it writes, write what it reads or writes,
//! or use the same channel.

use graph::{Actors, Footprint, Trace, Transitions};

/// A step of a trace, with what it touches.
#[derive(Clone, Debug)]
pub struct TouchedStep {
    pub label: u32,
    pub actors: Actors,
    pub footprint: Footprint,
    /// Whether the state it starts from lies inside a sequence that nothing interrupts.
    pub is_inside: bool,
}

impl TouchedStep {
    /// The steps of a trace; `touch` tells the footprint of a label's step from a state.
    pub fn of<T: Transitions>(system: &T, trace: &Trace, touch: impl Fn(u32, u32) -> Footprint) -> Vec<Self> {
        let steps = trace.states().zip(&trace.steps);
        steps
            .map(|(state, step)| Self {
                label: step.label,
                actors: system.actors(step.label),
                footprint: touch(state, step.label),
                is_inside: system.is_uninterrupted(state),
            })
            .collect()
    }

    pub(super) fn shares_actor(&self, actors: Actors) -> bool {
        self.actors.iter().any(|own| actors.iter().any(|other| own == other))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deferred {
    pub label: u32,
    /// The index of the step that executes it; none if the violation came first.
    pub step: Option<usize>,
    /// After so many steps of the trace it could be executed, and from then on all the time.
    pub since: usize,
    /// Whether the step before that, of its own process, is what made it possible.
    pub after_own_step: bool,
    /// The indices of the steps that overtook it and whose order with it matters.
    pub overtaken_by: Vec<usize>,
    pub footprint: Footprint,
}

impl Deferred {
    /// Whether it could be executed before the step with this index, and was not.
    pub(super) fn is_pending(&self, index: usize) -> bool {
        self.since <= index && self.step.is_none_or(|step| step > index)
    }
}

/// The deferred events of a trace, those overtaken by most steps first.
pub fn deferred<T: Transitions>(
    system: &T,
    trace: &Trace,
    steps: &[TouchedStep],
    touch: impl Fn(u32, u32) -> Footprint,
) -> Vec<Deferred> {
    let states: Vec<u32> = trace.states().collect();
    let mut found = Vec::new();
    let mut consider = |label: u32, step: Option<usize>, before: usize, footprint: &Footprint| {
        let actors = system.actors(label);
        if actors.is_none() {
            return;
        }
        let own = steps[..before].iter().rposition(|step| step.shares_actor(actors)).map_or(0, |at| at + 1);
        // Inside a sequence of others that nothing interrupts nobody else can be executed.
        let possible = |at: &usize| is_enabled(system, states[*at], label);
        let held = |at: &usize| possible(at) || system.is_uninterrupted(states[*at]);
        let since = (own..before).rev().take_while(held).last().unwrap_or(before);
        if !(since..before).any(|at| possible(&at)) {
            return;
        }
        let overtakes = |at: &usize| steps[*at].footprint.conflicts(footprint);
        let overtaken_by: Vec<usize> = (since..before).filter(overtakes).collect();
        if !overtaken_by.is_empty() {
            found.push(Deferred {
                label,
                step,
                since,
                after_own_step: since == own && own > 0,
                overtaken_by,
                footprint: footprint.clone(),
            });
        }
    };
    for (at, step) in steps.iter().enumerate() {
        consider(step.label, Some(at), at, &step.footprint);
    }
    // What could still have been executed before a violating step.
    if let (Some(last), Some(state)) = (steps.len().checked_sub(1), states.iter().rev().nth(1)) {
        let mut pending = Vec::new();
        system.successors(*state, |label, _| pending.push(label));
        pending.dedup();
        pending
            .retain(|label| *label != steps[last].label && !steps[last].shares_actor(system.actors(*label)));
        for label in pending.into_iter().filter(|_| system.degree(trace.last()) == 0) {
            consider(label, None, last + 1, &touch(*state, label));
        }
    }
    found.sort_by_key(|one| (std::cmp::Reverse(one.overtaken_by.len()), one.since));
    found
}

fn is_enabled<T: Transitions>(system: &T, state: u32, label: u32) -> bool {
    let mut found = false;
    system.successors(state, |other, _| found |= other == label);
    found
}

#[cfg(test)]
mod tests {
    use graph::{Checked, Edge, GraphBuilder, Marks};

    use super::*;

    /// Two processes: 0 does `ask` and then `put`, 1 does `look`, which reads what `put` writes, and `other`.
    /// States are what both have done; `look` is possible at once.
    fn system() -> Checked {
        let mut builder = GraphBuilder::new();
        let labels: Vec<u32> =
            ["ask", "put", "look", "other"].iter().map(|name| builder.labels.intern(name)).collect();
        for own in 0..3 {
            for others in 0..3 {
                let state = own * 3 + others;
                if own < 2 {
                    builder.edge(state, labels[own as usize], state + 3);
                }
                if others < 2 {
                    builder.edge(state, labels[2 + others as usize], state + 1);
                }
            }
        }
        let graph = builder.finish(9, vec![0]).expect("a handful of edges");
        let actors = [0, 0, 1, 1].map(|process| Actors::new(process, None)).to_vec();
        Checked::new(graph, Marks { deadlocks: vec![8], actors, ..Marks::default() })
    }

    fn touch(_: u32, label: u32) -> Footprint {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        match label {
            1 => Footprint { writes: names(&["x"]), ..Footprint::default() },
            2 => Footprint { reads: names(&["x"]), ..Footprint::default() },
            _ => Footprint::default(),
        }
    }

    fn of(labels: &[u32]) -> Vec<Deferred> {
        let system = system();
        let mut state = 0;
        let mut steps = Vec::new();
        for label in labels {
            state += if *label < 2 { 3 } else { 1 };
            steps.push(Edge { label: *label, state });
        }
        let trace = Trace { start: 0, steps };
        let touched = TouchedStep::of(&system, &trace, touch);
        deferred(&system, &trace, &touched, touch)
    }

    #[test]
    fn what_is_overtaken_by_a_step_that_matters_is_deferred() {
        let found = of(&[0, 2, 3, 1]);
        assert_eq!(found.len(), 1);
        let Deferred { label, step, since, after_own_step, ref overtaken_by, .. } = found[0];
        assert_eq!((label, step, since, after_own_step), (1, Some(3), 1, true));
        assert_eq!(overtaken_by, &[1], "`other` has nothing to do with it");
    }

    #[test]
    fn what_comes_at_once_or_is_overtaken_by_strangers_is_not() {
        assert!(of(&[0, 1, 2, 3]).iter().all(|late| late.label != 1));
        assert!(of(&[2, 0, 3, 1]).is_empty(), "only `other` comes between");
    }

    #[test]
    fn the_reader_may_be_the_one_that_is_late() {
        let found = of(&[0, 1, 2, 3]);
        let late: Vec<(u32, Option<usize>, usize, bool)> =
            found.iter().map(|late| (late.label, late.step, late.since, late.after_own_step)).collect();
        assert_eq!(late, [(2, Some(2), 0, false)]);
    }
}
