//! Basic regular expressions, the ones of `ed` and `grep`.
//!
//! CADP's `'...'` are matched by the classic UNIX library. There `. * [ ] ^ $` are special, while
//! `( ) { } | + ?` are ordinary characters that become special after a backslash: the other way
//! round than in most of today's expressions. The text is translated piece by piece to the syntax of
//! the `regex` crate, which matches in linear time whatever the expression is; what that cannot do
//! (back-references) is refused. A match is always one of the whole label.

use std::fmt::Write;
use std::ops::Range;

use regex::{Regex, RegexBuilder};

/// How large one compiled expression may be, in bytes.
const SIZE_LIMIT: usize = 1 << 18;
/// The highest count in `\{m,n\}`.
const MAX_COUNT: u32 = 1000;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BasicRegex {
    source: String,
    meaning: Meaning,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Meaning {
    /// Nothing in it is special: the commonest case by far, and the cheapest.
    Literal(String),
    /// In the syntax of the `regex` crate.
    Translated(String),
}

/// What is wrong with an expression, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BadRegex {
    pub(crate) at: Range<usize>,
    pub(crate) message: String,
}

impl BasicRegex {
    pub(crate) fn parse(source: &str) -> Result<Self, BadRegex> {
        let meaning = Translator::new(source).translate()?;
        if let Meaning::Translated(translated) = &meaning {
            compile(translated, true)
                .map_err(|error| BadRegex { at: 0..source.len(), message: blame(&error) })?;
        }
        Ok(Self { source: source.to_owned(), meaning })
    }

    /// As it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The only text it matches, if it has nothing special in it.
    pub fn literal(&self) -> Option<&str> {
        match &self.meaning {
            Meaning::Literal(text) => Some(text),
            Meaning::Translated(_) => None,
        }
    }

    /// The compiled expression. It is not kept in the formula: a formula may have many, and each is
    /// needed once.
    pub(crate) fn whole(&self) -> Option<Regex> {
        self.compile(true)
    }

    /// The same, but matching parts of a label as well.
    pub(crate) fn part(&self) -> Option<Regex> {
        self.compile(false)
    }

    fn compile(&self, whole: bool) -> Option<Regex> {
        match &self.meaning {
            Meaning::Literal(text) => compile(&regex::escape(text), whole).ok(),
            Meaning::Translated(translated) => compile(translated, whole).ok(),
        }
    }

    /// What it would be if it had been meant as an extended expression, in which `( ) { } | + ?` are
    /// special without a backslash; none if that makes no difference.
    pub(crate) fn as_extended(&self) -> Option<Self> {
        let mut swapped = String::new();
        let mut chars = self.source.chars().peekable();
        let mut in_brackets = false;
        while let Some(char) = chars.next() {
            match char {
                '[' => in_brackets = true,
                ']' => in_brackets = false,
                '(' | ')' | '{' | '}' | '|' | '+' | '?' if !in_brackets => swapped.push('\\'),
                '\\' if !in_brackets => match chars.next() {
                    Some('(' | ')' | '{' | '}' | '|' | '+' | '?') | None => return None,
                    Some(next) => {
                        swapped.extend([char, next]);
                        continue;
                    }
                },
                _ => {}
            }
            swapped.push(char);
        }
        if swapped == self.source { None } else { Self::parse(&swapped).ok() }
    }
}

fn compile(translated: &str, whole: bool) -> Result<Regex, regex::Error> {
    let anchored = if whole { format!(r"\A(?:{translated})\z") } else { translated.to_owned() };
    RegexBuilder::new(&anchored).dot_matches_new_line(true).size_limit(SIZE_LIMIT).build()
}

fn blame(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(_) => "the regular expression is too large".to_owned(),
        // What the translation lets through can only be too deeply nested.
        _ => "the regular expression is nested too deeply".to_owned(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(source: &str, label: &str) -> bool {
        let regex = BasicRegex::parse(source).unwrap();
        if let Some(literal) = regex.literal() {
            assert_eq!(regex.whole().unwrap().is_match(label), literal == label);
        }
        regex.whole().unwrap().is_match(label)
    }

    fn all(source: &str, yes: &[&str], no: &[&str]) {
        for label in yes {
            assert!(matches(source, label), "{source} should match {label}");
        }
        for label in no {
            assert!(!matches(source, label), "{source} should not match {label}");
        }
    }

    #[test]
    fn the_whole_label_has_to_match() {
        all("SEND", &["SEND"], &["SEND !1", "RESEND", "", "send"]);
        all("SEND.*", &["SEND", "SEND !1"], &["RESEND"]);
        all("SEND !.*", &["SEND !1"], &["SEND"]);
        all("", &[""], &["a"]);
    }

    #[test]
    fn today_s_special_characters_are_ordinary() {
        all("a+", &["a+"], &["a", "aa"]);
        all("a|b", &["a|b"], &["a", "b"]);
        all("f(x)?", &["f(x)?"], &["f(x)", "fx"]);
        all("a{2}", &["a{2}"], &["aa"]);
    }

    #[test]
    fn and_special_after_a_backslash() {
        all(r"a\+", &["a", "aa"], &["", "a+"]);
        all(r"a\|b", &["a", "b"], &["a|b", "ab"]);
        all(r"\(ab\)*c", &["c", "ababc"], &["abac"]);
        all(r"a\{2,3\}b\?", &["aa", "aaab"], &["a", "aaaa"]);
        all(r"a\{2\}*", &["", "aa", "aaaa"], &["a", "aaa"]);
        all(r"\(a\|b\)\{2\}", &["ab", "ba"], &["a"]);
        all(r"a\{2,\}", &["aa", "aaa"], &["a"]);
        all(r"a*\?\+", &["", "aaa"], &["b"]);
        all(r"a\?\+", &["", "aaa"], &["b"]);
        all(r"\.\*\[\]\\", &[r".*[]\"], &["a"]);
    }

    #[test]
    fn stars_and_anchors_depend_on_their_place() {
        all("*a", &["*a"], &["a"]);
        all(r"\(*a\)", &["*a"], &["a"]);
        all("^a$", &["a"], &["^a$"]);
        all("a^b$c", &["a^b$c"], &["abc"]);
        all(r"^a\|^b", &["a", "b"], &["c"]);
        all("^*", &["*"], &[""]);
    }

    #[test]
    fn brackets() {
        all("[]a]", &["]", "a"], &["b"]);
        all("[^]a]", &["b"], &["]", "a"]);
        all("[a-c]x", &["ax", "cx"], &["dx", "-x"]);
        all("[a-]", &["a", "-"], &["b"]);
        all("[[:digit:]_]*", &["12_3", ""], &["a"]);
        all(r"[\n]", &["\\", "n"], &["\n"]);
        all("[a&&b~~^]", &["&", "~", "^", "a", "b"], &["c"]);
        all("[[]", &["["], &["]"]);
        all("[ä-ü].", &["öß"], &["aß"]);
    }

    #[test]
    fn errors_say_where() {
        let error = |source| {
            let bad = BasicRegex::parse(source).unwrap_err();
            (bad.at.start, bad.at.end, bad.message)
        };
        assert_eq!(error(r"ab\"), (2, 3, "the regular expression ends with a backslash".to_owned()));
        assert_eq!(error(r"a\(b"), (1, 3, r"`\(` has no `\)`".to_owned()));
        assert_eq!(error(r"a\)b"), (1, 3, r"`\)` has no `\(`".to_owned()));
        assert_eq!(error("a[b"), (1, 2, "`[` has no `]`".to_owned()));
        assert_eq!(error(r"\(a\)\1"), (5, 7, r"back-references such as `\1` are not supported".to_owned()));
        assert_eq!(error("[z-a]"), (1, 4, "`z-a` is not a range of characters".to_owned()));
        assert_eq!(error("[[:foo:]]"), (1, 8, "`[:foo:]` is not a class of characters".to_owned()));
        assert_eq!(error(r"a\{3,1\}").0, 1);
        assert_eq!(error(r"a\{9999\}").0, 1);
        assert_eq!(error(r"\+").2, r"there is nothing to repeat before `\+`");
        assert_eq!(error(r".\{900\}\{900\}").2, "the regular expression is too large");
        let deep = r"\(".repeat(1000) + &r"\)".repeat(1000);
        assert_eq!(error(&deep).2, "the regular expression is nested too deeply");
    }

    #[test]
    fn an_extended_expression_is_recognised() {
        let extended = |source| BasicRegex::parse(source).unwrap().as_extended().map(|regex| regex.source);
        assert_eq!(extended("(A|B)+.*").as_deref(), Some(r"\(A\|B\)\+.*"));
        assert_eq!(extended("A[+?]"), None);
        assert_eq!(extended("A.*"), None);
        assert_eq!(extended("A)"), None);
    }
}
