//! A step that the violation needed, and what later steps needed of it.
//!
//! Each reason is held against what the steps of the counterexample read and write: a value that is read by a later step
//! and written by no other in between, a message that a later step receives, a sequence that nothing interrupts, an
//! answer of its own process, or an event that was possible and did not happen.

use graph::Footprint;
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
    why: Why,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Why {
    Wrote { variable: String, value: Option<String> },
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
    for reason in &told.because {
        same("since", &reason.since, &told.step)?;
        let at = usize::try_from(reason.since).unwrap_or_default() - 1;
        if !is_so(case, trace, at, &reason.why) {
            return Err(unknown(&format!("the reason {:?} of step {}", reason.why, reason.since)));
        }
    }
    Ok(())
}

fn is_so(case: &Case<'_>, trace: &Followed, at: usize, why: &Why) -> bool {
    let touches = |step: usize| {
        case.words.footprint(case.net, trace.nodes[step], trace.events[step]).unwrap_or_default()
    };
    let value = |step: usize, name: &String| case.words.values(trace.nodes[step]).remove(name);
    let later = || at + 1..trace.events.len();
    let own = touches(at);
    match why {
        Why::Wrote { variable, value: told } => {
            let writes =
                |touched: &Footprint| touched.writes.contains(variable) || touched.begins.contains(variable);
            let mut reads: Vec<usize> = Vec::new();
            for step in later() {
                let touched = touches(step);
                if touched.reads.contains(variable) || receives(&touched, variable) {
                    reads.push(step);
                }
                if writes(&touched) {
                    break;
                }
            }
            // What nobody got at the end is asked for behind the last step.
            let end = trace.events.len();
            let is_left = later().all(|step| !writes(&touches(step)));
            let wants = case.words.wants(trace.nodes[end]);
            if is_left && wants.is_some_and(|wants| wants.reads.contains(variable)) {
                reads.push(end);
            }
            // Without a value it is only said to be written.
            let fits = |step: &usize| told.is_none() || value(*step, variable) == *told;
            (writes(&own) || sends(&own, variable) || receives(&own, variable)) && reads.iter().any(fits)
        }
        Why::Sent { channel } => {
            sends(&own, channel) && later().any(|step| receives(&touches(step), channel))
        }
        Why::Inside => case.net.nodes[trace.nodes[at + 1]].is_uninterrupted,
        Why::Guarded | Why::Before => {
            let actors = |step: usize| &case.net.events[trace.events[step]].actors;
            let is_own = |of: &[u8]| of.iter().any(|actor| actors(at).contains(actor));
            let node = trace.nodes[at + 1];
            let could =
                case.net.nodes[node].edges.iter().any(|edge| is_own(&case.net.events[edge.event].actors));
            let waits = || {
                let end = trace.nodes.last().copied().unwrap_or_default();
                case.words.waiting(end).iter().any(|waiting| is_own(&[waiting.actor.number]))
            };
            could || later().any(|step| is_own(actors(step))) || waits()
        }
        Why::Stale { variable, value: told, event } => {
            let Some(event) = case.net.event_named(event) else { return false };
            let node = trace.nodes[at + 1];
            let can = case.net.nodes[node].edges.iter().any(|edge| edge.event == event);
            let touched = case.words.footprint(case.net, node, event).unwrap_or_default();
            let writes = touched.writes.contains(variable)
                || sends(&touched, variable)
                || receives(&touched, variable);
            can && writes && (at + 1..trace.nodes.len()).any(|step| value(step, variable) == *told)
        }
    }
}

fn sends(touched: &Footprint, channel: &str) -> bool {
    touched.sends.iter().any(|passage| passage.channel == channel)
}

fn receives(touched: &Footprint, channel: &str) -> bool {
    touched.receives.iter().any(|passage| passage.channel == channel)
}
