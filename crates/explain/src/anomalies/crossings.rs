//! Points of no return by statement: how often each decides, and how often it is harmless.
//!
//! The edges from free to doomed states can be many; the statements on them are few. The same statement usually
//! decides nothing elsewhere: what matters is when it is fatal. One statement can have several labels, one for each
//! process that executes it; which ones belong together is for the caller to say.

use graph::{Fate, Interrupt, Transitions};

use super::KnownFates;
use crate::pulse::Pulse;

/// A statement that is a point of no return at least once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrossingStatement {
    /// The number of the statement, as the caller counts.
    pub statement: u32,
    /// How many of its edges lead from free to doomed.
    pub crosses: u64,
    /// How many lead from a state from which traces can pass to another such state.
    pub harmless: u64,
}

/// Most often crossing first; those that are never harmless before those that are as often. `statements` has the number
/// of the statement of each label, below the number of labels.
pub fn crossings<T: Transitions>(
    known_fates: &KnownFates<'_, T>,
    statements: &[u32],
) -> Result<Vec<CrossingStatement>, Interrupt> {
    let mut counts = vec![(0u64, 0u64); statements.len()];
    occurrences(
        known_fates,
        |_| true,
        |_, label, is_fatal| {
            let (crosses, harmless) = &mut counts[statements[label as usize] as usize];
            *(if is_fatal { crosses } else { harmless }) += 1;
        },
    )?;
    let mut found: Vec<CrossingStatement> = (0..)
        .zip(counts)
        .filter(|(_, (crosses, _))| *crosses > 0)
        .map(|(statement, (crosses, harmless))| CrossingStatement { statement, crosses, harmless })
        .collect();
    found.sort_by_key(|one| (std::cmp::Reverse(one.crosses), one.harmless, one.statement));
    Ok(found)
}

/// Shows every edge with one of these labels out of a state from which traces can pass: its source, its label, and
/// whether it is fatal. What leads to where nothing is known, or to another violation, is left out.
pub fn occurrences<T: Transitions>(
    known_fates: &KnownFates<'_, T>,
    is_wanted: impl Fn(u32) -> bool,
    mut show: impl FnMut(u32, u32, bool),
) -> Result<(), Interrupt> {
    let mut pulse = Pulse::new("comparing", known_fates.watch);
    let states = known_fates.explored.reached_ascending().filter(|state| known_fates.goes_on(*state));
    for state in states.filter(|state| matches!(known_fates.fate(*state), Fate::Free | Fate::Safe)) {
        pulse.beat(known_fates.system.degree(state))?;
        known_fates.system.successors(state, |label, target| {
            let is_fatal = match known_fates.fate(target) {
                _ if !is_wanted(label) => None,
                Fate::Doomed => Some(true),
                Fate::Free | Fate::Safe => Some(false),
                Fate::Elsewhere | Fate::Unknown => None,
            };
            is_fatal.into_iter().for_each(|is_fatal| show(state, label, is_fatal));
        });
    }
    Ok(())
}
