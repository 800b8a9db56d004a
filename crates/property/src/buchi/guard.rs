//! Conjunctions of literals over numbered atoms, and what several of them cover together.

use super::MAX_ATOMS;

/// When an edge may be taken: some atoms must be true, some must be false. The number of an atom is the
/// number of its bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Guard {
    pub positive: u64,
    pub negative: u64,
}

/// How many cases [`Guard::is_covered_by`] tells apart before it says no.
const MAX_CASES: u32 = 4096;

impl Guard {
    /// Holds always.
    pub const TRUE: Self = Self { positive: 0, negative: 0 };

    /// Whether the guard holds where exactly the atoms of `valuation` are true.
    #[inline]
    pub fn holds(self, valuation: u64) -> bool {
        (self.positive & !valuation) | (self.negative & valuation) == 0
    }

    /// The atoms asked for and whether they must be true, in ascending order.
    pub fn literals(self) -> impl Iterator<Item = (usize, bool)> {
        (0..MAX_ATOMS)
            .filter(move |atom| (self.positive | self.negative) >> atom & 1 == 1)
            .map(move |atom| (atom, self.positive >> atom & 1 == 1))
    }

    /// Both; none if they contradict each other.
    pub(super) fn and(self, other: Self) -> Option<Self> {
        let both =
            Self { positive: self.positive | other.positive, negative: self.negative | other.negative };
        (both.positive & both.negative == 0).then_some(both)
    }

    /// Whether the other one holds wherever this one does.
    pub(super) fn implies(self, other: Self) -> bool {
        (other.positive & !self.positive) | (other.negative & !self.negative) == 0
    }

    /// Whether one of the others holds wherever this one does. Tells cases apart along literals of the
    /// others; if that becomes too many cases it says no.
    pub(super) fn is_covered_by(self, others: &[Self]) -> bool {
        let mut fuel = MAX_CASES;
        self.covered(others, &mut fuel)
    }

    fn covered(self, others: &[Self], fuel: &mut u32) -> bool {
        if others.iter().any(|other| self.implies(*other)) {
            return true;
        }
        let Some(other) = others.iter().find(|other| self.and(**other).is_some()) else { return false };
        if *fuel == 0 {
            return false;
        }
        *fuel -= 1;
        let open = (other.positive & !self.positive) | (other.negative & !self.negative);
        let literal = open & open.wrapping_neg();
        Self { positive: self.positive | literal, ..self }.covered(others, fuel)
            && Self { negative: self.negative | literal, ..self }.covered(others, fuel)
    }

    /// The guard that holds where one of the two does, if they differ in one literal only.
    pub(super) fn joined(self, other: Self) -> Option<Self> {
        let same_atoms = self.positive | self.negative == other.positive | other.negative;
        let differing = self.positive ^ other.positive;
        (same_atoms && differing.count_ones() == 1)
            .then_some(Self { positive: self.positive & !differing, negative: self.negative & !differing })
    }
}

/// The same disjunction with fewer and shorter guards: neighbours are joined, and what the others cover
/// is dropped. Not always the shortest, but the same for every order of the guards.
pub(super) fn simplify(guards: &mut Vec<Guard>) {
    guards.sort_unstable();
    guards.dedup();
    // Joining only drops guards when it is done, so that one guard can be joined with several.
    let mut at = 0;
    while at < guards.len() && guards.len() < MAX_CASES as usize {
        for other in 0..at {
            if let Some(joined) = guards[at].joined(guards[other])
                && !guards.contains(&joined)
            {
                guards.push(joined);
            }
        }
        at += 1;
    }
    // A literal that is not needed, because the others cover the case without it.
    for at in 0..guards.len() {
        for atom in 0..MAX_ATOMS {
            let bit = 1 << atom;
            let guard = guards[at];
            if (guard.positive | guard.negative) & bit == 0 {
                continue;
            }
            let shorter = Guard { positive: guard.positive & !bit, negative: guard.negative & !bit };
            if shorter.is_covered_by(guards) {
                guards[at] = shorter;
            }
        }
    }
    // Long guards go first, so that short ones stay.
    guards.sort_unstable_by_key(|guard| (guard.literals().count(), *guard));
    guards.dedup();
    let mut at = guards.len();
    while at > 0 {
        at -= 1;
        let guard = guards.remove(at);
        if !guard.is_covered_by(guards) {
            guards.insert(at, guard);
        }
    }
}
