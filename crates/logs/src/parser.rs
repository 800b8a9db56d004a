//! From blocks of lines to numbered events.

use std::borrow::Cow;

use crate::blocks::Block;
use crate::csv::Row;
use crate::error::Error;
use crate::events::{Interner, SEPARATOR, fingerprint};
use crate::json;
use crate::layout::{Columns, Layout};
use crate::options::{Options, Order};
use crate::record::{EVENT, FIELDS, NAMES, PROCESS, TRACE, Values};

/// How many broken lines of a block are kept as examples.
const MOST_EXAMPLES: usize = 3;
/// How much of a broken line is kept.
const EXCERPT: usize = 120;

/// The events of a block, column by column.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    /// By the numbers of the parser that made them.
    pub(crate) events: Vec<u32>,
    /// The line of each, counted from 0 at the start of the block.
    pub(crate) lines: Vec<u32>,
    /// Fingerprints of the traces; empty where every log is one.
    pub(crate) traces: Vec<u64>,
    /// Fingerprints of the processes; empty where they do not matter.
    pub(crate) processes: Vec<u64>,
    /// Events that this parser had not met before, in the order of their numbers, one after the other.
    pub(crate) names: Vec<u8>,
    pub(crate) name_ends: Vec<usize>,
    /// Names of the traces that are asked for.
    pub(crate) trace_names: Vec<(u64, String)>,
    pub(crate) line_count: u64,
    pub(crate) broken: u64,
    pub(crate) examples: Vec<Example>,
    pub(crate) not_utf8: u64,
}

/// A line that is no record.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    /// Counted from 0 at the start of the block.
    pub(crate) line: u64,
    pub(crate) reason: String,
    pub(crate) text: String,
}

impl Parsed {
    /// Empties everything and keeps the memory.
    fn clear(&mut self) {
        self.events.clear();
        self.lines.clear();
        self.traces.clear();
        self.processes.clear();
        self.names.clear();
        self.name_ends.clear();
        self.trace_names.clear();
        self.examples.clear();
        (self.line_count, self.broken, self.not_utf8) = (0, 0, 0);
    }
}

/// Reads blocks; every thread has its own.
pub(crate) struct Parser<'a> {
    options: &'a Options,
    /// Traces whose names are asked for, sorted.
    asked: &'a [u64],
    events: Interner,
    key: Vec<u8>,
    values: Values,
    row: Row,
    latin1: String,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(options: &'a Options, asked: &'a [u64]) -> Self {
        Self {
            options,
            asked,
            events: Interner::default(),
            key: Vec::new(),
            values: Values::default(),
            row: Row::default(),
            latin1: String::new(),
        }
    }

    pub(crate) fn parse(&mut self, block: &Block, out: &mut Parsed) -> Result<(), Error> {
        out.clear();
        out.line_count = block.skipped_lines;
        if block.overlong {
            out.line_count += 1;
            let start = String::from_utf8_lossy(&block.bytes[..block.bytes.len().min(EXCERPT)]);
            broken(out, block.skipped_lines, "the line is longer than 1 MiB".to_owned(), &start);
            return Ok(());
        }
        let bytes = &block.bytes[block.start.min(block.bytes.len())..];
        match std::str::from_utf8(bytes) {
            Ok(text) => self.lines(text, &block.layout, out),
            Err(_) => {
                let text = self.decoded(bytes, out);
                let done = self.lines(&text, &block.layout, out);
                self.latin1 = text;
                done
            }
        }
    }

    /// The bytes as text: lines that are not UTF-8 are Latin-1.
    fn decoded(&mut self, bytes: &[u8], out: &mut Parsed) -> String {
        let mut text = std::mem::take(&mut self.latin1);
        text.clear();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            match std::str::from_utf8(line) {
                Ok(line) => text.push_str(line),
                Err(_) => {
                    out.not_utf8 += 1;
                    text.extend(line.iter().map(|byte| char::from(*byte)));
                }
            }
        }
        text
    }

    fn lines(&mut self, text: &str, layout: &Layout, out: &mut Parsed) -> Result<(), Error> {
        if let Layout::Csv(columns) = layout {
            return self.rows(text, columns, out);
        }
        let mut at = 0;
        let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]);
        for end in breaks {
            if at >= text.len() {
                break;
            }
            let line = text[at..end].trim_end_matches('\r');
            at = end + 1;
            let number = out.line_count;
            out.line_count += 1;
            if line.trim_ascii().is_empty() {
                continue;
            }
            match layout {
                Layout::Text => self.event(number, [None, None, Some(line)], out)?,
                Layout::Groups(pattern) => match pattern.captures(line) {
                    Some(groups) => {
                        let group = |name| groups.name(name).map(|group| group.as_str());
                        self.event(number, NAMES.map(group), out)?;
                    }
                    None => broken(out, number, "the line does not match the pattern".to_owned(), line),
                },
                Layout::Json(paths) => {
                    let mut values = std::mem::take(&mut self.values);
                    values.clear();
                    match json::read(line, paths, &mut values) {
                        Ok(()) => self.record(number, &values, paths, line, out)?,
                        Err(reason) => broken(out, number, reason, line),
                    }
                    self.values = values;
                }
                Layout::Csv(_) => {}
            }
        }
        Ok(())
    }

    fn record(
        &mut self,
        number: u64,
        values: &Values,
        paths: &json::Paths,
        line: &str,
        out: &mut Parsed,
    ) -> Result<(), Error> {
        for field in [EVENT, TRACE] {
            if let (Some(path), None) = (&paths[field], values.get(field)) {
                broken(out, number, format!("no member `{path}`"), line);
                return Ok(());
            }
        }
        self.event(number, [TRACE, PROCESS, EVENT].map(|field| values.get(field)), out)
    }

    fn rows(&mut self, text: &str, columns: &Columns, out: &mut Parsed) -> Result<(), Error> {
        let mut rest = text;
        while !rest.is_empty() {
            let number = out.line_count;
            let mut row = std::mem::take(&mut self.row);
            let line_end = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
            let taken = row.read(rest, columns.delimiter);
            let end = taken.unwrap_or(line_end);
            // A row that goes on behind the line break has more lines.
            let within = memchr::memchr_iter(b'\n', &rest.as_bytes()[line_end.min(end)..end]).count();
            out.line_count += 1 + within as u64;
            let line = &rest[..line_end.min(end)];
            if taken.is_none() {
                broken(out, number, "a quoted field does not end".to_owned(), line);
            } else if row.len() > 1 || !line.trim_ascii().is_empty() {
                let values = columns.fields.map(|column| row.get(rest, column?));
                match columns.count {
                    Some(count) if count != row.len() => {
                        let reason = format!("{} fields where the header has {count}", row.len());
                        broken(out, number, reason, line);
                    }
                    _ => match missing(columns, &values) {
                        Some(reason) => broken(out, number, reason, line),
                        None => self.event(number, values, out)?,
                    },
                }
            }
            rest = rest.get(end + 1..).unwrap_or_default();
            self.row = row;
        }
        Ok(())
    }

    /// Notes what happened in a line.
    fn event(&mut self, line: u64, values: [Option<&str>; FIELDS], out: &mut Parsed) -> Result<(), Error> {
        let [trace, process, event] = values;
        self.key.clear();
        if let Some(process) = process {
            if self.options.mask_process {
                self.options.masker.mask(process, &mut self.key);
            } else {
                self.key.extend_from_slice(process.as_bytes());
            }
        }
        if self.options.order == Order::Process {
            out.processes.push(fingerprint(&self.key));
        }
        self.key.push(SEPARATOR);
        self.options.masker.mask(event.unwrap_or_default(), &mut self.key);
        let known = self.events.len();
        let number = self.events.number(&self.key)?;
        if number as usize == known {
            out.names.extend_from_slice(&self.key);
            out.name_ends.push(out.names.len());
        }
        out.events.push(number);
        out.lines.push(u32::try_from(line).unwrap_or(u32::MAX));
        if self.splits_traces() {
            let trace = trace.unwrap_or_default();
            let print = fingerprint(trace.as_bytes());
            if self.asked.binary_search(&print).is_ok()
                && !out.trace_names.iter().any(|(known, _)| *known == print)
            {
                out.trace_names.push((print, trace.to_owned()));
            }
            out.traces.push(print);
        }
        Ok(())
    }

    fn splits_traces(&self) -> bool {
        splits_traces(self.options)
    }
}

/// Whether a log can hold several traces.
pub(crate) fn splits_traces(options: &Options) -> bool {
    let by_line =
        options.line.as_ref().is_some_and(|line| line.capture_names().flatten().any(|g| g == "trace"));
    options.fields.trace.is_some() || by_line
}

/// What a row of CSV without a header lacks.
fn missing(columns: &Columns, values: &[Option<&str>; FIELDS]) -> Option<String> {
    [TRACE, EVENT].into_iter().find_map(|field| match (columns.fields[field], values[field]) {
        (Some(column), None) => Some(format!("no column {} for the {}", column + 1, NAMES[field])),
        _ => None,
    })
}

fn broken(out: &mut Parsed, line: u64, reason: String, text: &str) {
    out.broken += 1;
    if out.examples.len() < MOST_EXAMPLES {
        let cut = text.char_indices().nth(EXCERPT).map_or(text.len(), |(at, _)| at);
        let mark = if cut < text.len() { "..." } else { "" };
        let text: Cow<'_, str> = text[..cut].trim_end().into();
        out.examples.push(Example { line, reason, text: format!("{text}{mark}") });
    }
}
