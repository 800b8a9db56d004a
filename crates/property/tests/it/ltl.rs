//! Temporal formulas and their automata.

mod classes;
mod limits;
mod shapes;
mod stutter;
pub(crate) mod support;
mod words;
