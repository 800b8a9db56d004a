//! Random small Promela models, and what makes a model on which two checkers differ smaller.
//!
//! A model is drawn as a tree rather than as text, so that parts of it can be dropped: see [`shrink`]. Every
//! model is one that SPIN accepts, and few have more than some thousand states: values are kept small,
//! loops inside atomic sequences are bounded, and a goto inside one only leads on.

mod generate;
mod print;
mod shrink;
mod terms;

pub use self::shrink::shrink;

/// How often, in a hundred cases, a model has what.
#[derive(Clone, Copy, Debug)]
pub struct Knobs {
    /// The least and the greatest number of proctypes besides `init`.
    pub processes: (u32, u32),
    /// The greatest number of statements in the body of a process.
    pub statements: u32,
    /// Channels without a buffer, among all channels.
    pub rendezvous: u32,
    /// Statements that are an atomic sequence.
    pub atomic: u32,
    /// Statements that are a d_step.
    pub d_step: u32,
    /// Statements that are a choice or a loop.
    pub choice: u32,
    /// Choices and loops with an else.
    pub otherwise: u32,
    /// Choices that have both an else and channel operations as guards; SPIN calls that dubious.
    pub otherwise_with_messages: u32,
    /// Guards that are a timeout.
    pub timeout: u32,
    /// Statements with an escape.
    pub unless: u32,
    /// Statements that are a goto.
    pub goto: u32,
    /// Statements that are a send or receive.
    pub message: u32,
    /// Statements that are an assertion.
    pub assertion: u32,
    /// Processes that are started by `init` and not from the beginning.
    pub run: u32,
    /// Loops and waits that are a valid end.
    pub end: u32,
}

impl Default for Knobs {
    fn default() -> Self {
        Self {
            processes: (2, 4),
            statements: 6,
            rendezvous: 45,
            atomic: 14,
            d_step: 8,
            choice: 32,
            otherwise: 45,
            otherwise_with_messages: 25,
            timeout: 4,
            unless: 3,
            goto: 4,
            message: 17,
            assertion: 4,
            run: 30,
            end: 10,
        }
    }
}

/// A model that can be printed as Promela and taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomModel {
    /// Declarations of globals and channels, each with the name it declares.
    declarations: Vec<(String, String)>,
    processes: Vec<Process>,
    /// What `init` does; without anything there is no `init`.
    init: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Process {
    name: String,
    /// How many instances there are from the beginning.
    active: u32,
    parameters: Vec<String>,
    /// Local declarations, each with the name it declares.
    locals: Vec<(String, String)>,
    body: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Statement {
    label: Option<String>,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// A statement without parts, as text.
    Plain(String),
    Choice(Choice),
    Atomic(Vec<Statement>),
    DStep(Vec<Statement>),
    Unless(Vec<Statement>, Vec<Statement>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Choice {
    /// `do` rather than `if`.
    repeated: bool,
    options: Vec<Vec<Statement>>,
    otherwise: Option<Vec<Statement>>,
}

impl From<Kind> for Statement {
    fn from(kind: Kind) -> Self {
        Self { label: None, kind }
    }
}

fn plain(text: impl Into<String>) -> Statement {
    Kind::Plain(text.into()).into()
}
