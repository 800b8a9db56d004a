//! Going on where there is only one way to go.
//!
//! While one process can be looked at alone and has just one step, or stands inside a sequence that nothing
//! interrupts and has just one step, the states on the way need not be kept. What is wrong never lies on
//! the way: a step that violates something is always taken from a state that is kept.

use graph::Worker;

/// No way is longer. It may still go on, and does so from the state that is kept then.
const LONGEST: u32 = 1024;

/// Ways that have been gone, one after the other.
#[derive(Default)]
pub(super) struct Chain {
    state: Vec<u8>,
    next: Vec<u8>,
    /// The state at an earlier point, to notice when a way goes round.
    saved: Vec<u8>,
    /// The promises that were broken on the way.
    pub(super) broken: u64,
}

/// The one step that there is.
#[derive(Clone, Copy, Default)]
struct Only {
    count: u32,
    event: u64,
    wrong: bool,
}

impl Chain {
    /// Goes from `state` as far as there is only one way, and returns where that leads. `passed` gets every
    /// event on the way and the state behind it.
    pub(super) fn follow<W: Worker>(
        &mut self,
        worker: &mut W,
        state: &[u8],
        trusted: u64,
        mut passed: impl FnMut(u64, &[u8]),
    ) -> &[u8] {
        self.state.clear();
        self.state.extend_from_slice(state);
        for count in 0..LONGEST {
            let Some(event) = self.step(worker, trusted) else { break };
            if trusted != 0 {
                self.broken |= worker.broken_promises(&self.state);
            }
            passed(event, &self.next);
            std::mem::swap(&mut self.state, &mut self.next);
            // Looking back to the last power of two finds a circle of any length (Brent, 1980).
            if count.is_power_of_two() || count == 0 {
                self.saved.clone_from(&self.state);
            } else if self.state == self.saved {
                break;
            }
        }
        &self.state
    }

    /// Finds the only step there is, if there is one, and where it leads.
    fn step<W: Worker>(&mut self, worker: &mut W, trusted: u64) -> Option<u64> {
        let Self { state, next, .. } = self;
        let mut only = Only::default();
        let mut see = |step: graph::Step<'_>, only: &mut Only| {
            *only = Only {
                count: only.count + 1,
                event: step.event,
                wrong: step.violation.is_some() || only.wrong,
            };
            if only.count == 1 {
                next.clear();
                next.extend_from_slice(step.state);
            }
        };
        if worker.is_passing(state) {
            worker.steps(state, |step| see(step, &mut only));
        } else {
            let mut first = 0;
            loop {
                only = Only::default();
                first = worker.steps_of_one(state, trusted, first, |step| see(step, &mut only))?;
                if only.count == 1 && !only.wrong {
                    break;
                }
            }
        }
        (only.count == 1 && !only.wrong && next != state).then_some(only.event)
    }
}
