//! Automata on the way to their final form: several acceptance conditions, on edges.
//!
//! Every condition is a promise, and an edge carries the promises that are **pending** while it is taken.
//! A run is accepted if it takes, for every promise, infinitely many edges on which it is not pending. An
//! automaton whose states accept, which is where all this ends, is the special case of one promise that
//! is pending on all edges of a state or on none.

use super::components::Components;
use super::guard::Guard;

/// An edge of a [`Generalised`] automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Arrow {
    pub(super) to: u32,
    pub(super) guard: Guard,
    /// The promises this edge leaves open, one bit each.
    pub(super) pending: u128,
}

/// Puts other guards in place of those of each bundle of edges to one state with the same promises.
pub(super) fn change_guards(arrows: &mut Vec<Arrow>, change: fn(&mut Vec<Guard>)) {
    arrows.sort_unstable_by_key(|arrow| (arrow.to, arrow.pending, arrow.guard));
    let mut changed = Vec::with_capacity(arrows.len());
    for bundle in arrows.chunk_by(|one, other| (one.to, one.pending) == (other.to, other.pending)) {
        let mut guards: Vec<Guard> = bundle.iter().map(|arrow| arrow.guard).collect();
        change(&mut guards);
        changed.extend(guards.into_iter().map(|guard| Arrow { guard, ..bundle[0] }));
    }
    *arrows = changed;
}

/// An automaton with promises on its edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Generalised {
    pub(super) initial: u32,
    /// The edges that leave each state.
    pub(super) states: Vec<Vec<Arrow>>,
}

impl Generalised {
    pub(super) fn edges(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }

    /// Smaller is better: fewer states, then fewer edges.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.states.len(), self.edges())
    }

    pub(super) fn components(&self) -> Components {
        Components::of(self.states.len(), |state| self.successors(state))
    }

    pub(super) fn successors(&self, state: usize) -> impl Iterator<Item = usize> {
        self.states[state].iter().map(|arrow| arrow.to as usize)
    }

    /// All promises that are pending somewhere.
    pub(super) fn promises(&self) -> u128 {
        self.states.iter().flatten().fold(0, |all, arrow| all | arrow.pending)
    }

    /// The edges within each component.
    fn inner<'a>(&'a self, components: &'a Components) -> impl Iterator<Item = (u32, &'a Arrow)> {
        self.states.iter().enumerate().flat_map(move |(state, arrows)| {
            let component = components.of_state[state];
            arrows
                .iter()
                .filter(move |arrow| components.of_state[arrow.to as usize] == component)
                .map(move |arrow| (component, arrow))
        })
    }

    /// For each component the promises pending on all of its inner edges; everything where there are none.
    /// A run can stay and be accepted where that is nothing.
    pub(super) fn never_kept(&self, components: &Components) -> Vec<u128> {
        let mut never = vec![u128::MAX; components.count];
        for (component, arrow) in self.inner(components) {
            never[component as usize] &= arrow.pending;
        }
        never
    }

    /// Drops what cannot be part of an accepted run and what cannot be reached. The initial state always
    /// remains.
    pub(super) fn prune(&mut self) {
        let components = self.components();
        // Components are numbered against the direction of the edges, so successors are known first.
        let mut hopeful: Vec<bool> =
            self.never_kept(&components).iter().map(|promises| *promises == 0).collect();
        for state in components.by_component() {
            let component = components.of_state[state] as usize;
            hopeful[component] |= self.successors(state).any(|to| hopeful[components.of_state[to] as usize]);
        }
        for arrows in &mut self.states {
            arrows.retain(|arrow| hopeful[components.of_state[arrow.to as usize] as usize]);
        }
        self.renumber();
    }

    /// Makes states more alike by changing promises where they do not matter: none are pending on edges
    /// that no cycle takes, all are where no accepted run stays, and those that others imply are dropped.
    pub(super) fn normalise_promises(&mut self) {
        let components = self.components();
        let never = self.never_kept(&components);
        let promises = self.promises();
        for (state, arrows) in self.states.iter_mut().enumerate() {
            let component = components.of_state[state];
            for arrow in arrows {
                if components.of_state[arrow.to as usize] != component {
                    arrow.pending = 0;
                } else if never[component as usize] != 0 {
                    arrow.pending = promises;
                }
            }
        }
        self.drop_redundant_promises();
    }

    /// A promise that is pending only where another one is needs no watching of its own.
    fn drop_redundant_promises(&mut self) {
        let promises = self.promises();
        let bits = || (0..128).filter(move |bit| promises >> bit & 1 == 1);
        let mut redundant: u128 = 0;
        for one in bits() {
            let covered = bits().any(|other| {
                other != one
                    && redundant >> other & 1 == 0
                    && self
                        .states
                        .iter()
                        .flatten()
                        .all(|arrow| arrow.pending >> one & 1 == 0 || arrow.pending >> other & 1 == 1)
            });
            if covered {
                redundant |= 1 << one;
            }
        }
        for arrow in self.states.iter_mut().flatten() {
            arrow.pending &= !redundant;
        }
    }

    /// Numbers the states in the order a breadth-first search finds them; those it does not find go.
    pub(super) fn renumber(&mut self) {
        const UNKNOWN: u32 = u32::MAX;
        let mut number = vec![UNKNOWN; self.states.len()];
        let mut order = vec![self.initial];
        number[self.initial as usize] = 0;
        let mut at = 0;
        while at < order.len() {
            let arrows = &mut self.states[order[at] as usize];
            arrows.sort_unstable();
            arrows.dedup();
            for arrow in arrows {
                let number = &mut number[arrow.to as usize];
                if *number == UNKNOWN {
                    *number = order.len() as u32;
                    order.push(arrow.to);
                }
                arrow.to = *number;
            }
            at += 1;
        }
        self.states = order.iter().map(|state| std::mem::take(&mut self.states[*state as usize])).collect();
        self.initial = 0;
    }

    /// Joins states: each one becomes the one given for it, which keeps its own edges.
    pub(super) fn join(&mut self, representative: &[u32]) {
        for arrow in self.states.iter_mut().flatten() {
            arrow.to = representative[arrow.to as usize];
        }
        self.initial = representative[self.initial as usize];
        self.renumber();
    }
}
