//! From text to tree.

mod ast;

pub use ast::*;
