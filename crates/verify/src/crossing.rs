//! A statement that takes traces past the point of no return, over the whole system.
//!
//! Every step of the statement from a state where a trace can pass is looked at. It crosses if every trace fails after it,
//! and is harmless if a trace can still pass. A condition that is told must be true of no harmless step, of as many
//! crossing ones as are told, and of all of them if it is exact.

use std::collections::BTreeSet;

use findings::{Fate, Shows};
use graph::Actor;

use crate::case::{Case, Tested, same, unknown};
use crate::says::{Condition, CrossesWhen, Crossing, Fact, Predicate, Subject};

/// A step that is looked at: the state, the event, and whether it crosses.
type Occurrence = (usize, usize, bool);

pub(crate) fn crossing(case: &Case<'_>, told: &Crossing, steps: &[u64]) -> Tested {
    let events = case.events(&told.events)?;
    same("events", &statement(case, &events)?, &events.iter().copied().collect())?;
    let named: Vec<String> = events.iter().map(|event| nobodys(case, *event, events.len() > 1)).collect();
    if !named.contains(&told.event) {
        return Err(unknown(&told.event));
    }
    let all = occurrences(case, |_| true);
    let own: Vec<Occurrence> = all.iter().copied().filter(|(_, event, _)| events.contains(event)).collect();
    let count = |of: &[Occurrence], wanted: bool| of.iter().filter(|(_, _, is)| *is == wanted).count() as u64;
    same("crosses", &told.crosses, &count(&own, true))?;
    same("all", &told.all, &count(&all, true))?;
    same("harmless", &told.harmless, &count(&own, false))?;
    let trace = case.trace()?;
    let taken: Vec<u64> =
        (1..).zip(&trace.events).filter(|(_, event)| events.contains(event)).map(|(n, _)| n).collect();
    same("steps", &steps, &taken.as_slice())?;
    let is_violation = told.harmless == 0 && trace.events.last().is_some_and(|last| events.contains(last));
    same("is_violation", &told.is_violation, &is_violation)?;
    told.when.as_ref().map_or(Ok(()), |when| crosses_when(case, when, &own))
}

fn crosses_when(case: &Case<'_>, when: &CrossesWhen, own: &[Occurrence]) -> Tested {
    let (mut fatal, mut covered) = (0, 0);
    for (node, event, is_fatal) in own {
        let is_true = holds(case, &when.condition, *node, *event);
        if is_true && !is_fatal {
            return Err(case.witness_at(*node, Shows::Occurs, &[*event]));
        }
        fatal += u64::from(*is_fatal);
        covered += u64::from(*is_fatal && is_true);
    }
    same("fatal", &when.fatal, &fatal)?;
    same("covered", &when.covered, &covered)?;
    same("is_exact", &when.is_exact, &(covered == fatal))
}

/// The name of an event; where several processes execute the statement, without the number of one.
fn nobodys(case: &Case<'_>, event: usize, are_several: bool) -> String {
    let name = case.net.name(event);
    let actor = case.words.told(case.net, event).filter(|_| are_several).map(|told| told.deed.actor);
    let rest = actor.as_ref().and_then(|actor| Some((actor, name.strip_prefix(&actor.to_string())?)));
    rest.map_or_else(|| name.to_owned(), |(actor, rest)| format!("{}{rest}", actor.name))
}

/// All events of the statement that these are of.
fn statement(case: &Case<'_>, events: &[usize]) -> Result<BTreeSet<usize>, findings::Witness> {
    let first = *events.first().ok_or_else(|| unknown("a statement without events"))?;
    let key = |event: usize| {
        let told = case.words.told(case.net, event)?;
        let of = |deed: graph::Deed| (deed.actor.name, deed.action, deed.location);
        Some((of(told.deed), told.partner.map(of)))
    };
    let Some(wanted) = key(first) else { return Ok(BTreeSet::from([first])) };
    Ok((0..case.net.events.len()).filter(|event| key(*event).as_ref() == Some(&wanted)).collect())
}

fn occurrences(case: &Case<'_>, is_wanted: impl Fn(usize) -> bool) -> Vec<Occurrence> {
    let mut found = Vec::new();
    for node in case.live.keys().filter(|node| !case.net.is_violating(**node) && case.fates.can_pass[**node])
    {
        for edge in case.net.nodes[*node].edges.iter().filter(|edge| is_wanted(edge.event)) {
            match case.fate(edge.to) {
                Fate::Doomed => found.push((*node, edge.event, true)),
                Fate::Free | Fate::Safe => found.push((*node, edge.event, false)),
                Fate::Elsewhere | Fate::Unknown => {}
            }
        }
    }
    found
}

/// Whether a condition is true where an event is about to happen.
fn holds(case: &Case<'_>, condition: &Condition, node: usize, event: usize) -> bool {
    let actor = case.words.told(case.net, event).map(|told| told.deed.actor);
    let is_true = |fact: &Fact| {
        let value = value(case, &fact.subject, node, actor.as_ref());
        value.is_some_and(|value| satisfies(&fact.predicate, &value))
    };
    condition.any_of.iter().any(|facts| facts.iter().all(is_true))
}

/// The value of a subject where a process is about to move; none if it has none there.
fn value(case: &Case<'_>, subject: &Subject, node: usize, actor: Option<&Actor>) -> Option<String> {
    let values = || case.words.values(node);
    match subject {
        Subject::Variable(name) | Subject::OfAnother(name) => values().remove(name),
        Subject::Own(name) => {
            let actor = actor?;
            let mut values = values();
            // Promela calls a variable `process:number.name`, C `number:function.name`.
            values
                .remove(&format!("{actor}.{name}"))
                .or_else(|| values.remove(&format!("{}:{name}", actor.number)))
        }
        Subject::Others { kind, line } => {
            let standing = case.words.standing(node);
            let there = standing
                .iter()
                .filter(|(other, at)| other.name == *kind && at == line && Some(other) != actor);
            Some(there.count().to_string())
        }
        Subject::Stands(process) => {
            let standing = case.words.standing(node);
            let at =
                standing.iter().find(|(other, _)| other.to_string() == *process && Some(other) != actor)?;
            Some(format!("line {}", at.1))
        }
    }
}

fn satisfies(predicate: &Predicate, value: &str) -> bool {
    let number = value.parse::<i64>().ok();
    match predicate {
        Predicate::Is(other) => value == other,
        Predicate::IsNot(other) => value != other,
        Predicate::AtLeast(bound) => number.is_some_and(|number| number >= *bound),
        Predicate::AtMost(bound) => number.is_some_and(|number| number <= *bound),
    }
}
