//! Sums and assignments that are nearly right: a term too many or too few, another way to assign, an assignment in the
//! wrong direction.

use findings::TextChange;

use crate::Language;
use crate::candidate::{CandidateList, Operator, one_line};
use crate::expressions::Places;
use crate::outline::Outline;
use crate::statements::{bare, is_sacred};
use crate::token::TokenKind;
use crate::tree::Form;
use crate::values::{open, reads};

/// How many variables, and how many named constants, are added to one.
const OTHERS: usize = 3;

/// A sum without one of its terms.
pub(crate) fn dropped_terms(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    for at in open(outline, places).filter(|at| matches!(outline.word(*at), "+" | "-")) {
        let Some(before) = at.checked_sub(1) else { continue };
        let is_binary = outline.kind(before) != Some(TokenKind::Sign) && outline.word(before) != "return"
            || matches!(outline.word(before), ")" | "]");
        let Some(last) = operand(outline, at + 1).filter(|_| is_binary) else { continue };
        if matches!(outline.word(last + 1), "*" | "/" | "%") {
            continue;
        }
        let span = outline.span(at, last);
        let term = one_line(span.text(outline.text));
        if span.text(outline.text).contains('\n') {
            continue;
        }
        let change = TextChange::Without { part: term };
        found.add(Operator::Term, outline.line(at), vec![(span, String::new())], change);
    }
}

/// The last token of the operand that begins at a token: a number, or a name with its members, indexes and arguments.
fn operand(outline: &Outline<'_>, first: usize) -> Option<usize> {
    if outline.word(first) == "(" {
        return outline.closing(first);
    }
    let mut last = Some(first).filter(|at| {
        matches!(outline.kind(*at), Some(TokenKind::Word | TokenKind::Number | TokenKind::Quoted))
    })?;
    loop {
        let is_member = outline.word(last + 1) == "."
            || outline.word(last + 1) == "->" && outline.language == Language::C;
        match outline.word(last + 1) {
            "[" | "(" => last = outline.closing(last + 1)?,
            _ if is_member => last += 2,
            _ => return Some(last),
        }
    }
}

/// A variable that is read, with a named constant or another variable of its kind added or taken away.
pub(crate) fn added_terms(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    let named: Vec<&str> =
        outline.tokens.constants.iter().rev().map(|token| token.span.text(outline.text)).collect();
    for (first, last) in reads(outline, places) {
        let line = outline.line(first);
        let old = outline.slice(first, last);
        let span = outline.span(first, last);
        let others = outline.alternatives(first);
        for other in named.iter().take(OTHERS).chain(others.iter().take(OTHERS)) {
            for sign in ["+", "-"] {
                found.replace(Operator::Term, line, span, format!("{old} {sign} {other}"));
            }
        }
        let before = first.checked_sub(1).map_or("", |before| outline.word(before));
        if !matches!(before, "." | "->") {
            for other in named.iter().take(OTHERS) {
                found.replace(Operator::Term, line, span, format!("{other} - {old}"));
            }
        }
    }
}

/// Other ways to assign, for what [`crate::expressions`] has no other sign.
pub(crate) fn other_assignments(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    for node in outline.tree.nodes.iter().filter(|node| node.form == Form::Simple) {
        if outline.language != Language::C || is_sacred(outline, node) {
            continue;
        }
        for at in node.first..=node.last {
            let (operator, others): (Operator, &[&str]) = match outline.word(at) {
                "=" => (Operator::Term, &["+=", "-="]),
                "+=" => (Operator::Term, &["*="]),
                "*=" => (Operator::Arithmetic, &["+=", "/=", "="]),
                "/=" => (Operator::Arithmetic, &["*=", "="]),
                "&=" => (Operator::Arithmetic, &["|=", "="]),
                "|=" => (Operator::Arithmetic, &["&=", "="]),
                "<<=" => (Operator::Arithmetic, &[">>="]),
                ">>=" => (Operator::Arithmetic, &["<<="]),
                _ => continue,
            };
            if outline.token(at).is_some_and(places) {
                for other in others {
                    found.replace(operator, outline.line(at), outline.span(at, at), *other);
                }
            }
        }
    }
}

/// Assignments in the other direction.
pub(crate) fn turned_assignments(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    for node in outline.tree.nodes.iter().filter(|node| node.form == Form::Simple) {
        let statement = bare(outline, node);
        let mut sides = statement.split('=');
        let (Some(left), Some(right), None) = (sides.next(), sides.next(), sides.next()) else { continue };
        let (left, right) = (left.trim(), right.trim());
        let is_place = |text: &str| {
            text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '*')) && !text.contains('(')
        };
        if is_sacred(outline, node)
            || outline.token(node.first).is_none_or(|token| !places(token))
            || left.ends_with(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ']'))
            || !is_place(left)
            || !is_place(right)
            || left == right
            || statement.contains('\n')
        {
            continue;
        }
        let last = if outline.word(node.last) == ";" { node.last.saturating_sub(1) } else { node.last };
        found.replace(
            Operator::Swapped,
            outline.line(node.first),
            outline.span(node.first, last),
            format!("{right} = {left}"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::told;

    #[test]
    fn terms_come_and_go() {
        let text = "#define FEE 2\nint f(int a, int b) { int c = -a + s->x[1] - 2 * b; g(a); return a; }\n";
        let made = told(text, Language::C, |found| dropped_terms(found, &|_| true));
        assert_eq!(made, ["no `+ s->x[1]`"], "a product and a sign are no terms");
        let made = told(text, Language::C, |found| added_terms(found, &|token| token.line == 2));
        for wanted in ["a + FEE", "a - FEE", "FEE - a", "a + b", "a - b"] {
            assert!(made.contains(&format!("`{wanted}` instead of `a`")), "{wanted}: {made:#?}");
        }
    }

    #[test]
    fn other_assignments_are_tried() {
        let text = "void f(void) { int a = 1; a = 2; b |= a; assert(a = 1); }\n";
        let made = told(text, Language::C, |found| other_assignments(found, &|_| true));
        assert_eq!(
            made,
            ["`+=` instead of `=`", "`-=` instead of `=`", "`&=` instead of `|=`", "`=` instead of `|=`"]
        );
    }

    #[test]
    fn assignments_are_turned_round() {
        let text = "void f(void) { a[i] = b[i + 1]; *p = q->r; c = 1; d = f(e); g += h; x = y == z; }\n";
        let made = told(text, Language::C, |found| turned_assignments(found, &|_| true));
        assert_eq!(
            made,
            ["`b[i + 1] = a[i]` instead of `a[i] = b[i + 1]`", "`q->r = *p` instead of `*p = q->r`"]
        );
        let text = "active proctype P() { x = y; c!x }\n";
        let made = told(text, Language::Promela, |found| turned_assignments(found, &|_| true));
        assert_eq!(made, ["`y = x` instead of `x = y`"]);
    }
}
