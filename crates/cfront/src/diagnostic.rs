//! Something to tell the user about a place in one of the files, with all that is needed to show it.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use preprocess::{FileId, Location, Preprocessed, SourceMap};
use source::{Severity, Span};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where, as a person is told: `#line` and line markers are obeyed.
    pub location: Location,
    /// The file it is really in, and its text.
    pub path: PathBuf,
    pub text: Arc<str>,
    /// Where in that text.
    pub span: Span,
    /// A few words shown under the span.
    pub label: Option<String>,
    /// What the user could do about it.
    pub help: Option<String>,
    /// The construct that is not supported, if that is what is wrong.
    pub construct: Option<&'static str>,
    pub notes: Vec<Note>,
}

/// A remark that belongs to a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub message: String,
    pub location: Location,
}

impl Diagnostic {
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// A message about a span of preprocessed text.
    pub(crate) fn about(map: &SourceMap, severity: Severity, span: Span, message: String) -> Self {
        let place = map.place(span);
        let notes = map.notes(span.start).into_iter().map(|note| Note {
            message: note.message,
            location: map.location(note.place.file, note.place.span.start),
        });
        Self { notes: notes.collect(), ..Self::at(map, place.file, severity, place.span, message) }
    }

    fn at(map: &SourceMap, file: FileId, severity: Severity, span: Span, message: String) -> Self {
        Self {
            severity,
            message,
            location: map.location(file, span.start),
            path: map.path(file).to_path_buf(),
            text: map.text(file).clone(),
            span,
            label: None,
            help: None,
            construct: None,
            notes: Vec::new(),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{}: {severity}: {}", self.location, self.message)
    }
}

/// What the preprocessor had to say.
pub(crate) fn preprocessing(ready: &Preprocessed) -> Vec<Diagnostic> {
    let told = ready.diagnostics.iter().map(|(file, found)| {
        let message = found.message.clone();
        let about = Diagnostic::at(&ready.map, *file, found.severity, found.span, message);
        Diagnostic { label: found.label.clone(), help: found.help.clone(), ..about }
    });
    told.collect()
}
