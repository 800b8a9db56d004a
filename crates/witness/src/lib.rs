//! Counterexamples of other verifiers of C programs: what they say about a run, in the order in which they say it;
//! and counterexamples of ours in the format of theirs.
//!
//! SV-COMP's violation witnesses (YAML 2.x, GraphML 1.0) and the traces of CBMC name lines, branches and values, and
//! leave open what they please. All of them come down to a list of [`Waypoint`]s, which some run of the program has
//! to meet in this order. Following them in a program is not done here: nothing here knows how C is read.

mod cbmc;
mod graphml;
mod write;
mod yaml;
mod yaml_text;

use thiserror::Error;

pub use write::{Position, Step, Task, write};

/// What a witness says of one moment of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waypoint {
    pub line: u64,
    pub what: What,
    /// What must not happen between the waypoint before and this one.
    pub avoid: Vec<Waypoint>,
    /// The line of the witness that says so, where it has lines of its own.
    pub written: Option<u64>,
}

impl Waypoint {
    fn new(line: u64, what: What) -> Self {
        Self { line, what, avoid: Vec::new(), written: None }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// This holds before the statement; the text is an expression in C.
    Holds(String),
    /// A branch goes this way.
    Branch(bool),
    /// A switch goes to this case; none for its default.
    Case(Option<i64>),
    /// A function is called.
    Enters,
    /// A function returns this value, if one is named.
    Returns(Option<i64>),
    /// Something is wrong here.
    Target,
}

/// A counterexample of another verifier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    pub waypoints: Vec<Waypoint>,
}

/// Why a witness cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{line}:{column}: {message}")]
pub struct WitnessError {
    pub line: u64,
    pub column: u64,
    pub message: String,
}

impl WitnessError {
    fn new(line: u64, column: u64, message: impl Into<String>) -> Self {
        Self { line, column, message: message.into() }
    }
}

/// How long a witness may be, in waypoints.
const MOST_WAYPOINTS: usize = 10_000;

/// Reads a witness; nothing if the text is none of the formats.
pub fn read(text: &str) -> Option<Result<Witness, WitnessError>> {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let read = if start.starts_with('<') {
        if !text.contains("graphml") {
            return None;
        }
        graphml::read(text)
    } else if start.starts_with('[') {
        cbmc::read(text)?
    } else if text.contains("violation_sequence") {
        yaml::read(text)
    } else {
        return None;
    };
    Some(read.and_then(|witness| match witness.waypoints.len() {
        0 => Err(WitnessError::new(1, 1, "the witness says nothing of any run")),
        _ if said(&witness) > MOST_WAYPOINTS => Err(WitnessError::new(
            1,
            1,
            format!("the witness has {} waypoints, more than {MOST_WAYPOINTS}", said(&witness)),
        )),
        _ => Ok(witness),
    }))
}

/// How many waypoints a witness has, those to be avoided included.
fn said(witness: &Witness) -> usize {
    witness.waypoints.iter().map(|waypoint| 1 + waypoint.avoid.len()).sum()
}

/// The number in `\result == 5`, if that is what a constraint says.
fn result_value(constraint: &str) -> Option<i64> {
    let text: String = constraint.chars().filter(|c| !c.is_whitespace() && *c != '(' && *c != ')').collect();
    let value = match text.split_once("==")? {
        ("\\result", value) | (value, "\\result") => value,
        _ => return None,
    };
    integer(value)
}

/// An integer as C writes it.
pub fn integer(text: &str) -> Option<i64> {
    let digits = text.trim().trim_end_matches(['u', 'U', 'l', 'L']);
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, digits),
    };
    let number = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None => digits.parse::<u64>().ok()?,
    };
    Some(if negative { (number as i64).wrapping_neg() } else { number as i64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_those_of_c() {
        for (text, value) in [("5", 5), ("-7", -7), ("0x10", 16), ("4294967295U", 4_294_967_295), ("-1L", -1)]
        {
            assert_eq!(integer(text), Some(value), "{text}");
        }
        assert_eq!(integer("x"), None);
        assert_eq!(result_value("\\result == -3"), Some(-3));
        assert_eq!(result_value("(7 == \\result)"), Some(7));
        assert_eq!(result_value("\\result < 3"), None);
    }

    #[test]
    fn what_is_no_witness_is_left_to_others() {
        assert_eq!(read("des (0, 1, 2)"), None);
        assert_eq!(read("{\"schema\": \"wherefore/1\"}"), None);
        assert_eq!(read("<html></html>"), None);
    }
}
