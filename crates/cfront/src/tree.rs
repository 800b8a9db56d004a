//! A C program as a typed tree: every name bound, every conversion written out, every layout known.
//!
//! Three sorts of nodes. An [`Expr`] has a value, a [`Place`] is an object or a part of one, a [`Stmt`] is
//! a step or holds steps. Reading a place is [`ExprKind::Load`], so it is always visible where memory is
//! read. Nodes lie in flat tables and refer to each other by number; a number is only good for the
//! [`Program`] it came from. Nothing in here is recursive to drop or to copy.
//!
//! For lowering to steps: [`Program::has_effects`] tells without a walk whether evaluating an expression
//! can do more than yield a value, and for every statement and branch [`Program::text`] gives what the
//! user wrote.

mod expr;
mod program;
mod show;
mod stmt;
mod types;

pub use expr::{
    Access, Arithmetic, AtomicOp, Base, BitCount, Builtin, Callee, Comparison, Expr, ExprKind, FloatTest,
    Logic, Order, Place, PlaceKind, Rmw, Unary,
};
pub use program::{Function, InitEntry, InitValue, Initializer, Object, Program, Storage, StringObject};
pub use stmt::{Case, Label, Stmt, StmtKind};
pub use types::{
    BitRange, DataModel, Enumeration, Field, Float, Int, Layout, Record, RecordKind, Signature, Type, Types,
};

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(crate) u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

numbers! {
    /// A type, in [`Types`].
    TypeId,
    /// A structure or union, in [`Types`].
    RecordId,
    /// An enumeration, in [`Types`].
    EnumId,
    /// The type of a function, in [`Types`].
    SignatureId,
    /// An expression of a [`Program`].
    ExprId,
    /// A place of a [`Program`].
    PlaceId,
    /// A statement of a [`Program`].
    StmtId,
    /// A variable, parameter or compound literal of a [`Program`].
    ObjectId,
    /// A function of a [`Program`].
    FunctionId,
    /// A string literal of a [`Program`].
    StringId,
    /// A label of a [`Program`].
    LabelId,
}
