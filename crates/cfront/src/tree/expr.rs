//! Expressions and places.
//!
//! Conditions, of statements and of `&&`, `||`, `!` and `?:`, are expressions of any scalar type and hold
//! if they are not zero; where C compares with zero, there is no node for it. Everywhere else operands have
//! the type the operation needs, and every conversion is an [`ExprKind::Convert`].
//!
//! Order of evaluation, where C fixes one: the left side of `&&`, `||`, `,` and the condition of `?:`
//! first; all operands of a call before the call; the operands of an assignment before the store. The rest
//! is unspecified in C; whoever lowers this tree decides.

use source::Span;

use super::{ExprId, FunctionId, ObjectId, PlaceId, StmtId, StringId, TypeId};

/// Something with a value. Of type `void`, something done for its effects.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TypeId,
    /// Into the preprocessed text.
    pub span: Span,
    pub(crate) effects: bool,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer, or of pointer type an address written as a number; 0 is the null pointer.
    Int(i128),
    Float(f64),
    /// The address of a function.
    Function(FunctionId),
    /// The address of something that exists before the program runs.
    Address {
        base: Base,
        offset: i64,
    },
    /// `&place`.
    AddressOf(PlaceId),
    /// An array as the pointer to its first element.
    Decay(PlaceId),
    /// The value of a place; of a record, all of it.
    Load {
        place: PlaceId,
        access: Access,
    },
    Unary {
        op: Unary,
        operand: ExprId,
    },
    /// Both operands have the type of the result, except that a shift distance has its own.
    Binary {
        op: Arithmetic,
        left: ExprId,
        right: ExprId,
    },
    /// Operands of one type, or two pointers; the result is an `int`, 0 or 1.
    Compare {
        op: Comparison,
        left: ExprId,
        right: ExprId,
    },
    /// A pointer moved by `index` elements, or back by them.
    PointerAdd {
        pointer: ExprId,
        index: ExprId,
        back: bool,
    },
    /// How many elements lie between two pointers.
    PointerDifference {
        left: ExprId,
        right: ExprId,
    },
    /// The operand's value in the node's type. To `bool`: whether it is not zero. To `void`: nothing.
    Convert {
        operand: ExprId,
        explicit: bool,
    },
    /// `&&` and `||`, whose right side may not be evaluated; an `int`, 0 or 1.
    Logical {
        op: Logic,
        left: ExprId,
        right: ExprId,
    },
    Conditional {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    /// GNU's `value ?: otherwise`: the value if it is not zero, converted to the node's type.
    OrElse {
        value: ExprId,
        otherwise: ExprId,
    },
    Comma {
        first: ExprId,
        second: ExprId,
    },
    /// The value is what the place holds afterwards.
    Assign {
        place: PlaceId,
        value: ExprId,
        access: Access,
    },
    /// `place op= right`: the place's value is converted to `computed_in`, the operation done there, and
    /// the result converted back. For pointers `right` is a number of elements.
    Compound {
        place: PlaceId,
        op: Arithmetic,
        right: ExprId,
        computed_in: TypeId,
        access: Access,
    },
    /// `++` and `--`: adds or subtracts 1 (for pointers, one element) as [`ExprKind::Compound`] does; the
    /// value is the new one if `prefix`, else the old one.
    Increment {
        place: PlaceId,
        down: bool,
        prefix: bool,
        computed_in: TypeId,
        access: Access,
    },
    /// Arguments have the types of the parameters, or are promoted where there is no prototype.
    Call {
        callee: Callee,
        arguments: Box<[ExprId]>,
    },
    /// What gcc has as `__builtin_...` without a function behind it.
    Builtin {
        which: Builtin,
        arguments: Box<[ExprId]>,
    },
    /// GNU's `({ ... })`: a block, and the expression that is last in it and still belongs to it.
    Statement {
        body: StmtId,
        value: Option<ExprId>,
    },
}

/// What the address of an object that exists before the program runs is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    Object(ObjectId),
    Function(FunctionId),
    String(StringId),
}

/// How memory is read or written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    #[default]
    Plain,
    Volatile,
    /// C11's `_Atomic`: the whole expression node happens at once.
    Atomic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Negate,
    Complement,
    /// `!`: an `int`, 0 or 1.
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    And,
    Or,
}

#[derive(Clone, Copy, Debug)]
pub enum Callee {
    Direct(FunctionId),
    /// A pointer to a function.
    Pointer(ExprId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// The magnitude of an integer.
    Abs,
    /// The bytes in the other order.
    ByteSwap,
    CountBits(BitCount),
    /// Exact arithmetic of the first two arguments; whether the result does not fit what the third points
    /// to, or, unless `stores`, what type the third has. Computed exactly in `at`.
    Overflow {
        op: Arithmetic,
        at: TypeId,
        stores: bool,
    },
    FloatTest(FloatTest),
    FloatAbs,
    CopySign,
    /// Memory that lives as long as the call of the function it stands in.
    Alloca,
    /// Control does not get here, the program says.
    Unreachable,
    /// Stops the program.
    Trap,
    /// The first argument is an address, except of fences, which have none.
    Atomic {
        op: AtomicOp,
        order: Order,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitCount {
    LeadingZeros,
    TrailingZeros,
    Ones,
    Parity,
    /// One more than the number of the lowest set bit, or 0.
    FirstSet,
    /// Bits below the sign that equal it.
    RedundantSign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatTest {
    NotANumber,
    Infinite,
    /// -1 for minus infinity.
    InfiniteSign,
    Finite,
    Normal,
    SignBit,
    Unordered,
    LessOrGreater,
}

/// Atomic operations, with their arguments after the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOp {
    Load,
    /// Where to put the value.
    LoadInto,
    /// The value.
    Store,
    Fence,
    SignalFence,
    /// Where the expected value is, and is put if it was not met; the new value. Whether it was met.
    CompareExchange,
    /// The expected value and the new one. Whether it was met.
    SwapBool,
    /// The expected value and the new one. What was there.
    SwapValue,
    /// The new value. What was there.
    Exchange,
    /// The new value; where to put what was there.
    ExchangeInto,
    /// The value to store, in a byte. Whether what was there was not zero.
    TestAndSet,
    /// The operand. What was there.
    Fetch(Rmw),
    /// The operand. What is there now.
    Update(Rmw),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rmw {
    Add,
    Subtract,
    And,
    Nand,
    Or,
    Xor,
}

/// How an atomic operation is ordered with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
    Sequential,
}

/// An object or a part of one.
#[derive(Clone, Debug)]
pub struct Place {
    pub kind: PlaceKind,
    pub ty: TypeId,
    /// Into the preprocessed text.
    pub span: Span,
    pub(crate) effects: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum PlaceKind {
    Variable(ObjectId),
    String(StringId),
    /// What a pointer points to.
    Deref(ExprId),
    /// An element of an array that is a place itself.
    Index {
        array: PlaceId,
        index: ExprId,
    },
    /// `pointer[index]`, where the pointer is not an array just decayed.
    Element {
        pointer: ExprId,
        index: ExprId,
    },
    /// A field by its number in the record.
    Member {
        record: PlaceId,
        field: u32,
    },
    /// A record or array that is a value, such as the result of a call, for as long as it is looked at.
    Temporary(ExprId),
    /// `(T){ ... }`: the object is initialised anew each time this is evaluated.
    CompoundLiteral(ObjectId),
}

impl Builtin {
    /// Whether it does more than compute a value.
    pub fn has_effects(self) -> bool {
        match self {
            Builtin::Abs
            | Builtin::ByteSwap
            | Builtin::CountBits(_)
            | Builtin::FloatTest(_)
            | Builtin::FloatAbs
            | Builtin::CopySign => false,
            Builtin::Overflow { stores, .. } => stores,
            Builtin::Alloca | Builtin::Unreachable | Builtin::Trap => true,
            Builtin::Atomic { op, .. } => op != AtomicOp::Load,
        }
    }
}
