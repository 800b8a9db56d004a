//! One trace of a program as a formula in which every statement can be assumed wrong.
//!
//! As [`crate::ssa`] does for traces that are spelt out, after Pu (2013), but with calls, pointers and the heap:
//! the trace is a sequence of edges, inputs are any values, and what is asked of the trace (its branches, its
//! assumptions, that nothing is wrong on the way, its last check) is listed. A statement that is abnormal writes
//! anything, and its branch says nothing.

use model::{Command, Expr, Program, Scalar};

use super::execute::{Executor, Flow};
use super::guide::Guide;
use super::log::{At, Check, Cut, Duty, Input, Taken, Why, Write};
use super::state::State;
use super::{Unwinder, log};
use crate::expr::{Cell, Value};
use crate::solver::{Literal, Stop};
use crate::ssa::Relaxation;

/// An expression that is looked at before an edge of a trace, by the edge's number.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    pub step: u32,
    pub expr: Expr,
}

/// The formula of a trace.
#[derive(Debug)]
pub struct Traced {
    /// What is asked of the trace, in its order: on a run along it all hold, perhaps but for the last.
    pub checks: Vec<Check>,
    pub inputs: Vec<Input>,
    /// What the statements made.
    pub writes: Vec<Write>,
    /// What the probes saw; nothing of one that saw nothing.
    pub seen: Vec<Option<Value>>,
    /// Where nothing is known any more, and when.
    pub cuts: Vec<Cut>,
}

impl Traced {
    /// Why the formula ends before the trace does, if it does so in any case: whoever comes to what cannot be said in a
    /// formula is cut off there, whatever the inputs are.
    pub fn ends_early(&self) -> Option<Why> {
        let is_end = |cut: &&Cut| cut.when == Literal::TRUE || matches!(cut.why, Why::Encoding(_));
        self.cuts.iter().find(is_end).map(|cut| cut.why)
    }
}

impl Unwinder<'_, '_> {
    /// The edges that a run with these inputs takes, up to where something is wrong or the inputs run out.
    pub fn path(&mut self, inputs: &[i64]) -> Result<Vec<At>, Stop> {
        Ok(self.run(inputs)?.0)
    }

    /// The same, with where each input was taken.
    pub fn run(&mut self, inputs: &[i64]) -> Result<(Vec<At>, Taken), Stop> {
        let (relaxation, guide) = (Relaxation::none(), Guide::default());
        let given = Some(inputs.iter().copied().collect());
        let executor = Executor {
            program: self.program,
            circuit: &mut self.circuit,
            names: &mut self.names,
            relaxation: &relaxation,
            guide: &guide,
            log: log::Log { given, ..log::Log::default() },
        };
        let (_, log) = super::walk::walk(executor, &mut self.shapes, u32::MAX)?;
        self.names.forget_births();
        let mut path: Vec<At> = log.passages.iter().map(|passage| passage.at).collect();
        // A fault in a condition ends a run before it goes either way.
        let is_neglected = |check: &&Check| check.reached == Literal::TRUE && check.holds == Literal::FALSE;
        let failed = log.checks.iter().find(is_neglected).map(|check| check.at);
        path.extend(failed.filter(|at| path.last() != Some(at)));
        Ok((path, log.taken))
    }

    /// The formula of a trace.
    pub fn trace(&mut self, path: &[At], relaxation: &Relaxation) -> Result<Traced, Stop> {
        self.trace_with(path, relaxation, &[])
    }

    /// The same, with what some expressions are before some edges; probes come in the order of their edges.
    pub fn trace_with(
        &mut self,
        path: &[At],
        relaxation: &Relaxation,
        probes: &[Probe],
    ) -> Result<Traced, Stop> {
        let guide = Guide::default();
        let given = self.given.clone().map(Into::into);
        let mut executor = Executor {
            program: self.program,
            circuit: &mut self.circuit,
            names: &mut self.names,
            relaxation,
            guide: &guide,
            log: log::Log { keeps_all: true, given, ..log::Log::default() },
        };
        let mut seen = Vec::with_capacity(probes.len());
        follow(&mut executor, path, probes, &mut seen)?;
        seen.resize(probes.len(), None);
        let log::Log { checks, inputs, cuts, writes, .. } = executor.log;
        Ok(Traced { checks, inputs, writes, seen, cuts })
    }
}

/// Where a trace starts in an edge, and what is cleared before it.
fn clear_temporaries(
    program: &Program,
    executor: &mut Executor<'_, '_, '_>,
    state: &mut State,
    at: At,
    block: u32,
) {
    let function = &program.functions[at.function as usize];
    let from = function.edges[at.edge as usize].from;
    if function.locations[from as usize].boundary && function.temporaries < function.frame.size {
        let cell = Cell { frame: block, offset: function.temporaries };
        let zeros = vec![Literal::FALSE; (function.frame.size - function.temporaries) as usize * 8];
        let cleared = state.memory.write(executor.circuit, cell, &zeros, Literal::TRUE);
        debug_assert!(cleared.is_ok());
    }
}

fn follow(
    executor: &mut Executor<'_, '_, '_>,
    path: &[At],
    probes: &[Probe],
    seen: &mut Vec<Option<Value>>,
) -> Result<(), Stop> {
    let program = executor.program;
    let Ok((mut state, frame)) = executor.start() else { return Ok(()) };
    // The calls that go on, each with the edge that made it.
    let mut calls = vec![(frame, None::<At>)];
    for (number, at) in path.iter().copied().enumerate() {
        if number.is_multiple_of(256) {
            executor.circuit.solver.pulse()?;
        }
        let Some((frame, _)) = calls.last_mut() else { return Ok(()) };
        let known = program.functions.get(at.function as usize);
        let Some(edge) = known.and_then(|function| function.edges.get(at.edge as usize)) else {
            return Ok(());
        };
        frame.rounds = vec![number as u32];
        executor.log.step = number as u32;
        while let Some(probe) = probes.get(seen.len()).filter(|probe| probe.step <= number as u32) {
            seen.push(executor.glimpse(&state, frame, at, &probe.expr));
        }
        clear_temporaries(program, executor, &mut state, at, frame.block);
        let branches = program.functions[at.function as usize].edges_of(edge.from).len() > 1;
        let mut first = 0;
        if let (true, Some(Command::Assume(condition))) = (branches, edge.commands.first()) {
            match executor.value(&mut state, frame, at, condition) {
                Ok(value) => {
                    let holds = value.is_true(executor.circuit);
                    let write =
                        Write { step: number as u32, at, scalar: Scalar::BIT, value: Value::truth(holds) };
                    executor.log.writes.push(write);
                    // A trace that ends with asking does not say which way it would have gone.
                    let is_end = number + 1 == path.len() && edge.commands.len() == 1;
                    executor.check(&mut state, at, Duty::Branch, if is_end { Literal::TRUE } else { holds });
                }
                Err(error) => {
                    executor.cut_unless(&mut state, at, Literal::FALSE, Why::Encoding(error));
                    return Ok(());
                }
            }
            first = 1;
        }
        match executor.commands(&mut state, frame, at, first) {
            Flow::Onward => {}
            Flow::Over => return Ok(()),
            Flow::Calls { functions, arguments } => {
                let Some(next) = path.get(number + 1) else { return Ok(()) };
                let called = functions.iter().find(|(function, _)| *function == next.function);
                let Some((function, when)) = called.copied() else { return Ok(()) };
                executor.check(&mut state, at, Duty::Branch, when);
                let site = (frame.call, at.edge, u32::MAX, vec![number as u32, u32::MAX]);
                match executor.enter(&mut state, function, &arguments, site) {
                    Ok(frame) => calls.push((frame, Some(at))),
                    Err(error) => {
                        executor.cut_unless(&mut state, at, Literal::FALSE, Why::Encoding(error));
                        return Ok(());
                    }
                }
            }
            Flow::Returned => {
                let Some((frame, call)) = calls.pop() else { return Ok(()) };
                executor.leave(&mut state, &frame);
                let (Some(call), Some((caller, _))) = (call, calls.last()) else { return Ok(()) };
                let edge = &program.functions[call.function as usize].edges[call.edge as usize];
                let (Some(Command::Call { result, .. }) | Some(Command::CallPointer { result, .. })) =
                    edge.commands.last()
                else {
                    return Ok(());
                };
                if let Err(error) = executor.take_result(&mut state, caller, call, result) {
                    executor.cut_unless(&mut state, call, Literal::FALSE, Why::Encoding(error));
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}
