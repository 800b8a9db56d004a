//! The bounded SAT engine on C programs: asking it, and running the program with what it found.

use cfront::{Fed, Model, Narrator};
use encode::bounded::{Answer, FoundRun, Outcome, search};
use encode::expr::EncodeError;
use encode::solver::Solver;
use encode::unwind::{At, Cut, Duty, Unwinder, Unwinding, Why};
use findings::{LeftOut, Uncovered, Unencoded, Why as Undecided};
use graph::{Story, ViolationKind, Watch, Wrong};
use model::{Builtin, Failure, Primitive};
use pipeline::bounded::{BoundedAnswer, run, wrong_at_end};
use pipeline::no_answer;
use pipeline::request::{Asked, DEFAULT_UNWIND};
use pipeline::sat_answers::{Runnable, SatAnswers};

use crate::question::SearchOptions;

/// How much the engine may do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub(super) unwind: u32,
    /// How many conflicts a question may cost.
    pub(super) conflicts: Option<u64>,
}

impl Default for Effort {
    fn default() -> Self {
        Self { unwind: DEFAULT_UNWIND, conflicts: None }
    }
}

impl Effort {
    pub(super) fn new(options: &SearchOptions) -> Self {
        Self { unwind: options.unwind.unwrap_or(DEFAULT_UNWIND), conflicts: options.max_conflicts }
    }

    /// A program that has yet to be unwound.
    pub(super) fn unwinder<'m, 'w>(self, model: &'m Model, watch: &'w dyn Watch) -> Unwinder<'m, 'w> {
        let mut solver = Solver::new(watch);
        solver.limit_conflicts(self.conflicts);
        Unwinder::new(model.program(), solver)
    }
}

/// Why the engine cannot be used on a program.
pub(super) fn obstacle(model: &Model) -> Option<&'static str> {
    model.program().threads.then_some("the program starts threads")
}

/// A program as a formula, in which a violation was found.
pub(super) struct Solved<'m, 'w> {
    pub(super) unwinder: Unwinder<'m, 'w>,
    pub(super) unwinding: Unwinding,
    pub(super) found: FoundRun,
    /// How many conflicts a question may cost.
    pub(super) conflicts: Option<u64>,
}

impl<'m, 'w> Solved<'m, 'w> {
    /// The formula for the methods that ask more of it.
    pub(super) fn answers<'a>(self, program: &'a Runs<'m>) -> SatAnswers<'a, 'm, 'w, Runs<'m>> {
        let Self { unwinder, unwinding, found, conflicts } = self;
        SatAnswers { program, unwinder, unwinding, found, conflicts }
    }
}

/// A program that is run with inputs.
pub(super) struct Runs<'m>(pub(super) &'m Model);

impl Runnable for Runs<'_> {
    type Fed<'a>
        = Fed<'a>
    where
        Self: 'a;

    fn fed(&self, inputs: Vec<i64>) -> Fed<'_> {
        self.0.fed(inputs)
    }

    fn event_at(&self, at: At) -> Option<u64> {
        self.0.event_at(at.function, at.edge)
    }
}

/// What a search up to a bound found, and how far it came.
pub(super) struct Searched<'m, 'w> {
    pub(super) finding: BoundedAnswer,
    pub(super) bound: u64,
    /// The formula, if something was found.
    pub(super) solved: Option<Solved<'m, 'w>>,
}

/// Searches a program up to a bound.
pub(super) fn search_program<'m, 'w>(
    model: &'m Model,
    asked: &Asked,
    effort: Effort,
    watch: &'w dyn Watch,
) -> Searched<'m, 'w> {
    let narrator = Narrator::new(model);
    let is_asked =
        |at: At, duty: Duty| wrong(model, &narrator, at, duty).is_some_and(|wrong| asked.covers(&wrong));
    let mut unwinder = effort.unwinder(model, watch);
    let Outcome { answer, bound, unwinding } = search(&mut unwinder, effort.unwind, is_asked);
    let mut solved = None;
    let finding = match answer {
        Answer::Holds => without_faults(model, asked, effort, watch),
        Answer::Within(cut) => BoundedAnswer::Unknown(Undecided::LeftOut(left_out(model, &cut, bound))),
        Answer::Stopped(stop) => {
            BoundedAnswer::Unknown(Undecided::Unsolved { unwound: bound, by: no_answer(stop) })
        }
        Answer::Violated(found) => {
            let finding = confirmed(model, asked, &found, watch);
            solved =
                unwinding.map(|unwinding| Solved { unwinder, unwinding, found, conflicts: effort.conflicts });
            finding
        }
    };
    Searched { finding, bound: u64::from(bound), solved }
}

/// What holds holds on runs without a fault only, so faults that nobody asked about are looked for as well.
fn without_faults(model: &Model, asked: &Asked, effort: Effort, watch: &dyn Watch) -> BoundedAnswer {
    let faults = Asked::Kind(ViolationKind::Fault);
    if *asked == Asked::All || *asked == faults {
        return BoundedAnswer::Holds;
    }
    let narrator = Narrator::new(model);
    let is_fault =
        |at: At, duty: Duty| wrong(model, &narrator, at, duty).is_some_and(|wrong| faults.covers(&wrong));
    let Outcome { answer, bound, .. } = search(&mut effort.unwinder(model, watch), effort.unwind, is_fault);
    match answer {
        Answer::Holds => BoundedAnswer::Holds,
        Answer::Within(cut) => BoundedAnswer::Unknown(Undecided::LeftOut(left_out(model, &cut, bound))),
        Answer::Stopped(stop) => {
            BoundedAnswer::Unknown(Undecided::Unsolved { unwound: bound, by: no_answer(stop) })
        }
        Answer::Violated(found) => match confirmed(model, &faults, &found, watch) {
            BoundedAnswer::Trace(trace) => {
                let narrator = Narrator::new(model).fed(found.inputs);
                wrong_at_end(&narrator, &trace).map_or(BoundedAnswer::Holds, BoundedAnswer::FaultBefore)
            }
            unknown => unknown,
        },
    }
}

/// What it means that a duty is neglected.
pub(super) fn wrong(model: &Model, narrator: &Narrator<'_>, at: At, duty: Duty) -> Option<Wrong> {
    let what = match duty {
        Duty::Failure(failure) => Model::violation_of(failure),
        _ => duty.fault()?.kind(),
    };
    Some(narrator.wrong(model.event_at(at.function, at.edge)?, what))
}

/// The run with the inputs that a solver found; it has to go wrong where the solver says.
fn confirmed(model: &Model, asked: &Asked, found: &FoundRun, watch: &dyn Watch) -> BoundedAnswer {
    let inputs = &found.inputs;
    let trace = match run(&model.fed(inputs.clone()), watch) {
        Ok(trace) => trace,
        Err(limit) => return BoundedAnswer::Unknown(Undecided::NotFollowed(limit)),
    };
    let narrator = Narrator::new(model).fed(inputs.clone());
    match wrong_at_end(&narrator, &trace) {
        Some(wrong) if asked.covers(&wrong) => BoundedAnswer::Trace(trace),
        _ => {
            let is_check = matches!(found.duty, Duty::Failure(Failure::Assertion | Failure::Error));
            let line = line_of(model, found.at);
            BoundedAnswer::Unknown(Undecided::NotConfirmed { is_check, line, inputs: inputs.clone() })
        }
    }
}

fn line_of(model: &Model, at: At) -> Option<u64> {
    let function = model.program().functions.get(at.function as usize)?;
    let statement = function.edges.get(at.edge as usize)?.statement;
    let span = model.program().statements.get(statement as usize)?.span;
    Some(model.location(span)?.line)
}

/// Why a bound does not cover the program.
fn left_out(model: &Model, cut: &Cut, bound: u32) -> LeftOut {
    let what = match cut.why {
        Why::Loop => Uncovered::Loop,
        Why::Recursion => Uncovered::Recursion,
        Why::Calls => Uncovered::Calls,
        Why::Rounds => Uncovered::Rounds,
        Why::Size => Uncovered::Size,
        Why::Inputs => Uncovered::Inputs,
        Why::FarPointer => Uncovered::FarPointer,
        Why::Builtin(Builtin::GiveUp(reason)) => Uncovered::GivenUp(reason),
        Why::Builtin(_) => Uncovered::Call,
        Why::Encoding(error) => Uncovered::Value(unencoded(error)),
    };
    LeftOut { unwound: bound, line: line_of(model, cut.at), what }
}

fn unencoded(error: EncodeError) -> Unencoded {
    match error {
        EncodeError::TooDeep => Unencoded::TooDeep,
        EncodeError::TooManyElements(most) => Unencoded::TooManyElements(most),
        EncodeError::Outside { frame, offset } => Unencoded::Outside { frame, offset },
        EncodeError::Question(number) => Unencoded::Question(number),
        EncodeError::Pointer => Unencoded::BehindPointers,
        EncodeError::Primitive(Primitive::Within) => Unencoded::ArrayOfUnknownLength,
        EncodeError::Primitive(_) => Unencoded::FloatingPoint,
    }
}
