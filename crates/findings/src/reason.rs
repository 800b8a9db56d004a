//! Why a verdict is what it is.

use graph::Interrupt;
use source::Location;

use crate::{Engine, LeftOut, TraceEnd, Unsolved, What};

/// Why the verdict is what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    pub why: Why,
    /// What has to be said besides.
    pub notes: Vec<Note>,
}

impl From<Why> for Reason {
    fn from(why: Why) -> Self {
        Self { why, notes: Vec::new() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Nothing is known yet.
    Nothing,
    /// The input was not read to its end.
    NotRead(Interrupt),
    /// Nothing was found before a limit, or before one that nobody knows.
    NothingBefore(Option<Interrupt>),
    /// Something is wrong, perhaps at a place.
    Wrong { what: What, location: Option<Location> },
    /// A transition system has no such state, or no such sequence.
    NoneReachable { is_deadlock: bool },
    /// All reachable states were looked at.
    AllStates,
    /// Every call was looked at from every state it can begin with.
    EveryCall,
    /// No endless trace violates it.
    NoEndlessTrace,
    /// An endless trace that violates it.
    Endless(TraceEnd),
    /// No run violates it that has no fault, but these faults, which nobody asked about, end runs.
    FaultsBefore(Vec<(What, Option<Location>)>),
    /// No run violates it, and none goes beyond the bound.
    WithinBound(u64),
    /// Nothing is wrong within a bound, which leaves something out.
    LeftOut(LeftOut),
    /// Nothing was found with loops unwound so often, before a solver ended without an answer.
    Unsolved { unwound: u32, by: Unsolved },
    /// A solver found a run, which was not followed to its end.
    NotFollowed(Interrupt),
    /// A solver found a run that goes wrong, and the program that is run with its inputs does not.
    NotConfirmed { is_check: bool, line: Option<u64>, inputs: Vec<i64> },
    /// The states of the model and those of the property make too many pairs.
    TooManyPairs,
    /// An endless trace must exist that violates the property, and none was found.
    CounterexampleLost,
    /// The trail that is to be explained leads beyond what was explored.
    TrailNotExplored,
    /// The parser found an error in the formula: where, and in its own words.
    FromParser { at: String, message: String },
    /// A front-end makes no automaton of the property, for a reason in its own words.
    FromFrontEnd(String),
    /// What two engines say that do not know.
    Both { first: Box<(Reason, Engine)>, second: Box<(Reason, Engine)> },
}

impl Why {
    /// The limit of states that ended a search before anything was found.
    pub fn limit_of_states(&self) -> Option<u64> {
        match self {
            Self::NothingBefore(Some(Interrupt::States(limit))) => Some(*limit),
            _ => None,
        }
    }

    /// Whether no other engine would know more.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::FaultsBefore(_))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A promise of the model is not kept, in the words of its language, so nothing was made of it.
    BrokenPromise(String),
    /// No trace to the violation was found before a limit.
    NoTraceBefore(Interrupt),
    /// No trace to the violation is short enough to be told.
    NoShortTrace,
}
