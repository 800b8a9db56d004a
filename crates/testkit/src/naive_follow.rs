//! Following given labels one trace at a time: all of them.

use std::collections::BTreeSet;

use graph::Followed;

use crate::naive_system::{NaiveSystem, NaiveTrace, Pair, Step, end_of, told, unrest};
use crate::random::Random;

/// What became of all traces with given labels, as far as any of them could be followed.
#[derive(Clone, Debug)]
pub enum NaiveFollowed {
    /// The traces that end with a violation, up to there.
    Violating(Vec<NaiveTrace>),
    /// No violation; the traces that last longest before they end or leave.
    Harmless(Vec<NaiveTrace>),
    /// The next label is possible after none of these; those that are.
    Diverged { traces: Vec<NaiveTrace>, possible: BTreeSet<u32> },
}

impl NaiveFollowed {
    /// Whether what is told is true and the trace that is told is one of the calmest there are.
    pub fn admits(
        &self,
        followed: &Followed,
        read: impl Fn(u32) -> Pair,
        marked: impl Fn(Pair) -> bool,
    ) -> bool {
        let (trace, traces) = match (followed, self) {
            (Followed::Violating(trace), Self::Violating(traces)) => (trace, traces),
            (Followed::Harmless(trace), Self::Harmless(traces)) => (trace, traces),
            (Followed::Diverged { trace, possible }, Self::Diverged { traces, possible: truth })
                if possible.iter().eq(truth) =>
            {
                (trace, traces)
            }
            _ => return false,
        };
        let trace = told(trace, read);
        let calmest = traces.iter().map(|trace| unrest(trace, &marked)).min();
        traces.contains(&trace) && Some(unrest(&trace, &marked)) == calmest
    }
}

impl NaiveSystem {
    pub fn follow(&self, labels: &[u32]) -> NaiveFollowed {
        let mut traces: Vec<NaiveTrace> = self.initial.iter().map(|state| (*state, Vec::new())).collect();
        let mut left = false;
        for at in 0..=labels.len() {
            if traces.iter().any(|trace| self.violates(end_of(trace))) {
                traces.retain(|trace| self.violates(end_of(trace)));
                return NaiveFollowed::Violating(traces);
            }
            let Some(label) = labels.get(at) else { break };
            let possible: BTreeSet<Step> =
                traces.iter().flat_map(|trace| self.steps[&end_of(trace)].iter().copied()).collect();
            if !left && possible.iter().all(|(other, _)| other != label) {
                let possible = possible.into_iter().map(|(label, _)| label).collect();
                return NaiveFollowed::Diverged { traces, possible };
            }
            left |= possible.contains(&(*label, None));
            let longer = traces.iter().flat_map(|trace| self.step_by_step(trace));
            let longer: Vec<NaiveTrace> =
                longer.filter(|(_, steps)| steps.last().is_some_and(|(last, _)| last == label)).collect();
            if longer.is_empty() {
                break;
            }
            traces = longer;
        }
        NaiveFollowed::Harmless(traces)
    }

    /// A few labels, numbered below `labels`, that can mostly be followed.
    pub fn random_labels(&self, random: &mut Random, labels: usize) -> Vec<u32> {
        let initial: Vec<Pair> = self.initial.iter().copied().collect();
        let mut at = Some(initial[random.below(initial.len() as u32) as usize]);
        let mut word = Vec::new();
        for _ in 0..random.below(7) {
            let steps = at.map_or(&[][..], |state| &self.steps[&state]);
            if steps.is_empty() || random.percent(5) {
                word.push(random.below(labels as u32));
                at = None;
            } else {
                let (label, target) = steps[random.below(steps.len() as u32) as usize];
                word.push(label);
                at = target;
            }
        }
        word
    }
}
