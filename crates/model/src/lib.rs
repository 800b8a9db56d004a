//! The language under all front-ends: guarded statements over fixed-width integers.
//!
//! A front-end turns its text into [`Automaton`]s whose transitions carry an [`Action`] (an expression
//! to wait for, an assignment, a send, ...), and lays its variables out in frames ([`Layout`]). A state
//! is a vector of bytes: one frame of globals, one for each process or call, one for each channel. What
//! lies where is known here; who may step next is the front-end's own rule.
//!
//! [`Expr`]essions are trees, for whoever wants to look at them (encoders, reports, repairs), and are
//! compiled to flat [`Code`] for whoever runs them a million times a second.

mod action;
mod automaton;
mod channel;
mod code;
mod compile;
mod expr;
mod fault;
mod layout;
mod scalar;

pub use action::{Action, Pattern};
pub use automaton::{Automaton, Location, Transition};
pub use channel::{Channel, ChannelType};
pub use code::{Code, Context, Host};
pub use compile::{TooDeep, compile, compile_place};
pub use expr::{Base, Binary, Expr, Index, Place, Unary};
pub use fault::Fault;
pub use layout::{Field, Layout, Record, Type, Variable};
pub use scalar::Scalar;
