//! lts

mod colour;
mod label_sort;
mod partition;
mod pulse;
mod quotient;
mod reduce;
mod simulation;
mod strong;
mod tau;

pub use reduce::{Equivalence, Reduction, reduce};
pub use simulation::{Mismatch, Simulation, simulate};
pub use tau::Tau;
