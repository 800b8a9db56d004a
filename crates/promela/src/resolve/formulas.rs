//! `ltl` blocks.

use super::{Expr, ExprKind, Formula, Property, Resolver};
use crate::syntax::{self, BinaryOp, Ltl, UnaryOp};

impl<'m> Resolver<'m> {
    pub(super) fn property(&mut self, ltl: &'m Ltl) {
        let unnamed =
            self.program.formulas.iter().filter(|property| property.name.starts_with("ltl_")).count();
        let name = ltl.name.as_ref().map_or_else(|| format!("ltl_{unnamed}"), |ident| ident.name.clone());
        let (known, errors) = (self.diagnostics.len(), self.errors);
        if self.program.formulas.iter().any(|property| property.name == name) {
            self.error(ltl.span, format!("there are two formulas named `{name}`"));
        }
        let (formula, mut problems) = match &ltl.formula {
            Ok(formula) => (self.formula(formula), Vec::new()),
            Err(problems) => {
                (Formula::Atom(Expr { kind: ExprKind::Number(1), span: ltl.span }), problems.clone())
            }
        };
        // What is wrong with a formula concerns only who asks for it.
        if self.errors > errors {
            problems.extend(self.diagnostics.split_off(known));
            self.errors = errors;
        }
        self.program.formulas.push(Property { name, formula, span: ltl.span, problems });
    }

    fn formula(&mut self, expr: &'m syntax::Expr) -> Formula {
        match &expr.kind {
            syntax::ExprKind::Unary { op, operand } => {
                let make = match op {
                    UnaryOp::Not => Formula::Not,
                    UnaryOp::Always => Formula::Always,
                    UnaryOp::Eventually => Formula::Eventually,
                    UnaryOp::Next => Formula::Next,
                    UnaryOp::Minus | UnaryOp::Complement => return self.atom(expr),
                };
                make(Box::new(self.formula(operand)))
            }
            syntax::ExprKind::Binary { op, left, right } => {
                let make = match op {
                    BinaryOp::BitAnd | BinaryOp::BitOr if is_temporal(left) || is_temporal(right) => {
                        let (sign, meant) = if *op == BinaryOp::BitAnd { ("&", "&&") } else { ("|", "||") };
                        let message = format!("`{sign}` with a temporal operator is taken as `{meant}`");
                        self.warning(expr.span, message);
                        if *op == BinaryOp::BitAnd { Formula::And } else { Formula::Or }
                    }
                    BinaryOp::And => Formula::And,
                    BinaryOp::Or => Formula::Or,
                    BinaryOp::Implies => Formula::Implies,
                    BinaryOp::Equivalent => Formula::Equivalent,
                    BinaryOp::Until => Formula::Until,
                    BinaryOp::WeakUntil => Formula::WeakUntil,
                    BinaryOp::Release => Formula::Release,
                    _ => return self.atom(expr),
                };
                make(Box::new(self.formula(left)), Box::new(self.formula(right)))
            }
            _ => self.atom(expr),
        }
    }

    fn atom(&mut self, expr: &'m syntax::Expr) -> Formula {
        let resolved: Expr = self.expr(expr);
        if matches!(resolved.kind, ExprKind::Pid | ExprKind::Priority) {
            self.error(expr.span, "a formula belongs to no process and has no `_pid` or `_priority`");
        }
        Formula::Atom(resolved)
    }
}

/// Has a temporal operator on its surface.
fn is_temporal(expr: &syntax::Expr) -> bool {
    match &expr.kind {
        syntax::ExprKind::Unary { op, .. } => op.is_temporal(),
        syntax::ExprKind::Binary { op, .. } => op.is_temporal(),
        _ => false,
    }
}
