//! Told before it is done: a process sends a message that lets others go on, and writes only afterwards what they then
//! read (Lu et al. 2008: an order violation; published before it is written).
//!
//! It applies where the process always writes the variable in its very next step after sending, and in the counterexample
//! another one reads it in between. It is refuted if a violation is left when nobody reads it in between, or if nothing
//! passes then.

use findings::BugPattern;

use crate::following::Following;
use crate::lens::{Act, Facts};
use crate::recheck::{Monitor, Next};
use crate::scene::Scene;

/// A match, by the places of its steps.
pub(crate) struct Early {
    pub(crate) data: String,
    pub(crate) told: usize,
    pub(crate) used: usize,
}

pub(crate) fn candidates(scene: &Scene, facts: &Facts, following: &Following) -> Vec<Early> {
    let mut found = Vec::new();
    for (told, step) in scene.steps.iter().enumerate().filter(|(_, step)| !step.footprint.sends.is_empty()) {
        let sender = step.actor();
        let next = scene.steps[told + 1..].iter().position(|step| step.is_by(sender));
        let until = next.map_or(scene.steps.len(), |next| told + 1 + next);
        for used in told + 1..until {
            for data in &scene.steps[used].footprint.reads {
                if following.writes(facts, step, sender, data) {
                    found.push(Early { data: data.clone(), told, used });
                }
            }
        }
    }
    found
}

pub(crate) fn told(scene: &Scene, found: &Early) -> BugPattern {
    let sent = scene.steps[found.told].footprint.sends.first();
    BugPattern::ToldEarly {
        channel: sent.map_or_else(String::new, |passage| passage.channel.clone()),
        data: found.data.clone(),
        told: scene.steps[found.told].moment(),
        used: scene.steps[found.used].moment(),
    }
}

/// Remembers who has sent and not written yet.
pub(crate) struct ToldMonitor {
    pub(crate) data: u8,
    pub(crate) told: u32,
}

impl Monitor for ToldMonitor {
    /// The memory is one more than the number of the process that has sent.
    fn step(&self, memory: u64, act: &Act) -> Next {
        let own = u64::from(act.actor) + 1;
        if memory != 0 && memory != own && act.reads.contains(&self.data) {
            return Next::Complete;
        }
        if act.statement == self.told {
            return Next::To(own);
        }
        Next::To(if memory == own { 0 } else { memory })
    }
}
