//! Fates: what can still become of a trace that has come to a state.
//!
//! Two questions decide: can it still fail, can it still pass? A trace passes when it ends or goes on
//! for ever without violation. So a state is doomed exactly when the violation is inevitable there.
//!
//! Where a limit cut the exploration short, some states have edges nobody looked at. Then each
//! question is asked twice, once as if those states never failed and once as if they always did, and
//! only what both readings agree on is told.

use crate::{Backward, Exploration, Interrupt, OUTSIDE, Transitions, Watch};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fate {
    /// Every continuation passes.
    Safe,
    /// Some continuations pass, some fail.
    Free,
    /// Every continuation fails.
    Doomed,
    /// Not enough was explored to tell.
    Unknown,
}

/// How many live states have each fate, and how many edges decide one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FateCounts {
    pub safe: u64,
    pub free: u64,
    pub doomed: u64,
    pub unknown: u64,
    /// Edges from free to doomed.
    pub points_of_no_return: u64,
    /// Edges from free to safe.
    pub escapes: u64,
}

#[derive(Debug)]
pub struct Fates {
    /// With the open states taken as harmless: what is found here is certain.
    certain: Backward,
    /// With the open states taken as failing; only after an incomplete exploration.
    possible: Option<Backward>,
}

impl Fates {
    pub fn new<T: Transitions>(
        system: &T,
        explored: &Exploration,
        watch: &dyn Watch,
    ) -> Result<Self, Interrupt> {
        // States beyond a violation may violate again; for CLEAR's colours they count as well.
        let failing = |state: &u32| system.is_violating(*state);
        let certain = Backward::new(system, explored, explored.reached_ascending().filter(failing), watch)?;
        let possible = if explored.open().next().is_some() {
            let open = explored.open().filter(|state| !failing(state));
            let targets = explored.reached_ascending().filter(failing).chain(open);
            Some(Backward::new(system, explored, targets, watch)?)
        } else {
            None
        };
        Ok(Self { certain, possible })
    }

    /// Whether a trace from `state` can certainly fail.
    #[inline]
    pub fn can_fail(&self, state: u32) -> bool {
        self.certain.can_reach(state)
    }

    /// Whether no trace from `state` can fail, for certain.
    #[inline]
    pub fn cannot_fail(&self, state: u32) -> bool {
        !self.possible.as_ref().unwrap_or(&self.certain).can_reach(state)
    }

    pub fn of(&self, state: u32) -> Fate {
        if state == OUTSIDE {
            return Fate::Safe;
        }
        let possible = self.possible.as_ref().unwrap_or(&self.certain);
        if self.certain.inevitable(state) {
            Fate::Doomed
        } else if self.cannot_fail(state) {
            Fate::Safe
        } else if self.certain.can_reach(state) && !possible.inevitable(state) {
            Fate::Free
        } else {
            Fate::Unknown
        }
    }

    /// Counts over the live states and their edges.
    pub fn count<T: Transitions>(&self, system: &T, explored: &Exploration) -> FateCounts {
        let mut counts = FateCounts::default();
        for state in explored.reached_ascending().filter(|state| explored.is_live(*state)) {
            match self.of(state) {
                Fate::Safe => counts.safe += 1,
                Fate::Doomed => counts.doomed += 1,
                Fate::Unknown => counts.unknown += 1,
                Fate::Free => {
                    counts.free += 1;
                    system.successors(state, |_, target| {
                        if target != OUTSIDE && !explored.is_reached(target) {
                            return;
                        }
                        match self.of(target) {
                            Fate::Doomed => counts.points_of_no_return += 1,
                            Fate::Safe => counts.escapes += 1,
                            _ => {}
                        }
                    });
                }
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unwatched;
    use crate::testing::{Fixture, failed, fine};

    /// State 1 can only fail, state 2 can only end, state 3 can go round or fail.
    fn fixture() -> Fixture {
        Fixture::new(
            5,
            &[
                (0, "go", 1),
                (0, "go", 2),
                (0, "over", 2),
                (0, "go", 3),
                (1, "bad", 4),
                (3, "go", 3),
                (3, "bad", 4),
            ],
        )
    }

    #[test]
    fn every_fate_has_its_state() {
        let fixture = fixture();
        let product = fixture.product();
        let explored = Exploration::new(&product, u64::MAX, &Unwatched);
        let fates = Fates::new(&product, &explored, &Unwatched).expect("nobody interrupts");
        let of = |state| fates.of(state);
        assert_eq!([0, 1, 2, 3].map(fine).map(of), [Fate::Free, Fate::Doomed, Fate::Safe, Fate::Free]);
        assert_eq!((of(failed(4)), of(OUTSIDE)), (Fate::Doomed, Fate::Safe));
        let expected = FateCounts {
            safe: 1,
            free: 2,
            doomed: 2,
            unknown: 0,
            points_of_no_return: 2,
            // To state 2, and outside.
            escapes: 2,
        };
        assert_eq!(fates.count(&product, &explored), expected);
    }

    #[test]
    fn what_a_limit_hides_is_unknown() {
        let fixture = fixture();
        let product = fixture.product();
        let explored = Exploration::new(&product, 1, &Unwatched);
        let fates = Fates::new(&product, &explored, &Unwatched).expect("nobody interrupts");
        assert_eq!([0, 1, 2, 3].map(fine).map(|state| fates.of(state)), [Fate::Unknown; 4]);
        assert!(!fates.can_fail(fine(1)) && !fates.cannot_fail(fine(1)));
        // Nothing known: `over` is an escape only for who could have failed.
        assert_eq!(fates.count(&product, &explored), FateCounts { unknown: 4, ..FateCounts::default() });
    }
}
