//! What an error trace lacks, as a statement to insert: where it could go, and whether that helps.
//!
//! A statement that every correct trace executes and the error trace does not is put where the error trace does what
//! no correct trace does: into the branch it takes, or before or after a statement of its own. The text keeps its
//! lines, so that what is wrong with the changed program can be compared with what was wrong before: the cause
//! must be gone, and nothing else may have gone wrong.

use edits::Candidate;
use findings::{ErrorTrace, Explanation, Outcome};

/// How many statements are tried in how many places.
const MOST_STATEMENTS: usize = 2;
const MOST_PLACES: usize = 6;

/// A statement put into a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// The statement, with its semicolon.
    pub statement: String,
    pub change: Candidate,
}

/// What could be inserted into the text of `file` so that the trace is no error any more, the likeliest first.
pub fn candidates(text: &str, file: &str, trace: &ErrorTrace) -> Vec<Insertion> {
    let mut statements: Vec<String> = Vec::new();
    for event in &trace.lacks {
        if let Some(statement) = statement_of(&event.action)
            && !statements.contains(&statement)
        {
            statements.push(statement);
        }
    }
    let mut found: Vec<Insertion> = Vec::new();
    for statement in statements.iter().take(MOST_STATEMENTS) {
        let mut places = 0;
        for cause in trace.causes.iter().rev() {
            let Some(location) = cause.from.as_ref().filter(|location| location.file == file) else {
                continue;
            };
            let Some(start) = offset(text, location.line, location.column) else { continue };
            // What another preprocessor made is not the text that people edit.
            let line = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
            if text[line..].lines().next().map(str::trim) != Some(location.text.trim()) {
                continue;
            }
            let outcome = outcome_of(&cause.event.action);
            for change in edits::insertions(text, start, outcome, statement) {
                if places < MOST_PLACES && !found.iter().any(|known| known.change.patch == change.patch) {
                    places += 1;
                    found.push(Insertion { statement: statement.clone(), change });
                }
            }
        }
    }
    found
}

/// How the condition of a branch turned out.
fn outcome_of(action: &str) -> Option<bool> {
    [(": true", true), (": false", false)]
        .into_iter()
        .find_map(|(ending, outcome)| action.ends_with(ending).then_some(outcome))
}

/// The event of a missing step as a statement: a call or an assignment; nothing for branches, returns, checks, and
/// what takes inputs.
fn statement_of(action: &str) -> Option<String> {
    const NO_STATEMENTS: [&str; 10] =
        ["if", "while", "for", "switch", "do", "return", "assert", "case", "goto", "__VERIFIER_"];
    let is_other = NO_STATEMENTS.iter().any(|word| {
        let rest = action.strip_prefix(word);
        rest.is_some_and(|rest| {
            word.ends_with('_') || !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        })
    });
    let is_whole = !action.ends_with("...") && !action.contains(" gave ");
    let is_statement =
        action.ends_with(')') || action.contains('=') || action.contains("++") || action.contains("--");
    (!is_other && outcome_of(action).is_none() && is_whole && is_statement).then(|| format!("{action};"))
}

/// The offset of a place, counted from 1 in lines and characters.
fn offset(text: &str, line: u64, column: u64) -> Option<usize> {
    let start = match line.checked_sub(2) {
        None => 0,
        Some(newline) => text.match_indices('\n').nth(usize::try_from(newline).ok()?)?.0 + 1,
    };
    let rest = text[start..].lines().next()?;
    let column = usize::try_from(column).ok()?.checked_sub(1)?;
    let at = rest.char_indices().nth(column).map_or(rest.len(), |(at, _)| at);
    Some(start + at)
}

/// Whether a trace of the report on a program is no error any more in the report on the changed program, and nothing
/// is wrong there that was not wrong before.
pub fn helps(before: &Explanation, trace: &ErrorTrace, after: &Explanation) -> bool {
    if !after.statistics.complete {
        return false;
    }
    let line = |location: &Option<findings::Location>| location.as_ref().map(|location| location.line);
    let is_known = |new: &findings::Violation| {
        let same = |old: &findings::Violation| {
            (&old.kind, &old.what, line(&old.location)) == (&new.kind, &new.what, line(&new.location))
        };
        before.violations.iter().any(same)
    };
    if !after.violations.iter().all(is_known) {
        return false;
    }
    let traces = |explanation: &Explanation| match &explanation.methods.correct_transitions {
        Some(Outcome::Found(found)) => found.traces.clone(),
        _ => Vec::new(),
    };
    let of_query = |explanation: &Explanation| -> Vec<ErrorTrace> {
        let mut all = traces(explanation);
        all.retain(|other| {
            other.query.check == trace.query.check
                && line(&other.query.location) == line(&trace.query.location)
        });
        all
    };
    let (old, new) = (of_query(before), of_query(after));
    let takes_cause = |other: &ErrorTrace| {
        other.causes.iter().any(|new| {
            trace
                .causes
                .iter()
                .any(|old| old.event.action == new.event.action && line(&old.from) == line(&new.from))
        })
    };
    new.len() < old.len() && !new.iter().any(takes_cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_calls_and_assignments_are_inserted() {
        assert_eq!(statement_of("ReleaseLock()").as_deref(), Some("ReleaseLock();"));
        assert_eq!(statement_of("format = 1").as_deref(), Some("format = 1;"));
        for no in [
            "if (x): true",
            "return x",
            "assert(x)",
            "x = f() gave 3",
            "return from f",
            "a = b + ...",
            "x < 1: false",
        ] {
            assert_eq!(statement_of(no), None, "{no}");
        }
    }
}
