//! Initialisers: a list of values and the offsets they are stored at, after the object was made zero.

use rucc_sema::{DeclId, Eval, ExprId as Theirs, ExprKind as Kind};
use source::Span;

use super::lower::{Lower, Lowered};
use crate::tree::{
    BitRange, ExprId, InitEntry, InitValue, Initializer, ObjectId, RecordKind, StringId, Type, TypeId,
};

impl Lower<'_> {
    /// That of an object which exists before the program runs: constants.
    pub(super) fn static_initializer(&mut self, id: DeclId, object: ObjectId) {
        if let Ok(entries) = self.entries(id, object, Self::folded) {
            self.program.objects[object.index()].init = Some(Initializer { entries });
        }
    }

    /// That of a local variable: expressions, evaluated when its declaration is passed.
    pub(super) fn local_initializer(&mut self, id: DeclId, object: ObjectId) -> Lowered<()> {
        if self.tast[id].init.is_some() {
            let entries = self.entries(id, object, Self::expression)?;
            self.program.objects[object.index()].init = Some(Initializer { entries });
        }
        Ok(())
    }

    fn entries(
        &mut self,
        id: DeclId,
        object: ObjectId,
        mut value: impl FnMut(&mut Self, Theirs) -> Lowered<ExprId>,
    ) -> Lowered<Box<[InitEntry]>> {
        let tast = self.tast;
        let Some(list) = tast[id].init else { return Ok(Box::default()) };
        let mut entries = Vec::with_capacity(tast[list].len());
        for entry in &tast[list] {
            let span = self.span(tast.expr_span(entry.value));
            if entry.reverse {
                return Err(self.unsupported("a record in the other byte order", span));
            }
            let bits = entry
                .is_bit_field()
                .then_some(BitRange { start: entry.bit_offset as u8, width: entry.bit_width as u8 });
            let (ty, value) = match self.literal(entry.value) {
                Some(string) => {
                    let ty = self.array_at(object, entry.offset, string, span)?;
                    (ty, InitValue::String(string))
                }
                None => {
                    let value = value(self, entry.value)?;
                    (self.program[value].ty, InitValue::Expr(value))
                }
            };
            entries.push(InitEntry { offset: entry.offset, ty, bits, value });
        }
        Ok(entries.into())
    }

    /// The literal an array of characters is initialised with, if that is what the value is.
    fn literal(&mut self, value: Theirs) -> Option<StringId> {
        let Kind::Str(string) = self.tast[value].kind else { return None };
        let span = self.span(self.tast.expr_span(value));
        Some(self.string(string, span))
    }

    /// The array a literal is stored in, which may have less room than the literal, or more.
    fn array_at(&mut self, object: ObjectId, offset: u64, string: StringId, span: Span) -> Lowered<TypeId> {
        let types = &self.program.types;
        let wanted = types.element(self.program[string].ty);
        let size =
            |ty| wanted.and_then(|wanted| types.size(wanted)).filter(|size| types.size(ty) == Some(*size));
        // Of the members of a union the longest, because the object is zero anyway.
        let mut found: Option<TypeId> = None;
        let mut parts = vec![(self.program[object].ty, offset)];
        while let Some((ty, offset)) = parts.pop() {
            match types.get(ty) {
                Type::Array { element, length } => {
                    if offset == 0 && types.int(element).is_some() && size(element).is_some() {
                        let longer = found.is_none_or(|found| types.size(found) < types.size(ty));
                        if longer {
                            found = Some(ty);
                        }
                    } else if let Some(bytes) = types.size(element).filter(|bytes| *bytes > 0)
                        && length.is_none_or(|length| offset / bytes < length)
                    {
                        parts.push((element, offset % bytes));
                    }
                }
                Type::Record(id) => {
                    let record = types.record(id);
                    for field in record.fields.iter().filter(|field| field.bits.is_none()) {
                        let inside = match types.size(field.ty) {
                            Some(bytes) => offset.wrapping_sub(field.offset) < bytes,
                            None => offset >= field.offset,
                        };
                        if inside && offset >= field.offset {
                            parts.push((field.ty, offset - field.offset));
                            if record.kind == RecordKind::Struct {
                                break;
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        match found {
            Some(ty) => Ok(ty),
            None => Err(self.unsupported("a string that initialises no array", span)),
        }
    }

    /// A constant that the library has checked to be one.
    fn folded(&mut self, value: Theirs) -> Lowered<ExprId> {
        let span = self.span(self.tast.expr_span(value));
        let mut eval = Eval::new(self.tast, self.types, self.target, self.names).objects(true);
        match eval.initializer(value) {
            Ok(constant) => self.constant(constant, self.tast[value].ty, span),
            Err(_) => {
                let value = self.expression(value)?;
                if self.program.has_effects(value) {
                    return Err(self.unsupported("an initialiser that is not a constant", span));
                }
                Ok(value)
            }
        }
    }
}
