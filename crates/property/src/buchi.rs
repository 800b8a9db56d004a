//! Small automata for temporal formulas.
//!
//! A Büchi automaton reads an infinite word of valuations and accepts it if one of its runs visits
//! accepting states infinitely often. [`translate`] makes one that accepts exactly the words of which a
//! formula holds. To find a trace that violates a property, translate its negation and search the product
//! for an accepting cycle.
//!
//! The way of a formula: atoms are numbered; it is put into negation normal form and simplified
//! (`ltl::normal_form`); obligations become a generalised automaton (`tableau`), which is made smaller
//! (`reduction`, `simulation`); its several acceptance conditions become one on states (`degeneralise`);
//! and that is made smaller once more. All of it is deterministic, and limits end in an error.

mod accepts;
mod classify;
mod complement;
mod components;
mod degeneralise;
mod generalised;
mod guard;
mod reduction;
mod simulation;
mod stutter;
mod tableau;

use std::collections::BTreeMap;

pub use accepts::Lasso;
pub use guard::Guard;
pub use stutter::is_stutter_invariant;

use self::degeneralise::{Way, degeneralise};
use self::generalised::Generalised;
use self::reduction::reduce_accepting_states;
use crate::ltl::Formula;
use crate::ltl::terms::Terms;

/// A valuation of the atoms of a formula is one number.
pub const MAX_ATOMS: usize = 64;
/// Formulas nested deeper than this are refused.
pub const MAX_DEPTH: usize = 250;
/// Formulas with more operators, atoms and constants than this are refused.
pub const MAX_SIZE: usize = 5_000;

/// How large an automaton may become while it is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub states: usize,
    pub edges: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { states: 5_000, edges: 50_000 }
    }
}

/// Why there is no automaton for a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TranslationError {
    #[error("the formula is nested {0} deep, and {MAX_DEPTH} is the limit")]
    TooDeep(usize),
    #[error("the formula has {0} operators and operands, and {MAX_SIZE} is the limit")]
    TooLong(usize),
    #[error("the formula has {0} different atoms, and {MAX_ATOMS} is the limit")]
    TooManyAtoms(usize),
    #[error("the automaton of the formula becomes too large")]
    TooLarge,
}

/// A Büchi automaton whose edges are guarded by literals over numbered atoms.
///
/// States are numbered from 0 in the order of a breadth-first search; every one can be reached, and from
/// every one, except perhaps the initial one, an accepted word can still be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    initial: u32,
    accepting: Vec<bool>,
    /// Where the edges of each state begin; one more entry than there are states.
    first: Vec<u32>,
    edges: Vec<Edge>,
}

/// An edge: if `guard` holds of the letter that is read, the automaton may go from `from` to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    pub guard: Guard,
}

impl Automaton {
    /// The automaton with these edges. States are numbered below the length of `accepting`; none if the
    /// initial state or an end of an edge is not among them.
    pub fn new(initial: u32, accepting: Vec<bool>, mut edges: Vec<Edge>) -> Option<Self> {
        let states = accepting.len();
        let known = |state: u32| (state as usize) < states;
        if !known(initial) || edges.iter().any(|edge| !known(edge.from) || !known(edge.to)) {
            return None;
        }
        edges.sort_unstable();
        let first =
            (0..=states).map(|state| edges.partition_point(|edge| (edge.from as usize) < state) as u32);
        Some(Self { initial, first: first.collect(), accepting, edges })
    }

    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    pub fn initial(&self) -> u32 {
        self.initial
    }

    pub fn is_accepting(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    /// All edges, in ascending order of the states they leave.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The edges that leave a state.
    pub fn edges_from(&self, state: u32) -> &[Edge] {
        &self.edges[self.first[state as usize] as usize..self.first[state as usize + 1] as usize]
    }
}

/// A formula as an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation<A> {
    /// What the numbers in guards stand for.
    pub atoms: Vec<A>,
    pub automaton: Automaton,
}

/// A small automaton that accepts the words of which the formula holds.
pub fn translate<A: Clone + Ord>(
    formula: &Formula<A>,
    limits: Limits,
) -> Result<Translation<A>, TranslationError> {
    if formula.depth() > MAX_DEPTH {
        return Err(TranslationError::TooDeep(formula.depth()));
    }
    if formula.size() > MAX_SIZE {
        return Err(TranslationError::TooLong(formula.size()));
    }
    let (atoms, numbered) = number_atoms(formula);
    if atoms.len() > MAX_ATOMS {
        return Err(TranslationError::TooManyAtoms(atoms.len()));
    }
    let mut terms = Terms::new();
    let term = terms.normal_form(&numbered).ok_or(TranslationError::TooLarge)?;
    let mut generalised = tableau::expand(&terms, term, limits)?;
    generalised.reduce();
    let mut smallest: Option<Generalised> = None;
    for way in Way::ALL {
        let candidate = reduce_accepting_states(degeneralise(&generalised, way, limits)?);
        if smallest.as_ref().is_none_or(|smallest| candidate.size() < smallest.size()) {
            smallest = Some(candidate);
        }
    }
    let automaton = smallest.and_then(Generalised::finish).ok_or(TranslationError::TooLarge)?;
    Ok(Translation { atoms, automaton })
}

/// The distinct atoms in the order of their first occurrence, and the formula over their numbers.
fn number_atoms<A: Clone + Ord>(formula: &Formula<A>) -> (Vec<A>, Formula<u32>) {
    let mut numbers: BTreeMap<&A, u32> = BTreeMap::new();
    let mut atoms = Vec::new();
    for atom in formula.atoms() {
        numbers.entry(atom).or_insert_with(|| {
            atoms.push(atom.clone());
            atoms.len() as u32 - 1
        });
    }
    let numbered = formula.map_atoms(|atom| numbers[atom]);
    (atoms, numbered)
}

impl Generalised {
    /// In its final form.
    fn finish(self) -> Option<Automaton> {
        let accepting = self.states.iter().map(|arrows| arrows.iter().any(|arrow| arrow.pending == 0));
        let accepting = accepting.collect();
        let edges = self.states.iter().enumerate().flat_map(|(from, arrows)| {
            arrows.iter().map(move |arrow| Edge { from: from as u32, to: arrow.to, guard: arrow.guard })
        });
        Automaton::new(self.initial, accepting, edges.collect())
    }
}
