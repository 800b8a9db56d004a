//! Arithmetic as Java defines it: integers wrap around, shifts take the low bits of their distance, conversions
//! saturate.

use crate::code::{Binary, Into};
use crate::value::Value;

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum No {
    DivisionByZero,
    Sort,
}

pub(super) fn binary(op: Binary, one: Value, two: Value) -> Result<Value, No> {
    Ok(match (one, two) {
        (Value::Int(one), Value::Int(two)) => Value::Int(match op {
            Binary::Add => one.wrapping_add(two),
            Binary::Sub => one.wrapping_sub(two),
            Binary::Mul => one.wrapping_mul(two),
            Binary::Div | Binary::Rem if two == 0 => return Err(No::DivisionByZero),
            Binary::Div => one.wrapping_div(two),
            Binary::Rem => one.wrapping_rem(two),
            Binary::Shl => one.wrapping_shl(two as u32),
            Binary::Shr => one.wrapping_shr(two as u32),
            Binary::Ushr => (one as u32).wrapping_shr(two as u32) as i32,
            Binary::And => one & two,
            Binary::Or => one | two,
            Binary::Xor => one ^ two,
        }),
        (Value::Long(one), Value::Long(two)) => Value::Long(match op {
            Binary::Add => one.wrapping_add(two),
            Binary::Sub => one.wrapping_sub(two),
            Binary::Mul => one.wrapping_mul(two),
            Binary::Div | Binary::Rem if two == 0 => return Err(No::DivisionByZero),
            Binary::Div => one.wrapping_div(two),
            Binary::Rem => one.wrapping_rem(two),
            Binary::And => one & two,
            Binary::Or => one | two,
            Binary::Xor => one ^ two,
            _ => return Err(No::Sort),
        }),
        (Value::Long(one), Value::Int(two)) => Value::Long(match op {
            Binary::Shl => one.wrapping_shl(two as u32),
            Binary::Shr => one.wrapping_shr(two as u32),
            Binary::Ushr => (one as u64).wrapping_shr(two as u32) as i64,
            _ => return Err(No::Sort),
        }),
        (Value::Float(one), Value::Float(two)) => Value::Float(match op {
            Binary::Add => one + two,
            Binary::Sub => one - two,
            Binary::Mul => one * two,
            Binary::Div => one / two,
            Binary::Rem => one % two,
            _ => return Err(No::Sort),
        }),
        (Value::Double(one), Value::Double(two)) => Value::Double(match op {
            Binary::Add => one + two,
            Binary::Sub => one - two,
            Binary::Mul => one * two,
            Binary::Div => one / two,
            Binary::Rem => one % two,
            _ => return Err(No::Sort),
        }),
        _ => return Err(No::Sort),
    })
}

pub(super) fn negate(value: Value) -> Option<Value> {
    Some(match value {
        Value::Int(value) => Value::Int(value.wrapping_neg()),
        Value::Long(value) => Value::Long(value.wrapping_neg()),
        Value::Float(value) => Value::Float(-value),
        Value::Double(value) => Value::Double(-value),
        _ => return None,
    })
}

/// Rust's `as` does what Java wants: it wraps among integers, and saturates from floats.
pub(super) fn convert(into: Into, value: Value) -> Option<Value> {
    let int = |value: i32| match into {
        Into::Int => Value::Int(value),
        Into::Byte => Value::Int(i32::from(value as i8)),
        Into::Char => Value::Int(i32::from(value as u16)),
        Into::Short => Value::Int(i32::from(value as i16)),
        Into::Long => Value::Long(i64::from(value)),
        Into::Float => Value::Float(value as f32),
        Into::Double => Value::Double(f64::from(value)),
    };
    Some(match (value, into) {
        (Value::Int(value), _) => int(value),
        (Value::Long(value), Into::Int) => Value::Int(value as i32),
        (Value::Long(value), Into::Float) => Value::Float(value as f32),
        (Value::Long(value), Into::Double) => Value::Double(value as f64),
        (Value::Float(value), Into::Int) => Value::Int(value as i32),
        (Value::Float(value), Into::Long) => Value::Long(value as i64),
        (Value::Float(value), Into::Double) => Value::Double(f64::from(value)),
        (Value::Double(value), Into::Int) => Value::Int(value as i32),
        (Value::Double(value), Into::Long) => Value::Long(value as i64),
        (Value::Double(value), Into::Float) => Value::Float(value as f32),
        _ => return None,
    })
}

/// Compares two floats or doubles.
pub(super) fn compare(one: Value, two: Value, unordered: i32) -> Option<i32> {
    let order = match (one, two) {
        (Value::Float(one), Value::Float(two)) => one.partial_cmp(&two),
        (Value::Double(one), Value::Double(two)) => one.partial_cmp(&two),
        _ => return None,
    };
    Some(order.map_or(unordered, |order| order as i32))
}
