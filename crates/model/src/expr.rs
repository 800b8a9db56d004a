//! Expressions and the places they read.

use crate::{Primitive, Scalar};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    Negate,
    /// 1 for 0, else 0.
    Not,
    Complement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    /// Rounds towards zero.
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    /// Keeps the sign.
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Binary {
    const ALL: [Self; 16] = [
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide,
        Self::Remainder,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::ShiftLeft,
        Self::ShiftRight,
        Self::Equal,
        Self::NotEqual,
        Self::Less,
        Self::LessEqual,
        Self::Greater,
        Self::GreaterEqual,
    ];

    /// The operator that C and Promela write like this.
    pub fn of_sign(sign: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operator| operator.sign() == sign)
    }

    /// Whether the result says if something is true.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            Self::Equal | Self::NotEqual | Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual
        )
    }

    /// As C and Promela write it.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        }
    }
}

/// Where a place starts.
#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    Global,
    /// The frame of whoever executes.
    Local,
    /// The frame of another process, found by the host from a value.
    Of(Box<Expr>),
}

/// One index into an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    pub value: Expr,
    /// Bytes from one element to the next.
    pub stride: u32,
    pub length: u32,
}

/// A variable, an element of an array, a field of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub base: Base,
    pub offset: u32,
    pub indices: Vec<Index>,
    pub scalar: Scalar,
}

impl Place {
    pub fn global(offset: u32, scalar: Scalar) -> Self {
        Self { base: Base::Global, offset, indices: Vec::new(), scalar }
    }

    pub fn local(offset: u32, scalar: Scalar) -> Self {
        Self { base: Base::Local, offset, indices: Vec::new(), scalar }
    }

    /// The expressions that say where it lies.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        let process = match &self.base {
            Base::Of(process) => Some(&**process),
            Base::Global | Base::Local => None,
        };
        process.into_iter().chain(self.indices.iter().map(|index| &index.value))
    }

    /// From where to where in its frame the elements lie that it may be, each of that many bytes.
    pub fn extent(&self, bytes: u32) -> (u32, u32) {
        let last = |index: &Index| index.stride.saturating_mul(index.length.saturating_sub(1));
        let first_end = self.offset.saturating_add(bytes);
        (self.offset, self.indices.iter().map(last).fold(first_end, u32::saturating_add))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Constant(i64),
    Load(Place),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// 1 if both are not 0; the second is not looked at if the first is 0.
    AndAlso(Box<Expr>, Box<Expr>),
    /// 1 if either is not 0; the second is not looked at if the first is not 0.
    OrElse(Box<Expr>, Box<Expr>),
    /// The second if the first is not 0, else the third.
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Wraps the value to a width: where the source language computes in fewer than 64 bits.
    Wrap(Scalar, Box<Expr>),
    /// A question only the front-end's scheduler can answer, such as how many processes there are.
    Ask(u32, Vec<Expr>),
    /// What lies where a pointer points to.
    Deref(Scalar, Box<Expr>),
    /// A function of one or two values.
    Apply(Primitive, Vec<Expr>),
}

impl Expr {
    pub fn binary(operator: Binary, left: Expr, right: Expr) -> Self {
        Self::Binary(operator, Box::new(left), Box::new(right))
    }

    pub fn negation(inner: Expr) -> Self {
        Self::Unary(Unary::Not, Box::new(inner))
    }

    /// Whether it is a constant other than 0.
    pub fn is_true(&self) -> bool {
        matches!(self, Self::Constant(value) if *value != 0)
    }

    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Self::Constant(_) => Vec::new(),
            Self::Load(place) => place.operands().collect(),
            Self::Unary(_, one) | Self::Wrap(_, one) | Self::Deref(_, one) => vec![one],
            Self::Binary(_, one, other) | Self::AndAlso(one, other) | Self::OrElse(one, other) => {
                vec![one, other]
            }
            Self::Choose(one, two, three) => vec![one, two, three],
            Self::Ask(_, arguments) | Self::Apply(_, arguments) => arguments.iter().collect(),
        }
    }

    /// Calls on every part of the expression, itself first.
    pub fn for_each_part<'e>(&'e self, visit: &mut impl FnMut(&'e Expr)) {
        visit(self);
        for operand in self.operands() {
            operand.for_each_part(visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(value: Expr) -> Place {
        Place { indices: vec![Index { value, stride: 4, length: 3 }], ..Place::local(8, Scalar::I32) }
    }

    #[test]
    fn an_element_may_be_any_of_its_array() {
        assert_eq!(Place::local(8, Scalar::I32).extent(4), (8, 12));
        assert_eq!(element(Expr::Constant(1)).extent(4), (8, 20));
    }

    #[test]
    fn parts_are_found_in_indices_and_in_bases() {
        let index = Expr::Load(Place::global(0, Scalar::I32));
        let base = Base::Of(Box::new(Expr::Constant(7)));
        let sum = Expr::binary(
            Binary::Add,
            Expr::Load(Place { base, ..element(index.clone()) }),
            Expr::Constant(2),
        );
        let mut parts = Vec::new();
        sum.for_each_part(&mut |part| parts.push(part));
        assert_eq!(parts.len(), 5);
        assert_eq!(parts[2..], [&Expr::Constant(7), &index, &Expr::Constant(2)]);
    }
}
