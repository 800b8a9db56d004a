//! What a small change has in place of what stands there, in the names of the program.
//!
//! Only what is surely written that way is told: numbers, operators, and variables that the statement can name. Of
//! anything else its kind has to be enough.

use findings::TextChange;
use model::{Command, Expr, Function, Place};

use super::walk::slots;

/// What a changed function has instead of the original one, if it can be written.
pub(crate) fn instead(before: &Function, after: &Function, names: &[(String, Place)]) -> Option<TextChange> {
    let (old, new) = before.edges.iter().zip(&after.edges).find(|(old, new)| old.commands != new.commands)?;
    if new.commands.len() == old.commands.len() + 1 {
        let at = (0..old.commands.len()).find(|at| old.commands[*at] != new.commands[*at]);
        let Command::Set(place, value) = &new.commands[at.unwrap_or(old.commands.len())] else { return None };
        let statement = format!("{} = {}", name(place, names)?, spelled(value, names)?);
        return Some(TextChange::Added { statement: Some(statement) });
    }
    if new.commands.len() != old.commands.len() {
        return None;
    }
    let (old, new) = old.commands.iter().zip(&new.commands).find(|(old, new)| old != new)?;
    if let (Command::Set(one, value), Command::Set(other, same)) = (old, new)
        && value == same
        && one.indices.is_empty()
    {
        return Some(exchanged(&name(one, names)?, &name(other, names)?));
    }
    let (mut old, mut new) = (old.clone(), new.clone());
    let (old, new) = (slots(&mut old), slots(&mut new));
    let (old, new) = old.into_iter().zip(new).find(|(old, new)| old != new)?;
    replaced(old, new, names)
}

fn exchanged(old: &str, new: &str) -> TextChange {
    TextChange::Instead { new: new.to_owned(), old: old.to_owned() }
}

/// The smallest part of an expression that is another one.
fn replaced(old: &Expr, new: &Expr, names: &[(String, Place)]) -> Option<TextChange> {
    let (olds, news) = (old.operands(), new.operands());
    match (old, new) {
        (Expr::Binary(one, ..), Expr::Binary(other, ..)) if one != other => {
            return (olds == news).then(|| exchanged(one.sign(), other.sign()));
        }
        (Expr::AndAlso(..), Expr::OrElse(..)) if olds == news => return Some(exchanged("&&", "||")),
        (Expr::OrElse(..), Expr::AndAlso(..)) if olds == news => return Some(exchanged("||", "&&")),
        _ => {}
    }
    let is_same_kind = std::mem::discriminant(old) == std::mem::discriminant(new) && olds.len() == news.len();
    let others: Vec<usize> =
        if is_same_kind { (0..olds.len()).filter(|at| olds[*at] != news[*at]).collect() } else { Vec::new() };
    if let [at] = others[..] {
        return replaced(olds[at], news[at], names);
    }
    Some(exchanged(&spelled(old, names)?, &spelled(new, names)?))
}

/// A number, a variable, or two of them with an operator.
fn spelled(expr: &Expr, names: &[(String, Place)]) -> Option<String> {
    match expr {
        Expr::Binary(operator, one, other) => {
            Some(format!("{} {} {}", atom(one, names)?, operator.sign(), atom(other, names)?))
        }
        Expr::Wrap(_, inner) => spelled(inner, names),
        _ => atom(expr, names),
    }
}

fn atom(expr: &Expr, names: &[(String, Place)]) -> Option<String> {
    match expr {
        Expr::Constant(value) => Some(value.to_string()),
        Expr::Load(place) => name(place, names),
        Expr::Wrap(_, inner) => atom(inner, names),
        _ => None,
    }
}

fn name(place: &Place, names: &[(String, Place)]) -> Option<String> {
    names.iter().find(|(_, known)| known == place).map(|(name, _)| name.clone())
}

#[cfg(test)]
mod tests {
    use model::{Binary, Expr, Place, Scalar};

    use super::{exchanged, replaced};

    #[test]
    fn only_what_differs_is_told() {
        let place = |offset| Place::local(offset, Scalar::I32);
        let names = [("a".to_owned(), place(0)), ("b".to_owned(), place(4))];
        let load = |offset| Expr::Load(place(offset));
        let than = |operator, right| Expr::binary(operator, load(0), right);
        let both = |one, other| Expr::AndAlso(Box::new(one), Box::new(other));
        let told = |old: &Expr, new: &Expr| replaced(old, new, &names);
        let old = both(than(Binary::Less, load(4)), than(Binary::Greater, Expr::Constant(7)));
        let cases = [
            (
                both(than(Binary::LessEqual, load(4)), than(Binary::Greater, Expr::Constant(7))),
                exchanged("<", "<="),
            ),
            (
                both(than(Binary::Less, load(4)), than(Binary::Greater, Expr::Constant(8))),
                exchanged("7", "8"),
            ),
            (
                both(than(Binary::Less, load(0)), than(Binary::Greater, Expr::Constant(7))),
                exchanged("b", "a"),
            ),
        ];
        for (new, change) in cases {
            assert_eq!(told(&old, &new), Some(change));
        }
        // What cannot be named is not told.
        assert_eq!(told(&load(0), &load(8)), None);
        assert_eq!(told(&old, &Expr::Constant(1)), None);
    }
}
