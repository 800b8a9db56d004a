//! What the hand-written readers share: blanks, numbers, bounded searches, excerpts for messages.

use std::borrow::Cow;

use graph::{Labels, PULSE, Progress, Watch};

use crate::outcome::{Notes, Stop, Tally, counted};

/// No line of a text format and no quoted text is longer. Real labels have at most some kilobytes;
/// the bound keeps a file without line breaks from being searched, and stored, as one label.
pub(crate) const LONGEST: usize = 1 << 24;

pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[inline]
pub(crate) fn skip_blanks(input: &[u8], mut at: usize) -> usize {
    while at < input.len() && is_blank(input[at]) {
        at += 1;
    }
    at
}

/// Skips blanks and line ends.
#[inline]
pub(crate) fn skip_white(input: &[u8], mut at: usize) -> usize {
    while at < input.len() && matches!(input[at], b' ' | b'\t' | b'\r' | b'\n') {
        at += 1;
    }
    at
}

/// Where the line that `at` lies in ends: at its line feed or the end of the input.
#[inline]
pub(crate) fn line_end(input: &[u8], at: usize) -> Result<usize, Stop> {
    let window = &input[at..input.len().min(at + LONGEST)];
    match memchr::memchr(b'\n', window) {
        Some(length) => Ok(at + length),
        None if at + window.len() == input.len() => Ok(input.len()),
        None => Err(too_long(at, "line")),
    }
}

#[cold]
pub(crate) fn too_long(at: usize, what: &str) -> Stop {
    Stop::fault(at, format!("this {what} is longer than {LONGEST} bytes"))
}

/// The slice of `input` without blanks and carriage returns at its ends, as offsets.
#[inline]
pub(crate) fn trim(input: &[u8], mut start: usize, mut end: usize) -> (usize, usize) {
    while start < end && is_blank(input[start]) {
        start += 1;
    }
    while start < end && matches!(input[end - 1], b' ' | b'\t' | b'\r') {
        end -= 1;
    }
    (start, end)
}

/// A decimal number of at most `i64::MAX` at `at`, with the offset behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    Read { value: u64, end: usize },
    TooLarge,
    Missing,
}

#[inline]
pub(crate) fn number(input: &[u8], at: usize) -> Number {
    let mut end = at;
    let mut value = 0u64;
    // Eighteen digits cannot overflow, so the usual number is read without a check a digit.
    let safe = input.len().min(at + 18);
    while end < safe && input[end].is_ascii_digit() {
        value = value * 10 + u64::from(input[end] - b'0');
        end += 1;
    }
    if end == at {
        return Number::Missing;
    }
    if end < safe || end == input.len() {
        return Number::Read { value, end };
    }
    while end < input.len() && input[end].is_ascii_digit() {
        let digit = u64::from(input[end] - b'0');
        match value.checked_mul(10).and_then(|tens| tens.checked_add(digit)) {
            Some(sum) if i64::try_from(sum).is_ok() => value = sum,
            _ => return Number::TooLarge,
        }
        end += 1;
    }
    Number::Read { value, end }
}

/// [`number`], where anything but a number is a fault that names what was `wanted`.
pub(crate) fn expect_number(input: &[u8], at: usize, wanted: &str) -> Result<(u64, usize), Stop> {
    match number(input, at) {
        Number::Read { value, end } => Ok((value, end)),
        Number::TooLarge => {
            Err(Stop::fault(at, format!("{} is too large: numbers go up to {}", found(input, at), i64::MAX)))
        }
        Number::Missing if input.get(at) == Some(&b'-') => {
            Err(Stop::fault(at, format!("expected {wanted}, found a negative number: {}", found(input, at))))
        }
        Number::Missing => Err(expected(input, at, wanted)),
    }
}

#[cold]
pub(crate) fn expected(input: &[u8], at: usize, wanted: &str) -> Stop {
    Stop::fault(at, format!("expected {wanted}, found {}", found(input, at)))
}

/// What stands at `at`, for a message: a quoted excerpt of the line, or which end it is.
pub(crate) fn found(input: &[u8], at: usize) -> String {
    let rest = input.get(at..).unwrap_or_default();
    let near = &rest[..rest.len().min(4 * EXCERPT)];
    let line = near.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if !line.trim_ascii().is_empty() {
        quote(&String::from_utf8_lossy(line))
    } else if line.len() < near.len() {
        "the end of the line".to_owned()
    } else if near.len() == rest.len() {
        "the end of the file".to_owned()
    } else {
        "blanks".to_owned()
    }
}

const EXCERPT: usize = 40;

/// `text` in backquotes, at most forty characters, control characters escaped.
pub(crate) fn quote(text: &str) -> String {
    format!("`{}`", shortened(text.trim_end(), EXCERPT))
}

/// The beginning of `text`, at most `length` characters with control characters escaped.
pub(crate) fn shortened(text: &str, length: usize) -> String {
    let mut short = String::new();
    let mut left = length;
    for character in text.chars() {
        let escaped = character.is_control().then(|| character.escape_default());
        let width = escaped.as_ref().map_or(1, ExactSizeIterator::len);
        if width > left {
            short.push('…');
            break;
        }
        left -= width;
        match escaped {
            Some(escaped) => short.extend(escaped),
            None => short.push(character),
        }
    }
    short
}

/// Turns the bytes of labels, names and values into text.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    not_utf8: Tally,
}

impl Decoder {
    /// The text of `raw`, which stands at `at`. What is not UTF-8 is taken as Latin-1.
    pub(crate) fn decode<'a>(&mut self, raw: &'a [u8], at: usize) -> Result<Cow<'a, str>, Stop> {
        if let Some(offset) = memchr::memchr(0, raw) {
            return Err(Stop::fault(at + offset, "a NUL byte: this is not a text file"));
        }
        Ok(match std::str::from_utf8(raw) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => {
                self.not_utf8.hit(at);
                Cow::Owned(raw.iter().map(|byte| char::from(*byte)).collect())
            }
        })
    }

    /// The number of a label. Only a label not seen before is decoded.
    #[inline]
    pub(crate) fn intern(&mut self, labels: &mut Labels, raw: &[u8], at: usize) -> Result<u32, Stop> {
        match labels.find_bytes(raw) {
            Some(label) => Ok(label),
            None => self.intern_new(labels, raw, at),
        }
    }

    #[cold]
    fn intern_new(&mut self, labels: &mut Labels, raw: &[u8], at: usize) -> Result<u32, Stop> {
        Ok(labels.intern(&self.decode(raw, at)?))
    }

    pub(crate) fn finish(&self, notes: &mut Notes) {
        notes.tally(&self.not_utf8, |count| {
            format!("{} not in UTF-8; taken as Latin-1", counted(count, "text"))
        });
    }
}

/// Reports to a [`Watch`] every [`PULSE`] lines or statements.
pub(crate) struct Pulse<'a> {
    watch: &'a dyn Watch,
    length: usize,
    left: u64,
}

impl<'a> Pulse<'a> {
    pub(crate) fn new(watch: &'a dyn Watch, input: &[u8]) -> Self {
        Self { watch, length: input.len(), left: PULSE }
    }

    /// To be called once a line; `states` and `edges` are how many there are so far.
    #[inline]
    pub(crate) fn tick(&mut self, at: usize, states: usize, edges: usize) -> Result<(), Stop> {
        self.left -= 1;
        if self.left == 0 { self.report(at, states, edges) } else { Ok(()) }
    }

    #[cold]
    fn report(&mut self, at: usize, states: usize, edges: usize) -> Result<(), Stop> {
        self.left = PULSE;
        let permille = (at as u128 * 1000 / self.length.max(1) as u128).min(1000) as u16;
        let (states, edges) = (states as u64, edges as u64);
        let permille = Some(permille);
        Ok(self.watch.pulse(Progress { phase: "reading", states, edges, permille, ..Progress::default() })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_up_to_63_bits() {
        let read = |text: &str| number(text.as_bytes(), 0);
        assert_eq!(read("0"), Number::Read { value: 0, end: 1 });
        assert_eq!(read("0012,"), Number::Read { value: 12, end: 4 });
        assert_eq!(read("123456789012345678"), Number::Read { value: 123_456_789_012_345_678, end: 18 });
        assert_eq!(read("123456789012345678)"), Number::Read { value: 123_456_789_012_345_678, end: 18 });
        assert_eq!(read("9223372036854775807 "), Number::Read { value: i64::MAX as u64, end: 19 });
        assert_eq!(read("9223372036854775808"), Number::TooLarge);
        assert_eq!(read("99999999999999999999999999"), Number::TooLarge);
        assert_eq!(read("-1"), Number::Missing);
        assert_eq!(read(""), Number::Missing);
    }

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(found(b"ab", 2), "the end of the file");
        assert_eq!(found(b"ab \r\ncd", 2), "the end of the line");
        assert_eq!(found(b"ab\x07cd\nef", 1), "`b\\u{7}cd`");
        assert_eq!(found(&[b'x'; 1000], 0), format!("`{}…`", "x".repeat(40)));
        assert_eq!(found(&[b' '; 1000], 0), "blanks");
        assert_eq!(found(&[7; 1000], 0), format!("`{}…`", "\\u{7}".repeat(8)));
    }

    #[test]
    fn a_line_longer_than_any_label_is_refused_without_reading_it() {
        let input = vec![b'x'; 2 * LONGEST];
        assert!(line_end(&input, 0).is_err());
        assert_eq!(line_end(&input, LONGEST).unwrap(), 2 * LONGEST);
    }
}
