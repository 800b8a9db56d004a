//! The bounded SAT engine on C programs: asking it, and running the program with what it found.

use cfront::{Fed, Model, Narrator};
use encode::bounded::{Answer, Found, Outcome, search};
use encode::solver::Solver;
use encode::unwind::{At, Cut, Duty, Unwinder, Unwinding, Why};
use graph::{Story, ViolationKind, Watch, Wrong};
use model::{Builtin, Failure};
use pipeline::bounded::{BoundedAnswer, run, wrong_at_end};
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
    pub(super) found: Found,
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
        Answer::Within(cut) => BoundedAnswer::Unknown(left_out(model, &cut, bound)),
        Answer::Stopped(stop) => BoundedAnswer::Unknown(format!(
            "nothing was found with loops unwound {}, before the search ended: {stop}",
            times(bound)
        )),
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
        Answer::Within(cut) => BoundedAnswer::Unknown(left_out(model, &cut, bound)),
        Answer::Stopped(stop) => BoundedAnswer::Unknown(format!(
            "nothing was found, but the search for faults that end runs before ended: {stop}"
        )),
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
fn confirmed(model: &Model, asked: &Asked, found: &Found, watch: &dyn Watch) -> BoundedAnswer {
    let inputs = &found.inputs;
    let trace = match run(&model.fed(inputs.clone()), watch) {
        Ok(trace) => trace,
        Err(limit) => {
            return BoundedAnswer::Unknown(format!("a run was found, but not followed to its end: {limit}"));
        }
    };
    let narrator = Narrator::new(model).fed(inputs.clone());
    match wrong_at_end(&narrator, &trace) {
        Some(wrong) if asked.covers(&wrong) => BoundedAnswer::Trace(trace),
        _ => {
            let what = match found.duty {
                Duty::Failure(Failure::Assertion | Failure::Error) => "a failure",
                _ => "a fault",
            };
            let line = line_of(model, found.at).map_or_else(String::new, |line| format!(" in line {line}"));
            BoundedAnswer::Unknown(format!(
                "internal error: the solver found {what}{line} with the inputs {inputs:?}, but the program \
                 that is run with them does not show it; please report this"
            ))
        }
    }
}

fn line_of(model: &Model, at: At) -> Option<u64> {
    let function = model.program().functions.get(at.function as usize)?;
    let statement = function.edges.get(at.edge as usize)?.statement;
    let span = model.program().statements.get(statement as usize)?.span;
    Some(model.location(span)?.line)
}

fn times(bound: u32) -> String {
    match bound {
        1 => "once".to_owned(),
        bound => format!("{bound} times"),
    }
}

/// Why a bound does not cover the program.
fn left_out(model: &Model, cut: &Cut, bound: u32) -> String {
    let line = line_of(model, cut.at).map_or_else(String::new, |line| format!(" in line {line}"));
    let within = format!("nothing is wrong with loops and recursion unwound {}", times(bound));
    match cut.why {
        Why::Loop => format!("{within}, but the loop{line} can run longer (--unwind)"),
        Why::Recursion => format!("{within}, but the recursion{line} can go deeper (--unwind)"),
        Why::Calls => format!("{within}, but calls{line} are nested deeper than the engine follows"),
        Why::Rounds => format!("{within}, but the loop{line} runs longer than the engine follows"),
        Why::Size => {
            format!("{within}, but an object or a run of bytes{line} may be larger than the engine follows")
        }
        Why::Inputs => format!("{within}, but inputs{line} are missing"),
        Why::FarPointer => format!("{within}, but a pointer{line} may be far from every object"),
        Why::Builtin(Builtin::GiveUp(reason)) => format!("{within}, but {reason}{line}"),
        Why::Builtin(_) => format!("{within}, but the SAT engine does not support the call{line}"),
        Why::Encoding(error) => {
            format!("{within}, but the SAT engine does not support a value{line}: {error}")
        }
    }
}
