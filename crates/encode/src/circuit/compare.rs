//! Comparisons.
//!
//! Less-than is the borrow of a subtraction, one majority a bit. Signed numbers compare as unsigned ones with
//! their sign bits turned round.

use super::Circuit;
use crate::bits::Bits;
use crate::solver::Literal;

impl Circuit<'_> {
    pub fn equal(&mut self, one: &Bits, other: &Bits) -> Literal {
        let same = one.zip_with(other, |one, other| self.same(one, other));
        self.all_bits(&same)
    }

    pub fn less_unsigned(&mut self, one: &Bits, other: &Bits) -> Literal {
        self.ordered(one, other, Literal::FALSE, false)
    }

    pub fn less_signed(&mut self, one: &Bits, other: &Bits) -> Literal {
        self.ordered(one, other, Literal::FALSE, true)
    }

    pub fn at_most_unsigned(&mut self, one: &Bits, other: &Bits) -> Literal {
        self.ordered(one, other, Literal::TRUE, false)
    }

    pub fn at_most_signed(&mut self, one: &Bits, other: &Bits) -> Literal {
        self.ordered(one, other, Literal::TRUE, true)
    }

    /// Whether `one` comes before `other`; `if_equal` where they are equal.
    fn ordered(&mut self, one: &Bits, other: &Bits, if_equal: Literal, signed: bool) -> Literal {
        assert_eq!(one.width(), other.width(), "operands of different widths");
        let last = one.width() - 1;
        let mut before = if_equal;
        for (at, (one, other)) in one.literals().iter().zip(other.literals()).enumerate() {
            let flip = signed && at == last;
            before = self.majority((!*one).flipped(flip), other.flipped(flip), before);
        }
        before
    }
}
