//! What comparing logs of failing and passing runs showed.
//!
//! The members have the names and meanings of [`Report`] where there are such; what only a model can
//! tell is null.

use std::io;

use serde::Serialize;

use crate::{Cause, Engine, Exactness, Input, Order, Property, Report, Verdict};

#[derive(Clone, Debug, Serialize)]
pub struct ContrastReport {
    pub schema: &'static str,
    pub version: &'static str,
    pub input: Input,
    pub property: Property,
    pub engine: Engine,
    pub bound: Option<u64>,
    pub verdict: Verdict,
    pub reason: String,
    pub passing_definition: String,
    pub statistics: LogStatistics,
    pub causes: Vec<Cause>,
    pub methods: ContrastMethods,
    /// What the reader should know before trusting the rest, a sentence each.
    pub notes: Vec<String>,
}

impl ContrastReport {
    pub const SCHEMA: &'static str = Report::SCHEMA;
}

#[derive(Clone, Debug, Serialize)]
pub struct LogStatistics {
    pub good: LogSet,
    pub bad: LogSet,
    pub distinct_events: u64,
    pub distinct_substrings: u64,
    pub seconds: f64,
    pub peak_bytes: Option<u64>,
    /// Whether everything was read.
    pub complete: bool,
}

/// What was read of one set.
#[derive(Clone, Debug, Serialize)]
pub struct LogSet {
    pub files: u64,
    /// Unpacked.
    pub bytes: u64,
    pub lines: u64,
    pub events: u64,
    pub broken_lines: u64,
    /// The first of them.
    pub broken: Vec<BrokenLine>,
    /// Lines that were read as Latin-1.
    pub not_utf8_lines: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct BrokenLine {
    pub file: String,
    pub line: u64,
    pub reason: String,
    pub text: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct ContrastMethods {
    pub anomalies: LogAnomalies,
}

#[derive(Clone, Debug, Serialize)]
pub struct LogAnomalies {
    pub seconds: f64,
    pub exactness: Exactness,
    pub length: u64,
    pub order: Order,
    pub good: TraceSet,
    pub bad: TraceSet,
    /// How many there are; `listed` says how many of them are here.
    pub count: u64,
    pub listed: u64,
    pub anomalies: Vec<LogAnomaly>,
    /// The failing traces in which anomalies occur earliest, each with all that it has.
    pub counterexamples: Vec<LogTrace>,
    /// The next three need a model.
    pub explanatory_sequence: Option<Vec<u64>>,
    pub deferred: Option<Vec<u64>>,
    pub order_core: Option<Vec<u64>>,
    pub patterns: Option<LogPatterns>,
    pub groups: Vec<LogGroup>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct TraceSet {
    pub traces: u64,
    pub average_length: f64,
    pub max_length: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct LogEvent {
    pub process: Option<String>,
    pub pid: Option<u64>,
    pub action: String,
    /// Whether no passing trace has this event at all; only told of anomalies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only_failing: Option<bool>,
}

#[derive(Clone, Debug, Serialize)]
pub struct LogAnomaly {
    pub rank: u64,
    pub events: Vec<LogEvent>,
    /// The number of its first event in the trace where it occurs earliest, from 1.
    pub position: u64,
    pub file: String,
    pub line: u64,
    /// That trace, as an index into `counterexamples`; none where it is not among them.
    pub counterexample: Option<u64>,
    /// Equation (6), if the user has said where the explanation begins and it begins there in that trace.
    pub score: Option<f64>,
    pub support: Support,
    /// An index into `groups`.
    pub group: u64,
}

/// In how many traces something occurs.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Support {
    pub failing: u64,
    pub passing: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct LogTrace {
    pub trace: String,
    pub file: String,
    pub length: u64,
    /// By rank.
    pub anomalies: Vec<u64>,
}

/// Anomalies of exactly the same failing traces.
#[derive(Clone, Debug, Serialize)]
pub struct LogGroup {
    pub traces: u64,
    pub count: u64,
    /// The listed ones, by rank.
    pub anomalies: Vec<u64>,
}

#[derive(Clone, Debug, Serialize)]
pub struct LogPatterns {
    /// Whether the search came to its end.
    pub complete: bool,
    /// How many traces were looked at.
    pub sample: Support,
    /// In how many of them a pattern is frequent.
    pub frequent: Support,
    pub count: u64,
    /// The first of them.
    pub patterns: Vec<LogPattern>,
}

#[derive(Clone, Debug, Serialize)]
pub struct LogPattern {
    pub events: Vec<LogEvent>,
    pub support: Support,
}

pub fn render_json(report: &ContrastReport, out: &mut dyn io::Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, report)?;
    writeln!(out)
}
