//! Variations where there is no graph of states: a solver is asked for the runs nearest to the counterexample.
//!
//! Distance counts the inputs that are changed and the branches that go otherwise (Groce, *Error explanation with
//! distance metrics*, 2004). Positives come to the place of the failing step, do not fail there, and end properly, or
//! at least do not fail within the bound; negatives fail as the counterexample does. Each further run has to go
//! another way than those before it, so that what all have in common means something. The program is run with the
//! inputs of each, and the runs are compared as traces of any other origin are.

use encode::questions::{Counted, Distance, Questions, Run, Which};
use encode::solver::Stop;
use explain::variations::known;
use findings::{PassingEnd, Walk};
use graph::{Exploration, Story, Trace, Transitions};
use search::{Ending, Replayed, gather};

use super::{FoundVariations, Keyed, Why, told};
use crate::as_findings;
use crate::bounded::run_for;
use crate::model_system::{Classes, ModelSystem};
use crate::naming::Naming;
use crate::request::{Host, Request};
use crate::sat_answers::{LONGEST_RUN, Runnable, SatAnswers};

/// How many runs of a kind are looked for.
const MOST_RUNS: usize = 8;
/// How many conflicts a further run may cost, once there is one of its kind.
const MOST_CONFLICTS: u64 = 20_000;

/// What a solver knows of runs near the counterexample.
struct Near {
    /// Those that fail as it does, without itself.
    failing: Vec<Run>,
    passing: Vec<Run>,
    /// Where no run passes by the failing step, the nearest that passes at all.
    elsewhere: Option<Run>,
    /// Whether there may be more.
    is_limited: bool,
    solved: findings::SolvedVariations,
}

/// Looks for variations of a counterexample by asking the solver that found it.
pub(crate) fn of_runs<R: Runnable>(
    story: &impl Story,
    counterexample: &Replayed,
    answers: &mut SatAnswers<'_, '_, '_, R>,
    request: &Request,
    host: &dyn Host,
) -> Result<FoundVariations, Why> {
    let near = ask(answers)?;
    let run = |run: &Run| run_for(&answers.program.fed(run.inputs.clone()), LONGEST_RUN, host);
    let mut runs = vec![counterexample.clone()];
    for found in near.failing.iter().chain(&near.passing).chain(&near.elsewhere) {
        runs.push(run(found)?);
    }
    let events: Vec<Vec<u64>> = runs.iter().map(|run| run.events.clone()).collect();
    let last = runs.last().filter(|_| near.elsewhere.is_some()).map(|run| run.ending == Ending::Fine);
    let found = gather(&runs)?;
    let classes = Classes::new(&found, story);
    // The counterexample comes first, and so does what is wrong with it.
    let target = classes.of.first().copied().ok_or(Why::NoStep)?;
    let mut system = ModelSystem::new(&answers.program.fed(Vec::new()), found, story, &classes, |_| true);
    system.aim(target);
    let traces: Vec<Trace> = events.iter().filter_map(|events| system.find(events)).collect();
    let explored = Exploration::new(&system, u64::MAX, host);
    let first = traces.first().ok_or(Why::NoStep)?;
    let keyed = Keyed::new(&system, &explored, request.variations.project);
    let mut generated = known::among(&system, &traces, &keyed.whole.of_label);
    generated.is_limited = near.is_limited;
    let has_positives = !generated.positives.is_empty();
    let mut found = told(&keyed, generated, None, first, &|_| true, request, host)?;
    found.told.depth = None;
    found.told.walk = Walk::Solver;
    found.told.solved = Some(near.solved);
    if !has_positives && last == Some(true) {
        found.told.nearest_passing = traces.last().map(|passing| nearest(&system, first, passing));
    }
    Ok(found)
}

/// Asks for the nearest runs of each kind.
fn ask<R: Runnable>(answers: &mut SatAnswers<'_, '_, '_, R>) -> Result<Near, Why> {
    let (at, inputs) = (answers.found.at, answers.found.inputs.clone());
    let bound = u64::from(answers.unwinding.bound);
    let conflicts = answers.conflicts;
    let mut questions = answers.questions();
    let from = questions.run_with(&inputs)?.ok_or(Why::NotUnwound)?;
    let mut distance = questions.distance_from(&from);
    let mut is_limited = false;
    let mut passing =
        several(&mut questions, &from, &mut distance, Which::PassingBy(at), conflicts, &mut is_limited)?;
    if passing.is_empty() {
        passing =
            several(&mut questions, &from, &mut distance, Which::UnharmedAt(at), conflicts, &mut is_limited)?;
    }
    let elsewhere = match &passing[..] {
        [] => questions.nearest(&mut distance, Which::Passing, &[])?.map(|found| found.run),
        _ => None,
    };
    let failing = several(&mut questions, &from, &mut distance, Which::Failing, conflicts, &mut is_limited)?;
    let covers_all = match questions.is_whole() {
        Ok(covers_all) => covers_all,
        Err(Stop::Conflicts(_)) => false,
        Err(stop) => return Err(stop.into()),
    };
    questions.limit_conflicts(conflicts);
    let changes = passing.first().or(elsewhere.as_ref()).map(|run| {
        let (inputs, branches) = run.changes_from(&from, &answers.unwinding);
        findings::Changes { inputs: inputs as u64, branches: branches as u64 }
    });
    let solved = findings::SolvedVariations { bound, covers_all, changes };
    Ok(Near { failing, passing, elsewhere, is_limited, solved })
}

/// The nearest runs of one kind, each going another way than those before it; the first may go the way of the
/// counterexample if it passes.
fn several(
    questions: &mut Questions<'_, '_, '_>,
    from: &Run,
    distance: &mut Distance,
    which: Which,
    conflicts: Option<u64>,
    is_limited: &mut bool,
) -> Result<Vec<Run>, Stop> {
    let few = Some(conflicts.map_or(MOST_CONFLICTS, |most| most.min(MOST_CONFLICTS)));
    let mut others = if which == Which::Failing { vec![from.clone()] } else { Vec::new() };
    let known = others.len();
    questions.limit_conflicts(if known == 0 { conflicts } else { few });
    while others.len() < MOST_RUNS + known {
        match questions.nearest(distance, which, &others) {
            Ok(Some(Counted { run, is_fewest, .. })) => {
                *is_limited |= !is_fewest;
                others.push(run);
            }
            Ok(None) => return Ok(others.split_off(known)),
            Err(Stop::Conflicts(_)) => break,
            Err(stop) => return Err(stop),
        }
        questions.limit_conflicts(few);
    }
    *is_limited = true;
    Ok(others.split_off(known))
}

/// How a passing trace goes on where it leaves the counterexample.
fn nearest<T: Transitions + Naming>(
    system: &T,
    counterexample: &Trace,
    passing: &Trace,
) -> findings::NearestPassing {
    let both = counterexample.steps.iter().zip(&passing.steps);
    let common = both.take_while(|(one, other)| one == other).count();
    let steps = passing.steps[common..].iter().map(|step| as_findings::event(system, step.label)).collect();
    findings::NearestPassing { common: common as u64, steps, ending: PassingEnd::Ends }
}
