//! The code of a method as operations: what the class file says, with branches as numbers of operations and one
//! operation for each family of instructions.
//!
//! It stays a stack code, as javac wrote it. Operands carry their sorts at run time, so an operation need not say
//! whether it moves an `int` or a reference.

/// A member of a class, by names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Member {
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) descriptor: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HandleKind {
    GetField,
    GetStatic,
    PutField,
    PutStatic,
    Virtual,
    Static,
    Special,
    New,
    Interface,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Handle {
    pub(crate) kind: HandleKind,
    pub(crate) member: Member,
}

/// What `ldc` loads, and what call sites are linked with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Constant {
    Int(i32),
    Float(f32),
    Long(i64),
    Double(f64),
    Text(Vec<u16>),
    Class(String),
    Handle(Handle),
    MethodType(String),
    /// A constant that a bootstrap method makes.
    Dynamic(u16, String, String),
}

/// What elements of arrays are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Ref,
}

impl Kind {
    /// Of a descriptor of a field.
    pub(crate) fn of(descriptor: &str) -> Self {
        match descriptor.as_bytes().first() {
            Some(b'Z') => Self::Boolean,
            Some(b'B') => Self::Byte,
            Some(b'C') => Self::Char,
            Some(b'S') => Self::Short,
            Some(b'I') => Self::Int,
            Some(b'J') => Self::Long,
            Some(b'F') => Self::Float,
            Some(b'D') => Self::Double,
            _ => Self::Ref,
        }
    }

    pub(crate) fn letter(self) -> char {
        match self {
            Self::Boolean => 'Z',
            Self::Byte => 'B',
            Self::Char => 'C',
            Self::Short => 'S',
            Self::Int => 'I',
            Self::Long => 'J',
            Self::Float => 'F',
            Self::Double => 'D',
            Self::Ref => 'L',
        }
    }

    pub(crate) fn is_wide(self) -> bool {
        matches!(self, Self::Long | Self::Double)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
}

impl Condition {
    pub(crate) fn holds<T: PartialOrd>(self, one: &T, two: &T) -> bool {
        match self {
            Self::Eq => one == two,
            Self::Ne => one != two,
            Self::Lt => one < two,
            Self::Ge => one >= two,
            Self::Gt => one > two,
            Self::Le => one <= two,
        }
    }
}

/// Operations on two numbers of the same sort, or a number and a distance to shift by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    Ushr,
    And,
    Or,
    Xor,
}

/// Where a number ends up that is converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Into {
    Int,
    Long,
    Float,
    Double,
    Byte,
    Char,
    Short,
}

/// What a call dispatches on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dispatch {
    Virtual,
    Special,
    Static,
}

/// An operation. Numbers of sites are those of the class file until it is linked, and those of the world after.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Op {
    Nop,
    Null,
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Constant(u32),
    Load(u16),
    Store(u16),
    Increment(u16, i16),
    ArrayLoad(Kind),
    ArrayStore(Kind),
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
    Binary(Binary),
    Negate,
    Convert(Into),
    /// Compares longs.
    CompareLong,
    /// Compares floats or doubles; what comes out where one is no number.
    CompareFloat(i32),
    If(Condition, u32),
    IfInts(Condition, u32),
    IfRefs(bool, u32),
    IfNull(bool, u32),
    Goto(u32),
    Switch(u32),
    /// Returns a value, or nothing.
    Return(bool),
    GetStatic(u32),
    PutStatic(u32),
    GetField(u32),
    PutField(u32),
    Invoke(Dispatch, u32),
    InvokeDynamic(u32),
    New(u32),
    NewArray(Kind),
    NewRefArray(u32),
    NewMultiArray(u32, u8),
    ArrayLength,
    Throw,
    CheckCast(u32),
    InstanceOf(u32),
    MonitorEnter,
    MonitorExit,
    /// Makes one string of so many values, all of which are strings or numbers, by a recipe.
    Concat(u32),
    /// Which label of a `switch` with patterns the value on the stack fits, from one on.
    TypeSwitch(u32),
}

/// What an operation refers to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mention {
    Constant(Constant),
    Class(String),
    Member(Member),
    /// A call site: its bootstrap, its name and its descriptor.
    Dynamic(u16, String, String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Switch {
    pub(crate) default: u32,
    /// Sorted by the value.
    pub(crate) cases: Vec<(i32, u32)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Handler {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) at: u32,
    /// The class that is caught; all if there is none.
    pub(crate) class: Option<String>,
}

/// A variable of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) slot: u16,
    pub(crate) name: String,
    pub(crate) descriptor: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Code {
    pub(crate) max_locals: u16,
    pub(crate) max_stack: u16,
    pub(crate) ops: Vec<Op>,
    pub(crate) mentions: Vec<Mention>,
    pub(crate) switches: Vec<Switch>,
    pub(crate) handlers: Vec<Handler>,
    /// The first operation of each line, in ascending order of operations.
    pub(crate) lines: Vec<(u32, u16)>,
    pub(crate) variables: Vec<Variable>,
}

impl Code {
    /// The line of an operation; 0 if the class file does not say.
    pub(crate) fn line(&self, op: u32) -> u16 {
        let after = self.lines.partition_point(|(first, _)| *first <= op);
        after.checked_sub(1).map_or(0, |at| self.lines[at].1)
    }
}
