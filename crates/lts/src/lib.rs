//! lts

mod colour;
mod label_sort;
mod partition;
mod pulse;
mod quotient;
mod reduce;
mod strong;
mod tau;

pub use reduce::{Equivalence, Reduction, reduce};
pub use tau::Tau;
