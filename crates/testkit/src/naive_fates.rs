//! Fates as they are defined, state by state: walk on until a violation is met; try traces, one after
//! the other, until one ends, leaves, or comes round.

use std::collections::BTreeSet;

use graph::Fate;

use crate::naive_system::{NaiveSystem, Pair, Step};

/// Whether traces from a state can fail and whether they can pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NaiveFate {
    pub can_fail: bool,
    pub can_pass: bool,
}

impl NaiveFate {
    /// A fate that somebody tells; nothing if it is unknown.
    pub fn told(fate: Fate) -> Option<Self> {
        let (can_fail, can_pass) = match fate {
            Fate::Safe => (false, true),
            Fate::Free => (true, true),
            Fate::Doomed => (true, false),
            Fate::Elsewhere => (false, false),
            Fate::Unknown => return None,
        };
        Some(Self { can_fail, can_pass })
    }

    pub fn is_free(self) -> bool {
        self.can_fail && self.can_pass
    }
}

/// How many live states are safe, free and doomed; how many edges go from free to doomed and to safe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NaiveFateCounts {
    pub safe: u64,
    pub free: u64,
    pub doomed: u64,
    pub points_of_no_return: u64,
    pub escapes: u64,
}

/// Why no state on a counterexample has a correct transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaiveUntouched {
    DoomedFromTheStart,
    /// The last state on the trace from where passing was possible.
    PartedEarlier {
        last_free: usize,
    },
    OnlyByCircling,
}

impl NaiveSystem {
    pub fn can_fail(&self, state: Pair) -> bool {
        !self.onward(state).is_disjoint(&self.violating)
    }

    pub fn can_pass(&self, state: Pair) -> bool {
        !self.violates(state) && self.some_trace_passes(&mut vec![state])
    }

    /// Tries every way on from the end of a trace that passes no state twice.
    fn some_trace_passes(&self, trace: &mut Vec<Pair>) -> bool {
        let Some(steps) = trace.last().map(|state| &self.steps[state]) else { return false };
        let mut ways_on = steps.iter();
        steps.is_empty()
            || ways_on.any(|(_, target)| match target {
                None => true,
                Some(target) if self.violates(*target) => false,
                Some(target) if trace.contains(target) => true,
                Some(target) => {
                    trace.push(*target);
                    let passes = self.some_trace_passes(trace);
                    trace.pop();
                    passes
                }
            })
    }

    pub fn fate(&self, state: Pair) -> NaiveFate {
        NaiveFate { can_fail: self.can_fail(state), can_pass: self.can_pass(state) }
    }

    /// The fate behind a step; all passes where nothing can be forbidden any more.
    pub fn fate_behind(&self, (_, target): Step) -> NaiveFate {
        target.map_or(NaiveFate { can_fail: false, can_pass: true }, |target| self.fate(target))
    }

    pub fn fate_counts(&self) -> NaiveFateCounts {
        let mut counts = NaiveFateCounts::default();
        for state in self.live() {
            match self.fate(state) {
                NaiveFate { can_fail: false, .. } => counts.safe += 1,
                NaiveFate { can_pass: false, .. } => counts.doomed += 1,
                _ => {
                    counts.free += 1;
                    let behind: Vec<NaiveFate> =
                        self.steps[&state].iter().map(|step| self.fate_behind(*step)).collect();
                    counts.points_of_no_return += behind.iter().filter(|fate| !fate.can_pass).count() as u64;
                    counts.escapes += behind.iter().filter(|fate| !fate.can_fail).count() as u64;
                }
            }
        }
        counts
    }

    /// Labels of the steps from `state` after which no trace fails.
    pub fn escapes(&self, state: Pair) -> BTreeSet<u32> {
        let steps = self.steps[&state].iter();
        steps.filter(|step| !self.fate_behind(**step).can_fail).map(|(label, _)| *label).collect()
    }

    /// Labels of the steps from `state`, other than `taken`, after which some traces fail and some
    /// pass; without those that can also escape.
    pub fn still_free(&self, state: Pair, taken: (u32, Pair)) -> BTreeSet<u32> {
        let taken = (taken.0, Some(taken.1));
        let others = self.steps[&state].iter().filter(|step| **step != taken);
        let free = others.filter(|step| self.fate_behind(**step).is_free()).map(|(label, _)| *label);
        free.filter(|label| !self.escapes(state).contains(label)).collect()
    }

    /// What is to be said of a counterexample through `states` on which no state has a correct
    /// transition.
    pub fn untouched(&self, states: &[Pair]) -> NaiveUntouched {
        let Some(last_free) = states.iter().rposition(|state| self.can_pass(*state)) else {
            return NaiveUntouched::DoomedFromTheStart;
        };
        let onward = self.onward_until_violation(states[0]);
        let can_escape = |state: &Pair| !self.violates(*state) && !self.escapes(*state).is_empty();
        if onward.iter().any(can_escape) {
            NaiveUntouched::PartedEarlier { last_free }
        } else {
            NaiveUntouched::OnlyByCircling
        }
    }
}
