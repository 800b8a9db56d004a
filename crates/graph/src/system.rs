//! Systems that are not written out: states are bytes, and steps are found by asking.

/// A step from a state.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// What happened, as a number the system can describe: who did what, without data.
    pub event: u64,
    /// The state it leads to.
    pub state: &'a [u8],
    /// What is wrong with it, as a number the system can describe.
    pub violation: Option<u32>,
}

/// What a state without steps means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Valid,
    Deadlock,
    /// The system cannot tell what comes next.
    Unknown,
}

/// Something with initial states and steps.
///
/// Whoever explores it asks through a [`Worker`], one for each thread, which owns all the room it
/// needs, so that asking allocates nothing.
pub trait System {
    type Worker<'a>: Worker
    where
        Self: 'a;

    fn worker(&self) -> Self::Worker<'_>;
}

pub trait Worker {
    /// Calls `visit` for every initial state.
    fn initial(&mut self, visit: impl FnMut(&[u8]));

    /// Calls `visit` for every step from `state`.
    fn steps(&mut self, state: &[u8], visit: impl FnMut(Step<'_>));

    /// Whether a trace may end in `state`, which has no steps.
    fn end(&mut self, state: &[u8]) -> End;

    /// Whether `state` lies inside a sequence that nothing interrupts; such states are not counted.
    fn is_passing(&self, state: &[u8]) -> bool;

    /// Calls `visit` for the steps of one process, if there is one that can be looked at alone: whatever the
    /// others do before it moves, its steps stay the same, and they neither change what others can do nor
    /// how they look at anything (a persistent set whose steps are invisible). Processes are numbered;
    /// those before `first` are left out. Returns where to go on with the others, or nothing if there is
    /// no such process. It may depend on promises that processes make, of which only those in `trusted`
    /// count.
    fn steps_of_one(
        &mut self,
        _state: &[u8],
        _trusted: u64,
        _first: u32,
        _visit: impl FnMut(Step<'_>),
    ) -> Option<u32> {
        None
    }

    /// The promises that are not kept in `state`, as bits.
    fn broken_promises(&mut self, _state: &[u8]) -> u64 {
        0
    }
}
