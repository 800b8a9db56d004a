//! Statements as SPIN prints them: everything with two operands in parentheses, no blanks but around
//! `=`, constants of an mtype by name.

use std::fmt::Write;

use super::{Expr, ExprKind, LabelId, Pattern, Place, ProcessId, Program, StmtKind, Type};
use crate::syntax::{BinaryOp, Probe, UnaryOp};

impl Program {
    /// The text of an expression, as SPIN prints it.
    pub fn expression_text(&self, expr: &Expr) -> String {
        let mut text = String::new();
        self.write_expr(&mut text, expr);
        text
    }

    /// The text of a variable or a part of one, as SPIN prints it.
    pub fn place_text(&self, place: &Place) -> String {
        let mut text = String::new();
        self.write_place(&mut text, place);
        text
    }

    /// The text of a statement of a process.
    pub(super) fn statement_text(&self, process: ProcessId, kind: &StmtKind) -> String {
        let mut text = String::new();
        let out = &mut text;
        match kind {
            StmtKind::Condition(expr) => self.write_wrapped(out, "(", expr, ")"),
            StmtKind::Assign { target, value } => {
                self.write_place(out, target);
                out.push_str(" = ");
                self.write_expr(out, value);
            }
            StmtKind::Nothing => {}
            StmtKind::Send { channel, sorted, values } => {
                self.write_place(out, channel);
                out.push_str(if *sorted { "!!" } else { "!" });
                self.write_list(out, values);
            }
            StmtKind::Receive { channel, random, keep, patterns } => {
                self.write_place(out, channel);
                out.push_str(if *random { "??" } else { "?" });
                out.push_str(if *keep { "<" } else { "" });
                self.write_patterns(out, patterns);
                out.push_str(if *keep { ">" } else { "" });
            }
            StmtKind::Event { channel, sent, patterns } => {
                self.write_place(out, channel);
                out.push_str(if *sent { "!" } else { "?" });
                self.write_patterns(out, patterns);
            }
            StmtKind::Printf { format, values } => {
                out.push_str("printf(");
                out.push_str(&format.replace('\\', "\\\\").replace('"', "'"));
                for value in values {
                    self.write_wrapped(out, ",", value, "");
                }
                out.push(')');
            }
            StmtKind::Printm(value) => self.write_printm(out, value),
            StmtKind::Assert(expr) => self.write_wrapped(out, "assert(", expr, ")"),
            StmtKind::SetPriority { process, priority } => {
                self.write_wrapped(out, "set_priority(", process, ", ");
                self.write_wrapped(out, "", priority, ")");
            }
            StmtKind::Else => out.push_str("else"),
            StmtKind::Goto(label) => {
                out.push_str("goto ");
                self.write_label(out, process, *label);
            }
            StmtKind::Break => out.push_str("break"),
            StmtKind::If(_) => out.push_str("IF"),
            StmtKind::Do(_) => out.push_str("DO"),
            StmtKind::Atomic(_) => out.push_str("ATOMIC"),
            StmtKind::DStep(_) => out.push_str("D_STEP"),
            StmtKind::Block(_) => out.push_str("sub-sequence"),
            StmtKind::Unless { .. } => out.push_str("unless"),
        }
        text
    }

    /// With the kind of mtype of a variable, if it has a name.
    fn write_printm(&self, out: &mut String, value: &Expr) {
        let kind = match &value.kind {
            ExprKind::Load(Place { ty: Type::Mtype(kind), .. }) => self.mtype(*kind).name.as_deref(),
            _ => None,
        };
        out.push_str("printm(");
        match value.kind {
            ExprKind::MtypeConstant(_, value) => drop(write!(out, "{value}")),
            _ => self.write_expr(out, value),
        }
        match kind {
            Some(kind) => drop(write!(out, ", '{kind}')")),
            None => out.push_str(", 0)"),
        }
    }

    fn write_wrapped(&self, out: &mut String, before: &str, expr: &Expr, after: &str) {
        out.push_str(before);
        self.write_expr(out, expr);
        out.push_str(after);
    }

    fn write_list(&self, out: &mut String, exprs: &[Expr]) {
        for (at, expr) in exprs.iter().enumerate() {
            self.write_wrapped(out, if at > 0 { "," } else { "" }, expr, "");
        }
    }

    fn write_patterns(&self, out: &mut String, patterns: &[Pattern]) {
        for (at, pattern) in patterns.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            match pattern {
                Pattern::Store(place) => self.write_place(out, place),
                Pattern::Ignore(_) => out.push('_'),
                Pattern::Match(expr) if is_constant(expr) => self.write_expr(out, expr),
                Pattern::Match(expr) => self.write_wrapped(out, "eval(", expr, ")"),
            }
        }
    }

    fn write_place(&self, out: &mut String, place: &Place) {
        let variable = self.variable(place.variable);
        out.push_str(&variable.name);
        self.write_index(out, place.index.as_deref());
        let mut ty = variable.ty;
        for step in &place.fields {
            let Type::Record(record) = ty else { return };
            let Some(field) = self.record(record).fields.get(step.field as usize) else { return };
            out.push('.');
            out.push_str(&field.name);
            self.write_index(out, step.index.as_deref());
            ty = field.ty;
        }
    }

    fn write_index(&self, out: &mut String, index: Option<&Expr>) {
        if let Some(index) = index {
            self.write_wrapped(out, "[", index, "]");
        }
    }

    fn write_instance(&self, out: &mut String, process: ProcessId, instance: Option<&Expr>) {
        out.push_str(&self.process(process).name);
        self.write_index(out, instance);
    }

    fn write_label(&self, out: &mut String, process: ProcessId, label: LabelId) {
        if let Some(label) = self.process(process).labels.get(label.0 as usize) {
            out.push_str(&label.name);
        }
    }

    fn write_expr(&self, out: &mut String, expr: &Expr) {
        match &expr.kind {
            ExprKind::Number(value) => drop(write!(out, "{value}")),
            ExprKind::MtypeConstant(kind, value) => match self.mtype(*kind).constant(*value) {
                Some(name) => out.push_str(name),
                None => drop(write!(out, "{value}")),
            },
            ExprKind::Load(place) => self.write_place(out, place),
            ExprKind::Unary { op, operand } => {
                let sign = match op {
                    UnaryOp::Not => "!(",
                    UnaryOp::Minus => "-(",
                    UnaryOp::Complement => "~(",
                    UnaryOp::Always => "[](",
                    UnaryOp::Eventually => "<>(",
                    UnaryOp::Next => "X(",
                };
                self.write_wrapped(out, sign, operand, ")");
            }
            ExprKind::Binary { op, left, right } => {
                self.write_wrapped(out, "(", left, sign(*op));
                self.write_wrapped(out, "", right, ")");
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.write_wrapped(out, "( (", condition, ") -> (");
                self.write_wrapped(out, "", then, ") : (");
                self.write_wrapped(out, "", otherwise, ") )");
            }
            ExprKind::Run { process, arguments, .. } => {
                out.push_str("run ");
                self.write_instance(out, *process, None);
                out.push('(');
                self.write_list(out, arguments);
                out.push(')');
            }
            ExprKind::Len(channel) => self.write_call(out, "len", channel),
            ExprKind::Probe { probe, channel } => {
                let name = match probe {
                    Probe::Full => "full",
                    Probe::Empty => "empty",
                    Probe::NotFull => "nfull",
                    Probe::NotEmpty => "nempty",
                };
                self.write_call(out, name, channel);
            }
            ExprKind::Poll { channel, random, patterns } => {
                self.write_place(out, channel);
                out.push_str(if *random { "??[" } else { "?[" });
                self.write_patterns(out, patterns);
                out.push(']');
            }
            ExprKind::Enabled(process) => self.write_wrapped(out, "enabled(", process, ")"),
            ExprKind::PcValue(process) => self.write_wrapped(out, "pc_value(", process, ")"),
            ExprKind::GetPriority(process) => self.write_wrapped(out, "get_priority(", process, ")"),
            ExprKind::Timeout => out.push_str("timeout"),
            ExprKind::NonProgress => out.push_str("np_"),
            ExprKind::Pid => out.push_str("_pid"),
            ExprKind::Last => out.push_str("_last"),
            ExprKind::ProcessCount => out.push_str("_nr_pr"),
            ExprKind::Priority => out.push_str("_priority"),
            ExprKind::RemoteLabel { process, instance, label } => {
                out.push('(');
                self.write_instance(out, *process, instance.as_deref());
                out.push_str("._p==");
                self.write_label(out, *process, *label);
                out.push(')');
            }
            ExprKind::RemoteVariable { process, instance, variable } => {
                self.write_instance(out, *process, instance.as_deref());
                out.push('.');
                self.write_place(out, variable);
            }
        }
    }

    fn write_call(&self, out: &mut String, name: &str, channel: &Place) {
        out.push_str(name);
        out.push('(');
        self.write_place(out, channel);
        out.push(')');
    }
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Number(_) | ExprKind::MtypeConstant(..))
}

/// An operator as it is written.
pub(crate) fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Implies => "->",
        BinaryOp::Equivalent => "<->",
        BinaryOp::Until => "U",
        BinaryOp::WeakUntil => "W",
        BinaryOp::Release => "V",
    }
}
