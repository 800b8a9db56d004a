//! Comments that say something to whoever reads the output: `//@ name: text`, to the end of the line.
//!
//! A comment whose name the caller knows stands for tokens: those before, those of its text, and those behind. The
//! others are blanks, as every comment is.

use std::collections::VecDeque;

use crate::engine::{Engine, Reading};
use crate::lexer::{Lexeme, Piece, lex};
use crate::map::Spot;
use crate::token::{Token, TokenKind};

/// A comment that stands for something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    pub name: String,
    /// What stands before its text, and behind it.
    pub before: String,
    pub after: String,
}

/// The name of an annotation and where its text begins, if a comment is one.
fn parts(comment: &str) -> Option<(&str, usize)> {
    let rest = comment.strip_prefix("//@")?;
    let colon = rest.find(':')?;
    Some((rest[..colon].trim(), "//@".len() + colon + 1))
}

impl Engine<'_> {
    /// The tokens that an annotation between two offsets of the joined text stands for.
    pub(crate) fn annotated(&mut self, from: usize, to: usize, line_start: bool) -> VecDeque<Token> {
        let mut tokens = VecDeque::new();
        let Some(frame) = self.frames.last() else { return tokens };
        if self.options.annotations.is_empty() || self.reading == Reading::Arguments {
            return tokens;
        }
        let content = frame.content.clone();
        let gap = &content.joined.text()[from..to];
        let Some(start) = gap.find("//@") else { return tokens };
        let Some((name, text)) = parts(&gap[start..]) else { return tokens };
        let Some(known) = self.options.annotations.iter().find(|known| known.name == name) else {
            return tokens;
        };
        let spot = frame.spot(from + start, to);
        self.side_tokens(&known.before, spot, &mut tokens);
        let mut at = from + start + text;
        loop {
            let lexeme = lex(&content.joined.text()[..to], at);
            if matches!(lexeme.piece, Piece::Newline | Piece::End) {
                break;
            }
            at = lexeme.end;
            let token = self.token(Lexeme { white: true, ..lexeme });
            tokens.push_back(token);
        }
        self.side_tokens(&known.after, spot, &mut tokens);
        if let Some(first) = tokens.front_mut() {
            first.line_start = line_start;
        }
        tokens
    }

    /// Tokens that stand nowhere but are told to stand at `spot`.
    fn side_tokens(&mut self, text: &str, spot: Spot, tokens: &mut VecDeque<Token>) {
        let mut at = 0;
        loop {
            let lexeme = lex(text, at);
            if matches!(lexeme.piece, Piece::Newline | Piece::End) {
                return;
            }
            at = lexeme.end;
            let symbol = self.symbols.intern(&text[lexeme.start..lexeme.end]);
            tokens
                .push_back(Token { white: true, ..Token::new(TokenKind::from(lexeme.piece), symbol, spot) });
        }
    }
}
