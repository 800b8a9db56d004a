//! Constants at compile time: lengths of arrays, capacities of channels, numbers of processes.

use super::{Expr, ExprKind, Initial, Resolver};
use crate::syntax::{self, BinaryOp, UnaryOp};

/// The value of an expression of numbers, if it has one.
pub(super) fn fold(expr: &Expr) -> Option<i32> {
    match &expr.kind {
        ExprKind::Number(value) | ExprKind::MtypeConstant(_, value) => Some(*value),
        ExprKind::Unary { op, operand } => {
            let value = fold(operand)?;
            match op {
                UnaryOp::Minus => Some(value.wrapping_neg()),
                UnaryOp::Complement => Some(!value),
                UnaryOp::Not => Some(i32::from(value == 0)),
                UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next => None,
            }
        }
        ExprKind::Binary { op, left, right } => binary(*op, fold(left)?, fold(right)?),
        ExprKind::Conditional { condition, then, otherwise } => {
            if fold(condition)? != 0 {
                fold(then)
            } else {
                fold(otherwise)
            }
        }
        _ => None,
    }
}

fn binary(op: BinaryOp, left: i32, right: i32) -> Option<i32> {
    Some(match op {
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Subtract => left.wrapping_sub(right),
        BinaryOp::Multiply => left.wrapping_mul(right),
        BinaryOp::Divide if right != 0 => left.wrapping_div(right),
        BinaryOp::Remainder if right != 0 => left.wrapping_rem(right),
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::BitOr => left | right,
        BinaryOp::ShiftLeft => left.checked_shl(u32::try_from(right).ok()?)?,
        BinaryOp::ShiftRight => left.checked_shr(u32::try_from(right).ok()?)?,
        BinaryOp::Less => i32::from(left < right),
        BinaryOp::LessEqual => i32::from(left <= right),
        BinaryOp::Greater => i32::from(left > right),
        BinaryOp::GreaterEqual => i32::from(left >= right),
        BinaryOp::Equal => i32::from(left == right),
        BinaryOp::NotEqual => i32::from(left != right),
        BinaryOp::And => i32::from(left != 0 && right != 0),
        BinaryOp::Or => i32::from(left != 0 || right != 0),
        _ => return None,
    })
}

impl<'m> Resolver<'m> {
    /// The value of an expression that must be constant; reports it otherwise.
    pub(super) fn constant(&mut self, expr: &'m syntax::Expr, what: &str) -> Option<i32> {
        let errors = self.errors;
        let resolved = self.expr(expr);
        let value = fold(&resolved);
        if value.is_none() && self.errors == errors {
            let help = "use numbers or a macro (`#define`)";
            self.error_help(expr.span, format!("{what} must be a constant"), help);
        }
        value
    }

    /// If the expression is just a variable: its initial value, which SPIN takes as a constant.
    pub(super) fn initial_value(&self, expr: &syntax::Expr) -> Option<Option<i32>> {
        let syntax::ExprKind::Name(name) = &expr.kind else { return None };
        let [part] = name.parts.as_slice() else { return None };
        if part.index.is_some() {
            return None;
        }
        let variable = self.program.variable(self.find_variable(&part.name.name)?);
        Some(match &variable.initial {
            Initial::Zero => Some(0),
            Initial::Value(value) => fold(value),
            Initial::List(values) => values.first().copied(),
            Initial::Channel(_) => None,
        })
    }
}
