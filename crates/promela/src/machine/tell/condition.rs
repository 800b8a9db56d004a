//! Why a condition is false, by the values of what it reads.
//!
//! Not everything it reads matters: a conjunction is false because of those parts that are false, and
//! what stands beside them says nothing.

use graph::{ConditionParts, Worth};

use super::messages::compared_with;
use super::scene::Scene;
use super::spelling;
use crate::resolve::{Expr, ExprKind, Pattern, Place, Type};
use crate::syntax::{BinaryOp, UnaryOp};

/// So many values are told at most.
const MOST_FACTS: usize = 4;

/// Something that a condition reads, in words.
#[derive(PartialEq, Eq)]
struct Fact {
    words: String,
    /// What is read and what it holds, where it holds a value.
    value: Option<(String, String)>,
}

impl Scene<'_, '_> {
    /// "`turn == 1` is false: turn is 0"
    pub(super) fn why_false(&self, process: usize, expr: &Expr) -> String {
        let text = spelling::expression(self.teller.program, expr);
        let mut facts = Vec::new();
        self.reads(process, expr, &mut facts);
        match &facts[..] {
            [] => return "the condition is never true".to_owned(),
            [one] if one.words.strip_suffix(" is false") == Some(&text) => {
                return format!("`{text}` is false");
            }
            _ => {}
        }
        format!("`{text}` is false: {}", listed(&facts))
    }

    /// The condition and its parts: what `&&`, `||` and `!` join, and what is compared.
    pub(super) fn parts(
        &self,
        process: usize,
        expr: &Expr,
        parent: Option<usize>,
        found: &mut ConditionParts,
    ) {
        let text = spelling::expression(self.teller.program, expr);
        let worth = self.value(process, expr).map_or(Worth::Unasked, |value| Worth::Truth(value != 0));
        let Some(own) = found.add(parent, text, worth) else { return };
        match &expr.kind {
            ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), .. } => {
                for part in parts(*op, expr) {
                    self.parts(process, part, Some(own), found);
                }
            }
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.parts(process, operand, Some(own), found),
            _ => {
                let mut facts = Vec::new();
                self.reads(process, expr, &mut facts);
                // What stands alone has said its value already.
                let is_alone = matches!(expr.kind, ExprKind::Load(_));
                for (name, value) in facts.into_iter().filter_map(|fact| fact.value).filter(|_| !is_alone) {
                    found.add(Some(own), name, Worth::Value(value));
                }
            }
        }
    }

    /// What the expressions in patterns read, in parentheses, or nothing.
    pub(super) fn pattern_facts(&self, process: usize, patterns: &[Pattern]) -> String {
        let mut facts = Vec::new();
        for pattern in patterns {
            if let Pattern::Match(expr) = pattern {
                self.reads(process, expr, &mut facts);
            }
        }
        if facts.is_empty() { String::new() } else { format!(" ({})", listed(&facts)) }
    }

    /// What makes the expression have the value it has.
    fn reads(&self, process: usize, expr: &Expr, facts: &mut Vec<Fact>) {
        if facts.len() > MOST_FACTS {
            return;
        }
        let holds = |expr: &Expr| self.value(process, expr).map(|value| value != 0);
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::MtypeConstant(..) | ExprKind::Run { .. } => {}
            ExprKind::Load(place) => self.read(process, place, facts),
            ExprKind::Unary { op: UnaryOp::Not | UnaryOp::Minus | UnaryOp::Complement, operand } => {
                self.reads(process, operand, facts);
            }
            ExprKind::Unary { .. } => {}
            ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), .. } => {
                // One part is enough to decide if it has this value.
                let deciding = *op == BinaryOp::Or;
                let parts = parts(*op, expr);
                let decide = |part: &&Expr| holds(part) == Some(deciding);
                let mut deciding = parts.iter().copied().filter(decide).peekable();
                if deciding.peek().is_some() {
                    deciding.for_each(|part| self.reads(process, part, facts));
                } else {
                    parts.iter().for_each(|part| self.reads(process, part, facts));
                }
            }
            ExprKind::Binary { left, right, .. } => {
                self.reads(process, left, facts);
                self.reads(process, right, facts);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.reads(process, condition, facts);
                let chosen = if holds(condition) == Some(true) { then } else { otherwise };
                self.reads(process, chosen, facts);
            }
            ExprKind::Len(channel) | ExprKind::Probe { channel, .. } => {
                self.filling(process, channel, facts);
            }
            ExprKind::Poll { channel, patterns, .. } => self.contents(process, channel, patterns, facts),
            ExprKind::RemoteVariable { variable, .. } => {
                let text = spelling::expression(self.teller.program, expr);
                if let Some(value) = self.value(process, expr) {
                    holds_value(facts, text, self.told(process, variable.ty, value));
                }
            }
            ExprKind::Timeout => {
                fact(facts, if self.timeout { "nobody can move" } else { "others can move" })
            }
            ExprKind::NonProgress => fact(
                facts,
                match holds(expr) {
                    Some(true) => "nobody is at a progress label",
                    _ => "somebody is at a progress label",
                },
            ),
            ExprKind::Enabled(whose) => {
                let known = self.value(process, whose).and_then(|pid| usize::try_from(pid).ok());
                let known = known.filter(|pid| *pid < self.look.frames.processes.len());
                let name = known.map_or_else(
                    || format!("process {}", spelling::expression(self.teller.program, whose)),
                    |pid| format!("`{}`", self.name(pid)),
                );
                let can = if holds(expr) == Some(true) { "can" } else { "cannot" };
                fact(facts, format!("{name} {can} move"));
            }
            ExprKind::RemoteLabel { .. } => {
                let text = spelling::expression(self.teller.program, expr);
                let (whose, label) = text.split_once('@').unwrap_or((&text, ""));
                let is = if holds(expr) == Some(true) { "is" } else { "is not" };
                fact(facts, format!("{whose} {is} at {label}"));
            }
            ExprKind::PcValue(_)
            | ExprKind::GetPriority(_)
            | ExprKind::Pid
            | ExprKind::Last
            | ExprKind::ProcessCount
            | ExprKind::Priority => {
                let text = spelling::expression(self.teller.program, expr);
                if let Some(value) = self.value(process, expr) {
                    holds_value(facts, text, value.to_string());
                }
            }
        }
    }

    fn read(&self, process: usize, place: &Place, facts: &mut Vec<Fact>) {
        let name = self.place_text(process, place);
        match self.load(process, place) {
            Some(value) => holds_value(facts, name, self.told(process, place.ty, value)),
            None => fact(facts, format!("{name} has no value")),
        }
    }

    /// A place with its indices by value.
    pub(super) fn place_text(&self, process: usize, place: &Place) -> String {
        spelling::place(self.teller.program, place, |index| self.value(process, index))
    }

    fn told(&self, process: usize, kind: Type, value: i64) -> String {
        match kind {
            Type::Chan => self.teller.reference_text(&self.look, self.state, value, Some(process)),
            plain => self.teller.plain_text(plain, value),
        }
    }

    fn filling(&self, process: usize, place: &Place, facts: &mut Vec<Fact>) {
        let name = self.channel_text(process, place);
        let Some(channel) = self.channel(process, place) else {
            return fact(facts, format!("{name} is not a channel yet"));
        };
        let held = self.teller.held(&self.look, self.state, channel).len();
        let capacity = self.teller.channel_type(&self.look, self.state, channel).capacity;
        fact(
            facts,
            match held {
                0 => format!("{name} is empty"),
                _ if held == capacity => format!("{name} is full ({held} of {capacity})"),
                _ => format!("{name} holds {held} of {capacity}"),
            },
        );
    }

    fn contents(&self, process: usize, place: &Place, patterns: &[Pattern], facts: &mut Vec<Fact>) {
        let name = self.channel_text(process, place);
        let Some(channel) = self.channel(process, place) else {
            return fact(facts, format!("{name} is not a channel yet"));
        };
        if self.teller.held(&self.look, self.state, channel).is_empty() {
            fact(facts, format!("{name} is empty"));
        } else {
            let compared = compared_with(patterns);
            let contents = self.teller.contents_text(&self.look, self.state, channel, &compared);
            fact(facts, format!("{name} holds {contents}"));
        }
    }
}

/// What `&&` or `||` join, in the order of the text.
pub(super) fn parts(op: BinaryOp, expr: &Expr) -> Vec<&Expr> {
    let mut parts = Vec::new();
    let mut rest = expr;
    while let ExprKind::Binary { op: found, left, right } = &rest.kind
        && *found == op
    {
        parts.push(&**right);
        rest = left;
    }
    parts.push(rest);
    parts.reverse();
    parts
}

fn fact(facts: &mut Vec<Fact>, words: impl Into<String>) {
    note(facts, Fact { words: words.into(), value: None });
}

fn holds_value(facts: &mut Vec<Fact>, name: String, value: String) {
    note(facts, Fact { words: format!("{name} is {value}"), value: Some((name, value)) });
}

fn note(facts: &mut Vec<Fact>, fact: Fact) {
    if !facts.contains(&fact) {
        facts.push(fact);
    }
}

fn listed(facts: &[Fact]) -> String {
    let told = facts.len().min(MOST_FACTS);
    let more = if told < facts.len() { ", ..." } else { "" };
    let words: Vec<&str> = facts[..told].iter().map(|fact| fact.words.as_str()).collect();
    format!("{}{more}", words.join(", "))
}
