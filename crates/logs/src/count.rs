//! In how many passing and in how many failing traces each substring occurs, and where first.
//!
//! The paper's anomalies are a difference of two sets; here the sets are counted, so that a report can
//! say how typical a substring is of failing. Which failing traces have a substring is remembered as the
//! sum of random numbers, one for each trace: substrings with equal sums occur in the same traces.

use std::collections::HashSet;

use rustc_hash::FxBuildHasher;

use crate::events::mixed;
use crate::sample::Sample;
use crate::seen::Seen;
use crate::source::Side;
use crate::windows::{EventPlace, Sink, Trace};

/// What is known of a substring in failing traces.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Failing {
    pub(crate) support: u32,
    /// Equal for substrings of the same traces.
    pub(crate) signature: u64,
    /// The trace in which it occurs earliest.
    pub(crate) trace: u64,
    pub(crate) place: EventPlace,
}

#[derive(Debug)]
pub(crate) struct Counts {
    side: Side,
    /// Whether traces may be interleaved.
    interleaved: bool,
    /// The last trace that had the substring.
    stamps: Vec<u32>,
    passing: Vec<u32>,
    failing: Vec<Failing>,
    seen: Seen,
    now: u64,
    /// The numbers of all traces, passing ones first, so that each has a stamp of its own.
    stamp_base: u32,
    pub(crate) samples: [Sample; 2],
    /// The stamps of traces of which a substring may have been counted twice.
    pub(crate) recounted: HashSet<u32, FxBuildHasher>,
}

const NO_TRACE: u32 = u32::MAX;

impl Counts {
    pub(crate) fn new(interleaved: bool) -> Self {
        Self {
            side: Side::Passing,
            interleaved,
            stamps: Vec::new(),
            passing: Vec::new(),
            failing: Vec::new(),
            seen: Seen::default(),
            now: 0,
            stamp_base: 0,
            samples: [Sample::new(), Sample::new()],
            recounted: HashSet::default(),
        }
    }

    /// From now on the traces are failing ones; there were so many passing ones.
    pub(crate) fn turn(&mut self, passing: u64) {
        self.side = Side::Failing;
        self.stamp_base = u32::try_from(passing).unwrap_or(NO_TRACE - 1);
        self.seen.clear();
        self.now = 0;
    }

    pub(crate) fn passing(&self, substring: u32) -> u32 {
        self.passing.get(substring as usize).copied().unwrap_or_default()
    }

    pub(crate) fn failing(&self, substring: u32) -> Failing {
        self.failing.get(substring as usize).copied().unwrap_or_default()
    }

    /// All substrings that occur in some failing trace.
    pub(crate) fn all_failing(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.failing).filter(|(_, failing)| failing.support > 0).map(|(number, _)| number)
    }

    /// The substring occurs in a trace in which it was not met before.
    #[inline(never)]
    fn count(&mut self, trace: &Trace, substring: u32, place: EventPlace) {
        if self.interleaved {
            if !self.seen.is_new(trace.number, substring, self.now) {
                return;
            }
            if self.seen.may_have_forgotten(trace.born) {
                self.recounted.insert(self.stamp_base.saturating_add(trace.number));
            }
        }
        let at = substring as usize;
        match self.side {
            Side::Passing => {
                grow(&mut self.passing, at);
                self.passing[at] += 1;
            }
            Side::Failing => {
                grow(&mut self.failing, at);
                let failing = &mut self.failing[at];
                if failing.support == 0 || place < failing.place {
                    (failing.place, failing.trace) = (place, trace.key);
                }
                failing.support += 1;
                // Mixed twice: a sample is chosen by the number mixed once.
                failing.signature = failing.signature.wrapping_add(mixed(mixed(trace.key)));
            }
        }
    }
}

fn grow<T: Clone + Default>(list: &mut Vec<T>, at: usize) {
    if list.len() <= at {
        list.resize(at + 1, T::default());
    }
}

impl Sink for Counts {
    #[inline]
    fn event(&mut self, trace: &Trace, event: u32) {
        self.now += 1;
        self.samples[self.side as usize].add(trace, event);
    }

    #[inline]
    fn window(&mut self, trace: &Trace, substring: u32, place: EventPlace) {
        let at = substring as usize;
        if self.stamps.len() <= at {
            self.stamps.resize(at + 1, NO_TRACE);
        }
        let stamp = self.stamp_base.saturating_add(trace.number);
        if self.stamps[at] != stamp {
            self.stamps[at] = stamp;
            self.count(trace, substring, place);
        }
    }

    fn end(&mut self, _: &Trace) {}
}
