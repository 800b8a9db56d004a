//! The seed of a random test, printed so that a failing run can be played again.

use std::hash::{BuildHasher, RandomState};

/// The seed in `WHEREFORE_SEED`, or a fresh one. It is printed, and the test harness shows what a
/// failing test printed.
///
/// # Panics
/// If the variable does not hold a number.
pub fn seed() -> u64 {
    let seed = match std::env::var("WHEREFORE_SEED") {
        Ok(text) => text.parse().expect("WHEREFORE_SEED is a number"),
        Err(_) => RandomState::new().hash_one(std::process::id()),
    };
    #[expect(clippy::print_stdout, reason = "the seed is of no use where nobody sees it")]
    {
        println!("WHEREFORE_SEED={seed}");
    }
    seed
}
