//! Why the verdict is what it is, what counts as passing, and why a method has nothing to say.

use findings::{Method, Note, Passing, Reason, Skip, TraceEnd, What, Why};
use graph::{Fairness, Interrupt};

pub(super) fn reason(reason: &Reason) -> String {
    let mut text = why(&reason.why);
    for note in &reason.notes {
        text.push_str(&match note {
            Note::BrokenPromise(words) => format!("; {words}, so nothing was made of it"),
            Note::NoTraceBefore(limit) => {
                format!("; no trace to it was found before {}", self::limit(*limit))
            }
            Note::NoShortTrace => "; no trace to it is short enough to be told".to_owned(),
        });
    }
    text
}

fn why(why: &Why) -> String {
    match why {
        Why::Nothing => String::new(),
        Why::NotRead(interrupt) => format!("the input was not read to its end: {interrupt}"),
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
        Why::AllStates => "all reachable states were looked at".to_owned(),
        Why::EveryCall => "every call was looked at from every state it can begin with".to_owned(),
        Why::NoEndlessTrace => "no endless trace violates it".to_owned(),
        Why::Endless(end) => trace_end(*end),
        Why::WithinBound(bound) => {
            format!("no run violates it, and none goes beyond the bound of {bound}")
        }
        Why::Told(words) => words.clone(),
        Why::Both { first, second } => {
            format!("{} ({} engine); {} ({} engine)", reason(&first.0), first.1, reason(&second.0), second.1)
        }
    }
}

/// What is wrong, in a few words.
pub fn what(what: &What) -> String {
    match what {
        What::Told(words) => words.clone(),
        What::Deadlock => "nothing can move, and not every process may stop where it is".to_owned(),
        What::NoWayOn => "a state without a way on can be reached".to_owned(),
        What::ForbiddenSequence => "a forbidden sequence of actions is possible".to_owned(),
        What::Endless { property, ending } => format!("{property}: {}", trace_end(*ending)),
    }
}

/// How a trace goes on after its last step.
pub fn trace_end(end: TraceEnd) -> String {
    match end {
        TraceEnd::Repeats { first, last } if first == last => format!("step {last} is repeated for ever"),
        TraceEnd::Repeats { first, last } => format!("steps {first} to {last} are repeated for ever"),
        TraceEnd::Stops => "nothing moves any more, and the property is not met".to_owned(),
        TraceEnd::Decided => "whatever comes now, the property is violated".to_owned(),
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
                Fairness::Weak => {
                    " in which every process moves again and again or again and again cannot (weak fairness)"
                }
                Fairness::None => ", whoever is passed over",
            };
            format!(
                "a trace passes when it ends where every process may stop, or goes on for ever without violation{fair}"
            )
        }
        Passing::NoProcesses => {
            "a trace passes when it ends where it may, or goes on for ever without violation; the system names no \
             processes, so fairness asks nothing of it"
                .to_owned()
        }
        Passing::NoDeadlock => without_processes("ends properly (see --final-label) or goes on for ever"),
        Passing::NoForbiddenSequence => {
            without_processes("ends or goes on for ever without having shown a forbidden sequence")
        }
        Passing::MeetsProperty(fairness) => {
            let which = match fairness {
                Fairness::Weak => {
                    "every trace in which each process moves again and again or again and again cannot (weak fairness) \
                     must meet it"
                }
                Fairness::None => {
                    "every trace must meet it, whoever is passed over (--fairness weak asks for less)"
                }
            };
            format!(
                "a trace passes when it meets the property; where it ends, its last state counts for ever; {which}"
            )
        }
    }
}

fn without_processes(how: &str) -> String {
    format!(
        "a trace passes when it {how}; a transition system names no processes, so fairness asks nothing of it"
    )
}

pub(super) fn skip(skip: &Skip) -> String {
    match skip {
        Skip::NotAsked => "not asked for".to_owned(),
        Skip::NothingToExplain => "there is no counterexample to explain".to_owned(),
        Skip::NoStatements => "only statements of programs and models can be assumed wrong".to_owned(),
        Skip::Interrupted(interrupt) => interrupt.to_string(),
        Skip::NoGraph => "the SAT engine has no graph of the program's states".to_owned(),
        Skip::NoStates => {
            "a search by summaries has no states with all their calls (--engine explicit)".to_owned()
        }
        Skip::EndlessTrace(method) => match method {
            Method::CorrectTransitions => {
                "correct transitions are those of traces that end, and this one goes on for ever".to_owned()
            }
            Method::Diagnosis => "an endless trace has no check that should hold".to_owned(),
            method => format!("{method} are compared in traces that end, and this one goes on for ever"),
        },
        Skip::UnknownFulfilments => "which traces pass is not known of this claim".to_owned(),
        Skip::GivenLts(Method::Variations) => {
            "a given counterexample LTS does not say which step of its traces fails".to_owned()
        }
        Skip::GivenLts(_) => "traces of a given counterexample LTS have no correct transitions".to_owned(),
        Skip::Told(words) => words.clone(),
    }
}
