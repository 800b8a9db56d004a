//! What a user implements to have a system of their own explained.

use std::fmt;
use std::hash::Hash;

/// A system: initial states, and steps from every state.
///
/// Implement it for whatever you want explained: a protocol, a scheduler, the model of another checker. Only
/// [`initial_states`](System::initial_states), [`steps`](System::steps) and [`event`](System::event) are needed;
/// everything else makes explanations tell more.
///
/// The answers must depend on nothing but the arguments. States and actions are kept in tables, so that equal ones
/// are one; each state is asked for its steps once or a few times, never for every trace through it.
///
/// ```
/// use wherefore::{Event, Explainer, Steps, System, Verdict, Violation};
///
/// /// Two people who may take the last biscuit: each looks first, and takes one later.
/// struct Biscuits;
///
/// #[derive(Clone, PartialEq, Eq, Hash)]
/// struct Kitchen {
///     left: i8,
///     has_seen: [bool; 2],
///     is_done: [bool; 2],
/// }
///
/// #[derive(Clone, PartialEq, Eq, Hash)]
/// enum Move {
///     Look(usize),
///     Take(usize),
/// }
///
/// impl System for Biscuits {
///     type State = Kitchen;
///     type Action = Move;
///
///     fn initial_states(&self) -> Vec<Kitchen> {
///         vec![Kitchen { left: 1, has_seen: [false; 2], is_done: [false; 2] }]
///     }
///
///     fn steps(&self, state: &Kitchen, steps: &mut Steps<Kitchen, Move>) {
///         for person in 0..2 {
///             let mut next = state.clone();
///             if state.is_done[person] {
///                 continue;
///             } else if state.has_seen[person] {
///                 next.left -= 1;
///                 next.is_done[person] = true;
///                 steps.push(Move::Take(person), next);
///             } else {
///                 next.has_seen[person] = state.left > 0;
///                 next.is_done[person] = state.left <= 0;
///                 steps.push(Move::Look(person), next);
///             }
///         }
///     }
///
///     fn event(&self, action: &Move) -> Event {
///         match action {
///             Move::Look(person) => Event::new("look").by("person", *person as u8),
///             Move::Take(person) => Event::new("take").by("person", *person as u8),
///         }
///     }
///
///     fn violation(&self, state: &Kitchen) -> Option<Violation> {
///         (state.left < 0).then(|| Violation::new("a biscuit is taken that is not there"))
///     }
///
///     fn may_end(&self, _: &Kitchen) -> bool {
///         true
///     }
/// }
///
/// let explanation = Explainer::new().explain(&Biscuits)?;
/// assert_eq!(explanation.verdict(), Verdict::Violated);
/// // Both look before one of them takes.
/// let trace = explanation.counterexample().unwrap();
/// let actions: Vec<&str> = trace.steps().map(|step| step.action()).collect();
/// assert_eq!(actions, ["look", "look", "take", "take"]);
/// // From the second look on, nobody can mend it.
/// let decisive = trace.steps().find(|step| step.is_point_of_no_return()).unwrap();
/// assert_eq!(decisive.n(), 2);
/// # Ok::<(), wherefore::Error>(())
/// ```
pub trait System {
    /// What the system is in between two steps.
    type State: Clone + Eq + Hash;
    /// What happens in a step. Steps of the same action count as the same event wherever they happen, so data that
    /// only says how far things have come belongs into the state.
    type Action: Clone + Eq + Hash;

    /// The states in which traces begin; at least one.
    fn initial_states(&self) -> Vec<Self::State>;

    /// Pushes every step that is possible in `state`. An action may lead to several states.
    fn steps(&self, state: &Self::State, steps: &mut Steps<Self::State, Self::Action>);

    /// What people are told of an action: its name, who does it, and where it stands in a source. Actions of which
    /// the same is told are the same event.
    fn event(&self, action: &Self::Action) -> Event;

    /// What is wrong with a state, if something is. A trace ends where something is wrong: such a state is not asked
    /// for its steps.
    fn violation(&self, _state: &Self::State) -> Option<Violation> {
        None
    }

    /// Whether a trace may end in `state`, which has no steps. Where it may not, the state is a deadlock.
    fn may_end(&self, _state: &Self::State) -> bool {
        false
    }

    /// The names of all variables and what they hold in `state`, in any order; values are compared as texts.
    /// [`variables_of_debug`](crate::variables_of_debug) makes them of what `Debug` prints.
    fn variables(&self, _state: &Self::State) -> Vec<(String, String)> {
        Vec::new()
    }

    /// What keeps each process from moving in `state`, which is a deadlock.
    fn waiting(&self, _state: &Self::State) -> Vec<Waiting> {
        Vec::new()
    }

    /// What reports call the system.
    fn name(&self) -> String {
        name_of_type::<Self>()
    }
}

/// The name of a type without the path that leads to it.
pub(super) fn name_of_type<T: ?Sized>() -> String {
    let path = std::any::type_name::<T>();
    let end = path.find('<').unwrap_or(path.len());
    path[path[..end].rfind("::").map_or(0, |at| at + 2)..].to_owned()
}

/// The steps from one state, as [`System::steps`] tells them.
#[derive(Debug)]
pub struct Steps<S, A> {
    pub(super) list: Vec<(A, Outcome<S>)>,
}

/// Where a step leads.
#[derive(Debug)]
pub(super) enum Outcome<S> {
    To(S),
    Wrong(Violation),
}

impl<S, A> Steps<S, A> {
    pub(super) fn new() -> Self {
        Self { list: Vec::new() }
    }

    /// A step to `state`.
    pub fn push(&mut self, action: A, state: S) {
        self.list.push((action, Outcome::To(state)));
    }

    /// A step that is itself a violation, such as an assertion that fails; a trace ends there.
    pub fn fail(&mut self, action: A, violation: Violation) {
        self.list.push((action, Outcome::Wrong(violation)));
    }
}

/// An action as people are told of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    pub(super) action: String,
    pub(super) process: Option<(String, u8)>,
    pub(super) location: Option<Location>,
}

impl Event {
    /// An event of this name.
    pub fn new(action: impl Into<String>) -> Self {
        Self { action: action.into(), process: None, location: None }
    }

    /// Who does it: the kind of the process, and its number, which tells processes apart. Numbers go from 0 to 253.
    ///
    /// Traces that go on for ever count as passing only if they pass nobody over (weak fairness), and processes are
    /// who can be passed over.
    #[must_use]
    pub fn by(mut self, process: impl Into<String>, number: u8) -> Self {
        self.process = Some((process.into(), number));
        self
    }

    /// Where the statement that does it stands.
    #[must_use]
    pub fn at(mut self, location: Location) -> Self {
        self.location = Some(location);
        self
    }
}

/// A place in a source text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    pub(super) file: String,
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) text: String,
}

impl Location {
    /// A line of a file, counted from 1.
    pub fn new(file: impl Into<String>, line: u64) -> Self {
        Self { file: file.into(), line, column: 1, text: String::new() }
    }

    /// The line of Rust from which this is called.
    #[must_use]
    #[track_caller]
    pub fn here() -> Self {
        let caller = std::panic::Location::caller();
        Self { column: u64::from(caller.column()), ..Self::new(caller.file(), u64::from(caller.line())) }
    }

    /// The same with a column, counted from 1 in characters.
    #[must_use]
    pub fn column(mut self, column: u64) -> Self {
        self.column = column;
        self
    }

    /// The same with the text of the line, for reports that show it.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    /// The file, as whoever named the place calls it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The line, counted from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The column, counted from 1 in characters.
    pub fn column_number(&self) -> u64 {
        self.column
    }

    /// The text of the line; empty where nobody gave it.
    pub fn line_text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Something that must not be. Violations with the same text are of one class, and one class is explained at a time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Violation {
    pub(super) text: String,
}

impl Violation {
    /// What is wrong, in a few words.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}

/// A process that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub(super) process: String,
    pub(super) number: u8,
    pub(super) reason: String,
}

impl Waiting {
    /// Which process, by kind and number, and what it waits for.
    pub fn new(process: impl Into<String>, number: u8, reason: impl Into<String>) -> Self {
        Self { process: process.into(), number, reason: reason.into() }
    }
}
