//! Vectors bit by bit.

use super::Circuit;
use crate::bits::Bits;
use crate::solver::Literal;

impl Circuit<'_> {
    /// New variables.
    pub fn fresh_bits(&mut self, width: usize) -> Bits {
        Bits::new((0..width).map(|_| self.solver.fresh()))
    }

    pub fn and_bits(&mut self, one: &Bits, other: &Bits) -> Bits {
        one.zip_with(other, |one, other| self.and(one, other))
    }

    pub fn or_bits(&mut self, one: &Bits, other: &Bits) -> Bits {
        one.zip_with(other, |one, other| self.or(one, other))
    }

    pub fn xor_bits(&mut self, one: &Bits, other: &Bits) -> Bits {
        one.zip_with(other, |one, other| self.xor(one, other))
    }

    pub fn choose_bits(&mut self, condition: Literal, yes: &Bits, no: &Bits) -> Bits {
        yes.zip_with(no, |yes, no| self.choose(condition, yes, no))
    }

    /// Whether any bit is set: the number is not 0.
    pub fn any_bit(&mut self, bits: &Bits) -> Literal {
        self.any(bits.literals().iter().copied())
    }

    pub fn all_bits(&mut self, bits: &Bits) -> Literal {
        self.all(bits.literals().iter().copied())
    }

    /// Whether an odd number of bits is set.
    pub fn odd_bits(&mut self, bits: &Bits) -> Literal {
        bits.literals().iter().fold(Literal::FALSE, |odd, bit| self.xor(odd, *bit))
    }
}
