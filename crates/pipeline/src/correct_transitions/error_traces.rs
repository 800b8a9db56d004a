//! One error trace told: its causes, what separates it from correct traces, and a correct trace beside it.

use std::collections::BTreeSet;

use explain::correct_transitions::{Engine, ErrorTrace};
use explain::recheck::Recheck;
use findings::{Claim, Correct, ErrorTraceKind, Finding, How};

use super::Names;
use super::values::Compared;
use crate::causes::result_of;

/// So many steps of a correct trace are tried for whether every correct trace takes them.
const MOST_NEEDED: usize = 40;

pub(super) struct ErrorTraces<'a, E, N> {
    pub(super) engine: &'a E,
    pub(super) names: &'a N,
    pub(super) query: &'a findings::Query,
    pub(super) correct: Correct,
    pub(super) is_any_correct: bool,
}

/// The step before which variables hold what they hold before it in no correct trace.
struct Separating {
    step: usize,
    values: Vec<findings::Value>,
    /// Whether it is only all of them together that no correct trace has.
    together: bool,
}

impl<E: Engine, N: Names> ErrorTraces<'_, E, N> {
    pub(super) fn tell(
        &self,
        error: &ErrorTrace<E::Trace>,
        halted: &[findings::Event],
    ) -> findings::ErrorTrace {
        let events: Vec<findings::Event> =
            error.labels.iter().map(|label| self.names.event(*label)).collect();
        let mut lines: Vec<u64> =
            events.iter().filter_map(|event| Some(event.location.as_ref()?.line)).collect();
        lines.dedup();
        let compared = error.compared;
        let suffix = error.point_of_interest.map_or(compared..compared, |first| first..compared);
        let separating = if error.causes.is_empty() { self.separating(error, suffix.clone()) } else { None };
        let common = error.common.unwrap_or_default();
        let correct_trace = self.beside(error);
        let lacks = self.lacking(error, &correct_trace);
        let step = separating.as_ref().map(|found| found.step as u64 + 1);
        findings::ErrorTrace {
            query: self.query.clone(),
            lines,
            length: error.labels.len() as u64,
            kind: match (error.causes.is_empty(), &separating) {
                (false, _) => ErrorTraceKind::Control,
                (true, Some(_)) => ErrorTraceKind::Value,
                (true, None) if self.is_any_correct => ErrorTraceKind::Unexplained,
                (true, None) => ErrorTraceKind::Incomparable,
            },
            causes: error.causes.iter().map(|step| edge(&events, *step)).collect(),
            causes_by_transition: suffix.map(|step| edge(&events, step)).collect(),
            point_of_interest: error.point_of_interest.and_then(|step| events[step].location.clone()),
            step,
            together: separating.as_ref().is_some_and(|found| found.together),
            values: separating.map_or_else(Vec::new, |found| found.values),
            correct_trace: correct_trace.iter().map(|label| self.names.event(*label)).collect(),
            common: common as u64,
            lacks: lacks.iter().map(|label| self.names.event(*label)).collect(),
            suggestion: None,
            halted: halted.to_vec(),
            events,
        }
    }

    /// What the trace shows, as a claim that is looked at once more.
    pub(super) fn finding(
        &self,
        error: &ErrorTrace<E::Trace>,
        told: &findings::ErrorTrace,
        is_reported: bool,
    ) -> Option<Finding> {
        let at_value = told.causes_by_transition.iter().find(|edge| Some(edge.step) == told.step);
        let correct = self.correct;
        let (claim, edges, result) = if told.causes.is_empty() {
            let edge = at_value?;
            let value = told.values.first()?;
            let mut held: Vec<(String, String)> =
                told.values.iter().map(|value| (value.var.clone(), value.failing.clone())).collect();
            if !told.together {
                held.truncate(1);
            }
            let step = edge.step as usize - 1;
            let label = error.labels[step];
            let compared = Compared::new(self.names, self.engine.places(&error.trace)[step]);
            let variables: Vec<usize> = held.iter().filter_map(|(var, _)| compared.variable(var)).collect();
            let result =
                self.engine.recheck(&|place, taken| taken == label && compared.is_alike(&variables, place));
            let instead = (!told.together).then(|| value.correct.clone());
            let claim = Claim::Values { event: edge.event.event.clone(), held, instead, correct };
            (claim, vec![edge.clone()], result)
        } else {
            let claim = Claim::ErrorEdge {
                events: told.causes.iter().map(|edge| edge.event.event.clone()).collect(),
                correct,
                check: told.query.check.data.clone(),
                line: told.query.location.as_ref().map(|at| at.line),
            };
            let blamed: BTreeSet<u32> = error.causes.iter().map(|step| error.labels[*step]).collect();
            let result = self.engine.recheck(&|_, label| blamed.contains(&label));
            (claim, told.causes.clone(), result)
        };
        let locations = edges.iter().filter_map(|edge| edge.from.clone()).collect();
        let steps = if is_reported { edges.iter().map(|edge| edge.step).collect() } else { Vec::new() };
        let how =
            How::CorrectTrace { by: self.engine.rechecks_by(), is_cut_short: result == Recheck::NotRun };
        Some(Finding::new(claim, locations, steps).rechecked(how, result_of(result)))
    }

    /// The first of these steps before which a variable holds what it holds before it in no correct trace; where
    /// there is none, the first step, with a few variables whose values no correct trace has together.
    fn separating(
        &self,
        error: &ErrorTrace<E::Trace>,
        mut steps: std::ops::Range<usize>,
    ) -> Option<Separating> {
        let first = steps.start;
        let mut labels = error.labels[steps.clone()].to_vec();
        labels.sort_unstable();
        labels.dedup();
        let all_visits = self.visits(&labels);
        let places = self.engine.places(&error.trace);
        let visits = |step: usize| {
            let number = labels.binary_search(&error.labels[step]).ok();
            number.map_or(&[][..], |number| &all_visits[number])
        };
        let compared = |step: usize| Compared::new(self.names, places[step]);
        let alone = steps.find_map(|step| {
            let visits = visits(step);
            let values = if visits.is_empty() { Vec::new() } else { compared(step).differing(visits) };
            (!values.is_empty()).then_some(Separating { step, values, together: false })
        });
        alone.or_else(|| {
            places.get(first)?;
            let values = compared(first).never_together(visits(first));
            (!values.is_empty()).then_some(Separating { step: first, values, together: true })
        })
    }

    /// The places before correct transitions with these labels, in the order of the labels.
    fn visits(&self, labels: &[u32]) -> Vec<Vec<u32>> {
        let mut visits = vec![Vec::new(); labels.len()];
        if labels.is_empty() {
            return visits;
        }
        let mut numbers = vec![None; self.engine.label_count()];
        for (label, number) in labels.iter().zip(0u32..) {
            numbers[*label as usize] = Some(number);
        }
        self.engine.visits(&mut |label, place| {
            if let Some(number) = numbers[label as usize] {
                let visits: &mut Vec<u32> = &mut visits[number as usize];
                if visits.last() != Some(&place) {
                    visits.push(place);
                }
            }
        });
        visits
    }

    /// The labels of a correct trace that goes with this one as far as it can and then to the nearest end.
    fn beside(&self, error: &ErrorTrace<E::Trace>) -> Vec<u32> {
        let Some(common) = error.common else { return Vec::new() };
        let Some(way) = self.engine.way_on(&error.trace, common, None) else { return Vec::new() };
        [&error.labels[..common], &way].concat()
    }

    /// What is on every way from where the two part to where correct traces end, and not on the error trace
    /// from there on. A way that leaves one such step out shows of others as well that they are not needed. Where
    /// branches guard the check, what a correct trace does from there on is no more than what being correct means.
    fn lacking(&self, error: &ErrorTrace<E::Trace>, correct_trace: &[u32]) -> Vec<u32> {
        let Some(common) = error.common else { return Vec::new() };
        let guard = error.labels[error.compared..].split_last().and_then(|(_, guards)| guards.first());
        let place = |label: &u32| {
            let location = self.names.event(*label).location?;
            Some((location.file, location.line, location.column))
        };
        let guarded = guard.and_then(place);
        let is_before = |label: &&u32| guarded.is_none() || place(label) != guarded;
        let mut candidates: Vec<u32> = Vec::new();
        for label in correct_trace.iter().skip(common).take(MOST_NEEDED).take_while(is_before) {
            if !error.labels[common..].contains(label) && !candidates.contains(label) {
                candidates.push(*label);
            }
        }
        let mut known = 0;
        while let Some(label) = candidates.get(known).copied() {
            match self.engine.way_on(&error.trace, common, Some(label)) {
                None => known += 1,
                Some(way) => candidates.retain(|label| way.contains(label)),
            }
        }
        candidates
    }
}

/// A step with where it leads: to the next place of the same process.
fn edge(events: &[findings::Event], step: usize) -> findings::CauseEdge {
    let event = events[step].clone();
    let next = events[step + 1..].iter().find(|next| next.pid == event.pid);
    findings::CauseEdge {
        step: step as u64 + 1,
        from: event.location.clone(),
        to: next.and_then(|next| next.location.clone()),
        event,
    }
}
