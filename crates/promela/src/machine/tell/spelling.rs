//! Expressions as people write them: blanks around operators, and only the parentheses that are needed.

use std::fmt::Write;

use crate::resolve::{Expr, ExprKind, FieldStep, Pattern, Place, ProcessId, Program, Type, sign};
use crate::syntax::{BinaryOp, Probe, UnaryOp};

/// How tightly what stands alone holds together.
const ATOM: u8 = 12;
const UNARY: u8 = 11;

/// Writes text; `index` says how an index is written.
pub(super) struct Spelling<'a, I> {
    program: &'a Program,
    index: I,
    text: String,
}

/// The text of an expression.
pub(super) fn expression(program: &Program, expr: &Expr) -> String {
    let mut spelling = Spelling::new(program, |_: &Expr| None);
    spelling.expr(expr, 0);
    spelling.text
}

/// The text of the patterns of a receive.
pub(super) fn patterns(program: &Program, patterns: &[Pattern]) -> String {
    let mut spelling = Spelling::new(program, |_: &Expr| None);
    spelling.patterns(patterns);
    spelling.text
}

/// The text of a place, its indices by value where `value` knows them.
pub(super) fn place(program: &Program, place: &Place, value: impl Fn(&Expr) -> Option<i64>) -> String {
    let mut spelling = Spelling::new(program, value);
    spelling.place(place);
    spelling.text
}

impl<'a, I: Fn(&Expr) -> Option<i64>> Spelling<'a, I> {
    fn new(program: &'a Program, index: I) -> Self {
        Self { program, index, text: String::new() }
    }

    fn number(&mut self, value: i64) {
        // Writing to a string does not fail.
        let _ = write!(self.text, "{value}");
    }

    fn place(&mut self, place: &Place) {
        let variable = self.program.variable(place.variable);
        self.text.push_str(&variable.name);
        self.indexed(place.index.as_deref());
        let mut kind = variable.ty;
        for FieldStep { field, index } in &place.fields {
            let Type::Record(record) = kind else { return };
            let Some(field) = self.program.record(record).fields.get(*field as usize) else { return };
            self.text.push('.');
            self.text.push_str(&field.name);
            self.indexed(index.as_deref());
            kind = field.ty;
        }
    }

    fn indexed(&mut self, index: Option<&Expr>) {
        let Some(index) = index else { return };
        self.text.push('[');
        match (self.index)(index) {
            Some(value) => self.number(value),
            None => self.expr(index, 0),
        }
        self.text.push(']');
    }

    fn patterns(&mut self, patterns: &[Pattern]) {
        for (number, pattern) in patterns.iter().enumerate() {
            if number > 0 {
                self.text.push_str(", ");
            }
            match pattern {
                Pattern::Store(place) => self.place(place),
                Pattern::Ignore(_) => self.text.push('_'),
                Pattern::Match(expr) => match expr.kind {
                    ExprKind::Number(_) | ExprKind::MtypeConstant(..) => self.expr(expr, 0),
                    _ => self.call("eval", expr),
                },
            }
        }
    }

    fn call(&mut self, name: &str, argument: &Expr) {
        self.text.push_str(name);
        self.text.push('(');
        self.expr(argument, 0);
        self.text.push(')');
    }

    fn channel_call(&mut self, name: &str, channel: &Place) {
        self.text.push_str(name);
        self.text.push('(');
        self.place(channel);
        self.text.push(')');
    }

    fn instance(&mut self, process: ProcessId, instance: Option<&Expr>) {
        self.text.push_str(&self.program.process(process).name);
        self.indexed(instance);
    }

    /// Writes an expression, in parentheses if it holds together less than `least`.
    fn expr(&mut self, expr: &Expr, least: u8) {
        let tightness = tightness(expr);
        if tightness < least {
            self.text.push('(');
        }
        match &expr.kind {
            ExprKind::Number(value) => self.number(i64::from(*value)),
            ExprKind::MtypeConstant(kind, value) => match self.program.mtype(*kind).constant(*value) {
                Some(name) => self.text.push_str(name),
                None => self.number(i64::from(*value)),
            },
            ExprKind::Load(place) => self.place(place),
            ExprKind::Unary { op, operand } => {
                self.text.push(match op {
                    UnaryOp::Minus => '-',
                    UnaryOp::Complement => '~',
                    _ => '!',
                });
                self.expr(operand, UNARY);
            }
            ExprKind::Binary { op, left, right } => {
                self.expr(left, tightness);
                self.text.push(' ');
                self.text.push_str(sign(*op));
                self.text.push(' ');
                self.expr(right, tightness + 1);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.text.push('(');
                self.expr(condition, 1);
                self.text.push_str(" -> ");
                self.expr(then, 1);
                self.text.push_str(" : ");
                self.expr(otherwise, 1);
                self.text.push(')');
            }
            ExprKind::Run { process, .. } => {
                self.text.push_str("run ");
                self.instance(*process, None);
                self.text.push_str("(...)");
            }
            ExprKind::Len(channel) => self.channel_call("len", channel),
            ExprKind::Probe { probe, channel } => {
                let name = match probe {
                    Probe::Full => "full",
                    Probe::Empty => "empty",
                    Probe::NotFull => "nfull",
                    Probe::NotEmpty => "nempty",
                };
                self.channel_call(name, channel);
            }
            ExprKind::Poll { channel, random, patterns } => {
                self.place(channel);
                self.text.push_str(if *random { "??[" } else { "?[" });
                self.patterns(patterns);
                self.text.push(']');
            }
            ExprKind::Enabled(process) => self.call("enabled", process),
            ExprKind::PcValue(process) => self.call("pc_value", process),
            ExprKind::GetPriority(process) => self.call("get_priority", process),
            ExprKind::Timeout => self.text.push_str("timeout"),
            ExprKind::NonProgress => self.text.push_str("np_"),
            ExprKind::Pid => self.text.push_str("_pid"),
            ExprKind::Last => self.text.push_str("_last"),
            ExprKind::ProcessCount => self.text.push_str("_nr_pr"),
            ExprKind::Priority => self.text.push_str("_priority"),
            ExprKind::RemoteLabel { process, instance, label } => {
                self.instance(*process, instance.as_deref());
                self.text.push('@');
                let label = self.program.process(*process).labels.get(label.0 as usize);
                self.text.push_str(label.map_or("", |label| &label.name));
            }
            ExprKind::RemoteVariable { process, instance, variable } => {
                self.instance(*process, instance.as_deref());
                self.text.push(':');
                self.place(variable);
            }
        }
        if tightness < least {
            self.text.push(')');
        }
    }
}

fn tightness(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Number(value) if *value < 0 => UNARY,
        ExprKind::Unary { .. } => UNARY,
        ExprKind::Run { .. } => 0,
        ExprKind::Binary { op, .. } => match op {
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => 10,
            BinaryOp::Add | BinaryOp::Subtract => 9,
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 8,
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => 7,
            BinaryOp::Equal | BinaryOp::NotEqual => 6,
            BinaryOp::BitAnd => 5,
            BinaryOp::BitXor => 4,
            BinaryOp::BitOr => 3,
            BinaryOp::And => 2,
            _ => 1,
        },
        _ => ATOM,
    }
}
