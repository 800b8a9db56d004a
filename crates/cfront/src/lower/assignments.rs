//! Assignments of all sorts.

use model::{Expr, Primitive, Scalar};
use source::Span;

use super::Lowered;
use super::arithmetic::operation;
use super::body::Body;
use super::conversions::truth_of;
use super::places::Spot;
use super::types::ScalarKind;
use crate::tree::{Access, Arithmetic, ExprId, ExprKind, PlaceId, Type, TypeId};

impl Body<'_, '_> {
    /// An assignment, and its value if that is wanted.
    pub(super) fn assignment(&mut self, id: ExprId, wanted: bool) -> Lowered<Expr> {
        let tree = self.lowering.tree;
        let node = &tree[id];
        match node.kind {
            ExprKind::Assign { place, value, access } => {
                if tree.types.is_record(node.ty) {
                    self.assign_record(place, value)?;
                    return Ok(Expr::Constant(0));
                }
                let spot = self.spot(place)?;
                let mut value = self.value(value)?;
                if wanted {
                    value = self.keep_in(value, tree[place].ty, &spot, node.span)?;
                }
                self.atomically(access, |body| body.store(&spot, tree[place].ty, value.clone(), node.span))?;
                Ok(value)
            }
            ExprKind::Compound { place, op, right, computed_in, access } => {
                let spot = self.spot(place)?;
                let right = self.value(right)?;
                let change = Change { op, right, computed_in };
                self.atomically(access, |body| body.change(place, &spot, change, wanted, true, node.span))
            }
            ExprKind::Increment { place, down, prefix, computed_in, access } => {
                let spot = self.spot(place)?;
                let op = if down { Arithmetic::Subtract } else { Arithmetic::Add };
                let one = match self.lowering.kind(computed_in, node.span)? {
                    ScalarKind::Single | ScalarKind::Double => 1.0f64.to_bits() as i64,
                    _ => 1,
                };
                let change = Change { op, right: Expr::Constant(one), computed_in };
                self.atomically(access, |body| body.change(place, &spot, change, wanted, prefix, node.span))
            }
            _ => self.lowering.refuse(node.span, "this is not an assignment"),
        }
    }

    /// The value a place will hold, computed once.
    fn keep_in(&mut self, value: Expr, ty: TypeId, spot: &Spot, span: Span) -> Lowered<Expr> {
        let value = match spot.bits {
            None => value,
            Some(bits) => {
                let signed = self.lowering.kind(ty, span)?.scalar().signed;
                Expr::Wrap(Scalar { bits: bits.width.clamp(1, 64), signed }, Box::new(value))
            }
        };
        Ok(self.keep(value))
    }

    /// Nothing comes between the parts of an atomic access.
    fn atomically<T>(&mut self, access: Access, act: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        if access != Access::Atomic {
            return act(self);
        }
        if self.visible && self.lowering.threads {
            self.cut();
        }
        self.atomic += 1;
        let result = act(self);
        self.atomic -= 1;
        result
    }

    /// Changes a place by an operation; the value is the new one or the old one.
    fn change(
        &mut self,
        place: PlaceId,
        spot: &Spot,
        change: Change,
        wanted: bool,
        new: bool,
        span: Span,
    ) -> Lowered<Expr> {
        let ty = self.lowering.tree[place].ty;
        let mut old = self.load(spot, ty, span)?;
        if wanted && !new {
            old = self.keep(old);
        }
        let mut result = self.changed(old.clone(), ty, change, span)?;
        if wanted && new {
            result = self.keep_in(result, ty, spot, span)?;
        }
        self.store(spot, ty, result.clone(), span)?;
        Ok(if new { result } else { old })
    }

    fn changed(&self, old: Expr, ty: TypeId, change: Change, span: Span) -> Lowered<Expr> {
        if self.lowering.tree.types.is_pointer(ty) {
            let stride = self.lowering.stride(ty, span)?;
            return Ok(self.pointer_sum(old, change.right, stride, change.op == Arithmetic::Subtract));
        }
        let (own, wide) = (self.lowering.kind(ty, span)?, self.lowering.kind(change.computed_in, span)?);
        let left = self.lowering.convert(old, own, wide);
        let result = operation(change.op, left, change.right, wide, self.lowering.checks_overflow);
        Ok(match self.type_of(ty) {
            Type::Bool => truth_of(result, wide),
            _ => self.lowering.convert(result, wide, own),
        })
    }

    /// Initialises a part of an object.
    pub(super) fn assign_to(&mut self, spot: Spot, ty: TypeId, value: ExprId) -> Lowered<()> {
        let span = self.lowering.tree[value].span;
        if self.lowering.tree.types.is_record(ty) {
            if spot.shared && self.lowering.threads {
                let from = self.record(value)?;
                self.access(true);
                let size = self.lowering.size(ty, span)?;
                self.emit(model::Command::Copy { to: spot.region(), from, size });
                return Ok(());
            }
            return self.record_into(value, spot.region());
        }
        let value = self.value(value)?;
        self.store(&spot, ty, value, span)
    }

    /// The magnitude of an integer.
    pub(super) fn magnitude(&mut self, value: Expr, kind: ScalarKind) -> Expr {
        if kind.is_float() {
            return Expr::Apply(Primitive::FloatMagnitude, vec![value]);
        }
        let value = self.keep(value);
        let negative = Expr::binary(model::Binary::Less, value.clone(), Expr::Constant(0));
        let negated = Expr::Unary(model::Unary::Negate, Box::new(value.clone()));
        let negated = self.lowering.convert(negated, ScalarKind::Int(Scalar::I64), kind);
        Expr::Choose(Box::new(negative), Box::new(negated), Box::new(value))
    }
}

/// An operation on what a place holds.
struct Change {
    op: Arithmetic,
    right: Expr,
    computed_in: TypeId,
}
