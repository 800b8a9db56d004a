use thiserror::Error;

/// What can go wrong while a statement runs. A fault is a violation like a failed assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum Fault {
    #[error("index {index} is outside the array of {length}")]
    Index { index: i64, length: u32 },
    #[error("division by zero")]
    DivisionByZero,
    #[error("the channel was never initialised")]
    NoChannel,
    #[error("no process {0}")]
    NoProcess(i64),
    #[error("more than {0} processes")]
    TooManyProcesses(u32),
    #[error("more than {0} channels")]
    TooManyChannels(u32),
    #[error("a statement inside a sequence that must not block cannot be executed")]
    BlockedInStep,
}
