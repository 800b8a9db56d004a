//! Exploring a system that is not written out into a state graph.
//!
//! [`explore`] goes breadth-first, so that the first violation found ends a shortest trace, or
//! depth-first, and keeps every state ([`Store`]) and every step. [`check`] keeps no steps, and states in
//! little room, for verdicts and counts. [`gather`] makes a graph of a few runs. [`replay`] goes a given trace again, [`shorten`] leaves out of one
//! what it does not need. Limits and progress go
//! through a [`graph::Watch`].

mod check;
mod explore;
mod gather;
mod order;
mod replay;
mod shorten;
mod store;
mod summaries;
mod transitions;

pub use check::{Checked, Class, Plan, Wrong, check};
pub use explore::{Explored, Limits, Near, Violation, explore, explore_near};
pub use gather::gather;
pub use order::Order;
pub use replay::{Ending, Followed, Replayed, follow, replay};
pub use shorten::shorten;
pub use store::Store;
pub use summaries::{Summaries, summarise};
