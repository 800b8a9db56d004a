//! All tests of this crate from outside, in one program: linking one is much faster than linking many.

mod bits;
mod expressions;
mod identities;
mod solver;
mod support;
mod traces;
