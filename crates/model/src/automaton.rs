//! Control flow: locations and the guarded transitions between them.

use source::Span;

use crate::{Action, Layout};

#[derive(Clone, Debug)]
pub struct Transition {
    pub action: Action,
    pub target: u32,
    /// Where the statement stands.
    pub span: Span,
    /// The statement as a person writes it, on one line.
    pub text: String,
    /// Bits whose meaning is the front-end's own.
    pub marks: u32,
}

#[derive(Clone, Debug, Default)]
pub struct Location {
    pub transitions: Vec<Transition>,
    /// Where control stands.
    pub span: Span,
    /// Bits whose meaning is the front-end's own.
    pub marks: u32,
}

/// What one kind of process, or one function, can do.
#[derive(Clone, Debug)]
pub struct Automaton {
    pub name: String,
    pub locations: Vec<Location>,
    pub initial: u32,
    pub frame: Layout,
}
