//! How far the whole system agrees with a pattern that is no window: without the step or the behaviour that the pattern
//! names, how many violating states are left, and does a trace pass?
//!
//! A choice of the environment, a lost message and a use without a test are single statements of one process, which are
//! blocked. For a lock that is given back by who does not hold it, or taken again by who does, everybody is kept to the
//! discipline: a memory of who holds it runs along. Of other patterns only the number of violating states is tested.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::case::{Case, Tested, same};
use crate::changed::{Changed, Seen};
use crate::net::Edge;
use crate::pattern::{Coverage, Moment, Statement, violating, violating_in};

/// What is forbidden; nothing where there is no test.
enum Without {
    Step { statement: Statement, pid: u64, is_fair: bool },
    Misuse { lock: String, at: Statement, is_taken: bool },
}

/// Nothing where a test found nothing wrong, but does not cover all that is claimed.
pub(crate) fn coverage(case: &Case<'_>, name: &str, inner: &Value, told: Coverage) -> Option<Tested> {
    let violating = violating(case.net, |node| node);
    if let Err(witness) = same("violating", &told.violating, &violating) {
        return Some(Err(witness));
    }
    let changed = match without(name, inner)? {
        Without::Step { statement, pid, is_fair } => {
            let is_meant = |event: usize| {
                let actor = case.net.events[event].actors.first();
                actor.is_some_and(|actor| u64::from(*actor) == pid) && statement.is(case, event)
            };
            let meant: BTreeSet<usize> =
                (0..case.net.events.len()).filter(|event| is_meant(*event)).collect();
            let see = |(): &(), _: usize, edge: Edge| {
                if meant.contains(&edge.event) { Seen::Blocked } else { Seen::On(()) }
            };
            (Changed::new(case.net, (), see, |()| false), is_fair && case.is_fair)
        }
        Without::Misuse { lock, at, is_taken } => {
            let see = |holder: &Option<u8>, from: usize, edge: Edge| {
                let actor = case.net.events[edge.event].actors.first().copied();
                let is_holder = holder.is_some() && *holder == actor;
                if at.is(case, edge.event) && is_holder == is_taken {
                    return Seen::Blocked;
                }
                match (case.words.changes(from, edge.to).contains_key(&lock), holder) {
                    (false, _) => Seen::On(*holder),
                    (true, None) => Seen::On(actor),
                    (true, Some(_)) if is_holder || is_taken => Seen::On(None),
                    (true, Some(_)) => Seen::Blocked,
                }
            };
            (Changed::new(case.net, None, see, |_| false), case.is_fair)
        }
    };
    let (changed, is_fair) = changed;
    let left = violating_in(&changed);
    Some((|| {
        same("need", &told.need, &violating.saturating_sub(left))?;
        same("passes", &told.passes, &changed.passes(is_fair))
    })())
}

fn without(name: &str, inner: &Value) -> Option<Without> {
    let moment = |member: &str| serde_json::from_value::<Moment>(inner.get(member)?.clone()).ok();
    let step = |member: &str, is_fair: bool| {
        let moment = moment(member)?;
        Some(Without::Step { pid: moment.who.pid, statement: Statement::of(&moment), is_fair })
    };
    match name {
        // The environment need not do what it could.
        "message-lost" => step("lost", false),
        "unanswered-choice" => step("choice", false),
        "untested" => step("at", true),
        "double-release" | "not-given-back" => {
            let again = moment("again")?;
            let lock = inner.get("lock")?.as_str()?.to_owned();
            // Locks of a language are no variables that change.
            let is_variable = !again.action.contains("unlock");
            let is_taken = name == "not-given-back";
            is_variable.then(|| Without::Misuse { lock, at: Statement::of(&again), is_taken })
        }
        _ => None,
    }
}
