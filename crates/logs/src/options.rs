//! What a user can choose.

use std::num::NonZeroUsize;

use crate::mask::Masker;

/// How lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One JSON object a line.
    JsonLines,
    /// A header row and rows; separated by commas, semicolons or tabs.
    Csv,
    /// One event a line.
    Text,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::JsonLines => "jsonl",
            Self::Csv => "csv",
            Self::Text => "text",
        }
    }
}

/// Which sequences substrings are taken from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The events of a trace.
    #[default]
    Trace,
    /// The events of each process of a trace for itself.
    Process,
}

/// Where a record has what we want: names of members or columns.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    /// Without it every file is one trace.
    pub trace: Option<String>,
    pub process: Option<String>,
    /// Without it the first of some usual names.
    pub event: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Options {
    /// How lines are written; none: from name and content of each log.
    pub kind: Option<Kind>,
    pub fields: Fields,
    /// Groups named `trace`, `process` and `event` of a plain line.
    pub line: Option<regex::Regex>,
    pub masker: Masker,
    /// Whether names of processes are masked, too.
    pub mask_process: bool,
    /// How many events a substring has; none: 2, and 3 where 2 finds nothing.
    pub length: Option<usize>,
    pub order: Order,
    /// Part of the event with which what explains the failure starts, for equation (6).
    pub start: Option<String>,
    /// The part of the passing traces, in hundredths, in which an anomaly may occur all the same.
    pub tolerance: f64,
    /// How many anomalies are listed.
    pub most_anomalies: usize,
    /// The longest sequential pattern that is looked for; below 2: none are.
    pub pattern_length: usize,
    /// The part of the traces, in hundredths, that makes a pattern frequent.
    pub pattern_support: f64,
    pub threads: NonZeroUsize,
}

impl Options {
    /// The longest substring that can be asked for.
    pub const LONGEST: usize = 8;
}

impl Default for Options {
    fn default() -> Self {
        Self {
            kind: None,
            fields: Fields::default(),
            line: None,
            masker: Masker::default(),
            mask_process: false,
            length: None,
            order: Order::Trace,
            start: None,
            tolerance: 0.0,
            most_anomalies: 1_000,
            pattern_length: 3,
            pattern_support: 75.0,
            threads: NonZeroUsize::MIN,
        }
    }
}
