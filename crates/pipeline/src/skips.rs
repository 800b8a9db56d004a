//! Methods that did not run, and why.

use findings::{Outcome, Skip};

/// Nothing, and why.
pub fn skipped<M>(why: Skip) -> Option<Outcome<M>> {
    Some(Outcome::Skipped(why))
}
