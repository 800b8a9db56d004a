//! Missed signal: a signal is given while nobody waits for it, and who waits afterwards waits for it in vain (POSIX,
//! `pthread_cond_signal`: it has no effect if no threads are blocked).
//!
//! It comes in two shapes. Where the language has signals, the last signal is given before the process sleeps, and it
//! woke nobody. Nobody misses its own signal, and who tests after the signal whether to sleep misses none. Otherwise a
//! process tests whether it has to sleep; another one changes what was tested, and wakes whoever sleeps then; only then
//! the first one goes to sleep: a check-then-act whose act is to wait forever.
//!
//! The pattern applies to deadlocks in which that process waits at the end. It is refuted if a violating state is left
//! when nobody goes to sleep in such a situation.

use findings::BugPattern;
use graph::{Awaited, Synchronisation, ViolationKind};

use crate::check_then_act;
use crate::lens::Act;
use crate::recheck::{Monitor, Next};
use crate::scene::Scene;
use crate::windows::FoundWindow;

/// Windows whose act is the last thing that the process does.
pub(crate) fn candidates(scene: &Scene) -> Vec<FoundWindow> {
    if scene.end.kind != ViolationKind::Deadlock {
        return Vec::new();
    }
    let mut found = check_then_act::candidates(scene);
    found.retain(|window| {
        let actor = scene.steps[window.look].actor();
        let waits = |obstacle: &graph::Obstacle| {
            obstacle.actor.number == actor
                && !obstacle.may_end
                && matches!(obstacle.on, Awaited::Condition | Awaited::Message(_) | Awaited::Signal(_))
                && !obstacle.reads.contains(&window.variable)
        };
        let is_last = (window.reliance + 1..scene.steps.len())
            .all(|at| !scene.steps[at].is_by(actor) || !check_then_act::is_noticed(scene, at));
        is_last && scene.end.obstacles.iter().any(waits)
    });
    found
}

pub(crate) fn told(scene: &Scene, found: &FoundWindow) -> BugPattern {
    BugPattern::MissedSignal(found.cast(scene))
}

/// A signal of the language that came too early.
pub(crate) fn signal(scene: &Scene) -> Option<(BugPattern, String)> {
    for obstacle in &scene.end.obstacles {
        let Awaited::Signal(signal) = &obstacle.on else { continue };
        let is_for = |name: &String| name == signal;
        let sleep = scene.steps.iter().rposition(|step| {
            step.actor() == obstacle.actor.number
                && step
                    .synchronisation
                    .iter()
                    .any(|one| matches!(one, Synchronisation::Sleep { signal, .. } if is_for(signal)))
        });
        let given = scene.steps.iter().rposition(|step| {
            let mut done = step.synchronisation.iter();
            step.actor() != obstacle.actor.number
                && done.any(|one| matches!(one, Synchronisation::Signal { signal, .. } if is_for(signal)))
        });
        if let (Some(sleep), Some(given)) = (sleep, given)
            && given < sleep
            && !has_tested(scene, given, sleep)
        {
            let pattern = BugPattern::SignalBeforeWait {
                signal: signal.clone(),
                given: scene.steps[given].moment(),
                sleep: scene.steps[sleep].moment(),
            };
            return Some((pattern, signal.clone()));
        }
    }
    None
}

/// Whether who goes to sleep tests after the signal what others change.
fn has_tested(scene: &Scene, given: usize, sleep: usize) -> bool {
    let actor = scene.steps[sleep].actor();
    let own = scene.steps[given + 1..sleep].iter().filter(|step| step.is_by(actor) && step.is_guard);
    own.flat_map(|step| &step.footprint.reads).any(|name| scene.is_shared(name, actor))
}

/// Remembers who sleeps, and whether a signal woke nobody.
pub(crate) struct SignalMonitor {
    pub(crate) signal: String,
}

const LOST: u64 = 1 << 63;

impl Monitor for SignalMonitor {
    fn step(&self, memory: u64, act: &Act) -> Next {
        let mut next = memory;
        for one in &act.synchronisation {
            if act.actor >= 63 {
                return Next::Lost;
            }
            let own = 1u64 << act.actor;
            match one {
                Synchronisation::Sleep { signal, .. } if *signal == self.signal => {
                    if memory & LOST != 0 {
                        return Next::Complete;
                    }
                    next |= own;
                }
                Synchronisation::Wake { signal, .. } if *signal == self.signal => next &= !own,
                Synchronisation::Signal { signal, .. } if *signal == self.signal && next & !LOST == 0 => {
                    next |= LOST;
                }
                _ => {}
            }
        }
        Next::To(next)
    }
}
