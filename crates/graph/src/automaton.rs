//! Finite automata over classes of labels.
//!
//! A property looks at labels only through its predicates, so labels that satisfy the same
//! predicates are one letter: [`LabelClasses`]. That keeps the alphabet at a handful of letters even
//! for a graph with tens of thousands of labels. [`Nfa::determinise`] is the subset construction,
//! [`Dfa::trim_and_minimise`] Hopcroft's partition refinement.

use std::collections::BTreeMap;

/// Which letter each label is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelClasses {
    class_of: Vec<u32>,
    count: u32,
}

impl LabelClasses {
    /// Labels with equal keys become one class; classes are numbered by first label.
    pub fn by_key<K: Ord>(keys: impl IntoIterator<Item = K>) -> Self {
        let mut seen = BTreeMap::new();
        let class_of = keys
            .into_iter()
            .map(|key| {
                let next = seen.len() as u32;
                *seen.entry(key).or_insert(next)
            })
            .collect();
        Self { class_of, count: seen.len() as u32 }
    }

    /// The class of label number `label`.
    #[inline]
    pub fn of(&self, label: u32) -> u32 {
        self.class_of[label as usize]
    }

    pub fn count(&self) -> u32 {
        self.count
    }

    /// One label of every class, in class order.
    pub fn representatives(&self) -> Vec<u32> {
        let mut found = vec![u32::MAX; self.count as usize];
        for (label, class) in self.class_of.iter().enumerate().rev() {
            found[*class as usize] = label as u32;
        }
        found
    }
}

/// A nondeterministic automaton with silent moves.
#[derive(Clone, Debug, Default)]
pub struct Nfa {
    pub initial: Vec<u32>,
    pub accepting: Vec<bool>,
    /// Per state: (class, target).
    pub moves: Vec<Vec<(u32, u32)>>,
    /// Per state: targets reached without reading.
    pub silent: Vec<Vec<u32>>,
}

impl Nfa {
    pub fn add_state(&mut self) -> u32 {
        self.accepting.push(false);
        self.moves.push(Vec::new());
        self.silent.push(Vec::new());
        self.accepting.len() as u32 - 1
    }
}

/// A deterministic automaton. Reading a letter it has no move for leads to [`Dfa::DEAD`], from where
/// nothing is accepted any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dfa {
    initial: u32,
    accepting: Vec<bool>,
    classes: u32,
    /// `table[state * classes + class]`.
    table: Vec<u32>,
}

impl Dfa {
    pub const DEAD: u32 = u32::MAX;

    /// # Panics
    /// If the table does not have a row of `classes` entries for every state, or names a state that
    /// does not exist.
    pub fn new(initial: u32, accepting: Vec<bool>, classes: u32, table: Vec<u32>) -> Self {
        assert_eq!(table.len(), accepting.len() * classes as usize);
        let known = |state: u32| (state as usize) < accepting.len();
        assert!(known(initial) && table.iter().all(|state| *state == Self::DEAD || known(*state)));
        Self { initial, accepting, classes, table }
    }

    pub fn initial(&self) -> u32 {
        self.initial
    }

    pub fn state_count(&self) -> usize {
        self.accepting.len()
    }

    pub fn class_count(&self) -> u32 {
        self.classes
    }

    #[inline]
    pub fn accepts(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    /// Where `state` goes on reading `class`; [`Dfa::DEAD`] if nowhere.
    #[inline]
    pub fn next(&self, state: u32, class: u32) -> u32 {
        self.table[state as usize * self.classes as usize + class as usize]
    }
}
