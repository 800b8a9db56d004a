//! Random systems, naive twins and fixtures for the tests; not shipped.

mod seed;

pub use seed::seed;
