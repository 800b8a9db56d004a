//! A step that later ones needed, and what they needed of it.
//!
//! Each reason is held against what the two steps read and write: a value that the earlier one writes, that the later one
//! reads and that no other writes in between, a message that the later step receives, a sequence that nothing interrupts,
//! a condition of its own process, or an event that was possible and did not happen until then.

use std::ops::Range;

use graph::{Footprint, is_computed};
use serde::Deserialize;

use crate::case::{Case, Followed, Tested, same, unknown};

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Needed {
    step: u64,
    event: String,
    because: Vec<Reason>,
    place: Among,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Among {
    at: u64,
    of: u64,
}

#[derive(Clone, Debug, Deserialize)]
struct Reason {
    since: u64,
    by: Option<u64>,
    why: Why,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Why {
    Wrote { variable: String, value: Option<String> },
    Computed,
    Sent { channel: String },
    Inside,
    Guarded,
    Stale { variable: String, value: Option<String>, event: String },
    Before,
}

pub(crate) fn needed(case: &Case<'_>, told: &Needed) -> Tested {
    case.step_is(told.step, &told.event)?;
    same("place among the steps", &true, &(told.place.at < told.place.of))?;
    let trace = case.trace()?;
    if told.because.is_empty() {
        return Err(unknown("what later steps needed of it"));
    }
    for reason in &told.because {
        same("since", &told.step, &reason.since)?;
        let end = trace.events.len() as u64 + 1;
        let by = reason.by.unwrap_or(end);
        let is_later = reason.since < by && by <= end && reason.by != Some(end);
        if !is_later || !holds(case, trace, reason.since as usize - 1..by as usize - 1, &reason.why) {
            let later = reason.by.map_or("the end".to_owned(), |by| format!("step {by}"));
            return Err(unknown(&format!("{:?} of step {} for {later}", reason.why, reason.since)));
        }
    }
    Ok(())
}

/// Whether the step at the end of the range had this of the one at its beginning. What lies behind the last step is what
/// those ask who cannot go on.
fn holds(case: &Case<'_>, trace: &Followed, of: Range<usize>, why: &Why) -> bool {
    let touches = |step: usize| {
        case.words.footprint(case.net, trace.nodes[step], trace.events[step]).unwrap_or_default()
    };
    let asks = |step: usize| match trace.events.get(step) {
        Some(_) => touches(step),
        None => case.words.wants(trace.nodes[step]).unwrap_or_default(),
    };
    let value = |step: usize, name: &String| case.words.values(trace.nodes[step]).remove(name);
    let is_kept = |name: &String| (of.start + 1..of.end).all(|step| !writes(&touches(step), name));
    let own = touches(of.start);
    let later = asks(of.end);
    match why {
        Why::Wrote { variable, value: told } => {
            // Without a value it is only said to be written.
            let fits = told.is_none() || value(of.end, variable) == *told;
            fits && writes(&own, variable) && reads(&later, variable) && is_kept(variable)
        }
        Why::Computed => {
            let mut left = own.writes.iter().filter(|name| is_computed(name));
            left.any(|name| reads(&later, name) && is_kept(name))
        }
        Why::Sent { channel } => sends(&own, channel) && receives(&later, channel),
        Why::Inside => of.len() == 1 && case.net.nodes[trace.nodes[of.end]].is_uninterrupted,
        Why::Guarded => {
            // Its process does nothing in between, and has only asked.
            let asked = own.writes.is_empty() && own.sends.is_empty() && own.receives.is_empty();
            let is_next =
                |actor: &u8| (of.start + 1..of.end).all(|step| !actors(case, trace, step).contains(actor));
            let mut actors = actors(case, trace, of.start).into_iter();
            asked && actors.any(|actor| is_at(case, trace, of.end, actor) && is_next(&actor))
        }
        Why::Before => {
            actors(case, trace, of.start).into_iter().any(|actor| is_at(case, trace, of.end, actor))
        }
        Why::Stale { variable, value: told, event } => {
            let Some(event) = case.net.event_named(event) else { return false };
            let node = trace.nodes[of.start + 1];
            let can = case.net.nodes[node].edges.iter().any(|edge| edge.event == event);
            let touched = case.words.footprint(case.net, node, event).unwrap_or_default();
            let is_pending = (of.start + 1..of.end).all(|step| trace.events[step] != event);
            let fits = value(of.end, variable) == *told;
            can && is_pending && fits && writes(&touched, variable) && reads(&later, variable)
        }
    }
}

fn actors(case: &Case<'_>, trace: &Followed, step: usize) -> Vec<u8> {
    case.net.events[trace.events[step]].actors.clone()
}

/// Whether a process takes part in a step or, behind the last one, waits in vain.
fn is_at(case: &Case<'_>, trace: &Followed, step: usize, actor: u8) -> bool {
    if step < trace.events.len() {
        return actors(case, trace, step).contains(&actor);
    }
    case.words.waiting(trace.nodes[step]).iter().any(|waiting| waiting.actor.number == actor)
}

/// Channels are written by whoever sends or receives, and read by whoever receives.
fn writes(touched: &Footprint, name: &String) -> bool {
    let is_written = touched.writes.contains(name) || touched.begins.contains(name);
    is_written || sends(touched, name) || receives(touched, name)
}

fn reads(touched: &Footprint, name: &String) -> bool {
    touched.reads.contains(name) || receives(touched, name)
}

fn sends(touched: &Footprint, channel: &str) -> bool {
    touched.sends.iter().any(|passage| passage.channel == channel)
}

fn receives(touched: &Footprint, channel: &str) -> bool {
    touched.receives.iter().any(|passage| passage.channel == channel)
}
