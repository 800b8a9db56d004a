//! A missing case: a message is waiting that no branch takes (an unspecified reception: Brand and Zafiropulo 1983).
//!
//! It applies to deadlocks in which a process may not stop, can do nothing but receive, and a channel that it listens to
//! is not empty; or in which somebody offers a message by rendezvous that only this process ever takes, but not where it
//! stands. It is refuted if a violating state can be reached in which nobody stands like that.

use std::collections::BTreeMap;

use findings::BugPattern;
use graph::{Awaited, Obstacle, Story};

use crate::capacity::receivers;
use crate::lens::{Act, Facts};
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, SceneStep, standstill};

/// What an empty channel is shown as.
const EMPTY: &str = "[]";

pub(crate) fn candidate(scene: &Scene, facts: &Facts) -> Option<BugPattern> {
    let Some((obstacle, channel, options)) = unspecified(&scene.end.obstacles, &scene.end.values) else {
        return offered_to(scene, facts);
    };
    Some(BugPattern::MissingCase {
        messages: scene.end.values.get(&channel).cloned().unwrap_or_default(),
        channel,
        waits: standstill(obstacle),
        options,
    })
}

/// The first process that cannot take the message that is there, the channel, and what it could take.
fn unspecified<'o>(
    obstacles: &'o [Obstacle],
    values: &BTreeMap<String, String>,
) -> Option<(&'o Obstacle, String, Vec<String>)> {
    for obstacle in obstacles.iter().filter(|obstacle| !obstacle.may_end) {
        let own = || obstacles.iter().filter(|other| other.actor == obstacle.actor);
        if !own().all(|other| matches!(other.on, Awaited::Message(_))) {
            continue;
        }
        let Awaited::Message(channel) = &obstacle.on else { continue };
        if values.get(channel).is_some_and(|messages| messages != EMPTY && !messages.is_empty()) {
            let options = own().map(|other| other.action.clone()).collect();
            return Some((obstacle, channel.clone(), options));
        }
    }
    None
}

/// A message that is offered to who takes it elsewhere.
fn offered_to(scene: &Scene, facts: &Facts) -> Option<BugPattern> {
    let (sender, receiver, channel) = unexpected(&scene.end.obstacles, &scene.end.values, facts)?;
    let takes = |step: &&SceneStep| step.footprint.receives.iter().any(|passage| passage.channel == channel);
    let taken = scene.steps.iter().rfind(takes).map(|step| &step.told);
    let taken = taken.and_then(|told| told.partner.as_ref().unwrap_or(&told.deed).location.clone());
    Some(BugPattern::UnexpectedMessage {
        sends: standstill(sender),
        waits: standstill(receiver),
        taken,
        channel,
    })
}

/// Who offers a message by rendezvous, the only process that ever takes such messages, and the channel: that process can do
/// nothing but receive from other channels.
fn unexpected<'o>(
    obstacles: &'o [Obstacle],
    values: &BTreeMap<String, String>,
    facts: &Facts,
) -> Option<(&'o Obstacle, &'o Obstacle, String)> {
    obstacles.iter().filter(|obstacle| !obstacle.may_end).find_map(|sender| {
        let Awaited::Room(channel) = &sender.on else { return None };
        let [receiver] = receivers(facts, channel)[..] else { return None };
        let holds = values.get(channel).is_some_and(|messages| messages != EMPTY && !messages.is_empty());
        let mut own = obstacles.iter().filter(|other| other.actor.number == receiver);
        let first = own.clone().next()?;
        let listens_elsewhere = |other: &Obstacle| match &other.on {
            Awaited::Message(other) => other != channel,
            _ => false,
        };
        let is_other = receiver != sender.actor.number && !first.may_end;
        (!holds && is_other && own.all(listens_elsewhere)).then(|| (sender, first, channel.clone()))
    })
}

/// Looks at violating states only.
pub(crate) struct UnspecifiedMonitor<'a> {
    pub(crate) story: &'a dyn Story,
    pub(crate) facts: &'a Facts,
}

impl Monitor for UnspecifiedMonitor<'_> {
    fn step(&self, memory: u64, _act: &Act) -> Next {
        Next::To(memory)
    }

    fn is_complete_at(&self, _memory: u64, state: &[u8]) -> bool {
        let values = self.story.values(state).into_iter().collect();
        let obstacles = self.story.obstacles(state);
        unspecified(&obstacles, &values).is_some() || unexpected(&obstacles, &values, self.facts).is_some()
    }
}
