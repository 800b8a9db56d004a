//! Promela, the language of SPIN.
//!
//! [`syntax`] turns preprocessed text into a tree, with inlines already substituted, and goes on after
//! errors. [`resolve`] turns the tree into a [`resolve::Program`]: every name bound, every type known,
//! `for` and `select` written out as SPIN writes them out, and the checks made that SPIN makes. Both
//! report as many problems as they find, each with a span into the text they were given. [`machine`]
//! runs a program. [`Model::read`] does all of it, preprocessing included; a [`Narrator`] tells people
//! about the states and steps of a model in the words of its text. [`trail`] reads and writes SPIN's
//! counterexamples.

mod distinct;
pub mod machine;
mod model;
pub mod resolve;
mod story;
pub mod syntax;
pub mod trail;

pub use model::{Message, Model, Reading};
pub use story::Narrator;
