//! Formulas in negation normal form, each stored once together with its negation.
//!
//! A [`Term`] is a constant, a literal, a conjunction or disjunction of several terms, next, until or
//! release. Equal terms have equal numbers, and the two numbers of a pair of opposites differ in the
//! last bit, so negating costs nothing and every law about conjunction and until is one about
//! disjunction and release as well.

use std::collections::HashMap;

/// The number of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TermId(u32);

impl TermId {
    pub(crate) const TRUE: Self = Self(0);
    pub(crate) const FALSE: Self = Self(1);

    pub(crate) fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A formula in negation normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Term {
    Constant(bool),
    Literal { atom: u32, positive: bool },
    And(Box<[TermId]>),
    Or(Box<[TermId]>),
    Next(TermId),
    Until(TermId, TermId),
    Release(TermId, TermId),
}

impl Term {
    fn negated(&self) -> Self {
        let all = |members: &[TermId]| members.iter().map(|member| member.negated()).collect();
        match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::Literal { atom, positive } => Self::Literal { atom: *atom, positive: !positive },
            Self::And(members) => Self::Or(all(members)),
            Self::Or(members) => Self::And(all(members)),
            Self::Next(operand) => Self::Next(operand.negated()),
            Self::Until(left, right) => Self::Release(left.negated(), right.negated()),
            Self::Release(left, right) => Self::Until(left.negated(), right.negated()),
        }
    }
}

/// What can be seen of a term about the past (Etessami and Holzmann 2000).
#[derive(Clone, Copy, Debug)]
struct Persistence {
    /// If it holds at some position it holds at all earlier ones, so `<>` before it changes nothing.
    eventual: bool,
    /// If it holds at some position it holds at all later ones, so `[]` before it changes nothing.
    universal: bool,
}

/// All terms that have come up.
#[derive(Debug)]
pub(crate) struct Terms {
    terms: Vec<Term>,
    persistence: Vec<Persistence>,
    ids: HashMap<Term, TermId>,
    /// Answers of `implies`, which asks the same questions again and again.
    pub(super) known_implications: HashMap<(TermId, TermId), bool>,
    /// How many more rewriting steps may be tried. A term that is not rewritten is still right.
    pub(super) fuel: u32,
}

impl Terms {
    pub(crate) fn new() -> Self {
        let mut terms = Self {
            terms: Vec::new(),
            persistence: Vec::new(),
            ids: HashMap::new(),
            known_implications: HashMap::new(),
            fuel: 200_000,
        };
        // The first pair has the numbers 0 and 1.
        terms.intern(Term::Constant(true));
        terms
    }

    pub(crate) fn get(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    /// The number of a term as it stands. Members of conjunctions and disjunctions are sorted.
    pub(super) fn intern(&mut self, term: Term) -> TermId {
        if let Some(id) = self.ids.get(&term) {
            return *id;
        }
        let id = TermId(self.terms.len() as u32);
        let negation = term.negated();
        for term in [term, negation] {
            let number = TermId(self.terms.len() as u32);
            let persistence = self.judge(&term);
            self.ids.insert(term.clone(), number);
            self.terms.push(term);
            self.persistence.push(persistence);
        }
        id
    }

    pub(crate) fn literal(&mut self, atom: u32) -> TermId {
        self.intern(Term::Literal { atom, positive: true })
    }

    fn judge(&self, term: &Term) -> Persistence {
        let all = |members: &[TermId], judge: fn(&Self, TermId) -> bool| {
            members.iter().all(|member| judge(self, *member))
        };
        let (eventual, universal) = match term {
            Term::Constant(_) => (true, true),
            Term::Literal { .. } => (false, false),
            Term::And(members) | Term::Or(members) => {
                (all(members, Self::is_eventual), all(members, Self::is_universal))
            }
            Term::Next(operand) => (self.is_eventual(*operand), self.is_universal(*operand)),
            Term::Until(left, right) => {
                let both = [*left, *right];
                let eventual = *left == TermId::TRUE || all(&both, Self::is_eventual);
                (eventual, all(&both, Self::is_universal))
            }
            Term::Release(left, right) => {
                let both = [*left, *right];
                let universal = *left == TermId::FALSE || all(&both, Self::is_universal);
                (all(&both, Self::is_eventual), universal)
            }
        };
        Persistence { eventual, universal }
    }

    pub(crate) fn is_eventual(&self, id: TermId) -> bool {
        self.persistence[id.index()].eventual
    }

    pub(crate) fn is_universal(&self, id: TermId) -> bool {
        self.persistence[id.index()].universal
    }

    /// Holds everywhere or nowhere, as `[]<>p` does: no temporal operator before it changes anything.
    pub(crate) fn is_suspendable(&self, id: TermId) -> bool {
        self.is_eventual(id) && self.is_universal(id)
    }

    /// The members of a conjunction; of another term, itself.
    pub(crate) fn conjuncts(&self, id: TermId) -> Vec<TermId> {
        match self.get(id) {
            Term::And(members) => members.to_vec(),
            Term::Constant(true) => Vec::new(),
            _ => vec![id],
        }
    }

    pub(super) fn disjuncts(&self, id: TermId) -> Vec<TermId> {
        match self.get(id) {
            Term::Or(members) => members.to_vec(),
            Term::Constant(false) => Vec::new(),
            _ => vec![id],
        }
    }

    /// The operand of `<>`.
    pub(crate) fn eventually_of(&self, id: TermId) -> Option<TermId> {
        match self.get(id) {
            Term::Until(TermId::TRUE, operand) => Some(*operand),
            _ => None,
        }
    }

    /// The operand of `[]`.
    pub(crate) fn always_of(&self, id: TermId) -> Option<TermId> {
        match self.get(id) {
            Term::Release(TermId::FALSE, operand) => Some(*operand),
            _ => None,
        }
    }
}
