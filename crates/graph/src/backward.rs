//! The one backward pass: from which states can a set of targets be reached, and from which can it
//! not be avoided?
//!
//! *Can reach* is plain backward reachability. *Inevitable* is the attractor: a state from which
//! every trace that goes on arrives at a target; it is found by counting, for each state, the edges
//! that do not yet lead to an inevitable state. A trace may also end where no edge leads on, or leave
//! for where no target is; then nothing is inevitable.
//!
//! Both come out of one sweep: inevitable states are expanded first, and what they reach backwards is
//! expanded after them unless it became inevitable in the meantime. Every state is expanded once.

use crate::explore::sort_if_large;
use crate::{BitSet, Exploration, Interrupt, PULSE, Progress, Transitions, Watch};

#[derive(Debug)]
pub struct Backward {
    can_reach: BitSet,
    inevitable: BitSet,
}

impl Backward {
    /// Goes back from `targets` over the reached states. What follows a target does not matter: a
    /// trace that arrives there has arrived.
    pub fn new<T: Transitions>(
        system: &T,
        explored: &Exploration,
        targets: impl IntoIterator<Item = u32>,
        watch: &dyn Watch,
    ) -> Result<Self, Interrupt> {
        let mut can_reach = BitSet::new(system.bound());
        let mut inevitable = BitSet::new(system.bound());
        // Counts of edges that may still avoid the targets, set when first needed: 0 is "not yet".
        let mut avoiding = vec![0u32; system.bound()];
        let mut certain = Vec::new();
        let mut likely = Vec::new();
        for target in targets {
            can_reach.insert(target);
            inevitable.insert(target);
            certain.push(target);
        }
        let mut edges = 0u64;
        let mut next_pulse = PULSE;
        let mut pulse = |edges: u64| {
            if edges < next_pulse {
                return Ok(());
            }
            next_pulse = edges + PULSE;
            watch.pulse(Progress { phase: "weighing", edges, ..Progress::default() })
        };
        let mut batch = Vec::new();
        while !certain.is_empty() || !likely.is_empty() {
            while !certain.is_empty() {
                std::mem::swap(&mut batch, &mut certain);
                sort_if_large(&mut batch);
                for state in batch.drain(..) {
                    pulse(edges)?;
                    system.predecessors(state, |_, source| {
                        edges += 1;
                        if inevitable.contains(source) || !explored.is_reached(source) {
                            return;
                        }
                        if can_reach.insert(source) {
                            likely.push(source);
                        }
                        let left = &mut avoiding[source as usize];
                        if *left == 0 {
                            *left = system.degree(source);
                        }
                        *left -= 1;
                        if *left == 0 {
                            inevitable.insert(source);
                            certain.push(source);
                        }
                    });
                }
            }
            std::mem::swap(&mut batch, &mut likely);
            sort_if_large(&mut batch);
            for state in batch.drain(..) {
                pulse(edges)?;
                if inevitable.contains(state) {
                    continue;
                }
                system.predecessors(state, |_, source| {
                    edges += 1;
                    if !can_reach.contains(source) && explored.is_reached(source) {
                        can_reach.insert(source);
                        likely.push(source);
                    }
                });
            }
        }
        Ok(Self { can_reach, inevitable })
    }

    /// What is known already of who can reach the targets; nothing is known to be inevitable.
    pub(crate) fn known(can_reach: BitSet) -> Self {
        Self { can_reach, inevitable: BitSet::default() }
    }

    /// Whether some trace from `state` arrives at a target.
    #[inline]
    pub fn can_reach(&self, state: u32) -> bool {
        self.can_reach.contains(state)
    }

    /// Whether every trace from `state` arrives at a target.
    #[inline]
    pub fn inevitable(&self, state: u32) -> bool {
        self.inevitable.contains(state)
    }
}
