//! Numbers, and comparisons of arrays that the JDK does with special instructions.

use super::Native;
use crate::machine::{Machine, Run};
use crate::value::Value;

pub(super) const TABLE: &[(&str, Native)] = &[
    ("java/lang/Float.floatToRawIntBits(F)I", float_bits),
    ("java/lang/Float.intBitsToFloat(I)F", bits_float),
    ("java/lang/Double.doubleToRawLongBits(D)J", double_bits),
    ("java/lang/Double.longBitsToDouble(J)D", bits_double),
    ("java/lang/StrictMath.sqrt(D)D", sqrt),
    ("java/lang/Math.sqrt(D)D", sqrt),
    (
        "jdk/internal/util/ArraysSupport.vectorizedMismatch(Ljava/lang/Object;JLjava/lang/Object;JII)I",
        mismatch,
    ),
];

fn float_bits(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    match operands {
        [Value::Float(value)] => Ok(Some(Value::Int(value.to_bits() as i32))),
        _ => Err(machine.bad()),
    }
}

fn bits_float(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    Ok(Some(Value::Float(f32::from_bits(machine.int_at(operands, 0)? as u32))))
}

fn double_bits(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    match operands {
        [Value::Double(value)] => Ok(Some(Value::Long(value.to_bits() as i64))),
        _ => Err(machine.bad()),
    }
}

fn bits_double(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    Ok(Some(Value::Double(f64::from_bits(machine.long_at(operands, 0)? as u64))))
}

fn sqrt(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    match operands {
        [Value::Double(value)] => Ok(Some(Value::Double(value.sqrt()))),
        _ => Err(machine.bad()),
    }
}

/// Says that nothing was compared, so that the caller does it element by element.
fn mismatch(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    Ok(Some(Value::Int(!machine.int_at(operands, 4)?)))
}
