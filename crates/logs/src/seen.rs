//! Remembering which trace already has which substring, in bounded memory.
//!
//! Support counts traces, so a second occurrence in the same trace must not count. Where traces come one
//! after the other it is enough to note with each substring the last trace that had it. Where they are
//! interleaved, pairs of trace and substring have to be remembered, and there are as many of them as
//! there are events. So old pairs are forgotten: two tables, of which the older is dropped when the
//! younger is full. Only a trace that goes on for longer than a table lasts can be counted twice, and how
//! many do is told.

use std::collections::HashSet;

use rustc_hash::FxBuildHasher;

/// How many pairs a table holds.
const TABLE: usize = 1 << 20;

#[derive(Debug, Default)]
pub(crate) struct Seen {
    young: HashSet<u64, FxBuildHasher>,
    old: HashSet<u64, FxBuildHasher>,
    /// A pair that was noted at this time or later is still known.
    known_since: u64,
    young_since: u64,
}

impl Seen {
    /// Whether the pair is new; `now` never decreases.
    pub(crate) fn is_new(&mut self, trace: u32, substring: u32, now: u64) -> bool {
        let pair = u64::from(trace) << 32 | u64::from(substring);
        if self.young.len() >= TABLE {
            std::mem::swap(&mut self.young, &mut self.old);
            self.young.clear();
            (self.known_since, self.young_since) = (self.young_since, now);
        }
        // What is seen again stays.
        self.young.insert(pair) && !self.old.contains(&pair)
    }

    /// Whether something of a trace that began at `born` may have been forgotten.
    pub(crate) fn may_have_forgotten(&self, born: u64) -> bool {
        born < self.known_since
    }

    /// Forgets everything, for another set of traces.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_known_for_as_long_as_a_table_lasts() {
        let mut seen = Seen::default();
        assert!(seen.is_new(1, 1, 0));
        assert!(!seen.is_new(1, 1, 1));
        assert!(seen.is_new(2, 1, 2) && seen.is_new(1, 2, 3));
        let lasting = TABLE as u32;
        for number in 0..lasting {
            assert!(seen.is_new(7, number, 4 + u64::from(number)));
        }
        // The first table is the old one now.
        assert!(!seen.is_new(1, 1, 5 + u64::from(lasting)));
        assert!(!seen.may_have_forgotten(0));
        for number in 0..2 * lasting {
            seen.is_new(8, number, 6 + u64::from(lasting) + u64::from(number));
        }
        assert!(seen.is_new(1, 1, 7 + 3 * u64::from(lasting)));
        assert!(seen.may_have_forgotten(0));
    }
}
