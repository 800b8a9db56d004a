//! Exploring a system that is not written out into a state graph.
//!
//! [`explore`] goes breadth-first, so that the first violation found ends a shortest trace, and keeps
//! every state ([`Store`]) and every step. [`replay`] goes a given trace again. Limits and progress go through a [`graph::Watch`].

mod explore;
mod replay;
mod store;
mod transitions;

pub use explore::{Explored, Limits, Violation, explore};
pub use replay::{Ending, Replayed, replay};
pub use store::Store;
