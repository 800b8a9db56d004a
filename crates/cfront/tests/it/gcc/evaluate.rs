//! The value of an expression of the tree over integers, where variables hold what they are initialised
//! with and an assignment is the last thing that happens: as plain as can be, so that what is tested is the
//! tree.

use cfront::tree::{
    Arithmetic, Comparison, ExprId, ExprKind, Field, InitValue, Int, Logic, PlaceId, PlaceKind, Program,
    Type, TypeId, Unary,
};

pub(crate) fn evaluate(program: &Program, id: ExprId) -> i128 {
    let expr = &program[id];
    let value = |id: &ExprId| evaluate(program, *id);
    match &expr.kind {
        ExprKind::Int(value) => *value,
        ExprKind::Load { place, .. } => held(program, *place),
        ExprKind::Unary { op, operand } => {
            let operand = value(operand);
            match op {
                Unary::Negate => wrap(program, expr.ty, -operand),
                Unary::Complement => wrap(program, expr.ty, !operand),
                Unary::Not => i128::from(operand == 0),
            }
        }
        ExprKind::Binary { op, left, right } => compute(program, *op, value(left), value(right), expr.ty),
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
        ExprKind::Convert { operand, .. } => convert(program, value(operand), expr.ty),
        ExprKind::Compound { place, op, right, computed_in, .. } => {
            let left = convert(program, held(program, *place), *computed_in);
            let result = compute(program, *op, left, value(right), *computed_in);
            stored(program, *place, result)
        }
        ExprKind::Increment { place, down, prefix, computed_in, .. } => {
            let before = held(program, *place);
            let op = if *down { Arithmetic::Subtract } else { Arithmetic::Add };
            let after = compute(program, op, convert(program, before, *computed_in), 1, *computed_in);
            if *prefix { stored(program, *place, after) } else { before }
        }
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

fn compute(program: &Program, op: Arithmetic, left: i128, right: i128, ty: TypeId) -> i128 {
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
    wrap(program, ty, exact)
}

fn convert(program: &Program, value: i128, ty: TypeId) -> i128 {
    match program.types.get(ty) {
        Type::Bool => i128::from(value != 0),
        _ => wrap(program, ty, value),
    }
}

/// What a place is initialised with.
fn held(program: &Program, place: PlaceId) -> i128 {
    let (object, field) = match program[place].kind {
        PlaceKind::Variable(object) => (object, None),
        PlaceKind::Member { record, .. } => match program[record].kind {
            PlaceKind::Variable(object) => (object, Some(field(program, place))),
            _ => panic!("a field of something computed"),
        },
        _ => panic!("not a variable"),
    };
    let (offset, bits) = field.map_or((0, None), |field| (field.offset, field.bits));
    let entries = &program[object].init.as_ref().expect("an initialiser").entries;
    let entry = entries.iter().find(|entry| (entry.offset, entry.bits) == (offset, bits));
    match entry.expect("it is initialised").value {
        InitValue::Expr(value) => evaluate(program, value),
        InitValue::String(_) => panic!("a number"),
    }
}

/// What a place holds after a value was stored in it.
fn stored(program: &Program, place: PlaceId, value: i128) -> i128 {
    let ty = program[place].ty;
    let value = convert(program, value, ty);
    match program[place].kind {
        PlaceKind::Member { .. } => {
            let bits = field(program, place).bits.expect("a bit-field").width;
            Int { bits, signed: program.types.int(ty).expect("an integer").signed }.wrap(value)
        }
        _ => value,
    }
}

fn field(program: &Program, place: PlaceId) -> &Field {
    let PlaceKind::Member { record, field } = program[place].kind else { panic!("a member") };
    let Type::Record(id) = program.types.get(program[record].ty) else { panic!("a record") };
    &program.types.record(id).fields[field as usize]
}

fn wrap(program: &Program, ty: TypeId, value: i128) -> i128 {
    program.types.int(ty).expect("an integer").wrap(value)
}
