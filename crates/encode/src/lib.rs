//! Expressions and traces of the model as propositional formulas.
//!
//! From below: [`solver`] is the seam to satisfiability solvers, [`Circuit`] writes gates to one, [`bits`] makes
//! arithmetic of gates, [`expr`] makes the expressions of the model of arithmetic, and [`ssa`] makes a formula of
//! a whole trace, in which every statement can be assumed wrong.
//!
//! A formula is a function of its inputs: no circuit ever makes it false. Only what is asserted or assumed does,
//! so one solver answers many questions about one formula.

pub mod arrivals;
pub mod bits;
pub mod bounded;
mod circuit;
pub mod expr;
mod pointers;
pub mod questions;
pub mod solver;
pub mod ssa;
pub mod unwind;

pub use circuit::Circuit;
