//! When points of no return are fatal, in the words of the model: values of variables, and where other
//! processes stand.

use explain::anomalies::Ground;
use explain::anomalies::crossings::{CrossingEvent, occurrences};
use explain::fatal_when::{Condition, Literal, Occurrences, Predicate};
use graph::{Interrupt, Transitions};
use rustc_hash::FxHashMap;

use crate::naming::Naming;

/// Of so many points of no return it is asked when they are fatal.
const MOST_POINTS: usize = 10;
/// So many occurrences are looked at in all.
const MOST_OCCURRENCES: u64 = 50_000;

/// When each of these is fatal, by their labels; those are missing that are always, or that occur too often.
pub(super) fn fatal_when<T: Transitions + Naming>(
    ground: &Ground<'_, T>,
    points: &[CrossingEvent],
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
                let standing = system.standing(state).into_iter();
                let standing = standing.map(|(actor, line)| (format!("{actor}{AT}"), format!("line {line}")));
                known.add(system.values(state).into_iter().chain(standing), is_fatal);
            }
        },
    )?;
    let told = asked.into_iter().filter_map(|(label, known)| Some((label, told(&known.condition()?))));
    Ok(told.collect())
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
