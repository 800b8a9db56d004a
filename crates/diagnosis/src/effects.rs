//! Diagnosis of a trace that is told as effects: statements of several processes in the order of the trace.
//!
//! Such a trace takes no inputs: what it did is decided by its own order. So without a wrong statement it fails, and
//! a diagnosis says which statements of it, had they made something else or passed something else, would have let
//! it go the same way without failing. Every diagnosis is gone again by the evaluator with the values that the solver
//! proposes, which is its recheck.

mod formula;
mod rehearsal;

use std::collections::BTreeSet;

use encode::solver::Stop;
use encode::ssa::Happening;
use explain::dependence::Dependence;
use explain::diagnosis::{Diagnosis, Ending, diagnoses};
use findings::{
    Claim, Exactness, Explanation, Finding, How, InputsOfTrace, Made, Outcome, RecheckResult, RightValue,
    Scope, Skip, SuspectEvidence, SuspectStatement, Suspects, Undiagnosed,
};
use graph::Watch;
use model::TraceStep;

use self::formula::EffectFormula;
use crate::accesses::of_effects;
use crate::limits::{LIMITS, is_wanted, unique};
use pipeline::budget::Budget;
use pipeline::request::{Host, Request};
use pipeline::{skipped, unsolved};

/// How many values of one diagnosis are told, and how many diagnoses become causes.
const MOST_VALUES: usize = 20;
const MOST_CAUSES: usize = 3;
/// How many effects a trace may have.
const MOST_EFFECTS: usize = 50_000;

/// A trace told as effects, and the words for it.
pub trait EffectTrace {
    /// What the frames hold at first; the first is that of the globals, and bases name them by their numbers.
    fn frames(&self) -> &[Vec<u8>];
    fn steps(&self) -> &[TraceStep];
    /// Whether a step belongs to the last event of the trace, or comes behind it.
    fn is_last(&self, step: usize) -> bool;
    /// A statement: whose, as it is written, and where. Nothing if it can never be wrong.
    fn words(&self, statement: u32) -> Option<Words>;
    /// What an effect makes, and a value of it.
    fn made(&self, step: usize, effect: usize, value: Happening) -> (String, String);
    /// What should hold at the end, where no statement says it.
    fn goal(&self) -> Option<String>;
    /// Whether what should hold is that somebody can go on.
    fn is_stuck(&self) -> bool;
    /// How many statements the model has.
    fn statements(&self) -> usize;
}

/// The words for a statement.
#[derive(Clone, Debug)]
pub struct Words {
    pub process: Option<String>,
    pub text: String,
    pub location: Option<source::Location>,
}

/// Puts the diagnosis of a counterexample into its explanation, or why there is none. `course` is asked
/// for only if it is needed.
pub fn diagnose_effects<C: EffectTrace>(
    explanation: &mut Explanation,
    course: impl FnOnce() -> Result<C, Skip>,
    request: &Request,
    host: &dyn Host,
) {
    if !is_wanted(explanation, request) {
        return;
    }
    let started = host.seconds();
    let budget = Budget::of(host, request.diagnosis.work);
    let found = course().and_then(|course| Ok((found(&course, request, &budget)?, course)));
    explanation.methods.diagnosis = match found {
        Err(why) => skipped(why),
        Ok((found, course)) => {
            // That nobody can go on is more often a matter of order than of values.
            if !course.is_stuck() {
                let findings = findings(explanation, &course, &found);
                explanation.findings.extend(findings);
            }
            Some(Outcome::Found(Box::new(told(&course, found, host.seconds() - started))))
        }
    };
}

struct EffectDiagnosis {
    constraints: Vec<u32>,
    suspects: usize,
    /// The likeliest first, with what is told of each.
    suspicions: Vec<Suspicion>,
    conflicts: Vec<Vec<u32>>,
    complete: bool,
}

struct Suspicion {
    statements: Vec<u32>,
    values: Vec<RightValue>,
    transitive: Vec<u32>,
    /// Whether the evaluator went the trace with the values of the solver, and all was well.
    confirmed: bool,
}

fn found(course: &impl EffectTrace, request: &Request, watch: &dyn Watch) -> Result<EffectDiagnosis, Skip> {
    let steps = course.steps();
    if steps.iter().map(|step| step.effects.len()).sum::<usize>() > MOST_EFFECTS {
        return Err(unsolved(Stop::TooLarge));
    }
    let dependence = Dependence::new(of_effects(steps));
    let slice = dependence.slice();
    let all: BTreeSet<u32> = steps.iter().map(|step| step.statement).collect();
    let trusted = |words: &Words| {
        let named = words.process.iter().chain(words.location.as_ref().map(|at| &at.file));
        named.into_iter().any(|name| request.trust.includes(name))
    };
    let is_check = |statement: u32| {
        let own = steps.iter().filter(|step| step.statement == statement);
        own.flat_map(|step| &step.effects).all(|effect| matches!(effect, model::Effect::Check(_)))
    };
    let suspects: Vec<u32> = all
        .into_iter()
        .filter(|one| slice.contains(one) && !is_check(*one))
        .filter(|one| course.words(*one).is_some_and(|words| !trusted(&words)))
        .collect();
    let mut formula = EffectFormula::new(course, &suspects, watch)?;
    let constraints = unique(formula.constraints.iter().map(|(_, step)| steps[*step].statement).collect());
    let failing = formula.failing().map_err(unsolved)?;
    let answer = diagnoses(&mut formula, LIMITS);
    if let (Ending::Stopped(stop), true) = (answer.ending, answer.diagnoses.is_empty()) {
        return Err(unsolved(stop));
    }
    if answer.diagnoses.is_empty() || answer.diagnoses[0].statements.is_empty() {
        return Err(Undiagnosed::NothingDecides.into());
    }
    let mut complete = answer.ending == Ending::Complete;
    let mut suspicions = Vec::new();
    for Diagnosis { statements, model } in answer.diagnoses {
        // Other values say more where no more of them than necessary are others.
        let right = match formula.nearest(&statements, &failing) {
            Ok(Some(nearer)) => nearer,
            Ok(None) => model,
            Err(_) => {
                complete = false;
                model
            }
        };
        let values = values(course, &statements, &failing, &right);
        let confirmed = rehearsal::goes_well(course, &statements, &right);
        let transitive = dependence.transitive(&statements).into_iter().collect();
        suspicions.push(Suspicion { statements, values, transitive, confirmed });
    }
    let last = |statement: &u32| steps.iter().rposition(|step| step.statement == *statement).unwrap_or(0);
    suspicions.sort_by_cached_key(|one| {
        let distance: usize = one.statements.iter().map(|statement| steps.len() - last(statement)).sum();
        (!one.confirmed, one.statements.len(), distance, one.statements.clone())
    });
    Ok(EffectDiagnosis {
        constraints,
        suspects: suspects.len(),
        suspicions,
        conflicts: answer.conflicts,
        complete,
    })
}

/// What the statements made on the trace, and what they should have made.
fn values(
    course: &impl EffectTrace,
    statements: &[u32],
    failing: &[(usize, Happening)],
    right: &[(usize, Happening)],
) -> Vec<RightValue> {
    let mut told: Vec<RightValue> = Vec::new();
    let mut effect = 0;
    let mut before = None;
    for ((step, was), (_, should)) in failing.iter().zip(right) {
        effect = if before == Some(*step) { effect + 1 } else { 0 };
        before = Some(*step);
        let statement = course.steps()[*step].statement;
        if was == should || statements.binary_search(&statement).is_err() || told.len() == MOST_VALUES {
            continue;
        }
        let (what, failing) = course.made(*step, effect, *was);
        let (_, right) = course.made(*step, effect, *should);
        let line = course.words(statement).and_then(|words| words.location).map_or(0, |at| at.line);
        if !what.is_empty() && failing != right {
            told.push(RightValue { line, what: Made::Named(what).into(), failing, right });
        }
    }
    told
}

fn statement(course: &impl EffectTrace, number: u32) -> SuspectStatement {
    match course.words(number) {
        Some(Words { text, location, .. }) => SuspectStatement { text, location },
        None => SuspectStatement { text: course.goal().unwrap_or_default(), location: None },
    }
}

fn lines(course: &impl EffectTrace, statements: &[u32]) -> Vec<u64> {
    let line = |number: &u32| course.words(*number)?.location.map(|at| at.line);
    let lines: BTreeSet<u64> = statements.iter().filter_map(line).collect();
    lines.into_iter().collect()
}

fn told(course: &impl EffectTrace, found: EffectDiagnosis, seconds: f64) -> findings::Diagnosis {
    let suspicions = found.suspicions.into_iter().zip(1..).map(|(one, rank)| findings::Suspicion {
        rank,
        lines: lines(course, &one.statements),
        statements: one.statements.iter().map(|number| statement(course, *number)).collect(),
        transitive: lines(course, &one.transitive),
        likely: one.confirmed,
        small_change: None,
        redundant: false,
        values: one.values,
        suggestion: None,
        change: None,
        explains: u64::from(one.confirmed),
        scope: Scope::Trace,
        repair: None,
    });
    let constraint = |number: &u32| {
        let SuspectStatement { text, location } = statement(course, *number);
        findings::Constraint { text, location }
    };
    findings::Diagnosis {
        seconds,
        exactness: Exactness::of(found.complete),
        constraints: found.constraints.iter().map(constraint).collect(),
        inputs: InputsOfTrace::Fixed,
        suspects: found.suspects as u64,
        statements: course.statements() as u64,
        diagnoses: suspicions.collect(),
        conflicts: found.conflicts.iter().map(|conflict| lines(course, conflict)).collect(),
        absence_of_function: None,
        runs: 1,
        tried_on: 0,
        across: None,
    }
}

/// The likeliest diagnoses as findings.
fn findings(explanation: &Explanation, course: &impl EffectTrace, found: &EffectDiagnosis) -> Vec<Finding> {
    let finding = |one: &Suspicion| {
        let told: Vec<SuspectStatement> =
            one.statements.iter().map(|number| statement(course, *number)).collect();
        let lines = lines(course, &one.statements);
        let steps = explanation.counterexample.as_ref().map_or(&[][..], |found| &found.steps);
        let here = |step: &&findings::Step| step.location.as_ref().is_some_and(|at| lines.contains(&at.line));
        let steps = steps.iter().filter(here).map(|step| step.n).collect();
        let suspects = Suspects {
            statements: told.iter().map(|one| one.text.clone()).collect(),
            lines,
            suggestion: None,
            evidence: SuspectEvidence::Trace,
        };
        let locations = told.into_iter().filter_map(|one| one.location).collect();
        let finding = Finding { group: 0, ..Finding::new(Claim::Diagnosis(suspects), locations, steps) };
        finding.rechecked(How::StatementsExecuted, RecheckResult::Confirmed)
    };
    found.suspicions.iter().filter(|one| one.confirmed).take(MOST_CAUSES).map(finding).collect()
}
