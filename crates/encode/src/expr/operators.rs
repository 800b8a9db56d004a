//! The evaluator's operators on values.
//!
//! Each has the evaluator's meaning in 64 bits. `demand` says how many of the lowest bits somebody will look at:
//! the result may be any number that agrees with the true one in these, so that a product that is wrapped to 32
//! bits is never computed in 64. A demand of 64 asks for the number itself.

use model::{Binary, Unary};

use crate::bits::{Bits, WIDEST};
use crate::circuit::Circuit;
use crate::solver::Literal;
use crate::value::{Value, needed};

impl Value {
    /// Whether it is not 0.
    pub fn is_true(&self, circuit: &mut Circuit<'_>) -> Literal {
        if self.low() > 0 || self.high() < 0 { Literal::TRUE } else { circuit.any_bit(self.bits()) }
    }
}

/// How many of the lowest bits of the operands matter, if of the result that many do.
pub(super) fn operand_demands(operator: Binary, demand: usize) -> (usize, usize) {
    match operator {
        Binary::Add | Binary::Subtract | Binary::Multiply | Binary::And | Binary::Or | Binary::Xor => {
            (demand, demand)
        }
        Binary::ShiftLeft => (demand, WIDEST),
        _ => (WIDEST, WIDEST),
    }
}

/// A result between these bounds: how wide it is, whether it is signed, and the bounds where they stay true.
fn plan(low: i128, high: i128, demand: usize) -> (usize, bool, i64, i64) {
    if let (Ok(low), Ok(high)) = (i64::try_from(low), i64::try_from(high)) {
        let (width, signed) = needed(low, high);
        if width <= demand {
            return (width, signed, low, high);
        }
    }
    (demand, true, i64::MIN, i64::MAX)
}

impl Circuit<'_> {
    pub(super) fn unary(&mut self, operator: Unary, value: &Value, demand: usize) -> Value {
        let (low, high) = (i128::from(value.low()), i128::from(value.high()));
        match operator {
            Unary::Not => Value::truth(!value.is_true(self)),
            Unary::Negate => {
                let (width, signed, low, high) = plan(-high, -low, demand);
                Value::within(self.negate(&value.resize(width)), signed, low, high)
            }
            Unary::Complement => {
                let (width, signed, low, high) = plan(-high - 1, -low - 1, demand);
                Value::within(value.resize(width).not(), signed, low, high)
            }
        }
    }

    pub(crate) fn binary(&mut self, operator: Binary, one: &Value, other: &Value, demand: usize) -> Value {
        match operator {
            Binary::Add | Binary::Subtract | Binary::Multiply => self.ring(operator, one, other, demand),
            Binary::Divide => self.divide_values(one, other).0,
            Binary::Remainder => self.divide_values(one, other).1,
            Binary::And | Binary::Or | Binary::Xor => self.bitwise(operator, one, other, demand),
            Binary::ShiftLeft => self.shift_value_left(one, other, demand),
            Binary::ShiftRight => self.shift_value_right(one, other),
            Binary::Equal => Value::truth(self.same_value(one, other)),
            Binary::NotEqual => Value::truth(!self.same_value(one, other)),
            Binary::Less => Value::truth(self.less_value(one, other)),
            Binary::LessEqual => Value::truth(!self.less_value(other, one)),
            Binary::Greater => Value::truth(self.less_value(other, one)),
            Binary::GreaterEqual => Value::truth(!self.less_value(one, other)),
        }
    }

    fn ring(&mut self, operator: Binary, one: &Value, other: &Value, demand: usize) -> Value {
        let (a, b) = (i128::from(one.low()), i128::from(one.high()));
        let (c, d) = (i128::from(other.low()), i128::from(other.high()));
        let (low, high) = match operator {
            Binary::Add => (a + c, b + d),
            Binary::Subtract => (a - d, b - c),
            _ => {
                let corners = [a * c, a * d, b * c, b * d];
                corners
                    .into_iter()
                    .fold((corners[0], corners[0]), |(low, high), one| (low.min(one), high.max(one)))
            }
        };
        let (width, signed, low, high) = plan(low, high, demand);
        let bits = match operator {
            Binary::Add => self.add(&one.resize(width), &other.resize(width)),
            Binary::Subtract => self.subtract(&one.resize(width), &other.resize(width)),
            _ => self.multiply_to(one.bits(), one.is_signed(), other.bits(), other.is_signed(), width),
        };
        let result = Value::within(bits, signed, low, high);
        if operator != Binary::Multiply {
            self.note_moved(one, other, operator == Binary::Subtract, demand, &result);
        }
        result
    }

    fn bitwise(&mut self, operator: Binary, one: &Value, other: &Value, demand: usize) -> Value {
        let unsigned =
            [one, other].into_iter().filter(|value| !value.is_signed()).map(|value| value.bits().width());
        let (width, signed) = match operator {
            // Above an operand that is not negative there is nothing left.
            Binary::And if !one.is_signed() || !other.is_signed() => {
                (unsigned.min().unwrap_or(WIDEST), false)
            }
            _ if !one.is_signed() && !other.is_signed() => (unsigned.max().unwrap_or(WIDEST), false),
            _ => (one.signed_width().max(other.signed_width()), true),
        };
        let (width, signed) = if width > demand { (demand, true) } else { (width, signed) };
        let (one, other) = (one.resize(width), other.resize(width));
        let bits = match operator {
            Binary::And => self.and_bits(&one, &other),
            Binary::Or => self.or_bits(&one, &other),
            _ => self.xor_bits(&one, &other),
        };
        Value::new(bits, signed)
    }

    /// Whether a shift goes further than 63 bits, or backwards; and the six bits that say how far otherwise.
    fn distance(&mut self, distance: &Value) -> (Literal, Bits) {
        let inside = self.inside(distance, 64);
        (!inside, distance.resize(6))
    }

    /// Further than 63 bits, or backwards, nothing is left.
    fn shift_value_left(&mut self, value: &Value, distance: &Value, demand: usize) -> Value {
        let (out, by) = self.distance(distance);
        let furthest = distance.high().clamp(0, 63) as usize;
        let natural = value.bits().width() + furthest;
        let (width, signed) =
            if natural > demand.min(WIDEST) { (demand, true) } else { (natural, value.is_signed()) };
        let shifted = self.shift_left(&value.resize(width), &by);
        let bits = self.choose_bits(out, &Bits::constant(width, 0), &shifted);
        Value::new(bits, signed)
    }

    /// Further than 63 bits, or backwards, only the sign is left.
    fn shift_value_right(&mut self, value: &Value, distance: &Value) -> Value {
        let (out, by) = self.distance(distance);
        let width = value.bits().width();
        let shifted = if value.is_signed() {
            self.shift_right_signed(value.bits(), &by)
        } else {
            self.shift_right(value.bits(), &by)
        };
        let signs = Bits::new(std::iter::repeat_n(value.sign(), width));
        let bits = self.choose_bits(out, &signs, &shifted);
        match distance.known() {
            Some(by @ 0..64) => Value::within(bits, value.is_signed(), value.low() >> by, value.high() >> by),
            _ => Value::new(bits, value.is_signed()),
        }
    }

    /// Rounds towards zero; some number where the divisor is 0.
    fn divide_values(&mut self, one: &Value, other: &Value) -> (Value, Value) {
        let (dividend, divisor) = (self.magnitude_of(one), self.magnitude_of(other));
        let (quotient, remainder) = self.divide_unsigned(&dividend, &divisor);
        let opposite = self.xor(one.sign(), other.sign());
        let quotient = self.signed_by(opposite, &quotient);
        let remainder = self.signed_by(one.sign(), &remainder);
        let largest = |value: &Value| value.low().unsigned_abs().max(value.high().unsigned_abs());
        let number = |magnitude: u64| i64::try_from(magnitude).unwrap_or(i64::MAX);
        let most = number(largest(one));
        // Not larger than the dividend, and smaller than the divisor.
        let rest = most.min(number(largest(other).saturating_sub(1)));
        let (low, high) = (if one.low() < 0 { -rest } else { 0 }, if one.high() > 0 { rest } else { 0 });
        let smallest = match largest(one) {
            // Only the smallest number divided by 1 or -1 is as large as itself.
            magnitude if magnitude > i64::MAX as u64 => i64::MIN,
            _ if one.low() >= 0 && other.low() >= 0 => 0,
            _ => -most,
        };
        (Value::within(quotient, true, smallest, most), Value::within(remainder, true, low, high))
    }

    /// The number without its sign, as an unsigned vector.
    fn magnitude_of(&mut self, value: &Value) -> Bits {
        if value.is_signed() { self.magnitude(value.bits()) } else { value.bits().clone() }
    }

    /// A signed number made of an unsigned one and a sign. 2^63 becomes the smallest number, whatever the sign.
    fn signed_by(&mut self, negative: Literal, magnitude: &Bits) -> Bits {
        let width = (magnitude.width() + 1).min(WIDEST);
        self.negate_if(negative, &magnitude.zero_extend(width))
    }

    /// Whether two numbers are the same.
    pub fn same_value(&mut self, one: &Value, other: &Value) -> Literal {
        if one.high() < other.low() || other.high() < one.low() {
            return Literal::FALSE;
        }
        let (one, other, _) = alike(one, other);
        self.equal(&one, &other)
    }

    pub(crate) fn less_value(&mut self, one: &Value, other: &Value) -> Literal {
        if one.high() < other.low() {
            return Literal::TRUE;
        }
        if one.low() >= other.high() {
            return Literal::FALSE;
        }
        let (one, other, signed) = alike(one, other);
        if signed { self.less_signed(&one, &other) } else { self.less_unsigned(&one, &other) }
    }

    /// Whether the number is one of 0 to `length` - 1.
    pub(crate) fn inside(&mut self, value: &Value, length: u32) -> Literal {
        let below = self.less_value(value, &Value::constant(i64::from(length)));
        let negative = self.less_value(value, &Value::constant(0));
        self.and(!negative, below)
    }

    /// `yes` where the condition holds, else `no`.
    pub(crate) fn choose_value(&mut self, condition: Literal, yes: &Value, no: &Value) -> Value {
        let (low, high) = (yes.low().min(no.low()), yes.high().max(no.high()));
        let (width, signed) = needed(low, high);
        let bits = self.choose_bits(condition, &yes.resize(width), &no.resize(width));
        let result = Value::within(bits, signed, low, high);
        self.note_choice(condition, yes, no, &result);
        result
    }
}

/// Both in the narrowest width that holds both, and whether that is a signed one.
fn alike(one: &Value, other: &Value) -> (Bits, Bits, bool) {
    let (width, signed) = needed(one.low().min(other.low()), one.high().max(other.high()));
    (one.resize(width), other.resize(width), signed)
}
