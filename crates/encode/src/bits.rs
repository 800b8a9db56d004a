//! Bit-vectors: one literal a bit, the lowest first.
//!
//! A vector is only its bits; whether they stand for a signed or an unsigned number is said by the operation.
//! Results have the width of the operands and wrap around, as in a machine. Operands of one operation have the
//! same width, except where it says otherwise; widths are the caller's, not the input's, so a wrong one is a
//! mistake in the program and panics.

use crate::solver::{Literal, Solver};

/// Up to 64 literals that stand for a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits(Vec<Literal>);

/// The widest vector.
pub const WIDEST: usize = 64;

impl Bits {
    /// The lowest first.
    ///
    /// # Panics
    /// Unless there are 1 to 64.
    pub fn new(literals: impl IntoIterator<Item = Literal>) -> Self {
        let literals: Vec<Literal> = literals.into_iter().collect();
        assert!((1..=WIDEST).contains(&literals.len()), "a vector of {} bits", literals.len());
        Self(literals)
    }

    /// The lowest `width` bits of a number.
    pub fn constant(width: usize, value: i64) -> Self {
        Self::new((0..width).map(|bit| Literal::constant(value >> bit & 1 == 1)))
    }

    pub fn bit(literal: Literal) -> Self {
        Self(vec![literal])
    }

    pub fn width(&self) -> usize {
        self.0.len()
    }

    pub fn literals(&self) -> &[Literal] {
        &self.0
    }

    /// The bit that is the sign of signed numbers.
    pub fn top(&self) -> Literal {
        self.0[self.0.len() - 1]
    }

    /// The unsigned number, if all bits are constants.
    pub fn known(&self) -> Option<u64> {
        self.0
            .iter()
            .enumerate()
            .try_fold(0, |number, (at, bit)| Some(number | u64::from(bit.known()?) << at))
    }

    /// The bits from `low` on, `width` of them.
    pub fn slice(&self, low: usize, width: usize) -> Self {
        Self::new(self.0[low..low + width].iter().copied())
    }

    /// The lowest bits.
    pub fn truncate(&self, width: usize) -> Self {
        self.slice(0, width)
    }

    pub fn zero_extend(&self, width: usize) -> Self {
        self.extend(width, Literal::FALSE)
    }

    pub fn sign_extend(&self, width: usize) -> Self {
        self.extend(width, self.top())
    }

    /// Cut or extended, as the sign says.
    pub fn resize(&self, width: usize, signed: bool) -> Self {
        if width <= self.width() {
            self.truncate(width)
        } else if signed {
            self.sign_extend(width)
        } else {
            self.zero_extend(width)
        }
    }

    fn extend(&self, width: usize, with: Literal) -> Self {
        assert!(width >= self.width(), "an extension to fewer bits");
        Self::new(self.0.iter().copied().chain(std::iter::repeat(with)).take(width))
    }

    /// These bits, and above them those of `high`.
    pub fn concat(&self, high: &Self) -> Self {
        Self::new(self.0.iter().chain(&high.0).copied())
    }

    pub fn not(&self) -> Self {
        Self(self.0.iter().map(|bit| !*bit).collect())
    }

    /// The number in the solver's model.
    pub fn unsigned_value(&self, solver: &Solver<'_>) -> u64 {
        self.0.iter().enumerate().fold(0, |number, (at, bit)| number | u64::from(solver.is_true(*bit)) << at)
    }

    /// The number in the solver's model.
    pub fn signed_value(&self, solver: &Solver<'_>) -> i64 {
        let spare = WIDEST - self.width();
        (self.unsigned_value(solver) << spare) as i64 >> spare
    }

    pub(crate) fn zip_with(&self, other: &Self, mut with: impl FnMut(Literal, Literal) -> Literal) -> Self {
        assert_eq!(self.width(), other.width(), "operands of different widths");
        Self(self.0.iter().zip(&other.0).map(|(one, other)| with(*one, *other)).collect())
    }
}
