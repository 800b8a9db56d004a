//! What may stand in place of one part of an expression.

use model::{Binary, Expr, Unary};

use super::Kind;
use super::pool::{Pool, scalar_of};

const COMPARISONS: [Binary; 6] =
    [Binary::Equal, Binary::NotEqual, Binary::Less, Binary::LessEqual, Binary::Greater, Binary::GreaterEqual];

/// How far a field may be from the start of its record.
const FARTHEST: i64 = 256;

/// Whether an expression is true or false.
pub(super) fn is_truth(expr: &Expr) -> bool {
    match expr {
        Expr::Unary(Unary::Not, _) | Expr::AndAlso(..) | Expr::OrElse(..) => true,
        Expr::Binary(operator, ..) => COMPARISONS.contains(operator),
        Expr::Wrap(_, inner) => is_truth(inner),
        _ => false,
    }
}

/// Operators that could be meant instead.
fn others(operator: Binary) -> &'static [Binary] {
    match operator {
        Binary::Add => &[Binary::Subtract, Binary::Multiply],
        Binary::Subtract => &[Binary::Add],
        Binary::Multiply => &[Binary::Add, Binary::Divide],
        Binary::Divide => &[Binary::Remainder, Binary::Multiply],
        Binary::Remainder => &[Binary::Divide],
        Binary::And => &[Binary::Or, Binary::Xor],
        Binary::Or => &[Binary::And, Binary::Xor],
        Binary::Xor => &[Binary::And, Binary::Or],
        Binary::ShiftLeft => &[Binary::ShiftRight],
        Binary::ShiftRight => &[Binary::ShiftLeft],
        _ => &COMPARISONS,
    }
}

/// What may stand in place of a part of an expression, of one kind; `whole` if it is all of a value.
pub(super) fn replacements(part: &Expr, kind: Kind, pool: &Pool, whole: bool) -> Vec<Expr> {
    let step = |by: Binary| Expr::binary(by, part.clone(), Expr::Constant(1));
    match (kind, part) {
        (Kind::Operator, Expr::Binary(operator, one, other)) => others(*operator)
            .iter()
            .filter(|new| *new != operator)
            .map(|new| Expr::Binary(*new, one.clone(), other.clone()))
            .collect(),
        (Kind::Operator, Expr::AndAlso(one, other)) => vec![Expr::OrElse(one.clone(), other.clone())],
        (Kind::Operator, Expr::OrElse(one, other)) => vec![Expr::AndAlso(one.clone(), other.clone())],
        (Kind::Operator, Expr::Unary(Unary::Negate | Unary::Complement, inner)) => vec![(**inner).clone()],
        (Kind::NearConstant, Expr::Constant(value)) => {
            let near = [value.wrapping_add(1), value.wrapping_sub(1), value.wrapping_neg()];
            near.into_iter().filter(|new| new != value).map(Expr::Constant).collect()
        }
        (Kind::Constant, Expr::Constant(value)) => {
            let others = pool.constants.iter().filter(|new| *new != value);
            others.map(|new| Expr::Constant(*new)).collect()
        }
        (Kind::Variable, Expr::Load(_) | Expr::Deref(..)) => {
            let mut found: Vec<Expr> = pool.like(part).cloned().collect();
            if whole && scalar_of(part) == Some(pool.pointer) {
                // Another part of what it points to.
                let parts = pool.constants.iter().filter(|offset| (1..=FARTHEST).contains(*offset));
                found.extend(parts.map(|by| Expr::binary(Binary::Add, part.clone(), Expr::Constant(*by))));
            }
            found
        }
        (Kind::Term, _) if whole && scalar_of(part) != Some(pool.pointer) => {
            let numbers = pool.reads.iter().filter(|read| scalar_of(read) != Some(pool.pointer));
            let with =
                |by: Binary| numbers.clone().map(move |read| Expr::binary(by, part.clone(), read.clone()));
            with(Binary::Add).chain(with(Binary::Subtract)).collect()
        }
        (Kind::Variable, Expr::Constant(_)) => {
            let numbers = pool.reads.iter().filter(|read| scalar_of(read) != Some(pool.pointer));
            numbers.cloned().collect()
        }
        (Kind::Fixed, Expr::Load(_) | Expr::Deref(..)) if scalar_of(part) != Some(pool.pointer) => {
            pool.constants.iter().take(10).map(|value| Expr::Constant(*value)).collect()
        }
        (Kind::Step, Expr::Load(_) | Expr::Deref(..) | Expr::Binary(..) | Expr::Choose(..))
            if !is_truth(part) && scalar_of(part) != Some(pool.pointer) =>
        {
            vec![step(Binary::Add), step(Binary::Subtract)]
        }
        (Kind::Operand, Expr::Binary(operator, one, other)) => {
            let mut found = Vec::new();
            if !COMPARISONS.contains(operator) {
                found.extend([(**one).clone(), (**other).clone()]);
            }
            if one != other && !matches!(operator, Binary::Add | Binary::Multiply | Binary::Equal) {
                found.push(Expr::Binary(*operator, other.clone(), one.clone()));
            }
            found
        }
        (Kind::Operand, Expr::AndAlso(one, other) | Expr::OrElse(one, other)) => {
            vec![(**one).clone(), (**other).clone()]
        }
        (Kind::Operand, Expr::Choose(condition, one, other)) => {
            vec![Expr::Choose(condition.clone(), other.clone(), one.clone())]
        }
        _ => Vec::new(),
    }
}

/// What may stand in place of a whole condition.
pub(super) fn conditions(whole: &Expr, kind: Kind, pool: &Pool) -> Vec<Expr> {
    let boxed = || Box::new(whole.clone());
    match kind {
        Kind::Negation => match whole {
            Expr::Unary(Unary::Not, inner) => vec![(**inner).clone()],
            _ => vec![Expr::negation(whole.clone())],
        },
        Kind::Guard => {
            let mut found = vec![Expr::Constant(0), Expr::Constant(1)];
            let number = |read: &&Expr| scalar_of(read).is_some_and(|scalar| scalar != pool.pointer);
            let reads = pool.reads.iter().filter(number).take(12);
            for other in pool.conditions.iter().chain(reads).filter(|other| *other != whole) {
                let not = Expr::negation(other.clone());
                found.push(Expr::AndAlso(boxed(), Box::new(other.clone())));
                found.push(Expr::OrElse(boxed(), Box::new(other.clone())));
                found.push(Expr::AndAlso(boxed(), Box::new(not.clone())));
                found.push(Expr::OrElse(boxed(), Box::new(not)));
            }
            found
        }
        _ => Vec::new(),
    }
}
