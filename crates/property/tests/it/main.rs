//! All tests of this crate from outside, in one program: linking one is much faster than linking many.

mod compiling;
mod errors;
mod grammar;
mod ltl;
mod ltl_spin;
mod mutations;
mod semantics;
