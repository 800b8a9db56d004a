//! The evaluator's pure functions that are circuits: unsigned numbers of 64 bits, counting and moving bits, and what
//! the bits of floating-point numbers tell without arithmetic.
//!
//! A double is ordered by its bits: the sign, then the magnitude as an unsigned number; both zeros are equal, and
//! what is not a number is neither equal to nor less than anything. Floating-point arithmetic is not encoded, except
//! for constants.

use model::Primitive;

use super::{EncodeError, Encoder, Environment, Need};
use crate::bits::{Bits, WIDEST};
use crate::circuit::Circuit;
use crate::solver::Literal;
use crate::value::Value;

/// Bits of a double below its exponent.
const MANTISSA: usize = 52;
const EXPONENT: usize = 11;

impl<E: Environment> Encoder<'_, '_, E> {
    pub(super) fn apply(&mut self, primitive: Primitive, arguments: &[Value]) -> Result<Value, EncodeError> {
        let nothing = Value::constant(0);
        let (one, other) = (arguments.first().unwrap_or(&nothing), arguments.get(1).unwrap_or(&nothing));
        if matches!(primitive, Primitive::DivideUnsigned | Primitive::RemainderUnsigned) {
            let divides = other.is_true(self.circuit);
            self.need(Need::Divisor, divides);
        }
        if let Some(value) = self.exact(primitive, one, other) {
            return Ok(value);
        }
        if primitive == Primitive::Within {
            let length = other.known().and_then(|length| u32::try_from(length).ok());
            let length = length.ok_or(EncodeError::Primitive(primitive))?;
            let inside = self.circuit.inside(one, length);
            self.need(Need::Index { length }, inside);
            return Ok(one.clone());
        }
        if primitive == Primitive::Written {
            let written = other.is_true(self.circuit);
            self.need(Need::Written, written);
            return Ok(one.clone());
        }
        if primitive == Primitive::Apart {
            let distance = self.circuit.magnitude(&one.resize(WIDEST));
            let near = self.circuit.less_unsigned(&distance, &other.resize(WIDEST));
            let elsewhere = one.is_true(self.circuit);
            let overlap = self.circuit.and(near, elsewhere);
            self.need(Need::Apart, !overlap);
            return Ok(other.clone());
        }
        if let (Some(one), Some(other)) = (one.known(), other.known()) {
            // A division by zero has some value, here as elsewhere.
            return Ok(Value::constant(primitive.apply(one, other).unwrap_or(0)));
        }
        self.circuit.primitive(primitive, one, other).ok_or(EncodeError::Primitive(primitive))
    }
}

impl<E: Environment> Encoder<'_, '_, E> {
    /// Results that must fit their type.
    fn exact(&mut self, primitive: Primitive, one: &Value, other: &Value) -> Option<Value> {
        let (result, fits) = match primitive {
            Primitive::Fits => {
                let bits = other.known()?.clamp(1, WIDEST as i64) as usize;
                let kept = Value::new(one.resize(bits), true);
                (one.clone(), self.circuit.same_value(&kept, one))
            }
            Primitive::ExactSum => {
                let sum = self.circuit.binary(model::Binary::Add, one, other, WIDEST);
                let same = self.circuit.same(one.sign(), other.sign());
                let turned = self.circuit.xor(sum.sign(), one.sign());
                (sum, !self.circuit.and(same, turned))
            }
            Primitive::ExactDifference => {
                let difference = self.circuit.binary(model::Binary::Subtract, one, other, WIDEST);
                let opposite = self.circuit.xor(one.sign(), other.sign());
                let turned = self.circuit.xor(difference.sign(), one.sign());
                (difference, !self.circuit.and(opposite, turned))
            }
            Primitive::ExactProduct => {
                let product = self.circuit.binary(model::Binary::Multiply, one, other, WIDEST);
                (product, self.circuit.product_fits(one, other))
            }
            Primitive::ExactQuotient => {
                let divides = other.is_true(self.circuit);
                self.need(Need::Divisor, divides);
                let smallest = self.circuit.same_value(one, &Value::constant(i64::MIN));
                let turns = self.circuit.same_value(other, &Value::constant(-1));
                let quotient = self.circuit.binary(model::Binary::Divide, one, other, WIDEST);
                (quotient, !self.circuit.and(smallest, turns))
            }
            _ => return None,
        };
        self.need(Need::Fits, fits);
        Some(result)
    }
}

impl Circuit<'_> {
    /// Whether a product is a number of 64 bits with a sign.
    fn product_fits(&mut self, one: &Value, other: &Value) -> Literal {
        let corners = [one.low(), one.high()].map(|a| [other.low(), other.high()].map(|b| a.checked_mul(b)));
        if corners.iter().flatten().all(Option::is_some) {
            return Literal::TRUE;
        }
        // The magnitudes are multiplied in halves of 32 bits, and nothing may come above the lower 64.
        let (a, b) = (self.magnitude(&one.resize(WIDEST)), self.magnitude(&other.resize(WIDEST)));
        let half = |bits: &Bits, high: usize| bits.slice(32 * high, 32).zero_extend(WIDEST);
        let (a0, a1, b0, b1) = (half(&a, 0), half(&a, 1), half(&b, 0), half(&b, 1));
        let both_high = {
            let (one, other) = (self.any_bit(&a1), self.any_bit(&b1));
            self.and(one, other)
        };
        let low = self.multiply(&a0, &b0);
        let (left, right) = (self.multiply(&a1, &b0), self.multiply(&a0, &b1));
        // Only one of the two is there, unless both are high.
        let middle = self.or_bits(&left, &right);
        let middle_high = self.any_bit(&middle.slice(32, 32));
        let shifted = Bits::constant(32, 0).concat(&middle.truncate(32));
        let sum = self.add(&low, &shifted);
        let carried = self.less_unsigned(&sum, &low);
        // The smallest number has one more below zero than the largest has above.
        let negative = self.xor(one.sign(), other.sign());
        let smallest = self.is_number(&sum, 1 << 63);
        let smallest = self.and(smallest, negative);
        let large = self.and(sum.top(), !smallest);
        !self.any([both_high, middle_high, carried, large])
    }

    fn primitive(&mut self, primitive: Primitive, one: &Value, other: &Value) -> Option<Value> {
        use Primitive as P;
        let truth = |literal| Some(Value::truth(literal));
        match primitive {
            P::DivideUnsigned => {
                let (quotient, _) = self.divide_unsigned(&unsigned(one), &unsigned(other));
                Some(Value::new(quotient, false))
            }
            P::RemainderUnsigned => {
                let (_, remainder) = self.divide_unsigned(&unsigned(one), &unsigned(other));
                Some(Value::new(remainder, false))
            }
            P::ShiftRightUnsigned => {
                let bits = unsigned(one);
                let inside = self.inside(other, 64);
                let shifted = self.shift_right(&bits, &other.resize(6));
                let shifted = self.choose_bits(inside, &shifted, &Bits::constant(bits.width(), 0));
                Some(Value::new(shifted, false))
            }
            P::LessUnsigned => {
                let (one, other) = alike(one, other);
                truth(self.less_unsigned(&one, &other))
            }
            P::LessEqualUnsigned => {
                let (one, other) = alike(one, other);
                truth(self.at_most_unsigned(&one, &other))
            }
            P::CountOnes => Some(Value::new(self.count_ones(&one.resize(WIDEST)), false)),
            P::LeadingZeros => {
                let bits = one.resize(WIDEST);
                Some(self.first_set((0..WIDEST).rev().map(|at| bits.literals()[at]).collect()))
            }
            P::TrailingZeros => Some(self.first_set(one.resize(WIDEST).literals().to_vec())),
            P::SwapBytes => {
                let bits = one.resize(WIDEST);
                let bytes = bits.literals().chunks(8).rev();
                Some(Value::new(Bits::new(bytes.flatten().copied()), true))
            }
            P::FloatNegate => Some(double(&one.resize(WIDEST), |sign| !sign)),
            P::FloatMagnitude => Some(double(&one.resize(WIDEST), |_| Literal::FALSE)),
            P::CopySign => Some(double(&one.resize(WIDEST), |_| other.resize(WIDEST).top())),
            P::SignBit => truth(one.resize(WIDEST).top()),
            P::IsNotANumber => truth(self.is_nan(&one.resize(WIDEST))),
            P::IsInfinite => {
                let (exponent, mantissa) = parts(&one.resize(WIDEST));
                let (full, rest) = (self.all_bits(&exponent), self.any_bit(&mantissa));
                truth(self.and(full, !rest))
            }
            P::IsNormal => {
                let (exponent, _) = parts(&one.resize(WIDEST));
                let (full, some) = (self.all_bits(&exponent), self.any_bit(&exponent));
                truth(self.and(!full, some))
            }
            P::FloatEqual => truth(self.float_equal(&one.resize(WIDEST), &other.resize(WIDEST))),
            P::FloatLess => truth(self.float_less(&one.resize(WIDEST), &other.resize(WIDEST))),
            P::FloatLessEqual => {
                let (one, other) = (one.resize(WIDEST), other.resize(WIDEST));
                let (less, equal) = (self.float_less(&one, &other), self.float_equal(&one, &other));
                truth(self.or(less, equal))
            }
            P::Within
            | P::Written
            | P::Apart
            | P::Fits
            | P::ExactSum
            | P::ExactDifference
            | P::ExactProduct
            | P::ExactQuotient
            | P::FloatAdd
            | P::FloatSubtract
            | P::FloatMultiply
            | P::FloatDivide
            | P::SquareRoot
            | P::Floor
            | P::Ceiling
            | P::Round
            | P::Truncate
            | P::FloatRemainder
            | P::Decimal
            | P::RoundToSingle
            | P::ToSingleBits
            | P::FromSingleBits
            | P::FromSigned
            | P::FromUnsigned
            | P::ToSigned
            | P::ToUnsigned => None,
        }
    }

    /// How many bits are set, as a tree of sums that grow by a bit a level.
    fn count_ones(&mut self, bits: &Bits) -> Bits {
        let mut sums: Vec<Bits> = bits.literals().iter().map(|bit| Bits::bit(*bit)).collect();
        while sums.len() > 1 {
            sums = sums
                .chunks(2)
                .map(|pair| {
                    let width = pair[0].width() + 1;
                    let other =
                        pair.get(1).map_or(Bits::constant(width, 0), |other| other.zero_extend(width));
                    self.add(&pair[0].zero_extend(width), &other)
                })
                .collect();
        }
        sums.swap_remove(0)
    }

    /// The place of the first literal that is true; how many there are if none is.
    fn first_set(&mut self, literals: Vec<Literal>) -> Value {
        let none = Bits::constant(7, literals.len() as i64);
        let first = literals.into_iter().enumerate().rev().fold(none, |later, (at, literal)| {
            self.choose_bits(literal, &Bits::constant(7, at as i64), &later)
        });
        Value::new(first, false)
    }

    fn is_nan(&mut self, bits: &Bits) -> Literal {
        let (exponent, mantissa) = parts(bits);
        let (full, rest) = (self.all_bits(&exponent), self.any_bit(&mantissa));
        self.and(full, rest)
    }

    /// Whether both are numbers, and whether both are zero.
    fn numbers_and_zeros(&mut self, one: &Bits, other: &Bits) -> (Literal, Literal) {
        let (no_number, no_other) = (self.is_nan(one), self.is_nan(other));
        let numbers = self.and(!no_number, !no_other);
        let (some, more) =
            (self.any_bit(&one.truncate(WIDEST - 1)), self.any_bit(&other.truncate(WIDEST - 1)));
        (numbers, !self.or(some, more))
    }

    fn float_equal(&mut self, one: &Bits, other: &Bits) -> Literal {
        let (numbers, zeros) = self.numbers_and_zeros(one, other);
        let same = self.equal(one, other);
        let same = self.or(same, zeros);
        self.and(numbers, same)
    }

    fn float_less(&mut self, one: &Bits, other: &Bits) -> Literal {
        let (numbers, zeros) = self.numbers_and_zeros(one, other);
        let (size, other_size) = (one.truncate(WIDEST - 1), other.truncate(WIDEST - 1));
        let (smaller, larger) =
            (self.less_unsigned(&size, &other_size), self.less_unsigned(&other_size, &size));
        // Below zero the larger magnitude is the smaller number.
        let among_alike = self.choose(one.top(), larger, smaller);
        let different = self.xor(one.top(), other.top());
        let less = self.choose(different, one.top(), among_alike);
        self.all([numbers, !zeros, less])
    }
}

/// The number as one without sign, in as few bits as it has if it is not negative.
fn unsigned(value: &Value) -> Bits {
    if value.is_signed() { value.resize(WIDEST) } else { value.bits().clone() }
}

/// Both as numbers without sign of one width.
fn alike(one: &Value, other: &Value) -> (Bits, Bits) {
    let (one, other) = (unsigned(one), unsigned(other));
    let width = one.width().max(other.width());
    (one.zero_extend(width), other.zero_extend(width))
}

/// Exponent and mantissa of a double.
fn parts(bits: &Bits) -> (Bits, Bits) {
    (bits.slice(MANTISSA, EXPONENT), bits.truncate(MANTISSA))
}

/// A double with another sign.
fn double(bits: &Bits, sign: impl FnOnce(Literal) -> Literal) -> Value {
    Value::new(bits.truncate(WIDEST - 1).concat(&Bits::bit(sign(bits.top()))), true)
}
