//! An early exit that skips the bookkeeping: a process counts something, leaves by a path of its own and ends, without taking
//! the count back as others do on theirs.
//!
//! It applies where a process raises or lowers a shared number by what it holds and ends without having changed it back, and
//! another statement that does belongs to processes that execute the same text. Who has first changed the number the other
//! way has given back what it took, and owes nothing. It is refuted if a violating state can be reached in which nobody
//! has ended like that. Where no trace passes at all, that says nothing; then the name is given only if the statement, inserted
//! on that path, was verified (see [`crate::slips`]).

use findings::BugPattern;
use graph::{OUTSIDE, Story};

use crate::World;
use crate::lens::{Act, Facts};
use crate::names::base;
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, SceneStep};

/// A match, with what its monitor has to know.
pub(crate) struct Owed {
    pub(crate) pattern: BugPattern,
    pub(crate) counted: u32,
    pub(crate) undone: Vec<u32>,
}

pub(crate) fn candidates(world: &impl World, scene: &Scene, facts: &Facts) -> Vec<Owed> {
    let mut found: Vec<Owed> = Vec::new();
    for (at, step) in scene.steps.iter().enumerate() {
        let actor = step.actor();
        if scene.end.standing.contains(&actor) {
            continue;
        }
        for (name, change) in &step.changes {
            let Some(direction) = direction(change) else { continue };
            if !is_owed(scene, actor, name, direction) {
                continue;
            }
            let is_own = |later: &&SceneStep| later.is_by(actor) && later.alters(name);
            if !counts(scene, at, name)
                || !scene.is_shared(name, actor)
                || scene.steps[at + 1..].iter().any(|later| is_own(&later))
            {
                continue;
            }
            let counted = facts.statement(step.told.deed.location.as_ref(), &step.told.deed.action);
            let Some(counted) = counted else { continue };
            let undone = undoing(world, facts, counted, name, -direction);
            let Some(label) = undone.first() else { continue };
            let Some(event) = world.event(*label as u32) else { continue };
            let deed = world.story().event(event).deed;
            let mut own = scene.steps[at + 1..].iter().filter(|later| later.is_by(actor));
            let pattern = BugPattern::SkippedBookkeeping {
                variable: name.clone(),
                counted: step.moment(),
                branch: own.clone().rfind(|later| later.is_guard).map(SceneStep::moment),
                last: own.next_back().map(SceneStep::moment),
                undone: deed.action,
                elsewhere: deed.location,
            };
            let undone = undone.iter().map(|label| facts.statements[*label]).collect();
            found.push(Owed { pattern, counted, undone });
        }
    }
    found
}

/// Whether what a step writes depends on what was there: what is only set is no count.
fn counts(scene: &Scene, at: usize, name: &str) -> bool {
    let step = &scene.steps[at];
    let before = scene.steps[..at].iter().rfind(|before| before.is_by(step.actor()));
    step.reads(name) || before.is_some_and(|half| half.told.deed == step.told.deed && half.reads(name))
}

/// Whether a process has changed a number in this direction first, and in all.
fn is_owed(scene: &Scene, actor: u8, name: &str, wanted: i64) -> bool {
    let own = scene.steps.iter().filter(|step| step.is_by(actor)).flat_map(|step| &step.changes);
    let changes: Vec<i64> = own
        .filter(|(changed, _)| changed.as_str() == name)
        .filter_map(|(_, change)| distance(change))
        .collect();
    let all: i64 = changes.iter().sum();
    changes.first().is_some_and(|first| first.signum() == wanted) && all.signum() == wanted
}

/// Which way a number goes.
fn direction(change: &graph::Change) -> Option<i64> {
    distance(change).map(i64::signum).filter(|sign| *sign != 0)
}

/// How far a number goes.
fn distance(change: &graph::Change) -> Option<i64> {
    let number = |text: &Option<String>| text.as_deref()?.parse::<i64>().ok();
    number(&change.new)?.checked_sub(number(&change.old)?)
}

/// The labels that change a number the other way, of processes that execute the same statement.
fn undoing(world: &impl World, facts: &Facts, counted: u32, name: &str, direction: i64) -> Vec<usize> {
    let is_of = |label: usize| {
        let own = (0..facts.actors.len()).filter(|other| facts.statements[*other] == counted);
        own.clone().any(|other| facts.actors[other] == facts.actors[label])
    };
    let touches = |names: &[String]| names.iter().any(|other| base(other) == base(name));
    let counts = |label: usize| {
        let same = |other: &usize| facts.statements[*other] == facts.statements[label];
        (0..facts.samples.len()).filter(same).any(|other| touches(&facts.samples[other].reads))
    };
    let writes = |label: usize| {
        counts(label) && facts.samples[label].writes.iter().any(|write| base(write) == base(name))
    };
    let mut found: Vec<usize> = Vec::new();
    for state in 0..world.bound() as u32 {
        let Some(bytes) = world.bytes(state) else { continue };
        world.successors(state, |label, target| {
            let at = label as usize;
            let is_itself = facts.statements[at] == counted;
            if target == OUTSIDE || is_itself || found.contains(&at) || !writes(at) || !is_of(at) {
                return;
            }
            let Some(next) = world.bytes(target) else { return };
            let changes = world.story().changes(bytes, next);
            let is_other_way =
                |change: &graph::Change| change.name == name && self::direction(change) == Some(direction);
            if changes.iter().any(is_other_way) {
                found.push(at);
            }
        });
    }
    found
}

/// Remembers who has counted and not counted back, for 64 processes.
pub(crate) struct OwedMonitor<'a> {
    pub(crate) story: &'a dyn Story,
    pub(crate) counted: u32,
    pub(crate) undone: Vec<u32>,
}

impl Monitor for OwedMonitor<'_> {
    fn step(&self, memory: u64, act: &Act) -> Next {
        let is_counted = act.statement == self.counted;
        if !is_counted && !self.undone.contains(&act.statement) {
            return Next::To(memory);
        }
        if act.actor >= 64 {
            return Next::Lost;
        }
        let own = 1u64 << act.actor;
        Next::To(if is_counted { memory | own } else { memory & !own })
    }

    fn is_complete_at(&self, memory: u64, state: &[u8]) -> bool {
        let standing = self.story.standing(state);
        let is_there = |process: u32| standing.iter().any(|(actor, _)| u32::from(actor.number) == process);
        (0..64).any(|process| memory >> process & 1 == 1 && !is_there(process))
    }
}
