//! What is known where a walk is: when it gets there, and what memory holds then.

use rustc_hash::FxHashMap;

use super::memory::{self, Memory};
use crate::circuit::Circuit;
use crate::solver::Literal;

#[derive(Clone, Debug)]
pub(super) struct State {
    /// True if the branches so far lead here.
    pub(super) guard: Literal,
    /// True if on the way here nothing was wrong and all assumptions held. Kept apart from the guard, because
    /// branches meet again, and what was assumed stays assumed.
    pub(super) sound: Literal,
    pub(super) memory: Memory,
    /// What a call returns: a number of 64 bits, or the bytes of a block.
    pub(super) result: Vec<Literal>,
    pub(super) returns_block: bool,
    /// Which waypoints were met, all before them included.
    pub(super) met: Vec<Literal>,
    /// True if something happened that must not happen before the next waypoint.
    pub(super) lost: Literal,
}

impl State {
    pub(super) fn reached(&self, circuit: &mut Circuit<'_>) -> Literal {
        circuit.and(self.guard, self.sound)
    }

    pub(super) fn is_dead(&self) -> bool {
        self.guard == Literal::FALSE || self.sound == Literal::FALSE
    }
}

/// Remembers how guards were made, so that those of two sides of a branch become that of the branch again.
#[derive(Debug, Default)]
pub(super) struct Guards {
    parts: FxHashMap<Literal, (Literal, Literal)>,
}

impl Guards {
    /// Where the condition holds as well.
    pub(super) fn split(&mut self, circuit: &mut Circuit<'_>, guard: Literal, condition: Literal) -> Literal {
        let both = circuit.and(guard, condition);
        if both != guard && both != condition {
            self.parts.insert(both, (guard, condition));
        }
        both
    }

    fn union(&self, circuit: &mut Circuit<'_>, one: Literal, other: Literal) -> Literal {
        if let (Some((guard, condition)), Some((same, opposite))) =
            (self.parts.get(&one), self.parts.get(&other))
            && guard == same
            && *condition == !*opposite
        {
            return *guard;
        }
        circuit.or(one, other)
    }

    /// The state where several ways meet; at most one of them was gone. What came last is met first, because
    /// the last two sides of a loop's exits are those of one branch.
    pub(super) fn meet(&self, circuit: &mut Circuit<'_>, mut states: Vec<State>) -> Option<State> {
        let mut met = states.pop()?;
        while let Some(state) = states.pop() {
            let when = state.guard;
            met.sound = circuit.choose(when, state.sound, met.sound);
            met.memory.merge(circuit, &state.memory, when);
            met.result = match (met.result.len(), state.result.len()) {
                (mine, yours) if mine == yours => memory::choose(circuit, when, &state.result, &met.result),
                (0, _) => {
                    met.returns_block = state.returns_block;
                    state.result
                }
                _ => met.result,
            };
            met.lost = circuit.choose(when, state.lost, met.lost);
            for (mine, yours) in met.met.iter_mut().zip(&state.met) {
                *mine = circuit.choose(when, *yours, *mine);
            }
            met.guard = self.union(circuit, met.guard, when);
        }
        Some(met)
    }
}
