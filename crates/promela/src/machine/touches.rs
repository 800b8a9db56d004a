//! What a statement touches besides the variables of its own process.

use rustc_hash::FxHashSet;

use crate::resolve::{Expr, ExprKind, Initial, Owner, Pattern, Place, Program, Stmt, StmtKind, VarId};

/// What is done with a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Send,
    /// `!!`: into the middle.
    SendSorted,
    Receive,
    /// Asks what is in it.
    StateParts,
}

/// What a statement, or several, touch.
#[derive(Debug, Default)]
pub(super) struct Touches<'p> {
    /// Variables that others can write or read, or what only the scheduler knows.
    pub(super) shared: bool,
    /// Looks into other processes, so that none of their steps goes unnoticed.
    pub(super) spies: bool,
    pub(super) channels: Vec<(&'p Place, Use)>,
}

/// All global variables that some statement writes.
pub(super) fn written_globals(program: &Program) -> FxHashSet<VarId> {
    let mut written = FxHashSet::default();
    let mut note = |place: &Place| {
        written.insert(place.variable);
    };
    for process in &program.processes {
        each_statement(&process.body, &mut |statement| match &statement.kind {
            StmtKind::Assign { target, .. } => note(target),
            StmtKind::Receive { patterns, .. } => {
                for pattern in patterns {
                    if let Pattern::Store(place) = pattern {
                        note(place);
                    }
                }
            }
            _ => {}
        });
    }
    written
}

/// Calls `visit` for all statements, structures before what is in them.
pub(super) fn each_statement<'p>(body: &'p [Stmt], visit: &mut impl FnMut(&'p Stmt)) {
    for statement in body {
        visit(statement);
        match &statement.kind {
            StmtKind::If(choices) | StmtKind::Do(choices) => {
                choices.iter().for_each(|choice| each_statement(&choice.body, visit));
            }
            StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => {
                each_statement(body, visit);
            }
            StmtKind::Unless { main, escape } => {
                each_statement(main, visit);
                each_statement(escape, visit);
            }
            _ => {}
        }
    }
}

/// Whether two places are surely the same in the same state of the same process.
pub(super) fn same_place(one: &Place, other: &Place) -> bool {
    let constant = |index: &Option<Box<Expr>>| match index.as_deref() {
        None => Some(None),
        Some(Expr { kind: ExprKind::Number(number), .. }) => Some(Some(*number)),
        Some(_) => None,
    };
    one.variable == other.variable
        && one.fields.is_empty()
        && other.fields.is_empty()
        && constant(&one.index).is_some_and(|index| constant(&other.index) == Some(index))
}

/// Finds what is touched.
#[derive(Debug)]
pub(super) struct Toucher<'p> {
    pub(super) program: &'p Program,
    pub(super) written: FxHashSet<VarId>,
}

impl<'p> Toucher<'p> {
    /// What a statement touches, with all that is in it.
    pub(super) fn statement(&self, statement: &'p Stmt) -> Touches<'p> {
        let mut touches = Touches::default();
        each_statement(std::slice::from_ref(statement), &mut |inner| self.add(inner, &mut touches));
        touches
    }

    /// What the first values of local variables ask for.
    pub(super) fn initial(&self, variable: VarId) -> Touches<'p> {
        let mut touches = Touches::default();
        if let Initial::Value(expr) = &self.program.variable(variable).initial {
            self.expr(expr, &mut touches);
        }
        touches
    }

    /// Whether a place means the same channel as long as the process lives.
    pub(super) fn is_fixed(&self, place: &Place) -> bool {
        same_place(place, place) && !self.written.contains(&place.variable)
    }

    fn add(&self, statement: &'p Stmt, touches: &mut Touches<'p>) {
        match &statement.kind {
            StmtKind::Condition(expr) | StmtKind::Assert(expr) | StmtKind::Printm(expr) => {
                self.expr(expr, touches);
            }
            StmtKind::Assign { target, value } => {
                self.place(target, true, touches);
                self.expr(value, touches);
            }
            StmtKind::Send { channel, sorted, values } => {
                self.place(channel, false, touches);
                touches.channels.push((channel, if *sorted { Use::SendSorted } else { Use::Send }));
                values.iter().for_each(|value| self.expr(value, touches));
            }
            StmtKind::Receive { channel, patterns, .. } => {
                self.place(channel, false, touches);
                touches.channels.push((channel, Use::Receive));
                self.patterns(patterns, touches);
            }
            StmtKind::Printf { values, .. } => values.iter().for_each(|value| self.expr(value, touches)),
            StmtKind::Event { .. } | StmtKind::SetPriority { .. } => touches.shared = true,
            StmtKind::Nothing
            | StmtKind::Else
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::If(_)
            | StmtKind::Do(_)
            | StmtKind::Atomic(_)
            | StmtKind::DStep(_)
            | StmtKind::Block(_)
            | StmtKind::Unless { .. } => {}
        }
    }

    fn patterns(&self, patterns: &'p [Pattern], touches: &mut Touches<'p>) {
        for pattern in patterns {
            match pattern {
                Pattern::Store(place) => self.place(place, true, touches),
                Pattern::Match(expr) => self.expr(expr, touches),
                Pattern::Ignore(_) => {}
            }
        }
    }

    /// A global that nobody writes is as good as a number.
    fn place(&self, place: &'p Place, writes: bool, touches: &mut Touches<'p>) {
        let is_global = self.program.variable(place.variable).owner == Owner::Global;
        touches.shared |= is_global && (writes || self.written.contains(&place.variable));
        let fields = place.fields.iter().filter_map(|step| step.index.as_deref());
        place.index.as_deref().into_iter().chain(fields).for_each(|index| self.expr(index, touches));
    }

    fn expr(&self, expr: &'p Expr, touches: &mut Touches<'p>) {
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::MtypeConstant(..) | ExprKind::Pid => {}
            ExprKind::Load(place) => self.place(place, false, touches),
            ExprKind::Unary { operand, .. } => self.expr(operand, touches),
            ExprKind::Binary { left, right, .. } => {
                self.expr(left, touches);
                self.expr(right, touches);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(|part| self.expr(part, touches));
            }
            ExprKind::Run { arguments, .. } => {
                touches.shared = true;
                arguments.iter().for_each(|argument| self.expr(argument, touches));
            }
            ExprKind::Len(channel) | ExprKind::Probe { channel, .. } => {
                self.place(channel, false, touches);
                touches.shared = true;
                touches.channels.push((channel, Use::StateParts));
            }
            ExprKind::Poll { channel, patterns, .. } => {
                self.place(channel, false, touches);
                self.patterns(patterns, touches);
                touches.shared = true;
                touches.channels.push((channel, Use::StateParts));
            }
            ExprKind::Timeout | ExprKind::ProcessCount => touches.shared = true,
            ExprKind::Enabled(_)
            | ExprKind::PcValue(_)
            | ExprKind::GetPriority(_)
            | ExprKind::NonProgress
            | ExprKind::Last
            | ExprKind::Priority
            | ExprKind::RemoteLabel { .. }
            | ExprKind::RemoteVariable { .. } => touches.spies = true,
        }
    }
}
