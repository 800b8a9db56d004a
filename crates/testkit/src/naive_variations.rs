//! Variations as they are defined: traces are written out one after the other, and each is a negative, a
//! positive, or neither. A trace that passes no state more than twice is long enough: one way to a step and one
//! way on from it.

use std::collections::{BTreeMap, BTreeSet};

use crate::naive_system::{NaiveSystem, Pair};

/// What traces of one kind have: the labels of some, and those that all have one of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NaiveSide {
    pub some: BTreeSet<u32>,
    pub all: BTreeSet<u32>,
}

#[derive(Clone, Debug, Default)]
pub struct NaiveVariations {
    pub negative: Option<NaiveSide>,
    pub positive: Option<NaiveSide>,
}

impl NaiveSystem {
    /// All negatives and positives of a counterexample whose last step is of the kind `fails`; `shown` is what of a
    /// label is compared.
    pub fn variations(&self, fails: &dyn Fn(u32) -> bool, shown: &dyn Fn(u32) -> u32) -> NaiveVariations {
        let mut found = NaiveVariations::default();
        for start in self.initial.iter().filter(|start| !self.violating.contains(start)) {
            let mut passed = BTreeMap::from([(*start, 1)]);
            self.each_variation(*start, fails, &mut passed, &mut Vec::new(), &mut |labels, is_negative| {
                let taken: BTreeSet<u32> = labels.iter().map(|label| shown(*label)).collect();
                let side = if is_negative { &mut found.negative } else { &mut found.positive };
                match side {
                    None => *side = Some(NaiveSide { some: taken.clone(), all: taken }),
                    Some(side) => {
                        side.all.retain(|key| taken.contains(key));
                        side.some.extend(taken);
                    }
                }
            });
        }
        found
    }

    fn each_variation(
        &self,
        at: Pair,
        fails: &dyn Fn(u32) -> bool,
        passed: &mut BTreeMap<Pair, u32>,
        labels: &mut Vec<u32>,
        tell: &mut dyn FnMut(&[u32], bool),
    ) {
        for (label, target) in &self.steps[&at] {
            labels.push(*label);
            let is_violating = target.is_some_and(|target| self.violating.contains(&target));
            if fails(*label) && is_violating {
                tell(labels, true);
            } else if fails(*label) && !target.is_some_and(|target| self.can_become_negative(target, fails)) {
                tell(labels, false);
            }
            if let Some(target) = target.filter(|target| !is_violating && passed.get(target) != Some(&2)) {
                *passed.entry(target).or_default() += 1;
                self.each_variation(target, fails, passed, labels, tell);
                *passed.entry(target).or_default() -= 1;
            }
            labels.pop();
        }
    }

    /// Whether a trace that stands here can go on to a step that fails in this way.
    pub fn can_become_negative(&self, state: Pair, fails: &dyn Fn(u32) -> bool) -> bool {
        let mut seen = BTreeSet::from([state]);
        let mut waiting = vec![state];
        while let Some(at) = waiting.pop() {
            for (label, target) in &self.steps[&at] {
                let Some(target) = target else { continue };
                if !self.violating.contains(target) {
                    waiting.extend(Some(*target).filter(|target| seen.insert(*target)));
                } else if fails(*label) {
                    return true;
                }
            }
        }
        false
    }
}
