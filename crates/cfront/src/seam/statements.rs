//! Statements, each with the words that are shown for it.

use rucc_sema::{CaseId, DeclKind, Stmt as Theirs, StmtId as TheirId, StorageDuration};
use rustc_hash::FxHashMap;
use source::Span;

use super::lower::{Lower, Lowered};
use super::spans::{head_after, head_before, without_semicolon};
use crate::tree::{Case, Label, LabelId, Stmt, StmtId, StmtKind};

/// A switch whose body is translated: where its labels turned out to stand.
#[derive(Debug, Default)]
pub(super) struct OpenSwitch {
    cases: FxHashMap<CaseId, StmtId>,
    default: Option<StmtId>,
}

impl Lower<'_> {
    /// The statement; one that is refused becomes an empty one.
    pub(super) fn statement(&mut self, id: TheirId) -> StmtId {
        let span = self.span(self.tast.stmt_span(id));
        let mut head = without_semicolon(span, self.text);
        let kind = self.statement_kind(id, span, &mut head).unwrap_or(StmtKind::Empty);
        let stmt = self.program.add_stmt(Stmt { kind, span, head });
        self.stands(id, stmt);
        stmt
    }

    pub(super) fn block(&mut self, stmts: Box<[StmtId]>, span: rucc_diag::Span) -> StmtId {
        let span = self.span(span);
        self.program.add_stmt(Stmt { kind: StmtKind::Block(stmts), span, head: span })
    }

    fn statement_kind(&mut self, id: TheirId, span: Span, head: &mut Span) -> Lowered<StmtKind> {
        let tast = self.tast;
        let text = self.text;
        let span_of = |lower: &Self, stmt| lower.span(tast.stmt_span(stmt));
        Ok(match tast[id] {
            Theirs::Error => return Err(self.unsupported("a statement with an error in it", span)),
            Theirs::Empty => StmtKind::Empty,
            Theirs::Expr(expr) => StmtKind::Expr(self.expression(expr)?),
            Theirs::Block(list) => {
                StmtKind::Block(tast[list].iter().map(|stmt| self.statement(*stmt)).collect())
            }
            Theirs::Decls(list) => self.declaration(list)?,
            Theirs::If { cond, then, otherwise } => {
                *head = head_before(span, span_of(self, then), text);
                let condition = self.condition(cond);
                let then = self.statement(then);
                let otherwise = otherwise.map(|otherwise| self.statement(otherwise));
                StmtKind::If { condition: condition?, then, otherwise }
            }
            Theirs::While { cond, body } => {
                *head = head_before(span, span_of(self, body), text);
                let condition = self.condition(cond);
                let body = self.statement(body);
                StmtKind::While { condition: condition?, body }
            }
            Theirs::DoWhile { body, cond } => {
                *head = head_after(span, span_of(self, body), text);
                let body = self.statement(body);
                StmtKind::DoWhile { body, condition: self.condition(cond)? }
            }
            Theirs::For { init, cond, step, body } => {
                *head = head_before(span, span_of(self, body), text);
                let init = init.map(|init| self.statement(init));
                let condition = cond.map(|cond| self.condition(cond)).transpose();
                let step = step.map(|step| self.expression(step)).transpose();
                let body = self.statement(body);
                StmtKind::For { init, condition: condition?, step: step?, body }
            }
            Theirs::Switch { cond, body, cases, default } => {
                *head = head_before(span, span_of(self, body), text);
                let value = self.expression(cond);
                self.switches.push(OpenSwitch::default());
                let body = self.statement(body);
                let open = self.switches.pop().unwrap_or_default();
                let cases: Option<Box<[Case]>> = cases
                    .iter()
                    .map(|id| {
                        let target = *open.cases.get(&id)?;
                        Some(Case { low: tast[id].low, high: tast[id].high, target })
                    })
                    .collect();
                // Parts of the body that were refused may have held a label.
                match cases {
                    Some(cases) if default.is_some() == open.default.is_some() => {
                        StmtKind::Switch { value: value?, body, cases, default: open.default }
                    }
                    _ => return Err(self.unsupported("a `case` outside of its switch", span)),
                }
            }
            Theirs::Case { body, .. } | Theirs::Default { body } => {
                *head = self.label_words(span, span_of(self, body));
                StmtKind::Target { body: self.statement(body) }
            }
            Theirs::Label { label, body } => {
                *head = self.label_words(span, span_of(self, body));
                let body = self.statement(body);
                StmtKind::Label { label: self.label(label), body }
            }
            Theirs::Goto(label) => StmtKind::Goto(self.label(label)),
            Theirs::IndirectGoto(_) => return Err(self.unsupported("a computed goto", span)),
            Theirs::Asm(asm) => {
                let asm = &tast[asm];
                // Nothing with nothing to fill in: it only keeps a compiler from moving memory accesses.
                let empty = tast[asm.template].elements.is_empty()
                    && asm.outputs.is_empty()
                    && asm.inputs.is_empty()
                    && asm.labels.is_empty();
                if !empty {
                    return Err(self.unsupported("inline assembly", span));
                }
                StmtKind::Empty
            }
            Theirs::Break => StmtKind::Break,
            Theirs::Continue => StmtKind::Continue,
            Theirs::Return(None) => StmtKind::Return(None),
            Theirs::Return(Some(value)) => StmtKind::Return(Some(self.expression(value)?)),
        })
    }

    /// Remembers where the labels of a statement stand.
    fn stands(&mut self, id: TheirId, stmt: StmtId) {
        match self.tast[id] {
            Theirs::Case { case, .. } => {
                if let Some(open) = self.switches.last_mut() {
                    open.cases.insert(case, stmt);
                }
            }
            Theirs::Default { .. } => {
                if let Some(open) = self.switches.last_mut() {
                    open.default = Some(stmt);
                }
            }
            Theirs::Label { label, .. } => {
                let label = self.label(label);
                self.label_stmts[label.index()] = Some(stmt);
            }
            _ => {}
        }
    }

    fn label_words(&self, span: Span, body: Span) -> Span {
        let end = body.start.clamp(span.start, span.end);
        let words = Span::new(span.start, end).text(self.text).trim_end();
        Span::new(span.start, span.start + words.len())
    }

    fn label(&mut self, theirs: rucc_sema::LabelId) -> LabelId {
        if let Some(label) = self.label_ids.get(&theirs) {
            return *label;
        }
        let label = LabelId(self.program.labels.len() as u32);
        let name = self.name(self.tast[theirs].name);
        // Where it stands is put in at the end.
        self.program.labels.push(Label { name, stmt: StmtId(0) });
        self.label_stmts.push(None);
        self.label_ids.insert(theirs, label);
        label
    }

    /// Local variables; what exists from the start is not declared by passing its declaration.
    fn declaration(&mut self, list: rucc_sema::DeclList) -> Lowered<StmtKind> {
        let tast = self.tast;
        let mut objects = Vec::new();
        let mut refused = None;
        for id in &tast[list] {
            let decl = &tast[*id];
            let local = decl.kind == DeclKind::Object && decl.duration == StorageDuration::Automatic;
            if decl.kind == DeclKind::Type && self.has_variable_length(decl.ty) {
                let span = self.span(tast.decl_span(*id));
                refused = Some(self.unsupported("a variable-length array", span));
            }
            if !local {
                continue;
            }
            let declared = self.object(*id).and_then(|object| {
                self.local_initializer(*id, object)?;
                Ok(object)
            });
            match declared {
                Ok(object) => objects.push(object),
                Err(refusal) => refused = Some(refusal),
            }
        }
        match refused {
            Some(refusal) => Err(refusal),
            None if objects.is_empty() => Ok(StmtKind::Empty),
            None => Ok(StmtKind::Declare(objects.into())),
        }
    }

    /// Whether a type's size is computed where it is declared.
    fn has_variable_length(&mut self, ty: rucc_types::TypeId) -> bool {
        self.ty(ty).is_err_and(|what| what == "a variable-length array")
    }
}
