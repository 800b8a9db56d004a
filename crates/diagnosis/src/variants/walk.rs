//! The expressions of a command, and the parts of an expression by their numbers.

use model::{Argument, Base, Command, Expr, Place, Region};

/// The expressions of a command that a change may concern, where it writes before what it writes.
pub(super) fn slots(command: &mut Command) -> Vec<&mut Expr> {
    match command {
        Command::Set(place, value) => {
            let mut found = indices(place);
            found.push(value);
            found
        }
        Command::Store { address, value, .. } => vec![address, value],
        Command::Copy { to, from, .. } => {
            let mut found = of_region(to);
            found.extend(of_region(from));
            found
        }
        Command::Assume(value) => vec![value],
        Command::Call { arguments, .. } | Command::CallPointer { arguments, .. } => {
            arguments.iter_mut().flat_map(of_argument).collect()
        }
        Command::Return(Some(argument)) => of_argument(argument),
        Command::Builtin { arguments, .. } => arguments.iter_mut().collect(),
        Command::Clear { .. }
        | Command::Touch { .. }
        | Command::Assert(_)
        | Command::Fail(_)
        | Command::Nondet { .. }
        | Command::Return(None)
        | Command::Exit => Vec::new(),
    }
}

fn indices(place: &mut Place) -> Vec<&mut Expr> {
    place.indices.iter_mut().map(|index| &mut index.value).collect()
}

fn of_region(region: &mut Region) -> Vec<&mut Expr> {
    match region {
        Region::Place(place) => indices(place),
        Region::Address(pointer) => vec![pointer],
    }
}

fn of_argument(argument: &mut Argument) -> Vec<&mut Expr> {
    match argument {
        Argument::Value(value) => vec![value],
        Argument::Block(region, _) => of_region(region),
    }
}

/// How many parts an expression has, itself included.
pub(super) fn nodes(expr: &Expr) -> usize {
    1 + expr.operands().into_iter().map(nodes).sum::<usize>()
}

/// A part of an expression: itself is the first, then come the parts of its operands.
pub(super) fn nth(expr: &mut Expr, number: usize) -> Option<&mut Expr> {
    if number == 0 {
        return Some(expr);
    }
    let mut number = number - 1;
    let counts: Vec<usize> = expr.operands().into_iter().map(nodes).collect();
    let child = counts.iter().position(|count| match number.checked_sub(*count) {
        Some(rest) => {
            number = rest;
            false
        }
        None => true,
    })?;
    nth(child_of(expr, child)?, number)
}

fn child_of(expr: &mut Expr, number: usize) -> Option<&mut Expr> {
    match expr {
        Expr::Constant(_) => None,
        Expr::Load(place) => {
            let process = match &mut place.base {
                Base::Of(process) => Some(&mut **process),
                Base::Global | Base::Local => None,
            };
            process.into_iter().chain(place.indices.iter_mut().map(|index| &mut index.value)).nth(number)
        }
        Expr::Unary(_, one) | Expr::Wrap(_, one) | Expr::Deref(_, one) => Some(one),
        Expr::Binary(_, one, other) | Expr::AndAlso(one, other) | Expr::OrElse(one, other) => {
            Some(if number == 0 { one } else { other })
        }
        Expr::Choose(one, two, three) => Some(match number {
            0 => one,
            1 => two,
            _ => three,
        }),
        Expr::Ask(_, arguments) | Expr::Apply(_, arguments) => arguments.get_mut(number),
    }
}

/// The expressions of a command, to be read only.
pub(super) fn expressions(command: &Command) -> Vec<Expr> {
    let mut command = command.clone();
    slots(&mut command).into_iter().map(|slot| slot.clone()).collect()
}

#[cfg(test)]
mod tests {
    use model::{Binary, Index, Scalar, Unary};

    use super::*;

    #[test]
    fn parts_are_numbered_from_the_whole_inwards() {
        let index = Index { value: Expr::Constant(7), stride: 4, length: 9 };
        let place = Place { indices: vec![index], ..Place::global(0, Scalar::I64) };
        let sum = Expr::binary(Binary::Add, Expr::Load(place), Expr::Constant(1));
        let mut whole =
            Expr::Choose(Box::new(Expr::Unary(Unary::Not, Box::new(Expr::Constant(3)))), Box::new(sum), {
                Box::new(Expr::Constant(4))
            });
        let mut listed = Vec::new();
        whole.for_each_part(&mut |part| listed.push(part.clone()));
        assert_eq!(listed.len(), nodes(&whole));
        for (number, part) in listed.iter().enumerate() {
            assert_eq!(nth(&mut whole, number).as_deref(), Some(part), "{number}");
        }
        assert_eq!(nth(&mut whole, listed.len()), None);
        if let Some(part) = nth(&mut whole, 5) {
            *part = Expr::Constant(8);
        }
        let constants: Vec<Expr> = [3, 8, 1, 4].map(Expr::Constant).into();
        let mut found = Vec::new();
        whole.for_each_part(&mut |part| {
            if matches!(part, Expr::Constant(_)) {
                found.push(part.clone());
            }
        });
        assert_eq!(found, constants);
    }
}
