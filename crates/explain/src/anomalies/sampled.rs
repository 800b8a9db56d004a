//! Anomalies of a sample of traces, the paper's way (Section 4.1).
//!
//! A depth-first search visits every state once. Whenever it meets a violation, what is on its stack is
//! a counterexample: one for each violating state, or for each step that is a violation. Whenever it
//! comes back to a state on the stack it has found a lasso, a trace that goes on for ever, and where it
//! comes to an end that is allowed, a trace that ends. The substrings of the two sets are subtracted.
//!
//! What depends on the order of the search is missing from the sample: a substring can be reported
//! although some passing trace, which the search did not see, contains it. And the sample is not asked
//! whether its lassos are fair to anybody, as the paper's is not. Use it to compare, or where comparing
//! all traces is too much.
//!
//! Traces share long prefixes. How far the stack has been cut into substrings already is remembered, so
//! that a trace costs what it has for itself.

use graph::{BitSet, Edge, OUTSIDE, Transitions};
use rustc_hash::FxHashMap;

use super::substrings::{Anomaly, Packing, TooLong, crossing};
use super::{FAILING, KnownFates, PASSING};
use crate::pulse::Pulse;

/// A set of traces, by the columns of the paper's Table 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceSet {
    pub traces: u64,
    pub total_length: u64,
    pub max_length: u64,
    /// The first traces, by their labels.
    pub first: Vec<Vec<u32>>,
}

/// So many traces of each kind are kept, for those who look for patterns in them, and none that is
/// longer.
const MOST_KEPT: usize = 400;
const LONGEST_KEPT: usize = 2_000;

impl TraceSet {
    fn add(&mut self, way: &[Edge]) {
        self.traces += 1;
        self.total_length += way.len() as u64;
        self.max_length = self.max_length.max(way.len() as u64);
        if self.first.len() < MOST_KEPT && way.len() <= LONGEST_KEPT {
            self.first.push(way.iter().map(|step| step.label).collect());
        }
    }

    pub fn average_length(&self) -> f64 {
        if self.traces == 0 { 0.0 } else { self.total_length as f64 / self.traces as f64 }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sampled {
    /// By their labels; their positions are those in the sample.
    pub anomalies: Vec<Anomaly>,
    pub failing: TraceSet,
    pub passing: TraceSet,
}

/// Samples traces and compares their substrings of a length.
pub fn sampled<T: Transitions>(known_fates: &KnownFates<'_, T>, length: usize) -> Result<Sampled, TooLong> {
    let packing = Packing::new(known_fates.labels);
    if length == 0 || length > packing.longest() {
        return Err(TooLong::Labels { labels: known_fates.labels, longest: packing.longest() });
    }
    let mut search = Search {
        known_fates,
        packing,
        length,
        start: 0,
        way: Vec::new(),
        cut: [0, 0],
        found: FxHashMap::default(),
        sets: [TraceSet::default(), TraceSet::default()],
    };
    search.run()?;
    let Search { found, sets: [failing, passing], .. } = search;
    let only = found.into_iter().filter(|(_, one)| one.outcome == FAILING);
    let mut anomalies: Vec<Anomaly> = only.filter_map(|(_, one)| one.first).collect();
    anomalies.sort_by(|one, other| one.events.cmp(&other.events));
    Ok(Sampled { anomalies, failing, passing })
}

struct Search<'g, 'a, T> {
    known_fates: &'g KnownFates<'a, T>,
    packing: Packing,
    length: usize,
    start: u32,
    /// The steps on the stack.
    way: Vec<Edge>,
    /// Up to which step the stack was cut into substrings, for failing and for passing traces.
    cut: [usize; 2],
    found: FxHashMap<u128, SampledSequence>,
    sets: [TraceSet; 2],
}

#[derive(Default)]
struct SampledSequence {
    outcome: u8,
    first: Option<Anomaly>,
}

impl<T: Transitions> Search<'_, '_, T> {
    fn run(&mut self) -> Result<(), TooLong> {
        let KnownFates { system, explored, .. } = *self.known_fates;
        let mut seen = BitSet::new(system.bound());
        let mut on_stack = vec![false; system.bound()];
        let mut pulse = Pulse::new("sampling", self.known_fates.watch);
        // What is left to try, those of the state on top last.
        let mut left: Vec<Edge> = Vec::new();
        let mut frames: Vec<(u32, usize)> = Vec::new();
        for start in system.initial() {
            if !self.known_fates.goes_on(start) || !seen.insert(start) {
                continue;
            }
            (self.start, self.cut) = (start, [0, 0]);
            frames.push((start, left.len()));
            self.expand(start, &mut left);
            on_stack[start as usize] = true;
            while let Some((state, base)) = frames.last().copied() {
                if left.len() == base {
                    if system.degree(state) == 0 && !system.is_open(state) {
                        self.end(PASSING);
                    }
                    frames.pop();
                    on_stack[state as usize] = false;
                    self.way.pop();
                    self.cut = self.cut.map(|cut| cut.min(self.way.len()));
                    continue;
                }
                let Some(step) = left.pop() else { break };
                pulse.beat(1)?;
                self.way.push(step);
                let target = step.state;
                if target == OUTSIDE || on_stack[target as usize] {
                    self.end(PASSING);
                } else if system.is_violating(target) {
                    let fresh = seen.insert(target) || system.is_shared_end(target);
                    if fresh && explored.is_live(target) && self.known_fates.outcome(target) & FAILING != 0 {
                        self.end(FAILING);
                    }
                } else if explored.is_live(target) && seen.insert(target) {
                    on_stack[target as usize] = true;
                    frames.push((target, left.len()));
                    self.expand(target, &mut left);
                    continue;
                }
                self.way.pop();
                self.cut = self.cut.map(|cut| cut.min(self.way.len()));
            }
        }
        Ok(())
    }

    fn expand(&self, state: u32, left: &mut Vec<Edge>) {
        let base = left.len();
        self.known_fates.system.successors(state, |label, state| left.push(Edge { label, state }));
        left[base..].reverse();
    }

    /// The stack is a trace: cuts it into substrings.
    fn end(&mut self, outcome: u8) {
        let set = usize::from(outcome == PASSING);
        self.sets[set].add(&self.way);
        let first = (self.cut[set] + 1).saturating_sub(self.length);
        for at in first..(self.way.len() + 1).saturating_sub(self.length) {
            let window = &self.way[at..at + self.length];
            let key = window.iter().fold(0, |key, step| self.packing.then(key, step.label));
            let found = self.found.entry(key).or_default();
            found.outcome |= outcome;
            if outcome == FAILING && found.first.as_ref().is_none_or(|known| known.position as usize > at) {
                let start = at.checked_sub(1).map_or(self.start, |before| self.way[before].state);
                found.first = Some(Anomaly {
                    events: window.iter().map(|step| step.label).collect(),
                    position: at as u32,
                    start,
                    steps: window.to_vec(),
                    crossing: crossing(self.known_fates, start, window),
                });
            }
        }
        self.cut[set] = self.way.len();
    }
}
