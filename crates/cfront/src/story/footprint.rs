//! What a step reads and writes, by the names of variables.
//!
//! The machine runs the step once more and notes every place it looks at or changes; here places get their
//! names. Variables of a call or a thread that begins with the step come to life with it. What a function hands
//! back lies for a while where nothing has a name; it is the result of the call that waits for it.

use std::collections::BTreeSet;

use graph::{Footprint, System};

use super::values::{Variable, computed, variables};
use crate::machine::Noted;
use crate::model::Model;

pub(super) fn of_step(model: &Model, state: &[u8], event: u64) -> Footprint {
    let Some((noted, next)) = model.worker().touched(state, event) else { return Footprint::default() };
    let before = variables(model, state);
    let computed = computed(model, state);
    let mut footprint = named(before.iter().chain(&computed), &noted);
    let known: BTreeSet<&str> = before.iter().map(|variable| variable.name.as_str()).collect();
    let new = variables(model, &next).into_iter().map(|variable| variable.name);
    footprint.begins = new.filter(|name| !known.contains(name.as_str())).collect();
    footprint
}

/// What the threads ask that cannot go on.
pub(super) fn of_waiting(model: &Model, state: &[u8]) -> Footprint {
    let noted = model.worker().asked_in_vain(state);
    let mut footprint = named(&variables(model, state), &noted);
    footprint.reads.append(&mut footprint.writes);
    footprint.reads.sort_unstable();
    footprint.reads.dedup();
    footprint
}

fn named<'v>(variables: impl IntoIterator<Item = &'v Variable> + Clone, noted: &[Noted]) -> Footprint {
    let of = |writes: bool| {
        let places: Vec<&Noted> = noted.iter().filter(|noted| noted.writes == writes).collect();
        let meets = |variable: &&Variable| {
            places.iter().any(|place| place.at.start < variable.at.end && variable.at.start < place.at.end)
        };
        let names = variables.clone().into_iter().filter(meets).map(|variable| variable.name.clone());
        names.collect::<BTreeSet<String>>().into_iter().collect()
    };
    Footprint { reads: of(false), writes: of(true), ..Footprint::default() }
}
