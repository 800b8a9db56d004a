//! The tokens of MCL, CADP's Model Checking Language.
//!
//! Labels are written `'regular expression'`, `"literal"` or, since version 4, `{ GATE !offer }`;
//! operators on actions are words (`not and or implies equ`), those on regular formulas are signs.
//! Comments `(* ... *)` may be nested. From the first one on for which nesting does not come out
//! even, the first `*)` ends a comment, whatever stands in it.

use source::{Diagnostic, Span};

use crate::token::{TokenKind, Tokens};
use crate::{ActionPattern, BasicRegex, Test};

const FRAGMENT: &str = "supported are the regular safety formulas: `[R] false`, `[R] <true> true`, \
                        `not <R> true`, boxes behind boxes, and several of these joined by `and`";
const LABELS: &str = "write 'X' for a label that matches the regular expression X as a whole, and \"X\" \
                      for the label X itself";
/// Each may take a millisecond to compile; texts without special characters do not count.
const MAX_REGEXES: usize = 1000;

pub(crate) fn tokens(text: &str) -> Tokens {
    Lexer { text, at: 0, nested: true, regexes: 0, out: Tokens::default() }.run()
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    nested: bool,
    /// How many regular expressions there were that are not just texts.
    regexes: usize,
    out: Tokens,
}

impl Lexer<'_> {
    fn run(mut self) -> Tokens {
        while let Some(char) = self.text[self.at..].chars().next() {
            let start = self.at;
            let sign = match char {
                _ if char.is_whitespace() => {
                    self.at += char.len_utf8();
                    continue;
                }
                '(' if self.text[start..].starts_with("(*") => {
                    self.comment();
                    continue;
                }
                '\'' => {
                    self.regex();
                    continue;
                }
                '"' => {
                    self.literal();
                    continue;
                }
                '{' => {
                    self.braces();
                    continue;
                }
                _ if char.is_alphanumeric() || char == '_' => {
                    self.word();
                    continue;
                }
                '(' => TokenKind::OpenParenthesis,
                ')' => TokenKind::CloseParenthesis,
                '[' => TokenKind::OpenBox,
                ']' => TokenKind::CloseBox,
                '<' => TokenKind::OpenDiamond,
                '>' => TokenKind::CloseDiamond,
                '.' => TokenKind::Dot,
                '|' => TokenKind::Bar,
                '*' => TokenKind::Star,
                '+' => TokenKind::Plus,
                '?' => TokenKind::Question,
                '@' => refused("infinite repetition `@` is not a safety property", FRAGMENT),
                _ => {
                    self.out.unknown(start, char);
                    self.at += char.len_utf8();
                    continue;
                }
            };
            self.at += char.len_utf8();
            self.out.push(sign, Span::new(start, self.at));
        }
        self.out.end()
    }

    fn comment(&mut self) {
        let start = self.at;
        let nested = if self.nested { nested_end(self.text, start) } else { None };
        self.nested = nested.is_some();
        match nested.or_else(|| self.text[start + 2..].find("*)").map(|found| start + 2 + found + 2)) {
            Some(end) => self.at = end,
            None => {
                let span = Span::new(start, start + 2);
                self.out
                    .broken(span, Diagnostic::error(span, "the comment has no end").label("it starts here"));
                self.at = self.text.len();
            }
        }
    }

    /// The offset of the quote that ends what starts at `self.at`. A backslash protects the
    /// character behind it; a quoted text does not go on in the next line.
    fn closing(&self, quote: char) -> Option<usize> {
        let mut escaped = false;
        for (at, char) in self.text[self.at + 1..].char_indices() {
            match char {
                '\n' => return None,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if char == quote => return Some(self.at + 1 + at),
                _ => {}
            }
        }
        None
    }

    fn unclosed(&mut self, what: &str) {
        let line = self.text[self.at..].find(['\n', '\r']).map_or(self.text.len(), |end| self.at + end);
        let span = Span::new(self.at, line);
        self.out
            .broken(span, Diagnostic::error(Span::new(self.at, self.at + 1), format!("{what} has no end")));
        self.at = line;
    }

    fn regex(&mut self) {
        let start = self.at;
        let Some(end) = self.closing('\'') else { return self.unclosed("the regular expression") };
        self.at = end + 1;
        match BasicRegex::parse(&self.text[start + 1..end]) {
            Ok(regex) => {
                self.regexes += usize::from(regex.literal().is_none());
                self.out.push(TokenKind::Test(Test::Regex(regex)), Span::new(start, end + 1));
                if self.regexes > MAX_REGEXES {
                    let message = format!("the formula has more than {MAX_REGEXES} regular expressions");
                    self.out.broken(Span::at(end + 1), Diagnostic::error(Span::new(start, end + 1), message));
                    self.at = self.text.len();
                }
            }
            Err(bad) => {
                let span = Span::new(start + 1 + bad.at.start, start + 1 + bad.at.end);
                self.out.broken(Span::new(start, end + 1), Diagnostic::error(span, bad.message));
            }
        }
    }

    fn literal(&mut self) {
        let start = self.at;
        let Some(end) = self.closing('"') else { return self.unclosed("the string") };
        self.at = end + 1;
        let mut text = String::new();
        let mut chars = self.text[start + 1..end].chars().peekable();
        while let Some(char) = chars.next() {
            let escaped = if char == '\\' { chars.next_if(|next| matches!(next, '"' | '\\')) } else { None };
            text.push(escaped.unwrap_or(char));
        }
        self.out.push(TokenKind::Test(Test::Literal(text)), Span::new(start, end + 1));
    }

    /// `{ GATE !offer }`, or behind a regular formula the count of a repetition, `{2}`.
    fn braces(&mut self) {
        let start = self.at;
        let Some(end) = closing_brace(&self.text[start..]).map(|length| start + length) else {
            let span = Span::new(start, start + 1);
            self.out.broken(span, Diagnostic::error(span, "the action pattern has no end"));
            self.at = self.text.len();
            return;
        };
        self.at = end + 1;
        let span = Span::new(start, end + 1);
        let inside = &self.text[start + 1..end];
        if inside.trim_start().starts_with(|first: char| first.is_ascii_digit()) {
            let help = "write the repetitions out, or use `*`, `+` or `?`";
            self.out.push(refused("counted repetition is not supported", help), span);
            return;
        }
        match ActionPattern::parse(inside, start + 1) {
            Ok(pattern) => self.out.push(TokenKind::Test(Test::Offers(pattern)), span),
            Err(error) => self.out.broken(span, error),
        }
    }

    fn word(&mut self) {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest.find(|char: char| !char.is_alphanumeric() && char != '_').unwrap_or(rest.len());
        self.at += length;
        let kind = match &rest[..length] {
            "true" => TokenKind::True,
            "false" => TokenKind::False,
            "nil" => TokenKind::Nil,
            "not" => TokenKind::Not,
            "and" => TokenKind::And,
            "or" => TokenKind::Or,
            "implies" => TokenKind::Implies,
            "equ" => TokenKind::Equivalent,
            "tau" => TokenKind::Test(Test::Hidden),
            word @ ("mu" | "nu") => refused(format!("fixed points (`{word}`) are not supported"), FRAGMENT),
            word @ ("forall" | "exists" | "let" | "if" | "case" | "choice" | "for" | "while" | "loop") => {
                refused(format!("data (`{word}`) is not supported"), FRAGMENT)
            }
            word @ ("macro" | "library") => {
                refused(format!("`{word}` is not supported"), "write out what the macros stand for")
            }
            word => {
                let span = Span::new(start, self.at);
                let error = Diagnostic::error(span, format!("`{word}` is not a word of MCL")).help(LABELS);
                return self.out.broken(span, error);
            }
        };
        self.out.push(kind, Span::new(start, self.at));
    }
}

fn refused(message: impl Into<String>, help: &'static str) -> TokenKind {
    TokenKind::Refused { message: message.into(), help }
}

/// Where the brace closes that opens at the start of the text.
fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut in_string = false;
    text.char_indices().find_map(|(at, char)| {
        match char {
            '"' => in_string = !in_string,
            '{' if !in_string => depth += 1,
            '}' if !in_string => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })
}

/// Where the comment that starts at `start` ends if comments nest.
fn nested_end(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let mut at = start;
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"(*" => depth += 1,
            b"*)" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
