//! The condition of an assertion, part by part.
//!
//! What a program is lowered to has values and no text; the text of the assertion has no values. Both are taken apart
//! side by side: where the operators of the text are those of the expression, their operands belong together. Where
//! they are not (a macro, an operand that other threads may change in between), the part stays whole.

use graph::{ConditionPart, ConditionParts, Worth};
use model::{Expr, Primitive, Unary};

use crate::lower::is_truth;
use crate::machine::CWorker;
use crate::model::Model;

/// Below this not a number is a pointer to anything.
const SMALL: u64 = 1 << 19;

/// The parts of the condition that `text`, an assertion, asks in the step of an event.
pub(super) fn of_step(
    model: &Model,
    worker: &mut CWorker<'_>,
    text: &str,
    state: &[u8],
    event: u64,
) -> Vec<ConditionPart> {
    let pointer_bits = model.program().pointers.scalar.bits;
    let mut parts = ConditionParts::default();
    let condition = text.find('(').and_then(|start| text[start + 1..].trim_end().strip_suffix(')'));
    let Some(condition) = condition else { return Vec::new() };
    worker.failed_assertion(state, event, |expr, value| {
        Part { text: condition, expr }.tell(None, &Values { value, pointer_bits }, &mut parts);
    });
    parts.finish()
}

/// What expressions are worth in the state that is asked about.
struct Values<'v> {
    value: &'v dyn Fn(&Expr) -> Option<i64>,
    pointer_bits: u8,
}

impl Values<'_> {
    fn of(&self, expr: &Expr) -> Option<i64> {
        (self.value)(expr)
    }

    /// The value, if it is the number it looks like and not what a pointer or a fraction is kept as.
    fn number(&self, expr: &Expr) -> Option<i64> {
        self.of(expr).filter(|value| value.unsigned_abs() < SMALL || self.is_narrow(expr))
    }

    /// Whether all that the expression reads is narrower than a pointer.
    fn is_narrow(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Constant(_) | Expr::AndAlso(..) | Expr::OrElse(..) => true,
            Expr::Load(place) => place.scalar.bits < self.pointer_bits,
            Expr::Deref(scalar, _) => scalar.bits < self.pointer_bits,
            Expr::Wrap(scalar, inner) => scalar.bits < self.pointer_bits || self.is_narrow(inner),
            Expr::Unary(_, inner) => self.is_narrow(inner),
            Expr::Binary(_, left, right) | Expr::Choose(_, left, right) => {
                self.is_narrow(left) && self.is_narrow(right)
            }
            Expr::Ask(..) | Expr::Apply(..) => false,
        }
    }
}

/// A part of the text, and what it was lowered to.
#[derive(Clone, Copy)]
struct Part<'t, 'e> {
    text: &'t str,
    expr: &'e Expr,
}

impl Part<'_, '_> {
    fn tell(self, parent: Option<usize>, values: &Values<'_>, parts: &mut ConditionParts) {
        let worth = values.of(self.expr).map_or(Worth::Unasked, |value| Worth::Truth(value != 0));
        if let Some(own) = parts.add(parent, bare(self.text), worth) {
            self.operands(own, values, parts);
        }
    }

    fn operands(self, own: usize, values: &Values<'_>, parts: &mut ConditionParts) {
        match (taken_apart(bare(self.text)), self.expr) {
            (Shape::Joined { all, operands }, expr) => {
                let exprs = joined(expr, all);
                if exprs.len() != operands.len() {
                    return;
                }
                let mut is_decided = false;
                for (text, expr) in operands.into_iter().zip(exprs) {
                    if is_decided {
                        parts.add(Some(own), bare(text), Worth::Unasked);
                        continue;
                    }
                    Part { text, expr }.tell(Some(own), values, parts);
                    is_decided = values.of(expr).is_none_or(|value| (value != 0) != all);
                }
            }
            (Shape::Not(text), Expr::Unary(Unary::Not, expr)) => {
                Part { text, expr }.tell(Some(own), values, parts);
            }
            (Shape::Compared(operator, left, right), expr) => {
                if let Some(exprs) = compared(operator, expr) {
                    Part { text: left, expr: exprs.0 }.tell_value(own, values, parts);
                    Part { text: right, expr: exprs.1 }.tell_value(own, values, parts);
                }
            }
            _ => {}
        }
    }

    /// One side of a comparison, which may be a condition itself.
    fn tell_value(self, parent: usize, values: &Values<'_>, parts: &mut ConditionParts) {
        let Some(value) = values.number(self.expr).filter(|_| !is_literal(self.text)) else { return };
        let is_condition = is_truth(self.expr) && !matches!(self.expr, Expr::Constant(_));
        let value = if is_condition { (value != 0).to_string() } else { value.to_string() };
        let own = parts.add(Some(parent), bare(self.text), Worth::Value(value));
        if let Some(own) = own.filter(|_| is_condition) {
            self.operands(own, values, parts);
        }
    }
}

/// How a text is put together.
enum Shape<'t> {
    /// By `&&` if it needs all of them, else by `||`.
    Joined {
        all: bool,
        operands: Vec<&'t str>,
    },
    Not(&'t str),
    Compared(&'t str, &'t str, &'t str),
    Whole,
}

/// What `&&` or `||` join, from left to right.
fn joined(mut expr: &Expr, all: bool) -> Vec<&Expr> {
    let mut found = Vec::new();
    while let (Expr::AndAlso(left, right), true) | (Expr::OrElse(left, right), false) = (expr, all) {
        found.push(&**right);
        expr = left;
    }
    found.push(expr);
    found.reverse();
    found
}

/// Both sides of a comparison, if it is this one.
fn compared<'e>(operator: &str, expr: &'e Expr) -> Option<(&'e Expr, &'e Expr)> {
    match expr {
        Expr::Binary(own, left, right) => (own.sign() == operator).then_some((left, right)),
        Expr::Apply(primitive, operands) => {
            let [left, right] = &operands[..] else { return None };
            match (primitive, operator) {
                (Primitive::LessUnsigned, "<") | (Primitive::LessEqualUnsigned, "<=") => Some((left, right)),
                (Primitive::LessUnsigned, ">") | (Primitive::LessEqualUnsigned, ">=") => Some((right, left)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn is_literal(text: &str) -> bool {
    let text = bare(text);
    text.trim_start_matches('-').trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '\'')
}

/// Without blanks and parentheses around all of it.
fn bare(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(inner) = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        let mut depth = 0i64;
        if any_outside_of_quotes(inner, |c| {
            depth += match c {
                b'(' => 1,
                b')' => -1,
                _ => 0,
            };
            depth < 0
        }) {
            break;
        }
        text = inner.trim();
    }
    text
}

/// Whether one of the characters outside of quotes is meant.
fn any_outside_of_quotes(text: &str, mut is_meant: impl FnMut(u8) -> bool) -> bool {
    let mut quote = None;
    let mut is_escaped = false;
    for byte in text.bytes() {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if byte == b'\\' => is_escaped = true,
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None if byte == b'"' || byte == b'\'' => quote = Some(byte),
            None if is_meant(byte) => return true,
            None => {}
        }
    }
    false
}

/// The operator that holds the text together.
fn taken_apart(text: &str) -> Shape<'_> {
    let Some(found) = top_level(text) else { return Shape::Whole };
    let of = |kinds: &[&str]| -> Vec<(usize, &str)> {
        found.iter().copied().filter(|(_, operator)| kinds.contains(operator)).collect()
    };
    for (operator, all) in [("||", false), ("&&", true)] {
        let places = of(&[operator]);
        if !places.is_empty() {
            let mut operands = Vec::new();
            let mut start = 0;
            for (at, _) in places {
                operands.push(&text[start..at]);
                start = at + operator.len();
            }
            operands.push(&text[start..]);
            return Shape::Joined { all, operands };
        }
    }
    if !of(&["|", "^", "&"]).is_empty() {
        return Shape::Whole;
    }
    for kinds in [&["==", "!="][..], &["<", "<=", ">", ">="]] {
        if let Some((at, operator)) = of(kinds).last().copied() {
            return Shape::Compared(operator, &text[..at], &text[at + operator.len()..]);
        }
    }
    text.strip_prefix('!').map_or(Shape::Whole, Shape::Not)
}

/// The operators outside of all parentheses, with where they stand; nothing if others hold the text together.
fn top_level(text: &str) -> Option<Vec<(usize, &'static str)>> {
    // The longest first; what only has to be passed over is among them.
    const KNOWN: [&str; 20] = [
        "<<=", ">>=", "...", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "->", "++", "--", "<", ">", "|",
        "^", "&", "?",
    ];
    const PASSED_OVER: [&str; 5] = ["<<", ">>", "->", "++", "--"];
    if text.contains("/*") || text.contains("//") {
        return None;
    }
    let mut found = Vec::new();
    let (mut depth, mut quote, mut before, mut at) = (0i64, None, b' ', 0);
    while let Some(byte) = text.as_bytes().get(at).copied() {
        if let Some(open) = quote {
            at += if byte == b'\\' { 2 } else { 1 };
            quote = (byte != open).then_some(open);
            continue;
        }
        let mut length = 1;
        match byte {
            b'"' | b'\'' => quote = Some(byte),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => return None,
            _ if depth == 0 => {
                let operator =
                    KNOWN.iter().find(|operator| text.as_bytes()[at..].starts_with(operator.as_bytes()));
                let is_operand_before = before.is_ascii_alphanumeric() || b"_)]\"'".contains(&before);
                match operator {
                    // The address of something.
                    Some(&"&") if !is_operand_before => {}
                    Some(&("?" | "<<=" | ">>=" | "...")) => return None,
                    Some(operator) => {
                        length = operator.len();
                        if !PASSED_OVER.contains(operator) {
                            found.push((at, *operator));
                        }
                    }
                    None if byte == b'=' => return None,
                    None => {}
                }
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
        at += length;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> String {
        match taken_apart(bare(text)) {
            Shape::Joined { all, operands } => format!("{} {operands:?}", if all { "all" } else { "any" }),
            Shape::Not(text) => format!("not {text:?}"),
            Shape::Compared(operator, left, right) => format!("{operator} {left:?} {right:?}"),
            Shape::Whole => "whole".to_owned(),
        }
    }

    #[test]
    fn texts_are_taken_apart_as_c_reads_them() {
        let cases = [
            ("a <= b && b <= c || d", "any [\"a <= b && b <= c \", \" d\"]"),
            ("((a && (b || c)))", "all [\"a \", \" (b || c)\"]"),
            ("(a) && (b)", "all [\"(a) \", \" (b)\"]"),
            ("!(a == b)", "not \"(a == b)\""),
            ("!a == b", "== \"!a \" \" b\""),
            ("a < b == c < d", "== \"a < b \" \" c < d\""),
            ("p->next != q->next", "!= \"p->next \" \" q->next\""),
            ("x << 2 >= y >> 1", ">= \"x << 2 \" \" y >> 1\""),
            ("flags & 4 == 4", "whole"),
            ("p == &x", "== \"p \" \" &x\""),
            ("a ? b : c", "whole"),
            ("x = 3", "whole"),
            ("f(a, b && c)", "whole"),
            ("c == '&' || s[0] == '\\''", "any [\"c == '&' \", \" s[0] == '\\\\''\"]"),
            ("(\"it is )\" && x)", "all [\"\\\"it is )\\\" \", \" x\"]"),
            ("a /* && */ == b", "whole"),
            ("", "whole"),
            ("&&", "all [\"\", \"\"]"),
            (")(", "whole"),
            ("'", "whole"),
            ("\u{e4}\\", "whole"),
            ("'\\", "whole"),
        ];
        for (text, expected) in cases {
            assert_eq!(shape(text), expected, "{text}");
        }
    }
}
