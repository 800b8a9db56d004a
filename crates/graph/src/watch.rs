//! How long loops tell where they are and learn that they have to stop.
//!
//! A library must not know of clocks, terminals or signals, and yet a run of a minute needs a
//! progress line, a time limit and an answer to Ctrl-C. So the loops call [`Watch::pulse`] every
//! [`PULSE`] units of work; whoever implements it decides.
//!
//! When a pulse comes, and how much work it says was done, is decided by the input alone. So a limit that counts work
//! ends a loop at the same place on every machine.

use thiserror::Error;

/// How many units of work (edges, mostly) lie between two pulses: a few milliseconds.
pub const PULSE: u64 = 1 << 16;

/// Where a loop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done, as a participle: "reading", "exploring".
    pub phase: &'static str,
    pub states: u64,
    pub edges: u64,
    /// Part of the work done, in thousandths, where the loop can tell.
    pub permille: Option<u16>,
    /// Units of work since the pulse before.
    pub work: u64,
}

impl Default for Progress {
    fn default() -> Self {
        Self { phase: "", states: 0, edges: 0, permille: None, work: PULSE }
    }
}

/// Why a loop had to stop early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Interrupt {
    #[error("interrupted")]
    Cancelled,
    #[error("the time limit was reached")]
    Timeout,
    /// One part of an analysis has done as much as it may.
    #[error("the limit of work was reached")]
    Work,
    #[error("the limit of {0} state{s} was reached", s = if *.0 == 1 { "" } else { "s" })]
    States(u64),
    #[error("the memory limit was reached")]
    Memory,
    /// Only what is near a trace was asked for.
    #[error("the search was {0} step{s} away from the given trace", s = if *.0 == 1 { "" } else { "s" })]
    Near(u32),
    /// The system itself cannot tell what comes next: why, and in which line.
    #[error("{0} (line {1})")]
    Stuck(&'static str, u64),
    /// A program uses something that is not there to be run.
    #[error("it needs {0} (line {1})")]
    Needs(&'static str, u64),
}

pub trait Watch {
    /// Called now and then from hot loops; an error ends the loop with what it has.
    fn pulse(&self, progress: Progress) -> Result<(), Interrupt>;
}

/// Nobody watches: for tests and for library users without limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn pulse(&self, _: Progress) -> Result<(), Interrupt> {
        Ok(())
    }
}
