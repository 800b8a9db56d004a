//! Expressions and traces as propositional formulas.

pub mod bits;
mod circuit;
pub mod solver;

pub use circuit::Circuit;
