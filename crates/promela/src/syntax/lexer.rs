//! Text into tokens, in one pass over the bytes.
//!
//! The text comes from a preprocessor; line markers (`# 1 "file"`) and comments that are still there
//! are skipped. Numbers are decimal only and wrap to 32 bits as SPIN's do. Embedded C is not taken
//! apart, since its text need not consist of Promela tokens.

use source::{Diagnostic, Span};

use super::token::{Token, TokenKind, Word};

/// Words that begin embedded C code.
const EMBEDDED: [&str; 5] = ["c_code", "c_decl", "c_expr", "c_state", "c_track"];

/// The tokens of a text, the last of them [`TokenKind::End`].
pub(crate) fn tokens(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer { text, at: 0, new_line: true, tokens: Vec::new(), diagnostics: Vec::new() };
    while lexer.token() {}
    (lexer.tokens, lexer.diagnostics)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    new_line: bool,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_while(&mut self, mut wanted: impl FnMut(u8) -> bool) {
        while self.at < self.text.len() && wanted(self.byte(0)) {
            self.at += 1;
        }
    }

    fn error(&mut self, span: Span, message: &str) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    fn push(&mut self, kind: TokenKind, start: usize, value: i32) {
        let span = Span::new(start, self.at);
        self.tokens.push(Token { kind, span, site: span, value, new_line: self.new_line });
        self.new_line = false;
    }

    /// Reads one token; false after the last.
    fn token(&mut self) -> bool {
        self.skip_blanks();
        let start = self.at;
        if start >= self.text.len() {
            self.push(TokenKind::End, start, 0);
            return false;
        }
        match self.byte(0) {
            b'0'..=b'9' => self.number(start),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(start),
            b'"' => self.string(start),
            b'\'' => self.character(start),
            _ => self.sign(start),
        }
        true
    }

    /// Blanks, comments and line markers.
    fn skip_blanks(&mut self) {
        loop {
            match self.byte(0) {
                b'\n' => {
                    self.new_line = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0c => self.at += 1,
                // SPIN drops null characters as well.
                0 if self.at < self.text.len() => self.at += 1,
                b'#' if self.new_line => self.skip_while(|byte| byte != b'\n'),
                b'/' if self.byte(1) == b'/' => self.skip_while(|byte| byte != b'\n'),
                b'/' if self.byte(1) == b'*' => match self.text[self.at + 2..].find("*/") {
                    Some(length) => self.at += length + 4,
                    None => {
                        self.error(Span::new(self.at, self.at + 2), "this comment does not end");
                        self.at = self.text.len();
                    }
                },
                b'*' if self.byte(1) == b'/' => {
                    let span = Span::new(self.at, self.at + 2);
                    let message = "this comment ends without having begun; SPIN passes over it";
                    self.diagnostics.push(Diagnostic::warning(span, message));
                    self.at += 2;
                }
                _ => return,
            }
        }
    }

    fn number(&mut self, start: usize) {
        self.skip_while(|byte| byte.is_ascii_digit());
        let span = Span::new(start, self.at);
        let wide: i64 = span.text(self.text).parse().unwrap_or(i64::MAX);
        let value = wide as i32;
        if i64::from(value) != wide {
            let message = format!("this number does not fit into 32 bits and is read as {value}");
            self.diagnostics.push(Diagnostic::warning(span, message));
        }
        self.push(TokenKind::Number, start, value);
    }

    fn word(&mut self, start: usize) {
        self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let text = &self.text[start..self.at];
        match text {
            "true" | "skip" => self.push(TokenKind::Number, start, 1),
            "false" => self.push(TokenKind::Number, start, 0),
            _ if EMBEDDED.contains(&text) => {
                self.skip_embedded();
                self.push(TokenKind::Embedded, start, 0);
            }
            _ => self.push(Word::find(text).map_or(TokenKind::Name, TokenKind::Word), start, 0),
        }
    }

    /// Whatever belongs to a `c_code` or the like: conditions in brackets, strings, a block in braces.
    fn skip_embedded(&mut self) {
        loop {
            let before = (self.at, self.new_line);
            self.skip_blanks();
            match self.byte(0) {
                b'"' => {
                    self.at += 1;
                    self.skip_string();
                }
                b'[' => self.skip_nested(b'[', b']'),
                b'{' => {
                    self.skip_nested(b'{', b'}');
                    return;
                }
                _ => {
                    (self.at, self.new_line) = before;
                    return;
                }
            }
            self.new_line = before.1;
        }
    }

    fn skip_nested(&mut self, open: u8, close: u8) {
        let mut depth = 0usize;
        while self.at < self.text.len() {
            let byte = self.byte(0);
            self.at += 1;
            if byte == b'"' {
                self.skip_string();
            } else if byte == b'\'' {
                self.at += usize::from(self.byte(0) == b'\\');
                self.skip_character();
            } else if byte == open {
                depth += 1;
            } else if byte == close {
                depth -= 1;
                if depth == 0 {
                    return;
                }
            }
        }
    }

    /// The rest of a string, with its closing quote; false if it does not end on its line.
    fn skip_string(&mut self) -> bool {
        loop {
            self.skip_while(|byte| !matches!(byte, b'"' | b'\\' | b'\n'));
            match self.byte(0) {
                b'"' => {
                    self.at += 1;
                    return true;
                }
                b'\\' => {
                    self.at += 1;
                    self.skip_character();
                }
                _ => return false,
            }
        }
    }

    /// One character of any length.
    fn skip_character(&mut self) {
        if let Some(character) = self.text[self.at..].chars().next() {
            self.at += character.len_utf8();
        }
    }

    fn string(&mut self, start: usize) {
        self.at += 1;
        if !self.skip_string() {
            self.error(Span::new(start, self.at), "this string does not end on its line");
        }
        self.push(TokenKind::String, start, 0);
    }

    fn character(&mut self, start: usize) {
        self.at += 1;
        let escaped = self.byte(0) == b'\\';
        self.at += usize::from(escaped);
        let character = self.text[self.at..].chars().next().unwrap_or('\0');
        self.skip_character();
        let value = match character {
            'n' if escaped => '\n',
            'r' if escaped => '\r',
            't' if escaped => '\t',
            'f' if escaped => '\x0c',
            other => other,
        };
        if self.byte(0) == b'\'' {
            self.at += 1;
        } else {
            self.error(Span::new(start, self.at), "a character in quotes needs a closing quote");
        }
        self.push(TokenKind::Number, start, value as i32);
    }

    fn sign(&mut self, start: usize) {
        let next = self.byte(1);
        let (kind, length) = match (self.byte(0), next) {
            (b':', b':') => (TokenKind::ColonColon, 2),
            (b'-', b'>') => (TokenKind::Arrow, 2),
            // A longer one, as SPIN takes it.
            (b'-', b'-') if self.byte(2) == b'>' => (TokenKind::Arrow, 3),
            (b'-', b'-') => (TokenKind::MinusMinus, 2),
            (b'+', b'+') => (TokenKind::PlusPlus, 2),
            (b'<', b'<') => (TokenKind::ShiftLeft, 2),
            (b'<', b'=') => (TokenKind::LessEqual, 2),
            (b'>', b'>') => (TokenKind::ShiftRight, 2),
            (b'>', b'=') => (TokenKind::GreaterEqual, 2),
            (b'=', b'=') => (TokenKind::EqualEqual, 2),
            (b'!', b'=') => (TokenKind::NotEqual, 2),
            (b'!', b'!') => (TokenKind::BangBang, 2),
            (b'?', b'?') => (TokenKind::QuestionQuestion, 2),
            (b'&', b'&') => (TokenKind::AndAnd, 2),
            (b'|', b'|') => (TokenKind::BarBar, 2),
            (b'.', b'.') => (TokenKind::DotDot, 2),
            (byte, _) => (single(byte), 1),
        };
        if kind == TokenKind::Unknown {
            self.skip_while(|byte| {
                single(byte) == TokenKind::Unknown
                    && !byte.is_ascii_alphanumeric()
                    && !b" \t\r\n\x0c\0_\"'".contains(&byte)
            });
            // A lone `#` in the middle of a line, or any other sign without a meaning.
            self.at = self.at.max(start + 1);
            self.error(Span::new(start, self.at), "Promela has no such sign");
        } else {
            self.at += length;
        }
        self.push(kind, start, 0);
    }
}

fn single(byte: u8) -> TokenKind {
    match byte {
        b'(' => TokenKind::LeftParen,
        b')' => TokenKind::RightParen,
        b'{' => TokenKind::LeftBrace,
        b'}' => TokenKind::RightBrace,
        b'[' => TokenKind::LeftBracket,
        b']' => TokenKind::RightBracket,
        b',' => TokenKind::Comma,
        b'.' => TokenKind::Dot,
        b':' => TokenKind::Colon,
        b';' => TokenKind::Semi,
        b'=' => TokenKind::Assign,
        b'!' => TokenKind::Bang,
        b'?' => TokenKind::Question,
        b'+' => TokenKind::Plus,
        b'-' => TokenKind::Minus,
        b'*' => TokenKind::Star,
        b'/' => TokenKind::Slash,
        b'\\' => TokenKind::Backslash,
        b'%' => TokenKind::Percent,
        b'&' => TokenKind::Ampersand,
        b'|' => TokenKind::Bar,
        b'^' => TokenKind::Caret,
        b'~' => TokenKind::Tilde,
        b'@' => TokenKind::At,
        b'<' => TokenKind::Less,
        b'>' => TokenKind::Greater,
        _ => TokenKind::Unknown,
    }
}
