//! Suggested insertions, each tried on the program before it is told.

use report::{Outcome, RecheckResult, Repair, Report, Suggestion};
use wherefore::analysis::Host;
use wherefore::insertions::{candidates, helps};

/// How long trying may take, in seconds or as a multiple of what the whole analysis took.
const LEAST: f64 = 1.0;
const SHARE: f64 = 3.0;

/// Puts what helps into a report on the program with this text. `again` reports on a changed text; nothing if that is
/// no program.
pub(crate) fn suggest(
    report: &mut Report,
    (file, text): (&str, &str),
    host: &dyn Host,
    again: impl Fn(&str) -> Option<Report>,
) {
    let Some(Outcome::Found(found)) = &report.methods.correct_transitions else { return };
    let started = host.seconds();
    let limit = started + LEAST.max(SHARE * started);
    let traces = found.traces.clone();
    let tried: Vec<Option<Suggestion>> = traces
        .iter()
        .map(|trace| {
            let mut candidates = candidates(text, file, trace).into_iter();
            let helping = candidates.find(|candidate| {
                host.seconds() < limit
                    && again(&candidate.text).is_some_and(|after| helps(report, trace, &after))
            })?;
            Some(Suggestion {
                insert: helping.statement.clone(),
                line: helping.line,
                patch: helping.patch(file, text),
                result: RecheckResult::Confirmed,
            })
        })
        .collect();
    // The causes of the method come in the order of its traces.
    let explained = traces.iter().zip(&tried).filter(|(trace, _)| trace.kind != "unexplained");
    let of_method = |cause: &&mut report::Cause| cause.methods == ["correct-transitions"];
    for (cause, (_, suggestion)) in report.causes.iter_mut().filter(of_method).zip(explained) {
        cause.repair = suggestion.as_ref().map(|suggestion| Repair {
            patch: suggestion.patch.clone(),
            verified: true,
            bound: None,
        });
    }
    if let Some(Outcome::Found(found)) = &mut report.methods.correct_transitions {
        for (trace, suggestion) in found.traces.iter_mut().zip(tried) {
            trace.suggestion = suggestion;
        }
    }
}
