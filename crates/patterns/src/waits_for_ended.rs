//! Waiting for somebody who has ended: a process waits for a message, and all who ever send to its channel have ended.
//!
//! It applies to deadlocks. It is refuted if a violating state can be reached in which nobody waits like that.

use findings::BugPattern;
use graph::{Awaited, Obstacle, Story};

use crate::lens::{Act, Facts};
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, role, standstill};

pub(crate) fn candidate(scene: &Scene, facts: &Facts) -> Option<BugPattern> {
    let (obstacle, channel, sender) = deserted(&scene.end.obstacles, facts)?;
    let of_sender = scene.steps.iter().rfind(|step| step.actor() == sender);
    Some(BugPattern::WaitsForEnded {
        channel,
        ended: role(&of_sender?.told.deed.actor),
        waits: standstill(obstacle),
    })
}

fn deserted<'o>(obstacles: &'o [Obstacle], facts: &Facts) -> Option<(&'o Obstacle, String, u8)> {
    for obstacle in obstacles.iter().filter(|obstacle| !obstacle.may_end) {
        let own = || obstacles.iter().filter(|other| other.actor == obstacle.actor);
        let Awaited::Message(channel) = &obstacle.on else { continue };
        // Who has a choice waits for more than this.
        if own().any(|other| other.on != obstacle.on) {
            continue;
        }
        let senders = senders(facts, channel);
        let is_gone = |sender: &u8| {
            let mut own = obstacles.iter().filter(|other| other.actor.number == *sender);
            own.all(|other| other.may_end && other.on == Awaited::Other)
        };
        if let [first, ..] = senders[..]
            && senders.iter().all(is_gone)
        {
            return Some((obstacle, channel.clone(), first));
        }
    }
    None
}

/// Who sends to a channel, anywhere in the system.
fn senders(facts: &Facts, channel: &str) -> Vec<u8> {
    let mut found: Vec<u8> = Vec::new();
    for (label, sample) in facts.samples.iter().enumerate() {
        if sample.sends.iter().any(|passage| passage.channel == channel)
            && !found.contains(&facts.actors[label])
        {
            found.push(facts.actors[label]);
        }
    }
    found
}

/// Looks at violating states only.
pub(crate) struct DesertedMonitor<'a> {
    pub(crate) story: &'a dyn Story,
    pub(crate) facts: &'a Facts,
}

impl Monitor for DesertedMonitor<'_> {
    fn step(&self, memory: u64, _act: &Act) -> Next {
        Next::To(memory)
    }

    fn is_complete_at(&self, _memory: u64, state: &[u8]) -> bool {
        deserted(&self.story.obstacles(state), self.facts).is_some()
    }
}
