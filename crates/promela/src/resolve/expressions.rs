//! Expressions.

use source::Span;

use super::processes::PendingRun;
use super::{Expr, ExprKind, Place, Resolver, Type};
use crate::syntax::{self, Ident, Part, ProcessKind, VarRef};

impl<'m> Resolver<'m> {
    /// An expression in which no process is created.
    pub(super) fn expr(&mut self, expr: &'m syntax::Expr) -> Expr {
        self.expr_with_runs(expr, 0)
    }

    /// An expression in which so many processes may be created.
    pub(super) fn expr_with_runs(&mut self, expr: &'m syntax::Expr, runs: u32) -> Expr {
        let outer = std::mem::replace(&mut self.allowed_runs, runs);
        let resolved = self.inner_expr(expr);
        self.allowed_runs = outer;
        resolved
    }

    /// A part of an expression. After an error it is 0.
    pub(super) fn inner_expr(&mut self, expr: &'m syntax::Expr) -> Expr {
        let kind = self.expr_kind(expr).unwrap_or(ExprKind::Number(0));
        Expr { kind, span: expr.span }
    }

    fn boxed(&mut self, expr: &'m syntax::Expr) -> Box<Expr> {
        Box::new(self.inner_expr(expr))
    }

    fn expr_kind(&mut self, expr: &'m syntax::Expr) -> Option<ExprKind> {
        use syntax::ExprKind as From;
        Some(match &expr.kind {
            From::Number(value) => ExprKind::Number(*value),
            From::Name(name) => return self.name(name),
            From::Unary { op, .. } if op.is_temporal() => return self.misplaced_temporal(expr.span),
            From::Unary { op, operand } => ExprKind::Unary { op: *op, operand: self.boxed(operand) },
            From::Binary { op, .. } if op.is_temporal() => return self.misplaced_temporal(expr.span),
            From::Binary { .. } => return Some(self.operators_in_a_row(expr).kind),
            From::Conditional { condition, then, otherwise } => ExprKind::Conditional {
                condition: self.boxed(condition),
                then: self.boxed(then),
                otherwise: self.boxed(otherwise),
            },
            From::Run { proctype, arguments, priority } => {
                return self.run(proctype, arguments, *priority, expr.span);
            }
            From::Len(channel) => ExprKind::Len(self.channel_place(channel)?),
            From::Probe { probe, channel } => {
                ExprKind::Probe { probe: *probe, channel: self.channel_place(channel)? }
            }
            From::Poll { channel, random, patterns } => {
                let place = self.channel_place(channel)?;
                let patterns = self.patterns(patterns);
                self.check_receive(&place, patterns.len(), expr.span);
                ExprKind::Poll { channel: place, random: *random, patterns }
            }
            From::Enabled(process) => {
                self.only_in_claims("enabled", expr.span);
                ExprKind::Enabled(self.boxed(process))
            }
            From::PcValue(process) => {
                self.only_in_claims("pc_value", expr.span);
                ExprKind::PcValue(self.boxed(process))
            }
            From::GetPriority(process) => ExprKind::GetPriority(self.boxed(process)),
            From::Timeout => ExprKind::Timeout,
            From::NonProgress => {
                if self.in_process() {
                    self.error(expr.span, "`np_` can only be used in a never claim or a formula");
                }
                ExprKind::NonProgress
            }
            From::RemoteLabel { proctype, process, label } => {
                return self.remote_label(proctype, process.as_deref(), label);
            }
            From::RemoteVariable { proctype, process, variable } => {
                return self.remote_variable(proctype, process.as_deref(), variable);
            }
        })
    }

    /// `a + b + c ...`, which nests to the left: from the inside out, to spare the stack.
    fn operators_in_a_row(&mut self, expr: &'m syntax::Expr) -> Expr {
        let mut outer = Vec::new();
        let mut innermost = expr;
        while let syntax::ExprKind::Binary { op, left, right } = &innermost.kind
            && !op.is_temporal()
        {
            outer.push((*op, right, innermost.span));
            innermost = left;
        }
        let mut made = self.inner_expr(innermost);
        for (op, right, span) in outer.into_iter().rev() {
            let right = self.boxed(right);
            made = Expr { kind: ExprKind::Binary { op, left: Box::new(made), right }, span };
        }
        made
    }

    fn misplaced_temporal(&mut self, span: Span) -> Option<ExprKind> {
        let message = "a temporal operator cannot stand inside an expression";
        let help = "`[]`, `<>` and `X` bind more tightly than `==` or `+`; use parentheses";
        self.error_help(span, message, help);
        None
    }

    /// Resolving the body of something that is neither a claim nor a trace assertion.
    fn in_process(&self) -> bool {
        self.local.as_ref().is_some_and(|local| {
            matches!(local.kind, ProcessKind::Proctype | ProcessKind::DProctype | ProcessKind::Init)
        })
    }

    fn only_in_claims(&mut self, name: &str, span: Span) {
        if self.in_process() {
            self.warning(span, format!("`{name}` is meant for never claims"));
        }
    }

    /// A variable, a constant or something predefined, as a value.
    fn name(&mut self, name: &'m VarRef) -> Option<ExprKind> {
        if let [Part { name: ident, index: None }] = name.parts.as_slice() {
            match ident.name.as_str() {
                "_pid" => return Some(ExprKind::Pid),
                "_last" => return Some(ExprKind::Last),
                "_nr_pr" => return Some(ExprKind::ProcessCount),
                "_priority" => return Some(ExprKind::Priority),
                "_" => {
                    let help = "it only takes values that are not needed";
                    self.error_help(ident.span, "the value of `_` cannot be used", help);
                    return None;
                }
                _ => {}
            }
            if let Some((kind, value)) = self.find_constant(&ident.name) {
                return Some(ExprKind::MtypeConstant(kind, value));
            }
        }
        self.scalar(name).map(ExprKind::Load)
    }

    /// The values of expressions in a message or a parameter list: records are taken apart.
    pub(super) fn values(&mut self, exprs: &'m [syntax::Expr]) -> Vec<Expr> {
        let mut values = Vec::with_capacity(exprs.len());
        for expr in exprs {
            match self.record_place(expr) {
                Some(place) => {
                    let leaves = self.taken_apart(place);
                    values.extend(
                        leaves.into_iter().map(|leaf| Expr { span: expr.span, kind: ExprKind::Load(leaf) }),
                    );
                }
                None => values.push(self.inner_expr(expr)),
            }
        }
        values
    }

    /// If the expression is just a record: that record.
    fn record_place(&mut self, expr: &'m syntax::Expr) -> Option<Place> {
        let syntax::ExprKind::Name(name) = &expr.kind else { return None };
        // The type is looked up without the indices, so that nothing is resolved twice.
        let (first, fields) = name.parts.split_first()?;
        let mut ty = self.program.variable(self.find_variable(&first.name.name)?).ty;
        for part in fields {
            let Type::Record(record) = ty else { return None };
            ty = self.program.record(record).fields.iter().find(|field| field.name == part.name.name)?.ty;
        }
        if matches!(ty, Type::Record(_)) { self.place(name) } else { None }
    }

    pub(super) fn taken_apart(&mut self, place: Place) -> Vec<Place> {
        let span = place.span;
        self.program.leaves(place).unwrap_or_else(|problem| {
            self.error(span, problem.message());
            Vec::new()
        })
    }

    /// `run P(...)`
    fn run(
        &mut self,
        proctype: &'m Ident,
        arguments: &'m [syntax::Expr],
        priority: Option<syntax::Spanned<i32>>,
        span: Span,
    ) -> Option<ExprKind> {
        if self.allowed_runs == 0 {
            let help = "let `run` be a statement by itself, or assign its value to a variable first";
            self.error_help(span, "`run` cannot be used here", help);
        } else if self.local.as_ref().is_some_and(|local| local.atomicity == super::Atomicity::DStep) {
            self.error_help(span, "`run` cannot be used in d_step", "use atomic");
        }
        self.allowed_runs = self.allowed_runs.saturating_sub(1);
        let arguments = {
            let allowed = std::mem::take(&mut self.allowed_runs);
            let arguments = self.values(arguments);
            self.allowed_runs = allowed;
            arguments
        };
        let process = self.proctype(proctype)?;
        self.runs.push(PendingRun { process, arguments: arguments.len(), span });
        let priority = priority.and_then(|priority| u32::try_from(priority.value).ok());
        Some(ExprKind::Run { process, arguments, priority })
    }

    pub(super) fn proctype(&mut self, ident: &Ident) -> Option<super::ProcessId> {
        let found = self.process_ids.get(ident.name.as_str()).copied();
        if found.is_none() {
            self.error(ident.span, format!("there is no proctype `{}`", ident.name));
        }
        found
    }

    fn remote_label(
        &mut self,
        proctype: &'m Ident,
        instance: Option<&'m syntax::Expr>,
        label: &'m Ident,
    ) -> Option<ExprKind> {
        self.no_remote_in_d_step(proctype);
        let process = self.proctype(proctype)?;
        let instance = instance.map(|instance| self.boxed(instance));
        let Some(found) = self.labels.get(process.0 as usize).and_then(|labels| labels.find(&label.name))
        else {
            let message = format!("the proctype `{}` has no label `{}`", proctype.name, label.name);
            self.error(label.span, message);
            return None;
        };
        if self.remote_labels.insert((process, found)) {
            self.separate_remote_label(process, found);
        }
        Some(ExprKind::RemoteLabel { process, instance, label: found })
    }

    fn no_remote_in_d_step(&mut self, proctype: &Ident) {
        if self.local.as_ref().is_some_and(|local| local.atomicity == super::Atomicity::DStep) {
            self.error_help(proctype.span, "d_step cannot refer to another process", "use atomic");
        }
    }

    fn remote_variable(
        &mut self,
        proctype: &'m Ident,
        instance: Option<&'m syntax::Expr>,
        part: &'m Part,
    ) -> Option<ExprKind> {
        self.no_remote_in_d_step(proctype);
        let process = self.proctype(proctype)?;
        let instance = instance.map(|instance| self.boxed(instance));
        let found = self.program.processes.get(process.0 as usize).and_then(|declared| {
            let all = declared.parameters.iter().chain(&declared.locals);
            all.copied().find(|id| self.program.variable(*id).name == part.name.name)
        });
        let Some(variable) = found else {
            let message = format!("the proctype `{}` has no variable `{}`", proctype.name, part.name.name);
            let help = "only variables of a proctype that is declared before can be referred to";
            self.error_help(part.name.span, message, help);
            return None;
        };
        let declared = self.program.variable(variable);
        let (ty, length) = (declared.ty, declared.length);
        if matches!(ty, Type::Record(_)) {
            self.error(part.name.span, "a record of another process cannot be referred to");
            return None;
        }
        let index = self.index(part, length)?;
        let place = Place { variable, index, fields: Vec::new(), ty, span: part.name.span };
        Some(ExprKind::RemoteVariable { process, instance, variable: place })
    }
}
