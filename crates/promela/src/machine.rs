//! Running Promela: control flow, frames and the rule of who may step next.
//!
//! [`Machine::new`] compiles a resolved program; a [`Machine`] is a [`graph::System`].

mod flow;
mod frames;
mod lower;
mod program;
mod scheduler;
mod vector;

pub use program::{Machine, Statement};
pub use scheduler::{Event, Scheduler};
