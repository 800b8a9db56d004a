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
use crate::random::Random;

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
    /// Processes with a `provided` clause.
    pub provided: u32,
    /// Models with priorities; those have no rendezvous, because SPIN refuses the two together.
    pub priorities: u32,
    /// Models with a record.
    pub record: u32,
    /// Started processes that are given a channel.
    pub channel_parameter: u32,
    /// Terms that ask for `_last`.
    pub last: u32,
    /// Conditions that ask where the first process stands.
    pub remote: u32,
    /// Processes that say of a channel, for each of these, that nobody else receives from it (`xr`) or sends
    /// to it (`xs`), whether that is so or not.
    pub promises: u32,
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
            unless: 6,
            goto: 4,
            message: 17,
            assertion: 4,
            run: 30,
            end: 10,
            provided: 5,
            priorities: 5,
            record: 20,
            channel_parameter: 20,
            last: 1,
            remote: 2,
            promises: 0,
        }
    }
}

impl Knobs {
    /// Knobs that are turned up and down at random, so that rare things meet.
    pub fn varied(random: &mut Random) -> Self {
        let mut turned = |usual: u32| match random.below(4) {
            0 => 0,
            1 => usual,
            2 => (2 * usual).min(90),
            _ => (4 * usual).min(90),
        };
        let usual = Self::default();
        Self {
            rendezvous: turned(usual.rendezvous),
            atomic: turned(usual.atomic).min(30),
            d_step: turned(usual.d_step).min(20),
            otherwise: turned(usual.otherwise),
            otherwise_with_messages: turned(usual.otherwise_with_messages),
            timeout: turned(usual.timeout),
            unless: turned(usual.unless),
            goto: turned(usual.goto),
            message: turned(usual.message).min(40),
            run: turned(usual.run),
            provided: turned(usual.provided),
            priorities: turned(usual.priorities),
            record: turned(usual.record),
            channel_parameter: turned(usual.channel_parameter),
            last: turned(usual.last),
            remote: turned(usual.remote),
            ..usual
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
    /// `provided` and `priority`, as written behind the parameters.
    clauses: Vec<String>,
    /// Local declarations, each with the name it declares.
    locals: Vec<(String, String)>,
    body: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Statement {
    label: Option<String>,
    kind: StatementKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum StatementKind {
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

impl From<StatementKind> for Statement {
    fn from(kind: StatementKind) -> Self {
        Self { label: None, kind }
    }
}

fn plain(text: impl Into<String>) -> Statement {
    StatementKind::Plain(text.into()).into()
}
