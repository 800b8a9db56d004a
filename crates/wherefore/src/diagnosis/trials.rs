//! Which statements a small change would mend, as far as known runs tell: with it none of them fails any more.
//!
//! A program without faults fails on no inputs, so a change that takes the one fault back makes every failing run pass
//! and leaves the passing ones as they are. Many statements could have made better values on the counterexample; only
//! few of them can be changed a little so that all runs go well.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use cfront::{Ending, Rehearsal};
use graph::{Interrupt, Progress, Watch};
use model::Program;

use super::case::Case;
use super::patience::Patience;
use super::samples::{MOST_STEPS, Sample, samples};
use super::variants::{Kind, Pool, variants};
use super::{MOST_RUNS, Text};

/// How much more far-fetched it is not to meet the assertion any more.
const AVOIDANCE: u32 = 3;
/// How many changes are tried.
const MOST_CHANGES: u64 = 30_000;

/// A small change with which no run fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change {
    pub(super) kind: Kind,
    /// Whether a run does not come to the assertion any more, which may be right and may be cheating.
    pub(super) avoids: bool,
}

impl Change {
    /// How far-fetched it is, compared with others.
    pub(super) fn distance(self) -> u32 {
        self.kind.distance() + if self.avoids { AVOIDANCE } else { 0 }
    }
}

/// What came of trying.
#[derive(Clone, Debug, Default)]
pub(super) struct Trials {
    /// The statements that a small change mends, with the likeliest one.
    pub(super) mended: BTreeMap<u32, Change>,
    /// How many runs a change was tried on.
    pub(super) runs: usize,
    /// How many of them fail without it.
    pub(super) failing: usize,
}

/// Small changes that were tried, and the runs that fail.
#[derive(Default)]
pub(super) struct Tried {
    pub(super) trials: Trials,
    /// The inputs of failing runs, the counterexample first.
    pub(super) failing: Vec<Vec<i64>>,
}

/// Runs the program near its counterexample, and tries small changes of what may be wrong.
pub(super) fn tried(case: &Case<'_>, watch: &dyn Watch) -> Tried {
    let Case { program, request, suspected, .. } = case;
    let mut failing = vec![case.inputs.clone()];
    failing.extend(request.failing.iter().cloned());
    // What should hold by the words of the author is not checked when the program runs.
    let rehearsal = Rehearsal::new((*program).clone()).filter(|_| !suspected.given);
    let Some(mut rehearsal) = rehearsal else { return Tried { failing, ..Tried::default() } };
    let near = samples(&rehearsal, program, &failing);
    if near.first().is_none_or(|first| !first.fails || !first.inputs.starts_with(&case.inputs)) {
        return Tried { failing, ..Tried::default() };
    }
    if request.failing.is_empty() {
        let others = near.iter().filter(|sample| sample.fails).skip(1).take(MOST_RUNS);
        failing.extend(others.map(|sample| sample.inputs[..sample.taken].to_vec()));
    }
    let watch = Patience::new(watch, MOST_CHANGES);
    let trials = trials(case.text, program, &mut rehearsal, &suspected.all, &near, &watch);
    Tried { trials, failing }
}

/// Tries small changes of statements, the likeliest kinds first.
fn trials(
    text: &dyn Text,
    program: &Program,
    rehearsal: &mut Rehearsal,
    statements: &[u32],
    samples: &[Sample],
    watch: &dyn Watch,
) -> Trials {
    let failing = samples.iter().filter(|sample| sample.fails).count();
    let mut trials = Trials { runs: samples.len(), failing, ..Trials::default() };
    let pools: Vec<Pool> = statements
        .iter()
        .map(|one| {
            let function = program.statements[*one as usize].function.0;
            Pool::new(program, function, &text.in_scope(*one))
        })
        .collect();
    for kind in Kind::ALL {
        for (statement, pool) in statements.iter().zip(&pools) {
            if trials.mended.get(statement).is_some_and(|known| known.distance() <= kind.distance()) {
                continue;
            }
            let number = program.statements[*statement as usize].function.0;
            let mut stopped: Option<Interrupt> = None;
            let mut best = Outcome::Fails;
            let _ = variants(program, *statement, kind, pool, &mut |function| {
                if let Err(interrupt) = watch.pulse(Progress { phase: "trying", ..Progress::default() }) {
                    stopped = Some(interrupt);
                    return ControlFlow::Break(());
                }
                if rehearsal.exchange(number, function) {
                    best = best.max(outcome(rehearsal, samples));
                }
                if best == Outcome::Mends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            rehearsal.exchange(number, &program.functions[number as usize]);
            let change = Change { kind, avoids: best == Outcome::Avoids };
            let is_nearer = |known: &Change| change.distance() < known.distance();
            if best != Outcome::Fails && trials.mended.get(statement).is_none_or(is_nearer) {
                trials.mended.insert(*statement, change);
            }
            if stopped.is_some() {
                return trials;
            }
        }
    }
    trials
}

/// What a change comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Fails,
    /// No run fails, but one does not come to its assertion any more.
    Avoids,
    Mends,
}

fn outcome(rehearsal: &Rehearsal, samples: &[Sample]) -> Outcome {
    let mut worst = Outcome::Mends;
    for sample in samples {
        worst = worst.min(of_run(rehearsal, sample));
        if worst == Outcome::Fails {
            break;
        }
    }
    worst
}

/// What becomes of a run in a changed program.
fn of_run(rehearsal: &Rehearsal, sample: &Sample) -> Outcome {
    let most = sample.steps.saturating_mul(4).saturating_add(200).min(MOST_STEPS);
    let run = rehearsal.run(&sample.inputs, sample.check.unwrap_or(u32::MAX), most);
    let ends = match run.ending {
        Ending::Ended => true,
        Ending::NoMoreInputs => sample.fails,
        Ending::Blocked => sample.fails && run.inputs as usize > sample.taken,
        Ending::Wrong | Ending::Unknown => false,
    };
    match (ends, sample.check.is_none() || run.passed > 0) {
        (false, _) => Outcome::Fails,
        (true, false) => Outcome::Avoids,
        (true, true) => Outcome::Mends,
    }
}
