//! How claims were tested again.

use findings::{CorrectTraceBy, How, RecheckResult};

use crate::Recheck;

/// What came of a recheck; what is read off results has nothing to run.
pub(super) fn told(found: Option<&findings::Recheck>) -> Recheck {
    let read_off = || Recheck { how: Recheck::READ_OFF.to_owned(), result: RecheckResult::NotRun };
    found.map_or_else(read_off, recheck)
}

pub(super) fn recheck(recheck: &findings::Recheck) -> Recheck {
    Recheck { how: how(&recheck.how), result: recheck.result }
}

fn how(how: &How) -> String {
    match how {
        How::ForwardAround(step) => {
            format!("a forward search for a passing trace before and after step {step}")
        }
        How::ForwardFromStart => "a forward search for a passing trace from the initial state".to_owned(),
        How::FixedPointsAround(step) => {
            format!("a fixed-point search for a satisfying trace before and after step {step}")
        }
        How::FormulaOnTrace => "the formula, evaluated on this trace by its definition".to_owned(),
        How::NoFormula => "there is no formula to evaluate on this trace".to_owned(),
        How::NothingBetween => {
            "a new search in which no step runs between the two finds no violation, and traces pass"
                .to_owned()
        }
        How::ForwardFromOccurrences => {
            "a forward search for a passing trace from every place where this can happen".to_owned()
        }
        How::WhereTrue { cures: true } => {
            "a new search from every state where this is true; without it no trace fails".to_owned()
        }
        How::WhereTrue { cures: false } => {
            "a new search for a passing trace from every state where this is true".to_owned()
        }
        How::CorrectTrace { by, is_cut_short } => {
            let by = match by {
                CorrectTraceBy::ForwardSearch => {
                    "a forward search for a correct trace from every place where this can happen"
                }
                CorrectTraceBy::Solver => {
                    "a new solver looked for a correct trace, with loops unwound twice as often"
                }
            };
            let limit = if *is_cut_short { "; it reached its limit first" } else { "" };
            format!("{by}{limit}")
        }
        How::VariationsWalked => "the traces were replayed step by step".to_owned(),
        How::WholeProgram => "the whole program as a formula, on the inputs of each failing run".to_owned(),
        How::ChangedProgramRun => "the changed program was run again in the same way".to_owned(),
        How::StatementsExecuted => {
            "the statements of the trace, executed again with the right values".to_owned()
        }
        How::CheckedFromScratch => "the changed text was checked again from scratch".to_owned(),
        How::PatternBlocked => {
            "a new search in which this never happens: the violation does not occur, and traces pass"
                .to_owned()
        }
        How::PatternInEveryLoop => "a search for a violating loop in which all of them move".to_owned(),
        How::PatternAtEveryEnd => "looked for in every violating state; traces that avoid it pass".to_owned(),
        How::Recorded => "recorded traces cannot be run again".to_owned(),
    }
}
