//! A lock that is given back twice, or by somebody who does not hold it; and its mirror image, a lock that is taken again
//! by who has not given it back.
//!
//! Two shapes are known. With locks of the language a thread unlocks a mutex that it has not locked since it unlocked it
//! last (POSIX, `pthread_mutex_unlock`: undefined, or EPERM). In programs that check their own discipline a lock is a
//! variable of two values that is called like one; what takes it asserts that it is free and then sets it, and what
//! gives it back asserts that it is taken and then clears it. The value at the beginning is that of a free lock.
//!
//! It applies where the assertion fails that guards such a change. It is tested by keeping everybody to the discipline:
//! nobody gives back what he does not hold, and nobody takes again what he holds. It is refuted if the assertion can fail
//! all the same (the lock is held by who gives it back, or by somebody else than who takes it again), and if nothing passes
//! then: where others than the holder give it back in traces that pass, it is no lock.

use findings::{BugPattern, ViolationKind};
use graph::{OUTSIDE, Synchronisation};

use crate::World;
use crate::lens::{Act, Facts};
use crate::names::is_of_lock;
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, SceneStep};

/// A match, with what its monitor has to know.
pub(crate) struct Misused {
    pub(crate) pattern: BugPattern,
    pub(crate) lock: String,
    /// Whether the lock is taken where the assertion fails.
    pub(crate) is_taken: bool,
}

/// The variable that a failed assertion is about, if it is used as a lock.
pub(crate) fn candidate(scene: &Scene, is_followed: impl Fn(&SceneStep, &String) -> bool) -> Option<Misused> {
    if scene.end.kind != ViolationKind::Assertion {
        return None;
    }
    let failing = scene.steps.last()?;
    let in_function = failing.function.as_deref().is_some_and(is_of_lock);
    let end = scene.steps.len() - 1;
    let reads = failing.footprint.reads.iter();
    let mut locks = reads.filter(|name| is_of_lock(last_part(name)) || in_function);
    locks.find_map(|lock| {
        let now = scene.end.values.get(lock)?;
        let free = scene.first_value(lock)?;
        let values = scene.steps[..end].iter().filter_map(|step| step.changes.get(lock)?.new.as_ref());
        let has_two = values.clone().chain([now]).filter(|value| *value != free).all_equal();
        if !has_two || !is_followed(failing, lock) {
            return None;
        }
        let last_change = scene.steps[..end].iter().rfind(|step| step.alters(lock));
        let is_taken = now != free;
        let pattern = match (is_taken, last_change) {
            (true, Some(taken)) => BugPattern::NotGivenBack {
                lock: lock.clone(),
                taken: taken.moment(),
                again: failing.moment(),
            },
            (true, None) => return None,
            (false, before) => BugPattern::DoubleRelease {
                lock: lock.clone(),
                before: before.map(SceneStep::moment),
                again: failing.moment(),
            },
        };
        Some(Misused { pattern, lock: lock.clone(), is_taken })
    })
}

/// A mutex that a thread unlocks although it does not hold it.
pub(crate) fn unlocked(scene: &Scene) -> Option<(BugPattern, usize)> {
    let mut holders: Vec<(&str, u8, usize)> = Vec::new();
    let mut released: Vec<(&str, usize)> = Vec::new();
    for (at, step) in scene.steps.iter().enumerate() {
        for one in &step.synchronisation {
            match one {
                Synchronisation::Acquire(lock) | Synchronisation::Wake { lock, .. } => {
                    holders.push((lock, step.actor(), at));
                }
                Synchronisation::Sleep { lock, .. } => holders.retain(|(held, ..)| held != lock),
                Synchronisation::Release(lock) => {
                    let before = holders.len();
                    holders.retain(|(held, by, _)| !(held == lock && *by == step.actor()));
                    // A counter has no holder.
                    let is_counter = lock.ends_with("__value");
                    if holders.len() == before && !is_counter {
                        let known = released.iter().rfind(|(name, _)| name == lock);
                        let before = known.map(|(_, at)| scene.steps[*at].moment());
                        let (lock, again) = (lock.clone(), step.moment());
                        return Some((BugPattern::DoubleRelease { lock, before, again }, at));
                    }
                    released.push((lock, at));
                }
                Synchronisation::Signal { .. } => {}
            }
        }
    }
    None
}

/// Whether the next step of whoever passes a statement writes a variable, or the statement itself does.
pub(crate) fn is_followed(world: &impl World, facts: &Facts, after: &SceneStep, variable: &String) -> bool {
    if after.writes(variable) {
        return true;
    }
    let deed = &after.told.deed;
    let Some(statement) = facts.statement(deed.location.as_ref(), &deed.action) else { return false };
    let (mut any, mut all) = (false, true);
    for state in 0..world.bound() as u32 {
        world.successors(state, |label, target| {
            if target == OUTSIDE
                || world.is_violating(target)
                || facts.statements[label as usize] != statement
            {
                return;
            }
            let actor = facts.actors[label as usize];
            world.successors(target, |next, _| {
                if facts.actors[next as usize] == actor {
                    any = true;
                    all &= facts.samples[next as usize].writes.contains(variable);
                }
            });
        });
    }
    any && all
}

/// The same within a trace, where there is nothing else to look at.
pub(crate) fn is_followed_in(scene: &Scene, after: &SceneStep, variable: &str) -> bool {
    let is_same = |step: &SceneStep| step.told.deed == after.told.deed;
    let own = |at: usize| scene.steps[at + 1..].iter().find(|step| step.is_by(after.actor()));
    let before = scene.steps.len() - 1;
    let mut passed = (0..before).filter(|at| is_same(&scene.steps[*at])).peekable();
    passed.peek().is_some() && passed.all(|at| own(at).is_some_and(|next| next.writes(variable)))
}

fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

trait AllEqual: Iterator {
    fn all_equal(self) -> bool;
}

impl<T: PartialEq, I: Iterator<Item = T>> AllEqual for I {
    fn all_equal(mut self) -> bool {
        let Some(first) = self.next() else { return true };
        self.all(|other| other == first)
    }
}

/// Remembers who has taken the lock, and blocks whoever gives it back without that, or takes it again with it: at the
/// assertion, and where the lock is given back without one.
pub(crate) struct MisuseMonitor {
    pub(crate) lock: u8,
    pub(crate) statement: u32,
    pub(crate) is_taken: bool,
}

impl Monitor for MisuseMonitor {
    /// The memory is one more than the number of the holder.
    fn step(&self, memory: u64, act: &Act) -> Next {
        let own = u64::from(act.actor) + 1;
        let is_holder = memory == own;
        if act.statement == self.statement && is_holder == self.is_taken {
            return Next::Complete;
        }
        match (act.changed.contains(&self.lock), memory) {
            (false, _) => Next::To(memory),
            (true, 0) => Next::To(own),
            (true, _) if is_holder || self.is_taken => Next::To(0),
            (true, _) => Next::Complete,
        }
    }
}

/// Blocks a statement that gives back what its process does not hold.
pub(crate) struct UnlockMonitor {
    pub(crate) lock: String,
}

impl Monitor for UnlockMonitor {
    /// The memory is one more than the number of the holder.
    fn step(&self, memory: u64, act: &Act) -> Next {
        let own = u64::from(act.actor) + 1;
        let mut next = memory;
        for one in &act.synchronisation {
            match one {
                Synchronisation::Acquire(lock) | Synchronisation::Wake { lock, .. } if *lock == self.lock => {
                    next = own;
                }
                Synchronisation::Sleep { lock, .. } if *lock == self.lock => next = 0,
                Synchronisation::Release(lock) if *lock == self.lock => {
                    if next != own {
                        return Next::Complete;
                    }
                    next = 0;
                }
                _ => {}
            }
        }
        Next::To(next)
    }
}
