//! Models that were written for the model checker stateright.
//!
//! A model of that library has states, actions and properties, which is all that an explanation needs. [`Adapted`]
//! makes a [`System`] of it:
//!
//! - `always` properties are checked; a state that violates one is a violation with the property's name.
//! - `sometimes` properties are examples that should exist: where none does, there is no counterexample to explain.
//!   `eventually` properties are about endless traces, which this engine does not look for in systems of users. Both
//!   are left out ([`Adapted::left_out`]), and refused where they are asked for by name ([`Adapted::only`]).
//! - States without steps are no deadlocks, as in stateright, unless they are asked for ([`Adapted::deadlocks`]).
//! - A step to a state outside of the model's boundary is no step, as in stateright.
//! - States are told apart by a hash of 128 bits, because models need not be able to compare them. The chance that two of
//!   a hundred million states share one is below one in 10^22.
//!
//! ```
//! use stateright::{Model, Property};
//! use wherefore::stateright::Adapted;
//! use wherefore::{Explainer, Verdict};
//!
//! /// A counter that should stay even.
//! struct Counter;
//!
//! impl Model for Counter {
//!     type State = u8;
//!     type Action = u8;
//!
//!     fn init_states(&self) -> Vec<u8> {
//!         vec![0]
//!     }
//!
//!     fn actions(&self, state: &u8, actions: &mut Vec<u8>) {
//!         actions.extend([2, 3].iter().filter(|more| state + **more < 10));
//!     }
//!
//!     fn next_state(&self, state: &u8, more: u8) -> Option<u8> {
//!         Some(state + more)
//!     }
//!
//!     fn format_action(&self, more: &u8) -> String {
//!         format!("add {more}")
//!     }
//!
//!     fn properties(&self) -> Vec<Property<Self>> {
//!         vec![Property::always("even", |_, state| state % 2 == 0)]
//!     }
//! }
//!
//! let explanation = Explainer::new().explain(&Adapted::new(&Counter)?)?;
//! assert_eq!(explanation.verdict(), Verdict::Violated);
//! let trace = explanation.counterexample().unwrap();
//! assert_eq!(trace.steps().map(|step| step.action()).collect::<Vec<_>>(), ["add 3"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt::{self, Debug};
use std::hash::{DefaultHasher, Hash, Hasher};

use stateright::{Expectation, Model};
use thiserror::Error;

use super::system::name_of_type;
use super::{Event, Steps, System, Violation, variables_of_debug};

/// Why a model cannot be explained as asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Unsupported {
    /// There is nothing to check.
    #[error("the model has no property of the kind `always`; others cannot be explained")]
    NothingToCheck,
    /// The property is of another kind.
    #[error("the property \"{name}\" is of the kind `{kind}`; only `always` can be explained")]
    Kind {
        /// The property.
        name: String,
        /// Its kind: `sometimes` or `eventually`.
        kind: &'static str,
    },
    /// The model has no such property.
    #[error("the model has no property \"{0}\"")]
    Unknown(String),
}

/// A state of a model, known by its hash.
#[derive(Clone)]
pub struct Known<S> {
    state: S,
    hashes: [u64; 2],
}

impl<S: Hash> Known<S> {
    fn new(state: S) -> Self {
        // The second hash begins elsewhere, so that it tells apart what the first does not.
        let hashes = [0_u8, 1].map(|start| {
            let mut hasher = DefaultHasher::new();
            hasher.write_u8(start);
            state.hash(&mut hasher);
            hasher.finish()
        });
        Self { state, hashes }
    }
}

impl<S: Debug> Debug for Known<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.state.fmt(f)
    }
}

impl<S> PartialEq for Known<S> {
    fn eq(&self, other: &Self) -> bool {
        self.hashes == other.hashes
    }
}

impl<S> Eq for Known<S> {}

impl<S> Hash for Known<S> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.hashes[0]);
    }
}

type Teller<'m, M> = Box<dyn Fn(&<M as Model>::Action) -> Event + 'm>;

/// A model of stateright as a [`System`].
pub struct Adapted<'m, M: Model> {
    model: &'m M,
    properties: Vec<stateright::Property<M>>,
    left_out: Vec<(&'static str, &'static str)>,
    reports_deadlocks: bool,
    event: Option<Teller<'m, M>>,
}

impl<M: Model> Debug for Adapted<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.properties.iter().map(|property| property.name).collect();
        f.debug_struct("Adapted").field("properties", &names).finish_non_exhaustive()
    }
}

impl<'m, M: Model> Adapted<'m, M> {
    /// Checks all properties of the kind `always`.
    ///
    /// # Errors
    /// If the model has none.
    pub fn new(model: &'m M) -> Result<Self, Unsupported> {
        let mut adapted = Self::without_properties(model);
        for property in model.properties() {
            match kind(&property.expectation) {
                None => adapted.properties.push(property),
                Some(kind) => adapted.left_out.push((property.name, kind)),
            }
        }
        if adapted.properties.is_empty() { Err(Unsupported::NothingToCheck) } else { Ok(adapted) }
    }

    /// Checks one property.
    ///
    /// # Errors
    /// If the model does not have it, or it is not of the kind `always`.
    pub fn only(model: &'m M, name: &str) -> Result<Self, Unsupported> {
        let property = model.properties().into_iter().find(|property| property.name == name);
        let property = property.ok_or_else(|| Unsupported::Unknown(name.to_owned()))?;
        match kind(&property.expectation) {
            Some(kind) => Err(Unsupported::Kind { name: name.to_owned(), kind }),
            None => Ok(Self { properties: vec![property], ..Self::without_properties(model) }),
        }
    }

    /// Checks for deadlocks only: states without steps.
    pub fn deadlocks(model: &'m M) -> Self {
        Self { reports_deadlocks: true, ..Self::without_properties(model) }
    }

    /// Tells actions by a function of the user, which may name processes and places. Without it, an action is told by
    /// what the model's `format_action` says.
    #[must_use]
    pub fn telling(mut self, event: impl Fn(&M::Action) -> Event + 'm) -> Self {
        self.event = Some(Box::new(event));
        self
    }

    /// The names and kinds of the properties that are not checked.
    pub fn left_out(&self) -> &[(&'static str, &'static str)] {
        &self.left_out
    }

    fn without_properties(model: &'m M) -> Self {
        Self { model, properties: Vec::new(), left_out: Vec::new(), reports_deadlocks: false, event: None }
    }
}

/// The name of a kind of property that is not supported.
fn kind(expectation: &Expectation) -> Option<&'static str> {
    match expectation {
        Expectation::Always => None,
        Expectation::Eventually => Some("eventually"),
        Expectation::Sometimes => Some("sometimes"),
    }
}

impl<M: Model> System for Adapted<'_, M>
where
    M::State: Clone + Debug + Hash,
    M::Action: Debug,
{
    type State = Known<M::State>;
    type Action = Event;

    fn initial_states(&self) -> Vec<Self::State> {
        let states = self.model.init_states().into_iter();
        states.filter(|state| self.model.within_boundary(state)).map(Known::new).collect()
    }

    fn steps(&self, state: &Self::State, steps: &mut Steps<Self::State, Event>) {
        let mut actions = Vec::new();
        self.model.actions(&state.state, &mut actions);
        for action in actions {
            let event = match &self.event {
                Some(event) => event(&action),
                None => Event::new(self.model.format_action(&action)),
            };
            let next = self.model.next_state(&state.state, action);
            if let Some(next) = next.filter(|next| self.model.within_boundary(next)) {
                steps.push(event, Known::new(next));
            }
        }
    }

    fn event(&self, action: &Event) -> Event {
        action.clone()
    }

    fn violation(&self, state: &Self::State) -> Option<Violation> {
        let violated =
            self.properties.iter().find(|property| !(property.condition)(self.model, &state.state))?;
        Some(Violation::new(format!("\"{}\" does not hold", violated.name)))
    }

    fn may_end(&self, _: &Self::State) -> bool {
        !self.reports_deadlocks
    }

    fn variables(&self, state: &Self::State) -> Vec<(String, String)> {
        variables_of_debug(&state.state)
    }

    fn name(&self) -> String {
        name_of_type::<M>()
    }
}
