//! Writing the result: a blank where the text had blanks, and where two tokens that did not touch in
//! the text would otherwise be read as one; a new line where the text began one. Lines of a file that
//! includes nothing keep their numbers.

use crate::map::SourceMap;
use crate::symbols::Symbols;
use crate::token::{Gap, Token, TokenKind};

#[derive(Debug, Default)]
pub(crate) struct Output {
    pub(crate) text: String,
    /// File and line that are being written.
    file: u32,
    line: u64,
    last: Option<Token>,
    gap: Gap,
}

impl Output {
    pub(crate) fn new() -> Self {
        Self { line: 1, ..Self::default() }
    }

    /// The text goes on at the start of this line.
    pub(crate) fn start_line(&mut self, file: u32, line: u64) {
        let ahead = if self.file == file { line.saturating_sub(self.line) } else { 0 };
        if ahead > 0 {
            self.text.extend(std::iter::repeat_n('\n', ahead as usize));
        } else if self.last.is_some() {
            self.text.push('\n');
        }
        (self.file, self.line) = (file, line);
        self.last = None;
        self.gap = Gap::default();
    }

    pub(crate) fn token(&mut self, token: Token, symbols: &Symbols, map: &mut SourceMap) {
        if let TokenKind::Padding(white) = token.kind {
            self.gap.pad(white);
            return;
        }
        let padded = self.gap.padded;
        let white = self.gap.close(&token);
        let text = symbols.text(token.text);
        let apart = match &self.last {
            _ if white => true,
            Some(last) => padded && would_merge(last, symbols.text(last.text), &token, text),
            None => false,
        };
        if apart && !self.text.is_empty() {
            self.text.push(' ');
        }
        map.add_output(self.text.len() as u32, text.len(), token.spot, token.expansion);
        self.text.push_str(text);
        self.last = Some(token);
    }

    pub(crate) fn finish(mut self) -> String {
        if self.last.is_some() {
            self.text.push('\n');
        }
        self.text
    }
}

/// Whether two tokens, written side by side, would be read differently.
fn would_merge(first: &Token, first_text: &str, second: &Token, second_text: &str) -> bool {
    let next = match second.kind {
        TokenKind::Operator => second_text.as_bytes().first().copied().unwrap_or(0),
        _ => 0,
    };
    match first.kind {
        TokenKind::Name => match second.kind {
            TokenKind::Name | TokenKind::String | TokenKind::Character => true,
            // A number that could be the rest of a name.
            TokenKind::Number => {
                second_text.chars().all(|character| character.is_alphanumeric() || character == '_')
            }
            _ => false,
        },
        TokenKind::Number => {
            matches!(second.kind, TokenKind::Name | TokenKind::Number | TokenKind::Character)
                || matches!(next, b'.' | b'+' | b'-')
        }
        TokenKind::Operator => match (first_text, next) {
            ("=" | "!" | ">" | "<" | "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | ">>" | "<<", b'=') => {
                true
            }
            (">", b'>') | ("<", b'<' | b'%' | b':') | ("+", b'+') | ("-", b'-' | b'>') => true,
            ("/", b'/' | b'*') | ("%", b':' | b'%') | ("&", b'&') | ("|", b'|') | (":", b':' | b'>') => true,
            ("->", b'*') | (".", b'.' | b'%') | ("#" | "%:", b'#' | b'%') => true,
            (".", _) => second.kind == TokenKind::Number,
            _ => false,
        },
        TokenKind::Other => first_text == "\\" && second.kind == TokenKind::Name,
        _ => false,
    }
}
