//! What testing the claims of a report again came to, in words: a line for each claim, and one for all.

use std::io;

use findings::{Beyond, Overall, Shows, TestResult, TestedClaim, Verification, Witness};
use serde::Serialize;

use crate::Report;
use crate::text::{Detail, Page};
use crate::wording::{count, shown};

pub fn render_text(
    tested: &Verification,
    detail: Detail,
    colour: bool,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut page = Page::new(detail, colour);
    if detail != Detail::Quiet {
        for claim in &tested.claims {
            page.sentence("", 2, &shown(&line(claim)));
        }
    }
    page.sentence("", 0, &summary(tested));
    out.write_all(page.text().as_bytes())
}

/// The same for scripts.
#[derive(Serialize)]
struct Told<'a> {
    schema: &'static str,
    version: &'static str,
    result: &'static str,
    #[serde(flatten)]
    tested: &'a Verification,
}

pub fn render_json(tested: &Verification, out: &mut dyn io::Write) -> io::Result<()> {
    let result = match tested.overall() {
        Overall::AllHold => "holds",
        Overall::SomeRefuted => "refuted",
        Overall::SomeUntested => "not-all-tested",
    };
    let told = Told { schema: Report::SCHEMA, version: env!("CARGO_PKG_VERSION"), result, tested };
    serde_json::to_writer_pretty(&mut *out, &told)?;
    writeln!(out)
}

fn line(claim: &TestedClaim) -> String {
    let TestedClaim { at, kind, claim, result } = claim;
    let claim = claim.as_ref().map_or_else(String::new, |claim| format!(": {claim}"));
    match result {
        TestResult::Holds => format!("holds: {at}, {kind}{claim}"),
        TestResult::Refuted(witness) => format!("refuted: {at}, {kind}{claim}. {}", refutation(witness)),
        TestResult::TooLarge(why) => format!("too large to test: {at}, {kind}{claim}. {}", beyond(why)),
        TestResult::NotTested => format!("not tested by verify: {at}, {kind}{claim}"),
    }
}

fn refutation(witness: &Witness) -> String {
    match witness {
        Witness::Differs { what, told, found } => {
            format!("The {what}: the report says {told}, found {found}.")
        }
        Witness::Impossible { step, event } => format!("Step {step}, `{event}`, is not possible there."),
        Witness::Trace { shows, events } => {
            let how = match shows {
                Shows::Passes => "A trace can pass after these steps",
                Shows::Fails => "A trace fails with these steps",
                Shows::Occurs => "A trace does it with these steps",
            };
            match &events[..] {
                [] => format!("{how}: none."),
                events => format!("{how}: `{}`.", events.join("`, `")),
            }
        }
        Witness::NoTrace { shows: Shows::Passes } => "No trace passes.".to_owned(),
        Witness::NoTrace { shows: Shows::Fails } => "No trace fails.".to_owned(),
        Witness::NoTrace { shows: Shows::Occurs } => "No trace does it.".to_owned(),
        Witness::Unknown { what } => format!("The input does not have {what}."),
        Witness::Unreadable { message } => format!("The changed text cannot be read: {message}."),
    }
}

fn beyond(why: &Beyond) -> String {
    match why {
        Beyond::States(most) => format!("There are more than {}.", count(*most, "state")),
        Beyond::Interrupted(why) => format!("Stopped: {why}."),
        Beyond::Unknowable => "The machine cannot tell what comes after some state.".to_owned(),
        Beyond::PartialReport => "The report did not see everything.".to_owned(),
        Beyond::Question(why) => format!("The question cannot be asked again: {why}."),
    }
}

fn summary(tested: &Verification) -> String {
    let number = |wanted: fn(&TestResult) -> bool| {
        tested.claims.iter().filter(|claim| wanted(&claim.result)).count() as u64
    };
    let holding = number(|result| *result == TestResult::Holds);
    let refuted = number(|result| matches!(result, TestResult::Refuted(_)));
    let large = number(|result| matches!(result, TestResult::TooLarge(_)));
    let untested = number(|result| *result == TestResult::NotTested);
    let mut parts = vec![format!("{} of {} hold", holding, count(tested.claims.len() as u64, "claim"))];
    for (number, what) in [(refuted, "refuted"), (large, "too large to test"), (untested, "not tested")] {
        if number > 0 {
            parts.push(format!("{number} {what}"));
        }
    }
    parts.join(", ")
}
