//! A stale value: variables that were set together are set anew, but for one, which keeps what it held before and is
//! used.
//!
//! It applies where one process sets several variables in one go, later sets at least two of them again in one go and
//! leaves one out, and then reads that one. They belong to one process, call or record. What it keeps is not what it held at the beginning. It is refuted if a
//! violation is left when nobody uses it like that, or if nothing passes then.
//!
//! A second shape is the reset that was forgotten: two variables are changed side by side, one of them is set back to what it
//! held at first by a statement that reads nothing, the other one is not before it is used. Both are changed by one process,
//! or by several: a lock that is given back beside a counter of its holder says nothing of the counter. What is written in
//! the same go as the reset is not forgotten, whatever it is given. That nothing fails when nobody uses the old value says
//! little, because much else is then not done either. So that name is given only if the missing assignment, inserted
//! beside the one that is there, was verified (see [`crate::slips`]).

use findings::BugPattern;
use graph::is_computed;

use crate::lens::Act;
use crate::names::{base, owner};
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, SceneStep};

/// A match, by the places of its steps.
pub(crate) struct Stale {
    pub(crate) variable: String,
    with: Vec<String>,
    pub(crate) set: usize,
    /// Where the others begin to be set anew, and where they are.
    first: usize,
    pub(crate) renewed: usize,
    pub(crate) used: usize,
    /// What it would be set back to, where that was forgotten.
    pub(crate) fresh: Option<String>,
}

/// How many others have to be set anew.
const FEWEST: usize = 2;

pub(crate) fn candidates(scene: &Scene) -> Vec<Stale> {
    let batches = batches(scene);
    let mut found = Vec::new();
    for (first, set) in batches.iter().enumerate() {
        for variable in &set.writes {
            let later = || batches[first + 1..].iter().filter(|batch| batch.actor == set.actor);
            let Some(renewal) = later().find(|batch| {
                let others =
                    set.writes.iter().filter(|name| *name != variable && owner(name) == owner(variable));
                !touches(&batch.writes, variable)
                    && others.filter(|name| batch.anew.contains(name)).count() >= FEWEST
            }) else {
                continue;
            };
            let is_kept = scene.steps[set.last + 1..=renewal.last].iter().all(|step| !step.writes(variable));
            let used = scene.steps.iter().enumerate().skip(renewal.last + 1);
            let used = used
                .take_while(|(at, _)| {
                    !scene.steps[renewal.last + 1..*at].iter().any(|one| one.writes(variable))
                })
                .find(|(_, step)| step.is_by(set.actor) && step.reads(variable))
                .map(|(at, _)| at);
            let (true, Some(used)) = (is_kept, used) else { continue };
            if scene.value_before(used, variable) == scene.first_value(variable).map(String::as_str) {
                continue;
            }
            let with = set.writes.iter().filter(|name| renewal.anew.contains(name)).cloned().collect();
            let (variable, set) = (variable.clone(), set.last);
            let (first, renewed) = (renewal.first, renewal.last);
            found.push(Stale { variable, with, set, first, renewed, used, fresh: None });
        }
    }
    found
}

/// The variables that are never set back although one beside them is, the last reset first.
pub(crate) fn forgotten_resets(scene: &Scene) -> Vec<Stale> {
    let mut found = Vec::new();
    for (reset, step) in scene.steps.iter().enumerate().rev() {
        for (other, change) in &step.changes {
            let goes_back = step.alters(other) && change.new.as_ref() == scene.first_value(other);
            if !goes_back || !is_constant(scene, reset) {
                continue;
            }
            let own = || scene.steps.iter().enumerate().filter(|(_, one)| one.is_by(step.actor()));
            let before: Vec<usize> = own().map(|(at, _)| at).take_while(|at| *at < reset).collect();
            let beside = before
                .windows(2)
                .filter(|pair| scene.steps[pair[0]].alters(other) || scene.steps[pair[1]].alters(other));
            let kept = beside.flat_map(|pair| pair.iter()).flat_map(|at| scene.steps[*at].changes.keys());
            let belongs = |name: &&String| {
                *name != other
                    && owner(name) == owner(other)
                    && scene.is_shared(name, step.actor()) == scene.is_shared(other, step.actor())
            };
            let mut kept: Vec<&String> = kept.filter(belongs).collect();
            kept.sort_unstable();
            kept.dedup();
            for variable in kept {
                let fresh = scene.first_value(variable);
                let used = own().map(|(at, _)| at).find(|at| *at > reset && scene.steps[*at].reads(variable));
                let Some(used) = used else { continue };
                let is_set_back = |(at, one): (usize, &SceneStep)| {
                    at < used && one.alters(variable) && one.changes[variable].new.as_ref() == fresh
                };
                let is_kept = scene.value_before(reset, variable) != fresh.map(String::as_str)
                    && !own().any(is_set_back);
                let began = beginning(scene, reset);
                let is_written = scene.steps[began..used].iter().any(|one| one.writes(variable));
                if is_kept && !is_written {
                    found.push(Stale {
                        variable: variable.clone(),
                        with: vec![other.clone()],
                        set: reset,
                        first: reset,
                        renewed: reset,
                        used,
                        fresh: fresh.cloned(),
                    });
                }
            }
        }
    }
    found
}

/// Whether a step assigns what does not depend on any variable. Pointers only say where.
fn is_constant(scene: &Scene, at: usize) -> bool {
    let is_pointer = |name: &String| scene.value_before(at, name).is_some_and(|value| value.starts_with('&'));
    scene.steps[at].footprint.reads.iter().all(|name| is_computed(name) || is_pointer(name))
}

/// Where the process began to do what it does at `at` in one go: after its last condition.
fn beginning(scene: &Scene, at: usize) -> usize {
    let own = (0..at).rev().filter(|before| scene.steps[*before].is_by(scene.steps[at].actor()));
    own.take_while(|before| !scene.steps[*before].is_guard).last().unwrap_or(at)
}

/// Whether a variable, or another element of its array, is among those.
fn touches(names: &[String], variable: &str) -> bool {
    names.iter().any(|name| base(name) == base(variable))
}

/// Variables that a process sets in one go: in one step, or in steps with no condition and no call in between.
struct Batch {
    actor: u8,
    first: usize,
    last: usize,
    writes: Vec<String>,
    /// Those whose old values do not matter for the new ones.
    anew: Vec<String>,
}

fn batches(scene: &Scene) -> Vec<Batch> {
    let mut found: Vec<Batch> = Vec::new();
    let mut is_open = false;
    for (at, step) in scene.steps.iter().enumerate() {
        let changed =
            step.changes.keys().filter(|name| step.alters(name) && !step.footprint.writes.contains(name));
        let written: Vec<String> = step.footprint.writes.iter().chain(changed).cloned().collect();
        let sets = !step.is_guard && !written.is_empty() && step.channels().next().is_none();
        if !sets {
            is_open = false;
            continue;
        }
        let is_named = |name: &&String| !is_computed(name);
        let writes: Vec<String> = written.iter().filter(is_named).cloned().collect();
        let anew = writes.iter().filter(|name| !step.reads(name)).cloned();
        // A step that sets several is a batch of its own.
        let is_whole = writes.len() > 1;
        match found.last_mut().filter(|batch| is_open && !is_whole && batch.actor == step.actor()) {
            Some(batch) => {
                batch.last = at;
                batch.anew.extend(anew);
                batch.writes.extend(writes);
            }
            None => {
                found.push(Batch { actor: step.actor(), first: at, last: at, anew: anew.collect(), writes })
            }
        }
        is_open = !is_whole;
    }
    found
}

pub(crate) fn told(scene: &Scene, found: &Stale) -> BugPattern {
    BugPattern::StaleValue {
        variable: found.variable.clone(),
        value: scene.value_before(found.used, &found.variable).unwrap_or_default().to_owned(),
        with: found.with.clone(),
        set: scene.last_write(found.set + 1, &found.variable).unwrap_or(&scene.steps[found.set]).moment(),
        renewed: scene.steps[found.first].moment(),
        used: scene.steps[found.used].moment(),
        fresh: found.fresh.clone(),
    }
}

/// Remembers whether the variable was set, and whether the others were set anew since.
pub(crate) struct StaleMonitor {
    pub(crate) variable: u8,
    pub(crate) renewed: u32,
    /// The statement that uses it; any if there is none.
    pub(crate) used: Option<u32>,
}

const SET: u64 = 1;
const STALE: u64 = 2;

impl Monitor for StaleMonitor {
    fn step(&self, memory: u64, act: &Act) -> Next {
        let is_use = self.used.is_none_or(|used| act.statement == used);
        if is_use && memory == STALE && act.reads.contains(&self.variable) {
            return Next::Complete;
        }
        if act.changed.contains(&self.variable) {
            return Next::To(SET);
        }
        Next::To(if act.statement == self.renewed && memory == SET { STALE } else { memory })
    }
}
