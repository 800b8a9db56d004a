//! Counterexamples of SPIN.
//!
//! SPIN writes a counterexample in two ways: as a `.trail` of numbers (see [`numbers`]), and as the listing
//! that `spin -t -p` makes of one (see [`listing`]). Both come down to entries: which process did what, in the
//! words of the format. A [`Guide`] tells which steps of a model fit the next entry; whoever follows it
//! finds the trace. [`write`] goes the other way.
//!
//! The claim of a verification is process 0 in a `.trail`, and all others count from 1. It only looks, so its
//! moves are left out here, and processes have the numbers that the model knows.

mod guide;
mod listing;
mod numbers;
mod write;

pub use guide::{Guide, Reading};
pub use write::write;

use thiserror::Error;

/// A counterexample of SPIN.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    pub entries: Vec<Entry>,
    /// Statements may have been merged: an entry then stands for its statement and for all that follow it in
    /// the same process without being able to block.
    pub merged: bool,
    /// Which claim was checked, as SPIN counts proctypes, claims and formulas.
    pub claim: Option<u32>,
    /// How many entries lie before the loop, if there is one.
    pub cycle: Option<usize>,
}

/// What one process did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The line of the trail, from 1.
    pub line: usize,
    /// SPIN's number of the step. All that a step does has the same one.
    pub depth: i64,
    pub process: u8,
    pub deed: Deed,
}

/// What a process did, in the words of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// The statement with this number.
    Element(u32),
    /// The process ended.
    End,
    Listed(Listed),
}

/// A statement as `spin -t -p` lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name of the proctype.
    pub name: String,
    /// The line of the model.
    pub line: u64,
    /// The number of the statement in its process.
    pub state: u32,
    /// The statement as SPIN prints it.
    pub text: String,
}

/// Why a trail cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct Unreadable {
    pub line: usize,
    pub column: usize,
    pub reason: Reason,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    #[error("expected three numbers `step:process:statement`")]
    NotThreeNumbers,
    #[error("there is no process {0}")]
    Process(i64),
    #[error("there is no statement {0}")]
    Statement(i64),
    #[error("the loop has begun before")]
    SecondLoop,
    #[error(
        "the search was permuted (`-t_reverse`, `-p_rotate` and the like); such trails depend on the verifier"
    )]
    Permuted,
    #[error("`{0}` is not a kind of line known to SPIN 6")]
    Header(i64),
}

/// Reads a text if it is a trail of SPIN; nothing if it is something else.
pub fn read(text: &str) -> Option<Result<Trail, Unreadable>> {
    if numbers::looks_like(text) {
        return Some(numbers::read(text));
    }
    listing::read(text).map(Ok)
}
