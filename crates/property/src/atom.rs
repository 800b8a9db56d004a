//! The smallest parts of a formula: tests of a single label.

use std::fmt;

use source::Span;

use crate::{ActionPattern, BasicRegex};

/// A test and where it stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    pub test: Test,
    pub span: Span,
}

/// What a label has to be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Test {
    /// This very text.
    Literal(String),
    /// A text that the expression matches as a whole.
    Regex(BasicRegex),
    /// A gate with offers.
    Offers(ActionPattern),
    /// These actions in any order: a multi-action of mCRL2. The actions are sorted and have no
    /// blanks that mean nothing.
    MultiAction(Vec<String>),
    /// The hidden action, `i` for CADP and `tau` for mCRL2.
    Hidden,
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.test.fmt(f)
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(text) => write!(f, "\"{text}\""),
            Self::Regex(regex) => write!(f, "'{}'", regex.source()),
            Self::Offers(pattern) => pattern.fmt(f),
            Self::MultiAction(actions) => f.write_str(&actions.join("|")),
            Self::Hidden => f.write_str("tau"),
        }
    }
}
