//! Whether one term implies another for a reason that can be seen (after Somenzi and Bloem 2000).
//!
//! The rules are sound and far from complete. Every one asks about smaller terms, so the recursion ends,
//! no deeper than the two terms together; answers are kept, and when the fuel is used up the answer is no.

use super::terms::{Term, TermId, Terms};

impl Terms {
    pub(crate) fn implies(&mut self, left: TermId, right: TermId) -> bool {
        if left == right || left == TermId::FALSE || right == TermId::TRUE {
            return true;
        }
        if left == TermId::TRUE || right == TermId::FALSE {
            return false;
        }
        if let Some(known) = self.known_implications.get(&(left, right)) {
            return *known;
        }
        if self.fuel == 0 {
            return false;
        }
        self.fuel -= 1;
        let answer = self.implies_by_left(left, right) || self.implies_by_right(left, right);
        self.known_implications.insert((left, right), answer);
        // The contraposition is the same fact.
        self.known_implications.insert((right.negated(), left.negated()), answer);
        answer
    }

    /// Reasons that take the left term apart.
    fn implies_by_left(&mut self, left: TermId, right: TermId) -> bool {
        match self.get(left).clone() {
            Term::Constant(_) | Term::Literal { .. } => false,
            Term::And(members) => members.iter().any(|member| self.implies(*member, right)),
            Term::Or(members) => members.iter().all(|member| self.implies(*member, right)),
            Term::Next(operand) => {
                let same = match *self.get(right) {
                    Term::Next(other) => self.implies(operand, other),
                    _ => false,
                };
                same || (self.is_eventual(right) && self.implies(operand, right))
            }
            Term::Until(before, then) => {
                let same = match *self.get(right) {
                    Term::Until(other_before, other_then) => {
                        self.implies(before, other_before) && self.implies(then, other_then)
                    }
                    _ => false,
                };
                same || self.implies(then, right) && (self.is_eventual(right) || self.implies(before, right))
            }
            Term::Release(releasing, kept) => {
                let same = match *self.get(right) {
                    Term::Release(other_releasing, other_kept) => {
                        self.implies(releasing, other_releasing) && self.implies(kept, other_kept)
                    }
                    _ => false,
                };
                same || self.implies(kept, right)
            }
        }
    }

    /// Reasons that take the right term apart.
    fn implies_by_right(&mut self, left: TermId, right: TermId) -> bool {
        match self.get(right).clone() {
            Term::Constant(_) | Term::Literal { .. } => false,
            Term::And(members) => members.iter().all(|member| self.implies(left, *member)),
            Term::Or(members) => members.iter().any(|member| self.implies(left, *member)),
            Term::Next(operand) => self.is_universal(left) && self.implies(left, operand),
            Term::Until(_, then) => self.implies(left, then),
            Term::Release(releasing, kept) => {
                self.implies(left, kept) && (self.is_universal(left) || self.implies(left, releasing))
            }
        }
    }
}
