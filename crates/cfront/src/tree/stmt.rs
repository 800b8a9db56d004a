//! Statements.

use source::Span;

use super::{ExprId, LabelId, ObjectId, StmtId};

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    /// All of it, in the preprocessed text.
    pub span: Span,
    /// What of it is one step or branch: `if (x > 0)`, `while (p)`, `x = y + 1`, without the statements it
    /// holds and without the semicolon. Of a `for`, the three clauses have spans of their own.
    pub head: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Expr(ExprId),
    Block(Box<[StmtId]>),
    /// Variables begin to exist, one after the other, each with the value of its initialiser if it has
    /// one. Only local variables are declared by a statement; the others exist from the start. One that is
    /// declared again, in the next round of a loop, is a new one.
    Declare(Box<[ObjectId]>),
    If {
        condition: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
    },
    While {
        condition: ExprId,
        body: StmtId,
    },
    /// `do body while (condition);`
    DoWhile {
        body: StmtId,
        condition: ExprId,
    },
    For {
        init: Option<StmtId>,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    },
    /// The value is promoted; where no case holds and there is no default, the body is passed over.
    Switch {
        value: ExprId,
        body: StmtId,
        cases: Box<[Case]>,
        default: Option<StmtId>,
    },
    /// A `case` or `default`, where its switch may jump to.
    Target {
        body: StmtId,
    },
    Label {
        label: LabelId,
        body: StmtId,
    },
    Goto(LabelId),
    /// Leaves the innermost loop or switch.
    Break,
    /// Goes on with the innermost loop.
    Continue,
    Return(Option<ExprId>),
}

/// The values from `low` to `high` lead to `target`, a [`StmtKind::Target`] inside the switch.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub low: i128,
    pub high: i128,
    pub target: StmtId,
}

#[derive(Clone, Debug)]
pub struct Label {
    pub name: Box<str>,
    /// The [`StmtKind::Label`].
    pub stmt: StmtId,
}
