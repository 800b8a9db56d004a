//! Leaving steps out of a trace that it does not need.
//!
//! A search that looks at one process alone where it can finds traces with steps that have nothing to do
//! with what goes wrong at the end. From the last step to the first, each is left out if the rest still
//! leads to the same violation, again and again until no single step can be left out of what remains.

use graph::{End, Interrupt, PULSE, Progress, System, Watch, Worker};

use crate::{Ending, Replayed};

/// The trace without the steps it does not need, as far as looking at `budget` states can tell; what was not
/// used of the budget is left there.
pub fn shorten<S: System>(
    system: &S,
    mut trace: Replayed,
    budget: &mut u64,
    watch: &dyn Watch,
) -> Result<Replayed, Interrupt> {
    let mut worker = system.worker();
    let (mut looked_at, mut next_pulse) = (0, PULSE);
    // The last step of a trace to a violating step is the violation.
    let kept = usize::from(trace.ending != Ending::Deadlock);
    let mut left_out_some = true;
    while std::mem::take(&mut left_out_some) {
        for left_out in (0..trace.events.len().saturating_sub(kept)).rev() {
            if looked_at > *budget {
                break;
            }
            if let Some(states) = rest(&mut worker, &trace, left_out, &mut looked_at) {
                trace.events.remove(left_out);
                trace.states.truncate(left_out + 1);
                trace.states.extend(states);
                left_out_some = true;
            }
            if looked_at >= next_pulse {
                next_pulse = looked_at + PULSE;
                watch.pulse(Progress { phase: "shortening", edges: looked_at, ..Progress::default() })?;
            }
        }
    }
    *budget = budget.saturating_sub(looked_at);
    Ok(trace)
}

/// The states behind a step that is left out, if the trace still ends as it did.
fn rest(
    worker: &mut impl Worker,
    trace: &Replayed,
    left_out: usize,
    looked_at: &mut u64,
) -> Option<Vec<Vec<u8>>> {
    let mut state = trace.states.get(left_out)?.clone();
    let mut states = Vec::new();
    let events = &trace.events[left_out + 1..];
    for (at, event) in events.iter().enumerate() {
        let is_last = at + 1 == events.len();
        let mut next = None;
        *looked_at += 1;
        worker.steps(&state, |step| {
            let fits = match (&trace.ending, is_last) {
                (Ending::Wrong(what), true) => step.violation == Some(*what),
                _ => true,
            };
            if next.is_none() && step.event == *event && fits {
                next = Some(step.state.to_vec());
            }
        });
        state = next?;
        states.push(state.clone());
    }
    if trace.ending == Ending::Deadlock {
        let mut goes_on = false;
        worker.steps(&state, |_| goes_on = true);
        if goes_on || worker.end(&state) != End::Deadlock {
            return None;
        }
    }
    Some(states)
}

#[cfg(test)]
mod tests {
    use graph::{Step, Unwatched};

    use super::*;
    use crate::replay;

    /// Two counters up to 3; to raise the first from 2 is wrong, and both at 3 is a deadlock.
    struct Counters;

    impl System for Counters {
        type Worker<'a> = Counters;

        fn worker(&self) -> Counters {
            Counters
        }
    }

    impl Worker for Counters {
        fn initial(&mut self, mut visit: impl FnMut(&[u8])) {
            visit(&[0, 0]);
        }

        fn steps(&mut self, state: &[u8], mut visit: impl FnMut(Step<'_>)) {
            for counter in 0..2 {
                if state[counter] < 3 {
                    let mut next = [state[0], state[1]];
                    next[counter] += 1;
                    let violation = (counter == 0 && state[0] == 2).then_some(5);
                    visit(Step { event: counter as u64, state: &next, violation });
                }
            }
        }

        fn end(&mut self, _: &[u8]) -> End {
            End::Deadlock
        }

        fn is_passing(&self, _: &[u8]) -> bool {
            false
        }
    }

    fn shortened(events: &[u64]) -> Replayed {
        let trace = replay(&Counters, events.len(), |n, event| events[n] == event);
        let mut budget = 0;
        let hardly = shorten(&Counters, trace.clone(), &mut budget, &Unwatched).expect("nobody ends it");
        assert!(hardly.ending == trace.ending && hardly.events.len() + 1 >= trace.events.len());
        budget = 1000;
        let short = shorten(&Counters, trace.clone(), &mut budget, &Unwatched).expect("nobody ends it");
        assert!((900..1000).contains(&budget));
        assert_eq!(short.ending, trace.ending);
        assert_eq!(short, replay(&Counters, short.events.len(), |n, event| short.events[n] == event));
        short
    }

    #[test]
    fn what_is_not_needed_is_left_out() {
        assert_eq!(shortened(&[1, 0, 1, 0, 1, 0]).events, [0, 0, 0]);
        // Only the last of its steps may be wrong, or it would be another trace.
        assert_eq!(shortened(&[0, 0, 0, 1, 1, 1]).events.len(), 6);
        assert_eq!(shortened(&[1, 0, 0, 0]).events, [0, 0, 0]);
    }
}
