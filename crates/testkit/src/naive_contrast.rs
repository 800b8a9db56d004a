//! What failing traces have and passing traces do not, by the definitions of Leue and Befrouei: every
//! window of every trace is written down, and every subsequence of every trace.

use std::collections::{BTreeMap, BTreeSet};

/// A trace as its events.
pub type Trace = Vec<String>;

/// What there is to say of a substring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// How many failing traces have it.
    pub failing: usize,
    pub passing: usize,
    /// Its earliest position in any failing trace, from 1.
    pub position: usize,
    /// The failing traces that have it.
    pub traces: BTreeSet<usize>,
}

/// All substrings of `length` events of failing traces, with those of them that passing traces have, too.
pub fn substrings(failing: &[Trace], passing: &[Trace], length: usize) -> BTreeMap<Trace, Found> {
    let mut found: BTreeMap<Trace, Found> = BTreeMap::new();
    for (number, trace) in failing.iter().enumerate() {
        for (at, window) in trace.windows(length).enumerate() {
            let entry = found.entry(window.to_vec()).or_insert(Found {
                failing: 0,
                passing: 0,
                position: usize::MAX,
                traces: BTreeSet::new(),
            });
            entry.position = entry.position.min(at + 1);
            entry.traces.insert(number);
        }
    }
    for (window, entry) in &mut found {
        entry.failing = entry.traces.len();
        let has = |trace: &&Trace| trace.windows(length).any(|other| other == &window[..]);
        entry.passing = passing.iter().filter(has).count();
    }
    found
}

/// Whether the events of `pattern` occur in this order in `trace`.
pub fn is_subsequence(pattern: &[u32], trace: &[u32]) -> bool {
    let mut trace = trace.iter();
    pattern.iter().all(|event| trace.any(|other| other == event))
}

/// The patterns of two to `length` events that at least `frequent` failing traces have, fewer than
/// `unusual` passing ones, and into which no event can be inserted without losing a failing trace (one of
/// full length is not asked for that), with how many traces of each kind have them.
pub fn patterns(
    failing: &[Vec<u32>],
    passing: &[Vec<u32>],
    length: usize,
    frequent: usize,
    unusual: usize,
) -> BTreeMap<Vec<u32>, (usize, usize)> {
    let events: BTreeSet<u32> = failing.iter().flatten().copied().collect();
    let support = |pattern: &[u32], traces: &[Vec<u32>]| {
        traces.iter().filter(|trace| is_subsequence(pattern, trace)).count()
    };
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..length {
        let until = all.len();
        for at in from..until {
            for event in &events {
                let mut longer = all[at].clone();
                longer.push(*event);
                all.push(longer);
            }
        }
        from = until;
    }
    let is_closed = |pattern: &Vec<u32>| {
        let own = support(pattern, failing);
        !(0..=pattern.len()).any(|at| {
            events.iter().any(|event| {
                let mut longer = pattern.clone();
                longer.insert(at, *event);
                support(&longer, failing) == own
            })
        })
    };
    let told = all.into_iter().filter(|pattern| {
        pattern.len() >= 2
            && support(pattern, failing) >= frequent
            && support(pattern, passing) < unusual
            && (pattern.len() == length || is_closed(pattern))
    });
    told.map(|pattern| {
        let supports = (support(&pattern, failing), support(&pattern, passing));
        (pattern, supports)
    })
    .collect()
}
