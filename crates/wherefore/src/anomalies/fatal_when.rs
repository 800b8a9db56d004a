//! When points of no return are fatal, in the words of the model: values of variables, and where other
//! processes stand.

use std::collections::BTreeMap;

use explain::anomalies::Ground;
use explain::anomalies::crossings::{CrossingEvent, occurrences};
use explain::fatal_when::{Condition, Literal, Occurrences, Predicate};
use explain::recheck::{self, Goal, Look};
use explain::without::without;
use graph::{BitSet, Interrupt, Transitions};
use rustc_hash::FxHashMap;

use crate::causes::told_recheck;
use crate::naming::Naming;

/// Of so many points of no return it is asked when they are fatal.
const MOST_POINTS: usize = 10;
/// The conditions of so many are looked at again.
const MOST_RECHECKED: usize = 3;
/// So many occurrences are looked at in all.
const MOST_OCCURRENCES: u64 = 50_000;

/// When each of these is fatal, by their labels; those are missing that are always, or that occur too often.
pub(super) fn fatal_when<T: Transitions + Naming>(
    ground: &Ground<'_, T>,
    points: &[CrossingEvent],
    look: &Look<'_>,
) -> Result<FxHashMap<u32, report::FatalWhen>, Interrupt> {
    let mut room = MOST_OCCURRENCES;
    let mut asked: FxHashMap<u32, Occurrences> = FxHashMap::default();
    for point in points.iter().take(MOST_POINTS).filter(|point| point.harmless > 0) {
        if let Some(left) = room.checked_sub(point.crosses + point.harmless) {
            room = left;
            asked.insert(point.label, Occurrences::default());
        }
    }
    let system = ground.system;
    let labels: Vec<u32> = asked.keys().copied().collect();
    occurrences(
        ground,
        |label| labels.contains(&label),
        |state, label, is_fatal| {
            if let Some(known) = asked.get_mut(&label) {
                known.add(known_in(system, state), is_fatal);
            }
        },
    )?;
    let mut told_of = FxHashMap::default();
    for (at, point) in points.iter().enumerate() {
        if let Some(found) = asked.get(&point.label).and_then(Occurrences::condition) {
            let mut told = told(&found);
            if at < MOST_RECHECKED && found.harmless_covered == 0 && !found.rules.is_empty() {
                recheck_under(ground, point.label, &found, look, &mut told);
            }
            told_of.insert(point.label, told);
        }
    }
    Ok(told_of)
}

/// What is known in a state: the values of variables, and where processes stand.
fn known_in<T: Naming>(system: &T, state: u32) -> BTreeMap<String, String> {
    let standing = system.standing(state).into_iter();
    let standing = standing.map(|(actor, line)| (format!("{actor}{AT}"), format!("line {line}")));
    system.values(state).into_iter().chain(standing).collect()
}

/// Looks again at whether a step is fatal whenever the condition is true, wherever that is, and blocks it there.
fn recheck_under<T: Transitions + Naming>(
    ground: &Ground<'_, T>,
    label: u32,
    found: &Condition,
    look: &Look<'_>,
    told: &mut report::FatalWhen,
) {
    let system = ground.system;
    let mut fatal = BitSet::new(system.bound());
    for state in ground.explored.live() {
        let mut can = false;
        system.successors(*state, |other, _| can |= other == label);
        if can && found.holds(&known_in(system, *state)) {
            fatal.insert(*state);
        }
    }
    let is_such = |state: u32, other: u32| other == label && fatal.contains(state);
    let result = recheck::on_no_correct_trace(system, is_such, &Goal::Passing, look);
    told.recheck = Some(told_recheck(result));
    let left = without(system, |state, other, _| is_such(state, other), look.fairness, look.watch);
    told.still_violating = left.ok().map(|left| left.violating);
}

/// Marks the name of a process as that of where it stands.
const AT: &str = " is at";

fn told(found: &Condition) -> report::FatalWhen {
    let rule = |rule: &Vec<Literal>| rule.iter().map(written).collect::<Vec<String>>();
    report::FatalWhen {
        any_of: found.rules.iter().map(rule).collect(),
        is_exact: found.is_exact(),
        fatal: found.fatal,
        fatal_covered: found.fatal_covered,
        harmless: found.harmless,
        harmless_covered: found.harmless_covered,
        recheck: None,
        still_violating: None,
    }
}

fn written(literal: &Literal) -> String {
    let Literal { variable, predicate } = literal;
    match (variable.strip_suffix(AT), predicate) {
        (Some(actor), Predicate::Is(line)) => format!("{actor} is at {line}"),
        (Some(actor), Predicate::IsNot(line)) => format!("{actor} is not at {line}"),
        (_, Predicate::Is(value)) => format!("`{variable}` is {value}"),
        (_, Predicate::IsNot(value)) => format!("`{variable}` is not {value}"),
        (_, Predicate::AtLeast(value)) => format!("`{variable}` is at least {value}"),
        (_, Predicate::AtMost(value)) => format!("`{variable}` is at most {value}"),
    }
}
