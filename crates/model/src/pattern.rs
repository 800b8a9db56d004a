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
