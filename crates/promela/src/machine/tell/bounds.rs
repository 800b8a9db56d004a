//! Conditions that equality decides.

use super::Teller;
use super::scene::Scene;
use crate::resolve::{Expr, ExprKind, StmtKind};
use crate::syntax::{BinaryOp, UnaryOp};

impl Teller<'_> {
    /// The value of both sides of a comparison by size in a condition that a process passes, if they are equal and the
    /// condition would be false if equality counted the other way.
    pub(crate) fn at_bound(&self, state: &[u8], process: usize, statement: usize) -> Option<i64> {
        let mut statement = self.origin(statement)?;
        while let StmtKind::Atomic(inner) | StmtKind::DStep(inner) | StmtKind::Block(inner) = &statement.kind
        {
            statement = inner.first()?;
        }
        let StmtKind::Condition(condition) = &statement.kind else { return None };
        let mut comparisons = Vec::new();
        collect(condition, &mut comparisons);
        if comparisons.is_empty() {
            return None;
        }
        let scene = Scene::new(self, state);
        comparisons.into_iter().find_map(|(comparison, left, right)| {
            let value = scene.value(process, left)?;
            let is_equal = scene.value(process, right)? == value;
            (is_equal && truth(&scene, process, condition, comparison) == Some(false)).then_some(value)
        })
    }
}

/// The comparisons by size that `&&`, `||` and `!` join.
fn collect<'e>(condition: &'e Expr, found: &mut Vec<(&'e Expr, &'e Expr, &'e Expr)>) {
    match &condition.kind {
        ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, left, right } => {
            collect(left, found);
            collect(right, found);
        }
        ExprKind::Unary { op: UnaryOp::Not, operand } => collect(operand, found),
        ExprKind::Binary {
            op: BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual,
            left,
            right,
        } => found.push((condition, left, right)),
        _ => {}
    }
}

/// What a condition would be if one of its comparisons had the other answer.
fn truth(scene: &Scene<'_, '_>, process: usize, condition: &Expr, turned: &Expr) -> Option<bool> {
    let holds = |expr: &Expr| scene.value(process, expr).map(|value| value != 0);
    if std::ptr::eq(condition, turned) {
        return holds(condition).map(|truth| !truth);
    }
    match &condition.kind {
        ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), left, right } => {
            let decides = *op == BinaryOp::Or;
            let first = truth(scene, process, left, turned)?;
            if first == decides { Some(first) } else { truth(scene, process, right, turned) }
        }
        ExprKind::Unary { op: UnaryOp::Not, operand } => {
            truth(scene, process, operand, turned).map(|truth| !truth)
        }
        _ => holds(condition),
    }
}
