//! What people are told of a system's states and steps.
//!
//! A search deals in bytes and numbers; a [`Story`] gives them back their names: who moved, what the
//! statement says and where it stands, what variables hold, why a process cannot go on.

use std::fmt;

use source::Location;

use crate::Actors;

/// A process: its name and its number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Actor {
    pub name: String,
    pub number: u8,
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name, self.number)
    }
}

/// What one process does in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    pub actor: Actor,
    /// The statement as its author wrote it.
    pub action: String,
    pub location: Option<Location>,
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.actor, self.action)
    }
}

/// An event, told: who did what, and with whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub deed: Deed,
    /// The receiving side of a rendezvous.
    pub partner: Option<Deed>,
}

/// A class of violations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// What the report calls it: `assertion`, `fault`.
    pub kind: &'static str,
    /// What is wrong, in a few words.
    pub text: String,
    pub location: Option<Location>,
}

/// What a variable held before a step and after it; nothing where it does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub name: String,
    pub old: Option<String>,
    pub new: Option<String>,
}

/// A process that is where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub actor: Actor,
    /// Whether it may stay there for ever.
    pub may_end: bool,
    /// The statements it stands before, each with what keeps it.
    pub needs: Vec<Need>,
}

/// A statement that cannot be executed, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    pub action: String,
    pub location: Option<Location>,
    pub reason: String,
}

pub trait Story {
    /// Who takes part in an event.
    fn actors(&self, event: u64) -> Actors;

    fn event(&self, event: u64) -> Told;

    /// One line that no other event has.
    fn label(&self, event: u64) -> String;

    /// The class of violations that `what` is in steps of this event.
    fn wrong(&self, event: u64, what: u32) -> Wrong;

    /// What exactly is wrong with the step of this event from `state`, where more can be said than the
    /// class says.
    fn detail(&self, state: &[u8], event: u64) -> Option<String>;

    /// The names and values of all variables.
    fn values(&self, state: &[u8]) -> Vec<(String, String)>;

    fn changes(&self, from: &[u8], to: &[u8]) -> Vec<Change>;

    /// What keeps each process in a state from which nothing goes on.
    fn waiting(&self, state: &[u8]) -> Vec<Waiting>;

    /// What no step executes, if these are all the events there are.
    fn unreached(&self, events: &[u64]) -> Vec<Deed>;
}
