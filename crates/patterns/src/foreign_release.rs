//! A lock given back by somebody who does not hold it, where the lock is a variable that is known by what is done to it:
//! processes test that it is free and take it, and give it back by the same statements.
//!
//! It applies where a process takes such a variable and another one gives it back meanwhile. Both have the statement that
//! takes and the one that gives back, and these are two; of a flag that one process sets and another one clears that is not
//! so. In the whole system the statement that takes only ever finds the variable free: an index or a counter is no lock. It
//! is refuted if a violation is left when nobody gives back what somebody else has taken, or if nothing passes then.

use findings::BugPattern;
use graph::OUTSIDE;

use crate::World;
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
    let (takes, gives) = (statement(scene, facts, taken), statement(scene, facts, given));
    let has = |actor: u8, statement: Option<u32>| {
        let own = |label: usize| facts.actors[label] == actor && Some(facts.statements[label]) == statement;
        (0..facts.actors.len()).any(own)
    };
    takes != gives && has(scene.steps[taken].actor(), gives) && has(scene.steps[given].actor(), takes)
}

fn statement(scene: &Scene, facts: &Facts, at: usize) -> Option<u32> {
    let deed = &scene.steps[at].told.deed;
    facts.statement(deed.location.as_ref(), &deed.action)
}

/// Whether the statement that takes the lock changes it only where it is free, in the whole system.
pub(crate) fn is_taken_when_free(world: &impl World, scene: &Scene, facts: &Facts, found: &Foreign) -> bool {
    let takes = statement(scene, facts, found.taken);
    let free = scene.first_value(&found.lock);
    let mut is_lock = true;
    for state in 0..world.bound() as u32 {
        let Some(bytes) = world.bytes(state) else { continue };
        world.successors(state, |label, target| {
            if !is_lock || target == OUTSIDE || Some(facts.statements[label as usize]) != takes {
                return;
            }
            let Some(next) = world.bytes(target) else { return };
            let changes = world.story().changes(bytes, next);
            let own = changes.iter().find(|change| change.name == found.lock);
            is_lock = own.is_none_or(|change| change.old.as_ref() == free);
        });
    }
    is_lock
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
