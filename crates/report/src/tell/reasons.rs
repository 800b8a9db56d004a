//! Why the verdict is what it is, and what counts as passing.

use findings::{EndlessProperty, Note, Passing, Reason, TraceEnd, What, Why};
use graph::{Fairness, Interrupt};

use super::{skips, unwound};

pub(super) fn reason(reason: &Reason) -> String {
    let mut text = why(&reason.why);
    for note in &reason.notes {
        text.push_str(&match note {
            Note::BrokenPromise(words) => format!("; {words}, so it was ignored"),
            Note::NoTraceBefore(limit) => {
                format!("; no trace to it was found before {}", self::limit(*limit))
            }
            Note::NoShortTrace => "; every trace to it is too long to show".to_owned(),
        });
    }
    text
}

fn why(why: &Why) -> String {
    match why {
        Why::Nothing => String::new(),
        Why::NotRead(interrupt) => format!("the input was not read completely: {interrupt}"),
        Why::NothingBefore(limit) => {
            let limit = limit.map_or_else(|| "a limit".to_owned(), self::limit);
            format!("nothing was found before {limit}")
        }
        Why::Wrong { what, location: None } => self::what(what),
        Why::Wrong { what, location: Some(at) } => {
            format!("{}:{}: {}", at.file, at.line, self::what(what))
        }
        Why::NoneReachable { is_deadlock: true } => "no deadlock can be reached".to_owned(),
        Why::NoneReachable { is_deadlock: false } => {
            "no forbidden sequence of actions is possible".to_owned()
        }
        Why::AllStates => "all reachable states were checked".to_owned(),
        Why::EveryCall => "every call was checked from every state in which it can begin".to_owned(),
        Why::NoEndlessTrace => "no endless trace violates it".to_owned(),
        Why::Endless(end) => trace_end(*end),
        Why::FaultsBefore(faults) => {
            let told = faults.iter().map(|(what, at)| match at {
                Some(at) => format!("{} at {}:{}", self::what(what), at.file, at.line),
                None => self::what(what),
            });
            let told: Vec<String> = told.collect();
            format!("no run without a fault violates it, but runs end before: {} (-p fault)", told.join("; "))
        }
        Why::WithinBound(bound) => {
            format!("no run violates it, and none goes beyond the bound of {bound}")
        }
        Why::LeftOut(left_out) => unwound::left_out(*left_out),
        Why::Unsolved { unwound, by } => unwound::unsolved_within(*unwound, *by),
        Why::NotFollowed(limit) => format!("a run was found, but not followed to its end: {limit}"),
        Why::NotConfirmed { is_check, line, inputs } => unwound::not_confirmed(*is_check, *line, inputs),
        Why::TooManyPairs => skips::TOO_MANY_PAIRS.to_owned(),
        Why::CounterexampleLost => "the counterexample that must exist was not found".to_owned(),
        Why::TrailNotExplored => "the trail was not explored".to_owned(),
        Why::FromParser { at, message } => format!("the formula has an error: {at}: {message}"),
        Why::FromFrontEnd(words) => words.clone(),
        Why::Both { first, second } => {
            format!("{} ({} engine); {} ({} engine)", reason(&first.0), first.1, reason(&second.0), second.1)
        }
    }
}

/// What is wrong, in a few words.
pub fn what(what: &What) -> String {
    match what {
        What::Quoted(words) => words.clone(),
        What::Deadlock => "no process can move, and not all of them may stop here".to_owned(),
        What::NoWayOn => "a state without outgoing transitions is reachable".to_owned(),
        What::ForbiddenSequence => "a forbidden sequence of actions is possible".to_owned(),
        What::Broken { property, step, because } => {
            let because = because.as_ref().map_or_else(String::new, |because| format!(": {because}"));
            format!("{property}: violated after step {step}{because}")
        }
        What::Endless { property, ending } => {
            let violated = match property {
                EndlessProperty::Stated(text) => text,
                EndlessProperty::NoAcceptanceCycle => "acceptance cycle",
                EndlessProperty::NoNonProgressCycle => "non-progress cycle",
            };
            format!("{violated}: {}", trace_end(*ending))
        }
    }
}

/// How a trace goes on after its last step.
pub fn trace_end(end: TraceEnd) -> String {
    match end {
        TraceEnd::Repeats { first, last } if first == last => format!("step {last} is repeated forever"),
        TraceEnd::Repeats { first, last } => format!("steps {first} to {last} are repeated forever"),
        TraceEnd::Stops => "the trace stops, and the property is not satisfied".to_owned(),
        TraceEnd::Decided => "every continuation violates the property".to_owned(),
    }
}

/// What ended an analysis early, as something that "came".
pub fn limit(interrupt: Interrupt) -> String {
    match interrupt {
        Interrupt::Cancelled => "the run was interrupted".to_owned(),
        limit => limit.to_string(),
    }
}

pub(super) fn passing(passing: Passing) -> String {
    match passing {
        Passing::Processes(fairness) => {
            let fair = match fairness {
                Fairness::Weak => " under weak fairness (no process stays enabled forever without moving)",
                Fairness::None => ", without any fairness",
            };
            format!(
                "a trace passes if it ends where every process may stop, or runs forever without a violation{fair}"
            )
        }
        Passing::NoProcesses => {
            "a trace passes if it ends where it may, or runs forever without a violation; the system has no \
             processes, so fairness does not apply"
                .to_owned()
        }
        Passing::NoDeadlock => without_processes("ends properly (see --final-label) or runs forever"),
        Passing::NoForbiddenSequence => {
            without_processes("ends or runs forever without a forbidden sequence")
        }
        Passing::MeetsProperty(fairness) => {
            let which = match fairness {
                Fairness::Weak => {
                    "every weakly fair trace (no process stays enabled forever without moving) must satisfy it"
                }
                Fairness::None => "every trace must satisfy it, fair or not (--fairness weak asks for less)",
            };
            format!(
                "a trace passes if it satisfies the property; the last state of a trace that ends is repeated \
                 forever; {which}"
            )
        }
    }
}

fn without_processes(how: &str) -> String {
    format!("a trace passes if it {how}; a transition system has no processes, so fairness does not apply")
}
