//! What replaying trails showed.

use std::io;

use findings::{Divergence, ReplayResult};
use serde::Serialize;

use crate::text::{Detail, Page};
use crate::wording::{count, shown};
use crate::{Input, Location, Property, Report, ViolationKind};

#[derive(Clone, Debug, Serialize)]
pub struct ReplayReport {
    pub schema: &'static str,
    pub version: &'static str,
    pub input: Input,
    pub property: Property,
    pub replays: Vec<findings::Replay<Violated>>,
}

impl ReplayReport {
    pub const SCHEMA: &'static str = Report::SCHEMA;
}

/// What a trail violates.
#[derive(Clone, Debug, Serialize)]
pub struct Violated {
    pub kind: ViolationKind,
    pub text: String,
    pub location: Option<Location>,
}

/// What is told of a trail that was gone again.
pub fn told(replay: findings::Replay) -> findings::Replay<Violated> {
    let findings::Replay { path, result, steps, violation, divergence, problem } = replay;
    let violation = violation.map(|found| Violated {
        kind: found.kind,
        text: crate::tell::what(&found.what),
        location: found.location,
    });
    findings::Replay { path, result, steps, violation, divergence, problem }
}

pub fn render_text(
    report: &ReplayReport,
    detail: Detail,
    colour: bool,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut page = Page::new(detail, colour);
    for replay in &report.replays {
        let path = shown(&replay.path);
        let steps = count(replay.steps.len() as u64, "step");
        match (replay.result, &replay.divergence) {
            (ReplayResult::Fails, _) => {
                let what = replay.violation.as_ref();
                let what = what.map_or_else(String::new, |what| format!(": {}, {}", what.kind, what.text));
                page.sentence("", 0, &shown(&format!("{path}: still fails after {steps}{what}")));
            }
            (ReplayResult::Passes, _) => {
                page.line(&format!("{path}: possible, {steps}, but nothing is violated"))
            }
            // That is an error, which is told where errors are.
            (ReplayResult::Unreadable, _) => {}
            (ReplayResult::Diverges, divergence) => {
                let why = divergence.as_ref().map(Divergence::to_string).unwrap_or_default();
                page.sentence("", 0, &shown(&format!("{path}: no longer possible, {why}")));
            }
        }
        if detail != Detail::Quiet {
            for step in &replay.steps {
                page.step(step, false);
            }
        }
    }
    out.write_all(page.text().as_bytes())
}

pub fn render_json(report: &ReplayReport, out: &mut dyn io::Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, report)?;
    writeln!(out)
}
