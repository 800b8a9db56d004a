//! Where numbers meet the end of a range: comparisons that equality decides, and results that do not fit their type.

use graph::Loss;
use model::{Argument, Binary, Command, Expr, Primitive, Scalar, Unary};

use crate::machine::CWorker;

/// The value of both sides of the comparison that decides a branch, if they are equal and equality decides.
pub(super) fn at_bound(worker: &mut CWorker<'_>, state: &[u8], event: u64) -> Option<i64> {
    let mut found = None;
    worker.judged(state, event, |command, value| {
        if let Command::Assume(condition) = command {
            found = found.or_else(|| deciding(condition, value));
        }
    });
    found
}

/// A comparison by size inside a condition that is true: its sides are equal, and were its answer the other one, the
/// whole condition would be false.
fn deciding(condition: &Expr, value: &dyn Fn(&Expr) -> Option<i64>) -> Option<i64> {
    let mut found = None;
    let mut comparisons = Vec::new();
    collect(condition, &mut comparisons);
    for (comparison, left, right) in comparisons {
        // What stands behind an `&&` that is false is never asked, and may have no value.
        let (Some(left), Some(right)) = (value(left), value(right)) else { continue };
        if left == right && truth(condition, comparison, value) == Some(false) {
            found = found.or(Some(left));
        }
    }
    found
}

/// The comparisons by size that `&&`, `||` and `!` join.
fn collect<'e>(condition: &'e Expr, found: &mut Vec<(&'e Expr, &'e Expr, &'e Expr)>) {
    match condition {
        Expr::AndAlso(left, right) | Expr::OrElse(left, right) => {
            collect(left, found);
            collect(right, found);
        }
        Expr::Unary(Unary::Not, inner) => collect(inner, found),
        Expr::Binary(
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual,
            left,
            right,
        ) => found.push((condition, left, right)),
        Expr::Apply(Primitive::LessUnsigned | Primitive::LessEqualUnsigned, operands) => {
            if let [left, right] = &operands[..] {
                found.push((condition, left, right));
            }
        }
        _ => {}
    }
}

/// What a condition would be if one of its comparisons had the other answer.
fn truth(condition: &Expr, turned: &Expr, value: &dyn Fn(&Expr) -> Option<i64>) -> Option<bool> {
    if std::ptr::eq(condition, turned) {
        return value(condition).map(|value| value == 0);
    }
    match condition {
        Expr::AndAlso(left, right) => match truth(left, turned, value)? {
            false => Some(false),
            true => truth(right, turned, value),
        },
        Expr::OrElse(left, right) => match truth(left, turned, value)? {
            true => Some(true),
            false => truth(right, turned, value),
        },
        Expr::Unary(Unary::Not, inner) => truth(inner, turned, value).map(|truth| !truth),
        other => value(other).map(|value| value != 0),
    }
}

/// Results of a step that their type cannot hold.
pub(super) fn losses(worker: &mut CWorker<'_>, state: &[u8], event: u64) -> Vec<Loss> {
    let mut found = Vec::new();
    worker.judged(state, event, |command, value| {
        let stored = match command {
            Command::Set(place, expr) => Some((place.scalar, expr)),
            Command::Store { scalar, value, .. } => Some((*scalar, value)),
            _ => None,
        };
        if let Some((scalar, expr)) = stored {
            found.extend(lost(scalar, expr, value));
        }
        for expr in operands(command) {
            inside(expr, value, &mut found);
        }
    });
    found.dedup();
    found
}

fn operands(command: &Command) -> Vec<&Expr> {
    match command {
        Command::Set(_, expr) | Command::Assume(expr) | Command::Assert(expr) => vec![expr],
        Command::Store { value, .. } => vec![value],
        Command::Return(Some(Argument::Value(value))) => vec![value],
        Command::Call { arguments, .. } | Command::CallPointer { arguments, .. } => {
            let values = arguments.iter().filter_map(|argument| match argument {
                Argument::Value(value) => Some(value),
                Argument::Block(..) => None,
            });
            values.collect()
        }
        _ => Vec::new(),
    }
}

fn inside(expr: &Expr, value: &dyn Fn(&Expr) -> Option<i64>, found: &mut Vec<Loss>) {
    if let Expr::Wrap(scalar, inner) = expr {
        found.extend(lost(*scalar, inner, value));
    }
    expr.operands().into_iter().for_each(|operand| inside(operand, value, found));
}

/// What is lost where a value is kept in so many bits. A product that is added to is how numbers are mixed on purpose,
/// and says nothing.
fn lost(scalar: Scalar, expr: &Expr, value: &dyn Fn(&Expr) -> Option<i64>) -> Option<Loss> {
    let held = value(expr)?;
    if scalar.bits >= 64 || scalar.wrap(held) == held {
        return None;
    }
    match expr {
        Expr::Binary(Binary::Add | Binary::Subtract, left, right) => {
            let is_mixed = |side: &Expr| {
                matches!(bare(side), Expr::Binary(Binary::Multiply | Binary::ShiftLeft | Binary::Xor, ..))
            };
            (!scalar.signed && !is_mixed(left) && !is_mixed(right)).then_some(Loss::WrapAround)
        }
        Expr::Load(_) | Expr::Deref(..) | Expr::Wrap(..) => Some(Loss::Conversion),
        _ => None,
    }
}

fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Wrap(_, inner) => bare(inner),
        other => other,
    }
}
