//! Values that are nearly right: with the wrong sign, one too large or too small, another character, and one part of a
//! condition turned round.

use findings::TextChange;

use crate::Language;
use crate::candidate::{CandidateList, Operator};
use crate::expressions::{Places, conditions, negated, parts};
use crate::outline::Outline;
use crate::token::{Token, TokenKind};

/// Tokens that may be changed.
pub(crate) fn open<'o>(outline: &'o Outline<'_>, places: Places<'o>) -> impl Iterator<Item = usize> + 'o {
    (0..outline.len()).filter(move |at| {
        outline.token(*at).is_some_and(places) && !outline.is_sacred(*at) && outline.unit_of(*at).is_some()
    })
}

/// A minus taken away from what it stands before, or put before what is assigned or returned.
pub(crate) fn signs(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    for at in open(outline, places) {
        let before = at.checked_sub(1).map_or("", |before| outline.word(before));
        let ends_operand = matches!(before, ")" | "]")
            || before != "return" && at > 0 && outline.kind(at - 1) != Some(TokenKind::Sign);
        let line = outline.line(at);
        if outline.word(at) == "-" && !ends_operand {
            let change = TextChange::WithoutSign { operand: outline.word(at + 1).to_owned() };
            found.add(Operator::Sign, line, vec![(outline.span(at, at), String::new())], change);
        }
        let is_value = outline.kind(at) == Some(TokenKind::Number) && outline.word(at) != "0"
            || outline.meaning(at).is_some_and(|name| !name.kind.contains('*'));
        if is_value && matches!(before, "=" | "+=" | "-=" | "return") {
            found.replace(Operator::Sign, line, outline.span(at, at), format!("-{}", outline.word(at)));
        }
    }
}

/// Variables that are read where no stronger sign binds them, each with its index.
pub(crate) fn reads(outline: &Outline<'_>, places: Places<'_>) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for at in open(outline, places) {
        let Some(name) = outline.meaning(at).filter(|name| !name.is_constant && name.at != at) else {
            continue;
        };
        if name.kind.contains('*') || name.kind.contains("chan") {
            continue;
        }
        let last = if outline.word(at + 1) == "[" { outline.closing(at + 1).unwrap_or(at) } else { at };
        let is_array = name.kind.ends_with("[]");
        if is_array == (last == at) {
            continue;
        }
        let before = at.checked_sub(1).map_or("", |before| outline.word(before));
        let behind = outline.word(last + 1);
        let compares = |sign: &str| matches!(sign, "<" | ">" | "<=" | ">=" | "==" | "!=");
        let is_model = outline.language == Language::Promela;
        // In Promela an arrow ends a statement, and what stands behind `?` is written to.
        let opens = compares(before)
            || matches!(before, "=" | "(" | "[" | "," | "return" | "+=" | "-=")
            || matches!(before, "?" | "." | "->") && !is_model;
        let closes = compares(behind)
            || matches!(behind, ";" | ")" | "]" | "," | "&&" | "||" | ":")
            || matches!(behind, "->" | "::" | "fi" | "od" | "}") && is_model;
        if opens && closes {
            found.push((at, last));
        }
    }
    found
}

/// Variables that are read, and what they hold one more or one less.
pub(crate) fn off_by_one(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    for (first, last) in reads(outline, places) {
        let old = outline.slice(first, last);
        for change in [" + 1", " - 1"] {
            let new = format!("{old}{change}");
            found.replace(Operator::OffByOne, outline.line(first), outline.span(first, last), new);
        }
    }
}

/// Characters of the program in place of others, the nearest first.
pub(crate) fn characters(found: &mut CandidateList<'_, '_>, places: Places<'_>, most: usize) {
    let outline = found.outline;
    let is_character =
        |at: &usize| outline.kind(*at) == Some(TokenKind::Quoted) && outline.word(*at).starts_with('\'');
    let all: Vec<usize> = (0..outline.len()).filter(is_character).collect();
    for at in open(outline, places).filter(is_character) {
        for other in nearest(outline, at, &all).into_iter().take(most) {
            found.replace(Operator::OtherConstant, outline.line(at), outline.span(at, at), other);
        }
    }
}

/// The words of tokens that are others than that of one, those in the nearest lines first.
pub(crate) fn nearest<'a>(outline: &Outline<'a>, at: usize, all: &[usize]) -> Vec<&'a str> {
    let mut all = all.to_vec();
    all.sort_by_key(|other| (outline.line(*other).abs_diff(outline.line(at)), *other));
    let mut words: Vec<&str> = Vec::new();
    for other in all {
        let word = outline.word(other);
        if word != outline.word(at) && !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// Conditions with one of their parts turned round.
pub(crate) fn turned_parts(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    let is_asked = |token: &Token| places(token);
    for (first, last) in conditions(outline) {
        if !outline.token(first).is_some_and(is_asked) {
            continue;
        }
        for (first, last) in parts(outline, first, last).into_iter().flat_map(|(_, parts)| parts) {
            let line = outline.line(first);
            found.replace(Operator::Negation, line, outline.span(first, last), negated(outline, first, last));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::told;

    #[test]
    fn signs_come_and_go() {
        let text = "int f(int a) { int b = -a; a = b - 1; a += 2; assert(a == -b); return b; }\n";
        let made = told(text, Language::C, |found| signs(found, &|_| true));
        let expected =
            ["`a` without its sign", "`-b` instead of `b`", "`-2` instead of `2`", "`-b` instead of `b`"];
        assert_eq!(made, expected);
    }

    #[test]
    fn what_is_read_can_be_off_by_one() {
        let text = "int a[3]; int f(int i) { a[i] = i * 2; i++; if (i < a[0]) return i; return *&i; }\n";
        let made = told(text, Language::C, |found| off_by_one(found, &|_| true));
        let of = |name: &str| [" + 1", " - 1"].map(|change| format!("`{name}{change}` instead of `{name}`"));
        assert_eq!(made, [of("i"), of("i"), of("a[0]"), of("i")].concat());
        let text = "byte x, y; active proctype P() { do :: x < y -> c?x; y = x :: y = 1 od }\n";
        let made = told(text, Language::Promela, |found| off_by_one(found, &|_| true));
        assert_eq!(made, [of("y"), of("x")].concat(), "not what is received");
    }

    #[test]
    fn characters_are_taken_from_near() {
        let text = "int f(int c) {\n if (c == '(') return ')';\n return 'a'; }\n";
        let made = told(text, Language::C, |found| characters(found, &|token| token.line == 3, 6));
        assert_eq!(made, ["`'('` instead of `'a'`", "`')'` instead of `'a'`"]);
    }

    #[test]
    fn parts_of_conditions_are_turned_round() {
        let text = "void f(void) { if (a && !b) c(); while (d) e(); }\n";
        let made = told(text, Language::C, |found| turned_parts(found, &|_| true));
        assert_eq!(made, ["`!a` instead of `a`", "`b` instead of `!b`"]);
    }
}
