//! Fates: what can still become of a trace that has come to a state.
//!
//! Two questions decide: can it still fail, can it still pass? A trace passes when it ends or goes on
//! for ever without violation, and fairly if that is asked for. A trace that ends in a violation other
//! than the one to be explained does neither.
//!
//! Where a limit cut the exploration short, some states have edges nobody looked at. Then each
//! question is asked twice, once as if those states never failed and once as if they always did, and
//! only what both readings agree on is told.

use std::fmt;

use serde::Serialize;

use crate::fair::{fair_states, passing};
use crate::{Backward, BitSet, Exploration, Interrupt, OUTSIDE, Transitions, Watch};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// Some continuation passes, and none fails with the violation to be explained.
    Safe,
    /// Some continuations pass, some fail.
    Free,
    /// Every continuation fails.
    Doomed,
    /// Every continuation fails, but none with the violation to be explained.
    Elsewhere,
    /// Not enough was explored to tell.
    Unknown,
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Which endless traces pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fairness {
    /// Those in which every process moves again and again, or again and again cannot.
    Weak,
    /// All of them.
    None,
}

/// How many live states have each fate, and how many edges decide one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FateCounts {
    pub safe: u64,
    pub free: u64,
    pub doomed: u64,
    pub elsewhere: u64,
    pub unknown: u64,
    /// Edges from free to doomed.
    pub points_of_no_return: u64,
    /// Edges from free to safe.
    pub escapes: u64,
}

#[derive(Debug)]
pub struct Fates {
    /// With the open states taken as harmless: who fails here fails for certain.
    lenient: Reading,
    /// With the open states taken as failing; only after an incomplete exploration.
    strict: Option<Reading>,
}

/// Both questions answered for one way to take the open states.
#[derive(Debug)]
struct Reading {
    failing: Backward,
    passing: Passing,
}

#[derive(Debug)]
enum Passing {
    /// Whoever can avoid failing passes.
    NotFailing,
    /// Whoever can avoid these violations, of which the targets are a part, passes.
    Avoiding(Backward),
    /// Exactly these pass.
    Only(BitSet),
}

impl Reading {
    fn new<T: Transitions>(
        system: &T,
        explored: &Exploration,
        fair: Option<&BitSet>,
        strict: bool,
        watch: &dyn Watch,
    ) -> Result<Self, Interrupt> {
        let violating = |state: &u32| system.is_violating(*state);
        let target = |state: &u32| violating(state) && system.is_target(*state);
        let open = || explored.open().filter(|state| strict && !violating(state));
        // States beyond a violation may violate again; for CLEAR's colours they count as well.
        let targets = explored.reached_ascending().filter(target).chain(open());
        let failing = Backward::new(system, explored, targets, watch)?;
        let passing = if let Some(fair) = fair {
            Passing::Only(passing(system, explored, fair, !strict, watch)?)
        } else if explored.reached_ascending().any(|state| violating(&state) && !target(&state)) {
            let violations = explored.reached_ascending().filter(violating).chain(open());
            Passing::Avoiding(Backward::new(system, explored, violations, watch)?)
        } else {
            Passing::NotFailing
        };
        Ok(Self { failing, passing })
    }

    fn fails(&self, state: u32) -> bool {
        self.failing.can_reach(state)
    }

    fn passes(&self, state: u32) -> bool {
        match &self.passing {
            Passing::NotFailing => !self.failing.inevitable(state),
            Passing::Avoiding(violations) => !violations.inevitable(state),
            Passing::Only(passing) => passing.contains(state),
        }
    }
}

impl Fates {
    pub fn new<T: Transitions>(
        system: &T,
        explored: &Exploration,
        fairness: Fairness,
        watch: &dyn Watch,
    ) -> Result<Self, Interrupt> {
        let fair = (fairness == Fairness::Weak && system.has_processes())
            .then(|| fair_states(system, explored, watch))
            .transpose()?;
        let lenient = Reading::new(system, explored, fair.as_ref(), false, watch)?;
        let strict = explored.open().next().is_some();
        let strict =
            strict.then(|| Reading::new(system, explored, fair.as_ref(), true, watch)).transpose()?;
        Ok(Self { lenient, strict })
    }

    /// Fates that were found in another way: the states from which traces certainly fail and pass, and
    /// those from which they do for all that is known.
    pub fn known(certain: (BitSet, BitSet), possible: (BitSet, BitSet)) -> Self {
        let reading = |fails: BitSet, passes: BitSet| Reading {
            failing: Backward::known(fails),
            passing: Passing::Only(passes),
        };
        Self { lenient: reading(certain.0, possible.1), strict: Some(reading(possible.0, certain.1)) }
    }

    fn strict(&self) -> &Reading {
        self.strict.as_ref().unwrap_or(&self.lenient)
    }

    /// Whether a trace from `state` can certainly fail.
    #[inline]
    pub fn can_fail(&self, state: u32) -> bool {
        self.lenient.fails(state)
    }

    /// Whether no trace from `state` can fail, for certain.
    #[inline]
    pub fn cannot_fail(&self, state: u32) -> bool {
        !self.strict().fails(state)
    }

    /// Whether a trace from `state` passes, for all that is known.
    #[inline]
    pub fn may_pass(&self, state: u32) -> bool {
        state == OUTSIDE || self.lenient.passes(state)
    }

    /// Whether traces from `state` can pass and none can fail, for certain.
    #[inline]
    pub fn is_safe(&self, state: u32) -> bool {
        self.cannot_fail(state) && self.strict().passes(state)
    }

    pub fn of(&self, state: u32) -> Fate {
        if state == OUTSIDE {
            return Fate::Safe;
        }
        let (can_fail, cannot_fail) = (self.can_fail(state), self.cannot_fail(state));
        let (can_pass, cannot_pass) = (self.strict().passes(state), !self.lenient.passes(state));
        if can_fail && cannot_pass {
            Fate::Doomed
        } else if cannot_fail && can_pass {
            Fate::Safe
        } else if can_fail && can_pass {
            Fate::Free
        } else if cannot_fail && cannot_pass {
            Fate::Elsewhere
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
                Fate::Elsewhere => counts.elsewhere += 1,
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
        let fates = Fates::new(&product, &explored, Fairness::Weak, &Unwatched).expect("nobody interrupts");
        let of = |state| fates.of(state);
        assert_eq!([0, 1, 2, 3].map(fine).map(of), [Fate::Free, Fate::Doomed, Fate::Safe, Fate::Free]);
        assert_eq!((of(failed(4)), of(OUTSIDE)), (Fate::Doomed, Fate::Safe));
        let expected = FateCounts {
            safe: 1,
            free: 2,
            doomed: 2,
            elsewhere: 0,
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
        let fates = Fates::new(&product, &explored, Fairness::Weak, &Unwatched).expect("nobody interrupts");
        assert_eq!([0, 1, 2, 3].map(fine).map(|state| fates.of(state)), [Fate::Unknown; 4]);
        assert!(!fates.can_fail(fine(1)) && !fates.cannot_fail(fine(1)));
        // Nothing known: `over` is an escape only for who could have failed.
        assert_eq!(fates.count(&product, &explored), FateCounts { unknown: 4, ..FateCounts::default() });
    }
}
