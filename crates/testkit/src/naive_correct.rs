//! Correct transitions as they are defined: traces are written out one after the other, and what lies on one
//! that ends where it should is correct. A trace that passes no state more than twice is long enough: one way
//! to a transition and one way on from it.

use std::collections::{BTreeMap, BTreeSet};

use crate::naive_system::{NaiveSystem, Pair};

/// A state, a label, and where it leads.
pub type Transition = (Pair, u32, Pair);

impl NaiveSystem {
    /// The transitions on traces that violate nothing and end in `ends`.
    pub fn correct_transitions(&self, ends: &BTreeSet<Pair>) -> BTreeSet<Transition> {
        let mut correct = BTreeSet::new();
        for start in self.initial.iter().filter(|start| !self.violating.contains(start)) {
            let mut passed = BTreeMap::from([(*start, 1)]);
            self.write_out(*start, ends, &mut passed, &mut Vec::new(), &mut correct);
        }
        correct
    }

    fn write_out(
        &self,
        at: Pair,
        ends: &BTreeSet<Pair>,
        passed: &mut BTreeMap<Pair, u32>,
        trace: &mut Vec<Transition>,
        correct: &mut BTreeSet<Transition>,
    ) {
        if ends.contains(&at) {
            correct.extend(trace.iter().copied());
        }
        for (label, target) in &self.steps[&at] {
            let Some(target) = target.filter(|target| !self.violating.contains(target)) else { continue };
            if passed.get(&target) == Some(&2) {
                continue;
            }
            *passed.entry(target).or_default() += 1;
            trace.push((at, *label, target));
            self.write_out(target, ends, passed, trace, correct);
            trace.pop();
            *passed.entry(target).or_default() -= 1;
        }
    }

    /// Whether some trace fails without taking any of these labels.
    pub fn fails_without(&self, halted: &BTreeSet<u32>) -> bool {
        let mut waiting: Vec<Pair> = self.initial.iter().copied().collect();
        let mut seen: BTreeSet<Pair> = self.initial.clone();
        while let Some(at) = waiting.pop() {
            if self.violating.contains(&at) {
                return true;
            }
            for (_, target) in self.steps[&at].iter().filter(|(label, _)| !halted.contains(label)) {
                waiting.extend(target.filter(|target| seen.insert(*target)));
            }
        }
        false
    }
}
