//! A whole program as a formula, as far as a bound reaches.
//!
//! Bounded model checking (Biere, Cimatti, Clarke and Zhu 1999) of programs (Clarke, Kroening and Lerda 2004):
//! loops and recursion are unwound so many times, calls are inlined, and every variable is a vector of literals
//! that changes from assignment to assignment. The two sides of a branch are walked one after the other, and where
//! they meet again memory is chosen by the branch's condition, so the formula grows with the program and not with
//! its paths. A loop whose end is known beforehand is unwound to that end, whatever the bound.
//!
//! A run of the program is a model of the formula and the other way round, up to where a [`Cut`] ends the
//! unwinding. If no run reaches a cut, the formula is the whole program.

mod bytes;
mod execute;
mod guide;
mod log;
mod memory;
mod names;
mod narrow;
mod regions;
mod shape;
mod state;
mod trace;
mod walk;

use std::rc::Rc;

use model::{Expr, Program};

pub use guide::{Event, Guide, Waypoint};
pub use log::{At, Check, Cut, Duty, Input, Passage, Sight, Taken, Why, Write};
pub use trace::{Probe, Traced};

use crate::circuit::Circuit;
use crate::expr::Cell;
use crate::solver::{Literal, Solver, Stop};
use crate::ssa::Relaxation;
use names::Names;
use shape::Element;

/// A program of one thread that is unwound, with larger and larger bounds, into one solver.
#[derive(Debug)]
pub struct Unwinder<'p, 'w> {
    program: &'p Program,
    pub circuit: Circuit<'w>,
    names: Names,
    shapes: Vec<Option<Rc<Vec<Element>>>>,
    /// The inputs of traces, if they are known.
    given: Option<Vec<i64>>,
}

/// A program up to a bound.
#[derive(Debug)]
pub struct Unwinding {
    /// How often loops go round again and functions call themselves.
    pub bound: u32,
    /// Everything in an order in which every run comes to it.
    pub checks: Vec<Check>,
    pub inputs: Vec<Input>,
    pub cuts: Vec<Cut>,
    pub passages: Vec<Passage>,
    /// Whether the program ends properly, in one place each.
    pub ends: Vec<Literal>,
    /// For each waypoint, in one literal for each place: whether it is met there, and all before it were.
    pub met: Vec<Vec<Literal>>,
    pub sights: Vec<Sight>,
    /// What the globals are when the entry function returns.
    globals: Option<Vec<Literal>>,
}

impl<'p, 'w> Unwinder<'p, 'w> {
    /// The program must not start threads.
    pub fn new(program: &'p Program, solver: Solver<'w>) -> Self {
        let mut circuit = Circuit::new(solver);
        circuit.use_pointers(program.pointers);
        let shapes = vec![None; program.functions.len()];
        Self { program, circuit, names: Names::new(program), shapes, given: None }
    }

    /// From now on the inputs of traces are these, which makes constants of what is computed from them alone.
    pub fn give(&mut self, inputs: &[i64]) {
        self.given = Some(inputs.to_vec());
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The program in which loops go round again at most `bound` times.
    pub fn unwind(&mut self, bound: u32) -> Result<Unwinding, Stop> {
        self.unwind_guided(bound, &Guide::default())
    }

    /// The same, with how far runs meet waypoints in their order.
    pub fn unwind_guided(&mut self, bound: u32, guide: &Guide) -> Result<Unwinding, Stop> {
        let log = log::Log { met: vec![Vec::new(); guide.steps.len()], ..log::Log::default() };
        self.unwind_as(bound, guide, &Relaxation::none(), log)
    }

    /// The program, with what some expressions are whenever an edge is about to be taken.
    pub fn unwind_watching(&mut self, bound: u32, at: At, watched: Vec<Expr>) -> Result<Unwinding, Stop> {
        let log = log::Log { watched: Some((at, watched)), ..log::Log::default() };
        self.unwind_as(bound, &Guide::default(), &Relaxation::none(), log)
    }

    /// The program in which some statements may be wrong: they write anything, and branches go either way, each on
    /// its own side. Inputs that another run took in the same places are the same.
    pub fn unwind_abnormal(
        &mut self,
        bound: u32,
        relaxation: &Relaxation,
        taken: Taken,
    ) -> Result<Unwinding, Stop> {
        let log = log::Log { taken, constrains: true, ..log::Log::default() };
        self.unwind_as(bound, &Guide::default(), relaxation, log)
    }

    fn unwind_as(
        &mut self,
        bound: u32,
        guide: &Guide,
        relaxation: &Relaxation,
        log: log::Log,
    ) -> Result<Unwinding, Stop> {
        let executor = execute::Executor {
            program: self.program,
            circuit: &mut self.circuit,
            names: &mut self.names,
            relaxation,
            guide,
            log,
        };
        let (end, log) = walk::walk(executor, &mut self.shapes, bound)?;
        let globals = end.and_then(|state| {
            let size = self.program.globals.initial.len() * 8;
            state.memory.read(Cell { frame: names::GLOBALS, offset: self.program.globals.start }, size).ok()
        });
        let log::Log { checks, inputs, cuts, passages, ends, met, sights, .. } = log;
        Ok(Unwinding { bound, checks, inputs, cuts, passages, ends, met, sights, globals })
    }
}

impl Unwinding {
    /// The inputs of the run that the solver's model is, in the order in which the program takes them.
    pub fn taken_inputs(&self, solver: &Solver<'_>) -> Vec<i64> {
        let taken = self.inputs.iter().filter(|input| solver.is_true(input.taken));
        taken.map(|input| input.scalar.wrap(input.value.number(solver))).collect()
    }

    /// The bytes of the globals when the entry function returns, in the solver's model.
    pub fn globals_at_end(&self, solver: &Solver<'_>) -> Option<Vec<u8>> {
        let byte = |bits: &[Literal]| {
            bits.iter().enumerate().fold(0, |byte, (at, bit)| byte | u8::from(solver.is_true(*bit)) << at)
        };
        Some(self.globals.as_ref()?.chunks(8).map(byte).collect())
    }
}
