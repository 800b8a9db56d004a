//! Conjunctions of literals over numbered atoms, and what several of them cover together.

use super::MAX_ATOMS;

/// When an edge may be taken: some atoms must be true, some must be false. The number of an atom is the
/// number of its bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Guard {
    pub positive: u64,
    pub negative: u64,
}

/// How many more guards may be compared. What guards cover together is hard to find out in general, so all
/// who ask share what they may spend; when it is used up the answer is no.
#[derive(Debug)]
pub(super) struct Effort {
    left: u64,
}

impl Effort {
    pub(super) fn of(comparisons: u64) -> Self {
        Self { left: comparisons }
    }

    fn spend(&mut self, comparisons: usize) -> bool {
        let enough = self.left >= comparisons as u64;
        self.left = self.left.saturating_sub(comparisons as u64);
        enough
    }
}

/// What is spent on dropping guards of parallel edges, and on making shorter ones of those that are left.
const EFFORT_TO_ABSORB: u64 = 50_000_000;
const EFFORT_TO_SIMPLIFY: u64 = 500_000;

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
    /// others.
    pub(super) fn is_covered_by(self, others: &[Self], effort: &mut Effort) -> bool {
        if !effort.spend(others.len()) {
            return false;
        }
        if others.iter().any(|other| self.implies(*other)) {
            return true;
        }
        let Some(other) = others.iter().find(|other| self.and(**other).is_some()) else { return false };
        let open = (other.positive & !self.positive) | (other.negative & !self.negative);
        let literal = open & open.wrapping_neg();
        Self { positive: self.positive | literal, ..self }.is_covered_by(others, effort)
            && Self { negative: self.negative | literal, ..self }.is_covered_by(others, effort)
    }

    /// The guard that holds where one of the two does, if they differ in one literal only.
    pub(super) fn joined(self, other: Self) -> Option<Self> {
        let same_atoms = self.positive | self.negative == other.positive | other.negative;
        let differing = self.positive ^ other.positive;
        (same_atoms && differing.count_ones() == 1)
            .then_some(Self { positive: self.positive & !differing, negative: self.negative & !differing })
    }
}

/// Drops guards that imply another one.
pub(super) fn absorb(guards: &mut Vec<Guard>) {
    let effort = &mut Effort::of(EFFORT_TO_ABSORB);
    // Short ones first; they are few and imply no longer ones.
    guards.sort_unstable_by_key(|guard| (guard.literals().count(), *guard));
    let mut kept: Vec<Guard> = Vec::new();
    for guard in &*guards {
        if !effort.spend(kept.len()) || !kept.iter().any(|kept| guard.implies(*kept)) {
            kept.push(*guard);
        }
    }
    *guards = kept;
}

/// The same disjunction with fewer and shorter guards: neighbours are joined, and what the others cover
/// is dropped. Not always the shortest, but the same for every order of the guards.
pub(super) fn simplify(guards: &mut Vec<Guard>) {
    absorb(guards);
    let effort = &mut Effort::of(EFFORT_TO_SIMPLIFY);
    join(guards, effort);
    shorten(guards, effort);
    // Long guards go first, so that short ones stay.
    guards.sort_unstable_by_key(|guard| (guard.literals().count(), *guard));
    guards.dedup();
    let mut at = guards.len();
    while at > 0 {
        at -= 1;
        let guard = guards.remove(at);
        if !guard.is_covered_by(guards, effort) {
            guards.insert(at, guard);
        }
    }
}

/// Adds guards that two others make together. The two stay, so that one can be joined with several.
fn join(guards: &mut Vec<Guard>, effort: &mut Effort) {
    let mut at = 0;
    while at < guards.len() && effort.spend(at) {
        for other in 0..at {
            if let Some(joined) = guards[at].joined(guards[other])
                && effort.spend(guards.len())
                && !guards.contains(&joined)
            {
                guards.push(joined);
            }
        }
        at += 1;
    }
}

/// Leaves out literals that are not needed, because others cover the case without them.
fn shorten(guards: &mut [Guard], effort: &mut Effort) {
    for at in 0..guards.len() {
        for atom in 0..MAX_ATOMS {
            let bit = 1 << atom;
            let guard = guards[at];
            if (guard.positive | guard.negative) & bit == 0 {
                continue;
            }
            let shorter = Guard { positive: guard.positive & !bit, negative: guard.negative & !bit };
            if shorter.is_covered_by(guards, effort) {
                guards[at] = shorter;
            }
        }
    }
}
