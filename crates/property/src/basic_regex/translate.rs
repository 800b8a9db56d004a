//! The translation itself, one character after the other.

use std::fmt::Write;
use std::ops::Range;

use super::{BadRegex, Meaning};

/// The highest count in `\{m,n\}`.
const MAX_COUNT: u32 = 1000;

pub(super) fn translate(source: &str) -> Result<Meaning, BadRegex> {
    Translator::new(source).translate()
}

struct Translator<'a> {
    source: &'a str,
    at: usize,
    out: String,
    /// The text matched, as long as nothing special has been met.
    literal: Option<String>,
    /// Where in `source` the open groups start.
    groups: Vec<usize>,
    /// Where in `out` the piece starts that a repetition would repeat.
    piece: Option<usize>,
    /// Where in `out` each open group starts.
    group_pieces: Vec<usize>,
    /// Whether `out` ends with `*`, `+` or `?` as a repetition.
    repeated: bool,
    /// Whether this is where an expression starts: `^` is an anchor and `*` an ordinary character.
    start: bool,
}

impl<'a> Translator<'a> {
    fn new(source: &'a str) -> Self {
        Self {
            source,
            at: 0,
            out: String::new(),
            literal: Some(String::new()),
            groups: Vec::new(),
            piece: None,
            group_pieces: Vec::new(),
            repeated: false,
            start: true,
        }
    }

    fn translate(mut self) -> Result<Meaning, BadRegex> {
        while let Some(char) = self.next() {
            match char {
                '\\' => self.escape()?,
                '[' => self.brackets()?,
                '.' => self.special(".", true),
                '*' if self.piece.is_some() => self.repeat('*'),
                '^' if self.start => self.special("^", false),
                '$' if self.at_end() => self.special("$", false),
                other => self.ordinary(other),
            }
        }
        match (self.groups.pop(), self.literal) {
            (Some(open), _) => Err(bad(open..open + 2, r"`\(` has no `\)`")),
            (None, Some(text)) => Ok(Meaning::Literal(text)),
            (None, None) => Ok(Meaning::Translated(self.out)),
        }
    }

    fn next(&mut self) -> Option<char> {
        let char = self.source[self.at..].chars().next()?;
        self.at += char.len_utf8();
        Some(char)
    }

    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    /// Whether an expression ends here: `$` is an anchor.
    fn at_end(&self) -> bool {
        self.rest().is_empty() || self.rest().starts_with(r"\)") || self.rest().starts_with(r"\|")
    }

    fn ordinary(&mut self, char: char) {
        self.begin_piece();
        self.out.push_str(&regex::escape(char.encode_utf8(&mut [0; 4])));
        if let Some(literal) = &mut self.literal {
            literal.push(char);
        }
    }

    fn special(&mut self, translated: &str, repeatable: bool) {
        self.begin_piece();
        self.out.push_str(translated);
        self.literal = None;
        if !repeatable {
            self.piece = None;
        }
    }

    fn begin_piece(&mut self) {
        self.piece = Some(self.out.len());
        self.repeated = false;
        self.start = false;
    }

    /// `*`, `+` or `?`. Two different ones in a row are a star; behind each other they would mean
    /// something else to the `regex` crate.
    fn repeat(&mut self, sign: char) {
        self.literal = None;
        if !self.repeated {
            self.out.push(sign);
        } else if !self.out.ends_with(sign) {
            self.out.pop();
            self.out.push('*');
        }
        self.repeated = true;
    }

    fn escape(&mut self) -> Result<(), BadRegex> {
        let start = self.at - 1;
        let Some(char) = self.next() else {
            return Err(bad(start..self.at, "the regular expression ends with a backslash"));
        };
        let span = start..self.at;
        match char {
            '(' => {
                self.groups.push(start);
                self.group_pieces.push(self.out.len());
                self.special("(?:", false);
                self.start = true;
            }
            ')' => {
                let (Some(_), Some(piece)) = (self.groups.pop(), self.group_pieces.pop()) else {
                    return Err(bad(span, r"`\)` has no `\(`"));
                };
                self.special(")", true);
                self.piece = Some(piece);
            }
            '|' => {
                self.special("|", false);
                self.start = true;
            }
            '+' | '?' if self.piece.is_some() => self.repeat(char),
            '+' | '?' => return Err(bad(span, format!(r"there is nothing to repeat before `\{char}`"))),
            '{' => self.count(start)?,
            'w' | 'W' | 's' | 'S' => self.special(&format!("\\{char}"), true),
            'b' | 'B' | '<' | '>' => self.special(&format!("\\{char}"), false),
            '1'..='9' => {
                return Err(bad(span, format!(r"back-references such as `\{char}` are not supported")));
            }
            _ if char.is_alphanumeric() => {
                return Err(bad(span, format!(r"`\{char}` means nothing in a regular expression")));
            }
            _ => self.ordinary(char),
        }
        Ok(())
    }

    /// What follows `\{`.
    fn count(&mut self, start: usize) -> Result<(), BadRegex> {
        let Some(length) = self.rest().find(r"\}") else {
            return Err(bad(start..self.at, r"`\{` has no `\}`"));
        };
        let inside = &self.rest()[..length];
        self.at += length + 2;
        let span = start..self.at;
        let Some(piece) = self.piece else {
            return Err(bad(span, r"there is nothing to repeat before `\{`"));
        };
        let number = |text: &str| text.parse().ok().filter(|count: &u32| *count <= MAX_COUNT);
        let bounds = match inside.split_once(',') {
            None => number(inside).map(|count| (count, Some(count))),
            Some((least, "")) => number(least).map(|least| (least, None)),
            Some((least, most)) => number(least).zip(number(most)).map(|(least, most)| (least, Some(most))),
        };
        let Some((least, most)) = bounds.filter(|(least, most)| most.is_none_or(|most| *least <= most))
        else {
            let message =
                format!(r"`\{{{inside}\}}` is not a count from 0 to {MAX_COUNT} or a range of counts");
            return Err(bad(span, message));
        };
        // A group of its own, lest a repetition behind it be read together with it.
        self.literal = None;
        self.out.insert_str(piece, "(?:");
        let most = most.map(|most| most.to_string()).unwrap_or_default();
        write!(self.out, "){{{least},{most}}}")
            .map_err(|_| bad(span, "the regular expression is too large"))?;
        self.out.insert_str(piece, "(?:");
        self.out.push(')');
        self.repeated = false;
        Ok(())
    }

    /// What follows `[`. A backslash is an ordinary character here, and so is `]` in first place.
    fn brackets(&mut self) -> Result<(), BadRegex> {
        let open = self.at - 1;
        let mut class = String::from("[");
        if self.rest().starts_with('^') {
            self.at += 1;
            class.push('^');
        }
        let first = self.at;
        loop {
            let start = self.at;
            let Some(char) = self.next() else { return Err(bad(open..open + 1, "`[` has no `]`")) };
            if char == ']' && start > first {
                break;
            }
            if char == '[' && self.rest().starts_with([':', '.', '=']) {
                class.push_str(self.named_class(start)?);
                continue;
            }
            let mut range = self.rest().chars();
            let last = match (range.next(), range.next()) {
                (Some('-'), Some(last)) if last != ']' => last,
                _ => {
                    class.push_str(&regex::escape(char.encode_utf8(&mut [0; 4])));
                    continue;
                }
            };
            self.at += 1 + last.len_utf8();
            if last < char || last == '[' && self.rest().starts_with([':', '.', '=']) {
                let message = format!("`{}` is not a range of characters", &self.source[start..self.at]);
                return Err(bad(start..self.at, message));
            }
            for (end, between) in [(char, "-"), (last, "")] {
                class.push_str(&regex::escape(end.encode_utf8(&mut [0; 4])));
                class.push_str(between);
            }
        }
        class.push(']');
        self.special(&class, true);
        Ok(())
    }

    fn named_class(&mut self, start: usize) -> Result<&'a str, BadRegex> {
        const NAMES: [&str; 12] = [
            "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
            "upper", "xdigit",
        ];
        let end = self.rest().find(']').map_or(self.source.len(), |at| self.at + at + 1);
        let whole = &self.source[start..end];
        let name = whole.strip_prefix("[:").and_then(|name| name.strip_suffix(":]"));
        if !name.is_some_and(|name| NAMES.contains(&name)) {
            return Err(bad(start..end, format!("`{whole}` is not a class of characters")));
        }
        self.at = end;
        Ok(whole)
    }
}

fn bad(at: Range<usize>, message: impl Into<String>) -> BadRegex {
    BadRegex { at, message: message.into() }
}
