//! Sets of processes, and who can move in a state.

use graph::{Actors, Transitions};

/// A set of processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Processes([u64; 4]);

impl Processes {
    pub(crate) const NONE: Self = Self([0; 4]);
    pub(crate) const ALL: Self = Self([u64::MAX; 4]);

    pub(crate) fn add(&mut self, process: u8) {
        self.0[usize::from(process) / 64] |= 1 << (process % 64);
    }

    pub(crate) fn add_all(&mut self, actors: Actors) {
        actors.iter().for_each(|process| self.add(process));
    }

    #[must_use]
    pub(crate) fn and(mut self, others: Self) -> Self {
        self.0.iter_mut().zip(others.0).for_each(|(own, other)| *own &= other);
        self
    }

    #[must_use]
    pub(crate) fn without(mut self, others: Self) -> Self {
        self.0.iter_mut().zip(others.0).for_each(|(own, other)| *own &= !other);
        self
    }

    pub(crate) fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// Those who can move in a state, as SPIN sees it: in a rendezvous the one who sends, for a receiver
    /// alone has nothing to execute.
    pub(crate) fn able<T: Transitions>(system: &T, state: u32) -> Self {
        let mut able = Self::NONE;
        system.successors(state, |label, _| {
            if let Some(first) = system.actors(label).iter().next() {
                able.add(first);
            }
        });
        able
    }
}
