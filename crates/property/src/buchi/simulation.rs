//! Direct simulation, forwards and backwards.
//!
//! A state simulates another one if it can answer each of its steps, with no more promises pending, by a
//! step into a state that simulates the target again (Dill, Hu and Wong-Toi 1991; for Büchi automata
//! Etessami and Holzmann 2000, Somenzi and Bloem 2000). States that simulate each other are one state,
//! and an edge into a state is not needed next to one into a state that simulates it. The same backwards:
//! states that can be come to in the same ways are one state that goes on like either.
//!
//! Guards are sets of letters, and a step with one guard may be answered by several edges whose guards
//! together cover it.

use super::generalised::{Arrow, Generalised};
use super::guard::{Effort, Guard};

/// What is spent on steps that need several answers, in all.
const EFFORT: u64 = 20_000_000;

/// Which state is simulated by which.
struct Relation {
    states: usize,
    pairs: Vec<bool>,
}

impl Relation {
    fn holds(&self, one: usize, other: usize) -> bool {
        self.pairs[one * self.states + other]
    }

    fn both(&self, one: usize, other: usize) -> bool {
        self.holds(one, other) && self.holds(other, one)
    }

    /// The largest relation in which each edge of the smaller state is answered by edges of the larger.
    /// `from` has the edges of each state, forwards or backwards.
    fn largest(from: &[Vec<Arrow>], admissible: impl Fn(usize, usize) -> bool) -> Self {
        let states = from.len();
        let mut pairs = Vec::with_capacity(states * states);
        for one in 0..states {
            pairs.extend((0..states).map(|other| admissible(one, other)));
        }
        let mut relation = Self { states, pairs };
        let mut guards = Vec::new();
        let mut effort = Effort::of(EFFORT);
        loop {
            let mut changed = false;
            for one in 0..states {
                for other in 0..states {
                    if one != other
                        && relation.holds(one, other)
                        && !relation.answers(&from[one], &from[other], &mut guards, &mut effort)
                    {
                        relation.pairs[one * states + other] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return relation;
            }
        }
    }

    fn answers(
        &self,
        steps: &[Arrow],
        answers: &[Arrow],
        guards: &mut Vec<Guard>,
        effort: &mut Effort,
    ) -> bool {
        steps.iter().all(|step| {
            guards.clear();
            for answer in answers {
                if answer.pending & !step.pending == 0 && self.holds(step.to as usize, answer.to as usize) {
                    if step.guard.implies(answer.guard) {
                        return true;
                    }
                    guards.push(answer.guard);
                }
            }
            step.guard.is_covered_by(guards, effort)
        })
    }

    /// For each state the first one that it simulates and that simulates it.
    fn representatives(&self) -> Vec<u32> {
        let mut representatives: Vec<u32> = Vec::with_capacity(self.states);
        for state in 0..self.states {
            let same = (0..state).find(|other| self.both(state, *other));
            representatives.push(same.map_or(state as u32, |same| representatives[same]));
        }
        representatives
    }
}

impl Generalised {
    /// Joins states that simulate each other and drops edges next to better ones.
    pub(super) fn reduce_forwards(&mut self) {
        let relation = Relation::largest(&self.states, |_, _| true);
        let mut guards = Vec::new();
        let mut effort = Effort::of(EFFORT);
        for arrows in &mut self.states {
            let mut at = 0;
            while at < arrows.len() {
                let arrow = arrows[at];
                guards.clear();
                let better = arrows.iter().enumerate().filter(|(other, better)| {
                    *other != at
                        && better.pending & !arrow.pending == 0
                        && relation.holds(arrow.to as usize, better.to as usize)
                });
                guards.extend(better.map(|(_, better)| better.guard));
                if arrow.guard.is_covered_by(&guards, &mut effort) {
                    arrows.remove(at);
                } else {
                    at += 1;
                }
            }
        }
        self.join(&relation.representatives());
    }

    /// Joins states that are come to in the same ways. Here states accept, all edges of a state alike.
    pub(super) fn reduce_backwards(&mut self) {
        let mut incoming: Vec<Vec<Arrow>> = vec![Vec::new(); self.states.len()];
        for (state, arrows) in self.states.iter().enumerate() {
            for arrow in arrows {
                incoming[arrow.to as usize].push(Arrow { to: state as u32, ..*arrow });
            }
        }
        let initial = self.initial as usize;
        let waiting = |state: usize| self.states[state].first().is_none_or(|arrow| arrow.pending != 0);
        let relation = Relation::largest(&incoming, |one, other| {
            (one != initial || other == initial) && (waiting(one) || !waiting(other))
        });
        let representatives = relation.representatives();
        for (state, representative) in representatives.iter().enumerate() {
            if state != *representative as usize {
                let arrows = std::mem::take(&mut self.states[state]);
                self.states[*representative as usize].extend(arrows);
            }
        }
        self.join(&representatives);
    }
}
