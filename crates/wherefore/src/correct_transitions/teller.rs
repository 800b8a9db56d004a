//! One error trace told: its causes, what separates it from correct traces, and a correct trace beside it.

use std::collections::{BTreeMap, BTreeSet};

use explain::correct_transitions::{Engine, ErrorTrace};
use report::CauseKind;
use rustc_hash::FxHashMap;

use super::Names;
use crate::causes::told_recheck;

/// So many steps of a correct trace are tried for whether every correct trace takes them.
const MOST_NEEDED: usize = 40;
/// How many values of correct traces are listed for a variable.
const MOST_VALUES: usize = 8;
/// How many variables are told whose values never meet, and among how many visits that is looked for.
const MOST_TOGETHER: usize = 4;
const MOST_VISITS_TOGETHER: usize = 20_000;

pub(super) struct Teller<'a, E, N> {
    pub(super) engine: &'a E,
    pub(super) names: &'a N,
    pub(super) query: &'a report::Query,
    pub(super) checks: bool,
}

/// The step before which variables hold what they hold before it in no correct trace.
struct Separating {
    step: usize,
    values: Vec<report::Value>,
    /// Whether it is only all of them together that no correct trace has.
    together: bool,
}

impl<E: Engine, N: Names> Teller<'_, E, N> {
    pub(super) fn tell(&self, error: &ErrorTrace<E::Trace>, halted: &[report::Event]) -> report::ErrorTrace {
        let events: Vec<report::Event> = error.labels.iter().map(|label| self.names.event(*label)).collect();
        let mut lines: Vec<u64> =
            events.iter().filter_map(|event| Some(event.location.as_ref()?.line)).collect();
        lines.dedup();
        let compared = self.compared(error);
        let suffix = error.point_of_interest.map_or(compared..compared, |first| first..compared);
        let separating = if error.causes.is_empty() { self.separating(error, suffix.clone()) } else { None };
        let common = error.common.unwrap_or_default();
        let correct_trace = self.beside(error);
        let lacks = self.lacking(error, &correct_trace);
        let step = separating.as_ref().map(|found| found.step as u64 + 1);
        report::ErrorTrace {
            query: self.query.clone(),
            lines,
            length: error.labels.len() as u64,
            kind: match (error.causes.is_empty(), &separating) {
                (false, _) => "control",
                (true, Some(_)) => "value",
                (true, None) => "unexplained",
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

    fn compared(&self, error: &ErrorTrace<E::Trace>) -> usize {
        error.labels.len() - usize::from(self.checks && !error.labels.is_empty())
    }

    /// What the trace shows, as a claim that is looked at once more.
    pub(super) fn cause(
        &self,
        error: &ErrorTrace<E::Trace>,
        told: &report::ErrorTrace,
        is_reported: bool,
    ) -> Option<report::Cause> {
        let quoted = |edge: &report::CauseEdge| format!("`{}`", edge.event.event);
        let at_value = told.causes_by_transition.iter().find(|edge| Some(edge.step) == told.step);
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
            let blamed: BTreeSet<u32> = error.causes.iter().map(|step| error.labels[*step]).collect();
            let result = self.engine.recheck(&|_, label| blamed.contains(&label));
            (summary, claim, told.causes.clone(), result)
        } else {
            let edge = at_value?;
            let value = told.values.first()?;
            let held: Vec<(&String, &String)> =
                told.values.iter().map(|value| (&value.var, &value.failing)).collect();
            let held = if told.together { &held[..] } else { &held[..1] };
            let all: Vec<String> = held.iter().map(|(var, failing)| format!("{var} = {failing}")).collect();
            let summary = format!("{} with {}", quoted(edge), all.join(" and "));
            let others = if told.together {
                String::new()
            } else {
                format!(": there {} is {}", value.var, value.correct.join(" or "))
            };
            let claim = format!("no correct trace takes {summary}{others}");
            let label = error.labels[edge.step as usize - 1];
            let holds = |place| {
                let values = self.names.values(place);
                held.iter().all(|(var, failing)| values.get(*var) == Some(*failing))
            };
            let result = self.engine.recheck(&|place, taken| taken == label && holds(place));
            (summary, claim, vec![edge.clone()], result)
        };
        Some(report::Cause {
            rank: 0,
            score: 1.0,
            kind: if told.causes.is_empty() { CauseKind::Values } else { CauseKind::ErrorEdge },
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
            evidence: Vec::new(),
        })
    }

    /// The first of these steps before which a variable holds what it holds before it in no correct trace; where
    /// there is none, the first step, with a few variables whose values no correct trace has together.
    fn separating(
        &self,
        error: &ErrorTrace<E::Trace>,
        mut steps: std::ops::Range<usize>,
    ) -> Option<Separating> {
        let first = steps.start;
        let visits = self.visits(error.labels[steps.clone()].iter().copied().collect());
        let places = self.engine.places(&error.trace);
        let none = Vec::new();
        let visits = |step: usize| visits.get(&error.labels[step]).unwrap_or(&none);
        let alone = steps.find_map(|step| {
            let values = self.differing(places[step], visits(step));
            (!values.is_empty()).then_some(Separating { step, values, together: false })
        });
        alone.or_else(|| {
            let values = self.never_together(*places.get(first)?, visits(first));
            (!values.is_empty()).then_some(Separating { step: first, values, together: true })
        })
    }

    /// The variables of a place that hold something else at all the others, with all that they hold there.
    fn differing(&self, place: u32, others: &[u32]) -> Vec<report::Value> {
        if others.is_empty() {
            return Vec::new();
        }
        let mut left: BTreeMap<String, (String, BTreeSet<String>)> = self
            .names
            .values(place)
            .into_iter()
            .map(|(var, value)| (var, (value, BTreeSet::new())))
            .collect();
        for other in others {
            // Most variables hold the same soon; then the rest need not be looked at.
            if left.is_empty() {
                break;
            }
            let values = self.names.values(*other);
            left.retain(|var, (failing, seen)| match values.get(var) {
                Some(value) if value == failing => false,
                Some(value) => {
                    if !seen.contains(value) {
                        seen.insert(value.clone());
                    }
                    true
                }
                None => true,
            });
        }
        let told = left.into_iter().filter(|(_, (_, seen))| !seen.is_empty());
        told.map(|(var, (failing, seen))| report::Value {
            var,
            failing,
            correct: seen.iter().take(MOST_VALUES).cloned().collect(),
            others: seen.len().saturating_sub(MOST_VALUES) as u64,
        })
        .collect()
    }

    /// A few variables of which no other place has all the values that this one has, those that tell most apart
    /// first.
    fn never_together(&self, place: u32, others: &[u32]) -> Vec<report::Value> {
        if others.len() > MOST_VISITS_TOGETHER {
            return Vec::new();
        }
        let failing = self.names.values(place);
        let mut alike: Vec<BTreeMap<String, String>> =
            others.iter().map(|other| self.names.values(*other)).collect();
        let mut told: Vec<report::Value> = Vec::new();
        while !alike.is_empty() && told.len() < MOST_TOGETHER {
            let differs = |var: &String, value: &String, other: &BTreeMap<String, String>| {
                other.get(var).is_some_and(|held| held != value)
            };
            let apart = |var: &String, value: &String| {
                alike.iter().filter(|other| differs(var, value, other)).count()
            };
            let best = failing.iter().map(|(var, value)| (apart(var, value), var, value));
            // Of equals the first by name.
            let Some((count, var, value)) =
                best.max_by_key(|(count, var, _)| (*count, std::cmp::Reverse(*var)))
            else {
                return Vec::new();
            };
            if count == 0 {
                return Vec::new();
            }
            let seen: BTreeSet<&String> = alike.iter().filter_map(|other| other.get(var)).collect();
            told.push(report::Value {
                var: var.clone(),
                failing: value.clone(),
                correct: seen.iter().take(MOST_VALUES).map(|value| (*value).clone()).collect(),
                others: seen.len().saturating_sub(MOST_VALUES) as u64,
            });
            alike.retain(|other| !differs(var, value, other));
        }
        if alike.is_empty() { told } else { Vec::new() }
    }

    /// The places before correct transitions with these labels.
    fn visits(&self, labels: BTreeSet<u32>) -> FxHashMap<u32, Vec<u32>> {
        let mut visits: FxHashMap<u32, Vec<u32>> =
            labels.into_iter().map(|label| (label, Vec::new())).collect();
        if visits.is_empty() {
            return visits;
        }
        self.engine.visits(&mut |label, place| {
            if let Some(visits) = visits.get_mut(&label)
                && visits.last() != Some(&place)
            {
                visits.push(place);
            }
        });
        visits
    }

    /// The labels of a correct trace that goes with this one as far as it can and then to the nearest end.
    fn beside(&self, error: &ErrorTrace<E::Trace>) -> Vec<u32> {
        let Some(common) = error.common else { return Vec::new() };
        let mut labels: Vec<u32> = error.labels[..common].to_vec();
        labels.extend(self.engine.way_on(&error.trace, common, None).unwrap_or_default());
        labels
    }

    /// What is on every way from where the two part to where correct traces end, and not on the error trace
    /// from there on. A way that leaves one such step out shows of others as well that they are not needed.
    fn lacking(&self, error: &ErrorTrace<E::Trace>, correct_trace: &[u32]) -> Vec<u32> {
        let Some(common) = error.common else { return Vec::new() };
        let mut candidates: Vec<u32> = Vec::new();
        for label in correct_trace.iter().skip(common).take(MOST_NEEDED) {
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
