//! Regular expressions over anything.
//!
//! Sequences and choices have any number of parts, so that a formula of a hundred thousand
//! alternatives is a wide tree and not a deep one: the tree is only as deep as the parentheses of
//! the text, which the parser limits, and recursion over it is safe.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Regular<A> {
    Atom(A),
    /// One after the other; without parts, the empty word.
    Sequence(Vec<Regular<A>>),
    /// Any one of them; without parts, nothing at all.
    Choice(Vec<Regular<A>>),
    Repeat(Box<Regular<A>>, Repeat),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// Any number of times.
    Star,
    /// At least once.
    Plus,
    /// At most once.
    Optional,
}

impl<A> Regular<A> {
    /// The empty word.
    pub fn nil() -> Self {
        Self::Sequence(Vec::new())
    }

    /// No word at all.
    pub fn nothing() -> Self {
        Self::Choice(Vec::new())
    }

    /// `self` repeated. Repeating a repetition makes no deeper tree: two different ones in a row are
    /// a star, and a second one of the same kind changes nothing.
    #[must_use]
    pub fn repeat(self, repeat: Repeat) -> Self {
        match self {
            Self::Repeat(inner, before) if before == repeat => Self::Repeat(inner, repeat),
            Self::Repeat(inner, _) => Self::Repeat(inner, Repeat::Star),
            other => Self::Repeat(Box::new(other), repeat),
        }
    }

    /// The parts one after the other.
    pub fn sequence(mut parts: Vec<Self>) -> Self {
        if parts.len() == 1 { parts.remove(0) } else { Self::Sequence(parts) }
    }

    /// Any one of the parts.
    pub fn choice(mut parts: Vec<Self>) -> Self {
        if parts.len() == 1 { parts.remove(0) } else { Self::Choice(parts) }
    }

    /// The same expression over other atoms, which are asked for from left to right.
    pub fn try_map<'a, B, E>(&'a self, f: &mut impl FnMut(&'a A) -> Result<B, E>) -> Result<Regular<B>, E> {
        let mut all =
            |parts: &'a [Self]| parts.iter().map(|part| part.try_map(f)).collect::<Result<Vec<_>, E>>();
        Ok(match self {
            Self::Sequence(parts) => Regular::Sequence(all(parts)?),
            Self::Choice(parts) => Regular::Choice(all(parts)?),
            Self::Atom(atom) => Regular::Atom(f(atom)?),
            Self::Repeat(inner, repeat) => Regular::Repeat(Box::new(inner.try_map(f)?), *repeat),
        })
    }

    /// Calls `f` with every atom, from left to right.
    pub fn for_each_atom<'a>(&'a self, f: &mut impl FnMut(&'a A)) {
        match self {
            Self::Atom(atom) => f(atom),
            Self::Sequence(parts) | Self::Choice(parts) => {
                parts.iter().for_each(|part| part.for_each_atom(f))
            }
            Self::Repeat(inner, _) => inner.for_each_atom(f),
        }
    }
}

/// In MCL's operators, with all parentheses.
impl<A: fmt::Display> fmt::Display for Regular<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Atom(atom) => atom.fmt(f),
            Self::Sequence(parts) if parts.is_empty() => f.write_str("nil"),
            Self::Choice(parts) if parts.is_empty() => f.write_str("false"),
            Self::Sequence(parts) => joined(f, parts, " . "),
            Self::Choice(parts) => joined(f, parts, " | "),
            Self::Repeat(inner, repeat) => {
                inner.fmt(f)?;
                f.write_str(match repeat {
                    Repeat::Star => "*",
                    Repeat::Plus => "+",
                    Repeat::Optional => "?",
                })
            }
        }
    }
}

pub(crate) fn joined<T: fmt::Display>(f: &mut fmt::Formatter<'_>, parts: &[T], between: &str) -> fmt::Result {
    f.write_str("(")?;
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            f.write_str(between)?;
        }
        part.fmt(f)?;
    }
    f.write_str(")")
}
