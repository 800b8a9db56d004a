//! C's operators on values, bit-precise.

use model::{Binary, Expr, Primitive, Scalar};

use super::types::ScalarKind;
use crate::tree::{Arithmetic, Comparison};

/// `left op right`, both of the kind of the result. If it is `checked`, the result of integers with a sign
/// must be one of them.
pub(super) fn operation(op: Arithmetic, left: Expr, right: Expr, kind: ScalarKind, checked: bool) -> Expr {
    match kind {
        ScalarKind::Int(scalar) if checked && scalar.signed => exact(op, left, right, scalar),
        ScalarKind::Int(scalar) | ScalarKind::Pointer(scalar) => integer(op, left, right, scalar),
        ScalarKind::Double => float(op, left, right),
        ScalarKind::Single => Expr::Apply(Primitive::RoundToSingle, vec![float(op, left, right)]),
    }
}

fn integer(op: Arithmetic, left: Expr, right: Expr, scalar: Scalar) -> Expr {
    let wide = scalar == Scalar::unsigned(64);
    let apply = |primitive, left, right| Expr::Apply(primitive, vec![left, right]);
    let wrap = |value: Expr| {
        if scalar.bits == 64 { value } else { Expr::Wrap(scalar, Box::new(value)) }
    };
    match op {
        Arithmetic::Add => wrap(Expr::binary(Binary::Add, left, right)),
        Arithmetic::Subtract => wrap(Expr::binary(Binary::Subtract, left, right)),
        Arithmetic::Multiply => wrap(Expr::binary(Binary::Multiply, left, right)),
        Arithmetic::Divide if wide => apply(Primitive::DivideUnsigned, left, right),
        Arithmetic::Divide => wrap(Expr::binary(Binary::Divide, left, right)),
        Arithmetic::Remainder if wide => apply(Primitive::RemainderUnsigned, left, right),
        Arithmetic::Remainder => Expr::binary(Binary::Remainder, left, right),
        Arithmetic::ShiftLeft => wrap(Expr::binary(Binary::ShiftLeft, left, right)),
        Arithmetic::ShiftRight if wide => apply(Primitive::ShiftRightUnsigned, left, right),
        Arithmetic::ShiftRight => Expr::binary(Binary::ShiftRight, left, right),
        Arithmetic::And => Expr::binary(Binary::And, left, right),
        Arithmetic::Or => Expr::binary(Binary::Or, left, right),
        Arithmetic::Xor => Expr::binary(Binary::Xor, left, right),
    }
}

fn exact(op: Arithmetic, left: Expr, right: Expr, scalar: Scalar) -> Expr {
    let fits = |op, left, right| fitting(Expr::binary(op, left, right), scalar);
    let wide = |primitive, left, right| Expr::Apply(primitive, vec![left, right]);
    match (op, scalar.bits) {
        (Arithmetic::Add, 64) => wide(Primitive::ExactSum, left, right),
        (Arithmetic::Subtract, 64) => wide(Primitive::ExactDifference, left, right),
        (Arithmetic::Multiply, 64) => wide(Primitive::ExactProduct, left, right),
        (Arithmetic::Divide, 64) => wide(Primitive::ExactQuotient, left, right),
        (Arithmetic::Add, _) => fits(Binary::Add, left, right),
        (Arithmetic::Subtract, _) => fits(Binary::Subtract, left, right),
        (Arithmetic::Multiply, _) => fits(Binary::Multiply, left, right),
        (Arithmetic::Divide, _) => fits(Binary::Divide, left, right),
        (Arithmetic::ShiftLeft, 1..=32) => fits(Binary::ShiftLeft, left, right),
        _ => integer(op, left, right, scalar),
    }
}

/// A value that must be one of the type; what does not fit is an overflow.
pub(super) fn fitting(value: Expr, scalar: Scalar) -> Expr {
    Expr::Apply(Primitive::Fits, vec![value, Expr::Constant(i64::from(scalar.bits))])
}

fn float(op: Arithmetic, left: Expr, right: Expr) -> Expr {
    let primitive = match op {
        Arithmetic::Add => Primitive::FloatAdd,
        Arithmetic::Subtract => Primitive::FloatSubtract,
        Arithmetic::Multiply => Primitive::FloatMultiply,
        // Only these four are there for floating-point numbers.
        _ => Primitive::FloatDivide,
    };
    Expr::Apply(primitive, vec![left, right])
}

/// 1 if the comparison holds, else 0; both sides are of the kind.
pub(super) fn comparison(op: Comparison, left: Expr, right: Expr, kind: ScalarKind) -> Expr {
    let apply = |primitive, left, right| Expr::Apply(primitive, vec![left, right]);
    match kind {
        ScalarKind::Single | ScalarKind::Double => match op {
            Comparison::Equal => apply(Primitive::FloatEqual, left, right),
            Comparison::NotEqual => Expr::negation(apply(Primitive::FloatEqual, left, right)),
            Comparison::Less => apply(Primitive::FloatLess, left, right),
            Comparison::LessEqual => apply(Primitive::FloatLessEqual, left, right),
            Comparison::Greater => apply(Primitive::FloatLess, right, left),
            Comparison::GreaterEqual => apply(Primitive::FloatLessEqual, right, left),
        },
        ScalarKind::Int(scalar) | ScalarKind::Pointer(scalar) => {
            let wide = scalar == Scalar::unsigned(64);
            match op {
                Comparison::Equal => Expr::binary(Binary::Equal, left, right),
                Comparison::NotEqual => Expr::binary(Binary::NotEqual, left, right),
                Comparison::Less if wide => apply(Primitive::LessUnsigned, left, right),
                Comparison::LessEqual if wide => apply(Primitive::LessEqualUnsigned, left, right),
                Comparison::Greater if wide => apply(Primitive::LessUnsigned, right, left),
                Comparison::GreaterEqual if wide => apply(Primitive::LessEqualUnsigned, right, left),
                Comparison::Less => Expr::binary(Binary::Less, left, right),
                Comparison::LessEqual => Expr::binary(Binary::LessEqual, left, right),
                Comparison::Greater => Expr::binary(Binary::Greater, left, right),
                Comparison::GreaterEqual => Expr::binary(Binary::GreaterEqual, left, right),
            }
        }
    }
}
