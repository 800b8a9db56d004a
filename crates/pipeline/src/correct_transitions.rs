//! Error traces told beside correct ones: what only the error traces do, or with which values.

mod by_calls;
mod by_solver;
mod error_traces;
mod names;
mod values;

use explain::correct_transitions::{Correct as CorrectEdges, Coverage, Engine, Explicit, Query, localise};
use explain::recheck::{Goal, RecheckLimits};
use findings::{Correct, ErrorTrace, Exactness, Finding, Method as Name, Methods, Outcome, Skip, What};
use graph::{BitSet, Exploration, Fairness, Fates, Interrupt, OUTSIDE, Story, Trace, Transitions, Watch};

use crate::as_findings;
use crate::budget::Budget;
use crate::causes::RECHECK_STATES;
use crate::method::{Answer, Answered, CallCase, FormulaCase, GraphCase, Method, ModelCase};
use crate::model_system::{Classes, ModelSystem};
use crate::naming::Naming;
use crate::request::{Host, Request};
use crate::sat_answers::Runnable;
use crate::skips::unsolved;
use crate::trust::Trust;
use by_calls::of_calls;
use by_solver::of_runs;
use error_traces::ErrorTraces;
pub(crate) use names::Names;

/// Beyond so many causes of one query nobody reads on.
const MOST_TRACES: usize = 50;

/// The causes of one query.
pub(crate) struct OfQuery {
    pub(crate) traces: Vec<ErrorTrace>,
    pub(crate) findings: Vec<Finding>,
    /// How many error traces only trusted steps are to blame for.
    pub(crate) trusted: u64,
    pub(crate) covered: bool,
}

/// Steps of an error trace that no correct trace takes.
pub(crate) struct CorrectTransitions;

impl Method for CorrectTransitions {
    type Result = findings::CorrectTransitions;
    const NAME: Name = Name::CorrectTransitions;

    fn slot(methods: &mut Methods) -> &mut Option<Outcome<Self::Result>> {
        &mut methods.correct_transitions
    }

    fn on_graph<T: Transitions + Naming>(case: &GraphCase<'_, T>) -> Answered<Self::Result> {
        if case.is_of_model {
            return Err(Skip::NotAsked);
        }
        if case.is_given {
            return Err(Skip::GivenLts(Self::NAME));
        }
        let GraphCase { system, explored, fates, request, host, .. } = case;
        let started = host.seconds();
        let ends = passing(*system, explored, fates);
        let asked = Asked {
            query: findings::Query {
                location: None,
                check: What::Quoted(request.property.text.clone()).into(),
            },
            ends: &ends,
            checks: None,
            first: Some(&case.counterexample.trace),
            fairness: request.fairness,
            trust: &request.trust,
        };
        let found = explicit(*system, explored, &asked, *host);
        let seconds = case.fate_seconds + host.seconds() - started;
        all(vec![found], explored.is_complete(), true, seconds)
    }

    fn on_model<S: Story>(case: &mut ModelCase<'_, '_, S>) -> Option<Answered<Self::Result>> {
        let ModelCase { explored, classes, asked, target, request, host, .. } = *case;
        // What is shared with other methods is counted as well.
        let is_deadlock = classes.list[target].wrong.location.is_none();
        let shared = if is_deadlock { case.fate_seconds } else { 0.0 };
        let (first, fates) = (case.first.take(), case.fates.take());
        let queries = Queries { classes, asked, target, first };
        let started = host.seconds();
        let within = Budget::new(host, request, case.model.graph().edge_count() as u64);
        let answers = of_model(case.model, explored, fates, &queries, request, &within);
        let seconds = case.exploring + shared + host.seconds() - started;
        Some(all(answers, explored.is_complete(), !request.past_others, seconds))
    }

    fn on_calls<S: Story>(case: &CallCase<'_, S>) -> Answered<Self::Result> {
        let started = case.host.seconds();
        let answers = of_calls(case);
        let seconds = case.host.seconds() - started;
        let all_queries = answers.len() == case.asked.len();
        all(answers, case.is_complete, all_queries, seconds)
    }

    fn on_formula<S: Story, R: Runnable>(case: &mut FormulaCase<'_, '_, '_, S, R>) -> Answered<Self::Result> {
        let wrong = case.wrong.ok_or(Skip::NoGraph)?;
        let started = case.host.seconds();
        let length = case.trace.events.len();
        let found = of_runs(case.story, wrong, length, case.answers, &case.request.trust, case.host);
        let found = found.map_err(unsolved)?;
        let seconds = case.host.seconds() - started;
        all(vec![Ok(found.answer)], found.is_whole, found.is_all, seconds)
    }
}

/// What is asked of traces.
pub(crate) struct Question<'a, T> {
    pub(crate) query: findings::Query,
    pub(crate) correct: Correct,
    /// The counterexample of the report, to begin with.
    pub(crate) first: Option<T>,
    pub(crate) trusted: &'a BitSet,
}

pub(crate) fn answer<E: Engine>(
    engine: &mut E,
    names: &impl Names,
    question: Question<'_, E::Trace>,
) -> Result<OfQuery, Interrupt> {
    let Question { query, correct, first, trusted } = question;
    let reported = first.as_ref().map(|trace| engine.labels(trace));
    // What is checked at a place is checked by the last step of an error trace.
    let last_step_checks = query.location.is_some();
    // Where no trace meets the check, the question whether to come there is part of it.
    let guards = |step: u32, check: u32| {
        correct == Correct::Passes && names.steers(step) && names.event(step).pid == names.event(check).pid
    };
    let asked = Query { last_step_checks, guards: &guards, first, trusted, max_traces: MOST_TRACES };
    let localised = localise(engine, asked)?;
    let is_any_correct = localised.is_any_correct;
    let error_traces = ErrorTraces { engine, names, query: &query, correct, is_any_correct };
    let mut halted = Vec::new();
    let mut traces = Vec::new();
    let mut findings = Vec::new();
    for error in &localised.traces {
        let told = error_traces.tell(error, &halted);
        halted.extend(told.causes.iter().map(|cause| cause.event.clone()));
        // The steps of a cause are those of the counterexample of the report.
        let is_reported = reported.as_ref() == Some(&error.labels);
        findings.extend(error_traces.finding(error, &told, is_reported));
        traces.push(told);
    }
    let covered = localised.coverage == Coverage::All;
    Ok(OfQuery { traces, findings, trusted: localised.trusted as u64, covered })
}

/// What is asked of a system whose violations of one class are aimed at.
struct Asked<'a> {
    pub(crate) query: findings::Query,
    /// Where correct traces end.
    pub(crate) ends: &'a BitSet,
    /// The labels of steps that carry out the check; nothing where a correct trace is one that passes.
    pub(crate) checks: Option<&'a BitSet>,
    pub(crate) first: Option<&'a Trace>,
    pub(crate) fairness: Fairness,
    pub(crate) trust: &'a Trust,
}

/// Answers from a graph of whole states.
fn explicit<T: Transitions + Naming>(
    system: &T,
    explored: &Exploration,
    asked: &Asked<'_>,
    watch: &dyn Watch,
) -> Result<OfQuery, Interrupt> {
    let labels = system.labels().len();
    let correct = CorrectEdges::new(system, labels, explored, asked.ends, watch)?;
    let is_end = |state: u32| asked.checks.is_some_and(|checks| meets(system, state, checks));
    let goal = if asked.checks.is_some() { Goal::State(&is_end) } else { Goal::Passing };
    // A place is looked for in passes over the graph, as the method itself makes them; what passes for ever is not.
    let max_states = if asked.checks.is_some() { usize::MAX } else { RECHECK_STATES };
    let look = RecheckLimits { fairness: asked.fairness, max_states, watch };
    let trusted = asked.trust.labels(labels, |label| parts_of(system, label));
    let mut engine = Explicit::new(system, explored, &correct, asked.ends, goal, look);
    let question = Question {
        query: asked.query.clone(),
        correct: if asked.checks.is_some() { Correct::MeetsCheck } else { Correct::Passes },
        first: asked.first.cloned(),
        trusted: &trusted,
    };
    answer(&mut engine, system, question)
}

/// What a label belongs to: its own name, and the process, the function and the file of those who take part in it.
fn parts_of<T: Naming>(system: &T, label: u32) -> Vec<String> {
    let mut parts = vec![system.label(label)];
    parts.extend(system.parts(label));
    parts
}

/// The queries of a model: what each class of violations checks, the one that is explained first.
struct Queries<'a> {
    pub(crate) classes: &'a Classes,
    pub(crate) asked: &'a [usize],
    pub(crate) target: usize,
    /// The counterexample of the class that is explained.
    pub(crate) first: Option<Trace>,
}

/// Answers the queries of a model one by one; which states can be reached without violation does not depend on
/// the query. `fates` are those of the class that is explained, where they are known.
fn of_model<S: Story>(
    model: &mut ModelSystem<'_, S>,
    explored: &Exploration,
    mut fates: Option<Fates>,
    queries: &Queries<'_>,
    request: &Request,
    host: &dyn Host,
) -> Vec<Result<OfQuery, Interrupt>> {
    let others = queries.asked.iter().copied().filter(|class| *class != queries.target);
    let places = Places::new(model.labels().len(), |label| model.told(label));
    let mut answers = Vec::new();
    for class in std::iter::once(queries.target).chain(others) {
        model.aim(class);
        // What is wrong only behind other violations has no error trace of its own.
        if !explored.live().iter().any(|state| model.is_violating(*state) && model.is_target(*state)) {
            continue;
        }
        let wrong = &queries.classes.list[class].wrong;
        let is_explained = class == queries.target;
        let first = queries.first.as_ref().filter(|_| is_explained);
        let query =
            findings::Query { location: wrong.location.clone(), check: as_findings::what(wrong).into() };
        let mut checks = wrong.location.as_ref().map(|place| places.labels_at(place));
        let met = checks.as_ref().map(|checks| meeting(model, explored, checks));
        let met = met.filter(|ends| ends.iter().next().is_some());
        let ends = match met {
            Some(ends) => Ok(ends),
            None => {
                checks = None;
                let known = fates.take().filter(|_| is_explained);
                let fates = known.map_or_else(|| Fates::new(model, explored, request.fairness, host), Ok);
                fates.map(|fates| passing(model, explored, &fates))
            }
        };
        answers.push(ends.and_then(|ends| {
            let asked = Asked {
                query,
                ends: &ends,
                checks: checks.as_ref(),
                first,
                fairness: request.fairness,
                trust: &request.trust,
            };
            explicit(model, explored, &asked, host)
        }));
    }
    answers
}

/// Where the statements stand that steps execute, label by label.
pub(crate) struct Places(Vec<Vec<source::Location>>);

impl Places {
    pub(crate) fn new(count: usize, told: impl Fn(u32) -> Option<graph::Told>) -> Self {
        let places = |label: u32| {
            let deeds =
                told(label).into_iter().flat_map(|told| std::iter::once(told.deed).chain(told.partner));
            deeds.filter_map(|deed| deed.location).collect()
        };
        Self((0..count as u32).map(places).collect())
    }

    /// The labels of steps that execute the statement at this place, whoever does.
    pub(crate) fn labels_at(&self, place: &source::Location) -> BitSet {
        let mut labels = BitSet::new(self.0.len());
        for (label, places) in (0..).zip(&self.0) {
            if places.contains(place) {
                labels.insert(label);
            }
        }
        labels
    }
}

/// The states from which a step with one of these labels violates nothing.
fn meeting<T: Transitions>(system: &T, explored: &Exploration, checks: &BitSet) -> BitSet {
    let mut ends = BitSet::new(system.bound());
    for state in explored.live().iter().copied().filter(|state| !system.is_violating(*state)) {
        if meets(system, state, checks) {
            ends.insert(state);
        }
    }
    ends
}

/// Whether a step with one of these labels from `state` violates nothing.
fn meets<T: Transitions>(system: &T, state: u32, checks: &BitSet) -> bool {
    let mut met = false;
    system.successors(state, |label, target| {
        met |= checks.contains(label) && (target == OUTSIDE || !system.is_violating(target));
    });
    met
}

/// The states from which a trace can pass.
fn passing<T: Transitions>(system: &T, explored: &Exploration, fates: &Fates) -> BitSet {
    let mut ends = BitSet::new(system.bound());
    let live = explored.live().iter();
    for state in live.filter(|state| !system.is_violating(**state) && fates.may_pass(**state)) {
        ends.insert(*state);
    }
    ends
}

/// All answers together, with what they claim; what ended one of them early is said instead. `all_queries` tells whether
/// no class of violations was left out.
fn all(
    answers: Vec<Result<OfQuery, Interrupt>>,
    complete: bool,
    all_queries: bool,
    seconds: f64,
) -> Answered<findings::CorrectTransitions> {
    let answers: Result<Vec<OfQuery>, Interrupt> = answers.into_iter().collect();
    let answers = answers.map_err(Skip::Interrupted)?;
    let mut found = findings::CorrectTransitions {
        seconds: (seconds * 1e6).round() / 1e6,
        exactness: Exactness::of(complete),
        covered: complete && all_queries && answers.iter().all(|answer| answer.covered),
        trusted: answers.iter().map(|answer| answer.trusted).sum(),
        traces: Vec::new(),
    };
    let mut findings = Vec::new();
    for answer in answers {
        // The number of the first trace of the query.
        let group = found.traces.len() as u64 + 1;
        found.traces.extend(answer.traces);
        findings.extend(answer.findings.into_iter().map(|finding| Finding { group, ..finding }));
    }
    Ok(Answer { result: found, findings })
}
