//! Anomalies: what only failing traces do.
//!
//! Leue and Tabaei Befrouei, "Counterexample Explanation by Anomaly Detection" (SPIN 2012). Failing
//! traces are compared with passing ones by the short sequences of events that occur in them: a sequence
//! that occurs in failing traces and in no passing one hints at an order nobody foresaw. The paper
//! samples both kinds of traces; here the sequences of *all* traces are read off the graph
//! ([`substrings`]); [`sampled`] does it the paper's way, for comparison.
//!
//! Every event of an anomaly, taken alone, may be as harmless as any. What matters is where the last one
//! leads: from there no trace passes, or the sequence would occur in a passing trace. So a failed
//! assertion never explains itself: the step is the same event as one that succeeds, and it makes an
//! anomaly only together with what came before it, and only if after that the check can never succeed.
//!
//! Around them: points of no return by statement ([`crossings`]), sequences of dependent events only
//! ([`skipping`]), the ranking of Section 4.2 ([`ranking`]), and what the paper leaves to its reader: which
//! steps led to an anomaly ([`sequence`]), which events came late ([`deferred`]) and whether it would help
//! if they did not ([`fence`]), and which events suffice, in their order, to tell a failing trace
//! ([`order_core`]). [`patterns`] are what Section 3 of the paper tries first.

pub mod crossings;
pub mod deferred;
pub mod fence;
pub mod order_core;
mod pairs;
pub mod patterns;
pub mod ranking;
pub mod sampled;
pub mod sequence;
pub mod skipping;
pub mod substrings;

pub use deferred::{Deferred, TouchedStep, deferred};
pub use fence::{Cure, Fence, cure};
pub use order_core::{OrderCore, order_core};
pub use patterns::{Pattern, Patterns, Thresholds, patterns};
pub use ranking::{Ranked, RankedAnomaly, ranked};
pub use sampled::{Sampled, TraceSet, sampled};
pub use sequence::{Link, Sequence, Why, sequence};
pub use substrings::{Anomaly, Crossing, TooLong, substrings};

use graph::{Exploration, Fate, Fates, OUTSIDE, Transitions, Watch};

/// An explored system whose states' fates are known: what all parts of the method look at.
#[derive(Clone, Copy)]
pub struct KnownFates<'a, T> {
    pub system: &'a T,
    /// How many labels there are.
    pub labels: usize,
    pub explored: &'a Exploration,
    pub fates: &'a Fates,
    pub watch: &'a dyn Watch,
}

impl<T> std::fmt::Debug for KnownFates<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KnownFates").field("labels", &self.labels).finish_non_exhaustive()
    }
}

/// In which traces something occurs: a set of two bits.
pub(crate) const FAILING: u8 = 1;
pub(crate) const PASSING: u8 = 2;

impl<T: Transitions> KnownFates<'_, T> {
    /// Whether traces lead to `state` and on from it.
    #[inline]
    pub(crate) fn goes_on(&self, state: u32) -> bool {
        self.explored.is_live(state) && !self.system.is_violating(state)
    }

    /// In which traces an edge to `target` occurs. What nobody explored may be a part of passing ones.
    #[inline]
    pub(crate) fn outcome(&self, target: u32) -> u8 {
        if target == OUTSIDE || !self.explored.is_live(target) {
            return PASSING;
        }
        let fails = if self.fates.can_fail(target) { FAILING } else { 0 };
        let passes = if self.fates.may_pass(target) { PASSING } else { 0 };
        fails | passes
    }

    #[inline]
    pub(crate) fn fate(&self, state: u32) -> Fate {
        if state == OUTSIDE || self.explored.is_live(state) { self.fates.of(state) } else { Fate::Unknown }
    }

    /// Whether a step between these states decides that the trace fails.
    #[inline]
    pub(crate) fn decides(&self, before: u32, after: u32) -> bool {
        self.fate(before) == Fate::Free && self.fate(after) == Fate::Doomed
    }

    /// The states that traces come to after they have left for outside, each once.
    pub(crate) fn outside(&self) -> Vec<u32> {
        let mut seen = graph::BitSet::new(self.system.outside_bound());
        let mut found = Vec::new();
        if self.system.outside_bound() == 0 {
            return found;
        }
        for state in self.explored.reached_ascending().filter(|state| self.goes_on(*state)) {
            self.system.leaving(state, |_, target| {
                if seen.insert(target) {
                    found.push(target);
                }
            });
        }
        let mut at = 0;
        while let Some(state) = found.get(at).copied() {
            at += 1;
            self.system.outside_successors(state, |_, target| {
                if seen.insert(target) {
                    found.push(target);
                }
            });
        }
        found
    }
}
