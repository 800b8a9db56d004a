//! `ltl` blocks: temporal formulas over conditions that are compiled.
//!
//! The largest parts without temporal operators are the atoms, so that an automaton has few letters to
//! tell apart and a report can name an obligation as its author thinks of it.

use model::Code;
use property::ltl::{Binary, Formula as Ltl, Unary};

use crate::resolve::{Expr, ExprKind, Formula, Program};
use crate::syntax::{BinaryOp, UnaryOp};

/// A formula over numbers of atoms.
#[derive(Debug)]
pub(crate) struct Temporal {
    pub(crate) formula: Ltl<u32>,
    pub(crate) atoms: Vec<Code>,
    pub(crate) asks_timeout: bool,
    /// The same over smaller atoms.
    pub(crate) fine: Fine,
}

/// A formula over conditions without `&&`, `||` and `!`, so that each of them can be asked whether it matters.
#[derive(Debug)]
pub(crate) struct Fine {
    pub(crate) formula: Ltl<u32>,
    pub(crate) atoms: Vec<Code>,
}

/// The formula over numbers of atoms, and the atoms as conditions.
pub fn abstracted(program: &Program, formula: &Formula) -> (Ltl<u32>, Vec<Expr>) {
    let mut atoms = Vec::new();
    let formula = abstract_into(program, formula, &mut atoms);
    (formula, atoms.into_iter().map(|(_, atom)| atom).collect())
}

/// The same over the smallest conditions.
pub(crate) fn finely(program: &Program, formula: &Formula) -> (Ltl<u32>, Vec<Expr>) {
    let mut atoms = Vec::new();
    let formula = split_into(program, formula, &mut atoms);
    (formula, atoms.into_iter().map(|(_, atom)| atom).collect())
}

fn split_into(program: &Program, formula: &Formula, atoms: &mut Vec<(String, Expr)>) -> Ltl<u32> {
    if let Formula::Atom(expr) = formula {
        return split(program, expr, atoms);
    }
    composed(formula, |part| split_into(program, part, atoms))
}

fn split(program: &Program, expr: &Expr, atoms: &mut Vec<(String, Expr)>) -> Ltl<u32> {
    match &expr.kind {
        ExprKind::Unary { op: UnaryOp::Not, operand } => {
            Ltl::unary(Unary::Not, split(program, operand, atoms))
        }
        ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), left, right } => {
            let op = if *op == BinaryOp::And { Binary::And } else { Binary::Or };
            let left = split(program, left, atoms);
            Ltl::binary(op, left, split(program, right, atoms))
        }
        ExprKind::Number(value) => Ltl::constant(*value != 0),
        _ => known_atom(program, expr.clone(), atoms),
    }
}

/// Atoms are kept with their texts, because the same words mean the same thing wherever they stand.
fn abstract_into(program: &Program, formula: &Formula, atoms: &mut Vec<(String, Expr)>) -> Ltl<u32> {
    if let Some(condition) = condition(formula) {
        if let ExprKind::Number(value) = condition.kind {
            return Ltl::constant(value != 0);
        }
        return known_atom(program, condition, atoms);
    }
    composed(formula, |part| abstract_into(program, part, atoms))
}

fn known_atom(program: &Program, condition: Expr, atoms: &mut Vec<(String, Expr)>) -> Ltl<u32> {
    let text = program.expression_text(&condition);
    let known = atoms.iter().position(|(known, _)| *known == text);
    let number = known.unwrap_or_else(|| {
        atoms.push((text, condition));
        atoms.len() - 1
    });
    Ltl::atom(number as u32)
}

/// A formula put together of its parts.
fn composed(formula: &Formula, mut part: impl FnMut(&Formula) -> Ltl<u32>) -> Ltl<u32> {
    match formula {
        Formula::Atom(_) => Ltl::constant(true),
        Formula::Not(operand) => Ltl::unary(Unary::Not, part(operand)),
        Formula::Next(operand) => Ltl::unary(Unary::Next, part(operand)),
        Formula::Always(operand) => Ltl::unary(Unary::Always, part(operand)),
        Formula::Eventually(operand) => Ltl::unary(Unary::Eventually, part(operand)),
        Formula::And(left, right) => Ltl::binary(Binary::And, part(left), part(right)),
        Formula::Or(left, right) => Ltl::binary(Binary::Or, part(left), part(right)),
        Formula::Implies(left, right) => Ltl::binary(Binary::Implies, part(left), part(right)),
        Formula::Equivalent(left, right) => Ltl::binary(Binary::Equivalent, part(left), part(right)),
        Formula::Until(left, right) => Ltl::binary(Binary::Until, part(left), part(right)),
        Formula::WeakUntil(left, right) => Ltl::binary(Binary::WeakUntil, part(left), part(right)),
        Formula::Release(left, right) => Ltl::binary(Binary::Release, part(left), part(right)),
    }
}

/// A formula without temporal operators as a condition.
fn condition(formula: &Formula) -> Option<Expr> {
    let binary = |op: BinaryOp, left: Expr, right: Expr| {
        let span = left.span.to(right.span);
        Expr { kind: ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) }, span }
    };
    Some(match formula {
        Formula::Atom(expr) => expr.clone(),
        Formula::Not(operand) => not(condition(operand)?),
        Formula::And(left, right) => binary(BinaryOp::And, condition(left)?, condition(right)?),
        Formula::Or(left, right) => binary(BinaryOp::Or, condition(left)?, condition(right)?),
        Formula::Implies(left, right) => binary(BinaryOp::Or, not(condition(left)?), condition(right)?),
        Formula::Equivalent(left, right) => {
            binary(BinaryOp::Equal, not(condition(left)?), not(condition(right)?))
        }
        _ => return None,
    })
}

fn not(operand: Expr) -> Expr {
    let span = operand.span;
    Expr { kind: ExprKind::Unary { op: UnaryOp::Not, operand: Box::new(operand) }, span }
}
