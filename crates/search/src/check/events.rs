//! Which events there are.
//!
//! Most steps have an event that was met a moment ago, so a small table of those answers first.

use rustc_hash::FxHashSet;

/// Entries of the table, as a power of two.
const RECENT_BITS: u32 = 9;

pub(super) struct Events {
    recent: Box<[Option<u64>]>,
    all: FxHashSet<u64>,
}

impl Default for Events {
    fn default() -> Self {
        Self { recent: vec![None; 1 << RECENT_BITS].into_boxed_slice(), all: FxHashSet::default() }
    }
}

impl Events {
    #[inline]
    pub(super) fn add(&mut self, event: u64) {
        let at = event.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - RECENT_BITS);
        let recent = &mut self.recent[at as usize];
        if *recent != Some(event) {
            *recent = Some(event);
            self.all.insert(event);
        }
    }

    /// All events that several have met, in ascending order.
    pub(super) fn together(all: Vec<Events>) -> Vec<u64> {
        let mut events: Vec<u64> = all.into_iter().flat_map(|events| events.all).collect();
        events.sort_unstable();
        events.dedup();
        events
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_is_kept_once() {
        let (mut one, mut other) = (Events::default(), Events::default());
        // More than the table has entries, so that they drive each other out.
        (0..3000).rev().chain(500..2500).for_each(|event| one.add(event));
        other.add(7);
        other.add(u64::MAX);
        let expected: Vec<u64> = (0..3000).chain([u64::MAX]).collect();
        assert_eq!(Events::together(vec![one, other]), expected);
    }
}
