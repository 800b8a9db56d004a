//! Running C: a state is bytes, a step is a statement of one thread.
//!
//! A state begins with a few bytes of the machine's own and the globals, then come the threads, each with
//! the frames of its calls, then the objects on the heap ([`scene`]). Every access through a pointer is
//! checked against the object it points into. An object gets the lowest number that no living object has
//! and that nothing in the state looks like a pointer to, so numbers stay small, a dangling pointer stays
//! one for as long as it is kept somewhere, and the same memory is the same state.
//!
//! What is not initialised is 0. A path that an assumption blocks simply ends. The program is over when
//! `main` returns or it exits.

mod alone;
mod asserted;
mod blocks;
mod calls;
mod compile;
mod events;
mod halt;
mod judged;
mod limits;
mod memory;
mod objects;
mod rehearsal;
mod run;
mod scene;
mod threads;
mod worker;

pub use alone::CCaller;
pub(crate) use alone::{calls_itself, obstacle};
pub(crate) use compile::{Label, Machine};
pub(crate) use events::{Given, event, given_in, label_of, thread_of};
pub(crate) use halt::Wait;
pub(crate) use limits::Stuck;
pub use rehearsal::Rehearsal;
pub(crate) use scene::{Bytes, Scene, frames, laid_out_by};
pub(crate) use threads::TAKEN_AGAIN;
pub use worker::CWorker;
pub(crate) use worker::{Noted, Synchronised};

/// Violations: what is wrong with a step. Others are kinds of [`model::Fault`].
pub(crate) const ASSERTION: u32 = 0;
pub(crate) const ERROR: u32 = 1000;

/// How many threads a state has, those that have ended included.
pub(crate) fn threads(state: &[u8]) -> u8 {
    state[scene::THREADS]
}
