//! The trace of a counterexample as a formula that can be asked for diagnoses.

use encode::bits::Bits;
use encode::expr::Value;
use encode::solver::{Literal, Solver, Stop, Verdict, minimise_core};
use encode::ssa::Relaxation;
use encode::unwind::{At, Duty, Probe, Traced, Unwinder};
use explain::diagnosis::{Answer, Formula};
use graph::Watch;
use model::Program;

use crate::suspects::{always_fails, deciding};

/// How many conflicts the solver may meet in one question.
pub(crate) const MOST_CONFLICTS: u64 = 50_000;

/// A trace in which some statements may be wrong.
pub(crate) struct TraceFormula<'p, 'w> {
    pub(crate) unwinder: Unwinder<'p, 'w>,
    pub(crate) relaxation: Relaxation,
    pub(crate) traced: Traced,
    /// What should hold, and where.
    pub(crate) constraints: Vec<(Literal, At)>,
    /// The inputs, if they are those of the counterexample.
    fixed: Vec<Literal>,
}

/// What is asked of a trace.
pub(crate) struct Question<'q> {
    pub(crate) program: &'q Program,
    pub(crate) path: &'q [At],
    pub(crate) suspects: &'q [u32],
    pub(crate) probes: &'q [Probe],
    /// The inputs, if no others are asked about.
    pub(crate) inputs: Option<&'q [i64]>,
}

/// What the statements that are wrong should have made, by the numbers of the writes.
pub(crate) type Right = Vec<(usize, i64)>;

/// Why a trace is no formula.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refused {
    Stopped(Stop),
    EndsEarly,
    /// Nothing decides whether the end is reached.
    Inevitable,
}

impl From<Stop> for Refused {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl<'p, 'w> TraceFormula<'p, 'w> {
    pub(crate) fn new(question: &Question<'p>, watch: &'w dyn Watch) -> Result<Self, Refused> {
        let Question { program, path, suspects, probes, inputs } = *question;
        let mut unwinder = Unwinder::new(program, Solver::new(watch));
        if let Some(inputs) = inputs {
            unwinder.give(inputs);
        }
        unwinder.circuit.solver.limit_conflicts(Some(MOST_CONFLICTS));
        let relaxation = Relaxation::of(&mut unwinder.circuit, suspects.iter().copied());
        let traced = unwinder.trace_with(path, &relaxation, probes)?;
        if traced.ends_early().is_some() {
            return Err(Refused::EndsEarly);
        }
        for cut in &traced.cuts {
            unwinder.circuit.assert(!cut.when);
        }
        let last = path.len() as u32 - 1;
        let constraints: Vec<(Literal, At)> = traced
            .checks
            .iter()
            .filter(|check| check.duty == Duty::Constraint)
            .map(|check| (check.holds, check.at))
            .collect();
        let given = !constraints.is_empty();
        let mut constraints = constraints;
        // What is wrong at the end of the trace, if no constraint says what should be right.
        let mut turned = None;
        let of_end = |check: &&encode::unwind::Check| {
            check.step == last && !matches!(check.duty, Duty::Assumption | Duty::Branch | Duty::Constraint)
        };
        if !given {
            let end: Vec<_> = traced.checks.iter().filter(of_end).collect();
            if always_fails(program, path[path.len() - 1]) {
                let number = deciding(program, path).ok_or(Refused::Inevitable)?;
                let way = traced.writes.iter().find(|write| write.step == number as u32);
                let way = way.ok_or(Refused::Inevitable)?.value.clone();
                let gone = way.is_true(&mut unwinder.circuit);
                constraints.push((!gone, path[number]));
                turned = Some(number as u32);
            } else {
                constraints.extend(end.iter().map(|check| (check.holds, check.at)));
            }
        }
        for check in &traced.checks {
            let is_way = check.duty == Duty::Branch && Some(check.step) == turned;
            let past = turned.is_some_and(|turned| check.step > turned);
            if check.duty != Duty::Constraint && !of_end(&check) && !is_way && !past {
                unwinder.circuit.assert(check.holds);
            }
        }
        Ok(Self { unwinder, relaxation, traced, constraints, fixed: Vec::new() })
    }

    /// Assumptions under which the inputs are these.
    pub(crate) fn inputs_are(&self, inputs: &[i64]) -> Vec<Literal> {
        let mut literals = Vec::new();
        for (input, number) in self.traced.inputs.iter().zip(inputs) {
            let bits: Bits = input.value.resize(usize::from(input.scalar.bits));
            literals.extend(
                bits.literals().iter().enumerate().map(|(at, bit)| bit.flipped(number >> at & 1 == 0)),
            );
        }
        literals
    }

    /// From now on the inputs are these.
    pub(crate) fn fix(&mut self, inputs: &[i64]) {
        self.fixed = self.inputs_are(inputs);
    }

    /// What all statements make with the inputs of the counterexample.
    pub(crate) fn failing_writes(&mut self, inputs: &[i64]) -> Result<Vec<i64>, Stop> {
        let inputs = self.inputs_are(inputs);
        Ok(if self.can(&[], &inputs)? { self.model_writes() } else { Vec::new() })
    }

    /// What should hold, and the inputs if they are fixed.
    fn demands(&self) -> Vec<Literal> {
        self.constraints.iter().map(|(holds, _)| *holds).chain(self.fixed.iter().copied()).collect()
    }

    /// Whether something can be so on the trace while exactly these statements are wrong.
    pub(crate) fn can(&mut self, abnormal: &[u32], also: &[Literal]) -> Result<bool, Stop> {
        let mut question = self.relaxation.exactly(abnormal);
        question.extend_from_slice(also);
        Ok(self.unwinder.circuit.solver.solve(&question)? == Verdict::Satisfiable)
    }

    /// The same where all is as it should be.
    pub(crate) fn can_rightly(&mut self, abnormal: &[u32], also: &[Literal]) -> Result<bool, Stop> {
        let mut demands = self.demands();
        demands.extend_from_slice(also);
        self.can(abnormal, &demands)
    }

    /// The inputs in the solver's model.
    pub(crate) fn model_inputs(&self) -> Vec<i64> {
        let solver = &self.unwinder.circuit.solver;
        let inputs = self.traced.inputs.iter();
        inputs.map(|input| input.scalar.wrap(input.value.number(solver))).collect()
    }

    /// What all statements make in the solver's model.
    pub(crate) fn model_writes(&self) -> Vec<i64> {
        let solver = &self.unwinder.circuit.solver;
        let number = |value: &Value| value.number(solver);
        self.traced.writes.iter().map(|write| write.scalar.wrap(number(&write.value))).collect()
    }

    /// What some statements make in the solver's model.
    pub(crate) fn writes_of(&self, statements: &[u32]) -> Right {
        let of_these = |number: &usize| {
            statements.binary_search(&self.statement(self.traced.writes[*number].at)).is_ok()
        };
        self.model_writes().into_iter().enumerate().filter(|(number, _)| of_these(number)).collect()
    }

    pub(crate) fn statement(&self, at: At) -> u32 {
        crate::suspects::edge(self.unwinder.program(), at).statement
    }
}

impl Formula for TraceFormula<'_, '_> {
    type Model = Right;
    type Stop = Stop;

    fn ask(&mut self, abnormal: &[u32]) -> Result<Answer<Right>, Stop> {
        let demands = self.demands();
        if self.can(abnormal, &demands)? {
            return Ok(Answer::Consistent(self.writes_of(abnormal)));
        }
        let solver = &mut self.unwinder.circuit.solver;
        conflict(solver, &self.relaxation, &demands, abnormal).map(Answer::Conflict)
    }
}

/// Statements that cannot all be right, after the solver has found that what is demanded contradicts those that are not
/// assumed wrong. Whether a statement is wrong that may be does not matter to a contradiction of the others.
pub(crate) fn conflict(
    solver: &mut Solver<'_>,
    relaxation: &Relaxation,
    demands: &[Literal],
    abnormal: &[u32],
) -> Result<Vec<u32>, Stop> {
    let right = relaxation.literals().filter(|(statement, _)| abnormal.binary_search(statement).is_err());
    let right: Vec<(u32, Literal)> = right.collect();
    let core: Vec<Literal> = solver.core().to_vec();
    let core: Vec<Literal> = right
        .iter()
        .map(|(_, literal)| !*literal)
        .filter(|literal| core.binary_search(literal).is_ok())
        .collect();
    let core = minimise_core(solver, demands, &core);
    if let Some(stop) = core.stopped {
        return Err(stop);
    }
    let is_core = |literal: &Literal| core.literals.contains(&!*literal);
    Ok(right.iter().filter(|(_, literal)| is_core(literal)).map(|(statement, _)| *statement).collect())
}
