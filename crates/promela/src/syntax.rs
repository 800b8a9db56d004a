//! From text to tree: tokens, inlines, grammar.
//!
//! [`parse`] reads preprocessed text. It finds as many syntax errors as it can and returns what it
//! understood. No name is looked up yet, except that inlines are replaced by their bodies.

mod ast;
mod lexer;
mod parser;
#[cfg(test)]
mod tests;
mod token;

pub use ast::*;
pub use parser::parse;
