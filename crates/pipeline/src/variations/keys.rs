//! What of a step is compared: its place, who takes it, what is chosen there, what it says.
//!
//! Statements that start from the same place are told apart only where they are a choice: where in some state
//! more than one of them can be taken. Otherwise the data decide which one it is, and what the data decide is
//! not part of a key. What a step is given from outside is always a choice.

use std::collections::BTreeMap;

use graph::{Exploration, Transitions};

use crate::naming::Naming;
use crate::request::Projection;

/// All that is known of steps with some label.
struct Known {
    place: u64,
    thread: String,
    location: Option<findings::Location>,
    statement: String,
    choice: Option<String>,
    /// A number for what is chosen, where anything is.
    chosen: Option<u32>,
}

/// What tells one key from another: place, thread, choice, action.
type Parts = (Option<u64>, Option<String>, Option<u32>, Option<String>);

/// What can be done at a place: the statement, its line and column, and what it is given.
type Variant<'a> = (&'a str, Option<(u64, u64)>, Option<&'a str>);

/// All that is known of steps, label by label; nothing where only labels are known.
pub(super) struct Steps(Vec<Option<Known>>);

impl Steps {
    pub(super) fn new<T: Transitions + Naming>(system: &T, explored: &Exploration) -> Self {
        let count = system.labels().len() as u32;
        let mut steps: Vec<Option<Known>> = (0..count).map(|label| known(system, label)).collect();
        let choices = choices(system, explored, &steps);
        // Where the data decide, all statements of a place stand for the first of them.
        let mut first: BTreeMap<u64, usize> = BTreeMap::new();
        let position = |known: &Known| known.location.as_ref().map(|at| (at.line, at.column));
        for (label, known) in steps.iter().enumerate() {
            let Some(known) = known else { continue };
            let at = first.entry(known.place).or_insert(label);
            if steps[*at].as_ref().is_some_and(|other| position(known) < position(other)) {
                *at = label;
            }
        }
        for (label, chosen) in choices.into_iter().enumerate() {
            let Some(place) = steps[label].as_ref().map(|known| known.place) else { continue };
            if chosen.is_some() {
                if let Some(known) = &mut steps[label] {
                    let statement = known.statement.clone();
                    known.choice.get_or_insert(statement);
                    known.chosen = chosen;
                }
            } else if let Some(other) = first.get(&place).and_then(|first| steps[*first].as_ref()) {
                let (location, statement) = (other.location.clone(), other.statement.clone());
                if let Some(known) = &mut steps[label] {
                    (known.location, known.statement) = (location, statement);
                }
            }
        }
        Self(steps)
    }
}

fn known<T: Naming>(system: &T, label: u32) -> Option<Known> {
    let (told, chosen) = system.told(label).zip(system.chosen(label))?;
    let (thread, statement) = match &told.partner {
        None => (told.deed.actor.to_string(), chosen.statement),
        Some(partner) => (
            format!("{} -> {}", told.deed.actor, partner.actor),
            format!("{} -> {}", chosen.statement, partner.action),
        ),
    };
    Some(Known {
        place: chosen.place,
        thread,
        location: told.deed.location,
        statement,
        choice: chosen.given,
        chosen: None,
    })
}

/// For each label a number for what is chosen, if its process could have chosen otherwise in some state or if it
/// was given something.
fn choices<T: Transitions>(system: &T, explored: &Exploration, steps: &[Option<Known>]) -> Vec<Option<u32>> {
    // A number for each process at each place, and one for each thing it can do there.
    let mut groups: BTreeMap<(Option<u8>, u64), u32> = BTreeMap::new();
    let mut variants: BTreeMap<Variant<'_>, u32> = BTreeMap::new();
    let numbered: Vec<(u32, u32)> = steps
        .iter()
        .zip(0..)
        .map(|(known, label)| {
            let Some(known) = known else { return (u32::MAX, u32::MAX) };
            let process = system.actors(label).iter().next();
            let (group, variant) = (groups.len() as u32, variants.len() as u32);
            let at = known.location.as_ref().map(|at| (at.line, at.column));
            let what = (known.statement.as_str(), at, known.choice.as_deref());
            (*groups.entry((process, known.place)).or_insert(group), *variants.entry(what).or_insert(variant))
        })
        .collect();
    let mut last = vec![(u32::MAX, u32::MAX); groups.len()];
    let mut chooses = vec![false; groups.len()];
    for state in explored.reached_ascending().filter(|state| !system.is_violating(*state)) {
        system.successors(state, |label, _| {
            let (group, variant) = numbered[label as usize];
            let Some(last) = last.get_mut(group as usize) else { return };
            if last.0 == state && last.1 != variant {
                chooses[group as usize] = true;
            }
            *last = (state, variant);
        });
    }
    let choice = |((group, variant), known): (&(u32, u32), &Option<Known>)| {
        let known = known.as_ref()?;
        (chooses[*group as usize] || known.choice.is_some()).then_some(*variant)
    };
    numbered.iter().zip(steps).map(choice).collect()
}

/// A number for every label, and what each number stands for.
#[derive(Debug)]
pub(super) struct Keys {
    pub(super) of_label: Vec<u32>,
    pub(super) elements: Vec<findings::Element>,
}

impl Keys {
    /// All that tells steps apart except the data.
    pub(super) fn whole<T: Naming>(system: &T, steps: &Steps) -> Self {
        Self::new(system, steps, Projection::default())
    }

    /// What is asked for. Where nobody knows more of a step than its label, that is all there is.
    pub(super) fn new<T: Naming>(system: &T, steps: &Steps, project: Projection) -> Self {
        let mut numbers: BTreeMap<Parts, u32> = BTreeMap::new();
        let mut keys = Self { of_label: Vec::new(), elements: Vec::new() };
        let mut places: BTreeMap<String, u64> = BTreeMap::new();
        for (label, known) in steps.0.iter().enumerate() {
            let (place, chosen, element) = match known {
                Some(known) => (
                    Some(known.place).filter(|_| project.location),
                    known.chosen.filter(|_| project.choice),
                    element(known, project),
                ),
                None => match system.place(label as u32) {
                    None => (None, None, bare_element(system.label(label as u32))),
                    Some((own, place)) if project.location => {
                        let next = places.len() as u64;
                        let number = *places.entry(place).or_insert(next);
                        let statement = system.label(label as u32);
                        (Some(number), None, findings::Element { statement, ..bare_element(own) })
                    }
                    Some((own, _)) => (None, None, bare_element(own)),
                },
            };
            let parts = (place, element.thread.clone(), chosen, element.action.clone());
            let key = *numbers.entry(parts).or_insert_with(|| {
                keys.elements.push(element);
                keys.elements.len() as u32 - 1
            });
            keys.of_label.push(key);
        }
        keys
    }
}

fn element(known: &Known, project: Projection) -> findings::Element {
    // What stands nowhere is told by what it says.
    let says = project.action || (project.location && known.location.is_none());
    findings::Element {
        location: known.location.clone().filter(|_| project.location),
        thread: Some(known.thread.clone()).filter(|_| project.thread),
        choice: known.choice.clone().filter(|_| project.choice),
        action: Some(known.statement.clone()).filter(|_| says),
        statement: known.statement.clone(),
    }
}

/// A step of which only the label is known.
fn bare_element(label: String) -> findings::Element {
    findings::Element {
        location: None,
        thread: None,
        choice: None,
        action: Some(label.clone()),
        statement: label,
    }
}
