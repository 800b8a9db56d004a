//! Looking for repairs of a model or a program that a report is about.

use std::collections::BTreeSet;

use cfront::{Model, Narrator};
use edits::Hint;
use encode::bounded::{Answer, search};
use encode::unwind::{At, Duty};
use findings::{Engine, Explanation, RepairSearch};
use graph::{Interrupt, Watch};
use wherefore::analysis::{Asked, Host};
use wherefore::rank;
use wherefore::repairs::{
    Budget, Faulty, Trial, Wrongdoing, find, is_concurrent, run, suspects, target, trusted_lines, wrongdoing,
};

use super::bounded::{Effort, wrong};
use super::host::Terminal;
use super::session::Repairing;

/// How much is tried with a solver, which knows no number of states.
const MOST_SOLVED: usize = 60;

/// A text and what it is called.
pub(crate) struct Text<'a> {
    pub(crate) file: &'a str,
    pub(crate) text: &'a str,
    pub(crate) language: edits::Language,
}

/// Looks for repairs and puts them into the explanation. `try_out` tells what the checker says of a text, and `before` what it
/// said of the one that is to be repaired, if that is known.
pub(crate) fn repair(
    explanation: &mut Explanation,
    about: &Text<'_>,
    (host, wanted): (&Terminal, &Repairing),
    before: Option<Trial>,
    mut try_out: impl FnMut(&str, u64) -> Result<Option<Trial>, Interrupt>,
) {
    let Some(target) = target(explanation) else { return };
    let patience = wanted.patience;
    let patience = if patience.is_finite() { patience.min(left(host.seconds())) } else { patience };
    let until = host.seconds() + patience;
    // A single trial must not take longer either.
    let _phase = host.phase_of(patience);
    let mut try_out = |text: &str, states| {
        if host.seconds() > until { Err(Interrupt::Timeout) } else { try_out(text, states) }
    };
    let before = match before {
        Some(before) => before,
        None => match try_out(about.text, u64::MAX) {
            Ok(Some(before)) => before,
            _ => return,
        },
    };
    // What the program does besides failing is known to no solver, and not to a search that was given up.
    if explanation.engine != Engine::Sat && !before.complete {
        return;
    }
    rank(explanation);
    let trusted = trusted_lines(about.text, about.language, &wanted.trust);
    let lines = suspects(explanation, about.file, (about.text, about.language), &trusted);
    let proposed = wherefore::diagnosis::changes(explanation).into_iter();
    let hints: Vec<Hint> = proposed.map(|(line, statement)| Hint { line, statement }).collect();
    let is_missing = wherefore::diagnosis::tells_of_absence(explanation);
    let missing = target.place.as_ref().filter(|_| is_missing).map(|(_, line)| *line);
    let faulty = Faulty {
        text: about.text,
        file: about.file,
        language: about.language,
        trial: &before,
        target: &target,
        suspects: &lines,
        hints: &hints,
        missing,
        trusted: &trusted,
        is_concurrent: is_concurrent(explanation),
    };
    let mut budget = Budget::default();
    if explanation.engine == Engine::Sat {
        budget = Budget { costly: MOST_SOLVED, has_states: false, ..budget };
    }
    let found = find(&faulty, budget, &mut try_out);
    host.clear();
    explanation.repairs = found.verified;
    explanation.repair_search = Some(RepairSearch { tried: found.tried, cut_short: found.stopped });
    wherefore::diagnosis::with_repairs(explanation);
}

/// What is left for repairs that nobody asked for, of the time that people wait for an answer: at least a second.
fn left(passed: f64) -> f64 {
    const ALL: f64 = 9.0;
    (ALL - passed).max(1.0)
}

/// Whoever interrupts a trial ends the search; a limit of states ends only the trial.
pub(crate) fn interrupted(interrupt: Option<Interrupt>) -> Result<(), Interrupt> {
    match interrupt {
        Some(limit @ (Interrupt::Cancelled | Interrupt::Timeout | Interrupt::Memory)) => Err(limit),
        _ => Ok(()),
    }
}

/// How long a run may be that fails in the program as it is and may pass in a changed one.
const LONGEST_RUN: u64 = 100_000;

/// Inputs with which the program, or a change of it, failed. A change that fails with one of them is refuted by a
/// single run, and most changes are.
pub(crate) struct Failing {
    inputs: Vec<Vec<i64>>,
    target: Option<Wrongdoing>,
    /// What is wrong with the program as it is.
    known: Vec<Wrongdoing>,
    /// How long a run may be that is to show that a change fails. One that goes on has not shown it.
    longest: u64,
}

impl Failing {
    /// The inputs of a report's counterexample.
    pub(crate) fn new(explanation: &Explanation) -> Self {
        let steps = explanation.counterexample.iter().flat_map(|counterexample| &counterexample.steps);
        let longest = 1_000 + 8 * steps.clone().count() as u64;
        let inputs = steps.flat_map(|step| step.inputs.iter().copied()).collect();
        Self { inputs: vec![inputs], target: target(explanation), known: Vec::new(), longest }
    }

    /// Keeps in mind what is wrong with the program as it is.
    pub(crate) fn know(&mut self, trial: &Trial) {
        self.known.clone_from(&trial.violations);
    }

    /// What goes wrong with one of them that must not, those first that were found last.
    pub(crate) fn refutes(&self, model: &Model, asked: &Asked) -> Option<Trial> {
        if model.program().threads {
            return None;
        }
        let is_refuted =
            |wrong: &Wrongdoing| Some(wrong) == self.target.as_ref() || !self.known.contains(wrong);
        let mut runs = self.inputs.iter().rev().map(|inputs| fed(model, inputs, asked, self.longest));
        let failing = runs.find(|run| run.violations.iter().any(is_refuted))?;
        Some(Trial { is_quick: true, complete: false, ..failing })
    }
}

/// The run with given inputs.
fn fed(model: &Model, inputs: &[i64], asked: &Asked, longest: u64) -> Trial {
    let narrator = Narrator::new(model).fed(inputs.to_vec());
    run(&model.fed(inputs.to_vec()), &narrator, asked, longest)
}

/// What a program does with the inputs that made it fail before it was changed and, if that is fine, with all others
/// up to a bound. With the program as it is, the failure is known already.
pub(crate) fn bounded(
    model: &Model,
    (asked, failing): (&Asked, &mut Failing),
    effort: Effort,
    is_unchanged: bool,
    watch: &dyn Watch,
) -> Trial {
    let first = failing.inputs.first().map_or(&[][..], Vec::as_slice);
    let run = Trial { is_quick: true, ..fed(model, first, asked, LONGEST_RUN) };
    if is_unchanged {
        // Which lines other inputs execute is not known here.
        return Trial { executed: BTreeSet::new(), ..run };
    }
    // A run that passes by its assertion and only asks for more inputs than the failing one took tells nothing against the
    // change; of one that does not come to its end after a fault nobody knows whether it may.
    let only_lacks_inputs = run.violations.is_empty()
        && run.states < LONGEST_RUN
        && failing.target.as_ref().is_some_and(|target| target.is_check);
    let may_be_right = run.complete || only_lacks_inputs;
    if !may_be_right {
        return run;
    }
    let narrator = Narrator::new(model);
    let is_asked =
        |at: At, duty: Duty| wrong(model, &narrator, at, duty).is_some_and(|wrong| asked.covers(&wrong));
    let outcome = search(&mut effort.unwinder(model, watch), effort.unwind, is_asked);
    let bound = Some(u64::from(outcome.bound));
    let run = Trial { is_quick: false, ..run };
    match outcome.answer {
        Answer::Holds | Answer::Within(_) => Trial { complete: true, bound, ..run },
        Answer::Stopped(_) => Trial { complete: false, ..run },
        Answer::Violated(found) => {
            let wrong = wrong(model, &narrator, found.at, found.duty);
            let violations = wrong.iter().map(wrongdoing).collect();
            failing.inputs.push(found.inputs);
            Trial { complete: false, violations, ..run }
        }
    }
}
