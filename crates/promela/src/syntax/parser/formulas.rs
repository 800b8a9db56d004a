//! The temporal operators, which only `ltl` blocks know. Their signs are made of tokens that mean
//! something else elsewhere, so they are put together here: `[]`, `<>`, `<->`, `/\` and `\/` must be
//! written without blanks inside.

use super::Parser;
use crate::syntax::ast::{BinaryOp, UnaryOp};
use crate::syntax::token::TokenKind;

impl Parser<'_> {
    /// The next two tokens, if nothing stands between them.
    fn joined(&self) -> Option<(TokenKind, TokenKind)> {
        let first = self.token();
        let second = self.tokens.get(self.at + 1)?;
        (first.span.end == second.span.start).then_some((first.kind, second.kind))
    }

    fn name(&self) -> &str {
        let token = self.token();
        if token.kind == TokenKind::Name { token.span.text(self.text) } else { "" }
    }

    /// A temporal operator before its operand, and how many tokens it has.
    pub(super) fn temporal_unary(&self) -> Option<(UnaryOp, usize)> {
        match self.joined() {
            Some((TokenKind::LeftBracket, TokenKind::RightBracket)) => return Some((UnaryOp::Always, 2)),
            Some((TokenKind::Less, TokenKind::Greater)) => return Some((UnaryOp::Eventually, 2)),
            _ => {}
        }
        let op = match self.name() {
            "always" => UnaryOp::Always,
            "eventually" => UnaryOp::Eventually,
            "X" | "next" => UnaryOp::Next,
            _ => return None,
        };
        Some((op, 1))
    }

    /// A temporal operator between its operands, its precedence and how many tokens it has.
    pub(super) fn temporal_binary(&self) -> Option<(BinaryOp, u8, usize)> {
        match self.joined() {
            Some((TokenKind::Less, TokenKind::Arrow)) => return Some((BinaryOp::Equivalent, 1, 2)),
            Some((TokenKind::Slash, TokenKind::Backslash)) => return Some((BinaryOp::And, 3, 2)),
            Some((TokenKind::Backslash, TokenKind::Slash)) => return Some((BinaryOp::Or, 2, 2)),
            _ => {}
        }
        if self.token().kind == TokenKind::Arrow {
            return Some((BinaryOp::Implies, 1, 1));
        }
        let (op, precedence) = match self.name() {
            "implies" => (BinaryOp::Implies, 1),
            "equivalent" => (BinaryOp::Equivalent, 1),
            "U" | "until" | "stronguntil" => (BinaryOp::Until, 4),
            "W" | "weakuntil" => (BinaryOp::WeakUntil, 4),
            "V" | "release" => (BinaryOp::Release, 4),
            _ => return None,
        };
        Some((op, precedence, 1))
    }
}
