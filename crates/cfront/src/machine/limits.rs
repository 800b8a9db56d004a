//! Where the machine cannot go on although the program could.

use thiserror::Error;

/// How many values of one input are tried.
pub(crate) const MOST_VALUES: u64 = 1 << 16;
/// How deep calls may be nested.
pub(crate) const MOST_CALLS: u16 = 4096;
/// How many edges a step may have.
pub(super) const LONGEST_STEP: u32 = 1 << 16;
/// How large a state may get.
pub(super) const LARGEST_STATE: usize = 1 << 28;

/// Why there is no telling what comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum Stuck {
    #[error("the input has too many values to try them all")]
    Input,
    #[error("there are no more inputs")]
    NoMoreInputs,
    #[error("calls are nested deeper than {MOST_CALLS}")]
    Calls,
    #[error("the state is too large")]
    Memory,
}
