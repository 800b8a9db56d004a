//! A missing case: a message is waiting that no branch takes (an unspecified reception: Brand and Zafiropulo 1983).
//!
//! It applies to deadlocks in which a process may not stop, can do nothing but receive, and a channel that it listens to
//! is not empty. It is refuted if a violating state can be reached in which nobody stands like that.

use std::collections::BTreeMap;

use findings::BugPattern;
use graph::{Awaited, Obstacle, Story};

use crate::lens::Act;
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, standstill};

/// What an empty channel is shown as.
const EMPTY: &str = "[]";

pub(crate) fn candidate(scene: &Scene) -> Option<BugPattern> {
    let (obstacle, channel, options) = unspecified(&scene.end.obstacles, &scene.end.values)?;
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

/// Looks at violating states only.
pub(crate) struct UnspecifiedMonitor<'a> {
    pub(crate) story: &'a dyn Story,
}

impl Monitor for UnspecifiedMonitor<'_> {
    fn step(&self, memory: u64, _act: &Act) -> Next {
        Next::To(memory)
    }

    fn is_complete_at(&self, _memory: u64, state: &[u8]) -> bool {
        let values = self.story.values(state).into_iter().collect();
        unspecified(&self.story.obstacles(state), &values).is_some()
    }
}
