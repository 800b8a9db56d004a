//! Use before ready: a flag says that data is there, and is set before the data is written. Whoever sees the flag in
//! between uses what is not ready (Lu et al. 2008: an order violation).
//!
//! It applies where the process that set the flag has a statement that writes the data anew, and the last that was written
//! to it, if anything was, is not of that statement. Who uses it reads it and does not write it, and what it reads goes into
//! a later condition or into the check that fails. What is only counted up and down is never made ready, and neither are
//! locks and signals. The flag holds another value than at first when it was set: what goes back to that is a lock that is
//! given back, and no flag. Flag and data may be elements of arrays; then elements of one index belong together.
//!
//! It is refuted if a violation is left when nobody uses the data in such a situation, if nothing passes then, or if nobody
//! uses data then that is ready.

use std::cell::Cell;

use findings::BugPattern;
use graph::ViolationKind;

use crate::lens::{Act, Facts};
use crate::names::{base, indices};
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, SceneStep};
use crate::wrap_around::is_used;

/// A match, by the places of its steps.
pub(crate) struct Early {
    pub(crate) flag: String,
    pub(crate) data: String,
    pub(crate) set: usize,
    pub(crate) seen: usize,
    pub(crate) used: usize,
    /// The statements that make the data ready.
    pub(crate) makes: Vec<u32>,
}

pub(crate) fn candidates(scene: &Scene, facts: &Facts) -> Vec<Early> {
    let mut found = Vec::new();
    for (seen, guard) in scene.steps.iter().enumerate().filter(|(_, step)| step.is_guard) {
        for flag in &guard.footprint.reads {
            let set = scene.steps[..seen].iter().rposition(|step| step.writes(flag));
            let Some(set) = set.filter(|set| !scene.steps[*set].is_by(guard.actor())) else { continue };
            if scene.value_before(set + 1, flag) == scene.first_value(flag).map(String::as_str) {
                continue;
            }
            found.extend(first_use(scene, facts, set, seen, flag));
        }
    }
    found
}

/// The first use of something that the setter has still to write.
fn first_use(scene: &Scene, facts: &Facts, set: usize, seen: usize, flag: &str) -> Option<Early> {
    let (user, setter) = (scene.steps[seen].actor(), scene.steps[set].actor());
    let own = scene.steps.iter().enumerate().skip(seen + 1).filter(|(_, step)| step.is_by(user));
    for (used, step) in own {
        let is_use = step.synchronisation.is_empty() && matters(scene, used);
        for data in step.footprint.reads.iter().filter(|name| is_use && base(name) != base(flag)) {
            if step.writes(data) || !belong_together(flag, data) {
                continue;
            }
            let makes = makers(facts, setter, data);
            let is_made = |step: &SceneStep| {
                let deed = &step.told.deed;
                let statement = facts.statement(deed.location.as_ref(), &deed.action);
                statement.is_some_and(|statement| makes.contains(&statement))
            };
            let last = scene.last_write(used, data);
            // What was ready once and was taken back by others is another story.
            let was_ready = scene.steps[set..used].iter().any(|step| is_made(step) && step.writes(data));
            if !makes.is_empty() && !was_ready && !last.is_some_and(is_made) {
                let (flag, data) = (flag.to_owned(), data.clone());
                return Some(Early { flag, data, set, seen, used, makes });
            }
        }
    }
    None
}

/// Whether what a step reads goes into a condition, or into what is wrong at the end.
fn matters(scene: &Scene, at: usize) -> bool {
    let is_last = at + 1 == scene.steps.len() && scene.end.kind != ViolationKind::Deadlock;
    is_last || scene.steps[at].is_guard || is_used(scene, at)
}

/// Elements of arrays belong together if they have the same index.
fn belong_together(flag: &str, data: &str) -> bool {
    let (of_flag, of_data) = (indices(flag), indices(data));
    of_flag.is_empty() || of_data.is_empty() || of_flag == of_data
}

/// The statements of a process that write a variable, or another element of its array, without reading it.
fn makers(facts: &Facts, actor: u8, data: &str) -> Vec<u32> {
    let family = base(data);
    let touches = |names: &[String]| names.iter().any(|name| base(name) == family);
    let labels = || 0..facts.actors.len();
    let mut found: Vec<u32> = labels()
        .filter(|label| facts.actors[*label] == actor && touches(&facts.samples[*label].writes))
        .map(|label| facts.statements[label])
        .collect();
    found.sort_unstable();
    found.dedup();
    let reads = |statement: u32| {
        labels().any(|label| {
            let is_of_lock = !facts.synchronisation[label].is_empty();
            facts.statements[label] == statement && (touches(&facts.samples[label].reads) || is_of_lock)
        })
    };
    found.retain(|statement| !reads(*statement));
    found
}

pub(crate) fn told(scene: &Scene, found: &Early) -> BugPattern {
    BugPattern::UseBeforeReady {
        flag: found.flag.clone(),
        data: found.data.clone(),
        set: scene.steps[found.set].moment(),
        seen: scene.steps[found.seen].moment(),
        used: scene.steps[found.used].moment(),
    }
}

/// Remembers whether the flag was set, who saw it, and which elements of the data are ready.
pub(crate) struct EarlyMonitor<'a> {
    pub(crate) name: &'a dyn Fn(u8) -> String,
    pub(crate) flag: String,
    pub(crate) data: String,
    pub(crate) set: u32,
    pub(crate) seen: u32,
    pub(crate) used: u32,
    pub(crate) makes: Vec<u32>,
    /// Whether anybody used data that is ready.
    pub(crate) is_used_ready: Cell<bool>,
}

/// How many processes and how many variables can be told apart.
const ACTORS: u8 = 24;
const ELEMENTS: u8 = 39;
const SET: u64 = 1 << 63;

impl EarlyMonitor<'_> {
    fn of<'s>(&'s self, numbers: &'s [u8], family: &'s str) -> impl Iterator<Item = (u8, String)> + 's {
        let named = numbers.iter().map(|number| (*number, (self.name)(*number)));
        named.filter(move |(_, name)| base(name) == family)
    }
}

impl Monitor for EarlyMonitor<'_> {
    fn step(&self, memory: u64, act: &Act) -> Next {
        let (flags, elements) = (base(&self.flag), base(&self.data));
        let touched = act.reads.iter().chain(&act.writes);
        let is_known = act.actor < ACTORS && touched.clone().all(|number| *number < ELEMENTS);
        let matters = touched.count() > 0 || act.statement == self.seen || act.statement == self.set;
        if !is_known {
            return if matters { Next::Lost } else { Next::To(memory) };
        }
        let own = 1u64 << act.actor;
        let ready = |number: u8| 1u64 << (ACTORS + number);
        if act.statement == self.used && memory & own != 0 {
            let mut reads = self.of(&act.reads, &elements).peekable();
            let is_any = reads.peek().is_some();
            if reads.any(|(number, _)| memory & ready(number) == 0) {
                return Next::Complete;
            }
            self.is_used_ready.set(self.is_used_ready.get() || is_any);
        }
        let mut next = memory;
        if act.statement == self.set {
            next |= SET;
        } else {
            // The flag is taken back: what belongs to it has to be made ready again.
            for (_, flag) in self.of(&act.changed, &flags) {
                for number in 0..ELEMENTS.min(crate::lens::MOST_NAMES as u8) {
                    if next & ready(number) != 0 && belong_together(&flag, &(self.name)(number)) {
                        next &= !ready(number);
                    }
                }
            }
        }
        for (number, _) in self.of(&act.writes, &elements) {
            let is_made = self.makes.contains(&act.statement);
            next = if is_made { next | ready(number) } else { next & !ready(number) };
        }
        if act.statement == self.seen && next & SET != 0 {
            next |= own;
        }
        Next::To(next)
    }
}
