//! The tree of a Promela text as it was written, before any name is looked up.
//!
//! Inlines do not occur here: SPIN substitutes them as text, so the parser has done that already and a
//! call is a [`StmtKind::Block`] whose statements remember the [`Expansion`] they came from. Everything
//! else stands as the user wrote it; `x++` is still an increment and `for` still a loop.
//!
//! Spans are where a construct stands. Inside an inline that is the place in the inline's body, and a
//! name that came in through a parameter has the span of the argument in the call.

use source::{Diagnostic, Span};

/// A whole Promela text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// The units in textual order.
    pub units: Vec<Unit>,
    /// All calls of inlines, in the order in which they were expanded.
    pub expansions: Vec<Expansion>,
}

/// Number of an [`Expansion`] in [`Module::expansions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExpansionId(pub u32);

/// One call of an inline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The name of the inline.
    pub name: String,
    /// The call, from the name to the closing parenthesis.
    pub call: Span,
    /// The call in whose body this call stands, if any.
    pub parent: Option<ExpansionId>,
}

/// A name where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    pub name: String,
    pub span: Span,
}

/// Something that stands at the outermost level of a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Unit {
    /// `proctype`, `init`, `never`, `trace` or `notrace`: anything with a body.
    Process(Process),
    /// `ltl name { formula }`
    Ltl(Ltl),
    /// `typedef name { fields }`
    Typedef(Typedef),
    /// `mtype = { names }` or `mtype:kind = { names }`
    Mtype(MtypeDecl),
    /// A declaration of global variables.
    Declaration(Declaration),
}

/// `proctype`, `init`, `never`, `trace` or `notrace`.
#[derive(Clone, Debug, PartialEq)]
pub struct Process {
    pub kind: ProcessKind,
    /// The name as written; `None` for `init`, `trace`, `notrace` and an unnamed `never`.
    pub name: Option<Ident>,
    /// `active` or `active [n]`: how many instances exist at the start.
    pub active: Option<Active>,
    /// The formal parameters; declarations may be separated by `;` or `,`.
    pub parameters: Vec<Declaration>,
    /// `priority n`
    pub priority: Option<Spanned<i32>>,
    /// `provided (e)`: no step of the process unless `e` holds.
    pub provided: Option<Expr>,
    pub body: Sequence,
    /// The header, from the first keyword to the last token before the body.
    pub span: Span,
}

/// What kind of thing has a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProcessKind {
    /// `proctype name (...)`
    Proctype,
    /// `D_proctype name (...)`: a proctype the user declares to be deterministic.
    DProctype,
    /// `init`
    Init,
    /// `never`
    Never,
    /// `trace`
    Trace,
    /// `notrace`
    NoTrace,
}

/// `active` before a proctype.
#[derive(Clone, Debug, PartialEq)]
pub enum Active {
    /// `active`: one instance.
    One,
    /// `active [n]`, `n` a constant or an initialised variable.
    Many(Expr),
}

/// A value with the place where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    pub value: T,
    pub span: Span,
}

/// `ltl name { formula }`. The temporal operators are [`UnaryOp`]s and [`BinaryOp`]s, as in SPIN's
/// grammar; they occur nowhere else.
#[derive(Clone, Debug, PartialEq)]
pub struct Ltl {
    pub name: Option<Ident>,
    /// The formula, or the errors in it: whoever asks for another property can do without this one.
    pub formula: Result<Expr, Vec<Diagnostic>>,
    pub span: Span,
}

/// `typedef name { fields }`
#[derive(Clone, Debug, PartialEq)]
pub struct Typedef {
    pub name: Ident,
    pub fields: Vec<Declaration>,
    pub span: Span,
}

/// `mtype = { names }` or `mtype:kind = { names }`
#[derive(Clone, Debug, PartialEq)]
pub struct MtypeDecl {
    /// The `kind` of `mtype:kind`.
    pub kind: Option<Ident>,
    /// The names in textual order. SPIN numbers them from the last to the first.
    pub names: Vec<Ident>,
    pub span: Span,
}

/// `hidden`, `show` or `local` before a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// `hidden`: no part of the state.
    Hidden,
    /// `show`: traced in charts.
    Show,
    /// `local`: a promise that only one process uses this global variable.
    Local,
}

/// The type in a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeName {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Unsigned,
    Chan,
    /// `mtype` or `mtype:kind`
    Mtype(Option<Ident>),
    /// The name of a typedef.
    Record(Ident),
}

/// `byte x = 1, y[3]`: one type and the variables declared with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    pub visibility: Option<Visibility>,
    pub ty: Spanned<TypeName>,
    pub variables: Vec<Declarator>,
    pub span: Span,
}

/// One variable of a [`Declaration`].
#[derive(Clone, Debug, PartialEq)]
pub struct Declarator {
    pub name: Ident,
    /// The `n` of `unsigned x : n`.
    pub width: Option<Spanned<i32>>,
    /// The `n` of `x[n]`.
    pub length: Option<Expr>,
    pub initial: Option<Initialiser>,
    pub span: Span,
}

/// What stands after `=` in a declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum Initialiser {
    /// `= e`
    Value(Expr),
    /// `= { 1, 2, 3 }`
    List(Vec<Expr>, Span),
    /// `= [n] of { types }`
    Channel(ChannelType),
}

/// `[n] of { types }`
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelType {
    pub capacity: Expr,
    pub fields: Vec<Spanned<TypeName>>,
    pub span: Span,
}

/// Statements and declarations in a row.
pub type Sequence = Vec<Stmt>;

/// A statement, or a declaration among statements.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// The labels before it, outermost first.
    pub labels: Vec<Ident>,
    pub kind: StmtKind,
    /// The statement without its labels.
    pub span: Span,
    /// The call of an inline this statement came from.
    pub expansion: Option<ExpansionId>,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// A declaration of local variables.
    Declaration(Declaration),
    /// `xr c, d` or `xs c, d`: only this process receives from (sends to) these channels.
    Exclusive { receive: bool, channels: Vec<VarRef> },
    /// An expression as a statement, executable when it is not 0. `skip` is the number 1.
    Condition(Expr),
    /// `x = e`
    Assign { target: VarRef, value: Expr },
    /// `x++`
    Increment(VarRef),
    /// `x--`
    Decrement(VarRef),
    /// `c!e, f` or, sorted, `c!!e, f`; `c!e(f)` is the same.
    Send { channel: VarRef, sorted: bool, values: Vec<Expr> },
    /// `c?x`; `random` for `??`, `keep` for `?<x>`, which leaves the message in the channel.
    Receive { channel: VarRef, random: bool, keep: bool, patterns: Vec<Pattern> },
    /// `printf("...", e, f)`; the format with its quotes and escapes as written.
    Printf { format: String, values: Vec<Expr> },
    /// `printm(e)`: an mtype value by its name.
    Printm(Expr),
    /// `assert(e)`
    Assert(Expr),
    /// `set_priority(p, n)`
    SetPriority { process: Expr, priority: Expr },
    /// `else`
    Else,
    /// `break`
    Break,
    /// `goto label`
    Goto(Ident),
    /// `if :: ... fi`
    If(Vec<Choice>),
    /// `do :: ... od`
    Do(Vec<Choice>),
    /// `atomic { ... }`
    Atomic(Sequence),
    /// `d_step { ... }`
    DStep(Sequence),
    /// `{ ... }`, or the body of an inline where it was called.
    Block(Sequence),
    /// `main unless escape`
    Unless { main: Box<Stmt>, escape: Box<Stmt> },
    /// `for (i : from .. to) { body }`
    ForRange { index: VarRef, from: Expr, to: Expr, body: Sequence },
    /// `for (x in array) { body }` or `for (message in channel) { body }`
    ForIn { index: VarRef, container: VarRef, body: Sequence },
    /// `select (x : from .. to)`. `literal` if SPIN's lexical analysis writes it out, which happens
    /// for a plain name and plain numbers outside inlines: then it is an `if` over the values.
    Select { target: VarRef, from: Expr, to: Expr, literal: bool },
}

/// One `:: ...` of an `if` or `do`.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub body: Sequence,
    /// From `::` to the end of its last statement.
    pub span: Span,
}

/// A variable, or part of one: `x`, `x[i]`, `x[i].f.g[j]`.
#[derive(Clone, Debug, PartialEq)]
pub struct VarRef {
    /// The variable and then the fields; never empty.
    pub parts: Vec<Part>,
    pub span: Span,
}

/// A name and perhaps an index: one step of a [`VarRef`].
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub name: Ident,
    pub index: Option<Expr>,
}

/// What stands in one place of a receive.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// A variable that takes the value, `_` that drops it, or an mtype constant that must match:
    /// which one, only the declarations tell.
    Name(VarRef),
    /// `eval(e)`: matches the value of `e`.
    Eval(Expr),
    /// A number, perhaps negative: matches itself.
    Number(Spanned<i32>),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number or a character, `true`, `false` or `skip`.
    Number(i32),
    /// A variable or an mtype constant.
    Name(VarRef),
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `(c -> a : b)`
    Conditional {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// `run P(e, f) priority n`
    Run {
        proctype: Ident,
        arguments: Vec<Expr>,
        priority: Option<Spanned<i32>>,
    },
    /// `len(c)`
    Len(VarRef),
    /// `full(c)`, `empty(c)`, `nfull(c)`, `nempty(c)`
    Probe {
        probe: Probe,
        channel: VarRef,
    },
    /// `c?[x, y]` or, with `random`, `c??[x, y]`: could this receive happen now?
    Poll {
        channel: VarRef,
        random: bool,
        patterns: Vec<Pattern>,
    },
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
    /// `P[pid]@label` or `P@label`
    RemoteLabel {
        proctype: Ident,
        process: Option<Box<Expr>>,
        label: Ident,
    },
    /// `P[pid]:x` or `P:x`, perhaps with an index
    RemoteVariable {
        proctype: Ident,
        process: Option<Box<Expr>>,
        variable: Box<Part>,
    },
}

/// The probes of a channel that SPIN allows to be combined, but not negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Probe {
    Full,
    Empty,
    NotFull,
    NotEmpty,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Minus,
    /// `~`
    Complement,
    /// `[]`, `always`; in formulas only
    Always,
    /// `<>`, `eventually`; in formulas only
    Eventually,
    /// `X`, `next`; in formulas only
    Next,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    BitAnd,
    BitXor,
    BitOr,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
    /// `->`, `implies`; in formulas only
    Implies,
    /// `<->`, `equivalent`; in formulas only
    Equivalent,
    /// `U`, `until`, `stronguntil`; in formulas only
    Until,
    /// `W`, `weakuntil`; in formulas only
    WeakUntil,
    /// `V`, `release`; in formulas only
    Release,
}

impl UnaryOp {
    /// Occurs in formulas only.
    pub fn is_temporal(self) -> bool {
        matches!(self, UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next)
    }
}

impl BinaryOp {
    /// Occurs in formulas only.
    pub fn is_temporal(self) -> bool {
        matches!(
            self,
            BinaryOp::Implies
                | BinaryOp::Equivalent
                | BinaryOp::Until
                | BinaryOp::WeakUntil
                | BinaryOp::Release
        )
    }
}
