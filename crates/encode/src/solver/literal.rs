use std::fmt;
use std::ops::Not;

/// A propositional variable or its negation.
///
/// Variable 0 is the constant: it is true in every model, so that gates with known inputs can be folded
/// without a second kind of value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    pub const TRUE: Self = Self(0);
    pub const FALSE: Self = Self(1);

    pub(crate) const fn positive(variable: u32) -> Self {
        Self(variable << 1)
    }

    pub const fn constant(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    pub const fn variable(self) -> u32 {
        self.0 >> 1
    }

    pub const fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    /// The truth value, if it is the same in every model because the literal is a constant.
    pub const fn known(self) -> Option<bool> {
        match self {
            Self::TRUE => Some(true),
            Self::FALSE => Some(false),
            _ => None,
        }
    }

    /// The negation if `flip`, else the literal itself.
    pub const fn flipped(self, flip: bool) -> Self {
        Self(self.0 ^ flip as u32)
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        self.flipped(true)
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.known() {
            Some(value) => write!(formatter, "{value}"),
            None => write!(formatter, "{}{}", if self.is_negative() { "-" } else { "" }, self.variable()),
        }
    }
}
