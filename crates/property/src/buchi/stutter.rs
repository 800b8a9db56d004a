//! Whether a formula can tell a word from the same word with letters repeated.
//!
//! Partial-order reduction is sound only for properties that cannot. Without `X` none can. With it one
//! looks for a word that is a repetition both of one that satisfies the formula and of one that does not
//! (Michaud and Duret-Lutz 2015). Both automata are allowed to read the last letter again, which is not
//! accepted if it goes on for ever, and the product of the two is searched for an accepting cycle.

use std::collections::HashMap;

use super::components::Components;
use super::{Automaton, Limits, TranslationError, translate};
use crate::ltl::Formula;

/// How many states the product may have; if it would have more, the answer is no.
const MAX_PRODUCT: usize = 1 << 20;

/// Whether repeating letters never makes a difference to the formula. A no may also mean that it is too
/// large to find out.
pub fn is_stutter_invariant<A: Clone + Ord>(
    formula: &Formula<A>,
    limits: Limits,
) -> Result<bool, TranslationError> {
    if !formula.has_next() {
        return Ok(true);
    }
    let holds = translate(formula, limits)?;
    let fails = translate(&formula.clone().negated(), limits)?;
    let letters = 1_usize.checked_shl(holds.atoms.len() as u32).unwrap_or(usize::MAX);
    let product = [holds.automaton.states(), fails.automaton.states(), 4]
        .iter()
        .fold(letters, |product, factor| product.saturating_mul(*factor));
    if product > MAX_PRODUCT {
        return Ok(false);
    }
    Ok(!share_a_repetition(&holds.automaton, &fails.automaton, letters as u64))
}

/// Where a repeating automaton is: in a state, having read the last letter for the first time or again.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ReadingState {
    state: u32,
    again: bool,
}

impl ReadingState {
    fn is_accepting(self, automaton: &Automaton) -> bool {
        !self.again && automaton.is_accepting(self.state)
    }
}

/// Whether some word repeats both a word of the one and a word of the other automaton.
fn share_a_repetition(one: &Automaton, other: &Automaton, letters: u64) -> bool {
    let start = |automaton: &Automaton| ReadingState { state: automaton.initial(), again: false };
    // Both have read the same letter last; at the beginning none.
    let first = (start(one), start(other), None);
    let mut numbers = HashMap::from([(first, 0)]);
    let mut places = vec![first];
    let mut successors: Vec<Vec<usize>> = Vec::new();
    while let Some(&(left, right, last)) = places.get(successors.len()) {
        let mut found = Vec::new();
        for letter in 0..letters {
            let repeats = last == Some(letter);
            let lefts = moves(one, left, letter, repeats);
            let rights = moves(other, right, letter, repeats);
            for left in &lefts {
                for right in &rights {
                    let place = (*left, *right, Some(letter));
                    let fresh = places.len();
                    found.push(*numbers.entry(place).or_insert_with(|| {
                        places.push(place);
                        fresh
                    }));
                }
            }
        }
        successors.push(found);
    }
    let next = |place: usize| successors[place].iter().copied();
    let components = Components::of(places.len(), next);
    let cycles = components.with_cycles(next);
    let mut visits = vec![(false, false); components.count];
    for (component, (left, right, _)) in components.of_state.iter().zip(&places) {
        let visits = &mut visits[*component as usize];
        visits.0 |= left.is_accepting(one);
        visits.1 |= right.is_accepting(other);
    }
    cycles.iter().zip(visits).any(|(cycle, visits)| *cycle && visits == (true, true))
}

fn moves(automaton: &Automaton, place: ReadingState, letter: u64, repeats: bool) -> Vec<ReadingState> {
    let edges = automaton.edges_from(place.state).iter().filter(|edge| edge.guard.holds(letter));
    let read = edges.map(|edge| ReadingState { state: edge.to, again: false });
    read.chain(repeats.then_some(ReadingState { again: true, ..place })).collect()
}
