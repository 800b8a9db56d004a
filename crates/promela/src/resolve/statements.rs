//! Statements.
//!
//! A statement of the text may become several of the program, the first of which stand before anything
//! that encloses it: a loop over a range starts with an assignment that is not part of the loop. So
//! statements are appended to a list, and what is labelled or guarded by `unless` is the last one.

use source::Span;

use super::declarations::Site;
use super::processes::skip_before;
use super::{
    Atomicity, Choice, Expr, ExprKind, FieldStep, Owner, Place, Promise, Resolver, Stmt, StmtKind, Type,
    VarId, Variable,
};
use crate::syntax::{self, Declaration, ExpansionId, Part, ProcessKind, VarRef};

impl<'m> Resolver<'m> {
    pub(super) fn sequence(&mut self, statements: &'m [syntax::Stmt]) -> Vec<Stmt> {
        let mut resolved = Vec::with_capacity(statements.len());
        for statement in statements {
            self.statement(statement, &mut resolved);
        }
        resolved
    }

    /// `{ ... }`
    pub(super) fn block(&mut self, statements: &'m [syntax::Stmt]) -> Vec<Stmt> {
        let local = self.here();
        local.at_start = false;
        local.open_scope();
        let resolved = self.sequence(statements);
        self.here().close_scope();
        resolved
    }

    /// A finished statement.
    pub(super) fn made(&mut self, kind: StmtKind, span: Span, expansion: Option<ExpansionId>) -> Stmt {
        let (process, atomicity) = (self.here().process, self.here().atomicity);
        let text = self.program.statement_text(process, &kind);
        let element = self.numbered(kind.elements());
        Stmt { kind, span, text, labels: Vec::new(), atomicity, expansion, element }
    }

    /// The next numbers of SPIN for what stands in the text: the first of them.
    pub(super) fn numbered(&mut self, count: u32) -> u32 {
        let first = self.elements;
        self.elements = first.saturating_add(count);
        first
    }

    /// Appends what a statement means, with its labels on the last part.
    fn statement(&mut self, statement: &'m syntax::Stmt, into: &mut Vec<Stmt>) {
        let labels = self.take_labels(&statement.labels);
        match &statement.kind {
            syntax::StmtKind::Declaration(declaration) => {
                self.local_declaration(declaration, statement, into);
                return;
            }
            syntax::StmtKind::Exclusive { receive, channels } => {
                self.exclusive(*receive, channels);
                return;
            }
            _ => {}
        }
        self.check_event(statement);
        self.here().at_start = false;
        let before = into.len();
        let Some(kind) = self.statement_kind(statement, into) else { return };
        let mut made = self.made(kind, statement.span, statement.expansion);
        if let (syntax::StmtKind::Assign { .. }, StmtKind::SetPriority { priority, .. }) =
            (&statement.kind, &made.kind)
        {
            made.text = format!("_priority = {}", self.program.expression_text(priority));
        }
        // A range that SPIN's lexical analysis writes out begins with an assignment, which is labelled.
        let literal = matches!(statement.kind, syntax::StmtKind::Select { literal: true, .. });
        match into.get_mut(before).filter(|_| literal) {
            Some(first) => first.labels = labels,
            None => made.labels.splice(0..0, labels).for_each(drop),
        }
        if matches!(made.kind, StmtKind::Goto(_) | StmtKind::Break) && self.has_special_label(&made) {
            let element = self.numbered(1);
            // SPIN leaves the other labels where they are: a jump to them passes the `skip` by.
            let skip = skip_before(&mut made, 1, element);
            into.push(skip);
        }
        into.push(made);
    }

    /// A label that means something to the checker: a jump is no step, so SPIN puts a `skip` there.
    fn has_special_label(&mut self, statement: &Stmt) -> bool {
        let process = self.here().process;
        let labels = &self.program.process(process).labels;
        statement
            .labels
            .iter()
            .filter_map(|label| labels.get(label.0 as usize))
            .any(|label| label.is_end() || label.is_accept() || label.is_progress())
    }

    fn statement_kind(&mut self, statement: &'m syntax::Stmt, into: &mut Vec<Stmt>) -> Option<StmtKind> {
        use syntax::StmtKind as From;
        Some(match &statement.kind {
            From::Declaration(_) | From::Exclusive { .. } => return None,
            From::Condition(expr) => {
                let runs = u32::from(matches!(expr.kind, syntax::ExprKind::Run { .. }));
                StmtKind::Condition(self.expr_with_runs(expr, runs))
            }
            From::Assign { target, value } => return self.assign(target, value),
            From::Increment(target) => return self.step_by_one(target, syntax::BinaryOp::Add),
            From::Decrement(target) => return self.step_by_one(target, syntax::BinaryOp::Subtract),
            From::Send { channel, sorted, values } => {
                self.no_io_in_claim(statement.span);
                return self.send(channel, *sorted, values, statement.span);
            }
            From::Receive { channel, random, keep, patterns } => {
                self.no_io_in_claim(statement.span);
                return self.receive(channel, *random, *keep, patterns, statement.span);
            }
            From::Printf { format, values } => {
                StmtKind::Printf { format: format.clone(), values: self.printed(values) }
            }
            From::Printm(value) => StmtKind::Printm(self.expr(value)),
            From::Assert(condition) => StmtKind::Assert(self.expr(condition)),
            From::SetPriority { process, priority } => {
                StmtKind::SetPriority { process: self.expr(process), priority: self.expr(priority) }
            }
            From::Else => StmtKind::Else,
            From::Break => {
                self.check_break(statement.span);
                StmtKind::Break
            }
            From::Goto(_) => StmtKind::Goto(self.jump_target()?),
            From::If(choices) => StmtKind::If(self.choices(choices)),
            From::Do(choices) => {
                self.here().loops += 1;
                let choices = self.choices(choices);
                self.here().loops -= 1;
                StmtKind::Do(choices)
            }
            From::Atomic(body) => self.protected(Atomicity::Atomic, body),
            From::DStep(body) => self.protected(Atomicity::DStep, body),
            From::Block(body) => StmtKind::Block(self.block(body)),
            From::Unless { main, escape } => return self.unless(main, escape, into),
            From::ForRange { index, from, to, body } => {
                return self.for_range(statement, index, from, to, body, into);
            }
            From::ForIn { index, container, body } => {
                return self.for_in(statement, index, container, body, into);
            }
            From::Select { target, from, to, literal } => {
                return self.select(statement, target, from, to, *literal, into);
            }
        })
    }

    fn printed(&mut self, values: &'m [syntax::Expr]) -> Vec<Expr> {
        values.iter().map(|value| self.expr(value)).collect()
    }

    /// `atomic` or `d_step`; inside of each other they may mean nothing.
    fn protected(&mut self, wanted: Atomicity, body: &'m [syntax::Stmt]) -> StmtKind {
        let outer = self.here().atomicity;
        let outside = self.here().loops_outside_d_step;
        if wanted <= outer {
            return StmtKind::Block(self.block(body));
        }
        let local = self.here();
        local.atomicity = wanted;
        if wanted == Atomicity::DStep {
            local.loops_outside_d_step = local.loops;
        }
        let body = self.block(body);
        let local = self.here();
        local.atomicity = outer;
        local.loops_outside_d_step = outside;
        if wanted == Atomicity::DStep { StmtKind::DStep(body) } else { StmtKind::Atomic(body) }
    }

    fn check_break(&mut self, span: Span) {
        let local = self.here();
        if local.loops == 0 {
            self.error_help(
                span,
                "there is no loop to break from",
                "`break` leaves the innermost `do` or `for`",
            );
        } else if local.loops == local.loops_outside_d_step {
            self.error_help(
                span,
                "this jump leaves a d_step",
                "a d_step must be left at its end; use atomic",
            );
        }
    }

    /// The choices of an `if` or `do`, `else` last.
    fn choices(&mut self, choices: &'m [syntax::Choice]) -> Vec<Choice> {
        let mut resolved = Vec::with_capacity(choices.len());
        let mut otherwise = None;
        let mut communicates = false;
        for choice in choices {
            self.here().at_start = false;
            let mut body = self.sequence(&choice.body);
            self.drop_repeated_skips(&mut body);
            let first = body.first();
            let is_else = first.is_some_and(|first| matches!(first.kind, StmtKind::Else));
            communicates |= first.is_some_and(communicates_first);
            let made = Choice { body, span: choice.span };
            if !is_else {
                resolved.push(made);
            } else if otherwise.replace(made).is_some() {
                self.error(choice.span, "there are two choices with `else`");
            }
        }
        if let Some(otherwise) = otherwise {
            if communicates {
                self.dubious_else(otherwise.span);
            }
            resolved.push(otherwise);
        }
        resolved
    }

    fn dubious_else(&mut self, span: Span) {
        let message = "`else` beside sending or receiving";
        let help = "whether `else` can be taken then depends on the state of a channel";
        if self.exclusive {
            self.error_help(span, format!("{message} cannot be combined with `xr` or `xs`"), help);
        } else {
            self.warning_help(span, format!("{message} is dubious"), help);
        }
    }

    /// SPIN takes out what does nothing, if it stands between other statements of a choice: a `skip`
    /// after another one or after something printed. This is seen in the number of states.
    fn drop_repeated_skips(&mut self, body: &mut Vec<Stmt>) {
        if self.here().kind == ProcessKind::Never {
            return;
        }
        let last = body.len().saturating_sub(1);
        let mut at = 0;
        let mut row = 0;
        body.retain(|statement| {
            let is_skip =
                matches!(&statement.kind, StmtKind::Condition(Expr { kind: ExprKind::Number(1), .. }));
            let prints = matches!(statement.kind, StmtKind::Printf { .. } | StmtKind::Printm(_));
            row = if (is_skip || prints) && statement.labels.is_empty() { row + 1 } else { 0 };
            let drop = row > 1 && is_skip && at != last;
            at += 1;
            !drop
        });
    }

    /// `main unless escape`
    fn unless(
        &mut self,
        main: &'m syntax::Stmt,
        escape: &'m syntax::Stmt,
        into: &mut Vec<Stmt>,
    ) -> Option<StmtKind> {
        let in_d_step = self.here().atomicity == Atomicity::DStep;
        self.statement(main, into);
        let mut main_stmt = into.pop()?;
        // SPIN takes both up again from what they were read as, the escape first. Plain blocks lose their
        // own number in this.
        self.elements = main_stmt.element;
        self.statement(escape, into);
        let escape_stmt = into.pop()?;
        if is_plain_block(&escape_stmt) {
            self.elements = escape_stmt.element;
        }
        let is_block =
            matches!(main_stmt.kind, StmtKind::Atomic(_) | StmtKind::DStep(_) | StmtKind::Block(_));
        let is_lifted = is_block && !main_stmt.labels.is_empty();
        if !is_lifted && !is_plain_block(&main_stmt) {
            main_stmt.element = self.numbered(main_stmt.kind.elements());
        }
        if in_d_step {
            self.warning(escape.span, "`unless` in d_step is ignored");
            self.numbered(2);
            into.push(main_stmt);
            return None;
        }
        let escape = opened(escape_stmt);
        // A label on a guarded block is lifted out: the block then holds the whole construct.
        if main_stmt.labels.is_empty() {
            let main = opened(main_stmt);
            return Some(StmtKind::Unless { main, escape });
        }
        let (inner, make): (_, fn(Vec<Stmt>) -> StmtKind) = match main_stmt.kind {
            StmtKind::Atomic(inner) => (inner, StmtKind::Atomic),
            StmtKind::DStep(inner) => (inner, StmtKind::DStep),
            StmtKind::Block(inner) => (inner, StmtKind::Block),
            kind => {
                // Reported when the labels were scanned.
                main_stmt.kind = kind;
                return Some(StmtKind::Unless { main: vec![main_stmt], escape });
            }
        };
        let span = main_stmt.span;
        let guarded = self.made(StmtKind::Unless { main: inner, escape }, span, main_stmt.expansion);
        main_stmt.element = self.numbered(1);
        main_stmt.kind = make(vec![guarded]);
        into.push(main_stmt);
        None
    }

    /// `target = value`
    fn assign(&mut self, target: &'m VarRef, value: &'m syntax::Expr) -> Option<StmtKind> {
        self.claim_has_effect(target.span);
        if let [Part { name, index: None }] = target.parts.as_slice() {
            match name.name.as_str() {
                "_priority" => {
                    let priority = self.expr(value);
                    let process = Expr { kind: ExprKind::Pid, span: name.span };
                    return Some(StmtKind::SetPriority { process, priority });
                }
                "_pid" | "_last" | "_nr_pr" => {
                    self.error(name.span, format!("`{}` cannot be assigned to", name.name));
                    self.expr_with_runs(value, 1);
                    return None;
                }
                "_" => {
                    let target = self.scratch_place(name.span);
                    let value = self.expr_with_runs(value, 1);
                    return Some(StmtKind::Assign { target, value });
                }
                _ if self.find_constant(&name.name).is_some() => {
                    self.error(name.span, format!("`{}` is an mtype constant and cannot change", name.name));
                    self.expr_with_runs(value, 1);
                    return None;
                }
                _ => {}
            }
        }
        let target = self.scalar(target);
        // SPIN does not look at the types of fields.
        let plain = target.as_ref().filter(|target| target.fields.is_empty());
        let value = self.assigned_value(plain.map_or(Type::Int, |target| target.ty), value, 1);
        Some(StmtKind::Assign { target: target?, value })
    }

    /// A value that is given to something of a type.
    pub(super) fn assigned_value(&mut self, ty: Type, value: &'m syntax::Expr, runs: u32) -> Expr {
        let resolved = self.expr_with_runs(value, runs);
        match (&resolved.kind, ty) {
            (ExprKind::Number(_) | ExprKind::MtypeConstant(..), Type::Chan) => {
                let help = "a channel is created where it is declared: `chan c = [n] of { types }`";
                self.error_help(resolved.span, "a number is not a channel", help);
            }
            (ExprKind::MtypeConstant(kind, _), Type::Mtype(expected)) if *kind != expected => {
                if let Some(name) = self.program.mtype(expected).name.clone() {
                    self.warning(resolved.span, format!("this is not a constant of `mtype:{name}`"));
                }
            }
            _ => {}
        }
        if let Some(span) = calculates_with_channel(&resolved, false) {
            self.error(span, "a channel cannot be used in a calculation");
        }
        resolved
    }

    /// `x++` and `x--`
    fn step_by_one(&mut self, target: &'m VarRef, op: syntax::BinaryOp) -> Option<StmtKind> {
        self.claim_has_effect(target.span);
        if let [Part { name, index: None }] = target.parts.as_slice()
            && super::names::is_predefined(&name.name)
        {
            self.error(name.span, format!("`{}` cannot be assigned to", name.name));
            return None;
        }
        let target = self.scalar(target)?;
        if target.ty == Type::Chan {
            self.error(target.span, "a channel cannot be used in a calculation");
        }
        Some(increased(target, op))
    }

    /// What stands behind `_ = e`.
    fn scratch_place(&mut self, span: Span) -> Place {
        let id = match self.scratch {
            Some(id) => id,
            None => {
                let id = VarId(self.program.variables.len() as u32);
                self.program.variables.push(Variable {
                    name: "_".to_owned(),
                    ty: Type::Int,
                    length: None,
                    initial: super::Initial::Zero,
                    owner: Owner::Global,
                    visibility: Some(syntax::Visibility::Hidden),
                    span,
                });
                self.program.globals.push(id);
                self.scratch = Some(id);
                id
            }
        };
        Place { variable: id, index: None, fields: Vec::new(), ty: Type::Int, span }
    }

    /// A declaration among the statements. After the first of them, its initialiser is a step.
    fn local_declaration(
        &mut self,
        declaration: &'m Declaration,
        statement: &syntax::Stmt,
        into: &mut Vec<Stmt>,
    ) {
        let process = self.here().process;
        let site = if self.here().at_start { Site::Start } else { Site::Step };
        for declarator in &declaration.variables {
            let id = self.variable(declaration, declarator, site, Owner::Local(process));
            let Some(id) = id else { continue };
            self.program.processes[process.0 as usize].locals.push(id);
            if site == Site::Start {
                continue;
            }
            let initial = std::mem::take(&mut self.program.variables[id.0 as usize].initial);
            let variable = self.program.variable(id);
            let (ty, length) = (variable.ty, variable.length);
            let kind = if matches!(ty, Type::Record(_)) {
                StmtKind::Nothing
            } else {
                // Of an array, SPIN sets the first element only.
                let index = length.map(|_| Box::new(Self::zero(declarator.span)));
                let target =
                    Place { variable: id, index, fields: Vec::<FieldStep>::new(), ty, span: declarator.span };
                let value = match initial {
                    super::Initial::Value(value) => value,
                    _ => Self::zero(declarator.span),
                };
                StmtKind::Assign { target, value }
            };
            let made = self.made(kind, declarator.span, statement.expansion);
            into.push(made);
        }
    }

    /// `xr` and `xs`
    fn exclusive(&mut self, receive: bool, channels: &'m [VarRef]) {
        self.exclusive = true;
        let word = if receive { "xr" } else { "xs" };
        for channel in channels {
            match self.place(channel) {
                Some(place) if place.ty == Type::Chan => {
                    let process = self.here().process.0 as usize;
                    let promise = Promise { receives: receive, channel: place };
                    self.program.processes[process].promises.push(promise);
                }
                // A record stands for all channels in it.
                Some(Place { ty: Type::Record(_), .. }) | None => {}
                Some(_) => self.error(channel.span, format!("`{word}` needs a channel")),
            }
        }
    }

    fn claim_has_effect(&mut self, span: Span) {
        if self.here().kind == ProcessKind::Never {
            self.warning(span, "a never claim should not change variables");
        }
    }

    fn no_io_in_claim(&mut self, span: Span) {
        if self.here().kind == ProcessKind::Never {
            self.warning(span, "a never claim should not send or receive");
        }
    }

    pub(super) fn in_trace(&mut self) -> bool {
        matches!(self.here().kind, ProcessKind::Trace | ProcessKind::NoTrace)
    }

    /// Trace assertions consist of sending and receiving, and of control structures.
    fn check_event(&mut self, statement: &syntax::Stmt) {
        use syntax::StmtKind as From;
        if !self.in_trace() {
            return;
        }
        let allowed = matches!(
            statement.kind,
            From::Send { sorted: false, .. }
                | From::Receive { random: false, keep: false, .. }
                | From::If(_)
                | From::Do(_)
                | From::Break
                | From::Goto(_)
        );
        if !allowed {
            let help = "a trace assertion consists of `!` and `?`, `if`, `do`, `goto` and labels";
            self.error_help(statement.span, "this is not an event", help);
        }
    }
}

/// `target = target + 1` or the like.
pub(super) fn increased(target: Place, op: syntax::BinaryOp) -> StmtKind {
    let span = target.span;
    let left = Box::new(Expr { kind: ExprKind::Load(target.clone()), span });
    let right = Box::new(Expr { kind: ExprKind::Number(1), span });
    StmtKind::Assign { target, value: Expr { kind: ExprKind::Binary { op, left, right }, span } }
}

/// The statements of a plain block, or the statement itself.
fn opened(statement: Stmt) -> Vec<Stmt> {
    let is_plain = is_plain_block(&statement);
    match statement.kind {
        StmtKind::Block(inner) if is_plain => inner,
        _ => vec![statement],
    }
}

fn is_plain_block(statement: &Stmt) -> bool {
    matches!(statement.kind, StmtKind::Block(_)) && statement.labels.is_empty()
}

/// A statement that sends, receives or looks whether a channel is full or empty.
fn communicates_first(statement: &Stmt) -> bool {
    match &statement.kind {
        StmtKind::Send { .. } | StmtKind::Receive { .. } => true,
        StmtKind::Condition(expr) => has_probe(expr),
        StmtKind::Assign { value, .. } => has_probe(value),
        _ => false,
    }
}

fn has_probe(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Probe { .. } => true,
        ExprKind::Binary { left, right, .. } => has_probe(left) || has_probe(right),
        _ => false,
    }
}

/// A channel under an operator.
fn calculates_with_channel(expr: &Expr, inside: bool) -> Option<Span> {
    match &expr.kind {
        ExprKind::Load(place) => (inside && place.ty == Type::Chan).then_some(expr.span),
        ExprKind::Unary { operand, .. } => calculates_with_channel(operand, true),
        ExprKind::Binary { left, right, .. } => {
            calculates_with_channel(left, true).or_else(|| calculates_with_channel(right, true))
        }
        ExprKind::Conditional { condition, .. } => calculates_with_channel(condition, true),
        _ => None,
    }
}
