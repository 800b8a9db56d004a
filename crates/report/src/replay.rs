//! What replaying trails showed.

use std::io;

use serde::Serialize;

use crate::text::{Detail, Page};
use crate::wording::{alternatives, count, shown};
use crate::{Input, Location, Property, Report, Step, ViolationKind};

#[derive(Clone, Debug, Serialize)]
pub struct ReplayReport {
    pub schema: &'static str,
    pub version: &'static str,
    pub input: Input,
    pub property: Property,
    pub replays: Vec<Replay>,
}

impl ReplayReport {
    pub const SCHEMA: &'static str = Report::SCHEMA;
}

#[derive(Clone, Debug, Serialize)]
pub struct Replay {
    pub path: String,
    pub result: ReplayResult,
    /// The steps that could be replayed.
    pub steps: Vec<Step>,
    /// What is violated at its end; known of models.
    pub violation: Option<Violated>,
    /// Where the trail does not fit the system.
    pub divergence: Option<Divergence>,
    /// Why the trail could not be read.
    pub problem: Option<String>,
}

impl Replay {
    /// A trail that could not be read.
    pub fn unreadable(path: String, problem: String) -> Self {
        let result = ReplayResult::Unreadable;
        Self { path, result, steps: Vec::new(), violation: None, divergence: None, problem: Some(problem) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReplayResult {
    Fails,
    Passes,
    Diverges,
    Unreadable,
}

#[derive(Clone, Debug, Serialize)]
pub struct Divergence {
    /// The number of the step that is not possible.
    pub n: u64,
    pub wanted: String,
    /// What is possible there instead.
    pub possible: Vec<String>,
    /// The line of the trail, where steps are not simply numbered.
    pub line: Option<u64>,
    /// Why the step is not possible, where that is known.
    pub reason: Option<String>,
}

/// What a trail violates.
#[derive(Clone, Debug, Serialize)]
pub struct Violated {
    pub kind: ViolationKind,
    pub text: String,
    pub location: Option<Location>,
}

impl Divergence {
    pub fn sentence(&self) -> String {
        let instead = match (self.possible.len(), &self.reason) {
            (0, None) => "nothing is possible there".to_owned(),
            (0, Some(reason)) => reason.clone(),
            (_, None) => format!("only {} is possible there", alternatives(&self.possible, 5)),
            (_, Some(reason)) => {
                format!("{reason}; only {} is possible there", alternatives(&self.possible, 5))
            }
        };
        let entry = match self.line {
            Some(line) => format!("line {line} of the trail (step {})", self.n),
            None => format!("step {} of the trail", self.n),
        };
        format!("{entry}, `{}`, is not possible in the system: {instead}", self.wanted)
    }
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
            (ReplayResult::Unreadable, _) => {
                page.sentence("", 0, &shown(replay.problem.as_deref().unwrap_or_default()));
            }
            (ReplayResult::Diverges, divergence) => {
                let why = divergence.as_ref().map(Divergence::sentence).unwrap_or_default();
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
