//! The shape that statements give an automaton.

use model::{Argument, Command, Expr, Outcome, StatementKind};
use source::Span;

use super::body::Body;
use super::places::Spot;
use super::{Home, Lowered};
use crate::tree::{ExprId, ExprKind, InitValue, LabelId, Logic, ObjectId, StmtId, StmtKind, Type, Unary};

/// How deep statements and expressions may be nested in each other.
const DEEPEST: u32 = 500;

impl Body<'_, '_> {
    pub(super) fn stmt(&mut self, id: StmtId) -> Lowered<()> {
        self.descend(self.lowering.tree[id].span)?;
        let temporaries = self.next_temporary;
        let result = self.stmt_inside(id);
        self.next_temporary = temporaries;
        self.depth -= 1;
        result
    }

    pub(super) fn descend(&mut self, span: Span) -> Lowered<()> {
        if self.depth == DEEPEST {
            return self.lowering.refuse(span, "this is nested too deeply");
        }
        self.depth += 1;
        Ok(())
    }

    fn stmt_inside(&mut self, id: StmtId) -> Lowered<()> {
        let tree = self.lowering.tree;
        let stmt = &tree[id];
        match &stmt.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => self.expression_statement(*expr, stmt.head)?,
            StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| self.run(*stmt)),
            StmtKind::Declare(objects) => {
                for object in objects {
                    self.declaration(*object, stmt.head)?;
                }
            }
            StmtKind::If { condition, then, otherwise } => {
                let (yes, no) = (self.location(), self.location());
                self.begin(stmt.head, StatementKind::Branch);
                self.condition(*condition, yes, no)?;
                let end = self.location();
                self.at = yes;
                self.run(*then);
                self.join(end);
                self.at = no;
                if let Some(otherwise) = otherwise {
                    self.run(*otherwise);
                }
                self.join(end);
            }
            StmtKind::While { condition, body } => {
                let head = self.location();
                self.join(head);
                let (inside, end) = (self.location(), self.location());
                self.begin(stmt.head, StatementKind::Branch);
                self.count_round();
                self.condition(*condition, inside, end)?;
                self.at = inside;
                self.in_loop(*body, end, head);
                self.join(head);
                self.at = end;
            }
            StmtKind::DoWhile { body, condition } => {
                let head = self.location();
                self.join(head);
                let (check, end) = (self.location(), self.location());
                self.in_loop(*body, end, check);
                self.join(check);
                self.begin(stmt.head, StatementKind::Branch);
                self.count_round();
                self.condition(*condition, head, end)?;
                self.at = end;
            }
            StmtKind::For { init, condition, step, body } => {
                if let Some(init) = init {
                    self.run(*init);
                }
                let head = self.location();
                self.join(head);
                let (inside, next, end) = (self.location(), self.location(), self.location());
                match condition {
                    Some(condition) => {
                        let span = tree[*condition].span;
                        self.begin(span, StatementKind::Branch);
                        self.count_round();
                        self.condition(*condition, inside, end)?;
                    }
                    None => {
                        self.begin(stmt.head, StatementKind::Jump);
                        self.count_round();
                        self.jump(inside);
                    }
                }
                self.at = inside;
                self.in_loop(*body, end, next);
                self.join(next);
                if let Some(step) = step {
                    self.expression_statement(*step, tree[*step].span)?;
                }
                self.join(head);
                self.at = end;
            }
            StmtKind::Switch { value, body, cases, default } => {
                self.switch(stmt.head, *value, *body, cases, *default)?;
            }
            StmtKind::Target { body } => {
                let here = match self.targets.get(&id) {
                    Some(here) => *here,
                    None => self.location(),
                };
                self.join(here);
                self.run(*body);
            }
            StmtKind::Label { label, body } => {
                let here = self.label(*label);
                self.join(here);
                self.run(*body);
            }
            StmtKind::Goto(label) => {
                let target = self.label(*label);
                self.begin(stmt.head, StatementKind::Jump);
                self.jump_with_commands(target);
                self.at = self.location();
            }
            StmtKind::Break => self.leave(self.breaks.last().copied(), stmt.span)?,
            StmtKind::Continue => self.leave(self.continues.last().copied(), stmt.span)?,
            StmtKind::Return(value) => self.return_statement(*value, stmt.head)?,
        }
        Ok(())
    }

    fn jump_with_commands(&mut self, to: u32) {
        if self.commands.is_empty() {
            self.jump(to);
        } else {
            self.flush(to, None);
        }
    }

    fn leave(&mut self, to: Option<u32>, span: Span) -> Lowered<()> {
        let Some(to) = to else { return self.lowering.refuse(span, "there is nothing to leave here") };
        self.join(to);
        self.at = self.location();
        Ok(())
    }

    fn in_loop(&mut self, body: StmtId, end: u32, next: u32) {
        self.breaks.push(end);
        self.continues.push(next);
        self.run(body);
        self.continues.pop();
        self.breaks.pop();
    }

    fn label(&mut self, label: LabelId) -> u32 {
        if let Some(known) = self.labels.get(&label) {
            return *known;
        }
        let new = self.location();
        self.labels.insert(label, new);
        new
    }

    fn expression_statement(&mut self, expr: ExprId, span: Span) -> Lowered<()> {
        let kind = self.kind_of_statement(expr);
        self.begin(span, kind);
        self.effect(expr)
    }

    fn kind_of_statement(&self, expr: ExprId) -> StatementKind {
        let tree = self.lowering.tree;
        let mut expr = expr;
        while let ExprKind::Convert { operand, .. } = tree[expr].kind {
            expr = operand;
        }
        match &tree[expr].kind {
            ExprKind::Assign { .. } | ExprKind::Compound { .. } | ExprKind::Increment { .. } => {
                StatementKind::Assignment
            }
            ExprKind::Call { callee: crate::tree::Callee::Direct(function), .. } => {
                match &*tree[*function].name {
                    "__WHEREFORE_assert" => StatementKind::Assertion,
                    "__WHEREFORE_constraint" => StatementKind::Constraint,
                    "__VERIFIER_assume" | "assume_abort_if_not" => StatementKind::Assumption,
                    _ => StatementKind::Call,
                }
            }
            ExprKind::Call { .. } => StatementKind::Call,
            _ => StatementKind::Other,
        }
    }

    fn return_statement(&mut self, value: Option<ExprId>, span: Span) -> Lowered<()> {
        self.begin(span, StatementKind::Return);
        let tree = self.lowering.tree;
        let argument = match value {
            None => None,
            Some(value) if tree.types.is_void(tree[value].ty) => {
                self.effect(value)?;
                None
            }
            Some(value) => Some(self.argument(value)?),
        };
        if self.ends_test() {
            let argument = argument.map(|argument| match argument {
                Argument::Value(value) => Argument::Value(self.keep(value)),
                block => block,
            });
            self.end_of_test(Command::Return(argument));
            self.at = self.location();
            return Ok(());
        }
        // The end of a thread is seen by who waits for it.
        if self.lowering.threads && self.visible {
            self.cut();
        }
        self.visible |= self.lowering.threads;
        self.emit(Command::Return(argument));
        let end = self.location();
        self.flush(end, None);
        self.at = self.location();
        Ok(())
    }

    /// A value or a record to be handed over.
    pub(super) fn argument(&mut self, value: ExprId) -> Lowered<Argument> {
        let node = &self.lowering.tree[value];
        if let Type::Record(_) = self.type_of(node.ty) {
            let size = self.lowering.size(node.ty, node.span)?;
            return Ok(Argument::Block(self.record(value)?, size));
        }
        Ok(Argument::Value(self.value(value)?))
    }

    fn declaration(&mut self, id: ObjectId, span: Span) -> Lowered<()> {
        let tree = self.lowering.tree;
        let object = &tree[id];
        let Home::Local { offset, mark, .. } = self.lowering.homes[id.index()] else { return Ok(()) };
        let size = self.lowering.size(object.ty, object.span)?;
        match &object.init {
            Some(_) => {
                self.begin(span, StatementKind::Declaration);
                self.initialise(id)
            }
            None => {
                if !self.continues.is_empty() || !self.labels.is_empty() {
                    let at = Spot::local(offset).region();
                    self.declare(Command::Clear { at, size });
                    if let Some(mark) = mark {
                        self.declare(Command::Clear { at: Spot::local(mark).region(), size: 1 });
                    }
                }
                Ok(())
            }
        }
    }

    /// Gives a local object the value of its initialiser.
    pub(super) fn initialise(&mut self, id: ObjectId) -> Lowered<()> {
        let tree = self.lowering.tree;
        let object = &tree[id];
        let Some(init) = &object.init else { return Ok(()) };
        let Home::Local { offset, number, .. } = self.lowering.homes[id.index()] else { return Ok(()) };
        let size = self.lowering.size(object.ty, object.span)?;
        let scalar = !matches!(self.type_of(object.ty), Type::Array { .. } | Type::Record(_));
        let whole = matches!(&init.entries[..], [entry] if entry.offset == 0 && entry.ty == object.ty);
        if !scalar && !whole {
            self.access(number.is_some());
            self.emit(Command::Clear { at: Spot::local(offset).region(), size });
        }
        for entry in &init.entries {
            let mut spot = Spot::local(offset).moved(entry.offset as i64);
            spot.shared = number.is_some();
            spot.bits = entry.bits;
            match entry.value {
                InitValue::Expr(value) => self.assign_to(spot, entry.ty, value)?,
                InitValue::String(string) => {
                    let size = self.lowering.string_room(entry, string) as u32;
                    let number = self.lowering.strings[string.index()];
                    let from = Expr::Constant(self.lowering.pointers.pointer(number, 0));
                    self.access(spot.shared);
                    self.emit(Command::Copy { to: spot.region(), from: model::Region::Address(from), size });
                }
            }
        }
        Ok(())
    }

    /// Leads to `yes` if the expression holds, else to `no`.
    pub(super) fn condition(&mut self, expr: ExprId, yes: u32, no: u32) -> Lowered<()> {
        self.descend(self.lowering.tree[expr].span)?;
        let node = &self.lowering.tree[expr];
        match node.kind {
            ExprKind::Logical { op, left, right } if self.is_split(right) => {
                let between = self.location();
                match op {
                    Logic::And => self.half(left, between, no, false)?,
                    Logic::Or => self.half(left, yes, between, true)?,
                }
                self.at = between;
                self.condition(right, yes, no)?;
            }
            ExprKind::Unary { op: Unary::Not, operand } if self.is_split(operand) => {
                self.negated(operand, yes, no)?;
            }
            _ => {
                let value = self.truth(expr)?;
                self.branch(value, yes, no);
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// The left half of a short circuit; only the side that decides has an outcome.
    fn half(&mut self, expr: ExprId, yes: u32, no: u32, decides: bool) -> Lowered<()> {
        let (inner_yes, inner_no) = (self.location(), self.location());
        self.condition_without_outcome(expr, inner_yes, inner_no)?;
        let (decided, goes_on) = if decides { (inner_yes, inner_no) } else { (inner_no, inner_yes) };
        let (target, further) = if decides { (yes, no) } else { (no, yes) };
        self.at = decided;
        self.flush(target, Some(if decides { Outcome::True } else { Outcome::False }));
        self.at = goes_on;
        self.flush(further, None);
        Ok(())
    }

    /// Leads on without saying that the statement's branch was decided.
    pub(super) fn condition_without_outcome(&mut self, expr: ExprId, yes: u32, no: u32) -> Lowered<()> {
        let value = self.truth(expr)?;
        self.split(value, yes, no);
        Ok(())
    }

    fn negated(&mut self, operand: ExprId, yes: u32, no: u32) -> Lowered<()> {
        let value = self.truth(operand)?;
        self.branch(Expr::negation(value), yes, no);
        Ok(())
    }

    /// Two edges that belong to the outcome of the statement.
    fn branch(&mut self, value: Expr, yes: u32, no: u32) {
        self.two_edges(value, yes, no, Some(Outcome::True), Some(Outcome::False));
    }

    /// Two edges inside of the statement.
    pub(super) fn split(&mut self, value: Expr, yes: u32, no: u32) {
        self.two_edges(value, yes, no, None, None);
    }

    fn two_edges(&mut self, value: Expr, yes: u32, no: u32, held: Option<Outcome>, failed: Option<Outcome>) {
        // What comes before the question is done once.
        if !self.commands.is_empty() {
            self.cut();
        }
        let from = self.at;
        self.emit(Command::Assume(value.clone()));
        self.flush(yes, held);
        self.at = from;
        self.emit(Command::Assume(Expr::negation(value)));
        self.flush(no, failed);
    }

    /// Whether evaluating the expression needs edges of its own.
    pub(super) fn is_split(&self, expr: ExprId) -> bool {
        self.lowering.tree.has_effects(expr) || self.lowering.threads && self.reads_shared(expr)
    }
}
