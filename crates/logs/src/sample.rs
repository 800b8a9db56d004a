//! Some whole traces, chosen by chance and yet always the same ones, in bounded memory.
//!
//! Sequential patterns have gaps, so they need whole traces. Every trace has a random rank that its name
//! decides; kept are those of the lowest ranks, as many as fit (bottom-k sampling). Traces that are very
//! long are left out: patterns of them cannot be found in reasonable time (Section 3.2 of the paper).

use std::collections::{BTreeMap, HashSet};

use rustc_hash::FxBuildHasher;

use crate::events::mixed;
use crate::windows::Trace;

/// How many traces are kept.
const MOST_TRACES: usize = 1_000;
/// How many events are kept, of all traces together.
const MOST_EVENTS: usize = 1 << 20;
/// How many events a trace may have.
const LONGEST: usize = 10_000;

#[derive(Debug)]
pub(crate) struct Sample {
    traces: BTreeMap<u64, Vec<u32>>,
    events: usize,
    /// Traces of this rank or a higher one are not kept.
    bound: u64,
    too_long: HashSet<u64, FxBuildHasher>,
    /// The trace that was left out last: its next event comes soon.
    left_out: Option<u64>,
}

impl Sample {
    pub(crate) fn new() -> Self {
        Self {
            traces: BTreeMap::new(),
            events: 0,
            bound: u64::MAX,
            too_long: HashSet::default(),
            left_out: None,
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, trace: &Trace, event: u32) {
        if self.left_out != Some(trace.key) {
            self.keep(trace.key, event);
        }
    }

    fn keep(&mut self, key: u64, event: u32) {
        let rank = mixed(key);
        if rank >= self.bound || self.too_long.contains(&rank) {
            self.left_out = Some(key);
            return;
        }
        let events = self.traces.entry(rank).or_default();
        if events.len() == LONGEST {
            self.events -= events.len();
            self.traces.remove(&rank);
            self.too_long.insert(rank);
            return;
        }
        events.push(event);
        self.events += 1;
        while self.traces.len() > MOST_TRACES || self.events > MOST_EVENTS {
            let Some((rank, events)) = self.traces.pop_last() else { return };
            self.events -= events.len();
            self.bound = rank;
            self.too_long.retain(|long| *long < rank);
        }
    }

    /// The traces that were kept, in the order of their ranks.
    pub(crate) fn into_traces(self) -> Vec<Vec<u32>> {
        self.traces.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(key: u64) -> Trace {
        Trace { key, number: 0, events: 0, first_source: 0, last_source: 0, born: 0 }
    }

    #[test]
    fn the_lowest_ranks_stay_in_whatever_order_events_come() {
        let keys: Vec<u64> = (0..3_000).collect();
        let sampled = |keys: &mut dyn Iterator<Item = u64>| {
            let mut sample = Sample::new();
            keys.for_each(|key| sample.add(&trace(key), key as u32));
            sample.into_traces()
        };
        let one = sampled(&mut keys.iter().copied());
        let other = sampled(&mut keys.iter().rev().copied());
        assert_eq!(one.len(), MOST_TRACES);
        assert_eq!(one, other);
    }

    #[test]
    fn very_long_traces_are_left_out() {
        let mut sample = Sample::new();
        for event in 0..LONGEST as u32 + 5 {
            sample.add(&trace(1), event);
        }
        sample.add(&trace(2), 7);
        assert_eq!(sample.into_traces(), [[7]]);
    }
}
