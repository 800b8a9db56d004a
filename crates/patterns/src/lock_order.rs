//! Lock order: everybody in a circle holds what the next one waits for (a circular wait: Coffman, Elphick and Shoshani
//! 1971). A circle of one asks for a lock that it holds itself. If it has left the function that took the lock,
//! or comes by the same statement again, the lock was leaked: some way through does not give it back.
//!
//! C has locks. In Promela, a variable or channel counts as a lock if it is used as one: who waits tests it, and who wrote
//! it last tested it and set it with nothing in between, as in `atomic { !f -> f = true }`, or took the message out of a
//! channel that it also sends to. That one holds it. Of a counting semaphore nobody is the holder; who waits for one waits
//! for those who can raise it.
//!
//! The pattern applies to deadlocks. It is refuted if a violating state can be reached in which no such circle is closed.

use std::collections::BTreeMap;

use findings::{BugPattern, Hold};
use graph::{Awaited, Obstacle, Story, Synchronisation};

use crate::lens::{Act, Facts};
use crate::names::base;
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, SceneStep, standstill};

/// The circle in a scene, and the names of the locks in it.
pub(crate) struct Circle {
    pub(crate) pattern: BugPattern,
    pub(crate) locks: Vec<String>,
}

pub(crate) fn candidate(scene: &Scene, facts: &Facts) -> Option<Circle> {
    let end = scene.steps.len();
    let mut holders: BTreeMap<&str, u8> = BTreeMap::new();
    for obstacle in &scene.end.obstacles {
        for name in &obstacle.reads {
            if let Some(at) = taken(scene, end, name)
                && (is_lock(obstacle) || is_given_back(facts, scene.steps[at].actor(), name))
            {
                holders.insert(name, scene.steps[at].actor());
            }
        }
    }
    let holder = |name: &str| holders.get(name).copied();
    let givers = givers(facts);
    let circle = circle(&scene.end.obstacles, &holder, &givers)?;
    let mut locks: Vec<String> = Vec::new();
    let mut holds = Vec::new();
    for (at, (obstacle, wanted)) in circle.iter().enumerate() {
        // What the one before in the circle waits for is what this one holds.
        let (_, held) = &circle[(at + circle.len() - 1) % circle.len()];
        let since = taken(scene, end, held).map(|at| &scene.steps[at]);
        let since = since.filter(|step| step.actor() == obstacle.actor.number);
        holds.push(Hold {
            held: since.map(|step| (held.clone(), step.moment())),
            wanted: wanted.clone(),
            waits: standstill(obstacle),
        });
        locks.push(wanted.clone());
    }
    locks.sort_unstable();
    locks.dedup();
    if let Some(pattern) = kept(scene, &holds) {
        return Some(Circle { pattern, locks });
    }
    Some(Circle { pattern: BugPattern::LockOrder { circle: holds }, locks })
}

/// A circle of one, unless another function or statement that is reached while the lock is held wants it as well.
fn kept(scene: &Scene, holds: &[Hold]) -> Option<BugPattern> {
    let [Hold { held: Some((lock, taken)), waits, .. }] = holds else { return None };
    let steps = &scene.steps;
    let took = usize::try_from(taken.step).ok()?.checked_sub(1)?;
    let taking = steps.get(took)?;
    let own = |at: &usize| steps[*at].actor() == taking.actor();
    let is_inside = |at: &usize| steps[*at].function == taking.function;
    let last = (took..steps.len()).rev().filter(own).find(is_inside)?;
    let after = (last + 1..steps.len()).find(own);
    let caller = (0..took).rev().filter(own).find(|at| !is_inside(at));
    let left = match (after, caller) {
        // It comes by the same statement again.
        (None, _) if waits.location == taken.location => None,
        (Some(after), Some(caller)) if steps[after].function == steps[caller].function => {
            Some(steps[last].moment())
        }
        _ => return None,
    };
    let (lock, taken, waits) = (lock.clone(), taken.clone(), waits.clone());
    Some(BugPattern::KeptLock { lock, taken, left, waits })
}

/// The step that took a lock which is still held, if the variable is used as a lock.
pub(crate) fn taken(scene: &Scene, end: usize, name: &str) -> Option<usize> {
    let uses = |step: &SceneStep| step.writes(name) || step.channels().any(|channel| channel == name);
    let at = (0..end).rev().find(|at| uses(&scene.steps[*at]))?;
    let step = &scene.steps[at];
    let acquires = step.synchronisation.iter().any(|one| match one {
        Synchronisation::Acquire(lock) | Synchronisation::Wake { lock, .. } => lock == name,
        _ => false,
    });
    let receives = step.footprint.receives.iter().any(|passage| passage.channel == name && !passage.stays);
    // The guard before it, with nothing in between.
    let tested = at
        .checked_sub(1)
        .map(|before| &scene.steps[before])
        .is_some_and(|before| before.actor() == step.actor() && before.is_guard && before.reads(name));
    let sets = step.alters(name) && (tested || step.reads(name));
    (acquires || receives || (step.synchronisation.is_empty() && sets)).then_some(at)
}

fn is_lock(obstacle: &Obstacle) -> bool {
    matches!(obstacle.on, Awaited::Lock(_))
}

/// Whether a process has a statement that gives back what it took.
fn is_given_back(facts: &Facts, actor: u8, name: &str) -> bool {
    let own = (0..facts.actors.len()).filter(|label| facts.actors[*label] == actor);
    let family = base(name);
    own.clone().any(|label| {
        let sample = &facts.samples[label];
        let touches = |names: &[String]| names.iter().any(|other| base(other) == family);
        let sends = sample.sends.iter().any(|passage| base(&passage.channel) == family);
        let releases = facts.synchronisation[label].iter().any(|one| match one {
            Synchronisation::Release(lock) | Synchronisation::Sleep { lock, .. } => base(lock) == family,
            _ => false,
        });
        sends
            || releases
            || (touches(&sample.writes) && !touches(&sample.reads))
            || (facts.synchronisation[label].is_empty() && touches(&sample.writes))
    })
}

/// Who can raise each counter.
fn givers(facts: &Facts) -> BTreeMap<String, Vec<u8>> {
    let mut givers: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (label, done) in facts.synchronisation.iter().enumerate() {
        for one in done {
            if let Synchronisation::Release(name) = one {
                let who = givers.entry(name.clone()).or_default();
                if !who.contains(&facts.actors[label]) {
                    who.push(facts.actors[label]);
                }
            }
        }
    }
    givers
}

/// A circle of processes, each with what it waits for; the next one has it. The shortest is taken, and of those the one
/// that begins with the process of the lowest number.
fn circle<'o>(
    obstacles: &'o [Obstacle],
    holder: &impl Fn(&str) -> Option<u8>,
    givers: &BTreeMap<String, Vec<u8>>,
) -> Option<Vec<(&'o Obstacle, String)>> {
    let mut edges: Vec<(&Obstacle, String, u8)> = Vec::new();
    for obstacle in obstacles.iter().filter(|obstacle| !obstacle.may_end) {
        let own = obstacle.actor.number;
        match &obstacle.on {
            Awaited::Counter(name) => {
                let others = givers.get(name).into_iter().flatten().filter(|giver| **giver != own);
                edges.extend(others.map(|giver| (obstacle, name.clone(), *giver)));
            }
            Awaited::Lock(name) => {
                edges.extend(holder(name).map(|by| (obstacle, name.clone(), by)));
            }
            Awaited::Condition | Awaited::Message(_) => {
                for name in &obstacle.reads {
                    let by = holder(name).filter(|by| *by != own);
                    edges.extend(by.map(|by| (obstacle, name.clone(), by)));
                }
            }
            _ => {}
        }
    }
    let mut starts: Vec<u8> = edges.iter().map(|(obstacle, ..)| obstacle.actor.number).collect();
    starts.sort_unstable();
    starts.dedup();
    let circles = starts.iter().filter_map(|start| shortest(&edges, *start));
    let best = circles.reduce(|best, other| if other.len() < best.len() { other } else { best })?;
    let has_lock = best.iter().any(|(obstacle, _)| !matches!(obstacle.on, Awaited::Counter(_)));
    has_lock.then_some(best)
}

/// The shortest way along the edges from a process back to itself.
fn shortest<'o>(edges: &[(&'o Obstacle, String, u8)], start: u8) -> Option<Vec<(&'o Obstacle, String)>> {
    let mut from: BTreeMap<u8, usize> = BTreeMap::new();
    let mut waiting = std::collections::VecDeque::from([start]);
    while let Some(at) = waiting.pop_front() {
        for (number, (_, _, to)) in
            edges.iter().enumerate().filter(|(_, (obstacle, ..))| obstacle.actor.number == at)
        {
            if *to == start {
                let mut way = vec![number];
                let mut back = at;
                while back != start {
                    let number = from.get(&back).copied()?;
                    way.push(number);
                    back = edges[number].0.actor.number;
                }
                way.reverse();
                return Some(way.into_iter().map(|one| (edges[one].0, edges[one].1.clone())).collect());
            }
            if !from.contains_key(to) {
                from.insert(*to, number);
                waiting.push_back(*to);
            }
        }
    }
    None
}

/// Remembers who holds each lock, and looks for a circle where nothing goes on.
pub(crate) struct CircleMonitor<'a> {
    pub(crate) story: &'a dyn Story,
    pub(crate) number: &'a dyn Fn(&str) -> Option<u8>,
    givers: BTreeMap<String, Vec<u8>>,
}

impl<'a> CircleMonitor<'a> {
    pub(crate) fn new(story: &'a dyn Story, number: &'a dyn Fn(&str) -> Option<u8>, facts: &Facts) -> Self {
        Self { story, number, givers: givers(facts) }
    }
}

/// How many bits of the memory belong to a lock: one more than the number of a process, and whether that one holds it or
/// has only tested it.
const BITS: u32 = 6;
const MOST_LOCKS: u8 = (u64::BITS / BITS) as u8;
const TESTED: u64 = 1 << 5;

impl Monitor for CircleMonitor<'_> {
    /// Who writes a lock holds it if it has tested it before or in the same step; else the lock is given back.
    fn step(&self, memory: u64, act: &Act) -> Next {
        let who = u64::from(act.partner.unwrap_or(act.actor)) + 1;
        let mut next = memory;
        let touched = act.reads.iter().chain(&act.writes);
        if touched.clone().any(|lock| *lock >= MOST_LOCKS || who >= TESTED) {
            return Next::Lost;
        }
        for lock in touched {
            let shift = u32::from(*lock) * BITS;
            let known = (memory >> shift) & 0x3f;
            let (reads, writes) = (act.reads.contains(lock), act.writes.contains(lock));
            let new = match (reads, writes) {
                (_, true) if reads || known == who | TESTED || act.passes => who,
                (_, true) => 0,
                (true, false) if known == 0 || known & TESTED != 0 => who | TESTED,
                _ => known,
            };
            next = next & !(0x3f << shift) | new << shift;
        }
        Next::To(next)
    }

    fn is_complete_at(&self, memory: u64, state: &[u8]) -> bool {
        let holder = |name: &str| {
            let lock = (self.number)(name).filter(|lock| *lock < MOST_LOCKS)?;
            let who = (memory >> (u32::from(lock) * BITS)) & 0x3f;
            u8::try_from(who.checked_sub(1).filter(|_| who & TESTED == 0)?).ok()
        };
        circle(&self.story.obstacles(state), &holder, &self.givers).is_some()
    }
}
