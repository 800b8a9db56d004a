//! Negation normal form, simplified while it is built.
//!
//! The laws are the usual ones (Etessami and Holzmann 2000; Somenzi and Bloem 2000; Babiak, Křetínský,
//! Řehák and Strejček 2012 for terms that can be suspended): constants, absorption by implication,
//! `<><>p = <>p`, `p U (p U q) = p U q`, `(p U r) && (q U r) = (p && q) U r` and so on. Only conjunction,
//! next and until are treated; disjunction and release are their negations. Every law keeps the size or
//! lessens the number of temporal operators, so that the automaton has fewer obligations to remember.

use super::terms::{Term, TermId, Terms};
use super::{Binary, Formula, Step, Unary};

impl Terms {
    /// The normal form of a formula whose atoms have been numbered.
    pub(crate) fn normal_form(&mut self, formula: &Formula<u32>) -> Option<TermId> {
        formula.fold(|step: Step<'_, u32, TermId>| match step {
            Step::Constant(true) => TermId::TRUE,
            Step::Constant(false) => TermId::FALSE,
            Step::Atom(atom) => self.literal(*atom),
            Step::Unary(operator, operand) => match operator {
                Unary::Not => operand.negated(),
                Unary::Next => self.next(operand),
                Unary::Eventually => self.until(TermId::TRUE, operand),
                Unary::Always => self.release(TermId::FALSE, operand),
            },
            Step::Binary(operator, left, right) => match operator {
                Binary::And => self.and(vec![left, right]),
                Binary::Or => self.or(vec![left, right]),
                Binary::Implies => self.or(vec![left.negated(), right]),
                Binary::Equivalent => {
                    let forth = self.or(vec![left.negated(), right]);
                    let back = self.or(vec![left, right.negated()]);
                    self.and(vec![forth, back])
                }
                Binary::Until => self.until(left, right),
                Binary::Release => self.release(left, right),
                Binary::WeakUntil => {
                    let either = self.or(vec![left, right]);
                    self.release(right, either)
                }
            },
        })
    }

    pub(crate) fn or(&mut self, members: Vec<TermId>) -> TermId {
        self.and(members.into_iter().map(TermId::negated).collect()).negated()
    }

    pub(crate) fn release(&mut self, left: TermId, right: TermId) -> TermId {
        self.until(left.negated(), right.negated()).negated()
    }

    /// Takes a little fuel; without it terms are only put together.
    fn may_rewrite(&mut self) -> bool {
        self.fuel = self.fuel.saturating_sub(1);
        self.fuel > 0
    }

    pub(crate) fn and(&mut self, members: Vec<TermId>) -> TermId {
        let mut members: Vec<TermId> =
            members.into_iter().flat_map(|member| self.conjuncts(member)).collect();
        members.sort_unstable();
        members.dedup();
        // Opposites have neighbouring numbers.
        if members.windows(2).any(|pair| pair[0] == pair[1].negated()) || members.contains(&TermId::FALSE) {
            return TermId::FALSE;
        }
        if self.may_rewrite() {
            if self.contradictory(&members) {
                return TermId::FALSE;
            }
            self.absorb(&mut members);
            if let Some(changed) = self.without_refuted_disjuncts(&members) {
                return self.and(changed);
            }
            if let Some(changed) = self.with_two_merged(&members) {
                return self.and(changed);
            }
        }
        match members[..] {
            [] => TermId::TRUE,
            [only] => only,
            _ => self.intern(Term::And(members.into())),
        }
    }

    fn contradictory(&mut self, members: &[TermId]) -> bool {
        members
            .iter()
            .enumerate()
            .any(|(at, member)| members[at + 1..].iter().any(|other| self.implies(*member, other.negated())))
    }

    /// Drops members that another one implies.
    fn absorb(&mut self, members: &mut Vec<TermId>) {
        let mut at = 0;
        while at < members.len() {
            let member = members[at];
            let implied = (0..members.len()).any(|other| other != at && self.implies(members[other], member));
            if implied {
                members.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// `p && (!p || q)` is `p && q`.
    fn without_refuted_disjuncts(&mut self, members: &[TermId]) -> Option<Vec<TermId>> {
        for (at, member) in members.iter().enumerate() {
            if !matches!(self.get(*member), Term::Or(_)) {
                continue;
            }
            let disjuncts = self.disjuncts(*member);
            let mut left = disjuncts.clone();
            left.retain(|disjunct| {
                !members
                    .iter()
                    .enumerate()
                    .any(|(other, reason)| other != at && self.implies(*reason, disjunct.negated()))
            });
            if left.len() < disjuncts.len() {
                let mut changed = members.to_vec();
                changed[at] = self.or(left);
                return Some(changed);
            }
        }
        None
    }

    /// Two members that can be written as one with fewer temporal operators.
    fn with_two_merged(&mut self, members: &[TermId]) -> Option<Vec<TermId>> {
        for (at, member) in members.iter().enumerate() {
            for (later, other) in members.iter().enumerate().skip(at + 1) {
                if let Some(merged) = self.merged(*member, *other) {
                    let mut changed = members.to_vec();
                    changed[at] = merged;
                    changed.remove(later);
                    return Some(changed);
                }
            }
        }
        None
    }

    fn merged(&mut self, one: TermId, other: TermId) -> Option<TermId> {
        let suspendable = self.is_suspendable(one) || self.is_suspendable(other);
        match (self.get(one).clone(), self.get(other).clone()) {
            (Term::Next(one), Term::Next(other)) => {
                let both = self.and(vec![one, other]);
                Some(self.next(both))
            }
            // `<>[]p && <>[]q` is `<>[](p && q)`.
            (Term::Until(TermId::TRUE, one), Term::Until(TermId::TRUE, other)) => {
                let (one, other) = (self.always_of(one)?, self.always_of(other)?);
                let both = self.and(vec![one, other]);
                let always = self.release(TermId::FALSE, both);
                Some(self.until(TermId::TRUE, always))
            }
            (Term::Until(one, then), Term::Until(other, other_then)) if then == other_then => {
                let both = self.and(vec![one, other]);
                Some(self.until(both, then))
            }
            // What can be suspended stays apart: it need not be remembered together with the rest.
            (Term::Release(releasing, one), Term::Release(other_releasing, other))
                if releasing == other_releasing && !suspendable =>
            {
                let both = self.and(vec![one, other]);
                Some(self.release(releasing, both))
            }
            _ => None,
        }
    }

    pub(crate) fn next(&mut self, operand: TermId) -> TermId {
        if self.is_suspendable(operand) {
            return operand;
        }
        self.intern(Term::Next(operand))
    }

    pub(crate) fn until(&mut self, left: TermId, right: TermId) -> TermId {
        if left == TermId::FALSE || matches!(right, TermId::TRUE | TermId::FALSE) {
            return right;
        }
        if self.may_rewrite() {
            if self.is_eventual(right) || self.implies(left, right) {
                return right;
            }
            if left != TermId::TRUE && self.implies(right.negated(), left) {
                return self.until(TermId::TRUE, right);
            }
            if let Some(changed) =
                self.until_by_right(left, right).or_else(|| self.until_by_left(left, right))
            {
                return changed;
            }
        }
        self.intern(Term::Until(left, right))
    }

    fn until_by_right(&mut self, left: TermId, right: TermId) -> Option<TermId> {
        match self.get(right).clone() {
            // `<>(q U r)` is `<>r`, and `p U (q U r)` is `q U r` if p implies q.
            Term::Until(inner, then) => {
                if left == TermId::TRUE {
                    return Some(self.until(TermId::TRUE, then));
                }
                self.implies(left, inner).then_some(right)
            }
            Term::Next(then) => {
                let before = match *self.get(left) {
                    Term::Next(before) => before,
                    Term::Constant(true) => TermId::TRUE,
                    _ => return None,
                };
                let inner = self.until(before, then);
                Some(self.next(inner))
            }
            Term::And(members) => {
                let (apart, rest) = self.parted(&members, Self::is_suspendable)?;
                let rest = self.and(rest);
                let mut all = vec![self.until(left, rest)];
                all.extend(apart);
                Some(self.and(all))
            }
            Term::Or(members) => {
                let (apart, rest) = self.parted(&members, Self::is_eventual)?;
                let rest = self.or(rest);
                let mut all = vec![self.until(left, rest)];
                all.extend(apart);
                Some(self.or(all))
            }
            _ => None,
        }
    }

    fn until_by_left(&mut self, left: TermId, right: TermId) -> Option<TermId> {
        match self.get(left).clone() {
            Term::Until(_, then) if then == right => Some(left),
            // A conjunct that holds wherever the right side does not is not asked for anything.
            Term::And(members) => {
                let before = members.len();
                let mut kept = members.into_vec();
                kept.retain(|member| !self.implies(right.negated(), *member));
                (kept.len() < before).then(|| {
                    let left = self.and(kept);
                    self.until(left, right)
                })
            }
            // A disjunct that implies the right side never helps to wait for it.
            Term::Or(members) => {
                let before = members.len();
                let mut kept = members.into_vec();
                kept.retain(|member| !self.implies(*member, right));
                (kept.len() < before).then(|| {
                    let left = self.or(kept);
                    self.until(left, right)
                })
            }
            _ => None,
        }
    }

    /// The members for which a test holds and the others, unless one of the two is empty.
    fn parted(
        &self,
        members: &[TermId],
        test: fn(&Self, TermId) -> bool,
    ) -> Option<(Vec<TermId>, Vec<TermId>)> {
        let (apart, rest): (Vec<_>, Vec<_>) = members.iter().partition(|member| test(self, **member));
        (!apart.is_empty() && !rest.is_empty()).then_some((apart, rest))
    }
}
