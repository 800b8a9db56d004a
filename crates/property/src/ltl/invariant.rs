//! Formulas that ask the same of every position and nothing else: `[] p`, where `p` is a condition on one position.
//!
//! A trace violates such a formula as soon as it comes to a position where the condition is false, whatever follows. So it
//! can be looked at like an assertion that is made everywhere.

use super::{Binary, Formula, Node, Unary};

/// What a part of a formula says.
enum Says<A> {
    /// Something about the position at hand.
    Here(Formula<A>),
    /// The same about this and every later position.
    Everywhere(Formula<A>),
    /// Something about this or some later position.
    Somewhere(Formula<A>),
    More,
}

impl<A: Clone> Formula<A> {
    /// The condition on every position, if that is all that the formula asks.
    pub fn invariant(&self) -> Option<Self> {
        let mut parts: Vec<Says<A>> = Vec::new();
        for node in &self.nodes {
            let part = match node {
                Node::Constant(value) => Says::Here(Self::constant(*value)),
                Node::Atom(atom) => Says::Here(Self::atom(atom.clone())),
                Node::Unary(operator) => of_one(*operator, parts.pop()?),
                Node::Binary(operator) => {
                    let (right, left) = (parts.pop()?, parts.pop()?);
                    of_two(*operator, left, right)
                }
            };
            parts.push(part);
        }
        match parts.pop()? {
            Says::Everywhere(condition) => Some(condition),
            _ => None,
        }
    }

    /// Whether the formula is true of a position by itself, where `atom` says which atoms are. Nothing of a formula that
    /// speaks of other positions.
    pub fn is_true_here(&self, atom: impl Fn(&A) -> bool) -> Option<bool> {
        let mut values: Vec<bool> = Vec::new();
        for node in &self.nodes {
            let value = match node {
                Node::Constant(value) => *value,
                Node::Atom(own) => atom(own),
                Node::Unary(Unary::Not) => !values.pop()?,
                Node::Unary(_) => return None,
                Node::Binary(operator) => {
                    let (right, left) = (values.pop()?, values.pop()?);
                    match operator {
                        Binary::And => left && right,
                        Binary::Or => left || right,
                        Binary::Implies => !left || right,
                        Binary::Equivalent => left == right,
                        Binary::Until | Binary::WeakUntil | Binary::Release => return None,
                    }
                }
            };
            values.push(value);
        }
        values.pop()
    }
}

fn of_one<A: Clone>(operator: Unary, part: Says<A>) -> Says<A> {
    match (operator, part) {
        (Unary::Not, Says::Here(part)) => Says::Here(part.negated()),
        (Unary::Not, Says::Somewhere(part)) => Says::Everywhere(part.negated()),
        (Unary::Not, Says::Everywhere(part)) => Says::Somewhere(part.negated()),
        (Unary::Always, Says::Here(part) | Says::Everywhere(part)) => Says::Everywhere(part),
        (Unary::Eventually, Says::Here(part) | Says::Somewhere(part)) => Says::Somewhere(part),
        _ => Says::More,
    }
}

fn of_two<A: Clone>(operator: Binary, left: Says<A>, right: Says<A>) -> Says<A> {
    match (operator, left, right) {
        (Binary::And, Says::Everywhere(left), Says::Everywhere(right)) => {
            Says::Everywhere(Formula::binary(Binary::And, left, right))
        }
        (Binary::Or, Says::Somewhere(left), Says::Somewhere(right)) => {
            Says::Somewhere(Formula::binary(Binary::Or, left, right))
        }
        (
            Binary::And | Binary::Or | Binary::Implies | Binary::Equivalent,
            Says::Here(left),
            Says::Here(right),
        ) => Says::Here(Formula::binary(operator, left, right)),
        _ => Says::More,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(number: u32) -> Formula<u32> {
        Formula::atom(number)
    }

    /// Whether the formula asks of every position that this set of atoms is allowed.
    fn allows(formula: &Formula<u32>, atoms: &[u32]) -> Option<bool> {
        formula.invariant()?.is_true_here(|atom| atoms.contains(atom))
    }

    #[test]
    fn what_is_asked_of_every_position_is_found_in_all_its_spellings() {
        let always = Formula::unary(Unary::Always, atom(0));
        let never = Formula::unary(Unary::Eventually, atom(1)).negated();
        let both = Formula::binary(Binary::And, always.clone(), never.clone());
        let implied =
            Formula::unary(Unary::Always, Formula::binary(Binary::Implies, atom(0), atom(1).negated()));
        assert_eq!([allows(&always, &[0]), allows(&always, &[])], [Some(true), Some(false)]);
        assert_eq!([allows(&never, &[0]), allows(&never, &[1])], [Some(true), Some(false)]);
        assert_eq!([allows(&both, &[0]), allows(&both, &[0, 1])], [Some(true), Some(false)]);
        assert_eq!([allows(&implied, &[1]), allows(&implied, &[0, 1])], [Some(true), Some(false)]);
    }

    #[test]
    fn what_speaks_of_several_positions_is_none() {
        let answered = Formula::unary(Unary::Eventually, atom(1));
        let response = Formula::unary(Unary::Always, Formula::binary(Binary::Implies, atom(0), answered));
        let next = Formula::unary(Unary::Always, Formula::unary(Unary::Next, atom(0)));
        let until = Formula::binary(Binary::Until, atom(0), atom(1));
        let either = Formula::binary(
            Binary::Or,
            Formula::unary(Unary::Always, atom(0)),
            Formula::unary(Unary::Always, atom(1)),
        );
        for formula in [response, next, until, either, atom(0)] {
            assert!(formula.invariant().is_none(), "{formula:?}");
        }
    }
}
