//! What people are told of a system's states and steps.
//!
//! A search deals in bytes and numbers; a [`Story`] gives them back their names: who moved, what the
//! statement says and where it stands, what variables hold, why a process cannot go on.

use std::fmt;

use serde::Serialize;
use source::Location;

use crate::{Actors, ConditionPart, Outline};

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

/// A step without its data: where its process stands, the statement, and what it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// A number for the place in the text from which the step starts; several statements can start there.
    pub place: u64,
    pub statement: String,
    /// The values it took from outside.
    pub given: Option<String>,
}

/// What sort of thing is wrong, or must not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ViolationKind {
    /// Nothing can move, and not everybody may stop.
    Deadlock,
    /// A failed assertion, or an error function that is called.
    Assertion,
    /// A forbidden sequence of actions, or a forbidden state.
    Safety,
    /// What the language calls an error: a division by zero, a bad index, a bad pointer.
    Fault,
    /// A temporal formula that an endless trace violates.
    Ltl,
    /// An acceptance cycle.
    Acceptance,
    /// A cycle without progress.
    NonProgress,
    /// Nothing by itself: recorded traces are told apart by whoever recorded them.
    Contrast,
}

impl fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// A class of violations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    pub kind: ViolationKind,
    /// What is wrong, in a few words.
    pub text: String,
    pub location: Option<Location>,
    /// Whether the statement is right if it is executed and nothing goes wrong. Calling an error function never is,
    /// and asserting what is false neither.
    pub can_hold: bool,
    pub sort: Sort,
}

/// What a violation is asked for as, where somebody asks for more than its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    #[default]
    Other,
    /// A call of a function that must not be called.
    ErrorCall,
    SignedOverflow,
    DataRace,
    /// Memory is used that is not there.
    BadAccess,
    /// Memory is freed that cannot be.
    BadFree,
    /// Something else is printed than a test expects.
    Output,
}

/// Faults that have a name of their own among patterns of bugs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    DivisionByZero,
    NullPointer,
    /// What a pointer points to is gone.
    Dangling,
    DoubleFree,
    SignedOverflow,
    /// A place of an array that it does not have.
    BadIndex,
    /// What was never given a value is used.
    Uninitialised,
}

/// A result that its type cannot hold, where the language goes on with what is left of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// A sum or difference without a sign that starts again at the other end.
    WrapAround,
    /// A value that is stored in a narrower type.
    Conversion,
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

/// What a step touches. Variables have the names under which [`Story::values`] knows them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// The variables whose values let the step happen or went into what it did.
    pub reads: Vec<String>,
    pub writes: Vec<String>,
    /// The variables of a process that comes to life with the step and that are given values.
    pub begins: Vec<String>,
    pub sends: Vec<Passage>,
    pub receives: Vec<Passage>,
}

/// What a call computed on the way and has not used up yet, such as what a function handed back. It is no variable and
/// has no name, but steps leave it to each other.
pub fn computed_name(call: &str, number: usize) -> String {
    format!("{call}.{COMPUTED}{number})")
}

/// Whether a name is that of a value computed on the way.
pub fn is_computed(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, last)| last.starts_with(COMPUTED))
}

/// No variable is called this.
const COMPUTED: &str = "(result ";

/// A message that goes into a channel or comes out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    pub channel: String,
    /// How many messages of the channel lie before it; nothing in a rendezvous.
    pub slot: Option<u32>,
    /// Whether the message stays in the channel although it was received.
    pub stays: bool,
}

/// What a step does to a lock, a counter or a signal, where the language has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Synchronisation {
    /// A lock is taken, alone or together with other readers; a counter loses one.
    Acquire(String),
    /// A lock is given back; a counter gains one.
    Release(String),
    /// The process goes to sleep until a signal comes, and gives the lock back meanwhile.
    Sleep { signal: String, lock: String },
    /// The process was woken by a signal, and takes the lock again.
    Wake { signal: String, lock: String },
    /// A signal is given to one process that sleeps, or to all; where nobody sleeps it is lost.
    Signal { signal: String, all: bool },
}

/// A statement that a process stands before and cannot execute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    pub actor: Actor,
    pub action: String,
    pub location: Option<Location>,
    /// Whether the process may stay there for ever.
    pub may_end: bool,
    pub on: Awaited,
    /// The variables and channels that decide whether it can be executed.
    pub reads: Vec<String>,
}

/// What a process waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// A condition over variables.
    Condition,
    /// A lock of the language.
    Lock(String),
    /// A counter of the language that is 0.
    Counter(String),
    /// A signal.
    Signal(String),
    /// The end of another process.
    End(u8),
    /// Room in a channel, or somebody who receives from it.
    Room(String),
    /// A message in a channel that it can take.
    Message(String),
    Other,
}

impl Footprint {
    /// Whether the order of two steps can matter: one writes what the other reads or writes, or both
    /// use a channel.
    pub fn conflicts(&self, other: &Self) -> bool {
        let meet = |one: &[String], two: &[String]| one.iter().any(|name| two.contains(name));
        let channels = |of: &Self, name: &str| of.passages().any(|passage| passage.channel == name);
        meet(&self.writes, &other.reads)
            || meet(&self.writes, &other.writes)
            || meet(&self.reads, &other.writes)
            || self
                .passages()
                .any(|passage| channels(other, &passage.channel) || other.reads.contains(&passage.channel))
            || other.passages().any(|passage| self.reads.contains(&passage.channel))
    }

    fn passages(&self) -> impl Iterator<Item = &Passage> {
        self.sends.iter().chain(&self.receives)
    }
}

/// What the events and states of a model are called, by the numbers and bytes in which only the model understands them.
///
/// Every front-end has one, whether a graph of states is known or not. Methods that work on a graph see it by the numbers of
/// that graph, as `Naming` of the pipeline.
pub trait Story {
    /// Whether anything is known of who takes steps; asked only when all that happens was met.
    fn has_processes(&self) -> bool {
        true
    }

    /// Who takes part in an event.
    fn actors(&self, event: u64) -> Actors;

    fn event(&self, event: u64) -> Told;

    /// The function whose statement an event executes, where there are functions.
    fn function(&self, _event: u64) -> Option<&str> {
        None
    }

    /// Whether an event does nothing but decide where to go on: it takes one way at a branch, or jumps.
    fn steers(&self, _event: u64) -> bool {
        false
    }

    /// What of an event does not depend on the data: events that differ only in the way the data made them
    /// go have the same.
    fn chosen(&self, event: u64) -> Chosen {
        Chosen { place: event, statement: self.event(event).deed.action, given: None }
    }

    /// What the text calls the place from which steps of this event start, where it has a name.
    fn point(&self, _event: u64) -> Option<String> {
        None
    }

    /// One line that no other event has.
    fn label(&self, event: u64) -> String;

    /// The class of violations that `what` is in steps of this event.
    fn wrong(&self, event: u64, what: u32) -> Wrong;

    /// What exactly is wrong with the step of this event from `state`, where more can be said than the
    /// class says.
    fn detail(&self, state: &[u8], event: u64) -> Option<String>;

    /// The fault that the step of this event from `state` ends in, if it has a name of its own.
    fn fault(&self, _state: &[u8], _event: u64) -> Option<FaultKind> {
        None
    }

    /// The parts of the condition that the step of this event from `state` finds false, operands before what they
    /// belong to; empty where nothing is asserted.
    fn condition(&self, _state: &[u8], _event: u64) -> Vec<ConditionPart> {
        Vec::new()
    }

    /// The value of both sides, if the step of this event from `state` is a branch that is taken because two values
    /// are compared by size (`<`, `<=`, `>`, `>=`) and are equal: with equality counted the other way, the branch would
    /// not be taken.
    fn at_bound(&self, _state: &[u8], _event: u64) -> Option<i64> {
        None
    }

    /// Whether the condition that steps of this event pass holds in `state`, wherever their process stands there. Nothing
    /// where they pass none, or where nobody can tell.
    fn would_pass(&self, _state: &[u8], _event: u64) -> Option<bool> {
        None
    }

    /// Results of the step of this event from `state` that do not fit.
    fn losses(&self, _state: &[u8], _event: u64) -> Vec<Loss> {
        Vec::new()
    }

    /// The names and values of all variables.
    fn values(&self, state: &[u8]) -> Vec<(String, String)>;

    /// Where all those variables lie in `state` and in others that are laid out alike.
    fn outline(&self, state: &[u8]) -> Outline;

    fn changes(&self, from: &[u8], to: &[u8]) -> Vec<Change>;

    /// The values that the step of this event took from outside, in the order in which it took them; `to`
    /// is nothing where the step is wrong.
    fn inputs(&self, _from: &[u8], _to: Option<&[u8]>, _event: u64) -> Vec<i64> {
        Vec::new()
    }

    /// What the step of this event from `state` reads, writes, sends and receives; who asks of a channel
    /// how full it is reads the channel.
    fn footprint(&self, _state: &[u8], _event: u64) -> Footprint {
        Footprint::default()
    }

    /// Whether steps of this event concern nobody else and are therefore taken as soon as they can be, never later.
    /// What directly follows what says nothing about such steps.
    fn is_taken_early(&self, _event: u64) -> bool {
        false
    }

    /// What the step of this event from `state` does to locks, counters and signals of the language.
    fn synchronisation(&self, _state: &[u8], _event: u64) -> Vec<Synchronisation> {
        Vec::new()
    }

    /// Whether a statement touches the same variables in every state, but for the indices of arrays.
    fn touches_by_name(&self) -> bool {
        false
    }

    /// The statements that processes cannot execute in a state from which nothing goes on.
    fn obstacles(&self, _state: &[u8]) -> Vec<Obstacle> {
        Vec::new()
    }

    /// What the processes that may not stay where they are in `state` ask before they go on.
    fn wants(&self, _state: &[u8]) -> Footprint {
        Footprint::default()
    }

    /// Where each process stands in `state`: who it is, and the line of what it does next.
    fn standing(&self, _state: &[u8]) -> Vec<(Actor, u64)> {
        Vec::new()
    }

    /// What keeps each process in a state from which nothing goes on.
    fn waiting(&self, state: &[u8]) -> Vec<Waiting>;

    /// What to say of a promise of processes that is broken; promises are those of
    /// [`crate::Worker::broken_promises`], by their bits.
    fn broken(&self, _promise: u32) -> Option<String> {
        None
    }

    /// What no step executes, if these are all the events there are.
    fn unreached(&self, events: &[u64]) -> Vec<Deed>;
}
