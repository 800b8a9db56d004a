//! What one side of a comparison has and the other lacks: `tolower(a) == b` may have to be `tolower(a) == tolower(b)`, and
//! `count[i] > best` may have to be `count[i] > count[best]`.

use crate::Language;
use crate::candidate::{CandidateList, Operator};
use crate::expressions::Places;
use crate::outline::Outline;
use crate::token::TokenKind;
use crate::values::open;

/// One side of a comparison: its first and its last token.
type Side = (usize, usize);

pub(crate) fn as_the_other_side(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    if outline.language != Language::C {
        return;
    }
    for at in open(outline, places) {
        if !matches!(outline.word(at), "==" | "!=" | "<" | ">" | "<=" | ">=") {
            continue;
        }
        let (Some(left), Some(right)) = (before(outline, at), behind(outline, at)) else { continue };
        for (own, other) in [(left, right), (right, left)] {
            let Some((wrapper, end)) = wrapper(outline, other) else { continue };
            let is_call = outline.word(own.0 + 1) == "(";
            if outline.word(own.0) == wrapper.0 || is_call {
                continue;
            }
            let new = format!("{}{}{}{end}", wrapper.0, wrapper.1, outline.slice(own.0, own.1));
            found.replace(Operator::Function, outline.line(at), outline.span(own.0, own.1), new);
        }
    }
}

/// The function that a side calls or the array that it looks into, with its brackets.
fn wrapper<'a>(outline: &Outline<'a>, (first, last): Side) -> Option<((&'a str, &'a str), &'a str)> {
    let is_bracket = matches!(outline.word(first + 1), "(" | "[");
    let is_whole = is_bracket && outline.closing(first + 1) == Some(last) && last > first + 2;
    is_whole.then(|| ((outline.word(first), outline.word(first + 1)), outline.word(last)))
}

/// The side behind a sign, if it is a name, an element or a call.
fn behind(outline: &Outline<'_>, at: usize) -> Option<Side> {
    let mut last = at + 1;
    outline.kind(last).filter(|kind| *kind == TokenKind::Word)?;
    loop {
        match outline.word(last + 1) {
            "(" | "[" => last = outline.closing(last + 1)?,
            "." | "->" => last += 2,
            ")" | "&&" | "||" | ";" | "?" | "," => return Some((at + 1, last)),
            _ => return None,
        }
    }
}

/// The side before a sign.
fn before(outline: &Outline<'_>, at: usize) -> Option<Side> {
    let starts =
        (at.saturating_sub(12)..at).rev().filter(|start| outline.kind(*start) == Some(TokenKind::Word));
    let mut whole = starts.filter(|start| {
        let opens = start.checked_sub(1).map_or("", |before| outline.word(before));
        matches!(opens, "(" | "&&" | "||" | "!" | "return" | "=" | ",") && reaches(outline, *start, at)
    });
    whole.next_back().map(|start| (start, at - 1))
}

/// Whether what begins at a token is a name, an element or a call that ends right before another one.
fn reaches(outline: &Outline<'_>, start: usize, at: usize) -> bool {
    let mut last = start;
    while last + 1 < at {
        last = match outline.word(last + 1) {
            "(" | "[" => match outline.closing(last + 1) {
                Some(close) => close,
                None => return false,
            },
            "." | "->" => last + 2,
            _ => return false,
        };
    }
    last + 1 == at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::told;

    #[test]
    fn the_other_side_shows_what_is_missing() {
        let text = "int n[9];\nint f(int a, int b, char *s) {\n if (n[a] > b && a + 1 < b) return 0;\n \
                    return s[a] != tolower(s[b]) || g(a) == g(b);\n}\n";
        let made = told(text, Language::C, |found| as_the_other_side(found, &|_| true));
        assert_eq!(made, ["`n[b]` instead of `b`", "`tolower(s[a])` instead of `s[a]`"]);
    }
}
