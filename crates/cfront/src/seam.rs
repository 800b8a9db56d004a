//! Where the library ends: the only module that knows the `rucc` crates.
//!
//! `parse` drives them, contained on a thread of their own. The rest walks the library's typed tree from
//! the entry function on and writes ours. What is not reached is not looked at, so a program is refused
//! only for what it can do: a function is reached if a reached one calls it or takes its address, a global
//! if a reached function or initialiser names it. A node that is not known here is an error at its place.

mod builtins;
mod calls;
mod constants;
mod declarations;
mod doubts;
mod expressions;
mod initializers;
mod lengths;
mod lower;
mod operators;
mod parse;
mod places;
mod quiet;
mod ranges;
mod spans;
mod statements;
mod types;

pub(crate) use parse::read;
