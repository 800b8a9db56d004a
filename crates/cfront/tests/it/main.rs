//! All tests of this crate from outside, in one program: linking one is much faster than linking many.

mod assumptions;
mod checks;
mod conditions;
mod differential;
mod footprints;
mod gcc;
mod messages;
mod mutated;
mod questions;
mod reduction;
mod refusals;
mod rehearsal;
mod robustness;
mod run;
mod running;
mod summaries;
mod support;
mod threads;
mod tree;
mod unwinding;
mod unwritten;
