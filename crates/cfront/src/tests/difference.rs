//! Where the output of a program first differs from the expected one, in the words of a judge.

use super::{is_blank, normal};

/// What a program printed for a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    pub text: Vec<u8>,
    /// Whether that is all: the program came to its end.
    pub ended: bool,
}

/// The first difference between what is printed and what should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line of the output, counted from 1.
    pub line: u64,
    /// The word or number there; nothing at the end of a line or of the output.
    pub printed: Shown,
    pub expected: Shown,
}

/// A piece of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    Word(String),
    EndOfLine,
    /// Of the whole output.
    End,
}

/// How long a word may be that is shown.
const LONGEST: usize = 60;

/// The first difference; nothing where there is none. What is printed may go on unless the program has ended.
pub fn difference(printed: &Printed, expected: &[u8]) -> Option<Difference> {
    let expected = normal(expected);
    let actual = match printed.ended {
        true => normal(&printed.text),
        false => printed.text.clone(),
    };
    let mut at = first_difference(&actual, &expected);
    if at == actual.len() && (at == expected.len() || !printed.ended) {
        return None;
    }
    // Where one text is over, the other one goes on with its next word.
    let longer = if actual.len() > expected.len() { &actual } else { &expected };
    let (actual_length, expected_length) = (actual.len(), expected.len());
    let is_over = at == actual_length.min(expected_length);
    let between =
        if is_over { longer[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count() } else { 0 };
    at += between;
    let line = 1 + longer[..at.min(longer.len())].iter().filter(|byte| **byte == b'\n').count() as u64;
    let ends = |text: &[u8]| text.get(at).is_none_or(u8::is_ascii_whitespace);
    // The word around the place tells more than the byte, unless it is the same in both.
    let is_word_over = between > 0 || ends(&actual) && ends(&expected);
    let before = actual[..at.min(actual_length)].iter().rev().take_while(|byte| !byte.is_ascii_whitespace());
    let start = if is_word_over { at } else { at.saturating_sub(before.count()) };
    Some(Difference { line, printed: shown(&actual, start), expected: shown(&expected, start) })
}

fn first_difference(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// The word that begins at a place, with the white space before it.
fn shown(text: &[u8], start: usize) -> Shown {
    let rest = text.get(start..).unwrap_or_default();
    match rest.first() {
        None => return Shown::End,
        Some(b'\n') => return Shown::EndOfLine,
        _ => {}
    }
    let spaces = rest.iter().take_while(|byte| is_blank(**byte)).count();
    let word = rest[spaces..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
    let shown = rest[..(spaces + word).min(LONGEST)].iter();
    Shown::Word(shown.flat_map(|byte| std::ascii::escape_default(*byte)).map(char::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(printed: &str, expected: &str, ended: bool) -> Option<(u64, Shown, Shown)> {
        let printed = Printed { text: printed.as_bytes().to_vec(), ended };
        let found = difference(&printed, expected.as_bytes())?;
        Some((found.line, found.printed, found.expected))
    }

    fn word(text: &str) -> Shown {
        Shown::Word(text.to_owned())
    }

    #[test]
    fn the_word_around_the_first_byte_is_told() {
        assert_eq!(told("1 2\n13\n", "1 2\n12\n", true), Some((2, word("13"), word("12"))));
        assert_eq!(told("1 2\n", "1 2 \n\n", true), None);
        assert_eq!(told("1\n2", "1 2", true), Some((1, Shown::EndOfLine, word(" 2"))));
        assert_eq!(told("12", "1 2", true), Some((1, word("12"), word("1"))));
        assert_eq!(told("1", "12", true), Some((1, word("1"), word("12"))));
    }

    #[test]
    fn what_is_missing_is_told() {
        assert_eq!(told("7\n", "7\n8\n", true), Some((2, Shown::End, word("8"))));
        assert_eq!(told("", "8\n", true), Some((1, Shown::End, word("8"))));
        assert_eq!(told("7\n8\n", "7\n", true), Some((2, word("8"), Shown::End)));
        assert_eq!(told("7\n", "7\n8\n", false), None);
    }
}
