//! The counterexample, and the property along it.

use findings::{Chosen, FailingWhat, TraceEnd, What};

use super::what;
use crate::{Blocked, Counterexample, Evaluation, FailingPart};

pub(super) fn counterexample(found: &findings::Counterexample) -> Counterexample {
    let (how, choice) = match found.chosen {
        Chosen::Given => ("the given trace", "given"),
        Chosen::CalmestShortest => ("the shortest trace with the fewest decisions", "fewest-decisions"),
        Chosen::Shortest => ("a shortest trace", "shortest"),
        Chosen::Short => ("a short trace", "short"),
        Chosen::FirstFound => ("the first trace found", "first-found"),
        Chosen::ShortestToDecision => (way_to_decision(found), "shortest-to-point-of-no-return"),
    };
    let past = if found.past_others { ", past other violations" } else { "" };
    Counterexample {
        kind: found.kind,
        text: found.what.as_ref().map(what),
        length: found.length,
        loop_start: found.loop_start,
        chosen: format!("{how}{past}"),
        choice,
        past_others: found.past_others,
        initial: found.initial.clone(),
        steps: found.steps.clone(),
        blocked: found.blocked.iter().map(blocked).collect(),
        condition: found.condition.clone(),
    }
}

/// What the shortest way leads to that is told of an endless trace.
fn way_to_decision(found: &findings::Counterexample) -> &'static str {
    match found.what {
        Some(What::Endless { ending: TraceEnd::Repeats { .. }, .. }) => {
            "a shortest way to a loop that violates the property"
        }
        Some(What::Endless { ending: TraceEnd::Stops, .. }) => {
            "a shortest way to an end that violates the property"
        }
        _ => "a shortest way to where every continuation violates the property",
    }
}

fn blocked(blocked: &findings::Blocked) -> Blocked {
    let reasons: Vec<&str> = blocked.needs.iter().map(|need| need.reason.as_str()).collect();
    let waits_for = if blocked.may_end && reasons.is_empty() {
        "nothing: it may end here".to_owned()
    } else {
        reasons.join("; ")
    };
    Blocked {
        process: blocked.process.clone(),
        pid: blocked.pid,
        location: blocked.location.clone(),
        waits_for,
        may_end: blocked.may_end,
        needs: blocked.needs.clone(),
    }
}

pub(super) fn evaluation(found: &findings::Evaluation) -> Evaluation {
    let part = |one: &findings::FailingPart| {
        let text = found.parts.get(one.part as usize).map_or("", |part| part.text.as_str());
        FailingPart {
            part: one.part,
            step: one.step,
            last: one.last,
            holds: one.holds,
            words: failing(one, text),
        }
    };
    Evaluation {
        parts: found.parts.clone(),
        matched: found.matched.clone(),
        failing: found.failing.iter().map(part).collect(),
    }
}

fn failing(part: &findings::FailingPart, text: &str) -> String {
    match &part.what {
        FailingWhat::Matches { event, completes } => {
            let which = match part.last - part.step {
                0 => format!("step {}, `{event}`, is", part.step),
                _ => format!("steps {} to {} are", part.step, part.last),
            };
            let end = if *completes { ", with which the forbidden sequence is complete" } else { "" };
            format!("{which} matched by `{text}`{end}")
        }
        FailingWhat::Evaluates { from_there_on } => {
            let value = part.holds;
            match (part.step, from_there_on) {
                (0, false) => format!("at the start `{text}` is {value}"),
                (0, true) => format!("`{text}` is {value} from the start, and nothing later changes that"),
                (step, false) => format!("after step {step} `{text}` is {value}"),
                (step, true) => {
                    format!("after step {step} `{text}` is {value}, and nothing later changes that")
                }
            }
        }
    }
}
