//! Which statements a small change would mend, as far as known runs tell: with it none of them fails any more.
//!
//! A program without faults fails on no inputs, so a change that takes the one fault back makes every failing run pass
//! and leaves the passing ones as they are. Many statements could have made better values on the counterexample; only
//! few of them can be changed a little so that all runs go well.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use findings::TextChange;
use graph::{Interrupt, Progress, Watch};
use model::mistakes::Mistake;
use model::{Function, Place, Program, RunEnding, Runner};

use crate::case::Case;
use crate::change::Change;
use crate::guards::guards_checks;
use crate::limits::MOST_RUNS;
use crate::pairs::pairs;
use crate::patience::Patience;
use crate::samples::{MOST_STEPS, Sample, samples};
use crate::suspects::roles;
use crate::text::Text;
use crate::variants::{Pool, instead, variants};

/// From here on a change is so far-fetched that two others may be likelier.
const FAR: u32 = 2;
/// How many changes are tried.
const MOST_CHANGES: u64 = 30_000;
/// That a change is tried: it is run a few times.
pub(crate) const TRYING: Progress =
    Progress { phase: "trying", states: 0, edges: 0, permille: None, work: 1 << 8 };

/// What came of trying.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trials {
    /// The statements that a small change mends, with the likeliest one.
    pub(crate) mended: BTreeMap<u32, Change>,
    /// What stands there instead, where it can be written in the names of the program.
    pub(crate) instead: BTreeMap<u32, TextChange>,
    /// Two statements that small changes mend together, where no likely change of one does.
    pub(crate) pairs: Vec<([u32; 2], Change)>,
    /// How many runs a change was tried on.
    pub(crate) runs: usize,
    /// How many of them fail without it.
    pub(crate) failing: usize,
}

/// Small changes that were tried, and the runs that fail.
#[derive(Default)]
pub(crate) struct Tried {
    pub(crate) trials: Trials,
    /// The inputs of failing runs, the counterexample first.
    pub(crate) failing: Vec<Vec<i64>>,
    /// What may be wrong on the ways of runs that fail elsewhere, and on that of the counterexample.
    pub(crate) suspects: Vec<u32>,
}

/// Runs the program near its counterexample, and tries small changes of what may be wrong.
pub(crate) fn tried(case: &Case<'_>, watch: &dyn Watch) -> Tried {
    let Case { program, request, suspected, .. } = case;
    let nothing = |failing| Tried { failing, suspects: suspected.all.clone(), ..Tried::default() };
    let mut failing = vec![case.inputs.clone()];
    failing.extend(request.diagnosis.failing.iter().cloned());
    // What should hold by the words of the author is not checked when the program runs.
    let rehearsal = case.text.runner((*program).clone()).filter(|_| !suspected.given);
    let Some(mut rehearsal) = rehearsal else { return nothing(failing) };
    let rehearsal = &mut *rehearsal;
    let known: Vec<Vec<i64>> = failing.iter().chain(&request.diagnosis.passing).cloned().collect();
    let near = samples(rehearsal, program, &known);
    if near.first().is_none_or(|first| !first.fails || !first.inputs.starts_with(&case.inputs)) {
        return nothing(failing);
    }
    if request.diagnosis.failing.is_empty() {
        let others = near.iter().filter(|sample| sample.fails).skip(1).take(MOST_RUNS);
        failing.extend(others.map(|sample| sample.inputs[..sample.taken].to_vec()));
    }
    let watch = Patience::new(watch, MOST_CHANGES);
    let all = on_other_ways(case, &near, &watch);
    let suspects = Suspects::new(case.text, program, suspected.all.clone());
    let mut trials = each_alone(&suspects, rehearsal, &near, &watch);
    if trials.mended.values().all(|change| change.distance() >= FAR) {
        // The second fault need not be on the way of the counterexample.
        let suspects = Suspects::new(case.text, program, all.clone());
        trials.pairs = pairs(&suspects, rehearsal, &near, &watch);
    }
    Tried { trials, failing, suspects: all }
}

/// Statements with what they may be changed to.
pub(crate) struct Suspects<'a> {
    pub(crate) program: &'a Program,
    pub(crate) statements: Vec<u32>,
    pub(crate) pools: Vec<Pool>,
    /// The variables that each can name.
    names: Vec<Vec<(String, Place)>>,
    /// Which of them only choose what is checked.
    pub(crate) guards: Vec<bool>,
}

impl<'a> Suspects<'a> {
    fn new(text: &dyn Text, program: &'a Program, statements: Vec<u32>) -> Self {
        let names: Vec<Vec<(String, Place)>> = statements.iter().map(|one| text.in_scope(*one)).collect();
        let pool = |(one, names): (&u32, &Vec<(String, Place)>)| {
            let function = program.statements[*one as usize].function.0;
            Pool::new(program, function, names)
        };
        let pools = statements.iter().zip(&names).map(pool).collect();
        let roles = roles(program);
        let guards = statements.iter().map(|one| guards_checks(program, &roles, *one)).collect();
        Self { program, statements, pools, names, guards }
    }
}

/// What may be wrong on the way of the counterexample, and on those of runs that fail at other assertions.
fn on_other_ways(case: &Case<'_>, samples: &[Sample], watch: &dyn Watch) -> Vec<u32> {
    let mut statements = case.suspected.all.clone();
    let mut known: Vec<Option<u32>> = samples.first().map(|first| first.check).into_iter().collect();
    for sample in samples.iter().filter(|sample| sample.fails) {
        if known.len() > MOST_RUNS || known.contains(&sample.check) {
            continue;
        }
        known.push(sample.check);
        let more = case.suspects_of(&sample.inputs[..sample.taken], watch).into_iter();
        let more: Vec<u32> = more.filter(|one| !statements.contains(one)).collect();
        statements.extend(more);
    }
    statements
}

/// Tries small changes of one statement at a time, the likeliest kinds first.
fn each_alone(
    suspects: &Suspects<'_>,
    rehearsal: &mut dyn Runner,
    samples: &[Sample],
    watch: &dyn Watch,
) -> Trials {
    let failing = samples.iter().filter(|sample| sample.fails).count();
    let mut trials = Trials { runs: samples.len(), failing, ..Trials::default() };
    let Suspects { program, statements, pools, names, guards } = suspects;
    for kind in Mistake::ALL {
        for (at, statement) in statements.iter().enumerate() {
            if trials.mended.get(statement).is_some_and(|known| known.distance() <= kind.distance()) {
                continue;
            }
            let number = program.statements[*statement as usize].function.0;
            let mut stopped: Option<Interrupt> = None;
            let mut best = Outcome::Fails;
            let mut changed: Option<Function> = None;
            let _ = variants(program, *statement, kind, &pools[at], &mut |function| {
                if let Err(interrupt) = watch.pulse(TRYING) {
                    stopped = Some(interrupt);
                    return ControlFlow::Break(());
                }
                if rehearsal.exchange(number, function) {
                    let outcome = outcome(rehearsal, samples);
                    if outcome > best {
                        (best, changed) = (outcome, Some(function.clone()));
                    }
                }
                if best == Outcome::Mends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            rehearsal.exchange(number, &program.functions[number as usize]);
            let change = Change { kind, also: None, avoids: guards[at] || best == Outcome::Avoids };
            let is_nearer = |known: &Change| change.distance() < known.distance();
            if let Some(changed) = changed.filter(|_| trials.mended.get(statement).is_none_or(is_nearer)) {
                trials.mended.insert(*statement, change);
                let instead = instead(&program.functions[number as usize], &changed, &names[at]);
                trials.instead.remove(statement);
                trials.instead.extend(instead.map(|instead| (*statement, instead)));
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
pub(crate) enum Outcome {
    Fails,
    /// No run fails, but one does not come to its assertion any more, nor to another one, or ends too soon for that.
    Avoids,
    Mends,
}

pub(crate) fn outcome(rehearsal: &dyn Runner, samples: &[Sample]) -> Outcome {
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
pub(crate) fn of_run(rehearsal: &dyn Runner, sample: &Sample) -> Outcome {
    let most = sample.steps.saturating_mul(4).saturating_add(200).min(MOST_STEPS);
    let run = rehearsal.run(&sample.inputs, sample.check.unwrap_or(u32::MAX), most);
    // Inputs that are taken elsewhere than before are others: whether they are assumed to be so or not tells nothing.
    let strays = run.sites.iter().zip(&sample.sites).any(|(site, before)| site != before);
    let ends = match run.ending {
        RunEnding::Ended => true,
        RunEnding::NoMoreInputs => strays || sample.fails,
        RunEnding::Blocked => strays || sample.fails && run.sites.len() > sample.taken,
        RunEnding::Wrong | RunEnding::Unknown => false,
    };
    // Where it comes to another assertion instead, it is still asked for something; where it takes fewer inputs, for less.
    let is_asked = sample.check.is_none() || run.passed > 0 || run.met & !sample.met != 0;
    let is_short = run.ending == RunEnding::Ended && run.sites.len() < sample.taken;
    match (ends, is_asked && !is_short) {
        (false, _) => Outcome::Fails,
        (true, false) => Outcome::Avoids,
        (true, true) => Outcome::Mends,
    }
}
