//! From which nodes of a product an accepted trace goes on.
//!
//! Components come in such an order that what lies behind one is known before it, so one pass tells for
//! every node whether something accepted follows. Where states are open there is a third answer.

use graph::{BitSet, Components, Fairness, Interrupt, Transitions, Watch};

use crate::accepting::is_accepted;
use crate::product::Product;

const PHASE: &str = "circling";

/// Whether an accepted trace goes on from somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Yes,
    No,
    /// Not in what was explored, but there is more.
    Unknown,
}

#[derive(Debug)]
pub struct Continuations {
    components: Components,
    /// Nodes of components in which an accepted trace can go round.
    round: BitSet,
    /// The same among nodes that nothing interrupts, where nothing is owed to other processes.
    uninterrupted: BitSet,
    /// Nodes from which an accepted trace goes on.
    accepted: BitSet,
    /// Nodes from which a state can be reached whose edges nobody knows.
    open: BitSet,
}

impl Continuations {
    pub fn new<T: Transitions>(
        product: &Product<'_, T>,
        fairness: Fairness,
        watch: &dyn Watch,
    ) -> Result<Self, Interrupt> {
        let none = || BitSet::new(product.bound());
        let (mut round, mut uninterrupted, mut accepted, mut open) = (none(), none(), none(), none());
        if fairness == Fairness::Weak {
            // Who stays for ever where nothing interrupts owes nothing to others.
            let belongs = |node: u32| product.is_uninterrupted(node);
            let mut components = Components::new(product.bound(), PHASE);
            let targets_of = |node: u32, targets: &mut Vec<u32>| {
                product.successors(node, |_, target| {
                    if belongs(target) {
                        targets.push(target);
                    }
                });
            };
            for node in reached(product).iter().filter(|node| belongs(*node)) {
                components.from(node, targets_of, watch, |components, members| {
                    if is_accepted(product, components, members, fairness) {
                        members.iter().for_each(|member| {
                            uninterrupted.insert(*member);
                        });
                    }
                })?;
            }
        }
        let mut components = Components::new(product.bound(), PHASE);
        let targets_of = |node: u32, targets: &mut Vec<u32>| {
            product.successors(node, |_, target| targets.push(target));
        };
        for node in product.initial() {
            components.from(node, targets_of, watch, |components, members| {
                let goes_round = is_accepted(product, components, members, fairness);
                let mut goes_on = goes_round || members.iter().any(|member| uninterrupted.contains(*member));
                let mut is_open = false;
                for member in members {
                    goes_on |= product.decides(*member);
                    is_open |= product.is_open(*member);
                    product.successors(*member, |_, target| {
                        goes_on |= accepted.contains(target);
                        is_open |= open.contains(target);
                    });
                }
                for member in members {
                    if goes_round {
                        round.insert(*member);
                    }
                    if goes_on {
                        accepted.insert(*member);
                    }
                    if is_open {
                        open.insert(*member);
                    }
                }
            })?;
        }
        Ok(Self { components, round, uninterrupted, accepted, open })
    }

    /// Whether an accepted trace goes on from a node that can be reached.
    pub fn from(&self, node: u32) -> Answer {
        if self.accepted.contains(node) {
            Answer::Yes
        } else if self.open.contains(node) || !self.components.was_reached(node) {
            Answer::Unknown
        } else {
            Answer::No
        }
    }

    /// Whether the system has an accepted trace.
    pub fn answer<T: Transitions>(&self, product: &Product<'_, T>) -> Answer {
        let mut answers = product.initial().into_iter().map(|node| self.from(node));
        answers.by_ref().fold(Answer::No, |all, one| match (all, one) {
            (Answer::Yes, _) | (_, Answer::Yes) => Answer::Yes,
            (Answer::Unknown, _) | (_, Answer::Unknown) => Answer::Unknown,
            (Answer::No, Answer::No) => Answer::No,
        })
    }

    /// Whether an accepted trace can go round through the node.
    pub(crate) fn goes_round(&self, node: u32) -> bool {
        self.round.contains(node)
    }

    /// Whether it can do so without ever leaving what nothing interrupts.
    pub(crate) fn goes_round_uninterrupted(&self, node: u32) -> bool {
        self.uninterrupted.contains(node)
    }

    pub(crate) fn are_together(&self, one: u32, other: u32) -> bool {
        self.components.are_together(one, other)
    }
}

/// All nodes that can be reached.
fn reached<T: Transitions>(product: &Product<'_, T>) -> BitSet {
    let mut all = BitSet::new(product.bound());
    let mut waiting = product.initial();
    waiting.iter().for_each(|node| {
        all.insert(*node);
    });
    while let Some(node) = waiting.pop() {
        product.successors(node, |_, target| {
            if all.insert(target) {
                waiting.push(target);
            }
        });
    }
    all
}
