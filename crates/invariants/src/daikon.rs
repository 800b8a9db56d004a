//! Samples for Daikon itself: a declaration file and a data trace file (its formats, version 2.0).

use std::fmt::Write as _;

use crate::samples::{Samples, Value};

/// A program point: its name and its samples.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    pub name: &'a str,
    pub samples: &'a Samples,
}

/// The declarations of all points.
pub fn declarations(points: &[Point<'_>]) -> String {
    let mut out = String::from("decl-version 2.0\nvar-comparability none\n");
    for point in points {
        let _ = write!(out, "\nppt {}\nppt-type point\n", escaped(&point_name(point.name)));
        for (column, name) in point.samples.names().iter().enumerate() {
            let kind = kind_of(point.samples, column);
            let _ = write!(out, "variable {}\n  var-kind variable\n", escaped(name));
            if kind.ends_with(']') {
                out.push_str("  array 1\n");
            }
            let _ = write!(out, "  dec-type {kind}\n  rep-type {kind}\n  comparability 1\n");
        }
    }
    out
}

/// The samples of all points.
pub fn data_trace(points: &[Point<'_>]) -> String {
    let mut out = String::new();
    for point in points {
        for row in 0..point.samples.len() {
            let _ = writeln!(out, "{}", point_name(point.name));
            for (column, name) in point.samples.names().iter().enumerate() {
                let value = point.samples.value(row, column);
                // The number says whether the value is known: 1, or 2 for one that is not.
                let (text, known) = match value {
                    None => ("nonsensical".to_owned(), 2),
                    Some(Value::Number(number)) => (number.to_string(), 1),
                    Some(Value::Word(word)) => (format!("\"{}\"", word.escape_default()), 1),
                    Some(Value::Array(elements)) => {
                        let elements: Vec<String> = elements.iter().map(i64::to_string).collect();
                        (format!("[{}]", elements.join(" ")), 1)
                    }
                };
                let _ = writeln!(out, "{name}\n{text}\n{known}");
            }
            out.push('\n');
        }
    }
    out
}

/// Daikon knows a point by what stands behind `:::`.
fn point_name(name: &str) -> String {
    format!("{}:::POINT", name.replace(['\n', '\r'], " "))
}

/// In declarations a blank is written `\_`.
fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace(' ', "\\_")
}

fn kind_of(samples: &Samples, column: usize) -> &'static str {
    let first = (0..samples.len()).find_map(|row| samples.value(row, column));
    match first {
        Some(Value::Word(_)) => "java.lang.String",
        Some(Value::Array(_)) => "int[]",
        Some(Value::Number(_)) | None => "int",
    }
}
