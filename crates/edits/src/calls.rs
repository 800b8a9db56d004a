//! Changes of calls: two arguments that were mistaken for each other, and another function that takes and returns the
//! same.

use findings::TextChange;

use crate::Language;
use crate::candidate::{CandidateList, Operator, one_line};
use crate::expressions::Places;
use crate::names::parts;
use crate::outline::{Outline, Unit};
use crate::token::{Token, TokenKind};

/// Words before a parenthesis that call nothing.
const NO_CALLS: [&str; 8] = ["if", "while", "for", "switch", "return", "sizeof", "select", "printf"];

/// Functions of the library that take and return the same and are mistaken for each other.
const FAMILIES: [&[&str]; 4] = [
    &["isalpha", "isalnum", "isdigit", "isupper", "islower", "isspace", "ispunct", "isxdigit"],
    &["toupper", "tolower"],
    &["floor", "ceil", "round", "trunc"],
    &["strcpy", "strcat"],
];

/// The calls that are looked at: the name and the parentheses of its arguments.
fn calls(outline: &Outline<'_>, places: Places<'_>) -> Vec<(usize, usize, usize)> {
    let is_asked = |token: &Token| token.kind == TokenKind::Word && places(token);
    let names = (0..outline.len()).filter(|at| outline.token(*at).is_some_and(is_asked));
    let inside = names.filter(|at| outline.unit_of(*at).is_some() && !outline.is_sacred(*at));
    let called = inside.filter(|at| outline.word(at + 1) == "(" && !NO_CALLS.contains(&outline.word(*at)));
    called.filter_map(|at| Some((at, at + 1, outline.closing(at + 1)?))).collect()
}

/// Neighbouring arguments in the other order.
pub(crate) fn swapped_arguments(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    for (name, open, close) in calls(outline, places) {
        for pair in parts(outline, open + 1, close, &[","]).windows(2) {
            let [one, two] = [pair[0], pair[1]].map(|(first, last)| outline.span(first, last));
            let [left, right] = [one, two].map(|span| span.text(outline.text));
            if left == right {
                continue;
            }
            let change = TextChange::Before { first: one_line(right), second: one_line(left) };
            let edits = vec![(one, right.to_owned()), (two, left.to_owned())];
            found.add(Operator::Arguments, outline.line(name), edits, change);
        }
    }
}

/// Two indices of an element in the other order.
pub(crate) fn swapped_indices(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    for open in crate::values::open(outline, places).filter(|at| outline.word(*at) == "[") {
        let is_pair = |close: &usize| outline.word(close + 1) == "[";
        let Some(close) = outline.closing(open).filter(is_pair) else { continue };
        let Some(end) = outline.closing(close + 1) else { continue };
        if end <= close + 2 || close <= open + 1 {
            continue;
        }
        let [one, two] =
            [(open + 1, close - 1), (close + 2, end - 1)].map(|(first, last)| outline.span(first, last));
        let [left, right] = [one, two].map(|span| span.text(outline.text));
        if left == right {
            continue;
        }
        let change = TextChange::Before { first: one_line(right), second: one_line(left) };
        let edits = vec![(one, right.to_owned()), (two, left.to_owned())];
        found.add(Operator::Arguments, outline.line(open), edits, change);
    }
}

/// Other functions that take and return the same, the nearest first; inlines that take as much.
pub(crate) fn other_functions(found: &mut CandidateList<'_, '_>, places: Places<'_>, most: usize) {
    let outline = found.outline;
    let known: Vec<(&str, usize, Vec<String>)> = outline
        .units
        .iter()
        .filter_map(|unit| {
            let name = unit.parameters?.0.checked_sub(1)?;
            Some((outline.word(name), name, signature(outline, unit)?))
        })
        .filter(|(text, ..)| *text != "main")
        .collect();
    for (name, ..) in calls(outline, places) {
        let own = outline.word(name);
        let family = FAMILIES.iter().find(|family| family.contains(&own) && outline.language == Language::C);
        if let Some(family) = family.filter(|_| !known.iter().any(|(text, ..)| *text == own)) {
            for other in family.iter().filter(|other| **other != own) {
                found.replace(Operator::Function, outline.line(name), outline.span(name, name), *other);
            }
            continue;
        }
        let Some((here, _, wanted)) = known.iter().find(|(text, ..)| *text == outline.word(name)) else {
            continue;
        };
        let mut others: Vec<&(&str, usize, Vec<String>)> =
            known.iter().filter(|(text, _, signature)| text != here && signature == wanted).collect();
        others.sort_by_key(|(_, declared, _)| declared.abs_diff(name));
        for (other, ..) in others.into_iter().take(most) {
            found.replace(Operator::Function, outline.line(name), outline.span(name, name), *other);
        }
    }
}

/// What a function takes and returns, word by word without names; of an inline, that it is one, and how much it takes.
fn signature(outline: &Outline<'_>, unit: &Unit) -> Option<Vec<String>> {
    let (open, close) = unit.parameters?;
    let name = open.checked_sub(1)?;
    let taken = parts(outline, open + 1, close, &[",", ";"]);
    if outline.language == Language::Promela {
        let kind = outline.word(name.checked_sub(1)?).to_owned();
        return Some(std::iter::once(kind).chain(taken.iter().map(|_| String::new())).collect());
    }
    let is_type = |at: &usize| matches!(outline.kind(*at), Some(TokenKind::Word)) || outline.word(*at) == "*";
    let mut returned: Vec<&str> = (0..name)
        .rev()
        .take_while(is_type)
        .map(|at| outline.word(at))
        .filter(|word| !is_storage(word))
        .collect();
    returned.reverse();
    let mut signature = vec![returned.join(" ")];
    for (first, last) in taken {
        // The last word is the name, unless nothing is taken.
        let words: Vec<&str> = (first..=last).map(|at| outline.word(at)).collect();
        let named = words.iter().rposition(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        let kept = words.iter().enumerate().filter(|(at, word)| Some(*at) != named && !is_storage(word));
        signature.push(kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" "));
    }
    Some(signature)
}

fn is_storage(word: &str) -> bool {
    crate::names::STORAGE.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::told;

    const PROGRAM: &str = "static int up(int a, char *b) { return a; }\nint down(const int n, char *m) { return n; }\n\
                           int other(int a) { return a; }\nvoid none(void) { }\n\
                           int main(void) { none(); assert(up(1, p)); return up(x + 1, p) + other(f(y, y)); }\n";

    #[test]
    fn arguments_change_places() {
        let made = told(PROGRAM, Language::C, |found| swapped_arguments(found, &|_| true));
        assert_eq!(made, ["`p` before `x + 1`"], "not those of assertions, and not those that are the same");
        let text = "inline f(a, b) { a = b }\nactive proctype P() { byte x, y; f(x, y); f(x, x) }\n";
        let made = told(text, Language::Promela, |found| swapped_arguments(found, &|_| true));
        assert_eq!(made, ["`y` before `x`"]);
    }

    #[test]
    fn indices_change_places() {
        let text = "int m[3][3];\nint f(int i, int j) { return m[i][j + 1] + m[i][i]; }\n";
        let made = told(text, Language::C, |found| swapped_indices(found, &|_| true));
        assert_eq!(made, ["`j + 1` before `i`"]);
    }

    #[test]
    fn functions_of_the_library_have_relatives() {
        let text = "int main(void) { return toupper(getchar()); }\n";
        let made = told(text, Language::C, |found| other_functions(found, &|_| true, 6));
        assert_eq!(made, ["`tolower` instead of `toupper`"]);
    }

    #[test]
    fn functions_of_the_same_type_are_called_instead() {
        let made = told(PROGRAM, Language::C, |found| other_functions(found, &|_| true, 6));
        assert_eq!(made, ["`down` instead of `up`"]);
        let text = "inline f(a) { a = 1 }\ninline g(b) { b = 2 }\ninline h() { skip }\n\
                    active proctype P() { byte x; f(x); h() }\n";
        let made = told(text, Language::Promela, |found| other_functions(found, &|_| true, 6));
        assert_eq!(made, ["`g` instead of `f`"]);
    }
}
