//! Finding shortest traces after a check that kept no steps.
//!
//! States are kept level by level, so the state before one on level `d` is among those of level `d - 1`:
//! all of these are asked for their steps again, once for all traces that are wanted. Of several states
//! before one, that with the smallest bytes is taken, so that a trace does not depend on the number of
//! threads.

use graph::{Interrupt, PULSE, Progress, System, Watch, Worker};
use rustc_hash::FxHashMap;

use super::chain::Chain;
use super::found::Wrong;
use super::words::Form;
use super::{Checked, Class};
use crate::{Ending, Replayed};

/// A trace that is known from somewhere to its end, last state first.
struct Backward {
    states: Vec<Vec<u8>>,
    events: Vec<u64>,
}

/// The state before another one, and the event of the first step from there.
type Before = Option<(Vec<u8>, u64)>;

impl Checked {
    /// A trace to the violations of each of these classes of this check of `system`, a shortest one if
    /// nothing was left out. It takes about as long as the check took to come that far.
    pub fn traces<S: System>(
        &self,
        system: &S,
        classes: &[&Class],
        watch: &dyn Watch,
    ) -> Result<Vec<Replayed>, Interrupt> {
        let (mut worker, mut asked) = (system.worker(), system.worker());
        let mut chain = Chain::default();
        let start = |class: &&Class| Backward { states: vec![class.state.clone()], events: Vec::new() };
        let mut traces: Vec<Backward> = classes.iter().map(start).collect();
        let farthest = classes.iter().map(|class| class.depth).max().unwrap_or(0);
        let (mut form, mut candidate) = (Form::default(), Vec::new());
        let (mut steps, mut next_pulse) = (0, PULSE);
        for depth in (0..farthest).rev() {
            // Several traces may come together on the way back.
            let mut targets: FxHashMap<Vec<u8>, (Vec<usize>, Before)> = FxHashMap::default();
            for (at, (trace, class)) in traces.iter().zip(classes).enumerate() {
                if class.depth > depth
                    && let Some(state) = trace.states.last()
                {
                    targets.entry(state.clone()).or_default().0.push(at);
                }
            }
            let at = depth as usize;
            for place in self.store.places(self.levels[at], self.levels[at + 1]) {
                self.store.get(place, &mut form, &mut candidate);
                worker.steps(&candidate, |step| {
                    steps += 1;
                    let state = match self.trusted {
                        None => step.state,
                        Some(trusted) => chain.follow(&mut asked, step.state, trusted, |_, _| {}),
                    };
                    if let Some((_, before)) = targets.get_mut(state)
                        && before.as_ref().is_none_or(|(state, _)| candidate < *state)
                    {
                        *before = Some((candidate.clone(), step.event));
                    }
                });
                if steps >= next_pulse {
                    next_pulse = steps + PULSE;
                    let progress = Progress { phase: "tracing", edges: steps, ..Progress::default() };
                    watch.pulse(progress)?;
                }
            }
            // Each goes its own way, so the order does not matter.
            for (of, before) in targets.into_values() {
                // Every state but the initial ones was reached from the level before.
                let Some((state, event)) = before else { continue };
                for at in of {
                    traces[at].states.push(state.clone());
                    traces[at].events.push(event);
                }
            }
        }
        let told = traces.into_iter().zip(classes);
        Ok(told.map(|(trace, class)| self.forward(system, trace, class)).collect())
    }

    /// The trace from its beginning, with the states that were passed without being kept, and with the
    /// violating step if there is one.
    fn forward<S: System>(&self, system: &S, mut trace: Backward, class: &Class) -> Replayed {
        let (mut worker, mut asked) = (system.worker(), system.worker());
        let mut chain = Chain::default();
        trace.states.reverse();
        trace.events.reverse();
        let mut told = Replayed { states: Vec::new(), events: Vec::new(), ending: Ending::Deadlock };
        for (event, states) in trace.events.iter().zip(trace.states.windows(2)) {
            told.states.push(states[0].clone());
            let (passed_states, passed_events) = (told.states.len(), told.events.len());
            let mut found = false;
            worker.steps(&states[0], |step| {
                if found || step.event != *event {
                    return;
                }
                told.states.truncate(passed_states);
                told.events.truncate(passed_events);
                told.events.push(*event);
                let mut last = step.state.to_vec();
                if let Some(trusted) = self.trusted {
                    let end = chain.follow(&mut asked, step.state, trusted, |event, state| {
                        told.states.push(std::mem::replace(&mut last, state.to_vec()));
                        told.events.push(event);
                    });
                    last = end.to_vec();
                }
                found = last == states[1];
            });
        }
        told.states.extend(trace.states.pop());
        if let Wrong::Step { event, what } = class.wrong {
            let mut last = None;
            worker.steps(&class.state, |step| {
                if last.is_none() && step.event == event && step.violation == Some(what) {
                    last = Some(step.state.to_vec());
                }
            });
            told.events.push(event);
            told.states.extend(last);
            told.ending = Ending::Wrong(what);
        }
        told
    }
}
