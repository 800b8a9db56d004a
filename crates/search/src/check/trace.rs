//! Finding a shortest trace after a check that kept no steps.
//!
//! States are kept level by level, so the state before one on level `d` is among those of level `d - 1`:
//! all of these are asked for their steps again. Of several states before it the one with the smallest
//! bytes is taken, so that the trace does not depend on the number of threads.

use graph::{System, Worker};

use super::found::Wrong;
use super::words::Form;
use super::{Checked, Class};
use crate::{Ending, Replayed};

impl Checked {
    /// A shortest trace to the violations of a class of this check of `system`. It takes about as long
    /// as the check took to come that far.
    pub fn trace<S: System>(&self, system: &S, class: &Class) -> Replayed {
        let mut worker = system.worker();
        let mut states = vec![class.state.clone()];
        let mut events = Vec::new();
        let before_violation = match class.wrong {
            Wrong::Deadlock => class.shortest,
            Wrong::Step { .. } => class.shortest - 1,
        };
        let (mut form, mut candidate) = (Form::default(), Vec::new());
        for depth in (0..before_violation).rev() {
            let at = depth as usize;
            let target = states[states.len() - 1].clone();
            let mut best: Option<(Vec<u8>, u64)> = None;
            for place in self.store.places(self.levels[at], self.levels[at + 1]) {
                self.store.get(place, &mut form, &mut candidate);
                if best.as_ref().is_some_and(|(state, _)| *state <= candidate) {
                    continue;
                }
                let mut event = None;
                worker.steps(&candidate, |step| {
                    if event.is_none() && step.state == target {
                        event = Some(step.event);
                    }
                });
                if let Some(event) = event {
                    best = Some((candidate.clone(), event));
                }
            }
            // Every state but the initial ones was reached from the level before.
            let Some((state, event)) = best else { break };
            states.push(state);
            events.push(event);
        }
        states.reverse();
        events.reverse();
        let mut ending = Ending::Deadlock;
        if let Wrong::Step { event, what } = class.wrong {
            let mut last = None;
            worker.steps(&class.state, |step| {
                if last.is_none() && step.event == event && step.violation == Some(what) {
                    last = Some(step.state.to_vec());
                }
            });
            events.push(event);
            states.extend(last);
            ending = Ending::Wrong(what);
        }
        Replayed { states, events, ending }
    }
}
