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

/// A part of a formula about one position, with what its own parts came to.
#[derive(Debug)]
pub enum Here<'a, A, T> {
    Constant(bool),
    Atom(&'a A),
    Not(T),
    Binary(Connective, T, T),
}

/// An operator that asks nothing of other positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connective {
    And,
    Or,
    Implies,
    Equivalent,
}

impl Binary {
    fn connective(self) -> Option<Connective> {
        match self {
            Binary::And => Some(Connective::And),
            Binary::Or => Some(Connective::Or),
            Binary::Implies => Some(Connective::Implies),
            Binary::Equivalent => Some(Connective::Equivalent),
            Binary::Until | Binary::WeakUntil | Binary::Release => None,
        }
    }
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
        self.here(|part| match part {
            Here::Constant(value) => Some(value),
            Here::Atom(own) => Some(atom(own)),
            Here::Not(part) => Some(!part),
            Here::Binary(Connective::And, left, right) => Some(left && right),
            Here::Binary(Connective::Or, left, right) => Some(left || right),
            Here::Binary(Connective::Implies, left, right) => Some(!left || right),
            Here::Binary(Connective::Equivalent, left, right) => Some(left == right),
        })
    }

    /// What a formula about one position comes to, part by part. Nothing of a formula that speaks of other positions, nor
    /// where nothing is made of a part.
    pub fn here<T>(&self, mut of: impl FnMut(Here<'_, A, T>) -> Option<T>) -> Option<T> {
        let mut values: Vec<T> = Vec::new();
        for node in &self.nodes {
            let part = match node {
                Node::Constant(value) => Here::Constant(*value),
                Node::Atom(own) => Here::Atom(own),
                Node::Unary(Unary::Not) => Here::Not(values.pop()?),
                Node::Unary(_) => return None,
                Node::Binary(operator) => {
                    let (right, left) = (values.pop()?, values.pop()?);
                    Here::Binary(operator.connective()?, left, right)
                }
            };
            values.push(of(part)?);
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
