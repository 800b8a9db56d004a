//! Invariant analysis: what variables hold at some points of the program in failing variations, and in passing
//! ones.
//!
//! A point is a place in the text: one that the program names, one that the user names, or the place of the
//! violation with the joins of branches and the ends of functions that the counterexample passes. Where all
//! variations are known, a sample is a state in which some negative (or positive) stands at the point;
//! otherwise it is a visit of one that was found.

use std::collections::{BTreeMap, BTreeSet};

use explain::variations::{Exact, Generated};
use graph::{Exploration, Interrupt, OUTSIDE, Progress, Trace, Transitions, Watch};
use invariants::daikon::{Point as Written, data_trace, declarations};
use invariants::{Invariant, Samples, Value, compare};

use super::keys::Keys;
use crate::naming::Naming;
use crate::request::PointRequest;

/// How many samples of a kind are taken at a point, and how many pairs of values are compared there.
const MOST_SAMPLES: usize = 10_000;
const MOST_PAIRS: usize = 8_000_000;
/// How many points are found without being asked for.
const MOST_AUTOMATIC: usize = 6;

pub(super) struct FoundPoints {
    pub(super) points: Vec<findings::PointInvariants>,
    pub(super) daikon: Option<findings::DaikonFiles>,
}

/// A place to look at.
struct Point {
    name: String,
    labels: BTreeSet<u32>,
    /// Whether it is where traces fail, so that only their last steps count.
    is_failing: bool,
}

pub(super) struct Points<'a, T> {
    pub(super) system: &'a T,
    pub(super) explored: &'a Exploration,
    pub(super) keys: &'a Keys,
    pub(super) failing: u32,
    pub(super) generated: &'a Generated,
    pub(super) exact: Option<&'a Exact>,
    pub(super) counterexample: &'a Trace,
}

impl<T: Transitions + Naming> Points<'_, T> {
    pub(super) fn look(&self, wanted: &PointRequest, watch: &dyn Watch) -> Result<FoundPoints, Interrupt> {
        let exact = self.exact.filter(|exact| exact.table.positive.is_some());
        let mut points = Vec::new();
        let mut sampled = Vec::new();
        for point in self.points(wanted) {
            let [negative, positive] = match exact {
                Some(exact) => self.all_samples(&point, exact, wanted),
                None => self.near_samples(&point, wanted),
            };
            // What was cut off was not looked at.
            let is_cut = negative.len().max(positive.len()) >= self.most_samples();
            let work = (negative.len() + positive.len()) as u64;
            watch.pulse(Progress { phase: "comparing values", work, ..Progress::default() })?;
            let exhaustive = exact.is_some() && !is_cut;
            let compared = compare(&positive, &negative, exhaustive);
            points.push(findings::PointInvariants {
                point: point.name.clone(),
                exhaustive,
                positive_samples: positive.len() as u64,
                negative_samples: negative.len() as u64,
                positive: told(&compared.first),
                negative: told(&compared.second),
                both: told(&compared.both),
            });
            sampled.push((point.name, negative, positive));
        }
        let written = |kind: fn(&(String, Samples, Samples)) -> Written<'_>| {
            let points: Vec<Written<'_>> = sampled.iter().map(kind).collect();
            [declarations(&points), data_trace(&points)]
        };
        let daikon = wanted.daikon.then(|| findings::DaikonFiles {
            negative: written(|(name, negative, _)| Written { name, samples: negative }),
            positive: written(|(name, _, positive)| Written { name, samples: positive }),
        });
        Ok(FoundPoints { points, daikon })
    }

    /// Every two variables are compared in every sample.
    fn most_samples(&self) -> usize {
        let variables = self.system.values(self.counterexample.start).len().max(1);
        MOST_SAMPLES.min(MOST_PAIRS / (variables * variables)).max(2)
    }

    fn labels_where(&self, is_such: impl Fn(u32) -> bool) -> BTreeSet<u32> {
        (0..self.keys.of_label.len() as u32).filter(|label| is_such(*label)).collect()
    }

    fn line(&self, label: u32) -> Option<u64> {
        Some(self.system.told(label)?.deed.location?.line)
    }

    fn points(&self, wanted: &PointRequest) -> Vec<Point> {
        if !wanted.points.is_empty() {
            let point = |name: &String| {
                let line: Option<u64> = name.parse().ok();
                let labels = self.labels_where(|label| {
                    self.system.point(label).as_ref() == Some(name)
                        || (line.is_some() && self.line(label) == line)
                });
                Point { name: name.clone(), labels, is_failing: false }
            };
            return wanted.points.iter().map(point).collect();
        }
        let mut named: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for label in 0..self.keys.of_label.len() as u32 {
            if let Some(name) = self.system.point(label) {
                named.entry(name).or_default().insert(label);
            }
        }
        let mut points: Vec<Point> = if named.is_empty() {
            self.automatic()
        } else {
            // In the order of the text.
            let mut named: Vec<(String, BTreeSet<u32>)> = named.into_iter().collect();
            named.sort_by_key(|(_, labels)| labels.iter().filter_map(|label| self.line(*label)).min());
            named.into_iter().map(|(name, labels)| Point { name, labels, is_failing: false }).collect()
        };
        points.push(Point {
            name: "the failing step".to_owned(),
            labels: self.labels_where(|label| self.keys.of_label[label as usize] == self.failing),
            is_failing: true,
        });
        points
    }

    /// The joins of branches and the ends of functions that the counterexample passes.
    fn automatic(&self) -> Vec<Point> {
        let joins = self.joins();
        let mut points: Vec<Point> = Vec::new();
        for step in self.counterexample.steps.iter().rev().skip(1) {
            let Some(told) = self.system.told(step.label) else { break };
            let Some(chosen) = self.system.chosen(step.label) else { break };
            let is_end = chosen.statement.starts_with("return");
            if !is_end && !joins.contains(&chosen.place) {
                continue;
            }
            let Some(at) = told.deed.location else { continue };
            let name = format!("line {}: {}", at.line, chosen.statement);
            if points.iter().all(|point| point.name != name) && points.len() < MOST_AUTOMATIC {
                let place = Some(chosen.place);
                let labels =
                    self.labels_where(|label| self.system.chosen(label).map(|chosen| chosen.place) == place);
                points.push(Point { name, labels, is_failing: false });
            }
        }
        points.reverse();
        points
    }

    /// The places to which a process comes from more than one other place.
    fn joins(&self) -> BTreeSet<u64> {
        let count = self.keys.of_label.len() as u32;
        let known: Vec<Option<(u64, Option<u8>)>> = (0..count)
            .map(|label| Some((self.system.chosen(label)?.place, self.system.actors(label).iter().next())))
            .collect();
        let mut from: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        let mut last = None;
        for state in self.explored.live().iter().filter(|state| !self.system.is_violating(**state)) {
            self.system.successors(*state, |label, target| {
                if target == OUTSIDE || self.system.is_violating(target) {
                    return;
                }
                let Some((place, actor)) = known[label as usize] else { return };
                self.system.successors(target, |next, _| {
                    if let Some((behind, other)) = known[next as usize]
                        && other == actor
                        && last != Some((behind, place))
                    {
                        last = Some((behind, place));
                        from.entry(behind).or_default().insert(place);
                    }
                });
            });
        }
        from.into_iter().filter(|(_, from)| from.len() > 1).map(|(place, _)| place).collect()
    }

    /// The states in which some negative, and some positive, stands at the point.
    fn all_samples(&self, point: &Point, exact: &Exact, wanted: &PointRequest) -> [Samples; 2] {
        let mut samples = [Samples::new(), Samples::new()];
        let most = self.most_samples();
        for state in self.explored.reached_ascending() {
            if !self.explored.is_live(state) || self.system.is_violating(state) {
                continue;
            }
            let mut stands = [false; 2];
            self.system.successors(state, |label, target| {
                if !point.labels.contains(&label) {
                    return;
                }
                let is_last = self.keys.of_label[label as usize] == self.failing;
                let fails = target != OUTSIDE && self.system.is_violating(target);
                let goes_on = |leading: &graph::BitSet| target != OUTSIDE && leading.contains(target);
                let is_negative = is_last && fails && self.system.is_target(target);
                let is_positive = is_last && !fails && !goes_on(&exact.to_negative);
                stands[0] |= is_negative || (!point.is_failing && goes_on(&exact.to_negative));
                stands[1] |= is_positive || (!point.is_failing && goes_on(&exact.to_positive));
            });
            for (samples, _) in samples.iter_mut().zip(stands).filter(|(_, stands)| *stands) {
                if samples.len() < most {
                    samples.add(self.sample(state, wanted));
                }
            }
        }
        samples
    }

    /// The visits of the variations that were found.
    fn near_samples(&self, point: &Point, wanted: &PointRequest) -> [Samples; 2] {
        let tree = &self.generated.tree;
        let mut path = Vec::new();
        let most = self.most_samples();
        [&self.generated.negatives, &self.generated.positives].map(|nodes| {
            let mut samples = Samples::new();
            for node in nodes {
                tree.path(*node, &mut path);
                for at in path.iter().rev().take(if point.is_failing { 1 } else { usize::MAX }) {
                    let before = tree.parent(*at).map(|before| tree.state(before));
                    if let Some(before) = before
                        && point.labels.contains(&tree.step(*at).label)
                        && samples.len() < most
                    {
                        samples.add(self.sample(before, wanted));
                    }
                }
            }
            samples
        })
    }

    /// The variables of a state that are asked for; elements of an array as one.
    fn sample(&self, state: u32, wanted: &PointRequest) -> Vec<(String, Value)> {
        let mut sample: Vec<(String, Value)> = Vec::new();
        let mut arrays: BTreeMap<String, Vec<(usize, i64)>> = BTreeMap::new();
        for (name, text) in self.system.values(state) {
            if !wanted.vars.is_empty() && !wanted.vars.iter().any(|pattern| matches(pattern, &name)) {
                continue;
            }
            let value = value(&text);
            if let (Some((array, index)), Value::Number(number)) = (element(&name), &value) {
                arrays.entry(array).or_default().push((index, *number));
            }
            sample.push((name, value));
        }
        for (array, mut elements) in arrays {
            elements.sort_unstable();
            let values = elements.into_iter().map(|(_, value)| value).collect();
            sample.push((format!("{array}[]"), Value::Array(values)));
        }
        sample
    }
}

fn told(invariants: &[Invariant]) -> Vec<findings::SampledFact> {
    let fact = |found: &Invariant| findings::SampledFact {
        fact: found.fact.to_string(),
        samples: found.samples as u64,
    };
    invariants.iter().map(fact).collect()
}

fn value(text: &str) -> Value {
    match text {
        "true" => Value::Number(1),
        "false" => Value::Number(0),
        _ => text.parse().map_or_else(|_| Value::Word(text.to_owned()), Value::Number),
    }
}

/// `a[3]` is element 3 of `a`.
fn element(name: &str) -> Option<(String, usize)> {
    let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((array.to_owned(), index.parse().ok()?))
}

/// Whether a name matches a pattern in which `*` stands for anything.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let mut last = None;
    for part in parts {
        last = Some(part);
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    // The last part must stand at the end; a pattern without `*` is the whole name.
    rest.is_empty() || last.is_some_and(|last| name.ends_with(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_name_variables() {
        assert!(matches("main.a", "main.a") && !matches("main.a", "main.ab"));
        assert!(matches("*", "x") && matches("main.*", "main.x") && matches("*.x", "main.x"));
        assert!(matches("m*n.*", "main.x") && !matches("*.y", "main.x") && !matches("a*", "ba"));
    }

    #[test]
    fn elements_know_their_array() {
        assert_eq!(element("st.g[1]"), Some(("st.g".to_owned(), 1)));
        assert_eq!((element("x"), element("a[b]")), (None, None));
    }
}
