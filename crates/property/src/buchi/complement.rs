//! The words that an automaton does not accept, as an automaton.
//!
//! In general this is hard, and large. It is easy for two kinds of automata, and nearly all claims that people
//! write, or have made of formulas, are of one of them:
//!
//! - *Weak* ones, in which no cycle has both accepting and other states. A word is rejected if every run on it
//!   comes again and again to states that are not accepting. All runs are followed at once, together with those
//!   that still owe such a visit (Miyano and Hayashi, *Alternating Finite Automata on ω-Words*, 1984).
//! - *Deterministic* ones. A word is rejected if its only run ends, or leaves the accepting states for ever; when
//!   it does so is guessed.

use std::collections::BTreeMap;

use super::guard::{Guard, simplify};
use super::{Automaton, Edge, Limits};

/// Letters are told apart by this many atoms at most at each state.
const MOST_ATOMS: u32 = 10;
/// Sets of states are bits of a number.
const MOST_STATES: usize = 64;

/// A state of the complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ComplementState {
    /// Where the runs are.
    runs: u64,
    /// Of those, the ones that still owe a visit; in a deterministic automaton, whether accepting states are left
    /// for ever.
    owing: u64,
}

impl Automaton {
    /// Accepts exactly the words that this one does not; nothing if it is of neither kind, or becomes too large.
    pub fn complement(&self, limits: Limits) -> Option<Self> {
        if self.states() > MOST_STATES {
            return None;
        }
        let components = self.components();
        let accepting = self.accepting_components();
        // A state on no cycle of accepting states may count as not accepting.
        let rejecting = (0..self.states()).filter(|state| !accepting[components.of_state[*state] as usize]);
        let rejecting = rejecting.fold(0, |set, state| set | 1 << state);
        let is_weak = (0..self.states()).all(|state| {
            rejecting >> state & 1 == 1 || self.is_accepting(state as u32) || !self.is_on_a_cycle(state)
        });
        let start = 1 << self.initial();
        if is_weak {
            return self.explored(
                ComplementState { runs: start, owing: start & !rejecting },
                limits,
                |place| place.owing == 0,
                |place, letter| {
                    let runs = self.read(place.runs, letter);
                    let owing = if place.owing == 0 { runs } else { self.read(place.owing, letter) };
                    vec![ComplementState { runs, owing: owing & !rejecting }]
                },
            );
        }
        let accepting = (0..self.states() as u32).filter(|state| self.is_accepting(*state));
        let accepting = accepting.fold(0, |set, state| set | 1 << state);
        self.is_deterministic().then_some(())?;
        self.explored(
            ComplementState { runs: start, owing: 0 },
            limits,
            |place| place.owing == 1 || place.runs == 0,
            |place, letter| {
                let runs = self.read(place.runs, letter);
                // Whoever has left them for ever meets none.
                let stays = ComplementState { runs, owing: 0 };
                let leaves = ComplementState { runs, owing: 1 };
                let mut next = Vec::new();
                if place.owing == 0 {
                    next.push(stays);
                }
                if runs & accepting == 0 {
                    next.push(leaves);
                }
                next
            },
        )
    }

    fn is_on_a_cycle(&self, state: usize) -> bool {
        let components = self.components();
        let own = components.of_state[state];
        self.edges_from(state as u32).iter().any(|edge| components.of_state[edge.to as usize] == own)
    }

    fn is_deterministic(&self) -> bool {
        (0..self.states() as u32).all(|state| {
            let edges = self.edges_from(state);
            let apart = |at: usize, other: usize| edges[at].guard.and(edges[other].guard).is_none();
            (0..edges.len()).all(|at| (0..at).all(|other| apart(at, other)))
        })
    }

    /// Where all these may go with a letter.
    fn read(&self, states: u64, letter: u64) -> u64 {
        let inside = members(states).flat_map(|state| self.edges_from(state));
        inside.filter(|edge| edge.guard.holds(letter)).fold(0, |set, edge| set | 1 << edge.to)
    }

    /// The automaton with all places that can be reached.
    fn explored(
        &self,
        start: ComplementState,
        limits: Limits,
        is_accepting: impl Fn(ComplementState) -> bool,
        next: impl Fn(ComplementState, u64) -> Vec<ComplementState>,
    ) -> Option<Self> {
        let mut numbers = BTreeMap::from([(start, 0)]);
        let mut places = vec![start];
        let mut edges = Vec::new();
        let mut at = 0;
        while at < places.len() {
            let place = places[at];
            let inside = members(place.runs).flat_map(|state| self.edges_from(state));
            let atoms = inside.fold(0, |atoms, edge| atoms | edge.guard.positive | edge.guard.negative);
            if atoms.count_ones() > MOST_ATOMS {
                return None;
            }
            let mut targets: BTreeMap<u32, Vec<Guard>> = BTreeMap::new();
            // All sets of these atoms, from all of them down to none.
            let mut letter = atoms;
            loop {
                for target in next(place, letter) {
                    let number = *numbers.entry(target).or_insert_with(|| {
                        places.push(target);
                        places.len() as u32 - 1
                    });
                    let guard = Guard { positive: letter, negative: atoms & !letter };
                    targets.entry(number).or_default().push(guard);
                }
                if letter == 0 {
                    break;
                }
                letter = (letter - 1) & atoms;
            }
            for (to, mut guards) in targets {
                simplify(&mut guards);
                edges.extend(guards.into_iter().map(|guard| Edge { from: at as u32, to, guard }));
            }
            if places.len() > limits.states || edges.len() > limits.edges {
                return None;
            }
            at += 1;
        }
        Self::new(0, places.into_iter().map(is_accepting).collect(), edges)
    }
}

fn members(set: u64) -> impl Iterator<Item = u32> {
    (0..MOST_STATES as u32).filter(move |state| set >> state & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::super::Lasso;
    use super::*;

    /// xorshift.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0 % bound
        }
    }

    fn random(random: &mut Random) -> Automaton {
        let states = 1 + random.below(4) as u32;
        let accepting = (0..states).map(|_| random.below(2) == 0).collect();
        let edges = (0..random.below(u64::from(3 * states) + 1)).map(|_| {
            let (asked, wanted) = (random.below(4), random.below(4));
            let guard = Guard { positive: asked & wanted, negative: asked & !wanted };
            let end = |random: &mut Random| random.below(u64::from(states)) as u32;
            Edge { from: end(random), to: end(random), guard }
        });
        let edges = edges.collect();
        Automaton::new(0, accepting, edges).unwrap()
    }

    #[test]
    fn every_word_is_accepted_by_one_of_the_two() {
        let mut numbers = Random(0x1234_5678_9abc_def1);
        let (mut known, mut weak) = (0, 0);
        for _ in 0..4000 {
            let automaton = random(&mut numbers);
            let Some(complement) = automaton.complement(Limits::default()) else { continue };
            known += 1;
            weak += u32::from(!automaton.is_deterministic());
            for _ in 0..30 {
                let length = 1 + numbers.below(5) as usize;
                let letters = (0..length).map(|_| numbers.below(4)).collect();
                let word = Lasso { letters, loop_start: numbers.below(length as u64) as usize };
                assert_ne!(automaton.accepts(&word), complement.accepts(&word), "{automaton:?} {word:?}");
            }
        }
        assert!(known > 1000 && weak > 300, "{known} {weak}");
    }

    #[test]
    fn what_is_neither_weak_nor_deterministic_is_left_alone() {
        let edge = |from, to| Edge { from, to, guard: Guard::TRUE };
        let both = Automaton::new(0, vec![false, true], vec![edge(0, 0), edge(0, 1), edge(1, 0)]).unwrap();
        assert_eq!(both.complement(Limits::default()), None);
    }
}
