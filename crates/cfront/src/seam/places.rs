//! Places: what may be read, assigned to, and have its address taken.

use rucc_ast::UnaryOp;
use rucc_sema::{Category, Conversion, ExprId as Theirs, ExprKind as Kind, StorageDuration};
use rucc_types::TypeKind;

use super::lower::{Lower, Lowered};
use crate::tree::{ExprId, ExprKind, Int, Layout, PlaceId, PlaceKind, Storage, Type, TypeId};

impl Lower<'_> {
    pub(super) fn place(&mut self, id: Theirs) -> Lowered<PlaceId> {
        let node = self.tast[id];
        let span = self.span(self.tast.expr_span(id));
        let kind = match node.kind {
            Kind::Decl(decl) => {
                let object = self.object(decl)?;
                // The object knows the length of an array that its first declaration left open.
                let ty = self.program[object].ty;
                return Ok(self.program.add_place(PlaceKind::Variable(object), ty, span));
            }
            Kind::Str(string) => {
                let string = self.string(string, span);
                let ty = self.program[string].ty;
                return Ok(self.program.add_place(PlaceKind::String(string), ty, span));
            }
            Kind::Unary { op: UnaryOp::Deref, operand } => {
                let pointer = self.expression(operand)?;
                // `*&x` is `x`.
                if let ExprKind::AddressOf(place) = self.program[pointer].kind {
                    return Ok(place);
                }
                PlaceKind::Deref(pointer)
            }
            Kind::Subscript { base, index } => match self.tast[base].kind {
                Kind::Convert { kind: Conversion::ArrayDecay, operand } => {
                    let array = self.place(operand)?;
                    PlaceKind::Index { array, index: self.expression(index)? }
                }
                _ => {
                    let pointer = self.expression(base)?;
                    PlaceKind::Element { pointer, index: self.expression(index)? }
                }
            },
            Kind::Member { base, field } => {
                let record = self.place(base)?;
                let whole = self.types.canonical(self.tast[base].ty);
                if !matches!(self.types.kind(whole), TypeKind::Record(_)) {
                    return Err(self.unsupported("a member of something that is not a record", span));
                }
                PlaceKind::Member { record, field }
            }
            Kind::CompoundLiteral(decl) => {
                let object = self.object(decl)?;
                if self.tast[decl].duration == StorageDuration::Automatic {
                    self.local_initializer(decl, object)?;
                    PlaceKind::CompoundLiteral(object)
                } else {
                    self.program.objects[object.index()].storage = Storage::Static;
                    PlaceKind::Variable(object)
                }
            }
            _ if node.category == Category::Rvalue => PlaceKind::Temporary(self.expression(id)?),
            // gcc takes these for places where they are records, and reads from them only.
            Kind::Cond { .. } | Kind::Comma { .. } | Kind::Assign { .. } => {
                return Err(self.unsupported("a place that is computed", span));
            }
            _ => return Err(self.unsupported("a place of an unknown kind", span)),
        };
        let ty = self.typed(node.ty, span)?;
        Ok(self.program.add_place(kind, ty, span))
    }

    /// The function an expression stands for, as its address.
    pub(super) fn designated_function(&mut self, id: Theirs) -> Lowered<ExprId> {
        let node = self.tast[id];
        let span = self.span(self.tast.expr_span(id));
        match node.kind {
            Kind::Decl(decl) => {
                let function = self.function(decl, self.tast.expr_span(id))?;
                self.program.functions[function.index()].address_taken = true;
                let ty = self.program[function].ty;
                let pointer = self.pointer_to(ty);
                Ok(self.program.add_expr(ExprKind::Function(function), pointer, span))
            }
            // A pointer to a function that is followed leads to what it pointed to.
            Kind::Unary { op: UnaryOp::Deref, operand } => self.expression(operand),
            _ => Err(self.unsupported("a function that is computed", span)),
        }
    }

    pub(super) fn pointer_to(&mut self, pointee: TypeId) -> TypeId {
        let bytes = u64::from(self.program.types.data_model().pointer_bits()) / 8;
        let layout = Layout { size: bytes, align: bytes };
        self.program.types.intern(Type::Pointer(pointee), Some(layout))
    }

    pub(super) fn int(&mut self) -> TypeId {
        self.int_type(Int::INT)
    }
}
