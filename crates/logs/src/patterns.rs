//! Sequential patterns: subsequences, with gaps, that most failing traces have and few passing ones.
//!
//! Section 3 of Leue and Befrouei: a pattern is frequent if enough traces contain it; wanted are those
//! that are frequent in the failing set and not in the passing set. They are grown event by event from
//! shorter ones (PrefixSpan, Pei and others 2001), each kept as the place in every trace where its
//! leftmost occurrence ends. Only closed ones are told, those that no event can be inserted into without
//! losing support; that is decided between the leftmost and the rightmost occurrence of each part (BIDE,
//! Wang and Han 2004).
//!
//! The paper gives patterns up as intractable. They are, so everything is bounded: the length, the sample
//! of traces, and the work. Work is counted, not timed, so that the answer is always the same.

use std::collections::HashMap;

use graph::{Interrupt, Progress, Watch};
use rustc_hash::FxBuildHasher;

/// How many lookups are spent on one search.
const WORK: u64 = 200_000_000;
/// How many patterns are kept.
const MOST: usize = 10_000;

/// A subsequence and in how many of the traces looked at it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern<E> {
    pub events: Vec<E>,
    pub failing: u64,
    pub passing: u64,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Patterns<E> {
    pub patterns: Vec<Pattern<E>>,
    /// How many traces were looked at.
    pub failing: u64,
    pub passing: u64,
    /// In how many of them a pattern must occur to be frequent.
    pub frequent_failing: u64,
    pub frequent_passing: u64,
    /// Whether the search came to its end.
    pub complete: bool,
}

impl<E: Copy> Patterns<E> {
    pub(crate) fn map<F>(self, name: impl Fn(E) -> F) -> Patterns<F> {
        let Self { failing, passing, frequent_failing, frequent_passing, complete, .. } = self;
        let rename = |pattern: Pattern<E>| Pattern {
            events: pattern.events.into_iter().map(&name).collect(),
            failing: pattern.failing,
            passing: pattern.passing,
        };
        let patterns = self.patterns.into_iter().map(rename).collect();
        Patterns { patterns, failing, passing, frequent_failing, frequent_passing, complete }
    }
}

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The most events of a pattern.
    pub length: usize,
    /// The part of the traces that makes a pattern frequent, from 0 to 1.
    pub support: f64,
}

/// Traces with, for each event, where it occurs.
struct Traces<'a> {
    events: &'a [Vec<u32>],
    /// By trace and event: where its places lie in `places`.
    index: Vec<HashMap<u32, (u32, u32), FxBuildHasher>>,
    places: Vec<u32>,
}

impl<'a> Traces<'a> {
    fn new(events: &'a [Vec<u32>]) -> Self {
        let mut index = Vec::with_capacity(events.len());
        let mut places: Vec<u32> = Vec::new();
        for trace in events {
            let mut by_event: Vec<(u32, u32)> = trace.iter().copied().zip(0..).collect();
            by_event.sort_unstable();
            let mut own = HashMap::default();
            for same in by_event.chunk_by(|one, other| one.0 == other.0) {
                let start = places.len() as u32;
                places.extend(same.iter().map(|(_, place)| *place));
                own.insert(same[0].0, (start, places.len() as u32));
            }
            index.push(own);
        }
        Self { events, index, places }
    }

    fn len(&self) -> usize {
        self.events.len()
    }

    fn places(&self, trace: usize, event: u32) -> &[u32] {
        let (start, end) = self.index[trace].get(&event).copied().unwrap_or_default();
        &self.places[start as usize..end as usize]
    }

    /// The first place of `event` at `from` or later.
    fn next(&self, trace: usize, event: u32, from: u32) -> Option<u32> {
        let places = self.places(trace, event);
        places.get(places.partition_point(|place| *place < from)).copied()
    }

    /// The last place of `event` before `to`.
    fn previous(&self, trace: usize, event: u32, to: u32) -> Option<u32> {
        let places = self.places(trace, event);
        places.partition_point(|place| *place < to).checked_sub(1).map(|at| places[at])
    }

    /// Events that at least so many traces have, ascending.
    fn frequent(&self, least: u64) -> Vec<u32> {
        let mut all: Vec<u32> = Vec::new();
        for trace in self.events {
            let mut own = trace.clone();
            own.sort_unstable();
            own.dedup();
            all.extend(own);
        }
        all.sort_unstable();
        let same = all.chunk_by(|one, other| one == other);
        same.filter(|same| same.len() as u64 >= least).map(|same| same[0]).collect()
    }
}

/// Where the leftmost occurrence of a pattern ends: the trace, and the place behind it.
type Ends = Vec<(u32, u32)>;

/// Finds the closed patterns of at most the wanted length that are frequent in `failing` and not in
/// `passing`, in no particular order.
pub fn find(
    failing: &[Vec<u32>],
    passing: &[Vec<u32>],
    wanted: Wanted,
    watch: &dyn Watch,
) -> (Patterns<u32>, Option<Interrupt>) {
    let least = |traces: usize| ((traces as f64 * wanted.support).ceil() as u64).max(1);
    let mut found = Patterns {
        patterns: Vec::new(),
        failing: failing.len() as u64,
        passing: passing.len() as u64,
        frequent_failing: least(failing.len()),
        frequent_passing: least(passing.len()),
        complete: true,
    };
    let (failing, passing) = (Traces::new(failing), Traces::new(passing));
    let frequent = failing.frequent(found.frequent_failing);
    let mut search =
        Search { failing: &failing, passing: &passing, frequent, wanted, work: 0, pulse_at: 0, watch };
    let everywhere = |traces: &Traces<'_>| (0..traces.len() as u32).map(|trace| (trace, 0)).collect();
    let (ends, passing_ends) = (everywhere(&failing), everywhere(&passing));
    match search.grow(&mut Vec::new(), &ends, &passing_ends, &mut found) {
        Ok(()) => (found, None),
        Err(stop) => {
            found.complete = false;
            (found, stop.0)
        }
    }
}

/// The largest difference between failing and passing traces first; of these the shorter.
pub(crate) fn by_contrast<E>(one: &Pattern<E>, other: &Pattern<E>) -> std::cmp::Ordering {
    // Among those that are told, none is frequent in passing traces.
    let key =
        |pattern: &Pattern<E>| (std::cmp::Reverse(pattern.failing), pattern.passing, pattern.events.len());
    key(one).cmp(&key(other))
}

/// The search ended early, perhaps because somebody said so.
struct Stop(Option<Interrupt>);

struct Search<'a> {
    failing: &'a Traces<'a>,
    passing: &'a Traces<'a>,
    /// Events that a frequent pattern can have.
    frequent: Vec<u32>,
    wanted: Wanted,
    work: u64,
    pulse_at: u64,
    watch: &'a dyn Watch,
}

impl Search<'_> {
    /// Notes the pattern if it is wanted, and all that begin with it. Goes no deeper than patterns may be
    /// long.
    fn grow(
        &mut self,
        pattern: &mut Vec<u32>,
        ends: &Ends,
        passing_ends: &Ends,
        found: &mut Patterns<u32>,
    ) -> Result<(), Stop> {
        if pattern.len() >= 2
            && (passing_ends.len() as u64) < found.frequent_passing
            && (pattern.len() == self.wanted.length || self.is_closed(pattern, ends)?)
        {
            if found.patterns.len() == MOST {
                return Err(Stop(None));
            }
            let (failing, passing) = (ends.len() as u64, passing_ends.len() as u64);
            found.patterns.push(Pattern { events: pattern.clone(), failing, passing });
        }
        if pattern.len() == self.wanted.length {
            return Ok(());
        }
        for at in 0..self.frequent.len() {
            let event = self.frequent[at];
            let longer = self.extended(self.failing, ends, event)?;
            if (longer.len() as u64) < found.frequent_failing {
                continue;
            }
            let passing_longer = self.extended(self.passing, passing_ends, event)?;
            pattern.push(event);
            self.grow(pattern, &longer, &passing_longer, found)?;
            pattern.pop();
        }
        Ok(())
    }

    fn extended(&mut self, traces: &Traces<'_>, ends: &Ends, event: u32) -> Result<Ends, Stop> {
        self.spend(ends.len() as u64)?;
        let longer = ends.iter().filter_map(|(trace, from)| {
            traces.next(*trace as usize, event, *from).map(|place| (*trace, place + 1))
        });
        Ok(longer.collect())
    }

    /// Whether no event can be inserted anywhere without losing a trace.
    fn is_closed(&mut self, pattern: &[u32], ends: &Ends) -> Result<bool, Stop> {
        self.spend((ends.len() * pattern.len() * 2) as u64)?;
        let bounds: Vec<(usize, Vec<u32>, Vec<u32>)> =
            ends.iter().map(|(trace, _)| self.occurrences(*trace as usize, pattern)).collect();
        for gap in 0..=pattern.len() {
            // Between what comes before in the leftmost and what follows in the rightmost occurrence.
            let within = |(trace, leftmost, rightmost): &(usize, Vec<u32>, Vec<u32>)| {
                let from = if gap == 0 { 0 } else { leftmost[gap - 1] + 1 };
                let to = rightmost.get(gap).copied().unwrap_or(self.failing.events[*trace].len() as u32);
                (*trace, from, to.max(from))
            };
            let Some(shortest) = bounds.iter().map(within).min_by_key(|(_, from, to)| to - from) else {
                continue;
            };
            let (trace, from, to) = shortest;
            let mut candidates = self.failing.events[trace][from as usize..to as usize].to_vec();
            candidates.sort_unstable();
            candidates.dedup();
            let cost = candidates.len() * bounds.len();
            let is_everywhere = |event: &u32| {
                bounds.iter().map(within).all(|(trace, from, to)| {
                    self.failing.next(trace, *event, from).is_some_and(|place| place < to)
                })
            };
            let found = candidates.iter().any(is_everywhere);
            self.spend(cost as u64)?;
            if found {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where the events of a pattern lie in its leftmost and in its rightmost occurrence.
    fn occurrences(&self, trace: usize, pattern: &[u32]) -> (usize, Vec<u32>, Vec<u32>) {
        let mut from = 0;
        let leftmost = pattern.iter().map_while(|event| {
            let place = self.failing.next(trace, *event, from)?;
            from = place + 1;
            Some(place)
        });
        let leftmost = leftmost.collect();
        let mut to = self.failing.events[trace].len() as u32;
        let rightmost = pattern.iter().rev().map_while(|event| {
            to = self.failing.previous(trace, *event, to)?;
            Some(to)
        });
        let mut rightmost: Vec<u32> = rightmost.collect();
        rightmost.reverse();
        (trace, leftmost, rightmost)
    }

    fn spend(&mut self, work: u64) -> Result<(), Stop> {
        self.work += work + 1;
        if self.work > WORK {
            return Err(Stop(None));
        }
        if self.work >= self.pulse_at {
            self.pulse_at = self.work + graph::PULSE;
            let permille = u16::try_from(self.work * 1000 / WORK).ok();
            let progress = Progress { phase: "looking for patterns", permille, ..Progress::default() };
            self.watch.pulse(progress).map_err(|interrupt| Stop(Some(interrupt)))?;
        }
        Ok(())
    }
}
