//! What the writers share: checks that a format can hold what it is given.

use graph::StateGraph;

use crate::scan::quote;
use crate::{Format, WriteError};

/// The initial state, for formats that have exactly one.
pub(crate) fn only_initial(graph: &StateGraph, format: Format) -> Result<u32, WriteError> {
    match graph.initial() {
        [] => Err(WriteError::NoInitialState),
        [initial] => Ok(*initial),
        several => Err(WriteError::SeveralInitialStates { format, count: several.len() }),
    }
}

/// Refuses a text that holds a character the format has no way to write.
pub(crate) fn refuse(
    format: Format,
    what: &'static str,
    text: &str,
    characters: &[(char, &'static str)],
) -> Result<(), WriteError> {
    match characters.iter().find(|(character, _)| text.contains(*character)) {
        None => Ok(()),
        Some((_, problem)) => Err(WriteError::Text { format, what, problem, text: quote(text) }),
    }
}
