//! What an unwinding tells besides memory: checks, inputs, ends, ways taken, and what was left out.

use std::collections::VecDeque;

use model::{Builtin, Expr, Failure, Fault, Scalar};
use rustc_hash::FxHashMap;

use super::names::Site;
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
    /// What the author of the program says should hold here; only listed for single traces and
    /// where statements may be wrong.
    Constraint,
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
                Need::Written => Some(Fault::Unwritten),
                Need::Apart => Some(Fault::Overlap),
                Need::Process | Need::Near => None,
            },
            Self::Failure(_) | Self::Assumption | Self::Branch | Self::Constraint => None,
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
    /// In a trace, the number of the edge.
    pub step: u32,
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
    /// Calls are nested deeper than the engine follows.
    Calls,
    Encoding(EncodeError),
    Builtin(Builtin),
    /// A pointer may be so far from its object that it is one into another.
    FarPointer,
    /// There are fewer inputs than the program takes.
    Inputs,
    /// An object may be larger than the engine follows.
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

/// The inputs of a run, by where it takes them, so that a run that goes otherwise takes the same ones in the same
/// places.
#[derive(Clone, Debug, Default)]
pub struct Taken(pub(super) FxHashMap<Site, i64>);

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

/// What expressions are whenever an edge is about to be taken.
#[derive(Clone, Debug)]
pub struct Sight {
    pub taken: Literal,
    /// Nothing of one that cannot be evaluated there.
    pub values: Vec<Option<Value>>,
}

/// A value that a statement of a trace made: what a variable is given, or what a function hands back.
#[derive(Clone, Debug)]
pub struct Write {
    /// The edge, by its number in the trace.
    pub step: u32,
    pub at: At,
    pub scalar: Scalar,
    /// What it is, which is anything where the statement is abnormal.
    pub value: Value,
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
    /// Whether assumptions and branches are listed among the checks, and writes are listed.
    pub(super) keeps_all: bool,
    /// Whether what the author says should hold has to hold.
    pub(super) constrains: bool,
    /// What is looked at, and before which edge.
    pub(super) watched: Option<(At, Vec<Expr>)>,
    pub(super) sights: Vec<Sight>,
    /// The number of the edge of a trace that is executed.
    pub(super) step: u32,
    pub(super) writes: Vec<Write>,
    /// The inputs that are still to be given, if they are known beforehand.
    pub(super) given: Option<VecDeque<i64>>,
    /// Where each of them was taken.
    pub(super) taken: Taken,
}
