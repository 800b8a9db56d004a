//! From resolved expressions to the common language.

use model::{Base, Binary, Expr, Index, Place, Scalar, Unary};

use super::frames::{Frames, element_scalar, scalar};
use crate::resolve::{self, ExprKind, FieldStep, Owner, Program};
use crate::syntax::{BinaryOp, Probe, UnaryOp};

/// The questions that only the scheduler can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Question {
    /// `_pid`
    Pid,
    /// `_nr_pr`
    ProcessCount,
    /// `_last`
    Last,
    /// `_priority`
    Priority,
    /// `get_priority(p)`
    PriorityOf,
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `enabled(p)`
    Enabled,
    /// `pc_value(p)`
    PcValue,
    /// `len(c)`
    Len,
    /// `full(c)`
    Full,
    /// `empty(c)`
    Empty,
    /// `P[pid]@label`: kind of process, pid (or [`ONLY_INSTANCE`]), location
    At,
}

impl Question {
    pub(crate) const ALL: [Self; 13] = [
        Self::Pid,
        Self::ProcessCount,
        Self::Last,
        Self::Priority,
        Self::PriorityOf,
        Self::Timeout,
        Self::NonProgress,
        Self::Enabled,
        Self::PcValue,
        Self::Len,
        Self::Full,
        Self::Empty,
        Self::At,
    ];

    pub(crate) fn from_number(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }
}

/// Without a number in `P[pid]` the only instance is meant; no process has this number.
pub(crate) const ONLY_INSTANCE: i64 = i32::MIN as i64;

/// Questions about what a channel holds have numbers from here on, one for each poll in the program.
pub(crate) const POLLS: u32 = 1000;

/// A `c?[...]`, which needs patterns and so is more than an expression.
#[derive(Clone, Debug)]
pub(crate) struct Poll {
    pub(crate) channel: Expr,
    pub(crate) random: bool,
    pub(crate) patterns: Vec<model::Pattern>,
}

pub(crate) struct Lowering<'p> {
    pub(crate) program: &'p Program,
    pub(crate) frames: &'p Frames,
    /// The locations that labels name: by process, by label.
    pub(crate) label_locations: &'p [Vec<Option<u32>>],
    pub(crate) polls: Vec<Poll>,
    /// Which questions were asked, by number.
    /// Whether a formula asks, and not a process.
    pub(crate) in_formula: bool,
    pub(crate) asked: [bool; Question::ALL.len()],
}

impl Lowering<'_> {
    pub(crate) fn place(&mut self, place: &resolve::Place) -> Place {
        let variable = self.program.variable(place.variable);
        let base = match variable.owner {
            Owner::Global => Base::Global,
            Owner::Parameter(..) | Owner::Local(_) => Base::Local,
        };
        self.place_at(base, place)
    }

    fn place_at(&mut self, base: Base, place: &resolve::Place) -> Place {
        let variable = self.program.variable(place.variable);
        let mut offset = self.frames.offset(place.variable);
        let mut indices = Vec::new();
        let mut kind = variable.ty;
        let mut is_element = variable.length.is_some();
        self.index(place.index.as_deref(), variable.length, self.frames.size(kind), &mut indices);
        for FieldStep { field, index } in &place.fields {
            let resolve::Type::Record(record) = kind else { break };
            offset += self.frames.record(record.0).fields[*field as usize].offset;
            let declared = &self.program.record(record).fields[*field as usize];
            kind = declared.ty;
            is_element = declared.length.is_some();
            self.index(index.as_deref(), declared.length, self.frames.size(kind), &mut indices);
        }
        let scalar = if is_element { element_scalar(place.ty) } else { scalar(place.ty) };
        Place { base, offset, indices, scalar }
    }

    fn index(
        &mut self,
        index: Option<&resolve::Expr>,
        length: Option<u32>,
        stride: u32,
        indices: &mut Vec<Index>,
    ) {
        if let Some(length) = length {
            let value = index.map_or(Expr::Constant(0), |index| self.expr(index));
            indices.push(Index { value, stride, length });
        } else if let Some(index) = index {
            // A scalar with an index is an array of one.
            let value = self.expr(index);
            indices.push(Index { value, stride, length: 1 });
        }
    }

    pub(crate) fn pattern(&mut self, pattern: &resolve::Pattern) -> model::Pattern {
        match pattern {
            resolve::Pattern::Store(place) => model::Pattern::Store(self.place(place)),
            resolve::Pattern::Ignore(_) => model::Pattern::Any,
            resolve::Pattern::Match(expr) => model::Pattern::Match(self.expr(expr)),
        }
    }

    pub(crate) fn channel(&mut self, place: &resolve::Place) -> Expr {
        Expr::Load(self.place(place))
    }

    fn instance(&mut self, instance: Option<&resolve::Expr>) -> Expr {
        instance.map_or(Expr::Constant(ONLY_INSTANCE), |instance| self.expr(instance))
    }

    fn ask(&mut self, question: Question, arguments: Vec<Expr>) -> Expr {
        self.asked[question as usize] = true;
        Expr::Ask(question as u32, arguments)
    }

    pub(crate) fn expr(&mut self, expr: &resolve::Expr) -> Expr {
        match &expr.kind {
            ExprKind::Number(value) | ExprKind::MtypeConstant(_, value) => Expr::Constant(i64::from(*value)),
            ExprKind::Load(place) => Expr::Load(self.place(place)),
            ExprKind::Unary { op, operand } => {
                let operand = Box::new(self.expr(operand));
                match op {
                    UnaryOp::Minus => wrapped(Expr::Unary(Unary::Negate, operand)),
                    UnaryOp::Complement => Expr::Unary(Unary::Complement, operand),
                    _ => Expr::Unary(Unary::Not, operand),
                }
            }
            ExprKind::Binary { op, left, right } => {
                let (left, right) = (self.expr(left), self.expr(right));
                binary(*op, left, right)
            }
            ExprKind::Conditional { condition, then, otherwise } => Expr::Choose(
                Box::new(self.expr(condition)),
                Box::new(self.expr(then)),
                Box::new(self.expr(otherwise)),
            ),
            // Only a whole statement or the right side of an assignment; the scheduler sees to those.
            ExprKind::Run { .. } => Expr::Constant(0),
            ExprKind::Len(channel) => {
                let argument = self.channel(channel);
                self.ask(Question::Len, vec![argument])
            }
            ExprKind::Probe { probe, channel } => {
                let channel = self.channel(channel);
                let question = match probe {
                    Probe::Full | Probe::NotFull => Question::Full,
                    Probe::Empty | Probe::NotEmpty => Question::Empty,
                };
                let answer = self.ask(question, vec![channel]);
                match probe {
                    Probe::Full | Probe::Empty => answer,
                    Probe::NotFull | Probe::NotEmpty => Expr::negation(answer),
                }
            }
            ExprKind::Poll { channel, random, patterns } => {
                let channel = self.channel(channel);
                let patterns = patterns.iter().map(|pattern| self.pattern(pattern)).collect();
                self.polls.push(Poll { channel, random: *random, patterns });
                Expr::Ask(POLLS + self.polls.len() as u32 - 1, Vec::new())
            }
            ExprKind::Enabled(process) => {
                let argument = self.expr(process);
                self.ask(Question::Enabled, vec![argument])
            }
            ExprKind::PcValue(process) => {
                let argument = self.expr(process);
                self.ask(Question::PcValue, vec![argument])
            }
            ExprKind::GetPriority(process) => {
                let argument = self.expr(process);
                self.ask(Question::PriorityOf, vec![argument])
            }
            ExprKind::Timeout => self.ask(Question::Timeout, vec![]),
            ExprKind::NonProgress => self.ask(Question::NonProgress, vec![]),
            ExprKind::Pid => self.ask(Question::Pid, vec![]),
            ExprKind::Last => self.ask(Question::Last, vec![]),
            ExprKind::ProcessCount => {
                let count = self.ask(Question::ProcessCount, vec![]);
                // As in SPIN, where a formula is a claim and that is a process.
                if self.in_formula { Expr::binary(Binary::Add, count, Expr::Constant(1)) } else { count }
            }
            ExprKind::Priority => self.ask(Question::Priority, vec![]),
            ExprKind::RemoteLabel { process, instance, label } => {
                let location = self.label_locations[process.0 as usize][label.0 as usize];
                let instance = self.instance(instance.as_deref());
                let kind = Expr::Constant(i64::from(process.0));
                let location = Expr::Constant(location.map_or(-1, i64::from));
                self.ask(Question::At, vec![kind, instance, location])
            }
            ExprKind::RemoteVariable { process, instance, variable } => {
                let instance = self.instance(instance.as_deref());
                let whose = Expr::binary(
                    Binary::Or,
                    Expr::binary(Binary::ShiftLeft, Expr::Constant(i64::from(process.0)), Expr::Constant(32)),
                    Expr::binary(Binary::And, instance, Expr::Constant(0xffff_ffff)),
                );
                Expr::Load(self.place_at(Base::Of(Box::new(whose)), variable))
            }
        }
    }
}

/// Promela computes in C's `int`.
fn wrapped(expr: Expr) -> Expr {
    Expr::Wrap(Scalar::I32, Box::new(expr))
}

fn binary(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    let (plain, wraps) = match operator {
        BinaryOp::Add => (Binary::Add, true),
        BinaryOp::Subtract => (Binary::Subtract, true),
        BinaryOp::Multiply => (Binary::Multiply, true),
        BinaryOp::Divide => (Binary::Divide, true),
        BinaryOp::Remainder => (Binary::Remainder, false),
        BinaryOp::BitAnd => (Binary::And, false),
        BinaryOp::BitXor => (Binary::Xor, false),
        BinaryOp::BitOr => (Binary::Or, false),
        BinaryOp::ShiftLeft => (Binary::ShiftLeft, true),
        BinaryOp::ShiftRight => (Binary::ShiftRight, false),
        BinaryOp::Less => (Binary::Less, false),
        BinaryOp::LessEqual => (Binary::LessEqual, false),
        BinaryOp::Greater => (Binary::Greater, false),
        BinaryOp::GreaterEqual => (Binary::GreaterEqual, false),
        BinaryOp::Equal => (Binary::Equal, false),
        BinaryOp::NotEqual => (Binary::NotEqual, false),
        BinaryOp::And => return Expr::AndAlso(Box::new(left), Box::new(right)),
        BinaryOp::Or => return Expr::OrElse(Box::new(left), Box::new(right)),
        // Only in formulas, which are no expressions.
        BinaryOp::Implies
        | BinaryOp::Equivalent
        | BinaryOp::Until
        | BinaryOp::WeakUntil
        | BinaryOp::Release => return Expr::Constant(0),
    };
    let computed = Expr::binary(plain, left, right);
    if wraps { wrapped(computed) } else { computed }
}
