//! The bounded SAT engine on C programs: asking it, and running the program with what it found.

use cfront::{Model, Narrator};
use encode::bounded::{Answer, Found, search};
use encode::solver::Solver;
use encode::unwind::{At, Cut, Duty, Unwinder, Why};
use graph::{Story, Watch, Wrong};
use model::Failure;
use wherefore::analysis::Asked;
use wherefore::bounded::{Finding, run, wrong_at_end};

/// How far loops are unwound unless the user says otherwise.
pub(crate) const DEFAULT_UNWIND: u32 = 32;

/// Why the engine cannot be used on a program.
pub(crate) fn obstacle(model: &Model) -> Option<&'static str> {
    model.program().threads.then_some("the program starts threads")
}

/// Searches a program up to a bound. Returns what was found, how far the search came, and the inputs of the run
/// if there is one; the model has them when this returns.
pub(crate) fn search_program(
    model: &mut Model,
    asked: &Asked,
    most: u32,
    watch: &dyn Watch,
) -> (Finding, u64) {
    let (answer, bound) = solve(model, asked, most, watch);
    let finding = match answer {
        Answer::Holds => Finding::Holds,
        Answer::Within(cut) => Finding::Unknown(left_out(model, &cut, bound)),
        Answer::Stopped(stop) => Finding::Unknown(format!(
            "nothing was found with loops unwound {}, before the search ended: {stop}",
            times(bound)
        )),
        Answer::Violated(found) => confirmed(model, asked, found, watch),
    };
    (finding, u64::from(bound))
}

fn solve(model: &Model, asked: &Asked, most: u32, watch: &dyn Watch) -> (Answer, u32) {
    let narrator = Narrator::new(model);
    let is_asked =
        |at: At, duty: Duty| wrong(model, &narrator, at, duty).is_some_and(|wrong| asked.covers(&wrong));
    let mut unwinder = Unwinder::new(model.program(), Solver::new(watch));
    let outcome = search(&mut unwinder, most, is_asked);
    (outcome.answer, outcome.bound)
}

/// What it means that a duty is neglected.
pub(crate) fn wrong(model: &Model, narrator: &Narrator<'_>, at: At, duty: Duty) -> Option<Wrong> {
    let what = match duty {
        Duty::Failure(failure) => Model::violation_of(failure),
        _ => duty.fault()?.kind(),
    };
    Some(narrator.wrong(model.event_at(at.function, at.edge)?, what))
}

/// The run with the inputs that a solver found; it has to go wrong where the solver says.
fn confirmed(model: &mut Model, asked: &Asked, found: Found, watch: &dyn Watch) -> Finding {
    let inputs = found.inputs;
    model.give(Some(inputs.clone()));
    let trace = match run(model, watch) {
        Ok(trace) => trace,
        Err(limit) => {
            return Finding::Unknown(format!("a run was found, but not followed to its end: {limit}"));
        }
    };
    let narrator = Narrator::new(model);
    match wrong_at_end(&narrator, &trace) {
        Some(wrong) if asked.covers(&wrong) => Finding::Trace(trace),
        _ => {
            let what = match found.duty {
                Duty::Failure(Failure::Assertion | Failure::Error) => "a failure",
                _ => "a fault",
            };
            let line = line_of(model, found.at).map_or_else(String::new, |line| format!(" in line {line}"));
            Finding::Unknown(format!(
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
        Why::Loop => format!("{within}, but the loop{line} can go on (--unwind)"),
        Why::Recursion => format!("{within}, but the recursion{line} can go on (--unwind)"),
        Why::Calls => format!("{within}, but calls{line} are nested more deeply than is followed"),
        Why::Rounds => format!("{within}, but the loop{line} goes on for longer than is followed"),
        Why::Size => {
            format!("{within}, but an object or a run of bytes{line} may be larger than is followed")
        }
        Why::Inputs => format!("{within}, but inputs{line} are missing"),
        Why::FarPointer => format!("{within}, but a pointer{line} may be far from every object"),
        Why::Builtin(_) => format!("{within}, but what is called{line} is not known to the SAT engine"),
        Why::Encoding(error) => {
            format!("{within}, but a value{line} is not known to the SAT engine: {error}")
        }
    }
}
