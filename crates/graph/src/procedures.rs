//! Systems with procedures, looked at one call at a time.
//!
//! A [`System`](crate::System) keeps the whole stack of calls in its states, so that recursion without a bound
//! has no end of states. Here a state is local: what is shared by all calls, and the frame of the one call that
//! goes on. A call hands over to a local state at the entry of the procedure and leaves the frame of the caller
//! behind; a return leaves an exit, which is what is shared and what is handed back. Whoever searches such a
//! system puts a frame and an exit together again.

use crate::End;

/// Where a step leads.
#[derive(Clone, Copy, Debug)]
pub enum Move<'a> {
    /// To another local state of the same call.
    Onward(&'a [u8]),
    /// Into a procedure: the frame that waits for its return, and the local state it begins with.
    Call { frame: &'a [u8], entry: &'a [u8] },
    /// Out of the procedure.
    Return { exit: &'a [u8] },
}

/// A step from a local state.
#[derive(Clone, Copy, Debug)]
pub struct LocalStep<'a> {
    /// What happened, as a number the system can describe.
    pub event: u64,
    pub to: Move<'a>,
    /// What is wrong with it, as a number the system can describe; then nothing comes after it.
    pub violation: Option<u32>,
}

/// A step that cannot be looked at one call at a time, or at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Untold {
    pub reason: &'static str,
    /// The step, as an event that the system can describe.
    pub event: u64,
}

/// A system whose steps can be taken in local states.
pub trait Procedures {
    type Caller<'a>: Caller
    where
        Self: 'a;

    fn caller(&self) -> Self::Caller<'_>;
}

/// Takes the steps of a system with procedures; it owns all the room it needs.
pub trait Caller {
    /// The local state that the program begins with.
    fn initial(&mut self) -> &[u8];

    /// Calls `visit` for every step from a local state; says what could not be told, if there is such.
    fn steps(&mut self, local: &[u8], visit: impl FnMut(LocalStep<'_>)) -> Option<Untold>;

    /// The local state in which a caller goes on: its frame, and the exit of what it called.
    fn resume(&mut self, frame: &[u8], exit: &[u8]) -> &[u8];

    /// Whether a trace may end in a local state that has no steps.
    fn end(&mut self, local: &[u8]) -> End;
}
