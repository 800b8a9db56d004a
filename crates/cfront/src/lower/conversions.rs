//! Conversions between scalar types.

use model::{Binary, Expr, Primitive, Scalar};

use super::Lowering;
use super::types::ScalarKind;

impl Lowering<'_> {
    /// The value in another scalar type; `_Bool` is asked for with [`truth_of`].
    pub(super) fn convert(&self, value: Expr, from: ScalarKind, to: ScalarKind) -> Expr {
        match (from, to) {
            (
                ScalarKind::Int(from) | ScalarKind::Pointer(from),
                ScalarKind::Int(to) | ScalarKind::Pointer(to),
            ) => wrapped(value, from, to),
            (ScalarKind::Int(from) | ScalarKind::Pointer(from), ScalarKind::Single | ScalarKind::Double) => {
                let unsigned = from == Scalar::unsigned(64);
                let primitive = if unsigned { Primitive::FromUnsigned } else { Primitive::FromSigned };
                self.convert(Expr::Apply(primitive, vec![value]), ScalarKind::Double, to)
            }
            (ScalarKind::Single | ScalarKind::Double, ScalarKind::Int(to) | ScalarKind::Pointer(to)) => {
                let unsigned = to == Scalar::unsigned(64);
                let primitive = if unsigned { Primitive::ToUnsigned } else { Primitive::ToSigned };
                wrapped(Expr::Apply(primitive, vec![value]), Scalar::I64, to)
            }
            (ScalarKind::Double, ScalarKind::Single) => Expr::Apply(Primitive::RoundToSingle, vec![value]),
            (ScalarKind::Single | ScalarKind::Double, ScalarKind::Single | ScalarKind::Double) => value,
        }
    }
}

fn wrapped(value: Expr, from: Scalar, to: Scalar) -> Expr {
    let fits = from == to || from.bits < to.bits && (to.signed || !from.signed);
    match value {
        Expr::Constant(value) => Expr::Constant(to.wrap(value)),
        // All 64 bits are kept, whatever they mean.
        value if to.bits == 64 || fits => value,
        value => Expr::Wrap(to, Box::new(value)),
    }
}

/// 1 if the value is not zero, else 0.
pub(super) fn truth_of(value: Expr, kind: ScalarKind) -> Expr {
    if kind.is_float() {
        let zero = Expr::Constant(0.0f64.to_bits() as i64);
        return Expr::negation(Expr::Apply(Primitive::FloatEqual, vec![value, zero]));
    }
    match value {
        Expr::Constant(value) => Expr::Constant(i64::from(value != 0)),
        value if is_truth(&value) => value,
        value => Expr::binary(Binary::NotEqual, value, Expr::Constant(0)),
    }
}

/// Whether the value is 0 or 1 anyway.
pub(crate) fn is_truth(value: &Expr) -> bool {
    use Binary as B;
    use Primitive as P;
    match value {
        Expr::Constant(value) => matches!(value, 0 | 1),
        Expr::Unary(model::Unary::Not, _) | Expr::AndAlso(..) | Expr::OrElse(..) => true,
        Expr::Binary(operator, ..) => {
            matches!(operator, B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual)
        }
        Expr::Apply(primitive, _) => matches!(
            primitive,
            P::LessUnsigned | P::LessEqualUnsigned | P::FloatEqual | P::FloatLess | P::FloatLessEqual
        ),
        _ => false,
    }
}
