//! A leaked lock: a process waits for a lock whose holder has ended without giving it back.
//!
//! It applies to deadlocks; what counts as a lock and as its holder is said in [`crate::lock_order`]. A variable is one only
//! if somebody gives it back in some trace: a counter of those who are done, `done++`, is awaited and never given back. It
//! is refuted if a violating state is left when nobody ends while it holds the lock.

use findings::BugPattern;
use graph::{Awaited, OUTSIDE, Obstacle, Story};

use crate::World;
use crate::lens::{Act, Lens};
use crate::lock_order::taken;
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, SceneStep, standstill};

/// The match, and the lock.
pub(crate) fn candidate(scene: &Scene) -> Option<(BugPattern, String)> {
    for obstacle in scene.end.obstacles.iter().filter(|obstacle| !obstacle.may_end) {
        for lock in wanted(obstacle) {
            let Some(step) = taken(scene, scene.steps.len(), lock).map(|at| &scene.steps[at]) else {
                continue;
            };
            // A lock is free at the beginning; what is not there then is a signal or a permit.
            let is_free = scene.first_value(lock) == scene.end.values.get(lock);
            if !is_free && has_ended(&scene.end.obstacles, step.actor()) {
                let waits = standstill(obstacle);
                let left = last_in_function(scene, step).map(SceneStep::moment);
                let pattern =
                    BugPattern::LeakedLock { lock: lock.clone(), taken: step.moment(), left, waits };
                return Some((pattern, lock.clone()));
            }
        }
    }
    None
}

/// The last later step in the function that takes the lock, by whoever takes it.
fn last_in_function<'a>(scene: &'a Scene, taking: &SceneStep) -> Option<&'a SceneStep> {
    let later = scene.steps.iter().rev().take_while(|step| step.n > taking.n);
    let mut own = later.filter(|step| step.actor() == taking.actor());
    own.find(|step| step.function.is_some() && step.function == taking.function)
}

/// Whether some step, in any trace, gives the variable the value again that it has while nobody holds it.
pub(crate) fn is_given_back<W: World>(world: &W, scene: &Scene, lens: &Lens<'_, W>, name: &str) -> bool {
    let (Some(free), Some(number)) = (scene.first_value(name), lens.number(name)) else { return false };
    let becomes_free = |state: u32, target: u32| {
        let (Some(from), Some(to)) = (world.bytes(state), world.bytes(target)) else { return false };
        let changes = world.story().changes(from, to);
        changes
            .iter()
            .any(|change| change.name == name && change.old.is_some() && change.new.as_ref() == Some(free))
    };
    (0..world.bound() as u32).any(|state| {
        let mut found = false;
        world.successors(state, |label, target| {
            let changes = |act: Act| act.changed.contains(&number);
            found = found
                || target != OUTSIDE
                    && lens.act(state, label, target).is_some_and(changes)
                    && becomes_free(state, target);
        });
        found
    })
}

/// Counters have no holder.
fn wanted(obstacle: &Obstacle) -> &[String] {
    match obstacle.on {
        Awaited::Lock(_) | Awaited::Condition => &obstacle.reads,
        _ => &[],
    }
}

/// Where nothing goes on, who stands before nothing has ended.
fn has_ended(obstacles: &[Obstacle], actor: u8) -> bool {
    let mut own = obstacles.iter().filter(|obstacle| obstacle.actor.number == actor);
    own.all(|obstacle| obstacle.may_end && obstacle.on == Awaited::Other)
}

/// Remembers who wrote the lock last.
pub(crate) struct HolderMonitor<'a> {
    pub(crate) story: &'a dyn Story,
    pub(crate) lock: u8,
    pub(crate) name: String,
}

impl Monitor for HolderMonitor<'_> {
    fn step(&self, memory: u64, act: &Act) -> Next {
        Next::To(if act.writes.contains(&self.lock) { u64::from(act.actor) + 1 } else { memory })
    }

    fn is_complete_at(&self, memory: u64, state: &[u8]) -> bool {
        let Some(holder) = memory.checked_sub(1).and_then(|holder| u8::try_from(holder).ok()) else {
            return false;
        };
        let obstacles = self.story.obstacles(state);
        let waits = |obstacle: &Obstacle| !obstacle.may_end && wanted(obstacle).contains(&self.name);
        has_ended(&obstacles, holder) && obstacles.iter().any(waits)
    }
}
