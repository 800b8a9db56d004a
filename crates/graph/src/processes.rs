//! Sets of processes, for questions of fairness: who moves, who could have.

use crate::Actors;

/// A set of processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Processes([u64; 4]);

impl Processes {
    pub const NONE: Self = Self([0; 4]);
    pub const ALL: Self = Self([u64::MAX; 4]);

    pub fn add(&mut self, process: u8) {
        self.0[usize::from(process) / 64] |= 1 << (process % 64);
    }

    pub fn add_all(&mut self, actors: Actors) {
        actors.iter().for_each(|process| self.add(process));
    }

    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.0.iter_mut().zip(others.0).for_each(|(own, other)| *own &= other);
        self
    }

    #[must_use]
    pub fn without(mut self, others: Self) -> Self {
        self.0.iter_mut().zip(others.0).for_each(|(own, other)| *own &= !other);
        self
    }

    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    pub fn is_within(self, others: Self) -> bool {
        self.without(others).is_empty()
    }
}
