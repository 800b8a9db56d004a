//! Sets of labels, a bit a label, and the classes that a number of sets make.

use graph::LabelClasses;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LabelSet {
    words: Vec<u64>,
    /// How many labels there are, in the set or not.
    labels: usize,
}

impl LabelSet {
    pub(crate) fn none(labels: usize) -> Self {
        Self { words: vec![0; labels.div_ceil(64)], labels }
    }

    pub(crate) fn all(labels: usize) -> Self {
        Self::none(labels).complement()
    }

    pub(crate) fn insert(&mut self, label: u32) {
        self.words[label as usize / 64] |= 1 << (label % 64);
    }

    pub(crate) fn contains(&self, label: u32) -> bool {
        self.words[label as usize / 64] >> (label % 64) & 1 == 1
    }

    /// How many labels are in both.
    pub(crate) fn count_common(&self, other: &Self) -> usize {
        self.words.iter().zip(&other.words).map(|(one, two)| (one & two).count_ones() as usize).sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    #[must_use]
    pub(crate) fn complement(mut self) -> Self {
        self.words.iter_mut().for_each(|word| *word = !*word);
        // Bits behind the last label stay clear, so that equal sets are equal.
        if let Some(last) = self.words.last_mut().filter(|_| !self.labels.is_multiple_of(64)) {
            *last &= (1 << (self.labels % 64)) - 1;
        }
        self
    }

    #[must_use]
    pub(crate) fn intersection(self, other: &Self) -> Self {
        self.with(other, |one, two| one & two)
    }

    #[must_use]
    pub(crate) fn union(self, other: &Self) -> Self {
        self.with(other, |one, two| one | two)
    }

    /// The labels that are in both or in neither.
    #[must_use]
    pub(crate) fn agreement(self, other: &Self) -> Self {
        self.with(other, |one, two| one ^ two).complement()
    }

    fn with(mut self, other: &Self, join: fn(u64, u64) -> u64) -> Self {
        self.words.iter_mut().zip(&other.words).for_each(|(one, two)| *one = join(*one, *two));
        self
    }
}

/// Labels that are in the same sets are in the same class.
pub(crate) fn classes<'a>(labels: usize, sets: impl IntoIterator<Item = &'a LabelSet>) -> LabelClasses {
    const UNUSED: u32 = u32::MAX;
    let mut class_of = vec![0u32; labels];
    let mut count = 1;
    let mut split: Vec<[u32; 2]> = Vec::new();
    for set in sets {
        split.clear();
        split.resize(count, [UNUSED; 2]);
        count = 0;
        for (label, class) in class_of.iter_mut().enumerate() {
            let new = &mut split[*class as usize][usize::from(set.contains(label as u32))];
            if *new == UNUSED {
                *new = count as u32;
                count += 1;
            }
            *class = *new;
        }
    }
    LabelClasses::by_key(class_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_keep_to_the_labels_there_are() {
        for labels in [0, 1, 63, 64, 65, 130] {
            assert!(LabelSet::all(labels).complement().is_empty());
            assert_eq!(LabelSet::none(labels).agreement(&LabelSet::none(labels)), LabelSet::all(labels));
        }
    }

    #[test]
    fn labels_are_told_apart_by_any_set() {
        let mut even = LabelSet::none(6);
        [0, 2, 4].into_iter().for_each(|label| even.insert(label));
        let mut large = LabelSet::none(6);
        [4, 5].into_iter().for_each(|label| large.insert(label));
        let classes = classes(6, [&even, &large]);
        assert_eq!((0..6).map(|label| classes.of(label)).collect::<Vec<_>>(), [0, 1, 0, 1, 2, 3]);
    }
}
