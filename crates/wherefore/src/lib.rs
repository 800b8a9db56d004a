//! The façade: everything the command line does, without files, clocks or terminals.
//!
//! [`analysis::analyse`] takes a system and a request and returns a [`report::Report`].

pub mod analysis;
mod causes;
pub mod naming;
pub mod replay;
mod telling;

pub use telling::plain_steps;
