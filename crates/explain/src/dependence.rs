//! What follows from what the steps of a trace read and write: the dynamic slice (Korel and Laski 1988), outside of which
//! no statement can matter, and what is wrong because something else is (Pu's Definition 3).
//!
//! A trace is a list of accesses to stretches of memory; what a stretch is a variable of is left to whoever makes the
//! list. [`crate::anomalies`] asks for the steps of a graph that need each other: its footprints are names, not stretches.

use std::collections::BTreeSet;

/// Whose memory it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whose {
    /// A frame: that of the globals, of a call, of a process.
    Frame(u32),
    /// What a call hands back waits here for its caller; the frame is the call's.
    HandedBack(u32),
    /// All that pointers may point to is one place, so what is told errs on the side of dependence.
    Pointed,
}

/// A stretch of memory; `end` is outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stretch {
    pub whose: Whose,
    pub start: u32,
    pub end: u32,
}

impl Stretch {
    pub const POINTED: Self = Self { whose: Whose::Pointed, start: 0, end: 1 };

    pub fn in_frame(frame: u32, (start, end): (u32, u32)) -> Self {
        Self { whose: Whose::Frame(frame), start, end }
    }

    pub fn handed_back(frame: u32) -> Self {
        Self { whose: Whose::HandedBack(frame), start: 0, end: 1 }
    }

    fn meets(self, other: Self) -> bool {
        self.whose == other.whose && self.start < other.end && other.start < self.end
    }

    fn covers(self, part: Self) -> bool {
        self.whose != Whose::Pointed
            && self.whose == part.whose
            && self.start <= part.start
            && part.end <= self.end
    }
}

/// What one step, or a part of it, does: it reads, then it writes.
#[derive(Clone, Debug, Default)]
pub struct Access {
    pub statement: u32,
    pub reads: Vec<Stretch>,
    pub writes: Vec<Stretch>,
    /// Whether what it writes is all that is there afterwards.
    pub overwrites: bool,
    /// Whether the trace depends on it even if nobody reads what it writes.
    pub demands: bool,
    /// Whether its statement only decides where to go: if that is wrong, nothing that it writes on the way is.
    pub decides: bool,
}

impl Access {
    fn drop_overwritten(&self, stretches: &mut BTreeSet<Stretch>) {
        if self.overwrites {
            stretches.retain(|one| !self.writes.iter().any(|write| write.covers(*one)));
        }
    }
}

/// A trace, as what its steps read and write.
#[derive(Debug)]
pub struct Dependence {
    accesses: Vec<Access>,
}

impl Dependence {
    pub fn new(accesses: Vec<Access>) -> Self {
        Self { accesses }
    }

    /// The statements that what is asked of the trace can depend on.
    pub fn slice(&self) -> BTreeSet<u32> {
        let mut wanted = BTreeSet::new();
        let mut slice = BTreeSet::new();
        for access in self.accesses.iter().rev() {
            if access.demands || meet(&access.writes, &wanted) {
                slice.insert(access.statement);
                access.drop_overwritten(&mut wanted);
                wanted.extend(&access.reads);
            }
        }
        slice
    }

    /// The statements that use what these make, at first or second hand, to make something else. These have to be
    /// sorted.
    pub fn transitive(&self, statements: &[u32]) -> BTreeSet<u32> {
        let mut wrong = BTreeSet::new();
        let mut told = BTreeSet::new();
        for access in self.accesses.iter().filter(|access| !access.writes.is_empty()) {
            let is_one = statements.binary_search(&access.statement).is_ok();
            if is_one && access.decides {
                continue;
            }
            if is_one {
                wrong.extend(&access.writes);
            } else if meet(&access.reads, &wrong) {
                told.insert(access.statement);
                wrong.extend(&access.writes);
            } else {
                access.drop_overwritten(&mut wrong);
            }
        }
        told
    }
}

fn meet(some: &[Stretch], others: &BTreeSet<Stretch>) -> bool {
    some.iter().any(|one| others.iter().any(|other| one.meets(*other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Stretch = Stretch { whose: Whose::Frame(0), start: 0, end: 4 };
    const Y: Stretch = Stretch { whose: Whose::Frame(0), start: 4, end: 8 };

    fn assignment(statement: u32, reads: &[Stretch], write: Stretch) -> Access {
        Access {
            statement,
            reads: reads.to_vec(),
            writes: vec![write],
            overwrites: true,
            ..Access::default()
        }
    }

    fn check(statement: u32, read: Stretch) -> Access {
        Access { statement, reads: vec![read], demands: true, ..Access::default() }
    }

    #[test]
    fn what_is_overwritten_does_not_matter() {
        let trace = [assignment(0, &[], X), assignment(1, &[], X), assignment(2, &[], Y), check(3, X)];
        let dependence = Dependence::new(trace.to_vec());
        assert_eq!(dependence.slice(), BTreeSet::from([1, 3]));
        assert_eq!(dependence.transitive(&[0]), BTreeSet::new());
    }

    #[test]
    fn what_is_made_of_something_wrong_is_wrong_unless_it_is_made_anew() {
        let trace =
            [assignment(0, &[], X), assignment(1, &[X], Y), assignment(2, &[], Y), assignment(3, &[Y], X)];
        assert_eq!(Dependence::new(trace.to_vec()).transitive(&[0]), BTreeSet::from([1]));
    }

    #[test]
    fn nothing_that_is_written_behind_pointers_is_all_that_is_there() {
        let pointed = Stretch::POINTED;
        let trace = [assignment(0, &[], pointed), assignment(1, &[], pointed), check(2, pointed)];
        assert_eq!(Dependence::new(trace.to_vec()).slice(), BTreeSet::from([0, 1, 2]));
    }

    #[test]
    fn a_wrong_decision_makes_no_value_wrong() {
        let decision = Access { decides: true, ..assignment(0, &[], X) };
        let trace = vec![decision, assignment(1, &[X], Y)];
        assert_eq!(Dependence::new(trace).transitive(&[0]), BTreeSet::new());
    }
}
