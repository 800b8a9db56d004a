//! A trace as a formula whose models are the runs along it.
//!
//! Fei Pu, *Assumption-based Reasoning with Constraints for Diagnosing Program Errors* (2013), Definition 1: the
//! statements of a trace, in order, say what the variables are and which conditions held; a statement that is
//! assumed abnormal says nothing. So an abnormal assignment leaves its target any value of its type, and an
//! abnormal branch its condition either way; a literal for each statement decides (see [`Relaxation`]). Inputs,
//! assumptions and the constraints that are checked are never abnormal.
//!
//! Conditions are not asserted here but listed as [`Obligation`]s, because who asks wants some of them true and
//! some of them false: the path with the check, the path against the check, a fault and nothing before it.

use model::Scalar;

use crate::bits::Bits;
use crate::circuit::Circuit;
use crate::expr::{Cell, Condition, EncodeError, Environment, Need, Value, encode, encode_place};
use crate::solver::{Literal, Solver};

mod relaxation;
mod store;

pub use model::{Effect, TraceStep};
pub use relaxation::Relaxation;
pub use store::Store;

/// Where a trace starts.
#[derive(Clone, Debug)]
pub struct Start {
    pub store: Store,
    pub global: u32,
    /// Processes by their numbers, with their frames.
    pub processes: Vec<(i64, u32)>,
}

/// Why a trace has no formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceError {
    pub step: usize,
    pub error: EncodeError,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    Guard,
    Assume,
    Check,
    /// That the evaluator does not stop with a fault.
    Need(Need),
}

/// A condition of the trace. On runs along the trace all hold, perhaps but for those of the last check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Obligation {
    pub step: usize,
    /// Which effect of the step.
    pub effect: usize,
    pub duty: Duty,
    /// True if the condition holds, or the statement is abnormal and its conditions say nothing.
    pub holds: Literal,
}

/// What happened at an effect, in a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// The place that was written got this value.
    Stored { cell: Cell, scalar: Scalar, value: i64 },
    /// An index was outside its array.
    Nowhere,
    /// What the condition was in truth, abnormal or not.
    Condition(bool),
}

/// An effect as literals.
#[derive(Clone, Debug)]
enum Event {
    Stored { cells: Vec<(Cell, Literal)>, scalar: Scalar, value: Value },
    Condition(Literal),
}

/// The formula of a trace.
#[derive(Clone, Debug)]
pub struct TraceFormula {
    pub obligations: Vec<Obligation>,
    /// The values from outside, in order, each with its step.
    pub inputs: Vec<(usize, Value)>,
    /// Memory after the last step.
    pub end: Store,
    /// For each effect, in order: its step and what it does.
    events: Vec<(usize, Event)>,
}

impl TraceFormula {
    pub fn new(
        circuit: &mut Circuit<'_>,
        start: Start,
        steps: &[TraceStep],
        relaxation: &Relaxation,
    ) -> Result<Self, TraceError> {
        let mut builder = Builder {
            circuit,
            relaxation,
            memory: start,
            obligations: Vec::new(),
            inputs: Vec::new(),
            events: Vec::new(),
        };
        for (number, step) in steps.iter().enumerate() {
            for (at, effect) in step.effects.iter().enumerate() {
                builder
                    .effect(number, at, step, effect)
                    .map_err(|error| TraceError { step: number, error })?;
            }
        }
        Ok(Self {
            obligations: builder.obligations,
            inputs: builder.inputs,
            end: builder.memory.store,
            events: builder.events,
        })
    }

    /// Asserts the obligations that are chosen, for good.
    pub fn assert(&self, circuit: &mut Circuit<'_>, mut which: impl FnMut(&Obligation) -> bool) {
        for obligation in self.obligations.iter().filter(|obligation| which(obligation)) {
            circuit.assert(obligation.holds);
        }
    }

    /// Assumptions under which an effect, by its number, is to happen as given; none where the target may differ.
    pub fn same(&self, effect: usize, happening: Happening) -> Vec<Literal> {
        match (self.events.get(effect).map(|(_, event)| event), happening) {
            (Some(Event::Condition(literal)), Happening::Condition(holds)) => vec![literal.flipped(!holds)],
            (Some(Event::Stored { value, scalar, .. }), Happening::Stored { value: number, .. }) => {
                let bits = value.resize(usize::from(scalar.bits));
                let bits = bits.literals().iter().enumerate();
                bits.map(|(at, bit)| bit.flipped(number >> at & 1 == 0)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What happens in the solver's model, effect by effect, each with its step.
    pub fn happenings(&self, solver: &Solver<'_>) -> impl Iterator<Item = (usize, Happening)> {
        self.events.iter().map(|(step, event)| (*step, event.in_model(solver)))
    }
}

impl Event {
    fn in_model(&self, solver: &Solver<'_>) -> Happening {
        match self {
            Self::Condition(literal) => Happening::Condition(solver.is_true(*literal)),
            Self::Stored { cells, scalar, value } => cells
                .iter()
                .find(|(_, here)| solver.is_true(*here))
                .map_or(Happening::Nowhere, |(cell, _)| Happening::Stored {
                    cell: *cell,
                    scalar: *scalar,
                    value: scalar.wrap(value.number(solver)),
                }),
        }
    }
}

/// Memory as an expression of one step sees it.
struct View<'a> {
    memory: &'a Start,
    frame: u32,
}

impl Environment for View<'_> {
    fn global(&self) -> u32 {
        self.memory.global
    }

    fn local(&self) -> u32 {
        self.frame
    }

    fn processes(&self) -> &[(i64, u32)] {
        &self.memory.processes
    }

    fn load(&self, cell: Cell, scalar: Scalar) -> Result<Value, EncodeError> {
        self.memory.store.load(cell, scalar)
    }

    fn ask(&self, _: &mut Circuit<'_>, question: u32, _: &[Value]) -> Result<Value, EncodeError> {
        Err(EncodeError::Question(question))
    }
}

struct Builder<'a, 'w> {
    circuit: &'a mut Circuit<'w>,
    relaxation: &'a Relaxation,
    memory: Start,
    obligations: Vec<Obligation>,
    inputs: Vec<(usize, Value)>,
    events: Vec<(usize, Event)>,
}

impl Builder<'_, '_> {
    fn effect(
        &mut self,
        step: usize,
        at: usize,
        from: &TraceStep,
        effect: &Effect,
    ) -> Result<(), EncodeError> {
        let abnormal = match effect {
            Effect::Assign { .. } | Effect::Guard(_) => self.relaxation.literal(from.statement),
            Effect::Input { .. } | Effect::Assume(_) | Effect::Check(_) => Literal::FALSE,
        };
        let mut conditions = Vec::new();
        let event = match effect {
            Effect::Assign { place, value } => {
                let view = View { memory: &self.memory, frame: from.frame };
                let cells = encode_place(self.circuit, &view, place, &mut conditions)?;
                let value = encode(self.circuit, &view, value, &mut conditions)?.wrap(place.scalar);
                let value = self.unless(abnormal, value, place.scalar);
                self.store(cells, place.scalar, value)?
            }
            Effect::Input { place, width } => {
                let view = View { memory: &self.memory, frame: from.frame };
                let cells = encode_place(self.circuit, &view, place, &mut conditions)?;
                let value =
                    self.any_value(Scalar { bits: (*width).clamp(1, place.scalar.bits), ..place.scalar });
                self.inputs.push((step, value.clone()));
                self.store(cells, place.scalar, value)?
            }
            Effect::Guard(expr) | Effect::Assume(expr) | Effect::Check(expr) => {
                let view = View { memory: &self.memory, frame: from.frame };
                let value = encode(self.circuit, &view, expr, &mut conditions)?;
                Event::Condition(value.is_true(self.circuit))
            }
        };
        for Condition { need, holds } in conditions {
            self.oblige(step, at, Duty::Need(need), holds, abnormal);
        }
        if let Event::Condition(holds) = event {
            let duty = match effect {
                Effect::Check(_) => Duty::Check,
                Effect::Assume(_) => Duty::Assume,
                _ => Duty::Guard,
            };
            self.oblige(step, at, duty, holds, abnormal);
        }
        self.events.push((step, event));
        Ok(())
    }

    fn oblige(&mut self, step: usize, effect: usize, duty: Duty, holds: Literal, abnormal: Literal) {
        let holds = self.circuit.or(holds, abnormal);
        self.obligations.push(Obligation { step, effect, duty, holds });
    }

    /// Any value of that type.
    fn any_value(&mut self, scalar: Scalar) -> Value {
        Value::new(self.circuit.fresh_bits(usize::from(scalar.bits)), scalar.signed)
    }

    /// The value, or where the statement is abnormal any other.
    fn unless(&mut self, abnormal: Literal, value: Value, scalar: Scalar) -> Value {
        if abnormal == Literal::FALSE {
            return value;
        }
        let width = usize::from(scalar.bits);
        let free = self.circuit.fresh_bits(width);
        let bits: Bits = self.circuit.choose_bits(abnormal, &free, &value.resize(width));
        Value::new(bits, scalar.signed)
    }

    fn store(
        &mut self,
        cells: Vec<(Cell, Literal)>,
        scalar: Scalar,
        value: Value,
    ) -> Result<Event, EncodeError> {
        for (cell, here) in &cells {
            self.memory.store.assign(self.circuit, *cell, scalar, &value, *here)?;
        }
        Ok(Event::Stored { cells, scalar, value })
    }
}
