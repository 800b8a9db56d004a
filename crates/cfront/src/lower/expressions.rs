//! Values of expressions. What has effects becomes commands on the way; what is left is a pure expression,
//! evaluated by the command that uses it.

use model::{Binary, Command, Expr, Place, Region, Unary as Operator};
use source::Span;

use super::arithmetic::{comparison, operation};
use super::body::Body;
use super::conversions::truth_of;
use super::types::ScalarKind;
use super::{Lowered, places::Spot};
use crate::tree::{Access, Arithmetic, ExprId, ExprKind, Logic, Type, TypeId, Unary};

impl Body<'_, '_> {
    fn kind_of(&self, expr: ExprId) -> Lowered<ScalarKind> {
        let node = &self.lowering.tree[expr];
        self.lowering.kind(node.ty, node.span)
    }

    /// The value of a scalar expression.
    pub(super) fn value(&mut self, id: ExprId) -> Lowered<Expr> {
        self.descend(self.lowering.tree[id].span)?;
        let value = self.value_inside(id)?;
        self.depth -= 1;
        Ok(value)
    }

    fn value_inside(&mut self, id: ExprId) -> Lowered<Expr> {
        let tree = self.lowering.tree;
        let node = &tree[id];
        let span = node.span;
        match &node.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => Ok(Expr::Constant(self.lowering.constant(id)?)),
            ExprKind::Function(function) => {
                if tree[*function].body.is_none() {
                    let name = &tree[*function].name;
                    return self.lowering.refuse(span, format!("`{name}` is not defined here"));
                }
                Ok(Expr::Constant(self.lowering.function_pointer(*function)))
            }
            ExprKind::Address { base, offset } => match self.lowering.static_address(*base, *offset) {
                Some(pointer) => Ok(Expr::Constant(pointer)),
                None => self.lowering.refuse(span, "this address is not supported"),
            },
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => self.address(*place),
            ExprKind::Load { place, access } => {
                let mut spot = self.spot(*place)?;
                spot.atomic = *access == Access::Atomic;
                self.load(&spot, node.ty, span)
            }
            ExprKind::Unary { op, operand } => self.unary(*op, *operand, node.ty, span),
            ExprKind::Binary { op, left, right } => {
                let (left, right) = (self.value(*left)?, self.value(*right)?);
                let kind = self.lowering.kind(node.ty, span)?;
                Ok(operation(*op, left, right, kind, self.lowering.checks_overflow))
            }
            ExprKind::Compare { op, left, right } => {
                let kind = self.kind_of(*left)?;
                let (left, right) = (self.value(*left)?, self.value(*right)?);
                Ok(comparison(*op, left, right, kind))
            }
            ExprKind::PointerAdd { pointer, index, back } => {
                let stride = self.lowering.stride(tree[*pointer].ty, span)?;
                let (pointer, index) = (self.value(*pointer)?, self.value(*index)?);
                Ok(self.pointer_sum(pointer, index, stride, *back))
            }
            ExprKind::PointerDifference { left, right } => {
                let stride = self.lowering.stride(tree[*left].ty, span)?;
                let (left, right) = (self.value(*left)?, self.value(*right)?);
                let signed = model::Scalar { signed: true, ..self.lowering.pointers.scalar };
                let bytes = Expr::Wrap(signed, Box::new(Expr::binary(Binary::Subtract, left, right)));
                if stride <= 1 {
                    return Ok(bytes);
                }
                Ok(Expr::binary(Binary::Divide, bytes, Expr::Constant(i64::from(stride))))
            }
            ExprKind::Convert { operand, .. } => self.conversion(*operand, node.ty, span),
            ExprKind::Logical { op, left, right } => self.logical(*op, *left, *right),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(*condition, *then, *otherwise)
            }
            ExprKind::OrElse { value, otherwise } => self.or_else(*value, *otherwise, node.ty, span),
            ExprKind::Comma { first, second } => {
                self.effect(*first)?;
                self.value(*second)
            }
            ExprKind::Assign { .. } | ExprKind::Compound { .. } | ExprKind::Increment { .. } => {
                self.assignment(id, true)
            }
            ExprKind::Call { callee, arguments } => {
                let called = self.call(id, *callee, arguments, true)?;
                Ok(called.unwrap_or(Expr::Constant(0)))
            }
            ExprKind::Builtin { which, arguments } => self.builtin(*which, arguments, node.ty, span),
            ExprKind::Statement { body, value } => {
                self.statement_expression(*body)?;
                match value {
                    Some(value) => self.value(*value),
                    None => Ok(Expr::Constant(0)),
                }
            }
        }
    }

    fn statement_expression(&mut self, body: crate::tree::StmtId) -> Lowered<()> {
        // Its statements are parts of this one, so its steps are not counted.
        if !self.commands.is_empty() {
            self.cut();
        }
        let statement = self.statement;
        self.nested += 1;
        let result = self.stmt(body);
        self.nested -= 1;
        if !self.commands.is_empty() {
            self.cut();
        }
        self.statement = statement;
        result
    }

    /// Evaluates an expression for what it does.
    pub(super) fn effect(&mut self, id: ExprId) -> Lowered<()> {
        let tree = self.lowering.tree;
        let node = &tree[id];
        self.descend(node.span)?;
        match &node.kind {
            _ if !tree.has_effects(id) => {
                // What has a value is looked at, so that bad pointers are noticed.
                if !matches!(self.type_of(node.ty), Type::Void | Type::Record(_) | Type::Function(_)) {
                    let value = self.value(id)?;
                    if can_fault(&value) {
                        let place = self.temporary();
                        self.emit(Command::Set(place, value));
                    }
                }
            }
            ExprKind::Convert { operand, .. } => self.effect(*operand)?,
            ExprKind::Comma { first, second } => {
                self.effect(*first)?;
                self.effect(*second)?;
            }
            ExprKind::Assign { .. } | ExprKind::Compound { .. } | ExprKind::Increment { .. } => {
                self.assignment(id, false)?;
            }
            ExprKind::Call { callee, arguments } => {
                self.call(id, *callee, arguments, false)?;
            }
            ExprKind::Logical { op, left, right } => {
                let (further, end) = (self.location(), self.location());
                let left = self.truth(*left)?;
                match op {
                    Logic::And => self.split(left, further, end),
                    Logic::Or => self.split(left, end, further),
                }
                self.at = further;
                self.effect(*right)?;
                self.flush(end, None);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let (yes, no, end) = (self.location(), self.location(), self.location());
                let condition = self.truth(*condition)?;
                self.split(condition, yes, no);
                self.at = yes;
                self.effect(*then)?;
                self.flush(end, None);
                self.at = no;
                self.effect(*otherwise)?;
                self.flush(end, None);
            }
            ExprKind::Statement { body, value } => {
                self.statement_expression(*body)?;
                if let Some(value) = value {
                    self.effect(*value)?;
                }
            }
            ExprKind::Builtin { which, arguments } => {
                self.builtin(*which, arguments, node.ty, node.span)?;
            }
            _ if tree.types.is_record(node.ty) => {
                self.record(id)?;
            }
            _ => {
                let value = self.value(id)?;
                if can_fault(&value) {
                    let place = self.temporary();
                    self.emit(Command::Set(place, value));
                }
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// 1 if the expression holds, else 0.
    pub(super) fn truth(&mut self, id: ExprId) -> Lowered<Expr> {
        let kind = self.kind_of(id)?;
        Ok(truth_of(self.value(id)?, kind))
    }

    fn unary(&mut self, op: Unary, operand: ExprId, ty: TypeId, span: Span) -> Lowered<Expr> {
        if op == Unary::Not {
            return Ok(Expr::negation(self.truth(operand)?));
        }
        let kind = self.lowering.kind(ty, span)?;
        let value = self.value(operand)?;
        Ok(match (op, kind) {
            (Unary::Complement, _) => {
                let value = Expr::Unary(Operator::Complement, Box::new(value));
                self.lowering.convert(value, ScalarKind::Int(model::Scalar::I64), kind)
            }
            (_, ScalarKind::Single | ScalarKind::Double) => {
                Expr::Apply(model::Primitive::FloatNegate, vec![value])
            }
            (_, ScalarKind::Int(scalar)) if scalar.signed && self.lowering.checks_overflow => {
                operation(Arithmetic::Subtract, Expr::Constant(0), value, kind, true)
            }
            _ => {
                let value = match value {
                    Expr::Constant(value) => Expr::Constant(value.wrapping_neg()),
                    value => Expr::Unary(Operator::Negate, Box::new(value)),
                };
                self.lowering.convert(value, ScalarKind::Int(model::Scalar::I64), kind)
            }
        })
    }

    fn conversion(&mut self, operand: ExprId, to: TypeId, span: Span) -> Lowered<Expr> {
        match self.type_of(to) {
            Type::Void => {
                self.effect(operand)?;
                Ok(Expr::Constant(0))
            }
            Type::Bool => self.truth(operand),
            _ => {
                let (from, to) = (self.kind_of(operand)?, self.lowering.kind(to, span)?);
                let value = self.value(operand)?;
                Ok(self.lowering.convert(value, from, to))
            }
        }
    }

    fn logical(&mut self, op: Logic, left: ExprId, right: ExprId) -> Lowered<Expr> {
        if !self.is_split(right) {
            let (left, right) = (self.truth(left)?, self.truth(right)?);
            let (left, right) = (Box::new(left), Box::new(right));
            return Ok(match op {
                Logic::And => Expr::AndAlso(left, right),
                Logic::Or => Expr::OrElse(left, right),
            });
        }
        let result = self.temporary();
        let left = self.truth(left)?;
        let (decided, further, end) = (self.location(), self.location(), self.location());
        let known = match op {
            Logic::And => {
                self.split(left, further, decided);
                0
            }
            Logic::Or => {
                self.split(left, decided, further);
                1
            }
        };
        self.at = decided;
        self.emit(Command::Set(result.clone(), Expr::Constant(known)));
        self.flush(end, None);
        self.at = further;
        let right = self.truth(right)?;
        self.emit(Command::Set(result.clone(), right));
        self.flush(end, None);
        Ok(Expr::Load(result))
    }

    fn conditional(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> Lowered<Expr> {
        let condition = self.truth(condition)?;
        if !self.is_split(then) && !self.is_split(otherwise) {
            let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
            return Ok(Expr::Choose(Box::new(condition), Box::new(then), Box::new(otherwise)));
        }
        let result = self.temporary();
        let (yes, no, end) = (self.location(), self.location(), self.location());
        self.split(condition, yes, no);
        for (start, value) in [(yes, then), (no, otherwise)] {
            self.at = start;
            let value = self.value_or_effect(value)?;
            self.emit(Command::Set(result.clone(), value));
            self.flush(end, None);
        }
        Ok(Expr::Load(result))
    }

    fn value_or_effect(&mut self, id: ExprId) -> Lowered<Expr> {
        if self.lowering.tree.types.is_void(self.lowering.tree[id].ty) {
            self.effect(id)?;
            return Ok(Expr::Constant(0));
        }
        self.value(id)
    }

    fn or_else(&mut self, value: ExprId, otherwise: ExprId, ty: TypeId, span: Span) -> Lowered<Expr> {
        let (from, to) = (self.kind_of(value)?, self.lowering.kind(ty, span)?);
        let value = self.value(value)?;
        let value = self.keep(value);
        let converted = self.lowering.convert(value.clone(), from, to);
        let condition = truth_of(value, from);
        if !self.is_split(otherwise) {
            let otherwise = self.value(otherwise)?;
            return Ok(Expr::Choose(Box::new(condition), Box::new(converted), Box::new(otherwise)));
        }
        let result = self.temporary();
        let (yes, no, end) = (self.location(), self.location(), self.location());
        self.split(condition, yes, no);
        self.at = yes;
        self.emit(Command::Set(result.clone(), converted));
        self.flush(end, None);
        self.at = no;
        let otherwise = self.value(otherwise)?;
        self.emit(Command::Set(result.clone(), otherwise));
        self.flush(end, None);
        Ok(Expr::Load(result))
    }

    /// Where the value of a record lies.
    pub(super) fn record(&mut self, id: ExprId) -> Lowered<Region> {
        let node = &self.lowering.tree[id];
        if let ExprKind::Load { place, .. } = node.kind {
            let spot = self.spot(place)?;
            if !(spot.shared && self.lowering.threads) {
                return Ok(spot.region());
            }
        }
        let size = self.lowering.size(node.ty, node.span)?;
        let region = Region::Place(Place::local(self.temporary_block(size), model::Scalar::U8));
        self.record_into(id, region.clone())?;
        Ok(region)
    }

    /// Puts the value of a record somewhere.
    pub(super) fn record_into(&mut self, id: ExprId, to: Region) -> Lowered<()> {
        let tree = self.lowering.tree;
        let node = &tree[id];
        let size = self.lowering.size(node.ty, node.span)?;
        self.descend(node.span)?;
        match &node.kind {
            ExprKind::Load { place, .. } => {
                let spot = self.spot(*place)?;
                self.access(spot.shared);
                self.touch(&spot, size, false);
                self.emit(Command::Copy { to, from: spot.region(), size });
            }
            ExprKind::Assign { place, value, .. } => {
                let spot = self.assign_record(*place, *value)?;
                self.emit(Command::Copy { to, from: spot.region(), size });
            }
            ExprKind::Call { callee, arguments } => {
                self.call_for_record(id, *callee, arguments, to, size)?;
            }
            ExprKind::Comma { first, second } => {
                self.effect(*first)?;
                self.record_into(*second, to)?;
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let (yes, no, end) = (self.location(), self.location(), self.location());
                let condition = self.truth(*condition)?;
                self.split(condition, yes, no);
                for (start, value) in [(yes, *then), (no, *otherwise)] {
                    self.at = start;
                    self.record_into(value, to.clone())?;
                    self.flush(end, None);
                }
            }
            ExprKind::Statement { body, value: Some(value) } => {
                self.statement_expression(*body)?;
                self.record_into(*value, to)?;
            }
            ExprKind::Convert { operand, .. } => self.record_into(*operand, to)?,
            _ => return self.lowering.refuse(node.span, "a record as the value of this is not supported"),
        }
        self.depth -= 1;
        Ok(())
    }

    pub(super) fn assign_record(&mut self, place: crate::tree::PlaceId, value: ExprId) -> Lowered<Spot> {
        let spot = self.spot(place)?;
        if spot.shared && self.lowering.threads {
            // Read first, then written.
            let region = self.record(value)?;
            self.access(true);
            let node = &self.lowering.tree[value];
            let size = self.lowering.size(node.ty, node.span)?;
            self.touch(&spot, size, true);
            self.emit(Command::Copy { to: spot.region(), from: region, size });
        } else {
            self.record_into(value, spot.region())?;
        }
        Ok(spot)
    }
}

/// Whether evaluating the value can go wrong.
fn can_fault(value: &Expr) -> bool {
    match value {
        Expr::Constant(_) => false,
        Expr::Load(place) => !place.indices.is_empty(),
        Expr::Unary(_, inner) | Expr::Wrap(_, inner) => can_fault(inner),
        Expr::Deref(..) => true,
        Expr::Binary(Binary::Divide | Binary::Remainder, ..) => true,
        Expr::Binary(_, left, right) | Expr::AndAlso(left, right) | Expr::OrElse(left, right) => {
            can_fault(left) || can_fault(right)
        }
        Expr::Choose(condition, yes, no) => [condition, yes, no].iter().any(|part| can_fault(part)),
        Expr::Ask(..) => true,
        Expr::Apply(primitive, arguments) => primitive.can_fault() || arguments.iter().any(can_fault),
    }
}
