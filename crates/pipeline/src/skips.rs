//! Methods that did not run, and why.

use encode::solver::Stop;
use findings::{Outcome, Skip, Unsolved};

/// Nothing, and why.
pub fn skipped<M>(why: Skip) -> Option<Outcome<M>> {
    Some(Outcome::none(why))
}

/// Nothing, because a solver came to no answer.
pub fn unsolved(stop: Stop) -> Skip {
    match stop {
        Stop::Interrupted(interrupt) => Skip::Interrupted(interrupt),
        stop => Skip::Unsolved(no_answer(stop)),
    }
}

/// Why a solver came to no answer.
pub fn no_answer(stop: Stop) -> Unsolved {
    match stop {
        Stop::Interrupted(interrupt) => Unsolved::Interrupted(interrupt),
        Stop::Conflicts(limit) => Unsolved::Conflicts(limit),
        Stop::TooLarge => Unsolved::TooLarge,
        Stop::GaveUp => Unsolved::GaveUp,
    }
}
