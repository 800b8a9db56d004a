//! Transition analysis: which steps all negatives take, and which no positive does (the paper's Table 1).

use graph::BitSet;

/// The sets of Table 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    TransNeg,
    TransPos,
    AllNeg,
    AllPos,
    OnlyNeg,
    OnlyPos,
    CauseNeg,
    CausePos,
}

/// The keys in traces of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// Those of some trace.
    pub some: BitSet,
    /// Those of all traces.
    pub all: BitSet,
}

impl Side {
    /// The keys of traces that are given key by key; nothing if there are no traces. `count` is how many
    /// keys there are.
    pub fn of_traces<I: Iterator<Item = u32>>(count: usize, traces: impl Iterator<Item = I>) -> Option<Self> {
        let mut some = BitSet::new(count);
        // In how many traces each key is, and which trace had it last, counted from 1.
        let mut counts = vec![0u64; count];
        let mut last = vec![0u64; count];
        let mut number = 0;
        for trace in traces {
            number += 1;
            for key in trace {
                some.insert(key);
                if std::mem::replace(&mut last[key as usize], number) != number {
                    counts[key as usize] += 1;
                }
            }
        }
        if number == 0 {
            return None;
        }
        let mut all = BitSet::new(count);
        for key in some.iter().filter(|key| counts[*key as usize] == number) {
            all.insert(key);
        }
        Some(Self { some, all })
    }
}

/// Both kinds side by side.
#[derive(Clone, Debug)]
pub struct Table {
    pub negative: Option<Side>,
    pub positive: Option<Side>,
}

impl Table {
    /// A set, ascending; nothing where it says nothing because one of the kinds has no traces.
    pub fn row(&self, row: Row) -> Option<Vec<u32>> {
        let (negative, positive) = (self.negative.as_ref(), self.positive.as_ref());
        let (own, other) = match row {
            Row::TransNeg | Row::AllNeg | Row::OnlyNeg | Row::CauseNeg => (negative?, positive),
            Row::TransPos | Row::AllPos | Row::OnlyPos | Row::CausePos => (positive?, negative),
        };
        Some(match row {
            Row::TransNeg | Row::TransPos => own.some.iter().collect(),
            Row::AllNeg | Row::AllPos => own.all.iter().collect(),
            Row::OnlyNeg | Row::OnlyPos => without(&own.some, &other?.some),
            Row::CauseNeg | Row::CausePos => without(&own.all, &other?.some),
        })
    }
}

fn without(keys: &BitSet, others: &BitSet) -> Vec<u32> {
    keys.iter().filter(|key| !others.contains(*key)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sets_of_two_kinds() {
        let side = |traces: &[&[u32]]| Side::of_traces(6, traces.iter().map(|trace| trace.iter().copied()));
        let table = Table {
            negative: side(&[&[0, 1, 2, 1], &[0, 2, 3]]),
            positive: side(&[&[0, 4], &[4, 3, 0, 5], &[4, 0]]),
        };
        let row = |row| table.row(row).expect("both kinds are there");
        assert_eq!((row(Row::TransNeg), row(Row::TransPos)), (vec![0, 1, 2, 3], vec![0, 3, 4, 5]));
        assert_eq!((row(Row::AllNeg), row(Row::AllPos)), (vec![0, 2], vec![0, 4]));
        assert_eq!((row(Row::OnlyNeg), row(Row::OnlyPos)), (vec![1, 2], vec![4, 5]));
        assert_eq!((row(Row::CauseNeg), row(Row::CausePos)), (vec![2], vec![4]));
    }

    #[test]
    fn without_positives_nothing_is_only_of_negatives() {
        let negative = Side::of_traces(2, std::iter::once([0, 1].into_iter()));
        let table = Table { negative, positive: None };
        assert_eq!(table.row(Row::AllNeg), Some(vec![0, 1]));
        let nothing = [Row::TransPos, Row::AllPos, Row::OnlyNeg, Row::OnlyPos, Row::CauseNeg, Row::CausePos];
        assert!(nothing.iter().all(|row| table.row(*row).is_none()));
    }
}
