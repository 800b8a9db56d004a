//! Trials of changed programs by the inputs with which others failed, and by the solver.

use std::collections::BTreeSet;

use cfront::{Model, Narrator};
use encode::bounded::{self, Answer};
use encode::solver::Stop;
use encode::unwind::{At, Duty};
use findings::Explanation;
use graph::{Interrupt, Watch};
use pipeline::budget::Budget;
use pipeline::repairs::{Allowance, Trial, Wrongdoing, run, target, wrongdoing};
use pipeline::request::{Asked, DiagnosisRequest};

use super::bounded::{Effort, wrong};
use super::passing::Passing;
use crate::repairs::interrupted;

/// So many units of a solver's work are one of a search.
const SOLVED: u64 = 6;

/// How long a run may be that fails in the program as it is and may pass in a changed one.
const LONGEST_RUN: u64 = 100_000;

/// Inputs with which the program, or a change of it, failed. A change that fails with one of them is refuted by a
/// single run, and most changes are.
pub(super) struct Failing {
    inputs: Vec<Vec<i64>>,
    target: Option<Wrongdoing>,
    /// What is wrong with the program as it is.
    known: Vec<Wrongdoing>,
    /// How long a run may be that is to show that a change fails. One that goes on has not shown it.
    longest: u64,
    /// How many of the inputs the user says fail, the counterexample's besides: with a repair none of them may.
    given: usize,
    /// Inputs with which the program passes, and must go on to.
    passing: Vec<Vec<i64>>,
    /// How long a run may be that must end.
    most: u64,
}

impl Failing {
    /// The inputs of a report's counterexample, and those whose outcome the user knows.
    /// `most` is how long their runs may be.
    pub(super) fn new(explanation: &Explanation, known: &DiagnosisRequest, most: Option<u64>) -> Self {
        let steps = explanation.counterexample.iter().flat_map(|counterexample| &counterexample.steps);
        let longest = 1_000 + 8 * steps.clone().count() as u64;
        let inputs: Vec<i64> = steps.flat_map(|step| step.inputs.iter().copied()).collect();
        let inputs: Vec<Vec<i64>> = std::iter::once(inputs).chain(known.failing.iter().cloned()).collect();
        Self {
            given: inputs.len() - 1,
            inputs,
            target: target(explanation),
            known: Vec::new(),
            longest,
            passing: known.passing.clone(),
            most: most.unwrap_or(LONGEST_RUN),
        }
    }

    /// Keeps in mind what is wrong with the program as it is.
    pub(super) fn know(&mut self, trial: &Trial) {
        self.known.clone_from(&trial.violations);
    }

    /// Runs that pass, with inputs near the first ones.
    pub(super) fn passing_nearby(&self, model: &Model, asked: &Asked) -> Passing {
        let first = self.inputs.first().map_or(&[][..], Vec::as_slice);
        Passing::near(model, first, asked, self.longest)
    }

    /// What goes wrong with one of them that must not, those first that were found last.
    pub(super) fn refutes(&self, model: &Model, asked: &Asked) -> Option<Trial> {
        let is_refuted =
            |wrong: &Wrongdoing| Some(wrong) == self.target.as_ref() || !self.known.contains(wrong);
        let run = |inputs: &Vec<i64>| fed(model, inputs, asked, self.most);
        // One that only asks for more inputs than are known tells nothing against the change.
        let is_wrong = |run: &Trial| !run.violations.is_empty() || run.states >= self.most;
        let known = self.inputs[1..=self.given].iter().chain(&self.passing);
        let broken = known.map(run).find(is_wrong).map(|run| self.as_refuted(run));
        let near = |inputs: &Vec<i64>| fed(model, inputs, asked, self.longest);
        let mut runs = self.inputs.iter().rev().map(near);
        let failing = || runs.find(|run| run.violations.iter().any(is_refuted));
        let failing = broken.or_else(failing)?;
        Some(Trial { complete: false, ..failing })
    }

    /// What speaks against a change with which a known run does not end well, whatever it was that went wrong.
    fn as_refuted(&self, run: Trial) -> Trial {
        Trial { violations: self.target.clone().into_iter().collect(), ..run }
    }
}

/// The run with given inputs.
pub(super) fn fed(model: &Model, inputs: &[i64], asked: &Asked, longest: u64) -> Trial {
    let narrator = Narrator::new(model).fed(inputs.to_vec());
    run(&model.fed(inputs.to_vec()), &narrator, asked, longest)
}

/// What a program does with the inputs that made it fail before it was changed and, if that is fine, with all others
/// up to a bound. With the program as it is, the failure is known already.
pub(super) fn bounded(
    model: &Model,
    asked: &Asked,
    failing: &mut Failing,
    effort: Effort,
    allowance: Allowance,
    is_unchanged: bool,
    watch: &dyn Watch,
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
    let budget = Budget::of(watch, most);
    let outcome = bounded::search(&mut effort.unwinder(model, &budget), effort.unwind, is_asked);
    let bound = Some(u64::from(outcome.bound));
    let run = Trial { work: run.work + (most - budget.left()) / SOLVED, ..run };
    Ok(match outcome.answer {
        Answer::Holds | Answer::Within(_) => Trial { complete: true, passes: true, bound, ..run },
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
