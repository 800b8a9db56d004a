//! Promela, the language of SPIN.
//!
//! [`syntax`] turns preprocessed text into a tree, with inlines already substituted, and goes on after
//! errors. [`resolve`] turns the tree into a [`resolve::Program`]: every name bound, every type known,
//! `for` and `select` written out as SPIN writes them out, and the checks made that SPIN makes. Both
//! report as many problems as they find, each with a span into the text they were given.

pub mod machine;
pub mod resolve;
pub mod syntax;
