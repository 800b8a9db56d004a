//! The token that travels through expansion: its spelling, where it was written, and what expansion
//! has to remember about it.

use crate::lexer::Piece;
use crate::map::{Expansion, Spot};
use crate::symbols::Symbol;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Name,
    Number,
    String,
    Character,
    Operator,
    Other,
    /// In a macro's body: the parameter of this number.
    Parameter(u16),
    /// Nothing, but a place where two tokens met that did not touch in the text. It carries whether
    /// the token it stands for had a blank before it, if it stands for one.
    Padding(Option<bool>),
    /// The end of an argument, a directive or a file.
    End,
}

impl From<Piece> for TokenKind {
    fn from(piece: Piece) -> Self {
        match piece {
            Piece::Name => Self::Name,
            Piece::Number => Self::Number,
            Piece::String => Self::String,
            Piece::Character => Self::Character,
            Piece::Operator => Self::Operator,
            Piece::Other => Self::Other,
            Piece::Newline | Piece::End => Self::End,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) text: Symbol,
    /// Where it is written: in the text proper, in an argument or in a macro's body.
    pub(crate) spot: Spot,
    /// The expansion it came out of.
    pub(crate) expansion: Expansion,
    /// Blanks or comments before it.
    pub(crate) white: bool,
    /// The first of its line.
    pub(crate) line_start: bool,
    /// A macro's name found while that macro was being expanded: never expanded any more.
    pub(crate) painted: bool,
    /// `##` follows.
    pub(crate) pastes: bool,
    /// `#` precedes (parameters only).
    pub(crate) stringified: bool,
}

impl Token {
    pub(crate) fn new(kind: TokenKind, text: Symbol, spot: Spot) -> Self {
        Self {
            kind,
            text,
            spot,
            expansion: Expansion::NONE,
            white: false,
            line_start: false,
            painted: false,
            pastes: false,
            stringified: false,
        }
    }

    pub(crate) fn padding(white: Option<bool>) -> Self {
        Self::new(TokenKind::Padding(white), Symbol::NOTHING, Spot::default())
    }

    pub(crate) fn end(spot: Spot) -> Self {
        Self::new(TokenKind::End, Symbol::NOTHING, spot)
    }

    pub(crate) fn is_padding(&self) -> bool {
        matches!(self.kind, TokenKind::Padding(_))
    }

    pub(crate) fn is_end(&self) -> bool {
        self.kind == TokenKind::End
    }

    pub(crate) fn is_hash(&self) -> bool {
        self.is_operator(Symbol::HASH) || self.is_operator(Symbol::HASH_DIGRAPH)
    }

    pub(crate) fn is_paste(&self) -> bool {
        self.is_operator(Symbol::PASTE) || self.is_operator(Symbol::PASTE_DIGRAPH)
    }

    pub(crate) fn is_operator(&self, operator: Symbol) -> bool {
        self.kind == TokenKind::Operator && self.text == operator
    }
}

/// What is known about the blank before the next token while paddings go by: that of the token the
/// first padding stands for, unless a padding that stands for none comes after one without a blank.
/// (The rule decides whether `a` and `b` in an expansion come out as `ab` or `a b`; it is gcc's.)
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gap {
    pub(crate) padded: bool,
    white: Option<bool>,
}

impl Gap {
    pub(crate) fn pad(&mut self, white: Option<bool>) {
        self.padded = true;
        if self.white.is_none() || (self.white == Some(false) && white.is_none()) {
            self.white = white;
        }
    }

    /// Whether a blank belongs before `token`, which ends the gap.
    pub(crate) fn close(&mut self, token: &Token) -> bool {
        let Gap { white, .. } = std::mem::take(self);
        white.unwrap_or(token.white)
    }
}
