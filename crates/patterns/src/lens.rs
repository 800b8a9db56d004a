//! What a monitor sees of a step: who takes it, which statement it is, and what it does to the variables that matter.
//!
//! Working out what a step touches is dear, and most steps touch nothing that matters. So variables are told apart by
//! their names without indices, and where a statement always touches the same names, some of its steps tell of all others.

use std::cell::RefCell;

use graph::{BitSet, Footprint, OUTSIDE, Synchronisation};
use rustc_hash::FxHashMap;
use source::Location;

use crate::World;
use crate::names::base;

/// A step as a monitor sees it. Variables have small numbers, those of [`Lens::number`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Act {
    pub actor: u8,
    pub partner: Option<u8>,
    /// The same for all steps of one statement, whoever takes them.
    pub statement: u32,
    pub reads: Vec<u8>,
    /// Channels that are sent to or received from are written.
    pub writes: Vec<u8>,
    /// Those of them that hold another value afterwards.
    pub changed: Vec<u8>,
    pub synchronisation: Vec<Synchronisation>,
    /// Whether equality decides the step, of the one statement that the lens asks this of.
    pub at_bound: bool,
    /// Whether a result does not fit, likewise.
    pub loses: bool,
    /// Whether messages go through a channel that matters.
    pub passes: bool,
}

/// How many variables a monitor can tell apart, and how many footprints it may ask for.
pub(crate) const MOST_NAMES: usize = 60;
const MOST_FOOTPRINTS: usize = 400_000;

pub(crate) struct Lens<'w, W> {
    world: &'w W,
    /// The statement of every label.
    statements: Vec<u32>,
    /// The names without indices that matter.
    family: Vec<String>,
    /// The labels whose steps may touch them.
    concerned: BitSet,
    asks_synchronisation: bool,
    /// The statement whose numbers are looked at.
    judged: Option<u32>,
    names: RefCell<Vec<String>>,
    seen: RefCell<FxHashMap<(u32, u32, u32), Act>>,
}

impl<'w, W: World> Lens<'w, W> {
    /// A lens for all variables that differ from `variables` by indices only.
    pub(crate) fn new(world: &'w W, facts: &Facts, variables: &[&str], asks_synchronisation: bool) -> Self {
        let mut family: Vec<String> = variables.iter().map(|name| base(name)).collect();
        family.sort_unstable();
        family.dedup();
        let by_name = world.story().touches_by_name();
        let mut concerned = BitSet::new(world.label_count() as usize);
        for (label, sample) in facts.samples.iter().enumerate() {
            let touches = |names: &[String]| names.iter().any(|name| family.contains(&base(name)));
            let passages = sample.sends.iter().chain(&sample.receives);
            let passes = passages.clone().any(|passage| family.contains(&base(&passage.channel)));
            let also = &facts.also[label];
            if !by_name || touches(&sample.reads) || touches(&sample.writes) || touches(also) || passes {
                concerned.insert(label as u32);
            }
        }
        let names = variables.iter().map(|name| (*name).to_owned()).collect();
        Self {
            world,
            statements: facts.statements.clone(),
            family,
            concerned,
            asks_synchronisation,
            judged: None,
            names: RefCell::new(names),
            seen: RefCell::default(),
        }
    }

    /// The same, which also looks at the numbers of one statement.
    pub(crate) fn judging(self, statement: u32) -> Self {
        Self { judged: Some(statement), ..self }
    }

    /// The number of a variable, if it is one that matters and there are not too many.
    pub(crate) fn number(&self, name: &str) -> Option<u8> {
        let mut names = self.names.borrow_mut();
        if let Some(at) = names.iter().position(|known| known == name) {
            return Some(at as u8);
        }
        if names.len() == MOST_NAMES || !self.family.contains(&base(name)) {
            return None;
        }
        names.push(name.to_owned());
        Some(names.len() as u8 - 1)
    }

    /// The variable of a number.
    pub(crate) fn name(&self, number: u8) -> String {
        self.names.borrow().get(usize::from(number)).cloned().unwrap_or_default()
    }

    /// What a step does; nothing where a limit came first.
    pub(crate) fn act(&self, state: u32, label: u32, target: u32) -> Option<Act> {
        if let Some(known) = self.seen.borrow().get(&(state, label, target)) {
            return Some(known.clone());
        }
        let mut actors = self.world.actors(label).iter();
        let mut act = Act {
            actor: actors.next().unwrap_or(u8::MAX),
            partner: actors.next(),
            statement: self.statements[label as usize],
            ..Act::default()
        };
        let is_judged = self.judged == Some(act.statement);
        if !self.concerned.contains(label) && !self.asks_synchronisation && !is_judged {
            return Some(act);
        }
        if self.seen.borrow().len() == MOST_FOOTPRINTS {
            return None;
        }
        let (bytes, event) = (self.world.bytes(state)?, self.world.event(label)?);
        let footprint = self.world.story().footprint(bytes, event);
        if self.names.borrow().len() == MOST_NAMES {
            return None;
        }
        let numbers =
            |names: &[String]| names.iter().filter_map(|name| self.number(name)).collect::<Vec<u8>>();
        act.reads = numbers(&footprint.reads);
        act.writes = numbers(&footprint.writes);
        // What a sequence of statements writes in one step depends on what it does on the way.
        if target != OUTSIDE
            && let Some(next) = self.world.bytes(target)
        {
            let changes = self.world.story().changes(bytes, next).into_iter();
            act.changed = changes.filter_map(|change| self.number(&change.name)).collect();
            act.writes.extend(&act.changed);
        }
        let passages = footprint.sends.iter().chain(&footprint.receives);
        let channels: Vec<u8> = passages.filter_map(|passage| self.number(&passage.channel)).collect();
        act.passes = !channels.is_empty();
        act.writes.extend(channels);
        if self.asks_synchronisation {
            act.synchronisation = self.world.story().synchronisation(bytes, event);
        }
        if is_judged {
            act.at_bound = self.world.story().at_bound(bytes, event).is_some();
            act.loses = !self.world.story().losses(bytes, event).is_empty();
        }
        self.seen.borrow_mut().insert((state, label, target), act.clone());
        Some(act)
    }
}

/// How many of the first steps with a label are looked at; of later ones only a few.
const LOOKS: u64 = 16;

/// A statement: its place and its text. What stands in a piece of text that is used in several places is one statement,
/// although its parameters have other names in each.
type Place = (Option<(String, u64, u64)>, String);

fn place(location: Option<&Location>, action: &str) -> Place {
    let own = location.map(|at| (at.file.clone(), at.line, at.column));
    let is_used = location.is_some_and(|at| !at.calls.is_empty());
    (own, if is_used { String::new() } else { action.to_owned() })
}

/// What is known of the labels of a system: their statements, and what some steps of each touch.
pub(crate) struct Facts {
    pub(crate) statements: Vec<u32>,
    pub(crate) samples: Vec<Footprint>,
    /// What other steps with the same label touch. Where the first part of a condition decides, the others are not read, so
    /// one step does not tell.
    also: Vec<Vec<String>>,
    pub(crate) synchronisation: Vec<Vec<Synchronisation>>,
    pub(crate) actors: Vec<u8>,
    /// Who receives: the second in a rendezvous.
    pub(crate) receivers: Vec<u8>,
    places: Vec<Place>,
}

impl Facts {
    pub(crate) fn new(world: &impl World) -> Self {
        let count = world.label_count() as usize;
        let story = world.story();
        let mut facts = Self {
            statements: vec![u32::MAX; count],
            samples: vec![Footprint::default(); count],
            also: vec![Vec::new(); count],
            synchronisation: vec![Vec::new(); count],
            actors: vec![u8::MAX; count],
            receivers: vec![u8::MAX; count],
            places: Vec::new(),
        };
        let mut numbers: FxHashMap<Place, u32> = FxHashMap::default();
        for label in 0..count as u32 {
            let Some(event) = world.event(label) else { continue };
            let deed = story.event(event).deed;
            let place = place(deed.location.as_ref(), &deed.action);
            let next = numbers.len() as u32;
            let number = *numbers.entry(place.clone()).or_insert(next);
            if number == next {
                facts.places.push(place);
            }
            facts.statements[label as usize] = number;
            facts.actors[label as usize] = deed.actor.number;
            facts.receivers[label as usize] = world.actors(label).iter().last().unwrap_or(u8::MAX);
        }
        let mut seen = vec![0u64; count];
        for state in 0..world.bound() as u32 {
            let Some(bytes) = world.bytes(state) else { continue };
            world.successors(state, |label, _| {
                let at = label as usize;
                seen[at] += 1;
                let is_looked_at = seen[at] <= LOOKS || seen[at].is_power_of_two();
                let Some(event) = world.event(label).filter(|_| is_looked_at) else { return };
                let footprint = story.footprint(bytes, event);
                if seen[at] == 1 {
                    facts.samples[at] = footprint;
                    facts.synchronisation[at] = story.synchronisation(bytes, event);
                } else {
                    let sample = &facts.samples[at];
                    let more = footprint.reads.into_iter().chain(footprint.writes);
                    for name in
                        more.filter(|name| !sample.reads.contains(name) && !sample.writes.contains(name))
                    {
                        if !facts.also[at].contains(&name) {
                            facts.also[at].push(name);
                        }
                    }
                }
            });
        }
        facts
    }

    /// What the statements of a place read, whatever comes of them.
    pub(crate) fn reads_at(&self, location: Option<&Location>) -> impl Iterator<Item = &String> {
        let (wanted, _) = place(location, "");
        let is_there = move |label: &usize| {
            let at = self.places.get(self.statements[*label] as usize);
            wanted.is_some() && at.is_some_and(|(place, _)| *place == wanted)
        };
        (0..self.samples.len())
            .filter(is_there)
            .flat_map(|label| self.samples[label].reads.iter().chain(&self.also[label]))
    }

    /// The number of a statement.
    pub(crate) fn statement(&self, location: Option<&Location>, action: &str) -> Option<u32> {
        let wanted = place(location, action);
        self.places.iter().position(|known| *known == wanted).map(|at| at as u32)
    }
}
