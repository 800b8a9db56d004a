//! From the numbers a file gives its states to dense indices.
//!
//! AUT and FSM files say how many states there are and number them without gaps, mostly. Then a
//! number is its own index and nothing has to be looked up. Numbers at or above the declared count
//! are kept, in a hash table, behind the declared ones. A count that is out of proportion to the
//! file is not believed: states that no transition mentions would only cost memory, so all states
//! are looked up and the others dropped.

use graph::StateNames;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::outcome::{Notes, Stop, Tally, counted};

#[derive(Debug)]
pub(crate) struct Numbering {
    /// What the file calls the state with index 0.
    first: i64,
    declared: u64,
    /// Offsets from `first` below this are indices.
    direct: u64,
    looked_up: HashMap<u64, u32, FxBuildHasher>,
    /// Their offsets from `first`, in order of appearance.
    beyond: Vec<u64>,
    above_declared: Tally,
}

impl Numbering {
    /// For a file of `length` bytes that declares `declared` states, numbered from `first`.
    pub(crate) fn new(first: i64, declared: u64, length: usize) -> Self {
        let direct = if declared <= believable(length) { declared } else { 0 };
        Self {
            first,
            declared,
            direct,
            looked_up: HashMap::default(),
            beyond: Vec::new(),
            above_declared: Tally::default(),
        }
    }

    /// The index of the state at `offset` from the first, mentioned at `at`.
    #[inline]
    pub(crate) fn index(&mut self, offset: u64, at: usize) -> Result<u32, Stop> {
        if offset < self.direct { Ok(offset as u32) } else { self.look_up(offset, at) }
    }

    #[cold]
    fn look_up(&mut self, offset: u64, at: usize) -> Result<u32, Stop> {
        if let Some(index) = self.looked_up.get(&offset) {
            return Ok(*index);
        }
        let index = u32::try_from(self.states())
            .ok()
            .filter(|index| *index < u32::MAX)
            .ok_or_else(|| Stop::fault(at, "more than 4,294,967,294 states"))?;
        if offset >= self.declared {
            self.above_declared.hit(at);
        }
        self.looked_up.insert(offset, index);
        self.beyond.push(offset);
        Ok(index)
    }

    /// How many states there are so far.
    pub(crate) fn states(&self) -> usize {
        self.direct as usize + self.beyond.len()
    }

    /// What the states are called; notes what was odd about the declared count, said to stand at `at`.
    pub(crate) fn finish(self, at: usize, notes: &mut Notes) -> StateNames {
        let Self { first, declared, direct, beyond, above_declared, .. } = &self;
        if direct < declared {
            notes.at(
                at,
                format!(
                    "{declared} states are declared, far more than the {} mentioned; the others are left out",
                    beyond.len()
                ),
            );
        }
        notes.tally(above_declared, |count| {
            let highest = beyond.iter().max().map_or(0, |offset| *offset as i64 + first);
            format!(
                "{} beyond the declared count of {declared}, up to number {highest}; kept",
                counted(count, "state")
            )
        });
        let in_order = beyond.iter().enumerate().all(|(n, offset)| *offset == direct + n as u64);
        if in_order {
            return StateNames::Counted { first: *first };
        }
        let offsets = (0..*direct).chain(beyond.iter().copied());
        StateNames::Listed(offsets.map(|offset| offset as i64 + first).collect())
    }
}

/// How many states a file of `length` bytes may declare without mentioning them.
pub(crate) fn believable(length: usize) -> u64 {
    (length as u64 + (1 << 16)).min(u64::from(u32::MAX) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(numbering: Numbering) -> (Vec<String>, usize) {
        let states = numbering.states() as u32;
        let mut notes = Notes::default();
        let names = numbering.finish(0, &mut notes);
        let listed = (0..states).map(|state| names.name(state).to_string()).collect();
        (listed, notes.locate(b"").len())
    }

    #[test]
    fn numbers_below_the_count_are_indices() {
        let mut numbering = Numbering::new(1, 3, 100);
        assert_eq!(numbering.index(2, 0).unwrap(), 2);
        assert_eq!(names(numbering), (vec!["1".into(), "2".into(), "3".into()], 0));
    }

    #[test]
    fn numbers_beyond_the_count_follow_in_order_of_appearance() {
        let mut numbering = Numbering::new(0, 2, 100);
        assert_eq!(numbering.index(1 << 40, 0).unwrap(), 2);
        assert_eq!(numbering.index(1, 0).unwrap(), 1);
        assert_eq!(numbering.index(2, 0).unwrap(), 3);
        assert_eq!(numbering.index(1 << 40, 0).unwrap(), 2);
        assert_eq!(names(numbering), (vec!["0".into(), "1".into(), (1u64 << 40).to_string(), "2".into()], 1));
    }

    #[test]
    fn an_unbelievable_count_costs_nothing() {
        let mut numbering = Numbering::new(0, u64::MAX, 100);
        assert_eq!(numbering.index(1_000_000_000_000, 0).unwrap(), 0);
        assert_eq!(numbering.index(0, 0).unwrap(), 1);
        assert_eq!(names(numbering), (vec!["1000000000000".into(), "0".into()], 1));
    }
}
