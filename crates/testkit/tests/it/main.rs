//! All tests of this crate from outside, in one program: linking one is much faster than linking many.

mod packaged_models;
mod random_promela;
mod semantics;
mod spin;
mod spin_graph;
