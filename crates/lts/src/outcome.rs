//! What comes out of reading and writing a file: a graph with warnings, or an error with its place.
//!
//! Inside, readers speak of byte offsets and stop with a [`Stop`]; only here, once, at the end, do
//! offsets become lines and columns. So a reader keeps no line counter in its loops, and a file
//! with a million odd lines costs a million counts ([`Tally`]) and one warning.

use std::io;

use graph::{Interrupt, StateGraph, TooManyEdges};
use source::Position;
use thiserror::Error;

use crate::Format;

/// A graph as it was read.
#[derive(Clone, Debug)]
pub struct Reading {
    pub graph: StateGraph,
    /// What was odd and how it was taken; at most a handful.
    pub warnings: Vec<Warning>,
}

/// Something odd in a file that could still be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The first place it was seen, where it has one.
    pub position: Option<Position>,
    pub message: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// The file is not what it should be.
    #[error("{position}: {message}")]
    Malformed {
        position: Position,
        /// What was expected and what was found.
        message: String,
    },
    #[error(transparent)]
    Interrupted(#[from] Interrupt),
}

#[derive(Debug, Error)]
pub enum WriteError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(
        "{format} files have one initial state and this system has {count}; dot, csv and json files can have several"
    )]
    SeveralInitialStates { format: Format, count: usize },
    #[error("the system has no initial state")]
    NoInitialState,
    #[error("{format} files cannot hold {what} with {problem}: {text}")]
    Text {
        format: Format,
        /// Which kind of text it is: "a label", "a value".
        what: &'static str,
        /// What is in the way: "a line break".
        problem: &'static str,
        /// The text, quoted and cut short.
        text: String,
    },
}

/// Why a reader gives up: a fault at an offset, or somebody wanted it to stop.
#[derive(Debug)]
pub(crate) enum Stop {
    Fault { at: usize, message: String },
    Interrupted(Interrupt),
}

impl Stop {
    pub(crate) fn fault(at: usize, message: impl Into<String>) -> Self {
        Self::Fault { at, message: message.into() }
    }

    pub(crate) fn too_many_edges(error: TooManyEdges) -> Self {
        Self::fault(0, error.to_string())
    }

    pub(crate) fn locate(self, input: &[u8]) -> ReadError {
        match self {
            Self::Fault { at, message } => ReadError::Malformed { position: position(input, at), message },
            Self::Interrupted(interrupt) => ReadError::Interrupted(interrupt),
        }
    }
}

impl From<Interrupt> for Stop {
    fn from(interrupt: Interrupt) -> Self {
        Self::Interrupted(interrupt)
    }
}

/// The warnings of one reading, still at byte offsets.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    list: Vec<(Option<usize>, String)>,
}

impl Notes {
    pub(crate) fn at(&mut self, at: usize, message: impl Into<String>) {
        self.list.push((Some(at), message.into()));
    }

    pub(crate) fn about_the_file(&mut self, message: impl Into<String>) {
        self.list.push((None, message.into()));
    }

    /// One note for everything `tally` counted, if it counted anything.
    pub(crate) fn tally(&mut self, tally: &Tally, message: impl FnOnce(u64) -> String) {
        if tally.count > 0 {
            self.at(tally.first, message(tally.count));
        }
    }

    pub(crate) fn locate(self, input: &[u8]) -> Vec<Warning> {
        let place = |(at, message): (Option<usize>, String)| Warning {
            position: at.map(|at| position(input, at)),
            message,
        };
        self.list.into_iter().map(place).collect()
    }
}

/// How often something odd was seen, and where first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    count: u64,
    first: usize,
}

impl Tally {
    #[inline]
    pub(crate) fn hit(&mut self, at: usize) {
        if self.count == 0 {
            self.first = at;
        }
        self.count += 1;
    }
}

/// `count` with a noun, in the plural where it has to be: "1 state", "2 states".
pub(crate) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The line and the column, in characters, of an offset. A line that is not UTF-8 is counted in bytes.
pub(crate) fn position(input: &[u8], at: usize) -> Position {
    let before = &input[..at.min(input.len())];
    let line = memchr::memchr_iter(b'\n', before).count();
    let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let rest = &before[start..];
    let column = std::str::from_utf8(rest).map_or(rest.len(), |text| text.chars().count());
    Position { line: line as u64 + 1, column: column as u64 + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(input: &[u8], offset: usize) -> (u64, u64) {
        let position = position(input, offset);
        (position.line, position.column)
    }

    #[test]
    fn offsets_become_lines_and_columns_in_characters() {
        assert_eq!(at(b"", 0), (1, 1));
        assert_eq!(at(b"ab\ncd", 2), (1, 3));
        assert_eq!(at(b"ab\ncd", 3), (2, 1));
        assert_eq!(at("ü = x".as_bytes(), 3), (1, 3));
        assert_eq!(at(b"\xfc\xfc x", 3), (1, 4));
        assert_eq!(at(b"ab\n", 99), (2, 1));
    }

    #[test]
    fn a_million_oddities_are_one_warning() {
        let mut tally = Tally::default();
        (10..1_000_010).for_each(|at| tally.hit(at));
        let mut notes = Notes::default();
        notes.tally(&tally, |count| counted(count, "odd line"));
        notes.tally(&Tally::default(), |_| unreachable!());
        let warnings = notes.locate(b"a\nb\nc\nd\ne\nf\n");
        assert_eq!(warnings.len(), 1);
        assert_eq!(warnings[0].message, "1000000 odd lines");
        assert_eq!(warnings[0].position.map(|position| position.line), Some(6));
    }
}
