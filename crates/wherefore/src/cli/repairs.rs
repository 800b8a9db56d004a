//! Looking for repairs of a model or a program that a report is about.

use graph::Interrupt;
use report::Report;
use wherefore::repairs::{Budget, Faulty, Search, Trial, find, is_concurrent, suspects, target};

use super::host::Terminal;

/// How much is tried with a solver, which knows no number of states.
const MOST_SOLVED: usize = 60;

/// A text and what it is called.
pub(crate) struct Text<'a> {
    pub(crate) file: &'a str,
    pub(crate) text: &'a str,
    pub(crate) language: edits::Language,
}

/// Looks for repairs and puts them into the report. `try_out` tells what the checker says of a text.
pub(crate) fn repair(
    report: &mut Report,
    about: &Text<'_>,
    host: &Terminal,
    mut try_out: impl FnMut(&str, u64) -> Result<Option<Trial>, Interrupt>,
) {
    let Some(target) = target(report) else { return };
    let Ok(Some(before)) = try_out(about.text, u64::MAX) else { return };
    let lines = suspects(report, about.file);
    let faulty = Faulty {
        text: about.text,
        file: about.file,
        language: about.language,
        trial: &before,
        target: &target,
        suspects: &lines,
        hints: &[],
        is_concurrent: is_concurrent(report),
    };
    let mut budget = Budget::default();
    if report.engine == "sat" {
        budget.tried = MOST_SOLVED;
    }
    let found = find(&faulty, budget, try_out);
    host.clear();
    put(report, about.file, found);
}

/// Puts repairs into a report: all of them, and each to the causes in its line.
fn put(report: &mut Report, file: &str, found: Search) {
    for verified in &found.verified {
        let is_there = |cause: &&mut report::Cause| {
            cause.repair.is_none()
                && cause.locations.iter().any(|at| at.file == file && at.line == verified.line)
        };
        if let Some(cause) = report.causes.iter_mut().find(is_there) {
            cause.repair = Some(verified.repair.clone());
        }
    }
    report.repairs = found
        .verified
        .into_iter()
        .map(|verified| report::FoundRepair {
            summary: verified.sentence,
            line: verified.line,
            repair: verified.repair,
        })
        .collect();
    report.repairs_tried = Some(found.tried);
}

/// Whoever interrupts a trial ends the search; a limit of states ends only the trial.
pub(crate) fn interrupted(interrupt: Option<Interrupt>) -> Result<(), Interrupt> {
    match interrupt {
        Some(limit @ (Interrupt::Cancelled | Interrupt::Timeout | Interrupt::Memory)) => Err(limit),
        _ => Ok(()),
    }
}
