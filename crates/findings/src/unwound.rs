//! How far a solver came that was asked about a program with loops unwound.

use graph::Interrupt;

/// Why a solver came to no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsolved {
    Interrupted(Interrupt),
    /// The limit of so many conflicts was reached.
    Conflicts(u64),
    TooLarge,
    GaveUp,
}

/// What a bound leaves out of a program in which nothing was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// How often loops and recursion were unwound.
    pub unwound: u32,
    pub line: Option<u64>,
    pub what: Uncovered,
}

/// What the formula of a program does not cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncovered {
    /// More rounds of a loop than it was unwound for.
    Loop,
    /// Deeper recursion than it was unwound for.
    Recursion,
    /// Calls that are nested deeper than the engine follows.
    Calls,
    /// More rounds of a loop than the engine follows.
    Rounds,
    /// A larger object or run of bytes than the engine follows.
    Size,
    /// More inputs than there are.
    Inputs,
    /// A pointer that is far from every object.
    FarPointer,
    /// What the front-end gives up at, in its own words.
    GivenUp(&'static str),
    /// A call that the SAT engine does not support.
    Call,
    /// A value that it does not support.
    Value(Unencoded),
}

/// Why a value is no part of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unencoded {
    TooDeep,
    /// A place is one of more than so many elements.
    TooManyElements(u64),
    /// Nothing lies there.
    Outside {
        frame: u32,
        offset: u32,
    },
    /// A question to the machine that no formula answers, by its number.
    Question(u32),
    BehindPointers,
    ArrayOfUnknownLength,
    FloatingPoint,
}
