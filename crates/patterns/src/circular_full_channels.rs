//! Channels full in a circle: everybody in a circle wants to send to the next one, and nobody receives. A rendezvous
//! channel is always full.
//!
//! It applies to deadlocks. Where nobody ever received from those channels, who would receive is not known; then two processes
//! that wait for room in two channels, with nobody else left, are such a circle. It is refuted if a violating state can be reached in which no such circle is closed.

use findings::BugPattern;
use graph::{Awaited, Obstacle, Story};

use crate::capacity::receivers;
use crate::lens::{Act, Facts};
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, standstill};

pub(crate) fn candidate(scene: &Scene, facts: &Facts) -> Option<BugPattern> {
    let circle = circle(&scene.end.obstacles, facts)?;
    let circle = circle.into_iter().map(|(obstacle, channel)| (channel, standstill(obstacle))).collect();
    Some(BugPattern::CircularFullChannels { circle })
}

/// Who wants to send, and to which channel; the next one would receive from it.
fn circle<'o>(obstacles: &'o [Obstacle], facts: &Facts) -> Option<Vec<(&'o Obstacle, String)>> {
    let sender = |actor: u8| {
        obstacles.iter().find_map(|obstacle| match &obstacle.on {
            Awaited::Room(channel) if obstacle.actor.number == actor => Some((obstacle, channel)),
            _ => None,
        })
    };
    let mut starts: Vec<u8> = obstacles.iter().map(|obstacle| obstacle.actor.number).collect();
    starts.sort_unstable();
    starts.dedup();
    for start in starts {
        let mut way: Vec<(&Obstacle, String)> = Vec::new();
        let mut at = start;
        while let Some((obstacle, channel)) = sender(at) {
            way.push((obstacle, channel.clone()));
            // A channel with several receivers makes no circle by itself.
            let next = match receivers(facts, channel)[..] {
                [next] => next,
                [] => match only_other(obstacles, at) {
                    Some(next) => next,
                    None => break,
                },
                _ => break,
            };
            if next == start && way.len() > 1 && way[0].1 != way[1].1 {
                return Some(way);
            }
            if way.iter().any(|(known, _)| known.actor.number == next) {
                break;
            }
            at = next;
        }
    }
    None
}

/// The only other process that is left, where it waits for room as well.
fn only_other(obstacles: &[Obstacle], one: u8) -> Option<u8> {
    let mut others = obstacles.iter().filter(|other| other.actor.number != one && !other.may_end);
    let first = others.next()?;
    let waits = |other: &Obstacle| matches!(other.on, Awaited::Room(_));
    (waits(first) && others.all(|other| other.actor.number == first.actor.number && waits(other)))
        .then_some(first.actor.number)
}

/// Looks at violating states only.
pub(crate) struct FullCircleMonitor<'a> {
    pub(crate) story: &'a dyn Story,
    pub(crate) facts: &'a Facts,
}

impl Monitor for FullCircleMonitor<'_> {
    fn step(&self, memory: u64, _act: &Act) -> Next {
        Next::To(memory)
    }

    fn is_complete_at(&self, _memory: u64, state: &[u8]) -> bool {
        circle(&self.story.obstacles(state), self.facts).is_some()
    }
}
