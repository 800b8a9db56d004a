//! What values of C's scalar types are in the model.

use model::{Field, Record, Scalar};
use source::Span;
use std::sync::Arc;

use super::{Lowered, Lowering};
use crate::tree::{Float, Int, Type, TypeId};

/// How a scalar is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScalarKind {
    Int(Scalar),
    Pointer(Scalar),
    /// Values are doubles that equal a number of single precision; in memory it has 32 bits.
    Single,
    Double,
}

impl ScalarKind {
    /// What lies in memory.
    pub(super) fn scalar(self) -> Scalar {
        match self {
            ScalarKind::Int(scalar) | ScalarKind::Pointer(scalar) => scalar,
            ScalarKind::Single => Scalar::unsigned(32),
            ScalarKind::Double => Scalar::I64,
        }
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, ScalarKind::Single | ScalarKind::Double)
    }
}

pub(super) fn scalar_of(int: Int) -> Option<Scalar> {
    (int.bits <= 64).then_some(Scalar { bits: int.bits, signed: int.signed })
}

impl Lowering<'_> {
    pub(super) fn kind(&self, ty: TypeId, span: Span) -> Lowered<ScalarKind> {
        let types = &self.tree.types;
        match types.get(ty) {
            Type::Bool | Type::Int(_) | Type::Enum(_) => match types.int(ty).and_then(scalar_of) {
                Some(scalar) => Ok(ScalarKind::Int(scalar)),
                None => self.refuse(span, "integers of 128 bits are not supported"),
            },
            Type::Float(Float::Single) => Ok(ScalarKind::Single),
            Type::Float(Float::Double | Float::Extended) => Ok(ScalarKind::Double),
            Type::Pointer(_) => Ok(ScalarKind::Pointer(self.pointers.scalar)),
            _ => self.refuse(span, format!("a value of type `{}` is not supported here", types.spell(ty))),
        }
    }

    pub(super) fn size(&self, ty: TypeId, span: Span) -> Lowered<u32> {
        match self.tree.types.size(ty) {
            Some(size) if size <= self.pointers.largest_object() => Ok(size as u32),
            Some(size) => self.refuse(span, format!("an object of {size} bytes is too large")),
            None => {
                let spelled = self.tree.types.spell(ty);
                self.refuse(span, format!("the size of `{spelled}` is not known"))
            }
        }
    }

    /// Bytes from one element a pointer of this type points to, to the next; 1 for `void *`, as gcc has it.
    pub(super) fn stride(&self, pointer: TypeId, span: Span) -> Lowered<u32> {
        match self.tree.types.pointee(pointer) {
            Some(pointee) if !matches!(self.ty(pointee), Type::Void | Type::Function(_)) => {
                self.size(pointee, span)
            }
            _ => Ok(1),
        }
    }

    /// The type for whoever wants to know what lies in a frame.
    pub(super) fn model_type(&self, ty: TypeId) -> model::Type {
        match self.ty(ty) {
            Type::Array { element, length } => {
                let length = length.and_then(|length| u32::try_from(length).ok()).unwrap_or(0);
                model::Type::Array(Box::new(self.model_type(element)), length)
            }
            Type::Record(id) => {
                let record = self.tree.types.record(id);
                let fields = record.fields.iter().filter(|field| field.bits.is_none()).map(|field| Field {
                    name: field.name.as_deref().unwrap_or_default().to_owned(),
                    kind: self.model_type(field.ty),
                    offset: field.offset as u32,
                });
                let size = record.layout.map_or(0, |layout| layout.size as u32);
                let name = record.tag.as_deref().unwrap_or_default().to_owned();
                model::Type::Record(Arc::new(Record { name, fields: fields.collect(), size }))
            }
            _ => {
                let kind = self.kind(ty, Span::default());
                model::Type::Scalar(kind.map_or(Scalar::U8, ScalarKind::scalar))
            }
        }
    }
}
