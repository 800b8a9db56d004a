//! The query of a counterexample that a solver found in a program.

use std::collections::BTreeMap;

use encode::arrivals::{Arrivals, Asked};
use encode::solver::{Solver, Stop};
use encode::unwind::{At, Duty, Unwinder};
use explain::correct_transitions::{SecondLook, Solved};
use findings::Correct;
use graph::{Outline, Story, Wrong};
use rustc_hash::FxHashMap;

use super::{Names, OfQuery, Places, Question, answer};
use crate::as_findings;
use crate::naming::parts_of;
use crate::request::Host;
use crate::sat_answers::{Runnable, SatAnswers, same_duty};
use crate::trust::Trust;

/// How many conflicts a question may cost unless the user says so.
const CONFLICTS: u64 = 200_000;

/// The names of events; their inputs are not among them.
struct OfRuns<'a, S> {
    story: &'a S,
    events: &'a [u64],
}

impl<S: Story> Names for OfRuns<'_, S> {
    fn event(&self, label: u32) -> findings::Event {
        let event = self.events[label as usize];
        as_findings::told_event(self.story.label(event), Some(self.story.event(event)))
    }

    fn steers(&self, label: u32) -> bool {
        self.story.steers(self.events[label as usize])
    }

    fn values(&self, _place: u32) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    fn bytes(&self, _place: u32) -> Option<&[u8]> {
        None
    }

    fn outline(&self, state: &[u8]) -> Outline {
        Outline::new(state, Vec::new(), Vec::new())
    }
}

/// What the solver says of the query of a counterexample.
pub(super) struct OfSolver {
    pub(crate) answer: OfQuery,
    /// Whether it is about all runs, and not only about those within the bound.
    pub(crate) is_whole: bool,
    /// Whether nothing else can go wrong in the program.
    pub(crate) is_all: bool,
}

/// Asks about what is wrong at the end of a counterexample of so many steps.
pub(super) fn of_runs<R: Runnable>(
    story: &impl Story,
    wrong: &Wrong,
    length: usize,
    answers: &mut SatAnswers<'_, '_, '_, R>,
    trust: &Trust,
    host: &dyn Host,
) -> Result<OfSolver, Stop> {
    let program = answers.unwinder.program();
    let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
    let mut events: Vec<u64> = Vec::new();
    let mut labels: Vec<Vec<u32>> = Vec::new();
    for (function, of) in (0..).zip(&program.functions) {
        let edges = (0..of.edges.len() as u32).map(|edge| {
            let event = answers.program.event_at(At { function, edge }).unwrap_or_default();
            *numbers.entry(event).or_insert_with(|| {
                events.push(event);
                events.len() as u32 - 1
            })
        });
        labels.push(edges.collect());
    }
    let places = Places::new(events.len(), |label| Some(story.event(events[label as usize])));
    let checks = wrong.location.as_ref().map(|place| places.labels_at(place)).unwrap_or_default();
    let goals: Vec<bool> =
        (0..events.len() as u32).map(|label| wrong.location.is_some() && checks.contains(label)).collect();
    let duty = answers.found.duty;
    let is_failure = |at: At, other: Duty| {
        goals[labels[at.function as usize][at.edge as usize] as usize] && same_duty(other, duty)
    };
    let mut asked = Asked { labels: &labels, goals: Some(&goals), failures: &is_failure };

    let (unwinding, inputs) = (&answers.unwinding, &answers.found.inputs);
    let limit = answers.conflicts.or(Some(CONFLICTS));
    answers.unwinder.circuit.solver.limit_conflicts(limit);
    let is_met = Arrivals::new(&mut answers.unwinder, unwinding, &asked).is_any_correct()?;
    let correct = if is_met { Correct::MeetsCheck } else { Correct::Passes };
    asked.goals = asked.goals.filter(|_| is_met);
    let mut arrivals = Arrivals::new(&mut answers.unwinder, unwinding, &asked);
    let is_whole = arrivals.is_whole()?;
    let is_all = is_whole && !arrivals.fails_otherwise()?;
    let first = arrivals.failing_with(inputs)?;
    // Twice the bound tells more of loops that go on, and nothing more where none does.
    let bound = if is_whole { unwinding.bound } else { unwinding.bound.saturating_mul(2) };
    let again = |is_such: &dyn Fn(u32) -> bool| {
        let mut unwinder = Unwinder::new(program, Solver::new(host));
        let unwinding = unwinder.unwind(bound)?;
        let mut arrivals = Arrivals::new(&mut unwinder, &unwinding, &asked);
        arrivals.limit_conflicts(limit);
        let is_taken = arrivals.can_take(is_such)?;
        let mut is_correct = false;
        for label in (0..goals.len() as u32).filter(|label| is_such(*label)) {
            is_correct |= arrivals.takes(label)?;
        }
        let is_any_correct = arrivals.is_any_correct()?;
        Ok(SecondLook { is_taken, is_correct, is_any_correct })
    };
    let is_told = first.as_ref().is_some_and(|first| first.labels.len() == length);
    let parts = |label: u32| {
        let event = events[label as usize];
        let mut parts = parts_of(story.event(event), story.function(event));
        parts.push(story.label(event));
        parts
    };
    let trusted = trust.labels(events.len(), parts);
    let question = Question {
        query: findings::Query { location: wrong.location.clone(), check: as_findings::what(wrong).into() },
        correct,
        first,
        trusted: &trusted,
    };
    let mut engine = Solved::new(arrivals, again);
    let answer = answer(&mut engine, &OfRuns { story, events: &events }, question);
    let stopped = engine.stopped();
    drop(engine);
    answers.unwinder.circuit.solver.limit_conflicts(None);
    let mut answer = answer?;
    if let Some(stop) = stopped {
        return Err(stop);
    }
    // Steps are counted as the report counts them, or not at all.
    if !is_told {
        answer.findings.iter_mut().for_each(|cause| cause.steps.clear());
    }
    Ok(OfSolver { answer, is_whole, is_all })
}
