//! Capacity: a process waits for room in a channel, and only itself could make some, by receiving.
//!
//! It applies to deadlocks. It is refuted if a violating state can be reached in which nobody waits for itself like that.

use findings::BugPattern;
use graph::{Awaited, Obstacle, Story};

use crate::lens::{Act, Facts};
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, standstill};

pub(crate) fn candidate(scene: &Scene, facts: &Facts) -> Option<BugPattern> {
    let (obstacle, channel) = full(&scene.end.obstacles, facts)?;
    let receives = scene.steps.iter().find(|step| {
        step.footprint.receives.iter().any(|passage| passage.channel == channel && passage.slot.is_some())
    });
    Some(BugPattern::Capacity {
        waits: standstill(obstacle),
        receives: receives.and_then(|step| step.told.deed.location.clone()),
        channel,
    })
}

/// A process that waits for room which only itself could make.
fn full<'o>(obstacles: &'o [Obstacle], facts: &Facts) -> Option<(&'o Obstacle, String)> {
    obstacles.iter().filter(|obstacle| !obstacle.may_end).find_map(|obstacle| {
        let Awaited::Room(channel) = &obstacle.on else { return None };
        let receivers = receivers(facts, channel);
        (!receivers.is_empty() && receivers.iter().all(|by| *by == obstacle.actor.number))
            .then(|| (obstacle, channel.clone()))
    })
}

/// Who receives from a channel, anywhere in the system.
pub(crate) fn receivers(facts: &Facts, channel: &str) -> Vec<u8> {
    let takes =
        |label: &usize| facts.samples[*label].receives.iter().any(|passage| passage.channel == channel);
    let mut found: Vec<u8> = Vec::new();
    for label in (0..facts.samples.len()).filter(takes) {
        // In a rendezvous the one who receives is the second.
        let by = facts.receivers[label];
        if !found.contains(&by) {
            found.push(by);
        }
    }
    found
}

/// Looks at violating states only.
pub(crate) struct FullMonitor<'a> {
    pub(crate) story: &'a dyn Story,
    pub(crate) facts: &'a Facts,
}

impl Monitor for FullMonitor<'_> {
    fn step(&self, memory: u64, _act: &Act) -> Next {
        Next::To(memory)
    }

    fn is_complete_at(&self, _memory: u64, state: &[u8]) -> bool {
        full(&self.story.obstacles(state), self.facts).is_some()
    }
}
