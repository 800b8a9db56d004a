//! Looking for repairs of a model or a program that a report is about.

use std::collections::BTreeSet;

use cfront::{Model, Narrator};
use edits::Hint;
use encode::bounded::{self, Answer};
use encode::solver::Stop;
use encode::unwind::{At, Duty};
use findings::{Engine, Explanation, RepairSearch};
use graph::{Interrupt, Progress, System, Watch};
use pipeline::budget::Budget;
use pipeline::rank;
use pipeline::repairs::{
    Allowance, Faulty, Limits, Trial, Wrongdoing, find, is_concurrent, run, suspects, target, trusted_lines,
    wrongdoing,
};
use pipeline::request::Asked;
use search::Explored;

use super::bounded::{Effort, wrong};
use super::host::Terminal;
use super::session::Repairing;

/// So many units of a solver's work are one of a search.
const SOLVED: u64 = 6;

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
    mut try_out: impl FnMut(&str, Allowance) -> Result<Option<Trial>, Interrupt>,
) {
    let Some(target) = target(explanation) else { return };
    let mut try_out = |text: &str, allowance| {
        host.pulse(Progress { phase: "repairing", work: 0, ..Progress::default() })?;
        try_out(text, allowance)
    };
    let before = match before {
        Some(before) => before,
        None => match try_out(about.text, Allowance::WHOLE) {
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
    let limits = Limits { has_states: explanation.engine != Engine::Sat, ..wanted.limits };
    let found = find(&faulty, limits, &mut try_out);
    host.clear();
    explanation.repairs = found.verified;
    explanation.repair_search = Some(RepairSearch { tried: found.tried, cut_short: found.stopped });
    wherefore::diagnosis::with_repairs(explanation);
}

/// What a search of a changed model finds within its limits; nothing if it cannot be searched.
pub(crate) fn explored(
    system: &impl System,
    allowance: Allowance,
    host: &Terminal,
) -> Result<Option<Explored>, Interrupt> {
    let limits = search::Limits { max_states: allowance.states, ..search::Limits::default() };
    let found = search::explore(system, limits, &Budget::of(&host.with_share(0.5), allowance.work));
    let Ok(found) = found else { return Ok(None) };
    interrupted(found.interrupt)?;
    Ok(Some(found))
}

/// Whoever interrupts a trial ends the search; a limit of states or work ends only the trial.
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
        let is_refuted =
            |wrong: &Wrongdoing| Some(wrong) == self.target.as_ref() || !self.known.contains(wrong);
        let mut runs = self.inputs.iter().rev().map(|inputs| fed(model, inputs, asked, self.longest));
        let failing = runs.find(|run| run.violations.iter().any(is_refuted))?;
        Some(Trial { complete: false, ..failing })
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
    (effort, allowance): (Effort, Allowance),
    is_unchanged: bool,
    host: &Terminal,
) -> Result<Trial, Interrupt> {
    let first = failing.inputs.first().map_or(&[][..], Vec::as_slice);
    let run = fed(model, first, asked, LONGEST_RUN);
    if is_unchanged {
        // Which lines other inputs execute is not known here.
        return Ok(Trial { executed: BTreeSet::new(), ..run });
    }
    // A run that passes by its assertion and only asks for more inputs than the failing one took tells nothing against the
    // change; of one that does not come to its end after a fault nobody knows whether it may.
    let only_lacks_inputs = run.violations.is_empty()
        && run.states < LONGEST_RUN
        && failing.target.as_ref().is_some_and(|target| target.is_check);
    let may_be_right = run.complete || only_lacks_inputs;
    if !may_be_right {
        return Ok(run);
    }
    let narrator = Narrator::new(model);
    let is_asked =
        |at: At, duty: Duty| wrong(model, &narrator, at, duty).is_some_and(|wrong| asked.covers(&wrong));
    let most = allowance.work.saturating_mul(SOLVED);
    let budget = Budget::of(host, most);
    let outcome = bounded::search(&mut effort.unwinder(model, &budget), effort.unwind, is_asked);
    let bound = Some(u64::from(outcome.bound));
    let run = Trial { work: run.work + (most - budget.left()) / SOLVED, ..run };
    Ok(match outcome.answer {
        Answer::Holds | Answer::Within(_) => Trial { complete: true, bound, ..run },
        Answer::Stopped(stop) => {
            if let Stop::Interrupted(interrupt) = stop {
                interrupted(Some(interrupt))?;
            }
            Trial { complete: false, ..run }
        }
        Answer::Violated(found) => {
            let wrong = wrong(model, &narrator, found.at, found.duty);
            let violations = wrong.iter().map(wrongdoing).collect();
            failing.inputs.push(found.inputs);
            Trial { complete: false, violations, ..run }
        }
    })
}
