//! Samples for Daikon itself: a declaration file and a data trace file (its formats, version 2.0).
//!
//! An array is two variables there: where it lies, which says nothing here and is always the same, and its elements.

use std::fmt::Write as _;

use crate::samples::{Samples, Value};

/// A program point: its name and its samples.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    pub name: &'a str,
    pub samples: &'a Samples,
}

/// What all values of a variable are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueKind {
    Number,
    Word,
    Array,
}

/// The declarations of all points.
pub fn declarations(points: &[Point<'_>]) -> String {
    let mut out = String::from("decl-version 2.0\nvar-comparability none\n");
    for point in points {
        let _ = write!(out, "\nppt {}\nppt-type point\n", escaped(&point_name(point.name)));
        for (column, name) in point.samples.names().iter().enumerate() {
            let mut variable = |name: &str, more: &str, declared: &str, kept: &str| {
                let name = escaped(name);
                let _ = write!(
                    out,
                    "variable {name}\n  var-kind {more}\n  dec-type {declared}\n  rep-type {kept}\n  comparability 1\n"
                );
            };
            match kind_of(point.samples, column) {
                ValueKind::Number => variable(name, "variable", "int", "int"),
                ValueKind::Word => variable(name, "variable", "java.lang.String", "java.lang.String"),
                ValueKind::Array => {
                    let (place, elements) = of_array(name);
                    variable(&place, "variable", "int[]", "hashcode");
                    let within = format!("array\n  enclosing-var {}\n  array 1", escaped(&place));
                    variable(&elements, &within, "int[]", "int[]");
                }
            }
        }
    }
    out
}

/// The samples of all points.
pub fn data_trace(points: &[Point<'_>]) -> String {
    let mut out = String::new();
    for point in points {
        let columns: Vec<(String, ValueKind)> = point
            .samples
            .names()
            .iter()
            .enumerate()
            .map(|(column, name)| (name.clone(), kind_of(point.samples, column)))
            .collect();
        for row in 0..point.samples.len() {
            let _ = writeln!(out, "{}", escaped(&point_name(point.name)));
            for (column, (name, kind)) in columns.iter().enumerate() {
                let value = point.samples.value(row, column).and_then(|value| written(value, *kind));
                // The number says whether the value is known: 1, or 2 for one that is not.
                let mut say = |name: &str, value: Option<&str>| {
                    let (text, known) = value.map_or(("nonsensical", 2), |text| (text, 1));
                    let _ = writeln!(out, "{}\n{text}\n{known}", escaped(name));
                };
                if *kind == ValueKind::Array {
                    let (place, elements) = of_array(name);
                    say(&place, value.as_ref().map(|_| "1"));
                    say(&elements, value.as_deref());
                } else {
                    say(name, value.as_deref());
                }
            }
            out.push('\n');
        }
    }
    out
}

/// Where an array lies and what is in it, by the names that Daikon expects; `a[]` is the array `a`.
fn of_array(name: &str) -> (String, String) {
    let name = name.strip_suffix("[]").unwrap_or(name);
    (format!("&{name}"), format!("{name}[..]"))
}

/// A value of a variable of some kind; nothing if it is of another.
fn written(value: &Value, kind: ValueKind) -> Option<String> {
    match (kind, value) {
        (ValueKind::Number, Value::Number(number)) => Some(number.to_string()),
        (ValueKind::Word, Value::Number(number)) => Some(format!("\"{number}\"")),
        (ValueKind::Word, Value::Word(word)) => Some(format!("\"{}\"", quoted(word))),
        (ValueKind::Array, Value::Array(elements)) => {
            let elements: Vec<String> = elements.iter().map(i64::to_string).collect();
            Some(format!("[{}]", elements.join(" ")))
        }
        _ => None,
    }
}

/// A text inside of quotes, in one line, as Java writes it.
fn quoted(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, c| {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => _ = write!(out, "\\{:03o}", u32::from(c) & 0xff),
            c => out.push(c),
        }
        out
    })
}

/// Daikon knows a point by what stands behind `:::`.
fn point_name(name: &str) -> String {
    format!("{}:::POINT", name.replace(":::", "::"))
}

/// Data traces are read line by line.
fn in_one_line(name: &str) -> String {
    name.replace(['\n', '\r'], " ")
}

/// In names a blank is written `\_`, and a backslash twice.
fn escaped(name: &str) -> String {
    in_one_line(name).replace('\\', "\\\\").replace(' ', "\\_")
}

fn kind_of(samples: &Samples, column: usize) -> ValueKind {
    let mut kind = ValueKind::Number;
    for row in 0..samples.len() {
        match samples.value(row, column) {
            Some(Value::Word(_)) => return ValueKind::Word,
            Some(Value::Array(_)) => kind = ValueKind::Array,
            Some(Value::Number(_)) | None => {}
        }
    }
    kind
}
