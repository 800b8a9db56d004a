//! What commands do to a state.
//!
//! The rules are those of the machine that runs the program: the same order of evaluation, the same faults. A
//! command never looks at the guard of its state; only what is logged (checks, inputs, cuts) is said together
//! with when it happens.

use model::{
    Argument, Command, Failure, Fault, Function, ParameterKind, Place, Primitive, Program, Region, Scalar,
    StatementKind,
};

use super::guide::Guide;
use super::log::{At, Check, Cut, Duty, Input, Log, Why, Write};
use super::memory::Block;
use super::names::{Kind, Names, Site};
use super::regions::View;
use super::state::State;
use crate::bits::{Bits, WIDEST};
use crate::circuit::Circuit;
use crate::expr::{Cell, Condition, EncodeError, Need, Value, encode, encode_place};
use crate::solver::Literal;
use crate::ssa::Relaxation;

/// A call that goes on.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) function: u32,
    /// Its name.
    pub(super) call: u32,
    pub(super) block: u32,
    /// Blocks that live as long as the call.
    pub(super) own: Vec<u32>,
    /// How often each loop around the walk has gone round.
    pub(super) rounds: Vec<u32>,
}

/// How a walk goes on behind a command.
#[derive(Debug)]
pub(super) enum Flow {
    Onward,
    /// Nothing comes after it.
    Over,
    /// Into functions, each with when it is the one.
    Calls {
        functions: Vec<(u32, Literal)>,
        arguments: Vec<Given>,
    },
    Returned,
}

/// What is handed over, evaluated.
#[derive(Clone, Debug)]
pub(super) enum Given {
    Value(Value),
    Block(Vec<Literal>),
}

/// Executes commands.
pub(super) struct Executor<'p, 'c, 'w> {
    pub(super) program: &'p Program,
    pub(super) circuit: &'c mut Circuit<'w>,
    pub(super) names: &'c mut Names,
    pub(super) relaxation: &'c Relaxation,
    /// What runs should meet.
    pub(super) guide: &'c Guide,
    pub(super) log: Log,
}

impl<'p> Executor<'p, '_, '_> {
    pub(super) fn function(&self, number: u32) -> &'p Function {
        &self.program.functions[number as usize]
    }

    fn site(frame: &Frame, at: At, command: usize) -> Site {
        (frame.call, at.edge, command as u32, frame.rounds.clone())
    }

    /// Whether the statement of an edge is assumed to be wrong.
    fn abnormal(&self, at: At) -> Literal {
        self.relaxation.literal(self.function(at.function).edges[at.edge as usize].statement)
    }

    /// The state before the first step of the entry function.
    pub(super) fn start(&mut self) -> Result<(State, Frame), EncodeError> {
        let mut state = State {
            guard: Literal::TRUE,
            sound: Literal::TRUE,
            memory: super::memory::Memory::default(),
            result: Vec::new(),
            returns_block: false,
            met: vec![Literal::FALSE; self.guide.steps.len()],
            lost: Literal::FALSE,
        };
        let globals = &self.program.globals;
        let mut bytes = vec![0; globals.start as usize];
        bytes.extend_from_slice(&globals.initial);
        state.memory.add(super::names::GLOBALS, Block::of_bytes(&bytes));
        state.memory.add(super::names::CONSTANTS, Block::of_bytes(&globals.constants));
        let frame = self.enter(&mut state, self.program.entry.0, &[], (0, 0, 0, Vec::new()))?;
        Ok((state, frame))
    }

    /// Begins a call.
    pub(super) fn enter(
        &mut self,
        state: &mut State,
        function: u32,
        arguments: &[Given],
        mut site: Site,
    ) -> Result<Frame, EncodeError> {
        let of = self.function(function);
        site.3.push(function);
        let call = self.names.call(site.clone());
        let objects: Vec<(u32, Value)> = of
            .objects
            .iter()
            .map(|object| (object.offset, Value::constant(i64::from(object.size))))
            .collect();
        let (block, first) = self.names.birth((call, u32::MAX, 0, Vec::new()), Kind::Frame, &objects);
        if self.names.objects.len() as u64 > u64::from(self.program.pointers.most_objects()) {
            return Err(EncodeError::TooManyElements(u64::from(self.program.pointers.most_objects())));
        }
        state.memory.add(block, Block::zeros(of.frame.size as usize));
        let mut put = |offset: u32, literals: &[Literal]| {
            state.memory.write(self.circuit, Cell { frame: block, offset }, literals, Literal::TRUE)
        };
        for (object, number) in of.objects.iter().zip(first..) {
            put(object.number, Bits::constant(32, i64::from(number)).literals())?;
        }
        for (parameter, given) in of.parameters.iter().zip(arguments) {
            match (parameter.kind, given) {
                (ParameterKind::Value(scalar), Given::Value(value)) => {
                    put(parameter.offset, &literals_of(value, scalar))?;
                }
                (ParameterKind::Single, Given::Value(value)) => {
                    let primitive = Primitive::ToSingleBits;
                    let known = value.known().ok_or(EncodeError::Primitive(primitive))?;
                    let bits = primitive.apply(known, 0).unwrap_or(0);
                    put(parameter.offset, Bits::constant(32, bits).literals())?;
                }
                (ParameterKind::Block(size), Given::Block(literals)) => {
                    let bits = (size as usize * 8).min(literals.len());
                    put(parameter.offset, &literals[..bits])?;
                }
                (ParameterKind::Value(_) | ParameterKind::Single, Given::Block(_))
                | (ParameterKind::Block(_), Given::Value(_)) => {}
            }
        }
        Ok(Frame { function, call, block, own: Vec::new(), rounds: Vec::new() })
    }

    /// Ends a call: what lived in it is gone.
    pub(super) fn leave(&mut self, state: &mut State, frame: &Frame) {
        state.memory.remove(frame.block);
        for block in &frame.own {
            state.memory.remove(*block);
        }
    }

    /// Gives the caller what a call returned.
    pub(super) fn take_result(
        &mut self,
        state: &mut State,
        frame: &Frame,
        at: At,
        result: &Option<Place>,
    ) -> Result<(), EncodeError> {
        let literals = std::mem::take(&mut state.result);
        let Some(place) = result else { return Ok(()) };
        let literals = if literals.is_empty() {
            vec![Literal::FALSE; place.scalar.bytes() as usize * 8]
        } else if state.returns_block {
            literals
        } else {
            literals_of(&Value::new(Bits::new(literals), true), place.scalar)
        };
        let literals = self.made(at, Some(place), place.scalar, literals);
        self.put(state, frame, at, place, &literals)
    }

    /// Writes to a place.
    fn put(
        &mut self,
        state: &mut State,
        frame: &Frame,
        at: At,
        place: &Place,
        literals: &[Literal],
    ) -> Result<(), EncodeError> {
        let mut conditions = Vec::new();
        let view = View::new(self.program, self.names, state, frame);
        let cells = encode_place(self.circuit, &view, place, &mut conditions)?;
        self.settle(state, at, conditions);
        for (cell, here) in cells {
            state.memory.write(self.circuit, cell, literals, here)?;
        }
        Ok(())
    }

    pub(super) fn value(
        &mut self,
        state: &mut State,
        frame: &Frame,
        at: At,
        expr: &model::Expr,
    ) -> Result<Value, EncodeError> {
        let mut conditions = Vec::new();
        let view = View::new(self.program, self.names, state, frame);
        let value = encode(self.circuit, &view, expr, &mut conditions)?;
        self.settle(state, at, conditions);
        Ok(value)
    }

    /// Logs what must hold for an evaluation to have a value, and goes on where it has one.
    fn settle(&mut self, state: &mut State, at: At, conditions: Vec<Condition>) {
        for Condition { need, holds } in conditions {
            self.need(state, at, need, holds);
        }
    }

    pub(super) fn need(&mut self, state: &mut State, at: At, need: Need, holds: Literal) {
        match need {
            Need::Near => self.cut_unless(state, at, holds, Why::FarPointer),
            _ => self.check(state, at, Duty::Need(need), holds),
        }
    }

    /// Something that should hold.
    pub(super) fn check(&mut self, state: &mut State, at: At, duty: Duty, holds: Literal) {
        let holds = match duty {
            Duty::Need(_) | Duty::Fault(_) | Duty::Branch => {
                let abnormal = self.abnormal(at);
                self.circuit.or(holds, abnormal)
            }
            _ => holds,
        };
        if holds == Literal::TRUE {
            return;
        }
        let reached = state.reached(self.circuit);
        let guided = self.is_guided(state);
        let step = self.log.step;
        self.log.checks.push(Check { at, duty, reached, holds, guided, step });
        state.sound = self.circuit.and(state.sound, holds);
    }

    /// Nothing is known of runs on which this does not hold.
    pub(super) fn cut_unless(&mut self, state: &mut State, at: At, holds: Literal, why: Why) {
        if holds == Literal::TRUE {
            return;
        }
        let reached = state.reached(self.circuit);
        let when = self.circuit.and(reached, !holds);
        if when != Literal::FALSE {
            self.log.cuts.push(Cut { when, why, at });
        }
        state.sound = self.circuit.and(state.sound, holds);
    }

    /// These literals, or where the statement is abnormal any others.
    fn unless(&mut self, abnormal: Literal, literals: Vec<Literal>) -> Vec<Literal> {
        if abnormal == Literal::FALSE {
            return literals;
        }
        let free = literals.into_iter().map(|literal| {
            let any = self.circuit.solver.fresh();
            self.circuit.choose(abnormal, any, literal)
        });
        free.collect()
    }

    /// Executes the commands of an edge from one on.
    pub(super) fn commands(&mut self, state: &mut State, frame: &mut Frame, at: At, first: usize) -> Flow {
        let edge = &self.function(at.function).edges[at.edge as usize];
        for (number, command) in edge.commands.iter().enumerate().skip(first) {
            match self.command(state, frame, at, number, command) {
                Ok(Flow::Onward) if state.sound == Literal::FALSE => return Flow::Over,
                Ok(Flow::Onward) => {}
                Ok(flow) => return flow,
                Err(error) => {
                    self.cut_unless(state, at, Literal::FALSE, Why::Encoding(error));
                    return Flow::Over;
                }
            }
        }
        Flow::Onward
    }

    fn command(
        &mut self,
        state: &mut State,
        frame: &mut Frame,
        at: At,
        number: usize,
        command: &Command,
    ) -> Result<Flow, EncodeError> {
        match command {
            Command::Set(place, value) => {
                let value = self.value(state, frame, at, value)?;
                let watched = self.log.keeps_all || self.log.constrains;
                if watched && place.scalar.bits == 1 && self.is_constraint(at) {
                    let holds = value.is_true(self.circuit);
                    match self.log.constrains {
                        true => self.check(state, at, Duty::Constraint, holds),
                        false => self.note(state, at, Duty::Constraint, holds),
                    }
                    return Ok(Flow::Onward);
                }
                let literals = self.made(at, Some(place), place.scalar, literals_of(&value, place.scalar));
                self.put(state, frame, at, place, &literals)?;
            }
            Command::Store { address, scalar, value } => {
                let value = self.value(state, frame, at, value)?;
                let literals = self.made(at, None, *scalar, literals_of(&value, *scalar));
                let region = Region::Address(address.clone());
                self.write(state, frame, at, &region, &literals)?;
            }
            Command::Copy { to, from, size } => {
                let literals = self.read(state, frame, at, from, *size)?;
                let literals = self.unless(self.abnormal(at), literals);
                self.write(state, frame, at, to, &literals)?;
            }
            Command::Clear { at: region, size } => {
                let zeros = vec![Literal::FALSE; *size as usize * 8];
                self.write(state, frame, at, region, &zeros)?;
            }
            Command::Touch { .. } => {}
            Command::Assume(condition) => {
                let value = self.value(state, frame, at, condition)?;
                let holds = value.is_true(self.circuit);
                self.assume(state, at, holds);
                self.narrow(state, frame, condition);
            }
            Command::Assert(condition) => {
                let value = self.value(state, frame, at, condition)?;
                let holds = value.is_true(self.circuit);
                self.check(state, at, Duty::Failure(Failure::Assertion), holds);
            }
            Command::Fail(failure) => {
                self.check(state, at, Duty::Failure(*failure), Literal::FALSE);
                return Ok(Flow::Over);
            }
            Command::Nondet { place, range } => {
                self.input(state, frame, at, number, place, range.as_ref())?
            }
            Command::Call { function, arguments, .. } => {
                let arguments = self.arguments(state, frame, at, arguments)?;
                return Ok(Flow::Calls { functions: vec![(function.0, Literal::TRUE)], arguments });
            }
            Command::CallPointer { pointer, arguments, .. } => {
                let pointer = self.value(state, frame, at, pointer)?;
                let functions = self.callees(state, frame, at, &pointer, arguments.len());
                let arguments = self.arguments(state, frame, at, arguments)?;
                return Ok(Flow::Calls { functions, arguments });
            }
            Command::Return(value) => {
                state.returns_block = matches!(value, Some(Argument::Block(..)));
                state.result = match value {
                    None => Vec::new(),
                    Some(argument) => match self.argument(state, frame, at, argument)? {
                        Given::Value(value) => {
                            let scalar = self.function(at.function).result;
                            let made = self.made(at, None, scalar, literals_of(&value, scalar));
                            let bits = Bits::new(made).truncate(usize::from(scalar.bits));
                            Value::new(bits, scalar.signed).resize(WIDEST).literals().to_vec()
                        }
                        Given::Block(literals) => literals,
                    },
                };
                return Ok(Flow::Returned);
            }
            Command::Exit => {
                let reached = state.reached(self.circuit);
                self.log.ends.push(reached);
                return Ok(Flow::Over);
            }
            Command::Builtin { which, arguments, result } => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(self.value(state, frame, at, argument)?);
                }
                let site = Self::site(frame, at, number);
                let value = self.builtin(state, frame, at, site, *which, &values)?;
                if let Some(place) = result {
                    let literals =
                        self.made(at, Some(place), place.scalar, literals_of(&value, place.scalar));
                    self.put(state, frame, at, place, &literals)?;
                }
            }
        }
        Ok(Flow::Onward)
    }

    /// Runs on which this does not hold are not looked at.
    pub(super) fn assume(&mut self, state: &mut State, at: At, holds: Literal) {
        if self.log.keeps_all && holds != Literal::TRUE {
            self.note(state, at, Duty::Assumption, holds);
        }
        state.sound = self.circuit.and(state.sound, holds);
    }

    /// Lists what is asked of a trace.
    fn note(&mut self, state: &State, at: At, duty: Duty, holds: Literal) {
        let reached = state.reached(self.circuit);
        let step = self.log.step;
        self.log.checks.push(Check { at, duty, reached, holds, guided: Literal::TRUE, step });
    }

    /// Whether an edge only says what should hold; it does so by writing a single bit.
    fn is_constraint(&self, at: At) -> bool {
        let statement = self.function(at.function).edges[at.edge as usize].statement;
        self.program.statements[statement as usize].kind == StatementKind::Constraint
    }

    /// Whether a way is gone: as its condition says, or where the statement is abnormal as anybody likes.
    pub(super) fn gone(&mut self, at: At, holds: Literal) -> Literal {
        let abnormal = self.abnormal(at);
        if abnormal == Literal::FALSE {
            return holds;
        }
        let any = self.circuit.solver.fresh();
        self.circuit.choose(abnormal, any, holds)
    }

    /// What a statement makes of a value: itself, or where the statement is abnormal any other.
    fn made(
        &mut self,
        at: At,
        place: Option<&Place>,
        scalar: Scalar,
        literals: Vec<Literal>,
    ) -> Vec<Literal> {
        let literals = self.unless(self.abnormal(at), literals);
        // A whole record is not a number that could be told, and a part of the statement none that its author knows.
        let is_number = literals.len() == scalar.bytes() as usize * 8;
        let is_part = place.is_some_and(|place| self.function(at.function).is_temporary(place));
        if self.log.keeps_all && is_number && !is_part {
            let bits = Bits::new(literals.clone()).truncate(usize::from(scalar.bits).min(literals.len()));
            let value = Value::new(bits, scalar.signed);
            self.log.writes.push(Write { step: self.log.step, at, scalar, value });
        }
        literals
    }

    fn input(
        &mut self,
        state: &mut State,
        frame: &Frame,
        at: At,
        number: usize,
        place: &Place,
        range: Option<&(model::Expr, model::Expr)>,
    ) -> Result<(), EncodeError> {
        let width = usize::from(place.scalar.bits);
        let circuit = &mut *self.circuit;
        let site = Self::site(frame, at, number);
        let value = match &mut self.log.given {
            None => match self.log.taken.0.get(&site) {
                Some(number) => Value::constant(place.scalar.wrap(*number)),
                None => self.names.input(site, || Value::new(circuit.fresh_bits(width), place.scalar.signed)),
            },
            Some(given) => match given.pop_front() {
                Some(number) => {
                    self.log.taken.0.insert(site, number);
                    Value::constant(place.scalar.wrap(number))
                }
                None => {
                    self.cut_unless(state, at, Literal::FALSE, Why::Inputs);
                    return Ok(());
                }
            },
        };
        let mut kept = value.clone();
        if let Some((low, high)) = range {
            let low = self.value(state, frame, at, low)?;
            let high = self.value(state, frame, at, high)?;
            let (below, above) =
                (self.circuit.less_value(&value, &low), self.circuit.less_value(&high, &value));
            let outside = self.circuit.or(below, above);
            self.assume(state, at, !outside);
            kept = Value::within(value.bits().clone(), value.is_signed(), low.low(), high.high());
        }
        let taken = state.reached(self.circuit);
        let passage = self.log.passages.len().saturating_sub(1) as u32;
        self.log.inputs.push(Input { at, taken, value: value.clone(), scalar: place.scalar, passage });
        self.take_note(state, at, &value);
        self.put(state, frame, at, place, &literals_of(&kept, place.scalar))
    }

    fn arguments(
        &mut self,
        state: &mut State,
        frame: &Frame,
        at: At,
        arguments: &[Argument],
    ) -> Result<Vec<Given>, EncodeError> {
        arguments.iter().map(|argument| self.argument(state, frame, at, argument)).collect()
    }

    fn argument(
        &mut self,
        state: &mut State,
        frame: &Frame,
        at: At,
        argument: &Argument,
    ) -> Result<Given, EncodeError> {
        Ok(match argument {
            Argument::Value(value) => Given::Value(self.value(state, frame, at, value)?),
            Argument::Block(region, size) => Given::Block(self.read(state, frame, at, region, *size)?),
        })
    }

    /// The functions a pointer may point to.
    fn callees(
        &mut self,
        state: &mut State,
        frame: &Frame,
        at: At,
        pointer: &Value,
        arguments: usize,
    ) -> Vec<(u32, Literal)> {
        let view = View::new(self.program, self.names, state, frame);
        let target = view.target(self.circuit, pointer);
        self.need(state, at, Need::Near, target.near);
        self.need(state, at, Need::NotNull, !target.null);
        let at_start = self.circuit.same_value(&target.offset, &Value::constant(0));
        let (mut functions, mut short) = (Vec::new(), Literal::FALSE);
        for spot in &target.spots {
            let Kind::Function(function) = spot.kind else { continue };
            let when = self.circuit.and(spot.when, at_start);
            if self.function(function).parameters.len() > arguments {
                short = self.circuit.or(short, when);
            } else if when != Literal::FALSE {
                functions.push((function, when));
            }
        }
        let some = self.circuit.any(functions.iter().map(|(_, when)| *when));
        let some = self.circuit.or(some, short);
        self.check(state, at, Duty::Fault(Fault::NotAFunction), some);
        self.check(state, at, Duty::Fault(Fault::Signature), !short);
        functions
    }

    /// What lies in a piece of memory.
    fn read(
        &mut self,
        state: &mut State,
        frame: &Frame,
        at: At,
        region: &Region,
        size: u32,
    ) -> Result<Vec<Literal>, EncodeError> {
        let view = View::new(self.program, self.names, state, frame);
        match region {
            Region::Place(place) => {
                let mut conditions = Vec::new();
                let cells = encode_place(self.circuit, &view, place, &mut conditions)?;
                let mut found: Option<Vec<Literal>> = None;
                for (cell, here) in cells {
                    let literals = state.memory.read(cell, size as usize * 8)?;
                    found = Some(match found {
                        None => literals,
                        Some(other) => super::memory::choose(self.circuit, here, &literals, &other),
                    });
                }
                self.settle(state, at, conditions);
                Ok(found.unwrap_or_else(|| vec![Literal::FALSE; size as usize * 8]))
            }
            Region::Address(pointer) => {
                let pointer = self.value(state, frame, at, pointer)?;
                let view = View::new(self.program, self.names, state, frame);
                let (mut needs, size) = (Vec::new(), size as usize);
                let target = view.target(self.circuit, &pointer);
                view.accessible(self.circuit, &target, &Value::constant(size as i64), false, &mut needs);
                let literals = view.read(self.circuit, &target, size)?;
                for (need, holds) in needs {
                    self.need(state, at, need, holds);
                }
                Ok(literals)
            }
        }
    }

    /// Writes to a piece of memory.
    fn write(
        &mut self,
        state: &mut State,
        frame: &Frame,
        at: At,
        region: &Region,
        literals: &[Literal],
    ) -> Result<(), EncodeError> {
        match region {
            Region::Place(place) => self.put(state, frame, at, place, literals),
            Region::Address(pointer) => {
                let pointer = self.value(state, frame, at, pointer)?;
                let view = View::new(self.program, self.names, state, frame);
                let target = view.target(self.circuit, &pointer);
                let (size, mut needs) = (Value::constant(literals.len() as i64 / 8), Vec::new());
                view.accessible(self.circuit, &target, &size, true, &mut needs);
                let cells = view.cells(self.circuit, &target, literals.len() / 8)?;
                for (need, holds) in needs {
                    self.need(state, at, need, holds);
                }
                for (cell, here) in cells {
                    state.memory.write(self.circuit, cell, literals, here)?;
                }
                Ok(())
            }
        }
    }
}

/// A value as it lies in memory.
pub(super) fn literals_of(value: &Value, scalar: Scalar) -> Vec<Literal> {
    let bits = value.resize(usize::from(scalar.bits)).resize(scalar.bytes() as usize * 8, scalar.signed);
    bits.literals().to_vec()
}
