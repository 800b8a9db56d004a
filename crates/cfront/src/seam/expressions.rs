//! Expressions: one node of the library's tree becomes one of ours, or none where the library is more
//! explicit than we need.

use rucc_sema::{Category, Conversion, ExprId as Theirs, ExprKind as Kind, JumpAsk, Stmt};
use source::Span;

use super::lower::{Lower, Lowered};
use crate::tree::{ExprId, ExprKind, Logic, PlaceKind, Unary};

impl Lower<'_> {
    /// The value of an expression; of a place, what it holds.
    pub(super) fn expression(&mut self, id: Theirs) -> Lowered<ExprId> {
        match self.tast[id].category {
            Category::Rvalue => self.value(id),
            Category::Function => self.designated_function(id),
            Category::Lvalue | Category::Bitfield => self.load(id),
        }
    }

    /// What an object holds; an array is the pointer to its first element.
    pub(super) fn load(&mut self, id: Theirs) -> Lowered<ExprId> {
        let span = self.span(self.tast.expr_span(id));
        let place = self.place(id)?;
        let theirs = self.tast[id].ty;
        let ty = self.program[place].ty;
        if let Some(element) = self.program.types.element(ty) {
            let pointer = self.pointer_to(element);
            return Ok(self.program.add_expr(ExprKind::Decay(place), pointer, span));
        }
        // A value that was only looked at as a place is that value.
        if let PlaceKind::Temporary(value) = self.program[place].kind {
            return Ok(value);
        }
        let access = self.access(theirs);
        Ok(self.program.add_expr(ExprKind::Load { place, access }, ty, span))
    }

    /// The value of an expression that is one.
    fn value(&mut self, id: Theirs) -> Lowered<ExprId> {
        let node = self.tast[id];
        let span = self.span(self.tast.expr_span(id));
        match node.kind {
            Kind::Error => Err(self.unsupported("an expression with an error in it", span)),
            Kind::Const(value) => self.constant(self.tast[value], node.ty, span),
            Kind::Unary { op, operand } => self.unary(op, operand, node.ty, span),
            Kind::Binary { op, lhs, rhs } => self.binary(op, lhs, rhs, node.ty, span),
            Kind::Assign { op, computation, lhs, rhs } => {
                self.assignment(op, computation, lhs, rhs, node.ty, span)
            }
            Kind::Cond { cond, then, otherwise } => self.conditional(cond, then, otherwise, node.ty, span),
            Kind::Comma { lhs, rhs } => {
                let first = self.expression(lhs)?;
                let second = self.expression(rhs)?;
                let ty = self.program[second].ty;
                Ok(self.program.add_expr(ExprKind::Comma { first, second }, ty, span))
            }
            Kind::Call { callee, args } => self.call(callee, args, node.ty, span),
            Kind::Cast(operand) => self.converted(operand, node.ty, true, span),
            Kind::Convert { kind, operand } => self.conversion(kind, operand, node.ty, span),
            Kind::StmtExpr(body) => self.statement_expression(body, node.ty, span),
            // Part of a record that is a value.
            Kind::Member { .. } | Kind::Subscript { .. } => self.load(id),
            // A value the program says which it expects to have.
            Kind::Expect { value, .. } => self.expression(value),
            Kind::VaArg { .. } | Kind::VaStart { .. } | Kind::VaEnd { .. } | Kind::VaCopy { .. } => {
                Err(self.unsupported("reading variable arguments", span))
            }
            Kind::LabelAddr(_) => Err(self.unsupported("a computed goto", span)),
            Kind::Jump { ask: JumpAsk::Save, .. } => Err(self.unsupported("`setjmp`", span)),
            Kind::Jump { ask: JumpAsk::Restore, .. } => Err(self.unsupported("`longjmp`", span)),
            Kind::Str(_) | Kind::Decl(_) | Kind::CompoundLiteral(_) => self.load(id),
            kind => self.builtin(kind, node.ty, span),
        }
    }

    /// A condition: the comparison with zero that makes it a `bool` is what being a condition means.
    pub(super) fn condition(&mut self, id: Theirs) -> Lowered<ExprId> {
        match self.tast[id].kind {
            Kind::Convert { kind: Conversion::Bool, operand } => self.expression(operand),
            _ => self.expression(id),
        }
    }

    fn conversion(
        &mut self,
        kind: Conversion,
        operand: Theirs,
        ty: rucc_types::TypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        match kind {
            Conversion::Lvalue | Conversion::ArrayDecay => self.load(operand),
            Conversion::FunctionDecay => self.designated_function(operand),
            Conversion::NullPointer => {
                let ty = self.typed(ty, span)?;
                Ok(self.program.add_expr(ExprKind::Int(0), ty, span))
            }
            Conversion::Arithmetic | Conversion::Pointer | Conversion::Bool | Conversion::Void => {
                self.converted(operand, ty, false, span)
            }
            Conversion::Broadcast => Err(self.unsupported("a vector type", span)),
            Conversion::Hardbool => Err(self.unsupported("a hardened `bool`", span)),
        }
    }

    fn converted(
        &mut self,
        operand: Theirs,
        ty: rucc_types::TypeId,
        explicit: bool,
        span: Span,
    ) -> Lowered<ExprId> {
        let operand = self.expression(operand)?;
        let ty = self.typed(ty, span)?;
        let types = &self.program.types;
        let from = self.program[operand].ty;
        if from == ty && !explicit {
            return Ok(operand);
        }
        let record = |ty| types.is_record(ty);
        if record(ty) || record(from) && !types.is_void(ty) {
            return if from == ty {
                Ok(operand)
            } else {
                Err(self.unsupported("a conversion between records", span))
            };
        }
        Ok(self.program.add_expr(ExprKind::Convert { operand, explicit }, ty, span))
    }

    fn conditional(
        &mut self,
        condition: Theirs,
        then: Theirs,
        otherwise: Theirs,
        ty: rucc_types::TypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        // In GNU's `x ?: y` the value is the condition's, evaluated once.
        let shared = self.stripped(condition) == self.stripped(then);
        let condition = self.condition(condition)?;
        let then = if shared { None } else { Some(self.expression(then)?) };
        let otherwise = self.expression(otherwise)?;
        let ty = self.typed(ty, span)?;
        let kind = match then {
            Some(then) => ExprKind::Conditional { condition, then, otherwise },
            None => ExprKind::OrElse { value: condition, otherwise },
        };
        Ok(self.program.add_expr(kind, ty, span))
    }

    /// The node below the conversions.
    fn stripped(&self, mut id: Theirs) -> Theirs {
        while let Kind::Convert { operand, .. } = self.tast[id].kind {
            id = operand;
        }
        id
    }

    pub(super) fn logical(&mut self, op: Logic, left: Theirs, right: Theirs, span: Span) -> Lowered<ExprId> {
        let left = self.condition(left)?;
        let right = self.condition(right)?;
        let int = self.int();
        Ok(self.program.add_expr(ExprKind::Logical { op, left, right }, int, span))
    }

    pub(super) fn negation(&mut self, operand: Theirs, span: Span) -> Lowered<ExprId> {
        let operand = self.condition(operand)?;
        let int = self.int();
        Ok(self.program.add_expr(ExprKind::Unary { op: Unary::Not, operand }, int, span))
    }

    /// `({ ... })`: the last expression is the value, and no statement.
    fn statement_expression(
        &mut self,
        body: rucc_sema::StmtId,
        ty: rucc_types::TypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        let ty = self.typed(ty, span)?;
        if self.program.types.is_void(ty) {
            let body = self.statement(body);
            return Ok(self.program.add_expr(ExprKind::Statement { body, value: None }, ty, span));
        }
        let Stmt::Block(list) = self.tast[body] else {
            return Err(self.unsupported("a statement expression without a block", span));
        };
        let list = self.tast[list].to_vec();
        let Some((last, before)) = list.split_last() else {
            return Err(self.unsupported("a statement expression without a value", span));
        };
        let Stmt::Expr(value) = self.tast[*last] else {
            return Err(self.unsupported("a statement expression that ends in a label", span));
        };
        let stmts = before.iter().map(|stmt| self.statement(*stmt)).collect();
        let body = self.block(stmts, self.tast.stmt_span(body));
        let value = self.expression(value)?;
        let ty = self.program[value].ty;
        Ok(self.program.add_expr(ExprKind::Statement { body, value: Some(value) }, ty, span))
    }
}
