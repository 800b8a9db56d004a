//! Expressions, traces and whole programs of the model as propositional formulas.
//!
//! The modules, from below:
//!
//! - [`solver`]: the seam to satisfiability solvers, with literals, limits, counters and smaller reasons for a no;
//! - [`bits`]: bit-vectors, one literal a bit;
//! - `value`: numbers of the evaluator in as few bits as they need;
//! - `circuit`: [`Circuit`] writes gates to a solver, each once, and makes of them arithmetic, comparisons, shifts and
//!   small arrays of bit-vectors; it remembers which objects a vector that is a pointer may point into;
//! - [`expr`]: expressions of the model with the evaluator's meaning;
//! - [`ssa`]: a trace that is spelt out as one formula, in which every statement can be assumed wrong;
//! - [`unwind`]: a whole program as one formula, as far as a bound reaches, with calls, memory and waypoints;
//! - [`bounded`]: the search for a run on which something is wrong, within a bound that grows;
//! - [`questions`]: what the methods ask besides: small runs, near ones, all on one path, those through one edge;
//! - [`arrivals`]: which steps lie on correct runs to a place.
//!
//! A formula is a function of its inputs: no circuit ever makes it false. Only what is asserted or assumed does,
//! so one solver answers many questions about one formula.

pub mod arrivals;
pub mod bits;
pub mod bounded;
mod circuit;
pub mod expr;
pub mod questions;
pub mod solver;
pub mod ssa;
pub mod unwind;
mod value;

pub use circuit::Circuit;
