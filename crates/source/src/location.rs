use std::fmt;

use serde::Serialize;

/// A place in a file as a person is told it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Location {
    pub file: String,
    pub line: u64,
    pub column: u64,
    /// The line itself, without the blanks behind it.
    pub text: String,
    /// Where it lies in a piece of text that is used in several places: those uses, innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Location>,
}

impl Location {
    /// The place in a text that is not used by another: this one, or the outermost of its uses.
    pub fn outermost(&self) -> &Location {
        self.calls.last().unwrap_or(self)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
