//! Why a step comes to no ordinary end, and what a thread waits for.

use model::Fault;

use super::limits::Stuck;

/// Why a step is not an ordinary one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// It cannot be taken, now or later.
    Blocked,
    /// It has to wait for others.
    Waits(Wait),
    Stuck(Stuck),
    Fault(Fault),
    /// Something else is wrong, as a number.
    Wrong(u32),
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Halt::Fault(fault)
    }
}

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// A lock, and the thread that has it.
    Lock(i64, u8),
    /// A lock that others read or write under.
    Shared(i64),
    Signal(i64),
    Thread(u8),
    Counter(i64),
    /// What somebody else has begun to do once.
    Once(i64),
    /// A barrier, and how many are missing.
    Barrier(i64, u32),
}
