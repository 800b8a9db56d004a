//! A lost update over messages: a server hands out the value of a variable, a client makes a new value of it and sends that
//! back, and the server stores it, although the variable has changed in between (Lu et al. 2008: read - write - write).
//!
//! It applies where one step reads the variable and sends, another process receives that message and sends what it made of
//! it, and the first process receives that and writes the variable. It is refuted if a violation is left when nobody stores
//! what was made of an old value, or if nothing passes then.

use findings::BugPattern;

use crate::flow::made;
use crate::lens::Act;
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, SceneStep};

/// A match, by the places of its steps.
pub(crate) struct Served {
    pub(crate) variable: String,
    /// Where the value goes to the client.
    pub(crate) reply: String,
    pub(crate) read: usize,
    pub(crate) got: usize,
    pub(crate) sent: usize,
    foreign: usize,
    pub(crate) stored: usize,
}

pub(crate) fn candidates(scene: &Scene) -> Vec<Served> {
    let mut found = Vec::new();
    for (read, step) in scene.steps.iter().enumerate() {
        for reply in &step.footprint.sends {
            let Some(got) = receipt(scene, read, &reply.channel) else { continue };
            let client = scene.steps[got].actor();
            let own = (got + 1..scene.steps.len()).filter(|at| scene.steps[*at].is_by(client));
            let is_back = |at: &usize| {
                let step = &scene.steps[*at];
                !step.footprint.sends.is_empty() && derives(step, scene, got, *at)
            };
            let Some(sent) = own.take_while(|at| !reads_again(scene, got, *at)).find(is_back) else {
                continue;
            };
            let request = scene.steps[sent].footprint.sends.first();
            let Some(came) = request.and_then(|request| receipt(scene, sent, &request.channel)) else {
                continue;
            };
            for variable in &step.footprint.reads {
                let Some(stored) = stored(scene, came, variable) else { continue };
                let foreign = (read + 1..stored).rev().find(|at| scene.steps[*at].alters(variable));
                if let (Some(foreign), true) = (foreign, scene.steps[stored].is_by(step.actor())) {
                    let (variable, reply) = (variable.clone(), reply.channel.clone());
                    found.push(Served { variable, reply, read, got, sent, foreign, stored });
                }
            }
        }
    }
    found
}

/// The step that receives what was sent.
fn receipt(scene: &Scene, sent: usize, channel: &str) -> Option<usize> {
    let receives = |step: &SceneStep| {
        step.footprint.receives.iter().any(|passage| passage.channel == channel && passage.slot == Some(0))
    };
    let waiting = scene.steps[sent].footprint.sends.iter().find(|passage| passage.channel == channel)?.slot?;
    let later = (sent + 1..scene.steps.len()).filter(|at| receives(&scene.steps[*at]));
    later.take(waiting as usize + 1).nth(waiting as usize)
}

fn derives(step: &SceneStep, scene: &Scene, from: usize, at: usize) -> bool {
    let made = made(scene, from, at);
    step.footprint.reads.iter().any(|read| made.contains(read.as_str()))
}

/// Whether the client receives a value anew.
fn reads_again(scene: &Scene, got: usize, at: usize) -> bool {
    let same = |step: &SceneStep| step.told.deed.location.clone();
    at != got && same(&scene.steps[at]) == same(&scene.steps[got])
}

/// The step that stores in a variable what came with a message, before the process receives anything else.
fn stored(scene: &Scene, came: usize, variable: &str) -> Option<usize> {
    let actor = scene.steps[came].actor();
    let own = (came + 1..scene.steps.len()).filter(|at| scene.steps[*at].is_by(actor));
    own.take_while(|at| scene.steps[*at].footprint.receives.is_empty())
        .find(|at| scene.steps[*at].writes(variable) && derives(&scene.steps[*at], scene, came, *at))
}

pub(crate) fn told(scene: &Scene, found: &Served) -> BugPattern {
    let moment = |at: usize| scene.steps[at].moment();
    BugPattern::ServedUpdate {
        variable: found.variable.clone(),
        read: moment(found.read),
        got: moment(found.got),
        sent: moment(found.sent),
        foreign: moment(found.foreign),
        stored: moment(found.stored),
    }
}

/// Follows the values that were handed out: on their way to a client, there, and on their way back.
pub(crate) struct ServedMonitor {
    pub(crate) variable: u8,
    pub(crate) read: u32,
    pub(crate) got: u32,
    pub(crate) sent: u32,
    pub(crate) stored: u32,
}

/// Each place has two bits: nothing, a fresh value, a stale one. First the channels by their numbers, then the processes,
/// then those that were sent back, the oldest first.
const FRESH: u64 = 0b01;
const ALL_FRESH: u64 = 0x5555_5555_5555_5555;
const CHANNELS: u32 = 14;
const PROCESSES: u32 = 10;
const QUEUE: u32 = 2 * (CHANNELS + PROCESSES);
const MOST_QUEUED: u32 = (u64::BITS - QUEUE) / 2;

fn place(memory: u64, at: u32) -> u64 {
    memory >> (2 * at) & 0b11
}

fn put(memory: u64, at: u32, value: u64) -> u64 {
    memory & !(0b11 << (2 * at)) | value << (2 * at)
}

impl Monitor for ServedMonitor {
    fn step(&self, memory: u64, act: &Act) -> Next {
        let channel = act.writes.iter().find(|number| **number != self.variable && act.passes);
        let channel = channel.map(|number| u32::from(*number));
        let process = CHANNELS + u32::from(act.actor);
        if channel.is_some_and(|channel| channel >= CHANNELS) || process >= CHANNELS + PROCESSES {
            return Next::Lost;
        }
        let queue = memory >> QUEUE;
        if act.statement == self.stored {
            if queue & 0b11 == FRESH << 1 {
                return Next::Complete;
            }
            let rest = memory & ((1 << QUEUE) - 1) | queue >> 2 << QUEUE;
            return Next::To(grown_stale(rest));
        }
        if act.changed.contains(&self.variable) {
            return Next::To(grown_stale(memory));
        }
        match channel {
            Some(channel) if act.statement == self.read => Next::To(put(memory, channel, FRESH)),
            Some(channel) if act.statement == self.got => {
                let value = place(memory, channel);
                Next::To(put(put(memory, channel, 0), process, value))
            }
            _ if act.statement == self.sent => {
                let value = place(memory, process);
                let length = (0..MOST_QUEUED).take_while(|at| queue >> (2 * at) & 0b11 != 0).count() as u32;
                if value == 0 {
                    return Next::To(memory);
                }
                if length == MOST_QUEUED {
                    return Next::Lost;
                }
                Next::To(put(memory, process, 0) | value << (QUEUE + 2 * length))
            }
            _ => Next::To(memory),
        }
    }
}

/// All values that are fresh are stale from now on.
fn grown_stale(memory: u64) -> u64 {
    let fresh = memory & ALL_FRESH;
    memory & !fresh | fresh << 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const MONITOR: ServedMonitor = ServedMonitor { variable: 0, read: 1, got: 2, sent: 3, stored: 4 };

    fn act(actor: u8, statement: u32, channel: Option<u8>) -> Act {
        let writes = channel.into_iter().collect();
        Act { actor, statement, writes, passes: channel.is_some(), ..Act::default() }
    }

    fn run(acts: &[Act]) -> Next {
        acts.iter().fold(Next::To(0), |next, act| match next {
            Next::To(memory) => MONITOR.step(memory, act),
            other => other,
        })
    }

    #[test]
    fn the_second_of_two_that_were_handed_out_completes_it() {
        let [ask, other] = [act(0, 1, Some(1)), act(0, 1, Some(2))];
        let [got, had] = [act(1, 2, Some(1)), act(2, 2, Some(2))];
        let [sent, too] = [act(1, 3, None), act(2, 3, None)];
        let store = act(0, 4, None);
        let both = [&ask, &other, &got, &had, &sent, &too, &store, &store].map(Clone::clone);
        assert_eq!(run(&both), Next::Complete);
        let in_turn = [&ask, &got, &sent, &store, &other, &had, &too, &store].map(Clone::clone);
        assert!(matches!(run(&in_turn), Next::To(_)));
    }
}
