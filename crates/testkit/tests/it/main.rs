//! All tests of this crate from outside, in one program: linking one is much faster than linking many.

mod module_cycles;
mod packaged_models;
mod random_promela;
mod rooms;
mod semantics;
mod spin;
mod spin_graph;
