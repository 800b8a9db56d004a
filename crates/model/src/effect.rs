//! What the steps of one trace did, one after the other, for whoever makes a formula of it.

use crate::{Expr, Place};

/// What a step of a trace did.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Assign {
        place: Place,
        value: Expr,
    },
    /// A branch was taken because of this.
    Guard(Expr),
    /// The place got a value from outside, one of that many bits.
    Input {
        place: Place,
        width: u8,
    },
    /// Taken for granted: other runs are not looked at.
    Assume(Expr),
    /// A constraint: what should hold here.
    Check(Expr),
}

/// A step of a trace. Its effects happen one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceStep {
    pub statement: u32,
    /// The frame of whoever executes.
    pub frame: u32,
    pub effects: Vec<Effect>,
}
