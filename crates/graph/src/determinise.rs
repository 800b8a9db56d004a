//! The subset construction (Rabin and Scott 1959).
//!
//! A state of the deterministic automaton is the set of states the nondeterministic one may be in.
//! Only states that read something or accept are worth remembering: two sets that differ in states
//! with nothing but silent moves behave alike, so leaving those out keeps the sets short and merges
//! many of them at once.
//!
//! There can be exponentially many sets. A limit on their number alone would not bound memory and
//! time (the sets may be long, and so may the lists of moves), so both are counted as well.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use thiserror::Error;

use crate::{Dfa, Nfa};

/// The most numbers all sets together may hold: a quarter of a gibibyte.
const MAX_STORED: usize = 1 << 26;
/// The most entries the table of moves may have: a quarter of a gibibyte.
const MAX_TABLE: usize = 1 << 26;
/// The most moves and silent moves to be followed: some seconds.
const MAX_WORK: u64 = 1 << 31;

/// No number of a set.
const UNKNOWN: u32 = Dfa::DEAD - 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the automaton of the property becomes too large; building it was given up at {states} states")]
pub struct TooManyAutomatonStates {
    /// How many states there were when it was given up.
    pub states: usize,
}

impl Nfa {
    /// The deterministic automaton for the same words over letters `0..classes`. All its states can
    /// be reached; it need not be minimal.
    ///
    /// # Panics
    /// If a move names a state or a letter that does not exist.
    pub fn determinise(&self, classes: u32, max_states: usize) -> Result<Dfa, TooManyAutomatonStates> {
        let mut subsets = Subsets::default();
        let mut closure = Closure::new(self);
        let width = classes as usize;
        let mut accepting: Vec<bool> = Vec::new();
        let mut table: Vec<u32> = Vec::new();

        closure.start();
        self.initial.iter().for_each(|state| closure.add(*state));
        subsets.number_of(closure.finish());

        // One list of targets a letter, emptied after every state.
        let mut targets: Vec<Vec<u32>> = vec![Vec::new(); width];
        let mut read: Vec<u32> = Vec::new();
        // A letter mostly leads to a single state: the number of the set behind it, once known.
        let mut behind = vec![UNKNOWN; self.accepting.len()];
        while accepting.len() < subsets.count() {
            if subsets.count() > max_states
                || subsets.count().saturating_mul(width) > MAX_TABLE
                || subsets.members.len() > MAX_STORED
                || closure.work > MAX_WORK
            {
                return Err(TooManyAutomatonStates { states: subsets.count() });
            }
            let members = subsets.members(accepting.len());
            accepting.push(members.iter().any(|member| self.accepting[*member as usize]));
            for member in members {
                let moves = &self.moves[*member as usize];
                closure.work += moves.len() as u64;
                for (class, target) in moves {
                    let list = &mut targets[*class as usize];
                    if list.is_empty() {
                        read.push(*class);
                    }
                    list.push(*target);
                }
            }
            let row = table.len();
            table.resize(row + width, Dfa::DEAD);
            for class in read.drain(..) {
                let list = &mut targets[class as usize];
                let only = if let [only] = list[..] { Some(only as usize) } else { None };
                let known = only.map_or(UNKNOWN, |only| behind[only]);
                let number = if known == UNKNOWN {
                    closure.start();
                    list.iter().for_each(|target| closure.add(*target));
                    let subset = closure.finish();
                    if subset.is_empty() { Dfa::DEAD } else { subsets.number_of(subset) }
                } else {
                    known
                };
                if let Some(only) = only {
                    behind[only] = number;
                }
                table[row + class as usize] = number;
                list.clear();
            }
        }
        Ok(Dfa::new(0, accepting, classes, table))
    }
}

/// The sets seen so far, numbered, all in one list.
#[derive(Default)]
struct Subsets {
    index: HashTable<u32>,
    members: Vec<u32>,
    ends: Vec<usize>,
}

impl Subsets {
    fn count(&self) -> usize {
        self.ends.len()
    }

    fn members(&self, number: usize) -> &[u32] {
        slice(&self.members, &self.ends, number)
    }

    fn number_of(&mut self, subset: &[u32]) -> u32 {
        let Self { index, members, ends } = self;
        let hash_of_subset = hash(subset);
        if let Some(number) =
            index.find(hash_of_subset, |number| slice(members, ends, *number as usize) == subset)
        {
            return *number;
        }
        let number = ends.len() as u32;
        members.extend_from_slice(subset);
        ends.push(members.len());
        index.insert_unique(hash_of_subset, number, |number| hash(slice(members, ends, *number as usize)));
        number
    }
}

fn slice<'a>(members: &'a [u32], ends: &[usize], number: usize) -> &'a [u32] {
    let start = if number == 0 { 0 } else { ends[number - 1] };
    &members[start..ends[number]]
}

fn hash(subset: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    subset.hash(&mut hasher);
    hasher.finish()
}

/// Collects states and what silent moves reach from them.
struct Closure<'a> {
    nfa: &'a Nfa,
    /// The round in which a state was last added.
    added: Vec<u32>,
    round: u32,
    pending: Vec<u32>,
    found: Vec<u32>,
    work: u64,
}

impl<'a> Closure<'a> {
    fn new(nfa: &'a Nfa) -> Self {
        let added = vec![0; nfa.accepting.len()];
        Self { nfa, added, round: 0, pending: Vec::new(), found: Vec::new(), work: 0 }
    }

    fn start(&mut self) {
        if self.round == u32::MAX {
            self.added.fill(0);
            self.round = 0;
        }
        self.round += 1;
        self.found.clear();
    }

    fn add(&mut self, state: u32) {
        self.push(state);
        while let Some(state) = self.pending.pop() {
            let nfa = self.nfa;
            for target in &nfa.silent[state as usize] {
                self.push(*target);
            }
        }
    }

    fn push(&mut self, state: u32) {
        self.work += 1;
        if std::mem::replace(&mut self.added[state as usize], self.round) == self.round {
            return;
        }
        self.pending.push(state);
        let reads = !self.nfa.moves[state as usize].is_empty();
        if reads || self.nfa.accepting[state as usize] {
            self.found.push(state);
        }
    }

    /// The states found, ascending.
    fn finish(&mut self) -> &[u32] {
        self.found.sort_unstable();
        &self.found
    }
}
