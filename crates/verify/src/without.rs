//! What the violation needs: steps are forbidden, and the rest is looked at again.
//!
//! Of a statement of the counterexample a report says how many violating states are still reached without it, and whether
//! a trace passes. Of another violation it says whether that has the same cause: without the points of no return of
//! either of the two violations the other one does not occur, and traces still pass.

use std::collections::BTreeSet;

use findings::Fate;

use crate::case::{Case, Tested, same, unknown};
use crate::changed::Changed;
use crate::replay::place;
use crate::report::{Other, Without};

pub(crate) fn without(case: &Case<'_>, told: &Without) -> Tested {
    let line = told.location.as_ref().map(|at| (at.file.clone(), at.line));
    let is_of = |event: usize| match &line {
        None => case.net.name(event) == told.event,
        Some(line) => {
            let deeds = case.words.told(case.net, event).into_iter();
            let deeds = deeds.flat_map(|told| std::iter::once(told.deed).chain(told.partner));
            let mut places = deeds.filter_map(|deed| deed.location).map(place);
            places.any(|at| (at.file, at.line) == *line)
        }
    };
    let events: BTreeSet<usize> = (0..case.net.events.len()).filter(|event| is_of(*event)).collect();
    if events.is_empty() {
        return Err(unknown(&format!("the statement of {}", told.event)));
    }
    let violating = case.live.keys().filter(|node| case.net.is_target(**node)).count() as u64;
    same("violating", &told.violating, &violating)?;
    let left = Changed::without(case.net, |_, edge| events.contains(&edge.event));
    same("still_violating", &told.still_violating, &left.still_violating())?;
    same("passes", &told.passes, &left.passes(case.is_fair))
}

/// `main` is where the violation is explained that the report is about, `case` is about the other one.
pub(crate) fn same_cause(main: &Case<'_>, case: &Case<'_>, told: &Other) -> Tested {
    let is_same = prevents(main, case) && prevents(case, main);
    same("same_cause", &told.same_cause, &is_same)
}

/// Whether one violation does not occur without the points of no return of another one, and traces still pass.
fn prevents(decided: &Case<'_>, case: &Case<'_>) -> bool {
    let is_decisive = |from: usize, edge: crate::net::Edge| {
        decided.live.contains_key(&from)
            && decided.fate(from) == Fate::Free
            && decided.fate(edge.to) == Fate::Doomed
    };
    let left = Changed::without(case.net, is_decisive);
    left.still_violating() == 0 && left.passes(case.is_fair)
}
