//! Pairs of events that only failing traces have: the usual case, made fast.
//!
//! The last state that a pair leads to tells in which traces it occurs. A pair is an anomaly if no trace
//! passes from any of those states, so one of them at least is a state from which no trace passes. Those
//! are mostly a small part of the graph: the pairs that lead there are the candidates. Then one pass over
//! all states strikes out what leads elsewhere as well; it looks only at edges with the second event of a
//! candidate, and ends as soon as no candidate is left.

use graph::{BitSet, Edge, Exploration, Interrupt, OUTSIDE, Transitions};
use rustc_hash::{FxHashMap, FxHashSet};

use super::substrings::{Anomaly, Crossing, crossing};
use super::{FAILING, Ground, PASSING};
use crate::pulse::Pulse;

/// The anomalies of two events, by their labels, each with where it occurs first.
pub(super) fn pairs<T: Transitions>(ground: &Ground<'_, T>) -> Result<Vec<Anomaly>, Interrupt> {
    let mut pulse = Pulse::new("comparing", ground.watch);
    let middles = middles(ground, &mut pulse)?;
    let mut left = candidates(ground, &middles, &mut pulse)?;
    strike_out(ground, &mut left, &mut pulse)?;
    if left.is_empty() { Ok(Vec::new()) } else { first_occurrences(ground, &middles, &left) }
}

/// A set of pairs of labels.
enum Pairs {
    Bits { labels: u32, bits: BitSet, count: usize },
    Table(FxHashSet<(u32, u32)>),
}

impl Pairs {
    /// Up to so many pairs have a bit each: 8 MB.
    const MOST_BITS: usize = 1 << 26;

    fn new(labels: usize) -> Self {
        match labels.checked_mul(labels) {
            Some(pairs) if pairs <= Self::MOST_BITS => {
                Self::Bits { labels: labels as u32, bits: BitSet::new(pairs), count: 0 }
            }
            _ => Self::Table(FxHashSet::default()),
        }
    }

    #[inline]
    fn insert(&mut self, first: u32, second: u32) {
        match self {
            Self::Bits { labels, bits, count } => {
                *count += usize::from(bits.insert(first * *labels + second))
            }
            Self::Table(table) => {
                table.insert((first, second));
            }
        }
    }

    #[inline]
    fn remove(&mut self, first: u32, second: u32) {
        match self {
            Self::Bits { labels, bits, count } => {
                *count -= usize::from(bits.remove(first * *labels + second))
            }
            Self::Table(table) => {
                table.remove(&(first, second));
            }
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Bits { count, .. } => *count == 0,
            Self::Table(table) => table.is_empty(),
        }
    }

    /// Ascending.
    fn list(&self) -> Vec<(u32, u32)> {
        match self {
            Self::Bits { labels, bits, .. } => {
                bits.iter().map(|pair| (pair / labels, pair % labels)).collect()
            }
            Self::Table(table) => {
                let mut list: Vec<(u32, u32)> = table.iter().copied().collect();
                list.sort_unstable();
                list
            }
        }
    }
}

/// The states from which a step leads to where traces fail and none passes.
fn middles<T: Transitions>(ground: &Ground<'_, T>, pulse: &mut Pulse<'_>) -> Result<BitSet, Interrupt> {
    let mut middles = BitSet::new(ground.system.bound());
    for state in ground.explored.reached_ascending() {
        if ground.outcome(state) != FAILING {
            pulse.beat(1)?;
            continue;
        }
        // From a doomed state all goes there; and a state behind which all is violating may be missing
        // among predecessors.
        if ground.goes_on(state) {
            middles.insert(state);
        }
        let mut edges = 1;
        ground.system.predecessors(state, |_, source| {
            edges += 1;
            if ground.goes_on(source) {
                middles.insert(source);
            }
        });
        pulse.beat(edges)?;
    }
    Ok(middles)
}

fn candidates<T: Transitions>(
    ground: &Ground<'_, T>,
    middles: &BitSet,
    pulse: &mut Pulse<'_>,
) -> Result<Pairs, Interrupt> {
    let mut found = Pairs::new(ground.labels);
    let mut second: Vec<u32> = Vec::new();
    for middle in middles.iter() {
        pulse.beat(ground.system.degree(middle))?;
        second.clear();
        ground.system.successors(middle, |label, target| {
            if target != OUTSIDE && second.last() != Some(&label) && ground.outcome(target) == FAILING {
                second.push(label);
            }
        });
        ground.system.predecessors(middle, |first, source| {
            if ground.goes_on(source) {
                second.iter().for_each(|second| found.insert(first, *second));
            }
        });
    }
    Ok(found)
}

/// Takes away the pairs that passing traces have.
fn strike_out<T: Transitions>(
    ground: &Ground<'_, T>,
    left: &mut Pairs,
    pulse: &mut Pulse<'_>,
) -> Result<(), Interrupt> {
    let system = ground.system;
    let has_outside = system.outside_bound() > 0;
    let mut is_second = vec![false; ground.labels];
    left.list().into_iter().for_each(|(_, second)| is_second[second as usize] = true);
    let mut seconds: Vec<u32> = Vec::new();
    for state in ground.explored.reached_ascending().filter(|state| ground.goes_on(*state)) {
        if left.is_empty() {
            return Ok(());
        }
        pulse.beat(system.degree(state))?;
        seconds.clear();
        system.successors(state, |label, target| {
            if is_second[label as usize]
                && seconds.last() != Some(&label)
                && ground.outcome(target) & PASSING != 0
            {
                seconds.push(label);
            }
        });
        if !seconds.is_empty() {
            system.predecessors(state, |first, source| {
                if ground.goes_on(source) {
                    seconds.iter().for_each(|second| left.remove(first, *second));
                }
            });
        }
        if has_outside {
            system.leaving(state, |first, target| {
                system.outside_successors(target, |second, _| left.remove(first, second));
            });
        }
    }
    for state in ground.outside() {
        system.outside_successors(state, |first, target| {
            system.outside_successors(target, |second, _| left.remove(first, second));
        });
    }
    Ok(())
}

/// Where a pair occurs first, and where in it all was decided at best.
#[derive(Clone, Copy)]
struct First {
    position: u32,
    start: u32,
    steps: [Edge; 2],
    crossing: Crossing,
}

fn first_occurrences<T: Transitions>(
    ground: &Ground<'_, T>,
    middles: &BitSet,
    pairs: &Pairs,
) -> Result<Vec<Anomaly>, Interrupt> {
    let system = ground.system;
    let mut pulse = Pulse::new("ranking", ground.watch);
    let levels = ground.explored.levels_up_to(Exploration::NO_LEVEL - 1);
    let list = pairs.list();
    let places = Places::new(ground.labels, &list);
    let mut found: Vec<Option<First>> = vec![None; list.len()];
    let mut second: Vec<Edge> = Vec::new();
    for middle in middles.iter() {
        pulse.beat(system.degree(middle))?;
        second.clear();
        system.successors(middle, |label, state| {
            if state != OUTSIDE && ground.outcome(state) == FAILING {
                second.push(Edge { label, state });
            }
        });
        system.predecessors(middle, |label, start| {
            if !ground.goes_on(start) {
                return;
            }
            let position = levels[start as usize];
            for second in &second {
                let Some(at) = places.of(label, second.label) else { continue };
                let steps = [Edge { label, state: middle }, *second];
                let is_first = found[at].is_none_or(|known| {
                    (position, start, steps) < (known.position, known.start, known.steps)
                });
                let best = found[at].map(|known| known.crossing);
                if !is_first && best == Some(Crossing::Last) {
                    continue;
                }
                let own = crossing(ground, start, &steps);
                let crossing = best.map_or(own, |best| best.min(own));
                match &mut found[at] {
                    Some(known) if !is_first => known.crossing = crossing,
                    first => *first = Some(First { position, start, steps, crossing }),
                }
            }
        });
    }
    let told = list.into_iter().zip(found).filter_map(|(pair, found)| {
        let First { position, start, steps, crossing } = found?;
        Some(Anomaly { events: vec![pair.0, pair.1], position, start, steps: steps.to_vec(), crossing })
    });
    Ok(told.collect())
}

/// The places of some pairs in a list of them.
enum Places {
    /// By pair, one more than its place.
    Square {
        labels: usize,
        places: Vec<u32>,
    },
    Table(FxHashMap<(u32, u32), usize>),
}

impl Places {
    /// Up to so many pairs have a number each: 16 MB.
    const MOST_NUMBERS: usize = 1 << 22;

    fn new(labels: usize, list: &[(u32, u32)]) -> Self {
        match labels.checked_mul(labels) {
            Some(pairs) if pairs <= Self::MOST_NUMBERS => {
                let mut places = vec![0; pairs];
                for ((first, second), place) in list.iter().zip(1..) {
                    places[*first as usize * labels + *second as usize] = place;
                }
                Self::Square { labels, places }
            }
            _ => Self::Table(list.iter().copied().zip(0..).collect()),
        }
    }

    #[inline]
    fn of(&self, first: u32, second: u32) -> Option<usize> {
        match self {
            Self::Square { labels, places } => {
                (places[first as usize * labels + second as usize] as usize).checked_sub(1)
            }
            Self::Table(table) => table.get(&(first, second)).copied(),
        }
    }
}
