//! One error trace told: its causes, what separates it from correct traces, and a correct trace beside it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use explain::correct_transitions::{Correct, ErrorTrace};
use explain::recheck::{self, Goal, Look};
use graph::{Exploration, OUTSIDE, Trace, Transitions};
use rustc_hash::FxHashMap;

use super::{Asked, meets};
use crate::causes::told_recheck;
use crate::naming::Naming;
use crate::telling;

/// So many correct visits of a statement are compared.
const MOST_VISITS: usize = 10_000;
/// So many steps of a correct trace are tried for whether every correct trace takes them.
const MOST_NEEDED: usize = 40;
/// How many values of correct traces are listed for a variable.
const MOST_VALUES: usize = 8;

pub(super) struct Teller<'a, T> {
    pub(super) system: &'a T,
    pub(super) explored: &'a Exploration,
    pub(super) correct: &'a Correct,
    pub(super) asked: &'a Asked<'a>,
}

impl<T: Transitions + Naming> Teller<'_, T> {
    pub(super) fn tell(&self, error: &ErrorTrace, halted: &[report::Event]) -> report::ErrorTrace {
        let trace = &error.trace;
        let events: Vec<report::Event> =
            trace.steps.iter().map(|step| telling::event(self.system, step.label)).collect();
        let mut lines: Vec<u64> =
            events.iter().filter_map(|event| Some(event.location.as_ref()?.line)).collect();
        lines.dedup();
        let compared =
            trace.steps.len() - usize::from(self.asked.checks.is_some() && !trace.steps.is_empty());
        let suffix = error.point_of_interest.map_or(compared..compared, |first| first..compared);
        let separating = if error.causes.is_empty() { self.separating(trace, suffix.clone()) } else { None };
        let (correct_trace, common) = self.beside(trace);
        let lacks = self.lacking(trace, common as usize, &correct_trace);
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
            lacks: lacks.iter().map(|label| telling::event(self.system, *label)).collect(),
            halted: halted.to_vec(),
        }
    }

    /// What the trace shows, as a claim that is looked at once more.
    pub(super) fn cause(
        &self,
        error: &ErrorTrace,
        told: &report::ErrorTrace,
        is_reported: bool,
        look: &Look<'_>,
    ) -> Option<report::Cause> {
        let quoted = |edge: &report::CauseEdge| format!("`{}`", edge.event.event);
        let at_value = told.causes_by_transition.iter().find(|edge| Some(edge.step) == told.step);
        let is_end = |state: u32| self.asked.checks.is_some_and(|checks| meets(self.system, state, checks));
        let goal = if self.asked.checks.is_some() { Goal::State(&is_end) } else { Goal::Passing };
        let labels = &error.trace.steps;
        let (summary, claim, edges, result) = if let Some(first) = told.causes.first() {
            let count = told.causes.len();
            let more = if count == 1 {
                String::new()
            } else {
                format!(" and {} more", report::wording::count(count as u64 - 1, "step"))
            };
            let summary = format!("no correct trace takes {}{more}", quoted(first));
            let place =
                told.query.location.as_ref().map_or_else(String::new, |at| format!(" in line {}", at.line));
            let claim = format!("{summary}; where it is taken, {}{place}", told.query.check);
            let blamed: BTreeSet<u32> = error.causes.iter().map(|step| labels[*step].label).collect();
            let is_such = |_, label| blamed.contains(&label);
            (
                summary,
                claim,
                told.causes.clone(),
                recheck::on_no_correct_trace(self.system, is_such, &goal, look),
            )
        } else {
            let edge = at_value?;
            let value = told.values.first()?;
            let summary = format!("{} with {} = {}", quoted(edge), value.var, value.failing);
            let claim = format!(
                "no correct trace takes {summary}: there {} is {}",
                value.var,
                value.correct.join(" or ")
            );
            let label = labels[edge.step as usize - 1].label;
            let holds = |state| self.system.values(state).get(&value.var) == Some(&value.failing);
            let is_such = |state, taken| taken == label && holds(state);
            let result = recheck::on_no_correct_trace(self.system, is_such, &goal, look);
            (summary, claim, vec![edge.clone()], result)
        };
        Some(report::Cause {
            rank: 0,
            score: 1.0,
            summary,
            claim,
            locations: edges.iter().filter_map(|edge| edge.from.clone()).collect(),
            steps: if is_reported { edges.iter().map(|edge| edge.step).collect() } else { Vec::new() },
            methods: vec!["correct-transitions"],
            group: 1,
            recheck: report::Recheck {
                how: "a forward search for a correct trace from wherever this can happen".to_owned(),
                result: told_recheck(result),
            },
            repair: None,
        })
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
                    others: correct.len().saturating_sub(MOST_VALUES) as u64,
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
        labels.extend(self.way_to_an_end(start, None).unwrap_or_default());
        (labels, common as u64)
    }

    /// What is on every way from where the two part to where correct traces end, and not on the error trace
    /// from there on.
    fn lacking(&self, trace: &Trace, common: usize, correct_trace: &[u32]) -> Vec<u32> {
        let Some(start) = trace.states().nth(common).filter(|start| !self.asked.ends.contains(*start)) else {
            return Vec::new();
        };
        let mut lacking = Vec::new();
        for label in correct_trace.iter().skip(common).take(MOST_NEEDED) {
            let is_news = trace.steps[common..].iter().all(|step| step.label != *label);
            if is_news && !lacking.contains(label) && self.way_to_an_end(start, Some(*label)).is_none() {
                lacking.push(*label);
            }
        }
        lacking
    }

    /// The labels of a shortest way to where correct traces end, without steps with a certain label.
    fn way_to_an_end(&self, start: u32, without: Option<u32>) -> Option<Vec<u32>> {
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
                return Some(labels);
            }
            self.system.successors(state, |label, target| {
                if target != OUTSIDE
                    && target != start
                    && Some(label) != without
                    && self.correct.leads_on(target)
                    && !from.contains_key(&target)
                {
                    from.insert(target, (label, state));
                    waiting.push_back(target);
                }
            });
        }
        None
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
