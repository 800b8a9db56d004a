//! Runs of a program, and of variants of it, on inputs that are given: without states to keep, only how they end.

use model::{Function, Program, Run, RunEnding, Runner, StatementKind};
use rustc_hash::FxHashMap;

use super::compile::{Compiler, Label, Machine};
use super::halt::Halt;
use super::limits::Stuck;
use super::scene::{self, ENDED, INPUTS};

/// A program of one thread whose functions can be exchanged for others.
#[derive(Debug)]
pub struct Rehearsal {
    machine: Machine,
    /// The numbers of the machine's labels.
    known: FxHashMap<Label, u32>,
    /// The bit of each statement that is an assertion.
    assertions: Vec<u64>,
}

impl Rehearsal {
    /// Nothing if the machine cannot run it.
    pub fn new(program: Program) -> Option<Self> {
        let machine = Machine::new(program, None, false).ok().filter(|machine| !machine.program.threads)?;
        let known = machine.labels.iter().cloned().zip(0..).collect();
        let mut bit = 1u64;
        let assertions = machine.program.statements.iter().map(|statement| {
            if statement.kind != StatementKind::Assertion {
                return 0;
            }
            let own = bit;
            bit = if bit == 1 << 63 { bit } else { bit << 1 };
            own
        });
        let assertions = assertions.collect();
        Some(Self { machine, known, assertions })
    }
}

impl Runner for Rehearsal {
    fn exchange(&mut self, number: u32, function: &Function) -> bool {
        let labels = std::mem::take(&mut self.machine.labels);
        let mut compiler = Compiler { labels, known: std::mem::take(&mut self.known) };
        let compiled = compiler.function(&self.machine.program, function);
        (self.machine.labels, self.known) = (compiler.labels, compiler.known);
        match (compiled, self.machine.functions.get_mut(number as usize)) {
            (Ok(compiled), Some(old)) => {
                *old = compiled;
                true
            }
            _ => false,
        }
    }

    fn run(&self, inputs: &[i64], statement: u32, most: u32) -> Run {
        let mut worker = self.machine.worker_with(Some(inputs));
        worker.next.clone_from(&self.machine.initial);
        let mut run =
            Run { ending: RunEnding::Unknown, last: 0, passed: 0, met: 0, steps: 0, sites: Vec::new() };
        let mut before = Vec::new();
        while run.steps < most {
            before.clone_from(&worker.next);
            let halted = worker.only_step(&before);
            run.steps += 1;
            run.last = self.machine.labels[worker.label as usize].statement;
            run.sites.resize(scene::read_u32(&worker.next, INPUTS) as usize, run.last);
            run.met |= self.assertions[run.last as usize];
            match halted {
                Ok(()) => run.passed += u32::from(run.last == statement),
                Err(halt) => {
                    run.ending = match halt {
                        Halt::Blocked => RunEnding::Blocked,
                        Halt::Stuck(Stuck::NoMoreInputs) => RunEnding::NoMoreInputs,
                        Halt::Stuck(_) | Halt::Waits(_) => RunEnding::Unknown,
                        Halt::Fault(_) | Halt::Wrong(_) => RunEnding::Wrong,
                    };
                    return run;
                }
            }
            if worker.next[ENDED] != 0 {
                run.ending = RunEnding::Ended;
                return run;
            }
        }
        run
    }
}
