//! Linear temporal logic over atoms of any kind.
//!
//! A [`Formula`] is kept in postfix order: operands stand before their operator, in one flat array.
//! Whatever is done with it is a pass over that array with a stack, so that a formula nested a million
//! deep is as harmless as any other; what turns formulas into something else
//! ([`buchi::translate`](crate::buchi::translate)) says from which depth and size on it refuses.
//!
//! The operators are those of SPIN: `X`, `U`, `V` (release), `W` (weak until), `<>` and `[]`. A formula
//! speaks of infinite words; [`Formula::holds_on`] evaluates it on one that ends in a loop.

mod blame;
pub(crate) mod implication;
mod invariant;
mod lasso;
pub(crate) mod normal_form;
pub(crate) mod terms;
mod vacuity;

use std::fmt;

pub use blame::{Blame, Part, Reason};
pub use invariant::{Connective, Here};
pub use lasso::Word;

/// A formula of linear temporal logic; `A` is what its atoms are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Formula<A> {
    nodes: Vec<Node<A>>,
    depth: usize,
}

/// A part of a formula; its operands stand before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node<A> {
    Constant(bool),
    Atom(A),
    Unary(Unary),
    Binary(Binary),
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `!`
    Not,
    /// `X`: at the next position.
    Next,
    /// `<>`: now or later.
    Eventually,
    /// `[]`: now and for ever.
    Always,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `->`
    Implies,
    /// `<->`
    Equivalent,
    /// `U`: the right one now or later, and the left one until then.
    Until,
    /// `W`: as `U`, but the right one need not come.
    WeakUntil,
    /// `V`: the right one up to and including the first position with the left one, which need not come.
    Release,
}

impl<A> Formula<A> {
    /// `true` or `false`.
    pub fn constant(value: bool) -> Self {
        Self { nodes: vec![Node::Constant(value)], depth: 1 }
    }

    pub fn atom(atom: A) -> Self {
        Self { nodes: vec![Node::Atom(atom)], depth: 1 }
    }

    #[must_use]
    pub fn unary(operator: Unary, mut operand: Self) -> Self {
        operand.nodes.push(Node::Unary(operator));
        operand.depth += 1;
        operand
    }

    #[must_use]
    pub fn binary(operator: Binary, mut left: Self, mut right: Self) -> Self {
        left.nodes.append(&mut right.nodes);
        left.nodes.push(Node::Binary(operator));
        left.depth = 1 + left.depth.max(right.depth);
        left
    }

    /// The opposite. A system violates a formula if one of its traces satisfies this.
    #[must_use]
    pub fn negated(self) -> Self {
        Self::unary(Unary::Not, self)
    }

    /// Its parts in postfix order.
    pub fn nodes(&self) -> &[Node<A>] {
        &self.nodes
    }

    /// How many operators, atoms and constants there are.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// How deep they are nested; an atom has depth 1.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The atoms from left to right, as often as they occur.
    pub fn atoms(&self) -> impl Iterator<Item = &A> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Atom(atom) => Some(atom),
            _ => None,
        })
    }

    /// Whether `X` occurs. A formula without it cannot tell a word from one in which letters are repeated.
    pub fn has_next(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Unary(Unary::Next)))
    }

    /// The same formula over other atoms.
    pub fn map_atoms<B>(&self, mut other: impl FnMut(&A) -> B) -> Formula<B> {
        let nodes = self.nodes.iter().map(|node| match node {
            Node::Constant(value) => Node::Constant(*value),
            Node::Atom(atom) => Node::Atom(other(atom)),
            Node::Unary(operator) => Node::Unary(*operator),
            Node::Binary(operator) => Node::Binary(*operator),
        });
        Formula { nodes: nodes.collect(), depth: self.depth }
    }

    /// Evaluates from the atoms upwards: `step` is given every node with the values of its operands.
    fn fold<V>(&self, mut step: impl FnMut(Step<'_, A, V>) -> V) -> Option<V> {
        let mut values = Vec::new();
        for node in &self.nodes {
            let value = match node {
                Node::Constant(value) => step(Step::Constant(*value)),
                Node::Atom(atom) => step(Step::Atom(atom)),
                Node::Unary(operator) => step(Step::Unary(*operator, values.pop()?)),
                Node::Binary(operator) => {
                    let right = values.pop()?;
                    step(Step::Binary(*operator, values.pop()?, right))
                }
            };
            values.push(value);
        }
        values.pop()
    }
}

/// A node of a formula with the values of its operands.
enum Step<'f, A, V> {
    Constant(bool),
    Atom(&'f A),
    Unary(Unary, V),
    Binary(Binary, V, V),
}

impl Unary {
    fn sign(self) -> &'static str {
        match self {
            Self::Not => "!",
            Self::Next => "X ",
            Self::Eventually => "<>",
            Self::Always => "[]",
        }
    }
}

impl Binary {
    fn sign(self) -> &'static str {
        match self {
            Self::And => "&&",
            Self::Or => "||",
            Self::Implies => "->",
            Self::Equivalent => "<->",
            Self::Until => "U",
            Self::WeakUntil => "W",
            Self::Release => "V",
        }
    }
}

/// SPIN's spelling, with parentheses around every operator that has two operands.
impl<A: fmt::Display> fmt::Display for Formula<A> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Where the left operand of a binary operator ends: one before its right operand begins.
        let mut begins = Vec::new();
        let mut left_ends = vec![0; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            match node {
                Node::Constant(_) | Node::Atom(_) => begins.push(at),
                Node::Unary(_) => {}
                Node::Binary(_) => left_ends[at] = begins.pop().map_or(0, |begin: usize| begin - 1),
            }
        }
        enum Piece {
            Node(usize),
            Text(&'static str),
        }
        let mut pieces = vec![Piece::Node(self.nodes.len() - 1)];
        while let Some(piece) = pieces.pop() {
            let at = match piece {
                Piece::Text(text) => {
                    out.write_str(text)?;
                    continue;
                }
                Piece::Node(at) => at,
            };
            match &self.nodes[at] {
                Node::Constant(value) => write!(out, "{value}")?,
                Node::Atom(atom) => write!(out, "{atom}")?,
                Node::Unary(operator) => {
                    out.write_str(operator.sign())?;
                    pieces.push(Piece::Node(at - 1));
                }
                Node::Binary(operator) => {
                    out.write_str("(")?;
                    pieces.push(Piece::Text(")"));
                    pieces.push(Piece::Node(at - 1));
                    pieces.push(Piece::Text(" "));
                    pieces.push(Piece::Text(operator.sign()));
                    pieces.push(Piece::Text(" "));
                    pieces.push(Piece::Node(left_ends[at]));
                }
            }
        }
        Ok(())
    }
}
