//! What a transition does, and when it can.

use crate::{Expr, Place};

/// What a receive does with one field of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// Takes the field's value.
    Store(Place),
    /// Matches messages whose field has this value.
    Match(Expr),
    /// Takes no interest.
    Any,
}

/// A guarded statement: it can be executed or has to wait, and then changes the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Always possible, changes nothing.
    Skip,
    /// Waits until the expression is not 0.
    Wait(Expr),
    Assign(Place, Expr),
    /// Violated if the expression is 0.
    Assert(Expr),
    /// Puts a message into a channel: at its end, or where it keeps the messages in order.
    Send {
        channel: Expr,
        fields: Vec<Expr>,
        sorted: bool,
    },
    /// Takes the first message that matches; only the first one may match unless `anywhere`; `keep`
    /// leaves it in the channel.
    Receive {
        channel: Expr,
        fields: Vec<Pattern>,
        anywhere: bool,
        keep: bool,
    },
    /// Prints; nothing in the state changes, but faults in the arguments count.
    Print(Vec<Expr>),
    /// Something only the front-end's scheduler can do, such as starting a process. The value, if
    /// there is a place for it, is what came of it.
    Ask {
        request: u32,
        arguments: Vec<Expr>,
        result: Option<Place>,
    },
}
