//! Likely invariants: what holds in all of some samples, as Daikon finds it (Ernst, Cockrell, Griswold, Notkin:
//! Dynamically Discovering Likely Program Invariants, 1999).
//!
//! [`Samples`] go in: the values of named variables, again and again. [`detect`] tells what holds in all of
//! them and is not likely to be chance: each [`Fact`] can be asked whether it holds of another sample, so that
//! two sets of samples are compared by what is true of the one and not of the other ([`compare`]). Where the
//! samples come from is nobody's business here; [`daikon`] writes them for Daikon itself.

mod arrays;
pub mod daikon;
mod detect;
mod fact;
mod implications;
mod linear;
mod samples;

pub use detect::{Compared, Invariant, compare, detect};
pub use fact::Fact;
pub use samples::{Samples, Value};
