//! Sending and receiving.

use super::{Parsed, Parser};
use crate::syntax::ast::{Expr, Pattern, Spanned, StmtKind, VarRef};
use crate::syntax::token::{TokenKind, Word};

impl Parser<'_> {
    /// `!e, f`, `!e(f)` and the same with `!!`, after the channel.
    pub(super) fn send(&mut self, channel: VarRef) -> Parsed<StmtKind> {
        let sorted = self.bump().kind == TokenKind::BangBang;
        let mut values = vec![self.expression()?];
        if self.peek() == TokenKind::LeftParen {
            let opening = self.open(TokenKind::LeftParen, "")?;
            values.extend(self.expressions()?);
            self.close(TokenKind::RightParen, opening)?;
        } else if self.eat(TokenKind::Comma) {
            values.extend(self.expressions()?);
        }
        Ok(StmtKind::Send { channel, sorted, values })
    }

    /// One or more expressions with commas between them.
    pub(super) fn expressions(&mut self) -> Parsed<Vec<Expr>> {
        let mut values = vec![self.expression()?];
        while self.eat(TokenKind::Comma) {
            values.push(self.expression()?);
        }
        Ok(values)
    }

    /// `?x`, `??x`, `?<x>` or `??<x>`, after the channel.
    pub(super) fn receive(&mut self, channel: VarRef) -> Parsed<StmtKind> {
        let random = self.bump().kind == TokenKind::QuestionQuestion;
        let keep = self.eat(TokenKind::Less);
        let patterns = self.patterns()?;
        if keep {
            self.expect(TokenKind::Greater, "to close `<`")?;
        }
        Ok(StmtKind::Receive { channel, random, keep, patterns })
    }

    /// What a message is compared with: `x, y`, `x(y)`, `(x, y)`, nested as one likes.
    pub(super) fn patterns(&mut self) -> Parsed<Vec<Pattern>> {
        let mut patterns = Vec::new();
        loop {
            if self.peek() == TokenKind::LeftParen {
                self.inner_patterns(&mut patterns)?;
                return Ok(patterns);
            }
            patterns.push(self.pattern()?);
            match self.peek() {
                TokenKind::Comma => drop(self.bump()),
                TokenKind::LeftParen => {
                    self.inner_patterns(&mut patterns)?;
                    return Ok(patterns);
                }
                _ => return Ok(patterns),
            }
        }
    }

    fn inner_patterns(&mut self, patterns: &mut Vec<Pattern>) -> Parsed<()> {
        let opening = self.open(TokenKind::LeftParen, "")?;
        patterns.extend(self.nested(Self::patterns)?);
        self.close(TokenKind::RightParen, opening)?;
        Ok(())
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        match self.peek() {
            TokenKind::Word(Word::Eval) => {
                self.bump();
                let opening = self.open(TokenKind::LeftParen, "after `eval`")?;
                let value = self.expression()?;
                self.close(TokenKind::RightParen, opening)?;
                Ok(Pattern::Eval(value))
            }
            TokenKind::Number => {
                let token = self.bump();
                Ok(Pattern::Number(Spanned { value: token.value, span: token.site }))
            }
            TokenKind::Minus if self.peek_second() == TokenKind::Number => {
                let first = self.bump();
                let value = self.bump().value.wrapping_neg();
                Ok(Pattern::Number(Spanned { value, span: self.span_from(first) }))
            }
            TokenKind::Name => Ok(Pattern::Name(self.variable()?)),
            _ => Err(self.unexpected("a variable, a constant or `eval`")),
        }
    }
}
