//! A step that could have come at once and came late: if nothing comes between it and the step before it of its own
//! process, no trace fails, and some pass.
//!
//! The claim is about statements, so it is tested for every process that executes them: where a process has just executed
//! the first and can execute the second, nothing else happens.

use findings::{Shows, Witness};
use serde::Deserialize;

use crate::case::{Case, Tested, same, unknown};
use crate::changed::{Changed, Seen};

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Deferred {
    event: String,
    before: String,
    since: u64,
    executed: Option<u64>,
}

/// A statement: what kind of process executes it, what it says, and where it stands.
type Statement = (String, String, Option<(String, u64, u64)>);

pub(crate) fn deferred(case: &Case<'_>, told: &Deferred) -> Tested {
    case.step_is(told.since, &told.before)?;
    if let Some(executed) = told.executed {
        case.step_is(executed, &told.event)?;
        same("order of the steps", &true, &(told.since < executed))?;
    }
    let event = case.net.event_named(&told.event).ok_or_else(|| unknown(&told.event))?;
    let before = case.net.event_named(&told.before).ok_or_else(|| unknown(&told.before))?;
    let trace = case.trace()?;
    let since = usize::try_from(told.since).unwrap_or_default();
    if !case.net.nodes[trace.nodes[since]].edges.iter().any(|edge| edge.event == event) {
        return Err(Witness::Impossible { step: told.since + 1, event: told.event.clone() });
    }
    let (first, second) = pair(case, before, event).ok_or_else(|| unknown("a process that does both"))?;
    let of = |statement: &Statement| -> Vec<Option<u8>> {
        let who = |event| deeds(case, event).into_iter().find(|(_, other)| other == statement);
        (0..case.net.events.len()).map(|event| who(event).map(|(process, _)| process)).collect()
    };
    let (first, second) = (of(&first), of(&second));
    let can = |process: u8, node: usize| {
        case.net.nodes[node].edges.iter().any(|edge| second[edge.event] == Some(process))
    };
    let changed = Changed::new(
        case.net,
        None,
        |between: &Option<u8>, _, edge| {
            if between.is_some() && second[edge.event] != *between {
                return Seen::Forbidden;
            }
            let enters = first[edge.event].filter(|process| can(*process, edge.to));
            Seen::On(enters.filter(|_| !case.net.is_violating(edge.to)))
        },
        Option::is_some,
    );
    if changed.still_violating() > 0 {
        let way = changed.net.way(|_, _| true, |node| changed.net.is_target(node)).unwrap_or_default();
        return Err(Witness::Trace { shows: Shows::Fails, events: case.net.names(&way) });
    }
    if changed.passes(case.is_fair) { Ok(()) } else { Err(Witness::NoTrace { shows: Shows::Passes }) }
}

fn deeds(case: &Case<'_>, event: usize) -> Vec<(u8, Statement)> {
    let told = case.words.told(case.net, event).into_iter();
    let deeds = told.flat_map(|told| std::iter::once(told.deed).chain(told.partner));
    let statement = |deed: graph::Deed| {
        let place = deed.location.map(|at| (at.file, at.line, at.column));
        (deed.actor.number, (deed.actor.name, deed.action, place))
    };
    deeds.map(statement).collect()
}

/// The statements of one process that two events are.
fn pair(case: &Case<'_>, first: usize, second: usize) -> Option<(Statement, Statement)> {
    let firsts = deeds(case, first);
    deeds(case, second).into_iter().find_map(|(process, second)| {
        let same = firsts.iter().find(|(other, _)| *other == process);
        same.map(|(_, first)| (first.clone(), second))
    })
}
