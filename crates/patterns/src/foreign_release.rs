//! A lock given back by somebody who does not hold it, where the lock is a variable that is known by what is done to it:
//! processes test that it is free and take it, and give it back by the same statements.
//!
//! It applies where a process takes such a variable and another one gives it back meanwhile. Both have the statement that
//! takes and the one that gives back; of a flag that one process sets and another one clears that is not so. It is refuted if
//! a violation is left when nobody gives back what somebody else has taken, or if nothing passes then.

use findings::BugPattern;

use crate::lens::{Act, Facts};
use crate::recheck::{Monitor, Next};
use crate::scene::Scene;

/// A match, by the places of its steps.
pub(crate) struct Foreign {
    pub(crate) lock: String,
    pub(crate) taken: usize,
    pub(crate) given: usize,
}

pub(crate) fn candidates(scene: &Scene, facts: &Facts) -> Vec<Foreign> {
    let mut found = Vec::new();
    for (given, step) in scene.steps.iter().enumerate() {
        for (lock, change) in &step.changes {
            if change.new.as_ref() != scene.first_value(lock) || !step.alters(lock) {
                continue;
            }
            let Some(taken) = scene.steps[..given].iter().rposition(|before| before.alters(lock)) else {
                continue;
            };
            let is_free = scene.value_before(taken, lock) == scene.first_value(lock).map(String::as_str);
            let is_foreign = !scene.steps[taken].is_by(step.actor());
            if is_free
                && is_foreign
                && is_tested(scene, taken, lock)
                && both_do_both(scene, facts, taken, given)
            {
                found.push(Foreign { lock: lock.clone(), taken, given });
            }
        }
    }
    found
}

/// Whether who takes the lock has tested it before, with no step of others on it in between.
fn is_tested(scene: &Scene, taken: usize, lock: &str) -> bool {
    let actor = scene.steps[taken].actor();
    let touched = scene.steps[..taken].iter().rev().filter(|step| step.reads(lock) || step.writes(lock));
    scene.steps[taken].reads(lock) || touched.take(1).any(|step| step.is_by(actor) && step.is_guard)
}

/// Whether each of the two has a statement that takes the lock as the other one does, and one that gives it back so.
fn both_do_both(scene: &Scene, facts: &Facts, taken: usize, given: usize) -> bool {
    let has = |actor: u8, at: usize| {
        let deed = &scene.steps[at].told.deed;
        let statement = facts.statement(deed.location.as_ref(), &deed.action);
        let own = |label: usize| facts.actors[label] == actor && Some(facts.statements[label]) == statement;
        (0..facts.actors.len()).any(own)
    };
    has(scene.steps[taken].actor(), given) && has(scene.steps[given].actor(), taken)
}

pub(crate) fn told(scene: &Scene, found: &Foreign) -> BugPattern {
    BugPattern::ForeignRelease {
        lock: found.lock.clone(),
        taken: scene.steps[found.taken].moment(),
        given: scene.steps[found.given].moment(),
    }
}

/// Remembers who holds the lock, and blocks a statement that gives it back for somebody else.
pub(crate) struct ForeignMonitor {
    pub(crate) lock: u8,
    pub(crate) given: u32,
}

impl Monitor for ForeignMonitor {
    /// The memory is one more than the number of the holder.
    fn step(&self, memory: u64, act: &Act) -> Next {
        let own = u64::from(act.actor) + 1;
        match act.changed.contains(&self.lock) {
            false => Next::To(memory),
            true if memory == 0 => Next::To(own),
            true if memory != own && act.statement == self.given => Next::Complete,
            true => Next::To(0),
        }
    }
}
