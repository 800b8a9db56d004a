//! What a step reads and writes, by the names of variables.
//!
//! The machine runs the step once more and notes every place it looks at or changes; here places get their
//! names. Variables of a call or a thread that begins with the step come to life with it. What a call computes on the
//! way, such as what a function hands back, lies where nothing has a name. A step that first writes such a place goes
//! on with nothing that an earlier one left there.

use std::collections::BTreeSet;
use std::ops::Range;

use graph::{Footprint, System};

use super::values::{Variable, computed, variables};
use crate::machine::Noted;
use crate::model::Model;

pub(super) fn of_step(model: &Model, state: &[u8], event: u64) -> Footprint {
    let Some((noted, next)) = model.worker().touched(state, event) else { return Footprint::default() };
    let before = variables(model, state);
    let computed = computed(model, state);
    let mut footprint = named(&before, &noted);
    let left = named(&computed, &noted);
    let is_left_before = |name: &String| {
        let place = computed.iter().find(|place| place.name == *name);
        let first = place.and_then(|place| noted.iter().find(|noted| meet(&noted.at, &place.at)));
        first.is_some_and(|first| !first.writes)
    };
    footprint.reads.extend(left.reads.into_iter().filter(is_left_before));
    footprint.writes.extend(left.writes);
    footprint.reads.sort_unstable();
    footprint.writes.sort_unstable();
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

fn meet(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

fn named(variables: &[Variable], noted: &[Noted]) -> Footprint {
    let of = |writes: bool| {
        let places: Vec<&Noted> = noted.iter().filter(|noted| noted.writes == writes).collect();
        let is_met = |variable: &&Variable| places.iter().any(|place| meet(&place.at, &variable.at));
        let names = variables.iter().filter(is_met).map(|variable| variable.name.clone());
        names.collect::<BTreeSet<String>>().into_iter().collect()
    };
    Footprint { reads: of(false), writes: of(true), ..Footprint::default() }
}
