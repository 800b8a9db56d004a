//! `if` for `while`: a process tests a condition, sleeps, is woken, and goes on without testing again. Between the signal
//! and the moment it runs, another process has made the condition false (POSIX, `pthread_cond_wait`: the predicate has to
//! be re-evaluated upon return).
//!
//! It applies in two shapes. The variable holds the same value when the process uses it as when it decided to sleep, although
//! it was changed meanwhile. Or another process changes after the signal what the test looks at, and the woken one does
//! something that others notice without having looked. It is refuted if a violation is left when nobody goes on like that.

use findings::{BugPattern, Window};
use graph::Synchronisation;

use crate::check_then_act::is_noticed;
use crate::lens::{Act, Facts};
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, SceneStep};

/// A match, with what its monitor has to know.
pub(crate) struct Woken {
    pub(crate) pattern: BugPattern,
    /// What the test looks at.
    pub(crate) variables: Vec<String>,
    pub(crate) signal: String,
    pub(crate) test: usize,
    pub(crate) usage: usize,
}

pub(crate) fn candidates(scene: &Scene, facts: &Facts) -> Vec<Woken> {
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
        let looks = tested(scene, facts, test);
        let uses = scene.steps[test].footprint.reads.iter().filter_map(|variable| {
            let is_use = |step: &SceneStep| step.actor() == actor && step.reads(variable);
            let usage = wake + 1 + scene.steps[wake + 1..].iter().position(is_use)?;
            let is_foreign = |step: &SceneStep| step.actor() != actor && step.alters(variable);
            let foreign = (sleep..usage).rev().find(|at| is_foreign(&scene.steps[*at]))?;
            let value = |at: usize| scene.value_before(at, variable);
            let is_again = is_same_place(scene, usage, test) || value(test) != value(usage);
            (!is_again).then(|| (variable.clone(), foreign, usage, vec![variable.clone()]))
        });
        let acts = looks.iter().filter_map(|variable| {
            let (foreign, usage) = act_of(scene, &looks, variable, (test, sleep, wake), &signal)?;
            Some((variable.clone(), foreign, usage, looks.clone()))
        });
        for (variable, foreign, usage, variables) in uses.chain(acts) {
            let value = |at: usize| scene.value_before(at, &variable).map(str::to_owned);
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
            found.push(Woken { pattern, variables, signal: signal.clone(), test, usage });
        }
    }
    found
}

fn is_same_place(scene: &Scene, one: usize, other: usize) -> bool {
    scene.steps[one].told.deed.location == scene.steps[other].told.deed.location
}

/// What a test looks at that others change. Where its first part decides, the others are not read.
fn tested(scene: &Scene, facts: &Facts, test: usize) -> Vec<String> {
    let step = &scene.steps[test];
    let same = scene.steps.iter().filter(|other| other.told.deed.location == step.told.deed.location);
    let in_trace = same.flat_map(|other| &other.footprint.reads);
    let mut names: Vec<String> =
        in_trace.chain(facts.reads_at(step.told.deed.location.as_ref())).cloned().collect();
    names.retain(|name| scene.is_shared(name, step.actor()));
    names.sort_unstable();
    names.dedup();
    names
}

/// What the woken process does without having looked, and the last foreign change after the signal before that.
fn act_of(
    scene: &Scene,
    looks: &[String],
    variable: &str,
    (test, sleep, wake): (usize, usize, usize),
    signal: &str,
) -> Option<(usize, usize)> {
    let actor = scene.steps[wake].actor();
    let own = |at: &usize| scene.steps[*at].actor() == actor;
    let act = (wake + 1..scene.steps.len()).filter(own).find(|at| is_noticed(scene, *at))?;
    let has_looked = (wake + 1..=act)
        .filter(own)
        .any(|at| is_same_place(scene, at, test) || looks.iter().any(|name| scene.steps[at].reads(name)));
    let is_signal = |at: &usize| {
        let mut done = scene.steps[*at].synchronisation.iter();
        done.any(|one| matches!(one, Synchronisation::Signal { signal: given, .. } if given == signal))
    };
    let given = (sleep + 1..wake).find(is_signal)?;
    let foreign = (given + 1..act).rev().find(|at| !own(at) && scene.steps[*at].alters(variable))?;
    (!has_looked).then_some((foreign, act))
}

/// Follows each process from its test over sleep, signal and a foreign write to the use.
pub(crate) struct WokenMonitor {
    pub(crate) signal: String,
    pub(crate) variables: Vec<u8>,
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
            if of(memory, other) == SIGNALLED && self.variables.iter().any(|one| act.writes.contains(one)) {
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
