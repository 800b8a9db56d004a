//! The seed of a random test, printed so that a failing run can be played again.

use std::hash::{BuildHasher, RandomState};

/// What tests begin with when nobody says otherwise: the same on every machine, so that a run that fails
/// does so because of the change at hand.
const USUAL: u64 = 2012;

/// The seed in `WHEREFORE_SEED` (a number, or `random` for a fresh one), or the usual one. It is printed,
/// and the test harness shows what a failing test printed.
///
/// # Panics
/// If the variable holds anything else.
pub fn seed() -> u64 {
    let seed = match std::env::var("WHEREFORE_SEED") {
        Ok(text) if text == "random" => RandomState::new().hash_one(std::process::id()),
        Ok(text) => text.parse().expect("WHEREFORE_SEED is a number or `random`"),
        Err(_) => USUAL,
    };
    #[expect(clippy::print_stdout, reason = "the seed is of no use where nobody sees it")]
    {
        println!("WHEREFORE_SEED={seed}");
    }
    seed
}
