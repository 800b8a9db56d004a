//! Why a method has nothing to say.

use findings::{Method, Skip, Undiagnosed};

use super::unwound::unsolved;

pub(super) const TOO_MANY_PAIRS: &str =
    "the states of the model and those of the property make too many pairs";

pub(super) fn skip(skip: &Skip) -> String {
    match skip {
        Skip::NotAsked => "not asked for",
        Skip::NothingToExplain => "there is no counterexample to explain",
        Skip::NoStatements => "only statements of programs and models can be assumed wrong",
        Skip::NoFormula => "traces of Java programs are not turned into formulas yet",
        Skip::Interrupted(interrupt) => return interrupt.to_string(),
        Skip::Unsolved(why) => return unsolved(*why),
        Skip::NoGraph => "the SAT engine has no graph of the program's states",
        Skip::NoStates => "a search by summaries has no complete states (use --engine explicit)",
        Skip::EndlessTrace(method) => match method {
            Method::CorrectTransitions => {
                "correct transitions compare traces that end, and this one runs forever"
            }
            Method::Diagnosis => "an endless trace has no check that should hold",
            method => return format!("{method} compare traces that end, and this one runs forever"),
        },
        Skip::UnknownFulfilments => "which traces pass is not known of this claim",
        Skip::GivenLts(Method::Variations) => {
            "a given counterexample LTS does not say which step of its traces fails"
        }
        Skip::GivenLts(_) => "traces of a given counterexample LTS have no correct transitions",
        Skip::TooManyPairs => TOO_MANY_PAIRS,
        Skip::TooManySplit => "the property splits the states of the model into too many",
        Skip::TraceLost => "the trace was not found again",
        Skip::SequencesTooLong { labels, longest } => {
            return format!("with {labels} events, sequences of at most {longest} can be compared");
        }
        Skip::NoOtherStep => "the counterexample has no step that could be another",
        Skip::LeavesUnwound => "the run with the inputs of the counterexample leaves what was unwound",
        Skip::TooManyTransitions => "more than 4,294,967,295 transitions",
        Skip::Undiagnosed(why) => return undiagnosed(why),
    }
    .to_owned()
}

fn undiagnosed(why: &Undiagnosed) -> String {
    match why {
        Undiagnosed::StartsThreads => "the program starts threads",
        Undiagnosed::NoCheck(kind) => return format!("a {kind} has no check that should hold"),
        Undiagnosed::NoSteps => "the trace has no steps",
        Undiagnosed::NoValues => "the steps of the trace compute no values",
        Undiagnosed::PastAnother => "the counterexample goes past another violation",
        Undiagnosed::UnknownValue => "a value on the trace is not known to the SAT engine",
        Undiagnosed::NothingDecides => "nothing on the trace decides whether it fails",
        Undiagnosed::RunPasses(inputs) => {
            let inputs: Vec<String> = inputs.iter().map(i64::to_string).collect();
            return format!("the run with the inputs {} does not fail", inputs.join(", "));
        }
    }
    .to_owned()
}
