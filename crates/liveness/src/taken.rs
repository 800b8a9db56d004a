//! What accepted traces do: which steps they take, and where they end.

use std::collections::BTreeSet;

use graph::{BitSet, OUTSIDE, Transitions};

use crate::continuations::{Answer, Continuations};
use crate::product::{Product, STAYS};

/// What all accepted traces do together.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    pub labels: BTreeSet<u32>,
    /// The states of the system in which one of them ends.
    pub ends: BTreeSet<u32>,
}

impl Taken {
    /// Behind a node that decides the matter every step counts.
    pub fn new<T: Transitions>(product: &Product<'_, T>, continuations: &Continuations) -> Self {
        let mut taken = Self::default();
        let mut seen = BitSet::new(product.bound());
        let mut behind = BitSet::new(product.system().bound());
        let is_accepted = |node: &u32| continuations.from(*node) == Answer::Yes;
        let mut waiting: Vec<u32> = product.initial().into_iter().filter(is_accepted).collect();
        for node in &waiting {
            seen.insert(*node);
        }
        while let Some(node) = waiting.pop() {
            if product.decides(node) {
                taken.all_behind(product.system(), product.state(node), &mut behind);
                continue;
            }
            product.successors(node, |label, target| {
                if continuations.from(target) != Answer::Yes {
                    return;
                }
                if label == STAYS {
                    taken.ends.insert(product.state(target));
                } else {
                    taken.labels.insert(label);
                }
                if seen.insert(target) {
                    waiting.push(target);
                }
            });
        }
        taken
    }

    /// Adds all that can follow a state of a system.
    fn all_behind<T: Transitions>(&mut self, system: &T, state: u32, seen: &mut BitSet) {
        let mut waiting: Vec<u32> = seen.insert(state).then_some(state).into_iter().collect();
        while let Some(state) = waiting.pop() {
            if system.degree(state) == 0 {
                self.ends.insert(state);
            }
            system.successors(state, |label, target| {
                if target != OUTSIDE && !system.is_violating(target) {
                    self.labels.insert(label);
                    if seen.insert(target) {
                        waiting.push(target);
                    }
                }
            });
        }
    }
}
