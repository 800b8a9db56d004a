//! Numbers that are printed.
//!
//! What should be printed is known, so no digits are made of a number: it is compared with the number that the
//! expected digits make, as many of them as the number has. One condition is all there is to it, and it is one on the
//! number itself, so that a solver can say which number would be right.

use model::{Binary, Command, Expr, Primitive, Scalar, Unary};

use super::formats::Spec;
use crate::lower::body::Body;
use crate::lower::library::{either, within};

/// A number as it is printed: its sign, and its magnitude as an unsigned number of 64 bits.
pub(super) struct Number {
    pub(super) negative: Expr,
    pub(super) magnitude: Expr,
    pub(super) base: i64,
    pub(super) capitals: bool,
    /// How many digits it may have.
    pub(super) most: u32,
    /// How many it has.
    pub(super) digits: Expr,
}

impl Body<'_, '_> {
    /// The number that a conversion makes of a value.
    pub(super) fn number_of(&mut self, spec: &Spec, value: Expr) -> Number {
        let value = match spec.scalar.bits {
            64 => value,
            _ => self.keep(Expr::Wrap(spec.scalar, Box::new(value))),
        };
        let is_signed = spec.scalar.signed;
        let negative = match is_signed {
            true => Expr::binary(Binary::Less, value.clone(), Expr::Constant(0)),
            false => Expr::Constant(0),
        };
        let negative = self.keep(negative);
        let negated = Expr::Unary(Unary::Negate, Box::new(value.clone()));
        let magnitude = match is_signed {
            true => {
                let chosen = Expr::Choose(Box::new(negative.clone()), Box::new(negated), Box::new(value));
                self.keep(chosen)
            }
            false => value,
        };
        let base = match spec.kind {
            b'x' | b'X' => 16,
            b'o' => 8,
            _ => 10,
        };
        self.counted(negative, magnitude, base, spec)
    }

    fn counted(&mut self, negative: Expr, magnitude: Expr, base: i64, spec: &Spec) -> Number {
        let largest = if spec.scalar.bits == 64 { u64::MAX } else { (1 << spec.scalar.bits) - 1 };
        let mut digits = Expr::Constant(1);
        let (mut most, mut power) = (1, base as u64);
        while power <= largest {
            let has_more = not_less(magnitude.clone(), power);
            digits = Expr::binary(Binary::Add, digits, has_more);
            most += 1;
            match power.checked_mul(base as u64) {
                Some(next) => power = next,
                None => break,
            }
        }
        let digits = self.keep(digits);
        Number { negative, magnitude, base, capitals: spec.kind == b'X', most, digits }
    }

    /// Prints a number with as many zeros before its digits as are asked for.
    pub(super) fn print_integer(&mut self, spec: &Spec, value: Expr, width: Expr, precision: Option<Expr>) {
        let number = self.number_of(spec, value);
        let mark = match (spec.plus, spec.space) {
            (true, _) => Some(b'+'),
            (false, true) => Some(b' '),
            (false, false) => None,
        };
        let mark = mark.filter(|_| spec.scalar.signed);
        let sign = match mark {
            Some(_) => Expr::Constant(1),
            None => number.negative.clone(),
        };
        let zeros = match &precision {
            Some(precision) => self.excess(precision.clone(), number.digits.clone()),
            None => Expr::Constant(0),
        };
        let length = sum(sum(sign, zeros.clone()), number.digits.clone());
        let fill = self.excess(width, length);
        let fills_with_zeros = spec.zeros && !spec.left && precision.is_none();
        if !spec.left && !fills_with_zeros {
            self.print_many(fill.clone(), b' ');
        }
        self.print_byte_if(number.negative.clone(), &Expr::Constant(i64::from(b'-')));
        if let Some(mark) = mark {
            let is_there = Expr::negation(number.negative.clone());
            self.print_byte_if(is_there, &Expr::Constant(i64::from(mark)));
        }
        self.print_many(zeros, b'0');
        if fills_with_zeros {
            self.print_many(fill.clone(), b'0');
        }
        self.print_digits(&number);
        if spec.left {
            self.print_many(fill, b' ');
        }
    }

    /// Prints a number with a fraction of so many digits.
    pub(super) fn print_float(&mut self, spec: &Spec, value: Expr, width: Expr, places: u32) {
        let power = 10i64.pow(places);
        let negative = self.keep(Expr::Apply(Primitive::SignBit, vec![value.clone()]));
        let magnitude = Expr::Apply(Primitive::FloatMagnitude, vec![value]);
        let scaled = Expr::Apply(Primitive::Decimal, vec![magnitude, Expr::Constant(i64::from(places))]);
        let scaled = self.keep(scaled);
        let is_unknown = Expr::binary(Binary::Less, scaled.clone(), Expr::Constant(0));
        self.when(is_unknown, |body| body.give_up("a floating-point number that is printed is too large"));
        let whole = self.keep(Expr::binary(Binary::Divide, scaled.clone(), Expr::Constant(power)));
        let fraction = self.keep(Expr::binary(Binary::Remainder, scaled, Expr::Constant(power)));
        let wide = Spec { scalar: Scalar::I64, kind: b'd', ..spec.clone() };
        let whole = self.counted(negative.clone(), whole, 10, &wide);
        let behind = if places == 0 { 0 } else { 1 + i64::from(places) };
        let sign = if spec.plus || spec.space { Expr::Constant(1) } else { negative.clone() };
        let length = sum(sum(sign, whole.digits.clone()), Expr::Constant(behind));
        let fill = self.excess(width, length);
        if !spec.left && !spec.zeros {
            self.print_many(fill.clone(), b' ');
        }
        self.print_byte_if(negative.clone(), &Expr::Constant(i64::from(b'-')));
        if spec.plus || spec.space {
            let mark = if spec.plus { b'+' } else { b' ' };
            self.print_byte_if(Expr::negation(negative), &Expr::Constant(i64::from(mark)));
        }
        if !spec.left && spec.zeros {
            self.print_many(fill.clone(), b'0');
        }
        self.print_digits(&whole);
        if places > 0 {
            self.print_byte(&Expr::Constant(i64::from(b'.')));
            self.print_digits(&Number {
                magnitude: fraction,
                most: places,
                digits: Expr::Constant(i64::from(places)),
                ..whole
            });
        }
        if spec.left {
            self.print_many(fill, b' ');
        }
    }

    /// How much more one number is than another, or 0.
    fn excess(&mut self, more: Expr, less: Expr) -> Expr {
        if more == Expr::Constant(0) {
            return more;
        }
        let (more, less) = (self.keep(more), self.keep(less));
        let is_more = Expr::binary(Binary::Greater, more.clone(), less.clone());
        let difference = Expr::binary(Binary::Subtract, more, less);
        self.keep(Expr::Choose(Box::new(is_more), Box::new(difference), Box::new(Expr::Constant(0))))
    }

    /// The digits alone.
    fn print_digits(&mut self, number: &Number) {
        if self.lowering.records {
            return self.record_digits(number);
        }
        let mut made = Expr::Constant(0);
        let mut fit = Expr::Constant(1);
        for at in 0..number.most {
            let is_there = match &number.digits {
                Expr::Constant(digits) => Expr::Constant(i64::from(i64::from(at) < *digits)),
                digits => Expr::binary(Binary::Less, Expr::Constant(i64::from(at)), digits.clone()),
            };
            let byte = self.keep(self.expected(i64::from(at)));
            let (is_digit, digit) = digit(&byte, number);
            let more = Expr::binary(Binary::Multiply, made.clone(), Expr::Constant(number.base));
            let more = Expr::binary(Binary::Add, more, digit);
            // Beyond 64 bits a number begins with a 1.
            let is_digit = match (at, number.most) {
                (0, 20) => {
                    let is_one = Expr::binary(Binary::Equal, byte, Expr::Constant(i64::from(b'1')));
                    let is_short = Expr::binary(Binary::Less, number.digits.clone(), Expr::Constant(20));
                    Expr::AndAlso(Box::new(is_digit), Box::new(either(is_short, is_one)))
                }
                _ => is_digit,
            };
            made = self.keep(Expr::Choose(Box::new(is_there.clone()), Box::new(more), Box::new(made)));
            let fits = either(Expr::negation(is_there), is_digit);
            fit = self.keep(Expr::AndAlso(Box::new(fit), Box::new(fits)));
        }
        let same = Expr::binary(Binary::Equal, made, number.magnitude.clone());
        self.emit(Command::Assert(Expr::AndAlso(Box::new(fit), Box::new(same))));
        self.advance(number.digits.clone());
    }

    fn record_digits(&mut self, number: &Number) {
        for at in (0..number.most).rev() {
            let Some(power) = (number.base as u64).checked_pow(at) else { continue };
            let shifted = unsigned(Primitive::DivideUnsigned, number.magnitude.clone(), power);
            let digit = self.keep(unsigned(Primitive::RemainderUnsigned, shifted, number.base as u64));
            let is_small = Expr::binary(Binary::Less, digit.clone(), Expr::Constant(10));
            let letter = i64::from(if number.capitals { b'A' } else { b'a' }) - 10;
            let plain = sum(digit.clone(), Expr::Constant(i64::from(b'0')));
            let letter = sum(digit, Expr::Constant(letter));
            let byte = self.keep(Expr::Choose(Box::new(is_small), Box::new(plain), Box::new(letter)));
            let is_there = Expr::binary(Binary::Less, Expr::Constant(i64::from(at)), number.digits.clone());
            self.print_byte_if(is_there, &byte);
        }
    }
}

/// Whether a byte is a digit of a number, and which.
fn digit(byte: &Expr, number: &Number) -> (Expr, Expr) {
    let last = if number.base == 8 { b'7' } else { b'9' };
    let is_plain = within(byte.clone(), b'0', last);
    let plain = Expr::binary(Binary::Subtract, byte.clone(), Expr::Constant(i64::from(b'0')));
    if number.base < 16 {
        return (is_plain, plain);
    }
    let first = if number.capitals { b'A' } else { b'a' };
    let is_letter = within(byte.clone(), first, first + 5);
    let letter = Expr::binary(Binary::Subtract, byte.clone(), Expr::Constant(i64::from(first) - 10));
    let value = Expr::Choose(Box::new(is_plain.clone()), Box::new(plain), Box::new(letter));
    (either(is_plain, is_letter), value)
}

pub(super) fn sum(one: Expr, other: Expr) -> Expr {
    match (one, other) {
        (one, Expr::Constant(0)) => one,
        (Expr::Constant(0), other) => other,
        (Expr::Constant(one), Expr::Constant(other)) => Expr::Constant(one + other),
        (one, other) => Expr::binary(Binary::Add, one, other),
    }
}

/// Whether an unsigned number is at least another one.
fn not_less(value: Expr, least: u64) -> Expr {
    if least <= i64::MAX as u64 {
        // Below zero is what is very large.
        let is_large = Expr::binary(Binary::Less, value.clone(), Expr::Constant(0));
        let is_more = Expr::binary(Binary::GreaterEqual, value, Expr::Constant(least as i64));
        return either(is_more, is_large);
    }
    Expr::negation(unsigned(Primitive::LessUnsigned, value, least))
}

fn unsigned(primitive: Primitive, value: Expr, by: u64) -> Expr {
    Expr::Apply(primitive, vec![value, Expr::Constant(by as i64)])
}
