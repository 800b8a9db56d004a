//! The walk through a program: every location once for every round of the loops around it, when all ways to it
//! are known.

use std::rc::Rc;

use model::{Command, Edge, Expr, Place, Unary};

use super::execute::{Executor, Flow, Frame};
use super::log::{At, Cut, Log, Passage, Why};
use super::shape::{Element, Loop, shape};
use super::state::{Guards, State};
use crate::expr::Cell;
use crate::solver::{Literal, Stop};

/// How deep calls may be nested.
const DEEPEST: usize = 200;
/// How often a loop goes round whose end is known beforehand.
const MOST_ROUNDS: u32 = 1 << 13;
/// How many locations are visited between two pulses.
const PULSE: u32 = 1 << 8;

/// Walks through a program; returns the state in which it ends.
pub(super) fn walk(
    mut executor: Executor<'_, '_, '_>,
    shapes: &mut [Option<Rc<Vec<Element>>>],
    bound: u32,
) -> Result<(Option<State>, Log), Stop> {
    let entry = executor.program.entry.0;
    let started = executor.start();
    let mut walk = Walk { executor, shapes, bound, guards: Guards::default(), calls: Vec::new(), visits: 0 };
    let end = match started {
        Ok((state, frame)) => walk.call(state, frame)?,
        Err(error) => {
            let at = At { function: entry, edge: 0 };
            walk.executor.log.cuts.push(Cut { at, when: Literal::TRUE, why: Why::Encoding(error) });
            None
        }
    };
    if let Some(state) = &end {
        let reached = state.reached(walk.executor.circuit);
        walk.executor.log.ends.push(reached);
    }
    Ok((end, walk.executor.log))
}

/// What decided in a round that a loop goes on, and the values it looked at.
type Decisions = Vec<(u32, Vec<Vec<Literal>>)>;

/// A call that is being walked through.
struct Activation {
    frame: Frame,
    /// The states that lead to each location.
    pending: Vec<Vec<State>>,
    returns: Vec<State>,
}

struct Walk<'p, 'c, 'w, 's> {
    executor: Executor<'p, 'c, 'w>,
    shapes: &'s mut [Option<Rc<Vec<Element>>>],
    bound: u32,
    guards: Guards,
    /// The calls that go on: the function, the guard, and how often it was called from itself under another one.
    calls: Vec<(u32, Literal, u32)>,
    visits: u32,
}

/// The loops around a location, outermost first, with what decided that they go on.
type Around<'l> = Vec<(&'l Loop, Decisions)>;

impl Walk<'_, '_, '_, '_> {
    /// Walks through a call; returns the state in which it returns.
    fn call(&mut self, state: State, frame: Frame) -> Result<Option<State>, Stop> {
        let function = self.executor.function(frame.function);
        let known = &mut self.shapes[frame.function as usize];
        let shape = Rc::clone(known.get_or_insert_with(|| Rc::new(shape(function))));
        let mut activation =
            Activation { frame, pending: vec![Vec::new(); function.locations.len()], returns: Vec::new() };
        activation.pending[function.entry as usize].push(state);
        self.elements(&mut activation, &shape, &mut Vec::new())?;
        let Activation { frame, returns, .. } = activation;
        let mut end = self.guards.meet(self.executor.circuit, returns);
        if let Some(state) = &mut end {
            self.executor.leave(state, &frame);
        }
        Ok(end)
    }

    fn elements<'l>(
        &mut self,
        activation: &mut Activation,
        elements: &'l [Element],
        around: &mut Around<'l>,
    ) -> Result<(), Stop> {
        for element in elements {
            match element {
                Element::Single(location) => self.visit(activation, *location, around)?,
                Element::Loop(inner) => self.rounds(activation, inner, around)?,
            }
        }
        Ok(())
    }

    /// Goes round a loop until nothing goes on, or the bound is reached.
    fn rounds<'l>(
        &mut self,
        activation: &mut Activation,
        inner: &'l Loop,
        around: &mut Around<'l>,
    ) -> Result<(), Stop> {
        let (mut counted, mut round) = (0, 0);
        let mut before = Decisions::new();
        activation.frame.rounds.push(0);
        around.push((inner, Decisions::new()));
        let most = if self.executor.log.given.is_some() { u32::MAX } else { MOST_ROUNDS };
        while !activation.pending[inner.head as usize].is_empty() {
            if counted > self.bound || round >= most {
                let why = if counted > self.bound { Why::Loop } else { Why::Rounds };
                self.cut(activation, inner.head, why);
                break;
            }
            self.visit(activation, inner.head, around)?;
            self.elements(activation, &inner.body, around)?;
            let decided = around.last_mut().map(|(_, decided)| std::mem::take(decided)).unwrap_or_default();
            // A loop that goes on because of values that change has an end of its own.
            if decided.is_empty() || decided == before {
                counted += 1;
            }
            before = decided;
            round += 1;
            if let Some(last) = activation.frame.rounds.last_mut() {
                *last = round;
            }
        }
        around.pop();
        activation.frame.rounds.pop();
        Ok(())
    }

    /// Ends the walk at a location.
    fn cut(&mut self, activation: &mut Activation, location: u32, why: Why) {
        let states = std::mem::take(&mut activation.pending[location as usize]);
        let function = activation.frame.function;
        let edges = &self.executor.function(function).edges;
        let edge = edges.partition_point(|edge| edge.from < location) as u32;
        for state in states {
            let when = state.reached(self.executor.circuit);
            if when != Literal::FALSE {
                self.executor.log.cuts.push(Cut { at: At { function, edge }, when, why });
            }
        }
    }

    fn visit(
        &mut self,
        activation: &mut Activation,
        location: u32,
        around: &mut Around<'_>,
    ) -> Result<(), Stop> {
        let mut states = std::mem::take(&mut activation.pending[location as usize]);
        states.retain(|state| !state.is_dead());
        let Some(mut state) = self.guards.meet(self.executor.circuit, states) else { return Ok(()) };
        self.visits += 1;
        if self.visits.is_multiple_of(PULSE) {
            self.executor.circuit.solver.pulse()?;
        }
        let number = activation.frame.function;
        let function = self.executor.function(number);
        if function.locations[location as usize].boundary && function.temporaries < function.frame.size {
            let cell = Cell { frame: activation.frame.block, offset: function.temporaries };
            let bits = (function.frame.size - function.temporaries) as usize * 8;
            let zeros = vec![Literal::FALSE; bits];
            let cleared = state.memory.write(self.executor.circuit, cell, &zeros, Literal::TRUE);
            debug_assert!(cleared.is_ok());
        }
        let first = function.edges.partition_point(|edge| edge.from < location);
        let edges = function.edges_of(location);
        if let [edge] = edges {
            let at = At { function: number, edge: first as u32 };
            return self.take(activation, state, at, edge, 0, false);
        }
        // Branches ask one after the other; at most one of them goes on.
        for (index, edge) in edges.iter().enumerate() {
            if state.is_dead() {
                break;
            }
            let at = At { function: number, edge: (first + index) as u32 };
            let Some(Command::Assume(condition)) = edge.commands.first() else {
                self.executor.cut_unless(&mut state, at, Literal::FALSE, Why::Loop);
                break;
            };
            let opposite = index > 0 && is_opposite(&edges[index - 1], edge) && index + 1 == edges.len();
            let holds = if opposite {
                Literal::TRUE
            } else {
                match self.executor.value(&mut state, &activation.frame, at, condition) {
                    Ok(value) => {
                        let holds = value.is_true(self.executor.circuit);
                        self.executor.gone(at, holds)
                    }
                    Err(error) => {
                        self.executor.cut_unless(&mut state, at, Literal::FALSE, Why::Encoding(error));
                        break;
                    }
                }
            };
            // The last of two was decided by the first.
            if let Some(holds) = holds.known().filter(|_| !opposite) {
                decide(&state, &activation.frame, location, condition, around, |inner| {
                    !holds && !inner.contains(edge.to)
                        || holds && edges.iter().any(|other| other.to != edge.to && !inner.contains(other.to))
                });
            }
            let guard = state.guard;
            let taken = self.guards.split(self.executor.circuit, guard, holds);
            let rest = self.guards.split(self.executor.circuit, guard, !holds);
            if taken != Literal::FALSE {
                let next = State { guard: taken, ..state.clone() };
                self.take(activation, next, at, edge, 1, true)?;
            }
            state.guard = rest;
        }
        Ok(())
    }

    /// Takes an edge from its command `first` on.
    fn take(
        &mut self,
        activation: &mut Activation,
        mut state: State,
        at: At,
        edge: &Edge,
        first: usize,
        is_branch: bool,
    ) -> Result<(), Stop> {
        let taken = state.reached(self.executor.circuit);
        let number = self.executor.log.passages.len();
        self.executor.log.passages.push(Passage { at, taken, through: taken, is_branch });
        self.executor.pass(&mut state, &activation.frame, at);
        let flow = self.executor.commands(&mut state, &mut activation.frame, at, first);
        self.executor.log.passages[number].through = state.reached(self.executor.circuit);
        match flow {
            Flow::Onward => activation.pending[edge.to as usize].push(state),
            Flow::Over => {}
            Flow::Returned => activation.returns.push(state),
            Flow::Calls { functions, arguments } => {
                let result = match edge.commands.last() {
                    Some(Command::Call { result, .. } | Command::CallPointer { result, .. }) => result,
                    _ => &None,
                };
                for (function, when) in functions {
                    let guard = self.guards.split(self.executor.circuit, state.guard, when);
                    let mut inner = State { guard, ..state.clone() };
                    if inner.is_dead() || !self.may_call(&mut inner, at, function) {
                        continue;
                    }
                    let site = (activation.frame.call, at.edge, u32::MAX, activation.frame.rounds.clone());
                    let entered = self.executor.enter(&mut inner, function, &arguments, site);
                    let returned = match entered {
                        Ok(frame) => self.call(inner, frame)?,
                        Err(error) => {
                            self.executor.cut_unless(&mut inner, at, Literal::FALSE, Why::Encoding(error));
                            None
                        }
                    };
                    self.calls.pop();
                    let Some(mut state) = returned else { continue };
                    match self.executor.take_result(&mut state, &activation.frame, at, result) {
                        Ok(()) => activation.pending[edge.to as usize].push(state),
                        Err(error) => {
                            self.executor.cut_unless(&mut state, at, Literal::FALSE, Why::Encoding(error));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a call is followed; if so, it is one that goes on.
    fn may_call(&mut self, state: &mut State, at: At, function: u32) -> bool {
        let outer = self.calls.iter().rev().find(|(known, ..)| *known == function);
        let counted = outer.map_or(0, |(_, guard, counted)| counted + u32::from(*guard != state.guard));
        let why = if counted > self.bound {
            Why::Recursion
        } else if self.calls.len() >= DEEPEST {
            Why::Calls
        } else {
            self.calls.push((function, state.guard, counted));
            return true;
        };
        self.executor.cut_unless(state, at, Literal::FALSE, why);
        false
    }
}

/// Whether the second edge asks for the opposite of the first.
fn is_opposite(one: &Edge, other: &Edge) -> bool {
    matches!(
        (one.commands.first(), other.commands.first()),
        (Some(Command::Assume(question)), Some(Command::Assume(Expr::Unary(Unary::Not, opposite))))
            if **opposite == *question
    )
}

/// Notes that a branch was decided beforehand, for the loops that it would have left.
fn decide(
    state: &State,
    frame: &Frame,
    location: u32,
    condition: &Expr,
    around: &mut Around<'_>,
    leaves: impl Fn(&Loop) -> bool,
) {
    if !around.iter().any(|(inner, _)| leaves(inner)) {
        return;
    }
    let mut places = Vec::new();
    loaded(condition, &mut places);
    if places.is_empty() {
        return;
    }
    let values: Vec<Vec<Literal>> = places
        .into_iter()
        .filter_map(|place| {
            let block = if place.base == model::Base::Global { super::names::GLOBALS } else { frame.block };
            let cell = Cell { frame: block, offset: place.offset };
            state.memory.read(cell, place.scalar.bytes() as usize * 8).ok()
        })
        .collect();
    for (inner, decided) in around.iter_mut() {
        if leaves(inner) {
            decided.push((location, values.clone()));
        }
    }
}

/// The variables that an expression looks at.
fn loaded<'e>(expr: &'e Expr, places: &mut Vec<&'e Place>) {
    expr.for_each_part(&mut |part| match part {
        Expr::Load(place) if place.indices.is_empty() => places.push(place),
        _ => {}
    });
}
