//! Boolean combinations of atoms: what one step must be like.

use std::fmt;

use crate::regular::joined;

/// As with [`crate::Regular`], wide rather than deep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate<A> {
    True,
    False,
    Atom(A),
    Not(Box<Predicate<A>>),
    And(Vec<Predicate<A>>),
    Or(Vec<Predicate<A>>),
    Implies(Box<Predicate<A>>, Box<Predicate<A>>),
    /// From left to right; equivalence is associative, so the order does not matter.
    Equivalent(Vec<Predicate<A>>),
}

impl<A> Predicate<A> {
    /// Calls `f` with every atom, from left to right.
    pub fn for_each_atom<'a>(&'a self, f: &mut impl FnMut(&'a A)) {
        match self {
            Self::True | Self::False => {}
            Self::Atom(atom) => f(atom),
            Self::Not(inner) => inner.for_each_atom(f),
            Self::And(parts) | Self::Or(parts) | Self::Equivalent(parts) => {
                parts.iter().for_each(|part| part.for_each_atom(f));
            }
            Self::Implies(left, right) => {
                left.for_each_atom(f);
                right.for_each_atom(f);
            }
        }
    }
}

/// In MCL's operators, with all parentheses.
impl<A: fmt::Display> fmt::Display for Predicate<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::True => f.write_str("true"),
            Self::False => f.write_str("false"),
            Self::Atom(atom) => atom.fmt(f),
            Self::Not(inner) => write!(f, "(not {inner})"),
            Self::And(parts) => joined(f, parts, " and "),
            Self::Or(parts) => joined(f, parts, " or "),
            Self::Implies(left, right) => write!(f, "({left} implies {right})"),
            Self::Equivalent(parts) => joined(f, parts, " equ "),
        }
    }
}
