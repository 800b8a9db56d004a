//! Ranking and tuples (Section 4.2): which anomaly to look at first, and in which failing trace.
//!
//! The paper ranks by position: what occurs early lies near the start of what explains the failure. Here
//! position comes third. First come decisive anomalies, whose last event is a point of no return, since
//! behind it everything is anomalous by consequence; then, among those, events that depend on each
//! other come before neighbours by accident. The paper's own order is kept beside it.
//!
//! The tuples of the paper are a counterexample with all anomalies in it. They are chosen greedily: the
//! first anomaly that is in no counterexample yet brings its own, the one in which it occurs earliest.
//! Anomalies that share a counterexample make a group; several root causes show as several groups.

use std::collections::BTreeMap;

use graph::{Edge, Exploration, Interrupt, OUTSIDE, Trace, Transitions};
use rustc_hash::FxHashMap;

use super::skipping::Tracks;
use super::substrings::{Anomaly, Crossing, FailingWays, Hopeless, Packing};
use super::{FAILING, KnownFates};
use crate::pulse::Pulse;

/// Anomalies in the order in which to look at them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranked {
    pub anomalies: Vec<RankedAnomaly>,
    /// How many there are, listed or not.
    pub count: usize,
    /// How many of them are decisive.
    pub decisive: usize,
    /// Failing traces that contain the listed anomalies.
    pub counterexamples: Vec<Trace>,
    /// How many last steps failing traces have: edges to a violation.
    pub last_steps: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedAnomaly {
    pub anomaly: Anomaly,
    /// Whether its events depend on each other.
    pub dependent: bool,
    /// Its place in the paper's order, from 0.
    pub by_position: usize,
    /// The counterexample that shows it, which is also its group.
    pub counterexample: usize,
    /// The index of its first step there.
    pub at: usize,
    /// With how many of the last steps a failing trace that contains it can end; not for more than
    /// [`MOST_WITH_SUPPORT`] anomalies.
    pub support: Option<u64>,
}

/// The support of so many anomalies is computed in one go.
pub const MOST_WITH_SUPPORT: usize = 64;

/// Ranks anomalies and lists the first `most`. `tracks` are those on which they were found, if they
/// were.
pub fn ranked<T: Transitions>(
    known_fates: &KnownFates<'_, T>,
    mut anomalies: Vec<Anomaly>,
    tracks: Option<&Tracks>,
    depends: impl Fn(&Anomaly) -> bool,
    most: usize,
) -> Result<Ranked, Interrupt> {
    let count = anomalies.len();
    let decisive = anomalies.iter().filter(|anomaly| anomaly.crossing == Crossing::Last).count();
    anomalies.sort_by(|one, other| (one.position, &one.events).cmp(&(other.position, &other.events)));
    let mut list: Vec<RankedAnomaly> = anomalies
        .into_iter()
        .enumerate()
        .map(|(by_position, anomaly)| RankedAnomaly {
            dependent: depends(&anomaly),
            anomaly,
            by_position,
            counterexample: 0,
            at: 0,
            support: None,
        })
        .collect();
    list.sort_by_key(|one| (one.anomaly.crossing, !one.dependent, one.by_position));
    list.truncate(most);
    let mut counterexamples = Vec::new();
    if !list.is_empty() {
        let ways = Ways::new(known_fates)?;
        let mut waiting: Vec<usize> = (0..list.len()).collect();
        while let Some(first) = waiting.first().copied() {
            let Some(trace) = ways.through(known_fates, &list[first].anomaly) else { break };
            let labels: Vec<u32> = trace.steps.iter().map(|step| step.label).collect();
            waiting.retain(|number| {
                let one = &mut list[*number];
                let own = (*number == first).then(|| ways.level[one.anomaly.start as usize] as usize);
                let Some(at) = own.or_else(|| find(&labels, &one.anomaly, tracks)) else { return true };
                (one.counterexample, one.at) = (counterexamples.len(), at);
                false
            });
            counterexamples.push(trace);
        }
    }
    let mut ranked = Ranked { anomalies: list, count, decisive, counterexamples, last_steps: 0 };
    if tracks.is_none() {
        support(known_fates, &mut ranked)?;
    }
    Ok(ranked)
}

fn find(labels: &[u32], anomaly: &Anomaly, tracks: Option<&Tracks>) -> Option<usize> {
    match (tracks, &anomaly.events[..]) {
        (Some(tracks), [first, second]) => tracks.find(labels, [*first, *second]).map(|([at, _], _)| at),
        _ => labels.windows(anomaly.events.len()).position(|window| window == anomaly.events),
    }
}

/// Shortest ways to every state and from it to the violation.
struct Ways {
    level: Vec<u32>,
    /// Steps to a violation; [`Exploration::NO_LEVEL`] where none comes.
    left: Vec<u32>,
}

impl Ways {
    fn new<T: Transitions>(known_fates: &KnownFates<'_, T>) -> Result<Self, Interrupt> {
        let level = known_fates.explored.levels_up_to(Exploration::NO_LEVEL - 1);
        let mut left = vec![Exploration::NO_LEVEL; known_fates.system.bound()];
        let mut pulse = Pulse::new("ranking", known_fates.watch);
        let mut waiting: Vec<u32> = known_fates.explored.violating().to_vec();
        waiting.iter().for_each(|state| left[*state as usize] = 0);
        let mut at = 0;
        while let Some(state) = waiting.get(at).copied() {
            at += 1;
            let next = left[state as usize] + 1;
            let mut edges = 1;
            known_fates.system.predecessors(state, |_, source| {
                edges += 1;
                if known_fates.goes_on(source) && left[source as usize] == Exploration::NO_LEVEL {
                    left[source as usize] = next;
                    waiting.push(source);
                }
            });
            pulse.beat(edges)?;
        }
        Ok(Self { level, left })
    }

    /// The failing trace in which an anomaly occurs earliest.
    fn through<T: Transitions>(&self, known_fates: &KnownFates<'_, T>, anomaly: &Anomaly) -> Option<Trace> {
        let mut steps = Vec::new();
        let mut state = anomaly.start;
        while self.level[state as usize] > 0 {
            let mut best: Option<Edge> = None;
            known_fates.system.predecessors(state, |label, source| {
                let nearer = known_fates.goes_on(source)
                    && self.level[source as usize].checked_add(1) == Some(self.level[state as usize]);
                let edge = Edge { label, state: source };
                if nearer && best.is_none_or(|best| edge < best) {
                    best = Some(edge);
                }
            });
            let Edge { label, state: source } = best?;
            steps.push(Edge { label, state });
            state = source;
        }
        steps.reverse();
        let mut trace = Trace { start: state, steps };
        trace.steps.extend(&anomaly.steps);
        while self.left[trace.last() as usize] > 0 {
            let at = trace.last();
            let mut best: Option<Edge> = None;
            known_fates.system.successors(at, |label, state| {
                let nearer = state != OUTSIDE
                    && self.left[state as usize].checked_add(1) == Some(self.left[at as usize]);
                let edge = Edge { label, state };
                if nearer && best.is_none_or(|best| edge < best) {
                    best = Some(edge);
                }
            });
            trace.steps.push(best?);
        }
        Some(trace)
    }
}

/// With how many last steps the traces that contain each of the first anomalies can end. Which of them
/// have occurred is carried forward as bits until nothing changes.
fn support<T: Transitions>(known_fates: &KnownFates<'_, T>, ranked: &mut Ranked) -> Result<(), Interrupt> {
    let few = ranked.anomalies.len().min(MOST_WITH_SUPPORT);
    let packing = Packing::new(known_fates.labels);
    let mut keys: BTreeMap<u128, u64> = BTreeMap::new();
    let length = ranked.anomalies.first().map_or(0, |first| first.anomaly.events.len());
    let mut begins = vec![false; known_fates.labels];
    for (number, one) in ranked.anomalies[..few].iter().enumerate() {
        let key = one.anomaly.events.iter().fold(0, |key, label| packing.then(key, *label));
        keys.insert(key, 1 << number);
        begins[one.anomaly.events[0] as usize] = true;
    }
    let mut pulse = Pulse::new("ranking", known_fates.watch);
    let mut occurred = vec![0u64; known_fates.system.bound()];
    // Anomalies that end with a last step, by source, label and violation.
    let mut at_last: FxHashMap<(u32, u32, u32), u64> = FxHashMap::default();
    let mut waiting = Vec::new();
    let mut way = Vec::new();
    let hopeless = Hopeless::new(known_fates, length)?;
    let ways = FailingWays { known_fates, packing, begins: &begins, hopeless: &hopeless };
    let going_on = || known_fates.explored.reached_ascending().filter(|state| known_fates.goes_on(*state));
    for state in going_on().filter(|_| few > 0) {
        pulse.beat(known_fates.system.degree(state))?;
        ways.follow(state, 0, length, &mut way, &mut |key, way| {
            let (Some(bit), Some(last)) = (keys.get(&key), way.last()) else { return };
            let source = way.iter().rev().nth(1).map_or(state, |step| step.state);
            if known_fates.system.is_violating(last.state) {
                *at_last.entry((source, last.label, last.state)).or_default() |= bit;
            } else if occurred[last.state as usize] & bit == 0 {
                occurred[last.state as usize] |= bit;
                waiting.push(last.state);
            }
        });
    }
    while let Some(state) = waiting.pop() {
        pulse.beat(known_fates.system.degree(state))?;
        let bits = occurred[state as usize];
        known_fates.system.successors(state, |_, target| {
            if target != OUTSIDE
                && known_fates.goes_on(target)
                && occurred[target as usize] | bits != occurred[target as usize]
            {
                occurred[target as usize] |= bits;
                waiting.push(target);
            }
        });
    }
    let mut support = [0u64; MOST_WITH_SUPPORT];
    for state in going_on() {
        pulse.beat(known_fates.system.degree(state))?;
        known_fates.system.successors(state, |label, target| {
            let fails = target != OUTSIDE
                && known_fates.explored.is_live(target)
                && known_fates.system.is_violating(target)
                && known_fates.outcome(target) & FAILING != 0;
            if fails {
                ranked.last_steps += 1;
                let here = at_last.get(&(state, label, target)).copied().unwrap_or_default();
                let bits = occurred[state as usize] | here;
                (0..few).filter(|number| bits >> number & 1 != 0).for_each(|number| support[number] += 1);
            }
        });
    }
    for (one, support) in ranked.anomalies[..few].iter_mut().zip(support) {
        one.support = Some(support);
    }
    Ok(())
}
