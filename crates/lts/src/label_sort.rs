//! Grouping items by label in time proportional to the items, however many labels there are.

use std::ops::Range;

/// A counting sort that is used over and over: only the labels that occur are ever looked at.
pub(crate) struct LabelSort {
    items: Vec<(u32, u32)>,
    sorted: Vec<u32>,
    /// Per label: how many items it has, then where its next one goes; zero between uses.
    slots: Vec<u32>,
    /// The labels that occur, by first appearance.
    occurring: Vec<u32>,
    ends: Vec<u32>,
}

impl LabelSort {
    pub(crate) fn new(labels: usize) -> Self {
        Self {
            items: Vec::new(),
            sorted: Vec::new(),
            slots: vec![0; labels],
            occurring: Vec::new(),
            ends: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, label: u32, item: u32) {
        let slot = &mut self.slots[label as usize];
        if *slot == 0 {
            self.occurring.push(label);
        }
        *slot += 1;
        self.items.push((label, item));
    }

    /// Groups what was pushed since the last call.
    pub(crate) fn sort(&mut self) {
        self.ends.clear();
        let mut sum = 0;
        for label in &self.occurring {
            let slot = &mut self.slots[*label as usize];
            sum += std::mem::replace(slot, sum);
            self.ends.push(sum);
        }
        self.sorted.clear();
        self.sorted.resize(self.items.len(), 0);
        for (label, item) in self.items.drain(..) {
            let slot = &mut self.slots[label as usize];
            self.sorted[*slot as usize] = item;
            *slot += 1;
        }
        for label in self.occurring.drain(..) {
            self.slots[label as usize] = 0;
        }
    }

    /// The groups, by first appearance of their labels; items in the order in which they were pushed.
    pub(crate) fn groups(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.ends.len()).map(|group| &self.sorted[self.range(group)])
    }

    fn range(&self, group: usize) -> Range<usize> {
        let start = if group == 0 { 0 } else { self.ends[group - 1] };
        start as usize..self.ends[group] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_by_first_appearance() {
        let mut sort = LabelSort::new(4);
        for (label, item) in [(3, 10), (1, 11), (3, 12), (0, 13), (1, 14)] {
            sort.push(label, item);
        }
        sort.sort();
        assert_eq!(sort.groups().collect::<Vec<_>>(), [&[10, 12][..], &[11, 14], &[13]]);
        sort.push(1, 7);
        sort.sort();
        assert_eq!(sort.groups().collect::<Vec<_>>(), [[7]]);
        sort.sort();
        assert_eq!(sort.groups().count(), 0);
    }
}
