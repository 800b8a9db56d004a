//! Names, types and checks: from the tree of a text to a [`Program`].

mod program;

pub use program::*;
