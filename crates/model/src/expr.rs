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
}
