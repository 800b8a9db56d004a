//! The language under all front-ends: expressions over fixed-width integers, in states that are bytes.
//!
//! A front-end lays its variables out in frames ([`Layout`]). A state is a vector of bytes: one frame of
//! globals, one for each process or call, one for each [`Channel`]. What lies where is known here; what a
//! statement does and who may step next is the front-end's own rule.
//!
//! [`Expr`]essions are trees, for whoever wants to look at them (encoders, reports, repairs), and are
//! compiled to flat [`Code`] for whoever runs them a million times a second.
//!
//! A [`Program`] adds what languages with functions and pointers need: automata whose edges carry
//! [`Command`]s, and objects that pointers point to.

mod channel;
mod code;
mod command;
mod compile;
mod effect;
mod expr;
mod fault;
mod layout;
pub mod mistakes;
mod pattern;
mod primitive;
mod program;
mod run;
mod scalar;

pub use channel::{Channel, ChannelType};
pub use code::{Code, Context, Host};
pub use command::{Argument, Builtin, Command, Failure, Region};
pub use compile::{TooDeep, compile, compile_place};
pub use effect::{Effect, TraceStep};
pub use expr::{Base, Binary, Expr, Index, Place, Unary};
pub use fault::Fault;
pub use layout::{Field, Layout, Record, Type, Variable};
pub use pattern::Pattern;
pub use primitive::Primitive;
pub use program::{
    Edge, FrameObject, Function, FunctionId, Globals, Location, Outcome, Parameter, ParameterKind, Pointers,
    Program, Statement, StatementKind, StaticObject, StaticPlace,
};
pub use run::{Run, RunEnding, Runner};
pub use scalar::Scalar;
