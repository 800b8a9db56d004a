//! Numbers of the evaluator in as few bits as their range needs.
//!
//! The evaluator computes in 64 bits; circuits of 64 bits where 8 suffice are what makes solvers slow. So a value
//! carries the numbers between which it lies, and has only the bits these need. Bounds come from the bits
//! themselves (constant and repeated ones at the top say nothing) and from what operations cannot exceed.

use model::Scalar;

use crate::bits::{Bits, WIDEST};
use crate::solver::{Literal, Solver};

/// A number from -2^63 to 2^63 - 1, and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    bits: Bits,
    /// Whether the top bit weighs below zero; vectors of 64 bits are always signed.
    signed: bool,
    low: i64,
    high: i64,
}

impl Value {
    pub fn constant(number: i64) -> Self {
        let (width, signed) = needed(number, number);
        Self { bits: Bits::constant(width, number), signed, low: number, high: number }
    }

    /// 0 or 1.
    pub fn truth(literal: Literal) -> Self {
        Self::new(Bits::bit(literal), false)
    }

    /// What the bits stand for; 64 bits stand for a signed number whatever is said, as in the evaluator.
    pub fn new(bits: Bits, signed: bool) -> Self {
        let mut signed = signed || bits.width() == WIDEST;
        let literals = bits.literals();
        let mut width = literals.len();
        while width > 1 {
            let top = literals[width - 1];
            if top == Literal::FALSE {
                signed = false;
            } else if !signed || top != literals[width - 2] {
                break;
            }
            width -= 1;
        }
        if literals[width - 1] == Literal::FALSE {
            signed = false;
        }
        let bits = if width < bits.width() { bits.truncate(width) } else { bits };
        let (low, high) = bounds(&bits, signed);
        Self { bits, signed, low, high }
    }

    /// What the bits stand for, if that is known to lie within bounds.
    pub(crate) fn within(bits: Bits, signed: bool, low: i64, high: i64) -> Self {
        let mut value = Self::new(bits, signed);
        let (low, high) = (low.max(value.low), high.min(value.high));
        // Bounds that contradict the bits are those of a value that never occurs.
        if low <= high {
            (value.low, value.high) = (low, high);
            let (width, signed) = needed(low, high);
            if width < value.bits.width() {
                value.bits = value.bits.truncate(width);
                value.signed = signed;
            }
        }
        value
    }

    pub fn low(&self) -> i64 {
        self.low
    }

    pub fn high(&self) -> i64 {
        self.high
    }

    pub fn bits(&self) -> &Bits {
        &self.bits
    }

    pub fn is_signed(&self) -> bool {
        self.signed
    }

    /// The number, if it is the same in every model.
    pub fn known(&self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// The lowest `width` bits of the number.
    pub fn resize(&self, width: usize) -> Bits {
        self.bits.resize(width, self.signed)
    }

    /// How many bits it takes with a sign.
    pub(crate) fn signed_width(&self) -> usize {
        self.bits.width() + usize::from(!self.signed)
    }

    /// Whether it is below zero.
    pub(crate) fn sign(&self) -> Literal {
        if self.signed { self.bits.top() } else { Literal::FALSE }
    }

    /// What is left when only the width of the scalar is kept.
    pub fn wrap(&self, scalar: Scalar) -> Self {
        let width = usize::from(scalar.bits);
        let (low, high) = scalar_bounds(scalar);
        if low <= self.low && self.high <= high {
            return self.clone();
        }
        Self::new(self.resize(width), scalar.signed)
    }

    /// The number in the solver's model.
    pub fn number(&self, solver: &Solver<'_>) -> i64 {
        if self.signed { self.bits.signed_value(solver) } else { self.bits.unsigned_value(solver) as i64 }
    }
}

/// Width and sign of the narrowest vector that holds all numbers from `low` to `high`.
pub(crate) fn needed(low: i64, high: i64) -> (usize, bool) {
    let bits = |number: i64| (i64::BITS - number.leading_zeros()) as usize;
    if low >= 0 { (bits(high).max(1), false) } else { (bits(!low).max(bits(high.max(0))) + 1, true) }
}

/// The smallest and the largest number that a scalar holds, as the evaluator sees them.
fn scalar_bounds(scalar: Scalar) -> (i64, i64) {
    let spare = 64 - scalar.bits;
    match (spare, scalar.signed) {
        (0, _) => (i64::MIN, i64::MAX),
        (_, true) => (i64::MIN >> spare, i64::MAX >> spare),
        (_, false) => (0, i64::MAX >> (spare - 1)),
    }
}

/// What the constant bits say about the number.
fn bounds(bits: &Bits, signed: bool) -> (i64, i64) {
    let last = bits.width() - 1;
    let (mut low, mut high) = (0, 0);
    for (at, bit) in bits.literals().iter().enumerate() {
        let weight = if signed && at == last { (1i64 << at).wrapping_neg() } else { 1i64 << at };
        let (smallest, largest) = match bit.known() {
            Some(true) => (weight, weight),
            Some(false) => (0, 0),
            None => (weight.min(0), weight.max(0)),
        };
        low += smallest;
        high += largest;
    }
    (low, high)
}
