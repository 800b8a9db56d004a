//! Random systems, naive twins and fixtures for the tests; not shipped.

mod data;
pub mod naive_bisimulation;
pub mod naive_simulation;
pub mod random;
mod seed;
pub mod shapes;

pub use data::data_folder;
pub use seed::seed;
