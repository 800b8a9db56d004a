//! What may stand in place of one part of an expression.

use model::mistakes::{Mistake, mistaken, seldom_mistaken};
use model::{Binary, Expr, Unary};

use super::pool::{Pool, scalar_of};

/// How far a field may be from the start of its record.
const FARTHEST: i64 = 256;

/// Whether an expression is true or false.
pub(super) fn is_truth(expr: &Expr) -> bool {
    match expr {
        Expr::Unary(Unary::Not, _) | Expr::AndAlso(..) | Expr::OrElse(..) => true,
        Expr::Binary(operator, ..) => operator.is_comparison(),
        Expr::Wrap(_, inner) => is_truth(inner),
        _ => false,
    }
}

/// What may stand in place of a part of an expression, of one kind; `whole` if it is all of a value.
pub(super) fn replacements(part: &Expr, kind: Mistake, pool: &Pool, whole: bool) -> Vec<Expr> {
    let step = |by: Binary| Expr::binary(by, part.clone(), Expr::Constant(1));
    match (kind, part) {
        (Mistake::Operator, Expr::Binary(operator, one, other)) => mistaken(*operator)
            .iter()
            .chain(seldom_mistaken(*operator))
            .map(|new| Expr::Binary(*new, one.clone(), other.clone()))
            .collect(),
        (Mistake::Operator, Expr::AndAlso(one, other)) => vec![Expr::OrElse(one.clone(), other.clone())],
        (Mistake::Operator, Expr::OrElse(one, other)) => vec![Expr::AndAlso(one.clone(), other.clone())],
        (Mistake::Operator, Expr::Unary(Unary::Negate | Unary::Complement, inner)) => vec![(**inner).clone()],
        (Mistake::NearConstant, Expr::Constant(value)) => {
            let near = [value.wrapping_add(1), value.wrapping_sub(1), value.wrapping_neg()];
            near.into_iter().filter(|new| new != value).map(Expr::Constant).collect()
        }
        (Mistake::Constant, Expr::Constant(value)) => {
            let others = pool.constants.iter().filter(|new| *new != value);
            others.map(|new| Expr::Constant(*new)).collect()
        }
        (Mistake::Variable, Expr::Load(_) | Expr::Deref(..)) => {
            let mut found: Vec<Expr> = pool.like(part).cloned().collect();
            if whole && scalar_of(part) == Some(pool.pointer) {
                // Another part of what it points to.
                let parts = pool.constants.iter().filter(|offset| (1..=FARTHEST).contains(*offset));
                found.extend(parts.map(|by| Expr::binary(Binary::Add, part.clone(), Expr::Constant(*by))));
            }
            found
        }
        (Mistake::Term, _) if whole && scalar_of(part) != Some(pool.pointer) => {
            let numbers = pool.reads.iter().filter(|read| scalar_of(read) != Some(pool.pointer));
            let with =
                |by: Binary| numbers.clone().map(move |read| Expr::binary(by, part.clone(), read.clone()));
            with(Binary::Add).chain(with(Binary::Subtract)).collect()
        }
        (Mistake::Variable, Expr::Constant(_)) => {
            let numbers = pool.reads.iter().filter(|read| scalar_of(read) != Some(pool.pointer));
            numbers.cloned().collect()
        }
        (Mistake::Fixed, Expr::Load(_) | Expr::Deref(..)) if scalar_of(part) != Some(pool.pointer) => {
            pool.constants.iter().take(10).map(|value| Expr::Constant(*value)).collect()
        }
        (Mistake::Step, Expr::Load(_) | Expr::Deref(..) | Expr::Binary(..) | Expr::Choose(..))
            if !is_truth(part) && scalar_of(part) != Some(pool.pointer) =>
        {
            vec![step(Binary::Add), step(Binary::Subtract)]
        }
        (Mistake::Operand, Expr::Binary(operator, one, other)) => {
            let mut found = Vec::new();
            if !operator.is_comparison() {
                found.extend([(**one).clone(), (**other).clone()]);
            }
            if one != other && !matches!(operator, Binary::Add | Binary::Multiply | Binary::Equal) {
                found.push(Expr::Binary(*operator, other.clone(), one.clone()));
            }
            found
        }
        (Mistake::Operand, Expr::AndAlso(one, other) | Expr::OrElse(one, other)) => {
            vec![(**one).clone(), (**other).clone()]
        }
        (Mistake::Operand, Expr::Choose(condition, one, other)) => {
            vec![Expr::Choose(condition.clone(), other.clone(), one.clone())]
        }
        _ => Vec::new(),
    }
}

/// What may stand in place of a whole condition.
pub(super) fn conditions(whole: &Expr, kind: Mistake, pool: &Pool) -> Vec<Expr> {
    let boxed = || Box::new(whole.clone());
    match kind {
        Mistake::Negation => match whole {
            Expr::Unary(Unary::Not, inner) => vec![(**inner).clone()],
            _ => vec![Expr::negation(whole.clone())],
        },
        Mistake::Guard => {
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
