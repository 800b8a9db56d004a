//! The tokens both spellings are reduced to.

use source::{Diagnostic, Span};

use crate::Test;

/// More errors in one formula help nobody.
pub(crate) const MAX_ERRORS: usize = 20;

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    OpenBox,
    CloseBox,
    OpenDiamond,
    CloseDiamond,
    OpenParenthesis,
    CloseParenthesis,
    Dot,
    Bar,
    Star,
    Plus,
    Question,
    Nil,
    True,
    False,
    Not,
    And,
    Or,
    Implies,
    Equivalent,
    Test(Test),
    /// A part of the language that is known but not supported: why, and what to do instead.
    Refused {
        message: String,
        help: &'static str,
    },
    /// Something that was reported already.
    Broken,
    End,
}

/// What a spelling makes of a text. The tokens end with [`TokenKind::End`].
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    pub(crate) tokens: Vec<Token>,
    pub(crate) errors: Vec<Diagnostic>,
}

impl Tokens {
    /// The tokens as they stand in `text`, with one blank wherever anything lay between two of them.
    pub(crate) fn on_one_line(&self, text: &str) -> String {
        let mut line = String::new();
        let mut end = None;
        for token in &self.tokens {
            if end.is_some_and(|end| end < token.span.start) {
                line.push(' ');
            }
            line.push_str(token.span.text(text));
            end = Some(token.span.end);
        }
        line
    }

    pub(crate) fn push(&mut self, kind: TokenKind, span: Span) {
        self.tokens.push(Token { kind, span });
    }

    /// Reports an error and leaves a token in its place, so that the grammar knows that something
    /// was there and keeps quiet about it.
    pub(crate) fn broken(&mut self, span: Span, error: Diagnostic) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(error);
        }
        self.push(TokenKind::Broken, span);
    }

    /// Reports a character that starts no token.
    pub(crate) fn unknown(&mut self, at: usize, char: char) {
        let span = Span::new(at, at + char.len_utf8());
        let message = format!("the character `{}` means nothing here", char.escape_debug());
        self.broken(span, Diagnostic::error(span, message));
    }

    /// Ends the tokens behind the last of them.
    pub(crate) fn end(mut self) -> Self {
        let end = self.tokens.last().map_or(0, |token| token.span.end);
        self.push(TokenKind::End, Span::at(end));
        self
    }
}
