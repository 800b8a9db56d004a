//! Substrings of a given length of all failing and of all passing traces, exactly.
//!
//! A sequence of `l` labels occurs in a failing trace exactly if it labels a way of `l` edges through
//! states without violation, reached without one, to a state from which the violation can come, or
//! which is it. It occurs in a passing trace exactly if it labels such a way to a state from which a
//! trace can pass. Both are decided by the fate of the last state alone, so no trace is ever written
//! out; the difference of the two sets is equation (5) of the paper.
//!
//! An anomaly leads, wherever it leads, to states from which no trace passes. So the ways that end in one of
//! those are walked out first, and then passing traces take away what they have of them: all other
//! sequences, which are most, are never stored. Pairs, the usual case, have a file of their own.

use std::fmt;

use graph::{BitSet, Edge, Fate, Interrupt, OUTSIDE, Transitions};
use rustc_hash::FxHashSet;

use super::pairs::pairs;
use super::{FAILING, KnownFates, PASSING};
use crate::pulse::Pulse;

/// A sequence of labels that occurs in failing traces only, and where it occurs first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anomaly {
    pub events: Vec<u32>,
    /// How many steps a trace needs at least to come to the state before the first of the events.
    pub position: u32,
    /// A state so near at which it occurs.
    pub start: u32,
    /// The steps from there. In the order of the trace they are the events themselves; in other orders
    /// steps that do not count lie between them.
    pub steps: Vec<Edge>,
    pub crossing: Crossing,
}

/// Where a trace with an anomaly lost its last chance to pass, at best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Crossing {
    /// Its last event is a point of no return somewhere: the anomaly is decisive.
    Last,
    /// An earlier one of its steps is.
    Inside,
    /// Wherever it occurs all was decided before: it is a consequence.
    Before,
}

/// Why sequences were not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLong {
    /// With so many labels, only sequences of so many can be.
    Labels {
        labels: usize,
        longest: usize,
    },
    Interrupted(Interrupt),
}

impl From<Interrupt> for TooLong {
    fn from(interrupt: Interrupt) -> Self {
        Self::Interrupted(interrupt)
    }
}

/// The anomalies of this length, by their labels.
pub fn substrings<T: Transitions>(
    known_fates: &KnownFates<'_, T>,
    length: usize,
) -> Result<Vec<Anomaly>, TooLong> {
    let packing = Packing::new(known_fates.labels);
    if length == 0 || length > packing.longest() {
        return Err(TooLong::Labels { labels: known_fates.labels, longest: packing.longest() });
    }
    if length == 2 {
        return Ok(pairs(known_fates)?);
    }
    let keys = longer(known_fates, packing, length)?;
    Ok(first_occurrences(known_fates, packing, length, &keys)?)
}

/// Sequences of labels as numbers.
#[derive(Clone, Copy)]
pub(super) struct Packing {
    bits: u32,
}

impl Packing {
    pub(super) fn new(labels: usize) -> Self {
        Self { bits: (usize::BITS - labels.saturating_sub(1).leading_zeros()).max(1) }
    }

    pub(super) fn longest(self) -> usize {
        (u128::BITS / self.bits) as usize
    }

    #[inline]
    pub(super) fn then(self, before: u128, label: u32) -> u128 {
        before << self.bits | u128::from(label)
    }

    fn labels(self, key: u128, length: usize) -> Vec<u32> {
        let label = |at: usize| {
            (key >> (at as u32 * self.bits)) as u32 & (1u32 << (self.bits - 1) << 1).wrapping_sub(1)
        };
        (0..length).rev().map(label).collect()
    }
}

impl fmt::Debug for Packing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bits a label", self.bits)
    }
}

/// The sequences of a length that end, somewhere, where traces fail and none passes; passing traces take
/// theirs away.
struct Walk<'g, 'a, T> {
    known_fates: &'g KnownFates<'a, T>,
    packing: Packing,
    length: usize,
    pulse: Pulse<'a>,
    left: FxHashSet<u128>,
    /// By place in a sequence, the labels that sequences have there.
    labels_at: Vec<Vec<bool>>,
    interrupt: Option<Interrupt>,
}

/// The anomalies of other lengths than two.
fn longer<T: Transitions>(
    known_fates: &KnownFates<'_, T>,
    packing: Packing,
    length: usize,
) -> Result<Vec<u128>, Interrupt> {
    let mut pulse = Pulse::new("comparing", known_fates.watch);
    let hopeless = Hopeless::new(known_fates, length)?;
    let mut left: FxHashSet<u128> = FxHashSet::default();
    let mut labels_at = vec![vec![false; known_fates.labels]; length];
    let (anything, mut way) = (vec![true; known_fates.labels], Vec::with_capacity(length));
    let ways = FailingWays { known_fates, packing, begins: &anything, hopeless: &hopeless };
    for state in known_fates.explored.reached_ascending().filter(|state| known_fates.goes_on(*state)) {
        pulse.beat(known_fates.system.degree(state))?;
        ways.follow(state, 0, length, &mut way, &mut |key, way| {
            if left.insert(key) {
                way.iter().zip(&mut labels_at).for_each(|(step, there)| there[step.label as usize] = true);
            }
        });
    }
    let mut walk = Walk { known_fates, packing, length, pulse, left, labels_at, interrupt: None };
    for state in known_fates.explored.reached_ascending().filter(|state| known_fates.goes_on(*state)) {
        if walk.left.is_empty() || walk.interrupt.is_some() {
            break;
        }
        walk.on(state, 0, length);
    }
    if !walk.left.is_empty() {
        for state in known_fates.outside() {
            walk.outside(state, 0, length);
        }
    }
    if let Some(interrupt) = walk.interrupt {
        return Err(interrupt);
    }
    let mut left: Vec<u128> = walk.left.into_iter().collect();
    left.sort_unstable();
    Ok(left)
}

impl<T: Transitions> Walk<'_, '_, T> {
    /// Goes on from `state` after the labels in `before`; `left` more labels, 128 at most, make a
    /// sequence.
    fn on(&mut self, state: u32, before: u128, left: usize) {
        let KnownFates { system, .. } = *self.known_fates;
        if self.beat(system.degree(state)) {
            return;
        }
        system.successors(state, |label, target| {
            if !self.labels_at[self.length - left][label as usize] {
                return;
            }
            let key = self.packing.then(before, label);
            if left > 1 {
                if target != OUTSIDE && self.known_fates.goes_on(target) {
                    self.on(target, key, left - 1);
                }
            } else if self.known_fates.outcome(target) & PASSING != 0 {
                self.left.remove(&key);
            }
        });
        if left > 1 && system.outside_bound() > 0 {
            system.leaving(state, |label, target| {
                self.outside(target, self.packing.then(before, label), left - 1);
            });
        }
    }

    fn outside(&mut self, state: u32, before: u128, left: usize) {
        if self.beat(1) {
            return;
        }
        self.known_fates.system.outside_successors(state, |label, target| {
            let key = self.packing.then(before, label);
            if left == 1 {
                self.left.remove(&key);
            } else {
                self.outside(target, key, left - 1);
            }
        });
    }

    /// Whether to stop.
    fn beat(&mut self, edges: u32) -> bool {
        if self.interrupt.is_none() {
            self.interrupt = self.pulse.beat(edges + 1).err();
        }
        self.interrupt.is_some()
    }
}

/// Where each of the sequences occurs first, and where in it all was decided at best.
fn first_occurrences<T: Transitions>(
    known_fates: &KnownFates<'_, T>,
    packing: Packing,
    length: usize,
    keys: &[u128],
) -> Result<Vec<Anomaly>, Interrupt> {
    let mut found: Vec<Option<Anomaly>> = vec![None; keys.len()];
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let mut begins = vec![false; known_fates.labels];
    for key in keys {
        begins[packing.labels(*key, length)[0] as usize] = true;
    }
    let mut pulse = Pulse::new("ranking", known_fates.watch);
    let hopeless = Hopeless::new(known_fates, length)?;
    let ways = FailingWays { known_fates, packing, begins: &begins, hopeless: &hopeless };
    let mut way = Vec::with_capacity(length);
    for (position, layer) in (0..).zip(known_fates.explored.layers()) {
        for start in layer.iter().copied().filter(|state| known_fates.goes_on(*state)) {
            pulse.beat(known_fates.system.degree(start))?;
            way.clear();
            ways.follow(start, 0, length, &mut way, &mut |key, way| {
                let Ok(at) = keys.binary_search(&key) else { return };
                let crossing = crossing(known_fates, start, way);
                match &mut found[at] {
                    Some(known) => known.crossing = known.crossing.min(crossing),
                    unknown => {
                        let events = way.iter().map(|step| step.label).collect();
                        *unknown = Some(Anomaly { events, position, start, steps: way.to_vec(), crossing });
                    }
                }
            });
        }
    }
    Ok(found.into_iter().flatten().collect())
}

/// Where traces can lose their last chance, or have lost it, within a few steps. Anomalies end there,
/// which is mostly a small part of the graph; so ways that do not lead there need not be followed.
pub(super) struct Hopeless {
    /// By how many steps are left, from one.
    ahead: Vec<BitSet>,
}

impl Hopeless {
    pub(super) fn new<T: Transitions>(
        known_fates: &KnownFates<'_, T>,
        length: usize,
    ) -> Result<Self, Interrupt> {
        let mut pulse = Pulse::new("ranking", known_fates.watch);
        let mut ahead: Vec<BitSet> = Vec::new();
        for _ in 1..length {
            let mut next = BitSet::new(known_fates.system.bound());
            for state in known_fates.explored.reached_ascending().filter(|state| known_fates.goes_on(*state))
            {
                pulse.beat(known_fates.system.degree(state))?;
                let mut leads = false;
                known_fates.system.successors(state, |_, target| {
                    leads |= target != OUTSIDE
                        && match ahead.last() {
                            None => known_fates.outcome(target) == FAILING,
                            Some(ahead) => ahead.contains(target),
                        };
                });
                if leads {
                    next.insert(state);
                }
            }
            ahead.push(next);
        }
        Ok(Self { ahead })
    }

    /// Whether a way of so many steps, one at least, leads from `state` to where no trace passes.
    #[inline]
    fn is_ahead(&self, state: u32, steps: usize) -> bool {
        self.ahead[steps - 1].contains(state)
    }
}

/// Ways that begin with one of the labels in `begins` and after which a trace can fail.
pub(super) struct FailingWays<'g, 'a, T> {
    pub(super) known_fates: &'g KnownFates<'a, T>,
    pub(super) packing: Packing,
    pub(super) begins: &'g [bool],
    pub(super) hopeless: &'g Hopeless,
}

impl<T: Transitions> FailingWays<'_, '_, T> {
    /// Shows every such way of the length from `state`. What is `before` comes first in its key.
    pub(super) fn follow(
        &self,
        state: u32,
        before: u128,
        left: usize,
        way: &mut Vec<Edge>,
        visit: &mut dyn FnMut(u128, &[Edge]),
    ) {
        self.known_fates.system.successors(state, |label, target| {
            if target == OUTSIDE || (way.is_empty() && !self.begins[label as usize]) {
                return;
            }
            let key = self.packing.then(before, label);
            way.push(Edge { label, state: target });
            if left == 1 {
                if self.known_fates.outcome(target) == FAILING {
                    visit(key, way);
                }
            } else if self.hopeless.is_ahead(target, left - 1) {
                self.follow(target, key, left - 1, way, visit);
            }
            way.pop();
        });
    }
}

/// Where all was decided on this way from `start`.
pub(super) fn crossing<T: Transitions>(
    known_fates: &KnownFates<'_, T>,
    start: u32,
    way: &[Edge],
) -> Crossing {
    let mut before = start;
    for (at, step) in way.iter().enumerate() {
        if known_fates.decides(before, step.state) {
            return if at + 1 == way.len() { Crossing::Last } else { Crossing::Inside };
        }
        before = step.state;
    }
    // What a limit hides may have been decided or not.
    if known_fates.fate(start) == Fate::Doomed || way.is_empty() {
        Crossing::Before
    } else {
        Crossing::Inside
    }
}
