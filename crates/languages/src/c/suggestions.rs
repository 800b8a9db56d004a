//! Suggested insertions, each tried on the program before it is told.

use findings::{CauseKind, Explanation, Finding, Outcome, RecheckResult, Repair, Suggestion, Wrongdoing};
use pipeline::insertions::{candidates, helps};
use pipeline::repairs::{line_of, target};

/// How many states all trying may look at, and how many insertions are tried at most.
const MOST_STATES: u64 = 2_000_000;
const MOST_TRIED: u64 = 60;
/// A changed program may have so many states, as a multiple of what the program has, and besides.
const MORE: u64 = 4;
const BESIDES: u64 = 1_000;

/// Puts what helps into a report on the program with this text. `again` reports on a changed text, looking at so many
/// states at most; nothing if that is no program.
pub(super) fn suggest(
    explanation: &mut Explanation,
    file: &str,
    text: &str,
    again: impl Fn(&str, u64) -> Option<Explanation>,
) {
    let Some(Outcome::Found(found)) = &explanation.methods.correct_transitions else { return };
    // An insertion can make a program endless, so how far to look is decided before, and not by a clock.
    let most_states = explanation.statistics.states.saturating_mul(MORE).saturating_add(BESIDES);
    let mut left = (MOST_STATES / most_states).min(MOST_TRIED);
    let traces = found.traces.clone();
    let tried: Vec<Option<(Suggestion, u64, Option<Wrongdoing>)>> = traces
        .iter()
        .map(|trace| {
            let mut candidates = candidates(text, file, trace).into_iter();
            let (helping, remains) = candidates.find_map(|candidate| {
                left = left.checked_sub(1)?;
                let changed = candidate.change.patch.apply(text);
                let after = again(&changed, most_states).filter(|after| helps(explanation, trace, after))?;
                Some((candidate, target(&after)))
            })?;
            let suggestion = Suggestion {
                insert: helping.statement.clone(),
                line: helping.change.line,
                patch: helping.change.patch.diff(text, file),
                result: RecheckResult::Confirmed,
            };
            // What the change looks like begins here.
            let first = helping.change.patch.lines(text).first().copied();
            Some((suggestion, first.unwrap_or(helping.change.line), remains))
        })
        .collect();
    // The causes of the method come in the order of its traces.
    let explained = traces.iter().zip(&tried).filter(|(trace, _)| trace.kind.is_explained());
    let of_method =
        |finding: &&mut Finding| matches!(finding.claim.kind(), CauseKind::ErrorEdge | CauseKind::Values);
    for (finding, (_, suggestion)) in explanation.findings.iter_mut().filter(of_method).zip(explained) {
        finding.repair = suggestion.as_ref().map(|(suggestion, first, remains)| Repair {
            patch: suggestion.patch.clone(),
            location: line_of(text, file, *first),
            verified: true,
            bound: None,
            leaves: remains.clone(),
        });
    }
    if let Some(Outcome::Found(found)) = &mut explanation.methods.correct_transitions {
        for (trace, suggestion) in found.traces.iter_mut().zip(tried) {
            trace.suggestion = suggestion.map(|(suggestion, ..)| suggestion);
        }
    }
}
