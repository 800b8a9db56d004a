//! The value of an expression of the tree, for expressions without side effects over integers: as plain as
//! can be, so that what is tested is the tree.

use cfront::tree::{
    Arithmetic, Comparison, ExprId, ExprKind, InitValue, Logic, PlaceKind, Program, Type, TypeId, Unary,
};

pub(crate) fn evaluate(program: &Program, id: ExprId) -> i128 {
    let expr = &program[id];
    let value = |id: &ExprId| evaluate(program, *id);
    match &expr.kind {
        ExprKind::Int(value) => *value,
        ExprKind::Load { place, .. } => match program[*place].kind {
            PlaceKind::Variable(object) => {
                let entry = &program[object].init.as_ref().expect("an initialiser").entries[0];
                let InitValue::Expr(value) = entry.value else { panic!("a number") };
                evaluate(program, value)
            }
            _ => panic!("not a variable: {}", program.show_expr(id)),
        },
        ExprKind::Unary { op, operand } => {
            let operand = value(operand);
            match op {
                Unary::Negate => wrap(program, expr.ty, -operand),
                Unary::Complement => wrap(program, expr.ty, !operand),
                Unary::Not => i128::from(operand == 0),
            }
        }
        ExprKind::Binary { op, left, right } => {
            let (left, right) = (value(left), value(right));
            let exact = match op {
                Arithmetic::Multiply => left.wrapping_mul(right),
                Arithmetic::Divide => left / right,
                Arithmetic::Remainder => left % right,
                Arithmetic::Add => left + right,
                Arithmetic::Subtract => left - right,
                Arithmetic::ShiftLeft => left << right,
                Arithmetic::ShiftRight => left >> right,
                Arithmetic::And => left & right,
                Arithmetic::Or => left | right,
                Arithmetic::Xor => left ^ right,
            };
            wrap(program, expr.ty, exact)
        }
        ExprKind::Compare { op, left, right } => {
            let (left, right) = (value(left), value(right));
            i128::from(match op {
                Comparison::Equal => left == right,
                Comparison::NotEqual => left != right,
                Comparison::Less => left < right,
                Comparison::LessEqual => left <= right,
                Comparison::Greater => left > right,
                Comparison::GreaterEqual => left >= right,
            })
        }
        ExprKind::Convert { operand, .. } => match program.types.get(expr.ty) {
            Type::Bool => i128::from(value(operand) != 0),
            _ => wrap(program, expr.ty, value(operand)),
        },
        ExprKind::Logical { op, left, right } => i128::from(match op {
            Logic::And => value(left) != 0 && value(right) != 0,
            Logic::Or => value(left) != 0 || value(right) != 0,
        }),
        ExprKind::Conditional { condition, then, otherwise } => {
            if value(condition) != 0 {
                value(then)
            } else {
                value(otherwise)
            }
        }
        ExprKind::Comma { second, .. } => value(second),
        _ => panic!("not evaluated here: {}", program.show_expr(id)),
    }
}

fn wrap(program: &Program, ty: TypeId, value: i128) -> i128 {
    program.types.int(ty).expect("an integer").wrap(value)
}
