//! The report as SARIF 2.1.0, for code scanning and editors: one result for each violation, because a bug is one alert.
//! Its causes are in the message, in related locations and in code flows; repairs are its fixes.
//!
//! Fingerprints are made of words, not of places: what is violated, and by which statement or, of a deadlock, who waits where.
//! So an alert stays the same alert when lines move, and when another cause comes first.

mod artifacts;
mod fingerprints;
mod flows;
mod log;
mod message;
mod patch;
mod results;
mod rules;

use std::collections::BTreeMap;
use std::io;

use artifacts::ROOT;
use log::{Artifact, BaseId, Driver, Invocation, Log, Message, Notification, Run, RunProperties, Tool};
use message::message_text;
use results::Teller;

use crate::{Method, Outcome, Report, Verdict};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Writes a report as a log. Absolute paths inside of `folder` are told from there. `exit_code` is the status the
/// command ends with.
pub fn render(
    report: &Report,
    folder: Option<&str>,
    exit_code: u8,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &log(report, folder, exit_code))?;
    writeln!(out)
}

fn log<'a>(report: &'a Report, folder: Option<&str>, exit_code: u8) -> Log<'a> {
    let mut teller = Teller::new(report, folder);
    let input = teller.artifacts.file(&report.input.path).index;
    let results = teller.results();
    let artifacts = teller.artifacts.listed().into_iter().map(|location| {
        let is_input = location.index == input;
        let roles = if is_input { vec!["analysisTarget"] } else { Vec::new() };
        Artifact { location, roles, source_language: is_input.then_some(&*report.input.kind) }
    });
    let description = Message { text: "the folder in which the command ran".to_owned() };
    let driver = Driver {
        name: "Wherefore",
        version: report.version,
        semantic_version: report.version,
        short_description: Message { text: "Explains counterexamples of model checking".to_owned() },
        rules: teller.rules.used,
    };
    let invocation = Invocation {
        execution_successful: true,
        exit_code,
        tool_execution_notifications: notifications(report),
    };
    let properties = RunProperties {
        verdict: report.verdict,
        reason: &report.reason,
        property: &report.property.text,
        properties: &report.properties,
        engine: report.engine,
        bound: report.bound,
        passing_definition: &report.passing_definition,
    };
    let run = Run {
        tool: Tool { driver },
        invocations: [invocation],
        original_uri_base_ids: BTreeMap::from([(ROOT, BaseId { description })]),
        artifacts: artifacts.collect(),
        results,
        column_kind: "unicodeCodePoints",
        properties,
    };
    Log { schema: SCHEMA, version: "2.1.0", runs: [run] }
}

/// What a reader of the results alone would miss.
fn notifications(report: &Report) -> Vec<Notification> {
    let note = |level, text: &str| Notification { level, message: Message { text: message_text(text) } };
    let mut notes = Vec::new();
    if report.verdict == Verdict::Unknown {
        notes.push(note("warning", &format!("undecided: {}", report.reason)));
    }
    for (method, why) in skipped(report) {
        notes.push(note("note", &format!("{method} was not run: {why}")));
    }
    notes
}

/// The methods that did not run, and why.
fn skipped(report: &Report) -> Vec<(Method, &str)> {
    let methods = &report.methods;
    let all = [
        (Method::Neighbourhoods, methods.neighbourhoods.as_ref().and_then(Outcome::skipped)),
        (Method::Anomalies, methods.anomalies.as_ref().and_then(Outcome::skipped)),
        (Method::CorrectTransitions, methods.correct_transitions.as_ref().and_then(Outcome::skipped)),
        (Method::Variations, methods.variations.as_ref().and_then(Outcome::skipped)),
        (Method::Diagnosis, methods.diagnosis.as_ref().and_then(Outcome::skipped)),
    ];
    all.into_iter().filter_map(|(method, why)| Some((method, why?.text()))).collect()
}
