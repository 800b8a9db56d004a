//! Pure functions beyond 64-bit signed arithmetic: unsigned numbers of 64 bits, floating point, and bits.
//!
//! A floating-point number is a value like any other: the 64 bits of a double. One of single precision is
//! kept as the double that equals it, and rounded where the source language rounds.

use crate::{Fault, Scalar};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// Division, remainder, right shift and order of numbers of 64 bits without sign.
    DivideUnsigned,
    RemainderUnsigned,
    ShiftRightUnsigned,
    LessUnsigned,
    LessEqualUnsigned,
    FloatAdd,
    FloatSubtract,
    FloatMultiply,
    FloatDivide,
    FloatNegate,
    FloatMagnitude,
    FloatEqual,
    FloatLess,
    FloatLessEqual,
    /// The magnitude of the first with the sign of the second.
    CopySign,
    IsNotANumber,
    IsInfinite,
    /// Neither zero, nor too small for full precision, nor infinite.
    IsNormal,
    SignBit,
    SquareRoot,
    Floor,
    Ceiling,
    /// To the nearest, halves away from zero.
    Round,
    /// Towards zero.
    Truncate,
    FloatRemainder,
    /// The decimal digits of the first, which is not negative, with as many behind the point as the second says, as one
    /// number; -1 where that is too large for one.
    Decimal,
    /// The nearest number of single precision.
    RoundToSingle,
    /// The 32 bits of a number of single precision, and back.
    ToSingleBits,
    FromSingleBits,
    /// From a signed integer, and from one of 64 bits without sign.
    FromSigned,
    FromUnsigned,
    /// Towards zero; the nearest there is where the number is out of range, 0 for what is not a number.
    ToSigned,
    ToUnsigned,
    /// Of all 64 bits.
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    SwapBytes,
    /// The first, which must be at least 0 and below the second.
    Within,
    /// The first, of which the second says whether it was ever written.
    Written,
    /// The second, a number of bytes, if blocks of that size do not overlap that lie as far apart as the first says.
    Apart,
    /// The first, which must be a number of as many bits with a sign as the second says.
    Fits,
    /// Of numbers of 64 bits with a sign; the result must be one.
    ExactSum,
    ExactDifference,
    ExactProduct,
    ExactQuotient,
}

impl Primitive {
    pub fn arity(self) -> usize {
        use Primitive as P;
        match self {
            P::DivideUnsigned
            | P::RemainderUnsigned
            | P::ShiftRightUnsigned
            | P::LessUnsigned
            | P::LessEqualUnsigned
            | P::FloatAdd
            | P::FloatSubtract
            | P::FloatMultiply
            | P::FloatDivide
            | P::FloatEqual
            | P::FloatLess
            | P::FloatLessEqual
            | P::CopySign
            | P::FloatRemainder
            | P::Decimal
            | P::Within
            | P::Written
            | P::Apart
            | P::Fits
            | P::ExactSum
            | P::ExactDifference
            | P::ExactProduct
            | P::ExactQuotient => 2,
            _ => 1,
        }
    }

    /// Whether there are arguments for which it has no value.
    pub fn can_fault(self) -> bool {
        use Primitive as P;
        matches!(
            self,
            P::DivideUnsigned
                | P::RemainderUnsigned
                | P::Within
                | P::Written
                | P::Apart
                | P::Fits
                | P::ExactSum
                | P::ExactDifference
                | P::ExactProduct
                | P::ExactQuotient
        )
    }

    /// The value for `first` and, if there are two arguments, `second`.
    pub fn apply(self, first: i64, second: i64) -> Result<i64, Fault> {
        use Primitive as P;
        let (a, b) = (first as u64, second as u64);
        let (x, y) = (f64::from_bits(a), f64::from_bits(b));
        let float = |value: f64| value.to_bits() as i64;
        Ok(match self {
            P::DivideUnsigned => a.checked_div(b).ok_or(Fault::DivisionByZero)? as i64,
            P::RemainderUnsigned => a.checked_rem(b).ok_or(Fault::DivisionByZero)? as i64,
            P::ShiftRightUnsigned => {
                if b < 64 {
                    (a >> b) as i64
                } else {
                    0
                }
            }
            P::LessUnsigned => i64::from(a < b),
            P::LessEqualUnsigned => i64::from(a <= b),
            P::FloatAdd => float(x + y),
            P::FloatSubtract => float(x - y),
            P::FloatMultiply => float(x * y),
            P::FloatDivide => float(x / y),
            P::FloatNegate => float(-x),
            P::FloatMagnitude => float(x.abs()),
            P::FloatEqual => i64::from(x == y),
            P::FloatLess => i64::from(x < y),
            P::FloatLessEqual => i64::from(x <= y),
            P::CopySign => float(x.copysign(y)),
            P::IsNotANumber => i64::from(x.is_nan()),
            P::IsInfinite => i64::from(x.is_infinite()),
            P::IsNormal => i64::from(x.is_normal()),
            P::SignBit => i64::from(x.is_sign_negative()),
            P::SquareRoot => float(x.sqrt()),
            P::Floor => float(x.floor()),
            P::Ceiling => float(x.ceil()),
            P::Round => float(x.round()),
            P::Truncate => float(x.trunc()),
            P::FloatRemainder => float(x % y),
            P::Decimal => decimal(x, second),
            P::RoundToSingle => float(f64::from(x as f32)),
            P::ToSingleBits => i64::from((x as f32).to_bits()),
            P::FromSingleBits => float(f64::from(f32::from_bits(a as u32))),
            P::FromSigned => float(first as f64),
            P::FromUnsigned => float(a as f64),
            P::ToSigned => x as i64,
            P::ToUnsigned => x as u64 as i64,
            P::CountOnes => i64::from(a.count_ones()),
            P::LeadingZeros => i64::from(a.leading_zeros()),
            P::TrailingZeros => i64::from(a.trailing_zeros()),
            P::SwapBytes => a.swap_bytes() as i64,
            P::Within if (0..second).contains(&first) => first,
            P::Within => {
                return Err(Fault::Index {
                    index: first,
                    length: second.clamp(0, i64::from(u32::MAX)) as u32,
                });
            }
            P::Written if second == 0 => return Err(Fault::Unwritten),
            P::Written => first,
            P::Apart if first != 0 && first.unsigned_abs() < second as u64 => return Err(Fault::Overlap),
            P::Apart => second,
            P::Fits => {
                let bits = second.clamp(1, 64) as u8;
                let kept = Scalar { bits, signed: true }.wrap(first) == first;
                kept.then_some(first).ok_or(Fault::SignedOverflow)?
            }
            P::ExactSum => first.checked_add(second).ok_or(Fault::SignedOverflow)?,
            P::ExactDifference => first.checked_sub(second).ok_or(Fault::SignedOverflow)?,
            P::ExactProduct => first.checked_mul(second).ok_or(Fault::SignedOverflow)?,
            P::ExactQuotient if second == 0 => return Err(Fault::DivisionByZero),
            P::ExactQuotient => first.checked_div(second).ok_or(Fault::SignedOverflow)?,
        })
    }
}

/// The digits of a number as they are written, correctly rounded.
fn decimal(number: f64, places: i64) -> i64 {
    let places = places.clamp(0, 300) as usize;
    if !number.is_finite() || number.abs() >= 1e18 {
        return -1;
    }
    let mut digits = format!("{:.places$}", number.abs());
    digits.retain(|character| character != '.');
    digits.parse().unwrap_or(-1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsigned_numbers_use_their_highest_bit() {
        let apply = |primitive: Primitive, a: u64, b: u64| primitive.apply(a as i64, b as i64);
        assert_eq!(apply(Primitive::DivideUnsigned, u64::MAX, 2), Ok(i64::MAX));
        assert_eq!(apply(Primitive::RemainderUnsigned, u64::MAX, 10), Ok(5));
        assert_eq!(apply(Primitive::LessUnsigned, 1, u64::MAX), Ok(1));
        assert_eq!(apply(Primitive::ShiftRightUnsigned, u64::MAX, 63), Ok(1));
        assert_eq!(apply(Primitive::ShiftRightUnsigned, u64::MAX, 64), Ok(0));
        assert_eq!(apply(Primitive::DivideUnsigned, 1, 0), Err(Fault::DivisionByZero));
    }

    #[test]
    fn what_does_not_fit_is_a_fault() {
        assert_eq!(Primitive::Within.apply(2, 3), Ok(2));
        assert_eq!(Primitive::Within.apply(3, 3), Err(Fault::Index { index: 3, length: 3 }));
        assert_eq!(Primitive::Within.apply(-1, 3), Err(Fault::Index { index: -1, length: 3 }));
        assert_eq!(Primitive::Fits.apply(-128, 8), Ok(-128));
        assert_eq!(Primitive::Fits.apply(128, 8), Err(Fault::SignedOverflow));
        assert_eq!(Primitive::ExactSum.apply(i64::MAX, 1), Err(Fault::SignedOverflow));
        assert_eq!(Primitive::ExactQuotient.apply(i64::MIN, -1), Err(Fault::SignedOverflow));
        assert_eq!(Primitive::ExactQuotient.apply(1, 0), Err(Fault::DivisionByZero));
        assert_eq!(Primitive::ExactQuotient.apply(-7, 2), Ok(-3));
    }

    #[test]
    fn floats_are_their_bits() {
        let half = 0.5f64.to_bits() as i64;
        assert_eq!(Primitive::FloatAdd.apply(half, half), Ok(1.0f64.to_bits() as i64));
        let decimal = |number: f64, places| Primitive::Decimal.apply(number.to_bits() as i64, places);
        assert_eq!(decimal(2.675, 2), Ok(267));
        assert_eq!((decimal(0.5, 0), decimal(2.5, 0), decimal(0.125, 2)), (Ok(0), Ok(2), Ok(12)));
        assert_eq!((decimal(f64::NAN, 2), decimal(1e17, 6)), (Ok(-1), Ok(-1)));
        assert_eq!(Primitive::ToSigned.apply((-2.9f64).to_bits() as i64, 0), Ok(-2));
        let single = Primitive::ToSingleBits.apply(half, 0).unwrap();
        assert_eq!(single, i64::from(0.5f32.to_bits()));
        assert_eq!(Primitive::FromSingleBits.apply(single, 0), Ok(half));
    }
}
