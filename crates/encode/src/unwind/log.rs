//! What an unwinding tells besides memory: checks, inputs, ends, ways taken, and what was left out.

use std::collections::VecDeque;

use model::{Builtin, Failure, Fault, Scalar};

use crate::expr::{EncodeError, Need, Value};
use crate::solver::Literal;

/// An edge of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    pub function: u32,
    pub edge: u32,
}

/// What should hold somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// That the program does not fail there.
    Failure(Failure),
    /// That an expression has a value.
    Need(Need),
    /// That nothing else is wrong.
    Fault(Fault),
    /// What is taken for granted; only listed for single traces.
    Assumption,
    /// That a branch goes this way; only listed for single traces.
    Branch,
}

impl Duty {
    /// The fault if it does not hold.
    pub fn fault(self) -> Option<Fault> {
        match self {
            Self::Fault(fault) => Some(fault),
            Self::Failure(Failure::Unreachable) => Some(Fault::Unreachable),
            Self::Need(need) => match need {
                Need::Divisor => Some(Fault::DivisionByZero),
                Need::Index { length } => Some(Fault::Index { index: 0, length }),
                Need::NotNull => Some(Fault::NullPointer),
                Need::Alive => Some(Fault::Dangling),
                Need::Inside => Some(Fault::Outside { offset: 0, size: 0 }),
                Need::Writable => Some(Fault::ReadOnly),
                Need::Fits => Some(Fault::SignedOverflow),
                Need::Process | Need::Near => None,
            },
            Self::Failure(_) | Self::Assumption | Self::Branch => None,
        }
    }
}

/// Something that should hold whenever it is reached.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    pub at: At,
    pub duty: Duty,
    pub reached: Literal,
    pub holds: Literal,
    /// Whether all waypoints were met before.
    pub guided: Literal,
}

/// An input that the program takes.
#[derive(Clone, Debug)]
pub struct Input {
    pub at: At,
    /// Whether it is taken.
    pub taken: Literal,
    pub value: Value,
    pub scalar: Scalar,
    /// The passage on which it is taken.
    pub passage: u32,
}

/// Why part of the program is not in the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A loop goes round more often than the bound says.
    Loop,
    /// A function calls itself more often than the bound says.
    Recursion,
    /// Calls are nested more deeply than is followed.
    Calls,
    Encoding(EncodeError),
    Builtin(Builtin),
    /// A pointer may be so far from its object that it is one into another.
    FarPointer,
    /// There are fewer inputs than the program takes.
    Inputs,
    /// An object may be larger than is followed.
    Size,
    /// A loop whose end is known goes round more often than is followed.
    Rounds,
}

impl Why {
    /// Whether a larger bound may include it.
    pub fn is_bound(self) -> bool {
        matches!(self, Self::Loop | Self::Recursion)
    }
}

/// Where the unwinding ends although the program goes on.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    pub at: At,
    /// Whether a run comes there.
    pub when: Literal,
    pub why: Why,
}

/// An edge that may be taken.
#[derive(Clone, Copy, Debug)]
pub struct Passage {
    pub at: At,
    pub taken: Literal,
    /// Whether it is taken, and nothing is wrong on the way.
    pub through: Literal,
    /// Whether it is one way of several.
    pub is_branch: bool,
}

/// Everything in the order of the runs.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) checks: Vec<Check>,
    pub(super) inputs: Vec<Input>,
    pub(super) cuts: Vec<Cut>,
    pub(super) passages: Vec<Passage>,
    /// Whether the program ends properly.
    pub(super) ends: Vec<Literal>,
    /// For each waypoint, when it is met.
    pub(super) met: Vec<Vec<Literal>>,
    /// Whether assumptions and branches are listed among the checks.
    pub(super) keeps_assumptions: bool,
    /// The inputs that are still to be given, if they are known beforehand.
    pub(super) given: Option<VecDeque<i64>>,
}
