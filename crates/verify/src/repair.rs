//! A change of the text with which the violation is gone: the patch is applied, and the changed input is explored from
//! scratch. The violation that is explained is gone, nothing is wrong that was not wrong before, and a trace passes. Where
//! the report names nothing that is left, nothing that was asked about is wrong any more.

use findings::{Beyond, Shows, TestResult, Witness};
use serde::Deserialize;

use crate::case::{result, same};
use crate::report::{Patch, ReportedPlace};

/// A violation as texts with small changes have them: its kind and its line.
pub type WrongAt = (String, Option<u64>);

/// What a changed input does.
#[derive(Clone, Debug)]
pub struct Survey {
    /// What is wrong, of what was asked about.
    pub wrong: Vec<WrongAt>,
    /// Whether a trace passes.
    pub passes: bool,
}

/// Why nothing is known of a changed input.
#[derive(Clone, Debug)]
pub enum NoSurvey {
    /// The changed text cannot be read.
    Unreadable(String),
    TooLarge(Beyond),
}

/// The text of an input, and what becomes of another text in its place.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "functions cannot be shown")]
pub struct Text<'a> {
    pub text: &'a str,
    pub survey: &'a dyn Fn(&str) -> Result<Survey, NoSurvey>,
}

/// The patch of a claim that is a repair itself.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Claimed {
    pub(crate) repair: Patch,
}

/// `before` is all that was wrong, `explained` the one that the repair is for.
pub(crate) fn repair(
    told: &Patch,
    text: Option<Text<'_>>,
    before: &[WrongAt],
    explained: &WrongAt,
) -> TestResult {
    let Some(text) = text else {
        return TestResult::TooLarge(Beyond::Question("the text cannot be changed".to_owned()));
    };
    let changed = match apply(text.text, &told.patch) {
        Ok(changed) => changed,
        Err(message) => return TestResult::Refuted(Witness::Unreadable { message }),
    };
    let survey = match (text.survey)(&changed) {
        Ok(survey) => survey,
        Err(NoSurvey::TooLarge(why)) => return TestResult::TooLarge(why),
        Err(NoSurvey::Unreadable(message)) => return TestResult::Refuted(Witness::Unreadable { message }),
    };
    let is_new = |wrong: &&WrongAt| !before.contains(wrong);
    let tested = same("whether the violation is left", &false, &survey.wrong.contains(explained))
        .and_then(|()| same("what is newly wrong", &None, &survey.wrong.iter().find(is_new)))
        .and_then(|()| match told.leaves {
            None => same("what is left", &None, &survey.wrong.first()),
            Some(_) => Ok(()),
        });
    let passes = if survey.passes { Ok(()) } else { Err(Witness::NoTrace { shows: Shows::Passes }) };
    result(tested.and(passes))
}

pub(crate) fn of_violation(kind: &str, at: Option<&ReportedPlace>) -> WrongAt {
    (kind.to_owned(), at.map(|at| at.line))
}

/// Applies a unified diff of one file.
fn apply(text: &str, patch: &str) -> Result<String, String> {
    let old: Vec<&str> = text.split('\n').collect();
    let mut new: Vec<&str> = Vec::new();
    let (mut at, mut hunks) = (0, 0);
    for line in patch.lines() {
        if let Some(header) = line.strip_prefix("@@ -") {
            let start = header.split([',', ' ']).next().and_then(|start| start.parse::<usize>().ok());
            let start = start.filter(|start| *start > at && *start <= old.len() + 1);
            let start = start.ok_or_else(|| format!("`{line}` is no place in the text"))? - 1;
            new.extend(&old[at..start]);
            at = start;
            hunks += 1;
        } else if hunks == 0 || line.starts_with('\\') {
            // The names of the files, and remarks.
        } else if let Some(added) = line.strip_prefix('+') {
            new.push(added);
        } else if !line.is_empty() && !line.starts_with([' ', '-']) {
            return Err(format!("`{line}` is no line of a patch"));
        } else {
            let expected = line.get(1..).unwrap_or_default();
            let found = old.get(at).copied().map(|found| found.strip_suffix('\r').unwrap_or(found));
            if found != Some(expected) {
                return Err(format!("the patch expects `{expected}` in line {}", at + 1));
            }
            if !line.starts_with('-') {
                new.push(old[at]);
            }
            at += 1;
        }
    }
    if hunks == 0 {
        return Err("the patch changes nothing".to_owned());
    }
    new.extend(&old[at..]);
    Ok(new.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_are_applied_where_they_fit() {
        let patch = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n";
        assert_eq!(apply("one\ntwo\nthree\nfour\n", patch), Ok("one\nTWO\nthree\nfour\n".to_owned()));
        assert!(apply("one\n2\nthree\n", patch).is_err());
        assert!(apply("one\n", "").is_err());
        assert!(apply("one\ntwo\nthree\n\n", &format!("{patch}~")).is_err());
    }
}
