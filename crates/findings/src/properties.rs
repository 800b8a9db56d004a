//! Several properties of one input, each with its verdict.

use crate::{Property, Reason, Verdict};

/// A property that was to be checked, and what came of it.
#[derive(Clone, Debug)]
pub struct CheckedProperty {
    pub property: Property,
    /// What `-p` says to ask for this property alone; none for everything that is wrong at the end of a trace.
    pub ask: Option<String>,
    pub verdict: Verdict,
    pub reason: Reason,
    /// Its violations, by their `id`.
    pub violations: Vec<u64>,
}

impl CheckedProperty {
    /// The verdict about several properties: one violation is enough, and one that is undecided leaves all open.
    pub fn together(all: &[Self]) -> Verdict {
        let some = |verdict: Verdict| all.iter().any(|one| one.verdict == verdict);
        match (some(Verdict::Violated), some(Verdict::Unknown)) {
            (true, _) => Verdict::Violated,
            (false, true) => Verdict::Unknown,
            (false, false) => Verdict::Holds,
        }
    }
}
