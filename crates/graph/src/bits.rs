//! A set of small numbers as bits.
//!
//! The passes over big graphs spend their time on one question, "was this state seen?", asked in
//! random order. An eighth of a byte a state keeps the answers in the cache.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set of numbers below `bound`.
    pub fn new(bound: usize) -> Self {
        Self { words: vec![0; bound.div_ceil(64)] }
    }

    #[inline]
    pub fn contains(&self, number: u32) -> bool {
        self.words[number as usize / 64] >> (number % 64) & 1 != 0
    }

    /// Adds a number; false if it was there already.
    #[inline]
    pub fn insert(&mut self, number: u32) -> bool {
        let word = &mut self.words[number as usize / 64];
        let bit = 1 << (number % 64);
        let fresh = *word & bit == 0;
        *word |= bit;
        fresh
    }

    /// Takes a number away; false if it was not there.
    #[inline]
    pub fn remove(&mut self, number: u32) -> bool {
        let word = &mut self.words[number as usize / 64];
        let bit = 1 << (number % 64);
        let known = *word & bit != 0;
        *word &= !bit;
        known
    }

    /// The numbers in the set, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        (0..).step_by(64).zip(&self.words).flat_map(|(base, word)| Ones(*word).map(move |bit| base + bit))
    }
}

/// The places of the ones in a word, ascending.
struct Ones(u64);

impl Iterator for Ones {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let place = self.0.trailing_zeros();
        (self.0 != 0).then(|| {
            self.0 &= self.0 - 1;
            place
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_in_once() {
        let mut set = BitSet::new(130);
        assert!(set.insert(0) && set.insert(63) && set.insert(64) && set.insert(129));
        assert!(!set.insert(64));
        let found: Vec<u32> = (0..130).filter(|number| set.contains(*number)).collect();
        assert_eq!(found, [0, 63, 64, 129]);
        assert_eq!(set.iter().collect::<Vec<_>>(), found);
    }
}
