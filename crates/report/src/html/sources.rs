//! The texts that a report points into. Files of ordinary size are shown as a whole; of a large one only the
//! surroundings of the lines that the report names, so that a page never grows out of proportion to what it tells.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use crate::Report;

/// How many lines, and bytes, a file may have that is shown as a whole.
const WHOLE_LINES: usize = 5_000;
const WHOLE_BYTES: usize = 400_000;

/// How many lines are shown around a line of a larger file, and how much of a line.
const AROUND: u64 = 15;
const LINE_BYTES: usize = 2_000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceFile {
    pub file: String,
    /// How many lines it has.
    pub lines: u64,
    pub pieces: Vec<Piece>,
}

/// Lines that follow each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// The number of the first one.
    pub first: u64,
    pub text: Vec<String>,
}

/// The texts of all files that a report names. `read` gives the text of one, or nothing where it cannot be had.
pub fn sources(report: &Report, mut read: impl FnMut(&str) -> Option<String>) -> Vec<SourceFile> {
    let Ok(told) = serde_json::to_value(report) else { return Vec::new() };
    let mut named = BTreeMap::new();
    collect(&told, &mut named);
    named.iter().filter_map(|(file, lines)| Some(cut(file, lines, &read(file)?))).collect()
}

/// Finds locations wherever they are, so that what a method adds to its evidence is found as well.
fn collect(value: &Value, named: &mut BTreeMap<String, BTreeSet<u64>>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, named)),
        Value::Object(fields) => {
            if let (Some(Value::String(file)), Some(line)) =
                (fields.get("file"), fields.get("line").and_then(Value::as_u64))
            {
                named.entry(file.clone()).or_default().insert(line);
            }
            fields.values().for_each(|field| collect(field, named));
        }
        _ => {}
    }
}

fn cut(file: &str, named: &BTreeSet<u64>, text: &str) -> SourceFile {
    let lines: Vec<&str> = text.lines().collect();
    let count = lines.len() as u64;
    let is_whole = lines.len() <= WHOLE_LINES && text.len() <= WHOLE_BYTES;
    let ranges = if is_whole { vec![(1, count)] } else { around(named, count) };
    let pieces = ranges.into_iter().map(|(first, last)| Piece {
        first,
        text: lines[first as usize - 1..last as usize].iter().map(|line| shortened(line)).collect(),
    });
    SourceFile { file: file.to_owned(), lines: count, pieces: pieces.collect() }
}

/// The lines around those that are named, as ranges that do not touch.
fn around(named: &BTreeSet<u64>, count: u64) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for line in named.iter().filter(|line| (1..=count).contains(*line)) {
        let (first, last) = (line.saturating_sub(AROUND).max(1), line.saturating_add(AROUND).min(count));
        match ranges.last_mut() {
            Some(before) if first <= before.1 + 1 => before.1 = last,
            _ => ranges.push((first, last)),
        }
    }
    ranges
}

fn shortened(line: &str) -> String {
    if line.len() <= LINE_BYTES {
        return line.to_owned();
    }
    let end = (0..=LINE_BYTES).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
    format!("{} \u{2026}", &line[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_files_are_cut_around_what_is_named() {
        let text: String = (1..=20_000).map(|line| format!("line {line}\n")).collect();
        let cut = cut("f", &BTreeSet::from([3, 20, 10_000, 19_999, 30_000]), &text);
        let ranges: Vec<(u64, usize)> =
            cut.pieces.iter().map(|piece| (piece.first, piece.text.len())).collect();
        assert_eq!(ranges, [(1, 35), (9_985, 31), (19_984, 17)]);
        assert_eq!(cut.pieces[1].text[15], "line 10000");
        assert_eq!(cut.lines, 20_000);
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let line = "\u{e4}".repeat(LINE_BYTES);
        let cut = cut("f", &BTreeSet::new(), &line);
        assert_eq!(cut.pieces[0].text[0].chars().count(), LINE_BYTES / 2 + 2);
        assert_eq!(super::cut("f", &BTreeSet::new(), "").pieces[0].text.len(), 0);
    }
}
