//! Pairs of events that only failing traces have: the usual case, made fast.
//!
//! The last state that a pair leads to tells in which traces it occurs. A pair is an anomaly if no trace
//! passes from any of those states, so one of them at least is a state from which no trace passes. Those
//! are mostly a small part of the graph: the pairs that lead there are the candidates. Then one pass over
//! all states strikes out what leads elsewhere as well; it looks only at edges with the second event of a
//! candidate, and ends as soon as no candidate is left.

use graph::{BitSet, Edge, Exploration, Fate, Interrupt, OUTSIDE, Transitions};
use rustc_hash::{FxHashMap, FxHashSet};

use super::substrings::{Anomaly, Crossing, crossing};
use super::{FAILING, KnownFates, PASSING};
use crate::pulse::Pulse;

/// The anomalies of two events, by their labels, each with where it occurs first.
pub(super) fn pairs<T: Transitions>(known_fates: &KnownFates<'_, T>) -> Result<Vec<Anomaly>, Interrupt> {
    let mut pulse = Pulse::new("comparing", known_fates.watch);
    let sets = Sets::new(known_fates, &mut pulse)?;
    let mut left = candidates(known_fates, &sets, &mut pulse)?;
    strike_out(known_fates, &sets, &mut left, &mut pulse)?;
    if left.is_empty() { Ok(Vec::new()) } else { first_occurrences(known_fates, &sets, &left) }
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

    /// By label, whether it is the second of a pair.
    fn seconds(&self, labels: usize) -> Vec<bool> {
        let mut is_second = vec![false; labels];
        self.list().into_iter().for_each(|(_, second)| is_second[second as usize] = true);
        is_second
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

/// Sets of states that are asked for again and again.
struct Sets {
    /// Traces lead there and on.
    going: BitSet,
    /// Traces lead there that fail, and none that passes.
    hopeless: BitSet,
    /// Those that go on, and from which a step leads to where it is hopeless.
    middles: BitSet,
}

impl Sets {
    fn new<T: Transitions>(
        known_fates: &KnownFates<'_, T>,
        pulse: &mut Pulse<'_>,
    ) -> Result<Self, Interrupt> {
        let bound = known_fates.system.bound();
        let (mut going, mut hopeless) = (BitSet::new(bound), BitSet::new(bound));
        for state in known_fates.explored.reached_ascending() {
            pulse.beat(1)?;
            if known_fates.goes_on(state) {
                going.insert(state);
            }
            if known_fates.outcome(state) == FAILING {
                hopeless.insert(state);
            }
        }
        let mut middles = BitSet::new(bound);
        for state in hopeless.iter() {
            // From a doomed state all goes there; and a state behind which all is violating may be missing
            // among predecessors.
            if going.contains(state) {
                middles.insert(state);
            }
            let mut edges = 1;
            known_fates.system.predecessors(state, |_, source| {
                edges += 1;
                if going.contains(source) {
                    middles.insert(source);
                }
            });
            pulse.beat(edges)?;
        }
        Ok(Self { going, hopeless, middles })
    }
}

fn candidates<T: Transitions>(
    known_fates: &KnownFates<'_, T>,
    sets: &Sets,
    pulse: &mut Pulse<'_>,
) -> Result<Pairs, Interrupt> {
    let mut found = Pairs::new(known_fates.labels);
    let mut second: Vec<u32> = Vec::new();
    for middle in sets.middles.iter() {
        pulse.beat(known_fates.system.degree(middle))?;
        second.clear();
        known_fates.system.successors(middle, |label, target| {
            if target != OUTSIDE && second.last() != Some(&label) && sets.hopeless.contains(target) {
                second.push(label);
            }
        });
        known_fates.system.predecessors(middle, |first, source| {
            if sets.going.contains(source) {
                second.iter().for_each(|second| found.insert(first, *second));
            }
        });
    }
    Ok(found)
}

/// So many states are looked at between two pauses to think.
const PAUSE: u64 = 1 << 10;

/// Takes away the pairs that passing traces have.
fn strike_out<T: Transitions>(
    known_fates: &KnownFates<'_, T>,
    sets: &Sets,
    left: &mut Pairs,
    pulse: &mut Pulse<'_>,
) -> Result<(), Interrupt> {
    let system = known_fates.system;
    let has_outside = system.outside_bound() > 0;
    let mut is_second = left.seconds(known_fates.labels);
    let mut seconds: Vec<u32> = Vec::new();
    let (mut states, mut edges) = (0u64, 0);
    for state in sets.going.iter() {
        states += 1;
        if states % PAUSE == 0 {
            pulse.beat(std::mem::take(&mut edges))?;
            if left.is_empty() {
                return Ok(());
            }
            // Most pairs are struck out early, and with them most second labels.
            if states.is_power_of_two() {
                is_second = left.seconds(known_fates.labels);
            }
        }
        seconds.clear();
        system.successors(state, |label, target| {
            edges += 1;
            if is_second[label as usize]
                && seconds.last() != Some(&label)
                && known_fates.outcome(target) & PASSING != 0
            {
                seconds.push(label);
            }
        });
        if !seconds.is_empty() {
            system.predecessors(state, |first, source| {
                if sets.going.contains(source) {
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
    for state in known_fates.outside() {
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
    known_fates: &KnownFates<'_, T>,
    sets: &Sets,
    pairs: &Pairs,
) -> Result<Vec<Anomaly>, Interrupt> {
    let system = known_fates.system;
    let mut pulse = Pulse::new("ranking", known_fates.watch);
    let levels = known_fates.explored.levels_up_to(Exploration::NO_LEVEL - 1);
    let list = pairs.list();
    let places = Places::new(known_fates.labels, &list);
    let is_second = pairs.seconds(known_fates.labels);
    let mut found: Vec<Option<First>> = vec![None; list.len()];
    let mut second: Vec<Edge> = Vec::new();
    for middle in sets.middles.iter() {
        pulse.beat(system.degree(middle))?;
        second.clear();
        system.successors(middle, |label, state| {
            if is_second[label as usize] && state != OUTSIDE && sets.hopeless.contains(state) {
                second.push(Edge { label, state });
            }
        });
        if second.is_empty() {
            continue;
        }
        // Then the second step decides.
        let is_free = known_fates.fate(middle) == Fate::Free;
        system.predecessors(middle, |label, start| {
            if !sets.going.contains(start) {
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
                let own = if is_free {
                    Crossing::Last
                } else if sets.hopeless.contains(start) {
                    Crossing::Before
                } else {
                    crossing(known_fates, start, &steps)
                };
                debug_assert_eq!(own, crossing(known_fates, start, &steps));
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
