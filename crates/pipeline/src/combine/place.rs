//! Where something stands: a line of a file or, where there is no text, the name of an event.

use findings::Location;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BlamedPlace {
    Line { file: String, line: u64 },
    Event(String),
}

impl BlamedPlace {
    /// The place of an event: its line, if it has one.
    pub(super) fn of(location: Option<&Location>, event: &str) -> Self {
        match location {
            Some(at) => Self::Line { file: at.file.clone(), line: at.line },
            None => Self::Event(event.to_owned()),
        }
    }

    pub(super) fn is(&self, location: Option<&Location>, event: &str) -> bool {
        match self {
            Self::Line { .. } => self.is_at(location),
            Self::Event(name) => location.is_none() && name == event,
        }
    }

    pub(super) fn is_at(&self, location: Option<&Location>) -> bool {
        matches!((self, location), (Self::Line { file, line }, Some(at)) if *file == at.file && *line == at.line)
    }
}
