use std::sync::Arc;

use crate::{Diagnostic, Severity};

/// A [`Diagnostic`] with the text it is about, so that whoever shows it needs nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub diagnostic: Diagnostic,
    /// What the user calls the text.
    pub file: String,
    pub text: Arc<str>,
    /// The macros and included files it came through, a line each.
    pub notes: Vec<String>,
}

impl Message {
    pub fn new(diagnostic: Diagnostic, file: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        Self { diagnostic, file: file.into(), text: text.into(), notes: Vec::new() }
    }

    pub fn is_error(&self) -> bool {
        self.diagnostic.severity == Severity::Error
    }
}
