//! A Promela model with every name bound and every construct in its plainest form.
//!
//! This is what the rest of the tool works on. Variables, processes, typedefs, mtypes and labels are
//! numbers into the tables of a [`Program`]; nothing is looked up by name any more. What is only
//! another way of writing something is gone:
//!
//! - `x++` is `x = x + 1`, `skip` is the condition `1`, `c!m(x)` is `c!m,x`;
//! - `for` and `select` are the assignments and `do` loops (or `if`) that SPIN makes of them;
//! - a record in a send, a receive or a `run` stands for all its fields;
//! - a declaration after the first statement is the assignment it performs each time it is passed;
//! - labels of a block that `unless` guards are moved as SPIN moves them.
//!
//! What remains is one statement per transition of SPIN, in SPIN's order, plus the structures `if`,
//! `do`, `unless`, `atomic`, `d_step` and blocks.

use source::{Diagnostic, Span};

use crate::syntax::{BinaryOp, Expansion, ExpansionId, Probe, ProcessKind, UnaryOp, Visibility};

/// Number of a variable in [`Program::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

/// Number of a process in [`Program::processes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId(pub u32);

/// Number of a typedef in [`Program::records`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(pub u32);

/// Number of an mtype in [`Program::mtypes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MtypeId(pub u32);

/// Number of a label in its [`Process::labels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(pub u32);

/// A resolved model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The kinds of mtype, in order of first mention; the plain `mtype` is one of them if it is used.
    pub mtypes: Vec<Mtype>,
    /// The typedefs, in order of declaration: a record only uses records before it.
    pub records: Vec<Record>,
    /// All variables, global and local, in order of declaration.
    pub variables: Vec<Variable>,
    /// The global variables, in order of declaration.
    pub globals: Vec<VarId>,
    /// Proctypes, `init`, never claims and trace assertions, in order of declaration. Active ones get
    /// their process numbers in this order.
    pub processes: Vec<Process>,
    /// The `ltl` formulas, in order of declaration.
    pub formulas: Vec<Property>,
    /// The calls of inlines that statements refer to.
    pub expansions: Vec<Expansion>,
}

/// One kind of mtype: `mtype` itself, or `mtype:name`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mtype {
    /// The name in `mtype:name`; `None` for plain `mtype`.
    pub name: Option<String>,
    /// The constants by value: `constants[v - 1]` is the name of value `v`. SPIN numbers each
    /// declaration from its last name to its first, and goes on in the next declaration of the same
    /// kind: after `mtype = {a, b, c}; mtype = {d, e}` c is 1, b is 2, a is 3, e is 4, d is 5.
    pub constants: Vec<String>,
}

/// A typedef.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub name: String,
    pub fields: Vec<Field>,
    /// How many scalars it consists of, elements of arrays counted one by one.
    pub scalars: u64,
    /// How many levels of records it has: 1 if no field is a record.
    pub depth: u32,
    pub span: Span,
}

/// A field of a typedef.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    pub ty: Type,
    /// The number of elements if it is an array (also of length 1).
    pub length: Option<u32>,
    /// What it holds at the start; SPIN allows initialisers in typedefs.
    pub initial: Initial,
    pub span: Span,
}

/// The type of a variable or of one element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `bit`: one bit.
    Bit,
    /// `bool`: one bit, as `bit`.
    Bool,
    /// `byte`: 0 to 255.
    Byte,
    /// `pid`: as `byte`.
    Pid,
    /// `short`: 16 bits with sign.
    Short,
    /// `int`: 32 bits with sign.
    Int,
    /// `unsigned x : n`: n bits without sign, 1 to 31.
    Unsigned(u8),
    /// `mtype` or `mtype:name`: 0 to 255.
    Mtype(MtypeId),
    /// `chan`: 0, or the number of a channel.
    Chan,
    /// A typedef.
    Record(RecordId),
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    pub name: String,
    pub ty: Type,
    /// The number of elements if it is an array (also of length 1).
    pub length: Option<u32>,
    /// What it holds when it comes to life: at the start, or when its process is created.
    /// A declaration after the first statement has [`Initial::Zero`] here; its initialiser is an
    /// assignment in the body.
    pub initial: Initial,
    pub owner: Owner,
    pub visibility: Option<Visibility>,
    /// The name in its declaration.
    pub span: Span,
}

/// Whose a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A global variable.
    Global,
    /// The formal parameter of a process with this position.
    Parameter(ProcessId, u32),
    /// A local variable. It lives as long as its process, whatever block it is declared in.
    Local(ProcessId),
}

/// What a variable holds at first.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Initial {
    /// 0 in all elements.
    #[default]
    Zero,
    /// The value of an expression, in all elements. It may use variables declared before.
    Value(Expr),
    /// One value per element; the last one fills the remaining elements, as in SPIN.
    List(Vec<i32>),
    /// A new channel, or one for every element.
    Channel(ChannelInit),
}

/// `[capacity] of { fields }`
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelInit {
    /// How many messages it holds; 0 for rendezvous.
    pub capacity: u32,
    /// The types of the parts of a message; records are replaced by their fields, arrays in records
    /// by their elements, so none is a record.
    pub fields: Vec<Type>,
    /// The types as declared, with records.
    pub declared: Vec<Type>,
    pub span: Span,
}

/// A proctype, `init`, a never claim or a trace assertion.
#[derive(Clone, Debug, PartialEq)]
pub struct Process {
    pub kind: ProcessKind,
    /// The name; `:init:`, `:trace:` and `:notrace:` for these, `never_0` and so on for unnamed claims.
    pub name: String,
    /// How many instances exist at the start: 0 for a plain proctype, 1 for `init`, 0 for claims and
    /// trace assertions.
    pub active: u32,
    /// The formal parameters in order.
    pub parameters: Vec<VarId>,
    /// The local variables in order of declaration, without the parameters.
    pub locals: Vec<VarId>,
    /// The priority of instances that `active` or `init` creates; 1 unless declared.
    pub priority: u32,
    /// `provided (e)`
    pub provided: Option<Expr>,
    /// `xr` and `xs`
    pub promises: Vec<Promise>,
    pub body: Vec<Stmt>,
    /// All labels, in order of declaration.
    pub labels: Vec<Label>,
    /// SPIN's numbers for its first statement and for its end.
    pub elements: (u32, u32),
    /// The header.
    pub span: Span,
}

/// `xr channel` or `xs channel`: no other process receives from the channel, or sends to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Promise {
    /// Whether it is about receiving.
    pub receives: bool,
    pub channel: Place,
}

/// A label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub name: String,
    pub span: Span,
}

impl Label {
    /// A process that waits here is in a valid end state.
    pub fn is_end(&self) -> bool {
        self.name.starts_with("end")
    }

    /// Passing here is progress.
    pub fn is_progress(&self) -> bool {
        self.name.starts_with("progress")
    }

    /// A cycle through here is an acceptance cycle.
    pub fn is_accept(&self) -> bool {
        self.name.starts_with("accept")
    }
}

/// How far a statement is protected from interleaving.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atomicity {
    /// In neither `atomic` nor `d_step`.
    #[default]
    None,
    /// In `atomic`.
    Atomic,
    /// In `d_step`, perhaps inside `atomic`.
    DStep,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    /// Where it stands, in the body of the inline if it came from one.
    pub span: Span,
    /// As SPIN prints it: `(x==0)`, `c!1`, `x = (x+1)`; `IF`, `DO`, `ATOMIC`, `D_STEP`,
    /// `sub-sequence` and `unless` for structures. `break` where SPIN has `goto :b0`.
    pub text: String,
    /// The labels that stand on it.
    pub labels: Vec<LabelId>,
    /// What it sits in. A structure `atomic` or `d_step` itself has what is around it.
    pub atomicity: Atomicity,
    /// The call of an inline that it came from; the innermost one.
    pub expansion: Option<ExpansionId>,
    /// SPIN's number for it (see [`StmtKind::elements`]).
    pub element: u32,
}

/// What a statement does. Those before [`StmtKind::If`] are one step each.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// Passes when the expression is not 0.
    Condition(Expr),
    /// `target = value`, truncated to the type of the target.
    Assign { target: Place, value: Expr },
    /// The declaration of a record after the first statement: a step that changes nothing.
    Nothing,
    /// `channel!values`, or `!!` if sorted. Fields of the channel without a value get 0.
    Send { channel: Place, sorted: bool, values: Vec<Expr> },
    /// `channel?patterns`; `random` for `??`, `keep` for `?<...>`. Fields of the channel without a
    /// pattern are dropped.
    Receive { channel: Place, random: bool, keep: bool, patterns: Vec<Pattern> },
    /// In trace assertions, in place of sending and receiving: a message that matches was sent to the
    /// channel, or received from it. `_` matches anything, also in what is sent.
    Event { channel: Place, sent: bool, patterns: Vec<Pattern> },
    /// `printf(format, values)`; the format with its quotes and escapes as written.
    Printf { format: String, values: Vec<Expr> },
    /// `printm(value)`
    Printm(Expr),
    /// `assert(e)`
    Assert(Expr),
    /// `set_priority(process, priority)`
    SetPriority { process: Expr, priority: Expr },
    /// `else`: passes when no other choice of the same `if` or `do` can.
    Else,
    /// `goto label`, a label of the same process.
    Goto(LabelId),
    /// `break`: leaves the innermost `do` around it.
    Break,
    /// `if`: its choices in textual order, except that one beginning with `else` is last.
    If(Vec<Choice>),
    /// `do`: likewise.
    Do(Vec<Choice>),
    /// `atomic { ... }`
    Atomic(Vec<Stmt>),
    /// `d_step { ... }`
    DStep(Vec<Stmt>),
    /// `{ ... }`: means nothing but a place for labels, and grouping under `unless`. Also `atomic`
    /// inside `atomic`, and both inside `d_step`, since SPIN ignores these.
    Block(Vec<Stmt>),
    /// Each step of `main` only if the first step of `escape` cannot be taken.
    Unless { main: Vec<Stmt>, escape: Vec<Stmt> },
}

impl StmtKind {
    /// How many of SPIN's numbers a statement takes. SPIN counts what it makes of a text through the whole
    /// model, each statement when it has been read to its end; trails name steps by these numbers. The
    /// first number of a structure is its own, the next is where its parts come together again, and that of
    /// a `do` has a third for where `break` leads.
    pub fn elements(&self) -> u32 {
        match self {
            Self::Do(_) => 3,
            Self::If(_) | Self::Unless { .. } => 2,
            _ => 1,
        }
    }
}

/// One choice of an `if` or `do`.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub body: Vec<Stmt>,
    pub span: Span,
}

/// A variable or a part of one. It denotes a scalar, never a whole record or array: an array that is
/// named without an index has index 0 here, as in SPIN, and what is no array has none.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub variable: VarId,
    /// The index into the variable if it is an array.
    pub index: Option<Box<Expr>>,
    /// The fields to go into, outermost first.
    pub fields: Vec<FieldStep>,
    /// The type of what is denoted.
    pub ty: Type,
    pub span: Span,
}

/// One step into a record.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldStep {
    /// Which field of the [`Record`].
    pub field: u32,
    /// The index into the field if it is an array.
    pub index: Option<Box<Expr>>,
}

/// What stands in one place of a receive.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// Takes the value.
    Store(Place),
    /// `_`: takes anything and drops it.
    Ignore(Span),
    /// Must be equal: a number, an mtype constant, or `eval(e)`.
    Match(Expr),
}

/// An expression; all are computed in 32 bits with sign.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number; `true` and `skip` are 1, `false` is 0.
    Number(i32),
    /// An mtype constant: value `v` of the kind, named `constants[v - 1]`.
    MtypeConstant(MtypeId, i32),
    /// The value of a variable.
    Load(Place),
    /// Never a temporal operator.
    Unary { op: UnaryOp, operand: Box<Expr> },
    /// Never a temporal operator. `&&` and `||` yield 0 or 1, as comparisons do.
    Binary { op: BinaryOp, left: Box<Expr>, right: Box<Expr> },
    /// `(c -> a : b)`
    Conditional { condition: Box<Expr>, then: Box<Expr>, otherwise: Box<Expr> },
    /// `run P(...)`: creates a process and yields its number. Records are replaced by their fields,
    /// in the arguments as in [`Program::parameter_places`] of the process, and there are as many of
    /// both. Occurs only as a whole condition, or once in the value of an assignment.
    Run { process: ProcessId, arguments: Vec<Expr>, priority: Option<u32> },
    /// `len(c)`
    Len(Place),
    /// `full(c)`, `empty(c)`, `nfull(c)`, `nempty(c)`
    Probe { probe: Probe, channel: Place },
    /// `c?[...]`, or `c??[...]` if random
    Poll { channel: Place, random: bool, patterns: Vec<Pattern> },
    /// `enabled(p)`
    Enabled(Box<Expr>),
    /// `pc_value(p)`
    PcValue(Box<Expr>),
    /// `get_priority(p)`
    GetPriority(Box<Expr>),
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `_pid`
    Pid,
    /// `_last`
    Last,
    /// `_nr_pr`
    ProcessCount,
    /// `_priority`: the priority of the process itself.
    Priority,
    /// `P[pid]@label`; without `pid` the only instance of P.
    RemoteLabel { process: ProcessId, instance: Option<Box<Expr>>, label: LabelId },
    /// `P[pid]:x`; without `pid` the only instance of P.
    RemoteVariable { process: ProcessId, instance: Option<Box<Expr>>, variable: Place },
}

/// `ltl name { formula }`
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// The name; `ltl_0` and so on for unnamed ones.
    pub name: String,
    pub formula: Formula,
    /// The whole block.
    pub span: Span,
    /// What is wrong with it; then it cannot be checked, and `formula` means nothing.
    pub problems: Vec<Diagnostic>,
}

/// A temporal formula over expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// An expression without temporal operators, and not a conjunction, disjunction or negation.
    Atom(Expr),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Equivalent(Box<Formula>, Box<Formula>),
    /// `X`
    Next(Box<Formula>),
    /// `[]`
    Always(Box<Formula>),
    /// `<>`
    Eventually(Box<Formula>),
    /// `U`
    Until(Box<Formula>, Box<Formula>),
    /// `W`
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `V`
    Release(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// Whether the formula speaks of more than the first state of a trace.
    pub fn is_temporal(&self) -> bool {
        match self {
            Self::Atom(_) => false,
            Self::Not(part) => part.is_temporal(),
            Self::And(left, right)
            | Self::Or(left, right)
            | Self::Implies(left, right)
            | Self::Equivalent(left, right) => left.is_temporal() || right.is_temporal(),
            Self::Next(_)
            | Self::Always(_)
            | Self::Eventually(_)
            | Self::Until(..)
            | Self::WeakUntil(..)
            | Self::Release(..) => true,
        }
    }
}

impl Program {
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    pub fn process(&self, id: ProcessId) -> &Process {
        &self.processes[id.0 as usize]
    }

    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    pub fn mtype(&self, id: MtypeId) -> &Mtype {
        &self.mtypes[id.0 as usize]
    }
}

impl Mtype {
    /// The name of a value.
    pub fn constant(&self, value: i32) -> Option<&str> {
        let at = usize::try_from(value).ok()?.checked_sub(1)?;
        self.constants.get(at).map(String::as_str)
    }
}
