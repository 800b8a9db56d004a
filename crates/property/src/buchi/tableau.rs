//! From a formula to a generalised automaton, by taking steps with sets of obligations.
//!
//! The construction is that of Couvreur (1999) and of Gastin and Oddoux (2001) in one. What remains to be
//! shown of a word is a set of terms, the **obligations**. A term can be met now in several ways; each one
//! is a [`Move`]: literals that must hold now, obligations for the rest of the word, and the promises left
//! open (an until that is put off). A set of obligations is met by one move for each; sets are the states
//! of the automaton, and only those that come up are built.
//!
//! Three things keep it small. A move that asks for more than another one is dropped at once. `[]<>p`
//! takes no `<>p` along: it is a promise of its own, kept on the edges where p is met (Babiak, Křetínský,
//! Řehák and Strejček 2012). And `[]<>p || <>[]q` does not guess at the beginning which of the two it is.

use std::collections::HashMap;
use std::rc::Rc;

use super::generalised::{Arrow, Generalised};
use super::guard::Guard;
use super::{Limits, TranslationError};
use crate::ltl::terms::{Term, TermId, Terms};

/// Sets of obligations and of promises are the bits of one number.
const MAX_OBLIGATIONS: usize = 128;
/// How many comparisons of moves are made before the formula is said to be too large.
const MAX_WORK: u64 = 300_000_000;

/// One way to meet a term now.
#[derive(Clone, Copy, Debug)]
struct Move {
    guard: Guard,
    /// The obligations for the rest of the word.
    next: u128,
    /// The promises left open.
    pending: u128,
}

impl Move {
    const NOTHING: Self = Self { guard: Guard::TRUE, next: 0, pending: 0 };

    fn and(self, other: Self) -> Option<Self> {
        Some(Self {
            guard: self.guard.and(other.guard)?,
            next: self.next | other.next,
            pending: self.pending | other.pending,
        })
    }

    /// Asks for no more than the other one.
    fn is_as_good_as(&self, other: &Self) -> bool {
        other.guard.implies(self.guard) && self.next & !other.next == 0 && self.pending & !other.pending == 0
    }
}

/// The automaton of a term, not yet simplified.
pub(super) fn expand(terms: &Terms, term: TermId, limits: Limits) -> Result<Generalised, TranslationError> {
    let mut tableau = Tableau {
        terms,
        obligations: Vec::new(),
        bits: HashMap::new(),
        moves: HashMap::new(),
        work: 0,
        limits,
    };
    let initial = tableau.obligations_of(term)?;
    let mut numbers = HashMap::from([(initial, 0)]);
    let mut sets = vec![initial];
    let mut states = Vec::new();
    let mut edges = 0;
    while let Some(set) = sets.get(states.len()) {
        let mut arrows = Vec::new();
        for step in tableau.steps(*set)? {
            let fresh = sets.len() as u32;
            let to = *numbers.entry(step.next).or_insert_with(|| {
                sets.push(step.next);
                fresh
            });
            arrows.push(Arrow { to, guard: step.guard, pending: step.pending });
        }
        edges += arrows.len();
        states.push(arrows);
        if sets.len() > limits.states || edges > limits.edges {
            return Err(TranslationError::TooLarge);
        }
    }
    Ok(Generalised { initial: 0, states })
}

struct Tableau<'t> {
    terms: &'t Terms,
    /// The term of each bit.
    obligations: Vec<TermId>,
    bits: HashMap<TermId, u128>,
    moves: HashMap<TermId, Rc<[Move]>>,
    work: u64,
    limits: Limits,
}

impl Tableau<'_> {
    fn bit(&mut self, term: TermId) -> Result<u128, TranslationError> {
        if let Some(bit) = self.bits.get(&term) {
            return Ok(*bit);
        }
        if self.obligations.len() == MAX_OBLIGATIONS {
            return Err(TranslationError::TooLarge);
        }
        let bit = 1 << self.obligations.len();
        self.obligations.push(term);
        self.bits.insert(term, bit);
        Ok(bit)
    }

    fn obligations_of(&mut self, term: TermId) -> Result<u128, TranslationError> {
        self.terms.conjuncts(term).into_iter().try_fold(0, |set, member| Ok(set | self.bit(member)?))
    }

    /// The ways to meet a term. Recursive, but terms are not deep.
    fn moves(&mut self, term: TermId) -> Result<Rc<[Move]>, TranslationError> {
        if let Some(known) = self.moves.get(&term) {
            return Ok(Rc::clone(known));
        }
        let mut ways = Vec::new();
        match self.terms.get(term) {
            Term::Constant(false) => {}
            Term::Constant(true) => ways.push(Move::NOTHING),
            Term::Literal { atom, positive: true } => {
                ways.push(Move { guard: Guard { positive: 1 << atom, negative: 0 }, ..Move::NOTHING });
            }
            Term::Literal { atom, positive: false } => {
                ways.push(Move { guard: Guard { positive: 0, negative: 1 << atom }, ..Move::NOTHING });
            }
            Term::And(members) => {
                ways.push(Move::NOTHING);
                for member in members {
                    let moves = self.moves(*member)?;
                    ways = self.both(&ways, &moves)?;
                }
            }
            Term::Or(members) if self.can_choose_later(term, members) => {
                let bit = self.bit(term)?;
                for member in members {
                    let (goal, recurring) = self.goal(*member);
                    for way in &*self.moves(goal)? {
                        let next = if recurring { way.next | bit } else { way.next };
                        self.add(&mut ways, Move { next, ..*way })?;
                    }
                }
                self.add(&mut ways, Move { next: bit, pending: bit, ..Move::NOTHING })?;
            }
            Term::Or(members) => {
                for member in members {
                    for way in &*self.moves(*member)? {
                        self.add(&mut ways, *way)?;
                    }
                }
            }
            Term::Next(operand) => {
                if *operand != TermId::FALSE {
                    ways.push(Move { next: self.obligations_of(*operand)?, ..Move::NOTHING });
                }
            }
            Term::Until(left, right) => {
                let bit = self.bit(term)?;
                for way in &*self.moves(*right)? {
                    self.add(&mut ways, *way)?;
                }
                for way in &*self.moves(*left)? {
                    let put_off = Move { next: way.next | bit, pending: way.pending | bit, ..*way };
                    self.add(&mut ways, put_off)?;
                }
            }
            Term::Release(left, right) => {
                let bit = self.bit(term)?;
                if let (goal, true) = self.goal(term) {
                    for way in &*self.moves(goal)? {
                        self.add(&mut ways, Move { next: way.next | bit, ..*way })?;
                    }
                    self.add(&mut ways, Move { next: bit, pending: bit, ..Move::NOTHING })?;
                } else {
                    let mut ends = self.moves(*left)?.to_vec();
                    self.add(&mut ends, Move { next: bit, ..Move::NOTHING })?;
                    let kept = self.moves(*right)?;
                    ways = self.both(&kept, &ends)?;
                }
            }
        }
        let ways: Rc<[Move]> = ways.into();
        self.moves.insert(term, Rc::clone(&ways));
        Ok(ways)
    }

    /// The operand of `[]<>`, which is to recur, or of `<>`, which is to come once. Of other terms, itself.
    fn goal(&self, term: TermId) -> (TermId, bool) {
        let recurring = self.terms.always_of(term).and_then(|inner| self.terms.eventually_of(inner));
        match recurring {
            Some(goal) => (goal, true),
            None => (self.terms.eventually_of(term).unwrap_or(term), false),
        }
    }

    /// Whether no choice between the members of a disjunction need be made now, as in `[]<>p || <>[]q`:
    /// it holds everywhere or nowhere, so one can wait for any of its goals and go on with the whole.
    fn can_choose_later(&self, term: TermId, members: &[TermId]) -> bool {
        self.terms.is_suspendable(term) && members.iter().all(|member| self.goal(*member).0 != *member)
    }

    /// Adds a move unless there is one as good, and drops those it makes needless.
    fn add(&mut self, ways: &mut Vec<Move>, way: Move) -> Result<(), TranslationError> {
        self.work += 1 + ways.len() as u64;
        if self.work > MAX_WORK || ways.len() > self.limits.edges {
            return Err(TranslationError::TooLarge);
        }
        if !ways.iter().any(|known| known.is_as_good_as(&way)) {
            ways.retain(|known| !way.is_as_good_as(known));
            ways.push(way);
        }
        Ok(())
    }

    /// All ways to meet two terms at once.
    fn both(&mut self, ones: &[Move], others: &[Move]) -> Result<Vec<Move>, TranslationError> {
        let mut ways = Vec::new();
        for one in ones {
            for other in others {
                if let Some(way) = one.and(*other) {
                    self.add(&mut ways, way)?;
                }
            }
        }
        Ok(ways)
    }

    /// The steps a set of obligations can take.
    fn steps(&mut self, set: u128) -> Result<Vec<Move>, TranslationError> {
        let mut steps = vec![Move::NOTHING];
        for bit in (0..self.obligations.len()).filter(|bit| set >> bit & 1 == 1) {
            let moves = self.moves(self.obligations[bit])?;
            steps = self.both(&steps, &moves)?;
        }
        let mut kept = Vec::new();
        for mut step in steps {
            self.keep_promises(&mut step)?;
            self.add(&mut kept, step)?;
        }
        Ok(kept)
    }

    /// A promise counts as kept if the same step would have been possible while keeping it (Gastin and
    /// Oddoux 2001).
    fn keep_promises(&mut self, step: &mut Move) -> Result<(), TranslationError> {
        let pending = step.pending;
        for bit in (0..self.obligations.len()).filter(|bit| pending >> bit & 1 == 1) {
            let moves = self.moves(self.obligations[bit])?;
            let kept = moves.iter().any(|way| {
                way.pending >> bit & 1 == 0 && step.guard.implies(way.guard) && way.next & !step.next == 0
            });
            if kept {
                step.pending &= !(1 << bit);
            }
        }
        Ok(())
    }
}
