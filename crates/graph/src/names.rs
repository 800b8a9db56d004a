//! What the states were called in the file they came from.
//!
//! Inside, states are numbered densely from 0. Files number them from 1, use 64-bit fingerprints or
//! leave gaps; people must see the number they know.

use std::fmt;

use crate::Labels;

#[derive(Clone, Debug)]
pub enum StateNames {
    /// State `s` is called `s + first`.
    Counted { first: i64 },
    /// State `s` is called `names[s]`.
    Listed(Vec<i64>),
    /// State `s` is called by the text of label `s`.
    Texts(Box<Labels>),
}

impl Default for StateNames {
    fn default() -> Self {
        Self::Counted { first: 0 }
    }
}

impl StateNames {
    pub fn name(&self, state: u32) -> StateName<'_> {
        match self {
            Self::Counted { first } => StateName::Number(i64::from(state) + first),
            Self::Listed(names) => StateName::Number(names[state as usize]),
            Self::Texts(names) => StateName::Text(names.get(state)),
        }
    }
}

/// A state as its file calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateName<'a> {
    Number(i64),
    Text(&'a str),
}

impl fmt::Display for StateName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}
