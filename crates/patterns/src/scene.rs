//! The counterexample as data for patterns.

use std::collections::{BTreeMap, BTreeSet};

use findings::{Moment, Role, Standstill};
use graph::{
    Actor, Actors, Awaited, Change, ConditionPart, FaultKind, Footprint, Loss, Obstacle, Sort, Story,
    Synchronisation, Told, ViolationKind, Wrong, is_computed,
};

/// A trace as its machine knows it: one more state than there are events, or as many where the last step is wrong.
#[derive(Clone, Copy, Debug)]
pub struct Course<'a> {
    pub states: &'a [Vec<u8>],
    pub events: &'a [u64],
}

/// A step of the scene.
#[derive(Clone, Debug)]
pub struct SceneStep {
    /// Its number in the counterexample, from 1.
    pub n: u64,
    pub event: u64,
    pub actors: Actors,
    pub told: Told,
    pub footprint: Footprint,
    pub changes: BTreeMap<String, Change>,
    pub synchronisation: Vec<Synchronisation>,
    /// Whether it does nothing but decide where to go on.
    pub is_guard: bool,
    /// Whether it goes one of several ways.
    pub steers: bool,
    /// The function whose statement it executes.
    pub function: Option<String>,
    /// The value of both sides, where equality decides a comparison by size.
    pub at_bound: Option<i64>,
    pub losses: Vec<Loss>,
}

impl SceneStep {
    pub fn actor(&self) -> u8 {
        self.told.deed.actor.number
    }

    pub fn is_by(&self, actor: u8) -> bool {
        self.actors.iter().any(|one| one == actor)
    }

    pub fn reads(&self, name: &str) -> bool {
        self.footprint.reads.iter().any(|read| read == name)
    }

    /// Whether it writes the variable; what a sequence of statements in one step writes is known by what it changes.
    pub fn writes(&self, name: &str) -> bool {
        self.footprint.writes.iter().any(|write| write == name) || self.alters(name)
    }

    /// Whether the variable is there before it and holds another value afterwards.
    pub fn alters(&self, name: &str) -> bool {
        self.changes.get(name).is_some_and(|change| change.old.is_some() && change.new.is_some())
    }

    /// Whether it decides where to go on, and hands nothing back.
    pub fn tests(&self) -> bool {
        self.is_guard && (self.footprint.writes.is_empty() || self.steers)
    }

    /// The channels that it sends to or receives from.
    pub fn channels(&self) -> impl Iterator<Item = &str> {
        let passages = self.footprint.sends.iter().chain(&self.footprint.receives);
        passages.map(|passage| passage.channel.as_str())
    }

    pub fn moment(&self) -> Moment {
        Moment {
            who: role(&self.told.deed.actor),
            step: self.n,
            action: self.told.deed.action.clone(),
            location: self.told.deed.location.clone(),
        }
    }
}

/// What is wrong at the end of the scene.
#[derive(Clone, Debug)]
pub struct Ending {
    pub kind: ViolationKind,
    pub sort: Sort,
    /// The fault that the last step ends in, if it has a name of its own.
    pub fault: Option<FaultKind>,
    /// The failed condition, part by part.
    pub condition: Vec<ConditionPart>,
    /// The processes that have not ended.
    pub standing: Vec<u8>,
    /// What processes cannot execute, where nothing goes on.
    pub obstacles: Vec<Obstacle>,
    /// The values of all variables before the violating step, or where nothing goes on.
    pub values: BTreeMap<String, String>,
}

#[derive(Clone, Debug)]
pub struct Scene {
    pub initial: BTreeMap<String, String>,
    pub steps: Vec<SceneStep>,
    pub end: Ending,
    /// Conditions that hold still, or again, before later steps of the same process: the places of both.
    still_true: BTreeSet<(usize, usize)>,
}

impl Scene {
    /// Reads the scene off a trace; `wrong` is what its end is.
    pub fn new(story: &dyn Story, course: Course<'_>, wrong: &Wrong) -> Option<Self> {
        let mut steps = Vec::with_capacity(course.events.len());
        for (at, event) in course.events.iter().enumerate() {
            let state = course.states.get(at)?;
            let footprint = story.footprint(state, *event);
            let changes = course.states.get(at + 1).map_or_else(Vec::new, |next| story.changes(state, next));
            let only_reads = footprint.writes.iter().all(|name| is_computed(name))
                && footprint.sends.is_empty()
                && footprint.receives.is_empty()
                && footprint.begins.is_empty();
            let is_last = at + 1 == course.events.len() && wrong.kind != ViolationKind::Deadlock;
            steps.push(SceneStep {
                n: at as u64 + 1,
                event: *event,
                actors: story.actors(*event),
                told: story.event(*event),
                is_guard: !is_last && only_reads && (!footprint.reads.is_empty() || story.steers(*event)),
                steers: story.steers(*event),
                footprint,
                changes: changes.into_iter().map(|change| (change.name.clone(), change)).collect(),
                synchronisation: story.synchronisation(state, *event),
                function: story.function(*event).map(str::to_owned),
                at_bound: story.at_bound(state, *event),
                losses: story.losses(state, *event),
            });
        }
        let values = |state: &Vec<u8>| story.values(state).into_iter().collect();
        let is_deadlock = wrong.kind == ViolationKind::Deadlock;
        let before = if is_deadlock { course.events.len() } else { course.events.len().checked_sub(1)? };
        let last = course.states.get(before)?;
        Some(Self {
            initial: course.states.first().map(values)?,
            end: Ending {
                kind: wrong.kind,
                sort: wrong.sort,
                condition: match course.events.last() {
                    Some(event) if !is_deadlock => story.condition(last, *event),
                    _ => Vec::new(),
                },
                fault: match course.events.last() {
                    Some(event) if !is_deadlock => story.fault(last, *event),
                    _ => None,
                },
                standing: story.standing(last).iter().map(|(actor, _)| actor.number).collect(),
                obstacles: if is_deadlock { story.obstacles(last) } else { Vec::new() },
                values: values(last),
            },
            still_true: still_true(story, course, &steps),
            steps,
        })
    }

    /// Whether the condition that the step at `test` passed holds as well right before the later one at `at`.
    pub fn is_still_true(&self, test: usize, at: usize) -> bool {
        self.still_true.contains(&(test, at))
    }

    /// Whether somebody waits for a lock of the language that has this name.
    pub fn is_lock(&self, name: &str) -> bool {
        self.end.obstacles.iter().any(|obstacle| match &obstacle.on {
            Awaited::Lock(lock) => lock == name || obstacle.reads.iter().any(|read| read == name),
            _ => false,
        })
    }

    /// What a variable holds before the step at `at`.
    pub fn value_before(&self, at: usize, name: &str) -> Option<&str> {
        let changes = self.steps[..at].iter().rev().find_map(|step| step.changes.get(name));
        match changes {
            Some(change) => change.new.as_deref(),
            None => self.initial.get(name).map(String::as_str),
        }
    }

    /// What a variable holds where it comes to life.
    pub fn first_value(&self, name: &str) -> Option<&String> {
        let given = || self.steps.iter().find_map(|step| step.changes.get(name)?.new.as_ref());
        self.initial.get(name).or_else(given)
    }

    /// The last step before `at` that gave a variable the value it has.
    pub fn last_write(&self, at: usize, name: &str) -> Option<&SceneStep> {
        self.steps[..at].iter().rev().find(|step| step.writes(name))
    }

    /// Whether somebody else than `actor` changes the variable in the trace.
    pub fn is_shared(&self, name: &str, actor: u8) -> bool {
        self.steps.iter().any(|step| !step.is_by(actor) && step.alters(name))
    }
}

/// Before how many later steps of its process a condition is evaluated again.
const MOST_LATER: usize = 16;

fn still_true(story: &dyn Story, course: Course<'_>, steps: &[SceneStep]) -> BTreeSet<(usize, usize)> {
    let mut found = BTreeSet::new();
    for (test, step) in steps.iter().enumerate().filter(|(_, step)| step.is_guard) {
        let own = steps.iter().enumerate().skip(test + 1).filter(|(_, later)| later.is_by(step.actor()));
        for (at, _) in own.take(MOST_LATER) {
            let state = course.states.get(at);
            if state.and_then(|state| story.would_pass(state, step.event)) == Some(true) {
                found.insert((test, at));
            }
        }
    }
    found
}

pub(crate) fn role(actor: &Actor) -> Role {
    Role { name: actor.name.clone(), pid: u64::from(actor.number) }
}

pub(crate) fn standstill(obstacle: &Obstacle) -> Standstill {
    Standstill {
        who: role(&obstacle.actor),
        action: obstacle.action.clone(),
        location: obstacle.location.clone(),
    }
}
