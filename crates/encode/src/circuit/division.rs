//! Quotients and remainders, by long division.
//!
//! The remainder so far takes in one bit of the dividend after the other, from the top; whenever the divisor fits,
//! it is subtracted and the quotient gets a 1. The remainder never needs more bits than the divisor has, so that
//! small divisors are cheap. Signed numbers are divided without their signs, which rounds towards zero.
//!
//! The result of a division by zero is some number; whoever asks sees to it that it does not matter.

use super::Circuit;
use crate::bits::Bits;
use crate::solver::Literal;

impl Circuit<'_> {
    /// The quotient, as wide as the dividend, and the remainder, as wide as the divisor; they may differ.
    pub fn divide_unsigned(&mut self, dividend: &Bits, divisor: &Bits) -> (Bits, Bits) {
        let width = divisor.width();
        let mut remainder = Bits::constant(width, 0);
        let mut quotient = vec![Literal::FALSE; dividend.width()];
        for at in (0..dividend.width()).rev() {
            // One bit more than the divisor, before the divisor is taken away.
            let moved = std::iter::once(dividend.literals()[at]).chain(remainder.literals().iter().copied());
            let moved: Vec<Literal> = moved.collect();
            let overflow = moved[width];
            let low = Bits::new(moved[..width].iter().copied());
            let smaller = self.less_unsigned(&low, divisor);
            let fits = self.or(overflow, !smaller);
            let rest = self.subtract(&low, divisor);
            remainder = self.choose_bits(fits, &rest, &low);
            quotient[at] = fits;
        }
        (Bits::new(quotient), remainder)
    }

    /// Quotient and remainder of signed numbers of one width, rounded towards zero; the smallest number divided
    /// by -1 wraps around to itself.
    pub fn divide_signed(&mut self, dividend: &Bits, divisor: &Bits) -> (Bits, Bits) {
        assert_eq!(dividend.width(), divisor.width(), "operands of different widths");
        let (one, other) = (self.magnitude(dividend), self.magnitude(divisor));
        let (quotient, remainder) = self.divide_unsigned(&one, &other);
        let opposite = self.xor(dividend.top(), divisor.top());
        (self.negate_if(opposite, &quotient), self.negate_if(dividend.top(), &remainder))
    }
}
