//! Error traces told beside correct ones: what only the error traces do, or with which values.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use explain::correct_transitions::{Correct, Coverage, ErrorTrace, Query, localise};
use graph::{BitSet, Exploration, Fairness, Fates, Interrupt, OUTSIDE, Story, Trace, Transitions, Watch};
use report::Outcome;
use rustc_hash::FxHashMap;

use crate::analysis::Host;
use crate::model_system::{Classes, ModelSystem};
use crate::naming::Naming;
use crate::telling;

/// Beyond so many causes of one query nobody reads on.
const MOST_TRACES: usize = 50;
/// So many correct visits of a statement are compared.
const MOST_VISITS: usize = 10_000;
/// How many values of correct traces are listed for a variable.
const MOST_VALUES: usize = 8;

/// The causes of one query.
pub(crate) struct Answer {
    pub(crate) traces: Vec<report::ErrorTrace>,
    pub(crate) covered: bool,
}

/// What is asked of a system whose violations of one class are aimed at.
pub(crate) struct Asked<'a> {
    pub(crate) query: report::Query,
    /// Where correct traces end.
    pub(crate) ends: &'a BitSet,
    pub(crate) last_step_checks: bool,
    pub(crate) first: Option<&'a Trace>,
}

pub(crate) fn answer<T: Transitions + Naming>(
    system: &T,
    explored: &Exploration,
    asked: &Asked<'_>,
    watch: &dyn Watch,
) -> Result<Answer, Interrupt> {
    let labels = system.labels().len();
    let correct = Correct::new(system, labels, explored, asked.ends, watch)?;
    let query = Query {
        correct: &correct,
        last_step_checks: asked.last_step_checks,
        first: asked.first,
        trusted: &BitSet::new(labels),
        max_traces: MOST_TRACES,
    };
    let localised = localise(system, &query, watch)?;
    let teller = Teller { system, explored, correct: &correct, asked };
    let mut halted = Vec::new();
    let mut traces = Vec::new();
    for error in &localised.traces {
        let told = teller.tell(error, &halted);
        halted.extend(told.causes.iter().map(|cause| cause.event.clone()));
        traces.push(told);
    }
    Ok(Answer { traces, covered: localised.coverage == Coverage::All })
}

struct Teller<'a, T> {
    system: &'a T,
    explored: &'a Exploration,
    correct: &'a Correct,
    asked: &'a Asked<'a>,
}

impl<T: Transitions + Naming> Teller<'_, T> {
    fn tell(&self, error: &ErrorTrace, halted: &[report::Event]) -> report::ErrorTrace {
        let trace = &error.trace;
        let events: Vec<report::Event> =
            trace.steps.iter().map(|step| telling::event(self.system, step.label)).collect();
        let mut lines: Vec<u64> =
            events.iter().filter_map(|event| Some(event.location.as_ref()?.line)).collect();
        lines.dedup();
        let compared =
            trace.steps.len() - usize::from(self.asked.last_step_checks && !trace.steps.is_empty());
        let suffix = error.point_of_interest.map_or(compared..compared, |first| first..compared);
        let separating = if error.causes.is_empty() { self.separating(trace, suffix.clone()) } else { None };
        let (correct_trace, common) = self.beside(trace);
        report::ErrorTrace {
            query: self.asked.query.clone(),
            lines,
            length: trace.steps.len() as u64,
            kind: match (error.causes.is_empty(), &separating) {
                (false, _) => "control",
                (true, Some(_)) => "value",
                (true, None) => "unexplained",
            },
            causes: error.causes.iter().map(|step| edge(&events, *step)).collect(),
            causes_by_transition: suffix.map(|step| edge(&events, step)).collect(),
            point_of_interest: error.point_of_interest.and_then(|step| events[step].location.clone()),
            step: separating.as_ref().map(|(step, _)| *step as u64 + 1),
            values: separating.map_or_else(Vec::new, |(_, values)| values),
            correct_trace: correct_trace.iter().map(|label| telling::event(self.system, *label)).collect(),
            common,
            halted: halted.to_vec(),
        }
    }

    /// The first of these steps before which variables hold what they hold before it in no correct trace.
    fn separating(
        &self,
        trace: &Trace,
        steps: std::ops::Range<usize>,
    ) -> Option<(usize, Vec<report::Value>)> {
        let visits = self.visits(trace.steps[steps.clone()].iter().map(|step| step.label).collect());
        let before: Vec<u32> = trace.states().collect();
        steps.into_iter().find_map(|step| {
            let visits = visits.get(&trace.steps[step].label)?;
            let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            for state in visits {
                for (variable, value) in self.system.values(*state) {
                    seen.entry(variable).or_default().insert(value);
                }
            }
            let failing = self.system.values(before[step]).into_iter();
            let differing = failing.filter_map(|(var, failing)| {
                let correct = seen.get(&var).filter(|correct| !correct.contains(&failing))?;
                Some(report::Value {
                    var,
                    failing,
                    correct: correct.iter().take(MOST_VALUES).cloned().collect(),
                })
            });
            let values: Vec<report::Value> = differing.collect();
            (!values.is_empty()).then_some((step, values))
        })
    }

    /// The states before correct transitions with these labels.
    fn visits(&self, labels: BTreeSet<u32>) -> FxHashMap<u32, Vec<u32>> {
        let mut visits: FxHashMap<u32, Vec<u32>> =
            labels.into_iter().map(|label| (label, Vec::new())).collect();
        for state in self.explored.reached().filter(|state| !self.system.is_violating(*state)) {
            self.system.successors(state, |label, target| {
                if target != OUTSIDE
                    && self.correct.leads_on(target)
                    && let Some(visits) = visits.get_mut(&label)
                    && visits.len() < MOST_VISITS
                    && visits.last() != Some(&state)
                {
                    visits.push(state);
                }
            });
        }
        visits
    }

    /// The labels of a correct trace that goes with this one as far as it can and then to the nearest end,
    /// and how far that is.
    fn beside(&self, trace: &Trace) -> (Vec<u32>, u64) {
        let led_on = trace.states().enumerate().filter(|(_, state)| self.correct.leads_on(*state));
        let Some((common, _)) = led_on.last() else { return (Vec::new(), 0) };
        let mut labels: Vec<u32> = trace.steps[..common].iter().map(|step| step.label).collect();
        let start = trace.states().nth(common).unwrap_or(trace.start);
        labels.extend(self.to_an_end(start));
        (labels, common as u64)
    }

    /// The labels of a shortest way to where correct traces end.
    fn to_an_end(&self, start: u32) -> Vec<u32> {
        let mut from: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
        let mut waiting = VecDeque::from([start]);
        while let Some(state) = waiting.pop_front() {
            if self.asked.ends.contains(state) {
                let (mut labels, mut at) = (Vec::new(), state);
                while at != start {
                    let (label, before) = from[&at];
                    labels.push(label);
                    at = before;
                }
                labels.reverse();
                return labels;
            }
            self.system.successors(state, |label, target| {
                if target != OUTSIDE
                    && target != start
                    && self.correct.leads_on(target)
                    && !from.contains_key(&target)
                {
                    from.insert(target, (label, state));
                    waiting.push_back(target);
                }
            });
        }
        Vec::new()
    }
}

/// A step with where it leads: to the next place of the same process.
fn edge(events: &[report::Event], step: usize) -> report::CauseEdge {
    let event = events[step].clone();
    let next = events[step + 1..].iter().find(|next| next.pid == event.pid);
    report::CauseEdge {
        step: step as u64 + 1,
        from: event.location.clone(),
        to: next.and_then(|next| next.location.clone()),
        event,
    }
}

/// The queries of a model: what each class of violations checks, the one that is explained first.
pub(crate) struct Queries<'a> {
    pub(crate) classes: &'a Classes,
    pub(crate) asked: &'a [usize],
    pub(crate) target: usize,
    /// The counterexample of the class that is explained.
    pub(crate) first: Option<Trace>,
}

/// Answers the queries of a model one by one.
pub(crate) fn of_model<S: Story>(
    model: &mut ModelSystem<'_, S>,
    queries: &Queries<'_>,
    fairness: Fairness,
    host: &dyn Host,
) -> (Vec<Result<Answer, Interrupt>>, bool) {
    let others = queries.asked.iter().copied().filter(|class| *class != queries.target);
    let mut answers = Vec::new();
    let mut complete = true;
    for class in std::iter::once(queries.target).chain(others) {
        model.aim(class);
        let explored = Exploration::new(model, u64::MAX, host);
        complete &= explored.is_complete();
        // What is wrong only behind other violations has no error trace of its own.
        if explored.violating().is_empty() {
            continue;
        }
        let wrong = &queries.classes.list[class].wrong;
        let first = queries.first.as_ref().filter(|_| class == queries.target);
        let query = report::Query {
            location: wrong.location.clone().map(telling::location),
            check: wrong.text.clone(),
        };
        let checks = wrong.location.as_ref().map(|at| labels_at(model, at));
        let ends = match &checks {
            Some(checks) => Ok(meeting(model, &explored, checks)),
            None => {
                Fates::new(model, &explored, fairness, host).map(|fates| passing(model, &explored, &fates))
            }
        };
        let last_step_checks = checks.is_some();
        answers.push(ends.and_then(|ends| {
            answer(model, &explored, &Asked { query, ends: &ends, last_step_checks, first }, host)
        }));
    }
    (answers, complete)
}

/// The labels of steps that execute the statement at this place, whoever does.
fn labels_at<T: Naming>(system: &T, place: &source::Location) -> BitSet {
    let count = system.labels().len() as u32;
    let mut labels = BitSet::new(count as usize);
    for label in 0..count {
        let Some(told) = system.told(label) else { continue };
        if std::iter::once(told.deed).chain(told.partner).any(|deed| deed.location.as_ref() == Some(place)) {
            labels.insert(label);
        }
    }
    labels
}

/// The states from which a step with one of these labels violates nothing.
fn meeting<T: Transitions>(system: &T, explored: &Exploration, checks: &BitSet) -> BitSet {
    let mut ends = BitSet::new(system.bound());
    for state in explored.reached().filter(|state| !system.is_violating(*state)) {
        system.successors(state, |label, target| {
            if checks.contains(label) && (target == OUTSIDE || !system.is_violating(target)) {
                ends.insert(state);
            }
        });
    }
    ends
}

/// The states from which a trace can pass.
pub(crate) fn passing<T: Transitions>(system: &T, explored: &Exploration, fates: &Fates) -> BitSet {
    let mut ends = BitSet::new(system.bound());
    for state in explored.reached().filter(|state| !system.is_violating(*state) && fates.may_pass(*state)) {
        ends.insert(state);
    }
    ends
}

/// All answers together; what ended one of them early is said instead.
pub(crate) fn told(
    answers: Vec<Result<Answer, Interrupt>>,
    complete: bool,
    seconds: f64,
) -> Outcome<report::CorrectTransitions> {
    let answers: Result<Vec<Answer>, Interrupt> = answers.into_iter().collect();
    match answers {
        Err(interrupt) => Outcome::Skipped { skipped: interrupt.to_string() },
        Ok(answers) => Outcome::Found(Box::new(report::CorrectTransitions {
            seconds,
            exactness: if complete { "exact" } else { "bounded" },
            covered: complete && answers.iter().all(|answer| answer.covered),
            traces: answers.into_iter().flat_map(|answer| answer.traces).collect(),
        })),
    }
}
