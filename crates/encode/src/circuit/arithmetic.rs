//! Sums and products.
//!
//! Sums ripple: a full adder a bit, its carry a single majority. A product is a sum of shifted copies of one
//! factor, one for each bit of the other; for a constant factor one for each digit of its non-adjacent form
//! (Reitwiese 1960), which has the fewest digits other than 0 when -1 is a digit, too.

use super::Circuit;
use crate::bits::Bits;
use crate::solver::Literal;

impl Circuit<'_> {
    pub fn add(&mut self, one: &Bits, other: &Bits) -> Bits {
        self.add_with_carry(one, other, Literal::FALSE)
    }

    pub fn subtract(&mut self, one: &Bits, other: &Bits) -> Bits {
        self.add_with_carry(one, &other.not(), Literal::TRUE)
    }

    pub fn negate(&mut self, bits: &Bits) -> Bits {
        self.subtract(&Bits::constant(bits.width(), 0), bits)
    }

    /// The number without its sign; the smallest signed number is its own, read as unsigned.
    pub fn magnitude(&mut self, bits: &Bits) -> Bits {
        self.negate_if(bits.top(), bits)
    }

    pub fn negate_if(&mut self, condition: Literal, bits: &Bits) -> Bits {
        // Turn all bits round and add 1, both only if the condition holds.
        let turned =
            Bits::new(bits.literals().iter().map(|bit| self.xor(condition, *bit)).collect::<Vec<_>>());
        self.add_with_carry(&turned, &Bits::constant(bits.width(), 0), condition)
    }

    fn add_with_carry(&mut self, one: &Bits, other: &Bits, mut carry: Literal) -> Bits {
        one.zip_with(other, |one, other| {
            let half = self.xor(one, other);
            let sum = self.xor(half, carry);
            carry = self.majority(one, other, carry);
            sum
        })
    }

    /// The lowest bits of the product; signed or not makes no difference to them.
    pub fn multiply(&mut self, one: &Bits, other: &Bits) -> Bits {
        assert_eq!(one.width(), other.width(), "operands of different widths");
        self.multiply_to(one, false, other, false, one.width())
    }

    /// The lowest `width` bits of the product of numbers of any two widths: the narrower one decides how many
    /// copies are added.
    pub fn multiply_to(
        &mut self,
        one: &Bits,
        one_signed: bool,
        other: &Bits,
        other_signed: bool,
        width: usize,
    ) -> Bits {
        // A constant has few digits; else the one with fewer bits.
        let rank = |bits: &Bits| (bits.known().is_none(), bits.width());
        let (wide, wide_signed, narrow, narrow_signed) = if rank(one) < rank(other) {
            (other, other_signed, one, one_signed)
        } else {
            (one, one_signed, other, other_signed)
        };
        let wide = wide.resize(width, wide_signed);
        let narrow = if narrow.width() > width { &narrow.truncate(width) } else { narrow };
        let mut product = Bits::constant(width, 0);
        if let Some(number) = narrow.known() {
            let spare = 64 - narrow.width();
            let number = if narrow_signed {
                i128::from((number << spare) as i64 >> spare)
            } else {
                i128::from(number)
            };
            for (at, digit) in non_adjacent_form(number).into_iter().enumerate().take(width) {
                product = match digit {
                    0 => product,
                    1 => self.add_at(&product, &wide, at, Literal::TRUE, false),
                    _ => self.add_at(&product, &wide, at, Literal::TRUE, true),
                };
            }
            return product;
        }
        let last = narrow.width() - 1;
        for (at, bit) in narrow.literals().iter().enumerate() {
            // The top bit of a signed number weighs as much below zero as it would above.
            product = self.add_at(&product, &wide, at, *bit, narrow_signed && at == last);
        }
        product
    }

    /// Adds (or subtracts) `summand`, shifted up by `at`, if `bit` is set.
    fn add_at(&mut self, sum: &Bits, summand: &Bits, at: usize, bit: Literal, subtract: bool) -> Bits {
        let width = sum.width() - at;
        let row = Bits::new(
            summand.literals()[..width]
                .iter()
                .map(|one| self.and(bit, *one).flipped(subtract))
                .collect::<Vec<_>>(),
        );
        let high = self.add_with_carry(&sum.slice(at, width), &row, Literal::constant(subtract));
        if at == 0 { high } else { sum.truncate(at).concat(&high) }
    }
}

/// Digits -1, 0 and 1, the lowest first, no two neighbours both other than 0.
fn non_adjacent_form(mut number: i128) -> Vec<i8> {
    let mut digits = Vec::new();
    while number != 0 {
        let digit = if number & 1 == 0 {
            0
        } else if number & 3 == 1 {
            1
        } else {
            -1
        };
        digits.push(digit);
        number = (number - i128::from(digit)) >> 1;
    }
    digits
}
