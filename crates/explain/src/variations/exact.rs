//! The sets of Table 1 over all negatives and all positives of a graph, without writing out a trace.
//!
//! A trace is a positive only if it can no longer become a negative: its last step leads to where no negative
//! goes on. So one backward pass from the last steps of negatives finds where they lead, and another from the
//! last steps of positives. A step lies on such a trace if it leads to a state of that kind.
//!
//! Whether *all* traces of a kind take a key is the question whether one can do without. That is asked for 64
//! keys at once: a state carries a bit for each key without which a trace can come to it.

use std::collections::VecDeque;

use graph::{BitSet, Edge, Exploration, Interrupt, OUTSIDE, Transitions, Watch};

use super::table::{Side, Table};
use crate::pulse::Pulse;

/// How steps are compared.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// The key of each label.
    pub keys: &'a [u32],
    /// The key of the step that fails.
    pub failing: u32,
    /// What of each label goes into the sets, and how many different such things there are.
    pub shown: &'a [u32],
    pub shown_count: usize,
}

/// What is true of all traces.
#[derive(Clone, Debug)]
pub struct Exact {
    pub table: Table,
    /// The states from which a negative goes on.
    pub to_negative: BitSet,
    /// The states from which a positive goes on.
    pub to_positive: BitSet,
}

/// Looks at all traces of a system that was explored completely.
pub fn exact<T: Transitions>(
    system: &T,
    explored: &Exploration,
    compared: &Compared<'_>,
    watch: &dyn Watch,
) -> Result<Exact, Interrupt> {
    let mut pulse = Pulse::new("looking at all variations", watch);
    let passes = Passes { system, explored, compared, sources: Sources::new(system, explored, &mut pulse)? };
    let fails = |label: u32, target: u32| {
        compared.keys[label as usize] == compared.failing
            && target != OUTSIDE
            && system.is_violating(target)
            && system.is_target(target)
    };
    let to_negative = passes.leading_to(&fails, &mut pulse)?;
    let passes_for_good = |label: u32, target: u32| {
        compared.keys[label as usize] == compared.failing
            && (target == OUTSIDE || (!system.is_violating(target) && !to_negative.contains(target)))
    };
    let to_positive = passes.leading_to(&passes_for_good, &mut pulse)?;
    let table = Table {
        negative: passes.side(&to_negative, &fails, &mut pulse)?,
        positive: passes.side(&to_positive, &passes_for_good, &mut pulse)?,
    };
    Ok(Exact { table, to_negative, to_positive })
}

/// The states from which edges lead to each live state that violates nothing.
struct Sources {
    starts: Vec<u32>,
    sources: Vec<u32>,
}

impl Sources {
    fn new<T: Transitions>(
        system: &T,
        explored: &Exploration,
        pulse: &mut Pulse<'_>,
    ) -> Result<Self, Interrupt> {
        let mut starts = vec![0u32; system.bound() + 2];
        for state in going_on(system, explored) {
            system.successors(state, |_, target| {
                if target != OUTSIDE && !system.is_violating(target) {
                    starts[target as usize + 2] += 1;
                }
            });
            pulse.beat(system.degree(state))?;
        }
        for at in 2..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut sources = vec![0; starts.last().map_or(0, |count| *count as usize)];
        for state in going_on(system, explored) {
            system.successors(state, |_, target| {
                if target != OUTSIDE && !system.is_violating(target) {
                    let next = &mut starts[target as usize + 1];
                    sources[*next as usize] = state;
                    *next += 1;
                }
            });
            pulse.beat(system.degree(state))?;
        }
        Ok(Self { starts, sources })
    }

    fn of(&self, state: u32) -> &[u32] {
        let state = state as usize;
        &self.sources[self.starts[state] as usize..self.starts[state + 1] as usize]
    }
}

/// The states from which traces go on.
fn going_on<T: Transitions>(system: &T, explored: &Exploration) -> impl Iterator<Item = u32> {
    explored.reached_ascending().filter(|state| explored.is_live(*state) && !system.is_violating(*state))
}

struct Passes<'a, T> {
    system: &'a T,
    explored: &'a Exploration,
    compared: &'a Compared<'a>,
    sources: Sources,
}

impl<T: Transitions> Passes<'_, T> {
    /// The states from which a trace can come to a last step of some kind, given by its label and target.
    fn leading_to(
        &self,
        is_last: &impl Fn(u32, u32) -> bool,
        pulse: &mut Pulse<'_>,
    ) -> Result<BitSet, Interrupt> {
        let mut leading = BitSet::new(self.system.bound());
        let mut waiting = Vec::new();
        for state in going_on(self.system, self.explored) {
            let mut found = false;
            self.system.successors(state, |label, target| found |= is_last(label, target));
            if found && leading.insert(state) {
                waiting.push(state);
            }
            pulse.beat(self.system.degree(state))?;
        }
        while let Some(state) = waiting.pop() {
            let sources = self.sources.of(state);
            waiting.extend(sources.iter().filter(|source| leading.insert(**source)));
            pulse.beat(sources.len() as u32)?;
        }
        Ok(leading)
    }

    /// What is shown of the traces that end with such a last step; nothing if there are none.
    fn side(
        &self,
        leading: &BitSet,
        is_last: &impl Fn(u32, u32) -> bool,
        pulse: &mut Pulse<'_>,
    ) -> Result<Option<Side>, Interrupt> {
        let Some(shortest) = self.shortest(leading, is_last, pulse)? else { return Ok(None) };
        let mut some = BitSet::new(self.compared.shown_count);
        for state in going_on(self.system, self.explored).filter(|state| leading.contains(*state)) {
            self.system.successors(state, |label, target| {
                let goes_on = target != OUTSIDE && leading.contains(target);
                if goes_on || is_last(label, target) {
                    some.insert(self.compared.shown[label as usize]);
                }
            });
            pulse.beat(self.system.degree(state))?;
        }
        // What all have, the shortest has.
        let mut candidates: Vec<u32> =
            shortest.iter().map(|label| self.compared.shown[*label as usize]).collect();
        candidates.sort_unstable();
        candidates.dedup();
        let mut all = BitSet::new(self.compared.shown_count);
        for some in candidates.chunks(64) {
            let without = self.without(some, leading, is_last, pulse)?;
            for (bit, key) in some.iter().enumerate() {
                if without >> bit & 1 == 0 {
                    all.insert(*key);
                }
            }
        }
        Ok(Some(Side { some, all }))
    }

    /// The labels of a shortest trace that ends with such a last step.
    fn shortest(
        &self,
        leading: &BitSet,
        is_last: &impl Fn(u32, u32) -> bool,
        pulse: &mut Pulse<'_>,
    ) -> Result<Option<Vec<u32>>, Interrupt> {
        let bound = self.system.bound();
        let mut seen = BitSet::new(bound);
        let mut from = vec![Edge { label: 0, state: OUTSIDE }; bound];
        let mut order: Vec<u32> = Vec::new();
        for state in self.system.initial().into_iter().filter(|state| leading.contains(*state)) {
            if seen.insert(state) {
                order.push(state);
            }
        }
        let mut at = 0;
        while let Some(state) = order.get(at).copied() {
            at += 1;
            let mut last = None;
            self.system.successors(state, |label, target| {
                if is_last(label, target) {
                    last.get_or_insert(label);
                } else if target != OUTSIDE && leading.contains(target) && seen.insert(target) {
                    from[target as usize] = Edge { label, state };
                    order.push(target);
                }
            });
            if let Some(last) = last {
                let mut labels = vec![last];
                let mut before = from[state as usize];
                while before.state != OUTSIDE {
                    labels.push(before.label);
                    before = from[before.state as usize];
                }
                return Ok(Some(labels));
            }
            pulse.beat(self.system.degree(state))?;
        }
        Ok(None)
    }

    /// Without which of these keys, at most 64, a trace can come to such a last step and take it, as bits.
    fn without(
        &self,
        keys: &[u32],
        leading: &BitSet,
        is_last: &impl Fn(u32, u32) -> bool,
        pulse: &mut Pulse<'_>,
    ) -> Result<u64, Interrupt> {
        let mut bit_of = vec![0u64; self.compared.shown_count];
        keys.iter().enumerate().for_each(|(bit, key)| bit_of[*key as usize] = 1 << bit);
        let everything = keys.iter().fold(0, |bits, key| bits | bit_of[*key as usize]);
        let mut bits = vec![0u64; self.system.bound()];
        let mut is_waiting = BitSet::new(self.system.bound());
        let mut waiting = VecDeque::new();
        for state in self.system.initial().into_iter().filter(|state| leading.contains(*state)) {
            bits[state as usize] = everything;
            if is_waiting.insert(state) {
                waiting.push_back(state);
            }
        }
        let mut found = 0;
        while let Some(state) = waiting.pop_front() {
            is_waiting.remove(state);
            // What is known already to be possible without need not be carried on.
            let own = bits[state as usize] & !found;
            self.system.successors(state, |label, target| {
                let left = own & !bit_of[self.compared.shown[label as usize] as usize];
                if is_last(label, target) {
                    found |= left;
                } else if target != OUTSIDE && leading.contains(target) && left & !bits[target as usize] != 0
                {
                    bits[target as usize] |= left;
                    if is_waiting.insert(target) {
                        waiting.push_back(target);
                    }
                }
            });
            if found == everything {
                break;
            }
            pulse.beat(self.system.degree(state))?;
        }
        Ok(found)
    }
}
