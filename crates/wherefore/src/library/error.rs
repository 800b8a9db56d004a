//! Why there is no explanation.

use thiserror::Error;

/// Why something cannot be explained. Limits are no errors: they end in an explanation that says so.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// No trace of the system begins anywhere.
    #[error("the system has no initial state")]
    NoInitialState,
    /// A number that no process can have.
    #[error("process {name} has the number {number}: numbers go from 0 to 253")]
    ProcessNumber {
        /// The kind of the process.
        name: String,
        /// Its number.
        number: u8,
    },
    /// Numbers tell processes apart, and these have the same.
    #[error("processes {one} and {other} both have the number {number}")]
    SameProcess {
        /// The number of both.
        number: u8,
        /// The kind that came first.
        one: String,
        /// The other kind.
        other: String,
    },
    /// There are more transitions than can be numbered, or states together with those of the property.
    #[error("too large: {0}")]
    TooLarge(String),
    /// A file that is not in the format it should be in, with line and column.
    #[error("{0}")]
    Unreadable(String),
    /// A formula that cannot be read or checked: all that is wrong with it, a line each.
    #[error("the property cannot be checked:\n{0}")]
    Property(String),
    /// Something is asked that the input does not have.
    #[error("{0}")]
    Refused(String),
    /// Traces that cannot be compared.
    #[error("{0}")]
    Traces(String),
    /// A format that explanations of recorded traces do not have.
    #[error("recorded traces are not told as {0}")]
    NotOfTraces(&'static str),
    /// Something that should not happen; please report it.
    #[error("internal error: {0}")]
    Internal(String),
}

impl Error {
    /// Why a file or a text cannot be explained.
    pub(super) fn of_source(error: &anyhow::Error) -> Self {
        match error.downcast_ref::<languages::Unreadable>() {
            Some(unreadable) => Self::Unreadable(unreadable.to_string()),
            None => Self::Refused(format!("{error:#}")),
        }
    }

    pub(super) fn too_large(error: &impl ToString) -> Self {
        Self::TooLarge(error.to_string())
    }
}
