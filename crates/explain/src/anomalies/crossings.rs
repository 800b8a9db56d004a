//! Points of no return by event: how often each event decides, and how often it is harmless.
//!
//! The edges from free to doomed states can be many; the events on them are few. The same event usually
//! decides nothing elsewhere: what matters is when it is fatal.

use graph::{Fate, Interrupt, Transitions};

use super::Ground;
use crate::pulse::Pulse;

/// An event that is a point of no return at least once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrossingEvent {
    pub label: u32,
    /// How many edges with this label lead from free to doomed.
    pub crosses: u64,
    /// How many lead from a free state to one from which traces can still pass.
    pub harmless: u64,
}

/// Most often crossing first; those that are never harmless before those that are as often.
pub fn crossings<T: Transitions>(ground: &Ground<'_, T>) -> Result<Vec<CrossingEvent>, Interrupt> {
    let mut counts = vec![(0u64, 0u64); ground.labels];
    let mut pulse = Pulse::new("comparing", ground.watch);
    let states = ground.explored.reached_ascending().filter(|state| ground.goes_on(*state));
    for state in states {
        pulse.beat(ground.system.degree(state))?;
        if ground.fate(state) != Fate::Free {
            continue;
        }
        ground.system.successors(state, |label, target| {
            let (crosses, harmless) = &mut counts[label as usize];
            match ground.fate(target) {
                Fate::Doomed => *crosses += 1,
                Fate::Free | Fate::Safe => *harmless += 1,
                Fate::Elsewhere | Fate::Unknown => {}
            }
        });
    }
    let mut found: Vec<CrossingEvent> = (0..)
        .zip(counts)
        .filter(|(_, (crosses, _))| *crosses > 0)
        .map(|(label, (crosses, harmless))| CrossingEvent { label, crosses, harmless })
        .collect();
    found.sort_by_key(|event| (std::cmp::Reverse(event.crosses), event.harmless, event.label));
    Ok(found)
}

/// Shows every edge with one of these labels out of a free state: its source, its label, and whether it is
/// fatal. What leads to where nothing is known, or to another violation, is left out.
pub fn occurrences<T: Transitions>(
    ground: &Ground<'_, T>,
    is_wanted: impl Fn(u32) -> bool,
    mut show: impl FnMut(u32, u32, bool),
) -> Result<(), Interrupt> {
    let mut pulse = Pulse::new("comparing", ground.watch);
    let states = ground.explored.reached_ascending().filter(|state| ground.goes_on(*state));
    for state in states.filter(|state| ground.fate(*state) == Fate::Free) {
        pulse.beat(ground.system.degree(state))?;
        ground.system.successors(state, |label, target| {
            let is_fatal = match ground.fate(target) {
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
