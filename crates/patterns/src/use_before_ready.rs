//! Use before ready: a flag says that data is there, and is set before the data is written. Whoever sees the flag in
//! between uses what is not ready (Lu et al. 2008: an order violation).
//!
//! It applies where the process that set the flag has a statement that writes the data and has not executed it yet when
//! the other one uses the data, which still holds what it held at first. The flag holds another value than at first when it
//! was set: what goes back to that is a lock that is given back, and no flag. It is refuted if a violation is left when nobody uses the data in such a situation.

use findings::BugPattern;

use crate::lens::{Act, Facts};
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, SceneStep};

/// A match, by the places of its steps.
pub(crate) struct Early {
    pub(crate) flag: String,
    pub(crate) data: String,
    pub(crate) set: usize,
    pub(crate) seen: usize,
    pub(crate) used: usize,
}

pub(crate) fn candidates(scene: &Scene, facts: &Facts) -> Vec<Early> {
    let mut found = Vec::new();
    for (seen, guard) in scene.steps.iter().enumerate().filter(|(_, step)| step.is_guard) {
        for flag in &guard.footprint.reads {
            let set = scene.steps[..seen].iter().rposition(|step| step.writes(flag));
            let Some(set) = set.filter(|set| !scene.steps[*set].is_by(guard.actor())) else { continue };
            if scene.value_before(set + 1, flag) == scene.first_value(flag).map(String::as_str) {
                continue;
            }
            let setter = scene.steps[set].actor();
            let Some((used, data)) = first_use(scene, facts, guard.actor(), setter, seen, flag) else {
                continue;
            };
            found.push(Early { flag: flag.clone(), data, set, seen, used });
        }
    }
    found
}

/// The first use of something that the setter has still to write.
fn first_use(
    scene: &Scene,
    facts: &Facts,
    user: u8,
    setter: u8,
    seen: usize,
    flag: &str,
) -> Option<(usize, String)> {
    let writes_later = |name: &String| {
        let own = (0..facts.actors.len()).filter(|label| facts.actors[*label] == setter);
        own.clone().any(|label| facts.samples[label].writes.contains(name))
    };
    let is_written = |name: &String, before: usize| {
        scene.steps[..before]
            .iter()
            .any(|step: &SceneStep| step.writes(name) && (step.is_by(setter) || step.alters(name)))
    };
    for (at, step) in scene.steps.iter().enumerate().skip(seen + 1) {
        if !step.is_by(user) {
            continue;
        }
        let mut reads = step.footprint.reads.iter().filter(|name| name.as_str() != flag);
        if let Some(data) = reads.find(|name| writes_later(name) && !is_written(name, at)) {
            return Some((at, data.clone()));
        }
    }
    None
}

pub(crate) fn told(scene: &Scene, found: &Early) -> BugPattern {
    BugPattern::UseBeforeReady {
        flag: found.flag.clone(),
        data: found.data.clone(),
        set: scene.steps[found.set].moment(),
        seen: scene.steps[found.seen].moment(),
        used: scene.steps[found.used].moment(),
    }
}

/// Remembers whether the flag is set and the data is not written, and who saw it like that.
pub(crate) struct EarlyMonitor {
    pub(crate) data: u8,
    pub(crate) set: u32,
    pub(crate) seen: u32,
    pub(crate) used: u32,
}

const EARLY: u64 = 1 << 63;
const WRITTEN: u64 = 1 << 62;

impl Monitor for EarlyMonitor {
    fn step(&self, memory: u64, act: &Act) -> Next {
        if act.actor >= 62 {
            return Next::Lost;
        }
        let own = 1u64 << act.actor;
        if act.statement == self.used && memory & own != 0 {
            return Next::Complete;
        }
        let mut next = memory;
        if act.statement == self.set && memory & WRITTEN == 0 {
            next |= EARLY;
        }
        if act.writes.contains(&self.data) {
            next = WRITTEN;
        }
        if act.statement == self.seen && next & EARLY != 0 {
            next |= own;
        }
        Next::To(next)
    }
}
