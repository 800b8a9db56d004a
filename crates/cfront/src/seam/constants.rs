//! Constants, as they are written and as initialisers fold to.

use rucc_base::float::{Float as Number, Format};
use rucc_sema::{Base as TheirBase, Const};
use source::Span;

use super::lower::{Lower, Lowered};
use crate::tree::{Base, ExprId, ExprKind, Type};

impl Lower<'_> {
    pub(super) fn constant(&mut self, value: Const, ty: rucc_types::TypeId, span: Span) -> Lowered<ExprId> {
        let ty = self.typed(ty, span)?;
        let kind = match value {
            Const::Int(value) => match (self.program.types.int(ty), self.program.types.get(ty)) {
                (Some(int), _) => ExprKind::Int(int.wrap(value)),
                (None, Type::Pointer(_)) => {
                    let bits = self.program.types.data_model().pointer_bits();
                    ExprKind::Int(crate::tree::Int { bits, signed: false }.wrap(value))
                }
                _ => return Err(self.unsupported("a constant of such a type", span)),
            },
            Const::Float(number) => match double(number) {
                Some(value) if self.program.types.float(ty).is_some() => ExprKind::Float(value),
                _ => return Err(self.unsupported("a constant of such a type", span)),
            },
            Const::Address(address) => {
                let Ok(offset) = i64::try_from(address.offset) else {
                    return Err(self.unsupported("an address outside of memory", span));
                };
                let base = match address.base {
                    // An address the program wrote as a number.
                    TheirBase::Absolute => {
                        return Ok(self.program.add_expr(ExprKind::Int(address.offset), ty, span));
                    }
                    TheirBase::Label(_) => return Err(self.unsupported("a computed goto", span)),
                    TheirBase::Decl(decl) if self.tast[decl].kind == rucc_sema::DeclKind::Function => {
                        let function = self.function(decl, self.tast.decl_span(decl))?;
                        self.program.functions[function.index()].address_taken = true;
                        Base::Function(function)
                    }
                    TheirBase::Decl(decl) => Base::Object(self.object(decl)?),
                    TheirBase::Str(string) => Base::String(self.string(string, span)),
                };
                match base {
                    Base::Function(function) if offset == 0 => ExprKind::Function(function),
                    _ => ExprKind::Address { base, offset },
                }
            }
            Const::Complex { .. } | Const::ComplexInt { .. } => {
                return Err(self.unsupported("a complex number", span));
            }
            Const::Apart { .. } => return Err(self.unsupported("a computed goto", span)),
        };
        Ok(self.program.add_expr(kind, ty, span))
    }
}

/// The number as a double; wider formats are rounded to it.
fn double(number: Number) -> Option<f64> {
    let bits = number.to_bits();
    match number.format() {
        Format::Single => Some(f64::from(f32::from_bits(bits as u32))),
        Format::Double => Some(f64::from_bits(bits as u64)),
        Format::X87Extended => Some(extended(bits)),
        _ => None,
    }
}

/// A sign, 15 bits of exponent, 64 bits with the leading one written out.
fn extended(bits: u128) -> f64 {
    let exponent = (bits >> 64) as i32 & 0x7fff;
    let significand = bits as u64;
    let sign = if bits >> 79 & 1 == 1 { -1.0 } else { 1.0 };
    let magnitude = match exponent {
        0x7fff if significand << 1 == 0 => f64::INFINITY,
        0x7fff => f64::NAN,
        // In two steps, so that small numbers do not become 0 on the way.
        _ => {
            let scale = exponent - 16383 - 63;
            significand as f64 * 2f64.powi(scale / 2) * 2f64.powi(scale - scale / 2)
        }
    };
    sign * magnitude
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_doubles_become_doubles() {
        for (text, value) in [("1.5", 1.5), ("-0.1", -0.1), ("1e300", 1e300), ("3e-320", 3e-320), ("0", 0.0)]
        {
            let (number, _) =
                Number::parse(text.trim_start_matches('-'), Format::X87Extended).expect("a number");
            let magnitude = double(number).expect("a double");
            let signed = if text.starts_with('-') { -magnitude } else { magnitude };
            assert_eq!(signed, value, "{text}");
        }
        assert_eq!(double(Number::infinity(Format::X87Extended, true)), Some(f64::NEG_INFINITY));
        assert_eq!(double(Number::infinity(Format::Quad, false)), None);
    }
}
