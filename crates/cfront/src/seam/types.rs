//! Types, each translated once. The fields of records come later, from a list, because a record may hold
//! pointers to itself.

use rucc_types::{ArrayLen, EnumId, FloatKind, Qualifiers, RecordId, RecordKind as TheirKind, TypeKind};

use super::lower::Lower;
use crate::tree::{
    self, Access, BitRange, Enumeration, Field, Float, Int, Layout, Record, RecordKind, Signature, Type,
    TypeId,
};

/// A type that programs are refused for using, by its name.
pub(super) type Unsupported = &'static str;

impl Lower<'_> {
    pub(super) fn ty(&mut self, theirs: rucc_types::TypeId) -> Result<TypeId, Unsupported> {
        let ty = self.shallow(theirs)?;
        while let Some((theirs, ours)) = self.pending_records.pop() {
            self.fill_record(theirs, ours);
        }
        Ok(ty)
    }

    /// The type, but records whose fields are still to come.
    fn shallow(&mut self, theirs: rucc_types::TypeId) -> Result<TypeId, Unsupported> {
        let theirs = self.types.canonical(theirs);
        if let Some(ours) = self.type_ids.get(&theirs) {
            return Ok(*ours);
        }
        let ty = match self.types.kind(theirs) {
            TypeKind::Void => Type::Void,
            TypeKind::Bool => Type::Bool,
            TypeKind::Int(kind) => Type::Int(Int {
                bits: rucc_types::int_width(kind, self.target) as u8,
                signed: kind.is_signed(self.target.char_is_signed),
            }),
            TypeKind::Float(FloatKind::Float | FloatKind::Float32) => Type::Float(Float::Single),
            TypeKind::Float(FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x) => {
                Type::Float(Float::Double)
            }
            TypeKind::Float(FloatKind::LongDouble | FloatKind::Float64x) => Type::Float(Float::Extended),
            TypeKind::Float(_) => return Err("a floating type of unusual width"),
            TypeKind::Complex(_) => return Err("a complex number"),
            TypeKind::BitInt { .. } => {
                return Err("arithmetic on `_BitInt`, or on a bit-field wider than `int`");
            }
            TypeKind::Vector { .. } => return Err("a vector type"),
            TypeKind::Pointer(pointee) => Type::Pointer(self.shallow(pointee)?),
            TypeKind::Atomic(inner) | TypeKind::Typedef { underlying: inner, .. } => {
                let ours = self.shallow(inner)?;
                self.type_ids.insert(theirs, ours);
                return Ok(ours);
            }
            TypeKind::Array { elem, len } => {
                let length = match len {
                    ArrayLen::Fixed(length) => Some(length),
                    ArrayLen::Unknown => None,
                    ArrayLen::Variable(length) => match self.settled_length(self.tast.vla_size(length)) {
                        Some(length) => Some(length),
                        None => return Err("a variable-length array"),
                    },
                    ArrayLen::Star => return Err("a variable-length array"),
                };
                Type::Array { element: self.shallow(elem)?, length }
            }
            TypeKind::Function(id) => {
                let signature = self.types.signature(id).clone();
                let result = self.shallow(signature.ret)?;
                let parameters = signature.params.iter().map(|ty| self.shallow(*ty));
                let parameters = parameters.collect::<Result<Vec<_>, _>>()?;
                let (variadic, prototyped) = (signature.variadic, signature.prototyped);
                let signature = Signature { result, parameters, variadic, prototyped };
                Type::Function(self.program.types.intern_signature(signature))
            }
            TypeKind::Record(id) => Type::Record(self.record(id)?),
            TypeKind::Enum(id) => Type::Enum(self.enumeration(id)?),
        };
        let layout = match ty {
            Type::Record(_) | Type::Array { .. } | Type::Function(_) | Type::Void => None,
            _ => self.layout(theirs),
        };
        let ours = self.program.types.intern(ty, layout);
        self.type_ids.insert(theirs, ours);
        Ok(ours)
    }

    fn layout(&self, theirs: rucc_types::TypeId) -> Option<Layout> {
        let layout = rucc_types::layout(self.types, theirs, self.target).ok()?;
        Some(Layout { size: layout.size, align: layout.align })
    }

    fn record(&mut self, theirs: RecordId) -> Result<tree::RecordId, Unsupported> {
        if let Some(ours) = self.record_ids.get(&theirs) {
            return Ok(*ours);
        }
        let info = self.types.record_info(theirs);
        if info.variable.is_some() {
            return Err("a variable-length array");
        }
        if info.reverse {
            return Err("a record in the other byte order");
        }
        let ours = self.program.types.add_record(Record {
            kind: match info.kind {
                TheirKind::Struct => RecordKind::Struct,
                TheirKind::Union => RecordKind::Union,
            },
            tag: info.tag.map(|tag| self.name(tag)),
            layout: info.layout.map(|layout| Layout { size: layout.size, align: layout.align }),
            fields: Vec::new(),
        });
        self.record_ids.insert(theirs, ours);
        self.pending_records.push((theirs, ours));
        Ok(ours)
    }

    fn fill_record(&mut self, theirs: RecordId, ours: tree::RecordId) {
        let fields = self.types.record_info(theirs).fields.clone();
        let fields = fields.into_iter().map(|field| {
            let ty = self.shallow(field.ty);
            let ty = ty.unwrap_or_else(|what| self.program.types.intern(Type::Opaque(what), None));
            Field {
                name: field.name.map(|name| self.name(name)),
                ty,
                offset: field.offset,
                bits: field.bits.map(|width| BitRange { start: field.bit as u8, width: width as u8 }),
            }
        });
        let fields = fields.collect();
        self.program.types.record_mut(ours).fields = fields;
    }

    fn enumeration(&mut self, theirs: EnumId) -> Result<tree::EnumId, Unsupported> {
        if let Some(ours) = self.enum_ids.get(&theirs) {
            return Ok(*ours);
        }
        let info = self.types.enum_info(theirs).clone();
        if info.hardbool.is_some() {
            return Err("a hardened `bool`");
        }
        // One that is not defined is as good as an `unsigned int`, as gcc has it.
        let underlying = match info.underlying {
            Some(underlying) => {
                let ty = self.shallow(underlying)?;
                self.program.types.int(ty)
            }
            None => None,
        };
        let constants = info.enumerators.iter().map(|one| (self.name(one.name), one.value));
        let constants = constants.collect();
        let ours = self.program.types.add_enum(Enumeration {
            tag: info.tag.map(|tag| self.name(tag)),
            underlying: underlying.unwrap_or(Int { bits: 32, signed: false }),
            constants,
        });
        self.enum_ids.insert(theirs, ours);
        Ok(ours)
    }

    /// How an object of this type is read and written.
    pub(super) fn access(&self, theirs: rucc_types::TypeId) -> Access {
        let theirs = self.types.canonical(theirs);
        if rucc_types::is_atomic(self.types, theirs) {
            Access::Atomic
        } else if self.types.object_quals(theirs).has(Qualifiers::VOLATILE) {
            Access::Volatile
        } else {
            Access::Plain
        }
    }

    pub(super) fn is_const(&self, theirs: rucc_types::TypeId) -> bool {
        self.types.object_quals(self.types.canonical(theirs)).has(Qualifiers::CONST)
    }
}
