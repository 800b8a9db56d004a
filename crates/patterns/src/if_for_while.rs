//! `if` for `while`: a process tests a condition, sleeps, is woken, and goes on without testing again. Between the signal
//! and the moment it runs, another process has made the condition false (POSIX, `pthread_cond_wait`: the predicate has to
//! be re-evaluated upon return).
//!
//! It applies where the variable holds the same value when the process uses it as when it decided to sleep, although it
//! was changed meanwhile. It is refuted if a violation is left when nobody uses the variable in such a situation.

use findings::{BugPattern, Window};
use graph::Synchronisation;

use crate::lens::Act;
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, SceneStep};

/// A match, with what its monitor has to know.
pub(crate) struct Woken {
    pub(crate) pattern: BugPattern,
    pub(crate) variable: String,
    pub(crate) signal: String,
    pub(crate) test: usize,
    pub(crate) usage: usize,
}

pub(crate) fn candidates(scene: &Scene) -> Vec<Woken> {
    let mut found = Vec::new();
    for (wake, step) in scene.steps.iter().enumerate() {
        let woken = step.synchronisation.iter().find_map(|one| match one {
            Synchronisation::Wake { signal, .. } => Some(signal.clone()),
            _ => None,
        });
        let Some(signal) = woken else { continue };
        let actor = step.actor();
        let is_sleep = |step: &SceneStep| {
            step.actor() == actor
                && step.synchronisation.iter().any(|one| matches!(one, Synchronisation::Sleep { .. }))
        };
        let Some(sleep) = scene.steps[..wake].iter().rposition(is_sleep) else { continue };
        let tests = scene.steps[..sleep].iter().rposition(|step| {
            step.actor() == actor && step.footprint.reads.iter().any(|name| scene.is_shared(name, actor))
        });
        let Some(test) = tests else { continue };
        for variable in &scene.steps[test].footprint.reads {
            let is_use = |step: &SceneStep| step.actor() == actor && step.reads(variable);
            let usage = scene.steps[wake + 1..].iter().position(is_use).map(|at| wake + 1 + at);
            let Some(usage) = usage else { continue };
            let is_foreign = |step: &SceneStep| step.actor() != actor && step.alters(variable);
            let foreign = (sleep..usage).rev().find(|at| is_foreign(&scene.steps[*at]));
            let Some(foreign) = foreign else { continue };
            let value = |at: usize| scene.value_before(at, variable).map(str::to_owned);
            let same_place = scene.steps[usage].told.deed.location == scene.steps[test].told.deed.location;
            if same_place || value(test) != value(usage) {
                continue;
            }
            let window = Window {
                variable: variable.clone(),
                before: value(foreign),
                after: value(usage),
                look: scene.steps[test].moment(),
                test: None,
                foreign: scene.steps[foreign].moment(),
                reliance: scene.steps[usage].moment(),
            };
            let pattern = BugPattern::IfForWhile { signal: signal.clone(), window };
            let (variable, signal) = (variable.clone(), signal.clone());
            found.push(Woken { pattern, variable, signal, test, usage });
        }
    }
    found
}

/// Follows each process from its test over sleep, signal and a foreign write to the use.
pub(crate) struct WokenMonitor {
    pub(crate) signal: String,
    pub(crate) variable: u8,
    pub(crate) test: u32,
    pub(crate) usage: u32,
}

const BITS: u32 = 4;
const TESTED: u64 = 1;
const ASLEEP: u64 = 2;
const SIGNALLED: u64 = 3;
const INTRUDED: u64 = 4;

impl Monitor for WokenMonitor {
    fn step(&self, memory: u64, act: &Act) -> Next {
        let slots = (u64::BITS / BITS) as u8;
        if act.actor >= slots {
            return Next::Lost;
        }
        let of = |memory: u64, actor: u8| (memory >> (u32::from(actor) * BITS)) & 0xf;
        let set = |memory: u64, actor: u8, value: u64| {
            let shift = u32::from(actor) * BITS;
            memory & !(0xf << shift) | value << shift
        };
        let own = of(memory, act.actor);
        if act.statement == self.usage && own == INTRUDED {
            return Next::Complete;
        }
        let mut next = memory;
        for other in (0..slots).filter(|other| *other != act.actor) {
            if of(memory, other) == SIGNALLED && act.writes.contains(&self.variable) {
                next = set(next, other, INTRUDED);
            }
        }
        for one in &act.synchronisation {
            match one {
                Synchronisation::Sleep { signal, .. } if *signal == self.signal && own == TESTED => {
                    next = set(next, act.actor, ASLEEP);
                }
                Synchronisation::Signal { signal, .. } if *signal == self.signal => {
                    for other in (0..slots).filter(|other| of(memory, *other) == ASLEEP) {
                        next = set(next, other, SIGNALLED);
                    }
                }
                _ => {}
            }
        }
        if act.statement == self.test {
            next = set(next, act.actor, TESTED);
        } else if act.statement == self.usage {
            next = set(next, act.actor, 0);
        }
        Next::To(next)
    }
}
