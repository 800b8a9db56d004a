//! The flags of `contrast`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::flags::{LimitArgs, OutputArgs, parse_duration, parse_size};

const EXAMPLES: &str = "\
Examples:
  wherefore contrast --good pass/ --bad fail/              one trace a file, one event a line
  wherefore contrast --good 'ok/*.log.gz' --bad bad.log    compressed, by pattern
  wherefore contrast --good ok.jsonl --bad bad.jsonl --trace-field request_id --event-field msg
  wherefore contrast --good ok.log --bad bad.log --line '\\[(?<trace>\\w+)\\] (?<event>.*)'
  wherefore contrast --good ok/ --bad bad/ --mask 'user=\\w+' --length 3

Exit status: 0 no anomalies, 1 anomalies found, 2 bad usage or input, 3 undecided within the limits.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ContrastArgs {
    /// Logs of passing runs: files, folders (all files in them), patterns such as 'ok/*.log.gz'
    #[arg(long, value_name = "LOG", required = true, num_args = 1..)]
    pub(crate) good: Vec<PathBuf>,
    /// Logs of failing runs
    #[arg(long, value_name = "LOG", required = true, num_args = 1..)]
    pub(crate) bad: Vec<PathBuf>,
    /// How lines are written; default: from the name and content of each file
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) lang: Option<LogKind>,

    /// Field with the name of the trace; default: every file is one trace
    #[arg(long, value_name = "FIELD", help_heading = "Records")]
    pub(crate) trace_field: Option<String>,
    /// Field with the process that acts
    #[arg(long, value_name = "FIELD", help_heading = "Records")]
    pub(crate) process_field: Option<String>,
    /// Field with the event; default: event, message, msg, action or another usual name
    #[arg(long, value_name = "FIELD", help_heading = "Records")]
    pub(crate) event_field: Option<String>,
    /// The parts of a plain line, as groups (?<event>..), (?<trace>..), (?<process>..)
    #[arg(long, value_name = "REGEX", help_heading = "Records")]
    pub(crate) line: Option<regex::Regex>,

    /// Mask what matches this as well (may be given several times)
    #[arg(long, value_name = "REGEX", help_heading = "Masking")]
    pub(crate) mask: Vec<String>,
    /// Do not mask numbers, ids, addresses and timestamps at the start of lines
    #[arg(long, help_heading = "Masking")]
    pub(crate) no_mask: bool,
    /// Mask the names of processes, too
    #[arg(long, help_heading = "Masking")]
    pub(crate) mask_process: bool,

    /// Compare sequences of this many events; default: 2, and 3 where 2 find nothing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=logs::Options::LONGEST as i64), help_heading = "Comparison")]
    pub(crate) length: Option<u8>,
    /// Take sequences from whole traces or from each process of a trace for itself
    #[arg(long, value_enum, default_value_t = LogOrder::Trace, help_heading = "Comparison")]
    pub(crate) order: LogOrder,
    /// Score anomalies by how near they are to this event, the start of what explains the failure (part of its text)
    #[arg(long, value_name = "TEXT", help_heading = "Comparison")]
    pub(crate) start: Option<String>,
    /// Call anomalies also what occurs in at most this part of the passing traces
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = parse_percent, help_heading = "Comparison")]
    pub(crate) tolerance: f64,
    /// Look for patterns of at most this many events; 0: none
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=10), help_heading = "Comparison")]
    pub(crate) pattern_length: u8,
    /// Patterns are those of at least this part of the failing traces and of less of the passing ones
    #[arg(long, value_name = "PERCENT", default_value_t = 75.0, value_parser = parse_percent, help_heading = "Comparison")]
    pub(crate) support: f64,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// Stop when this much memory is in use (512M, 8G); default: nine tenths of what is free, or less where the system allows less
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = "Limits")]
    pub(crate) max_memory: Option<u64>,
    /// Stop after this time (30s, 5m, 1h)
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, help_heading = "Limits")]
    pub(crate) timeout: Option<Duration>,
    /// Parse with this many threads; default: one for each processor
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) threads: Option<NonZeroUsize>,
}

impl ContrastArgs {
    pub(crate) fn limits(&self) -> LimitArgs {
        let Self { max_memory, timeout, threads, .. } = *self;
        LimitArgs { max_states: None, max_memory, timeout, threads, no_external: false }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogKind {
    /// One JSON object a line
    Jsonl,
    /// Rows with a header, separated by commas, semicolons or tabs
    Csv,
    /// One event a line
    Text,
}

impl LogKind {
    pub(crate) fn kind(self) -> logs::Kind {
        match self {
            Self::Jsonl => logs::Kind::JsonLines,
            Self::Csv => logs::Kind::Csv,
            Self::Text => logs::Kind::Text,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogOrder {
    Trace,
    Process,
}

impl LogOrder {
    pub(crate) fn order(self) -> logs::Order {
        match self {
            Self::Trace => logs::Order::Trace,
            Self::Process => logs::Order::Process,
        }
    }
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim_end_matches('%').parse().ok();
    number.filter(|part| (0.0..=100.0).contains(part)).ok_or("expected a number from 0 to 100".to_owned())
}
