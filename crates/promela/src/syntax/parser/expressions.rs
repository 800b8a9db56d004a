//! Expressions, by precedence climbing with the precedences of SPIN's grammar.
//!
//! From low to high: `->` and `<->` (in formulas), `||`, `&&`, `U` `W` `V` (in formulas), `|`, `^`, `&`,
//! equality, order, shifts, sums, products, and then everything with one operand, temporal or not. All
//! operators with two operands associate to the left.
//!
//! SPIN protects `full`, `empty` and their opposites from being negated or calculated with: they may
//! only be joined by `&&` and `||`. So every result tells whether there is such a probe on its surface.

use source::{Diagnostic, Span};

use super::{Halt, Parsed, Parser};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Part, Probe, UnaryOp, VarRef};
use crate::syntax::token::{Token, TokenKind, Word};

/// No tree of an expression is higher: `a + a + a ...` nests as well.
const HEIGHT_LIMIT: u32 = 1000;

/// An expression, with what the grammar needs to know about it.
pub(super) struct Operand {
    expr: Expr,
    /// Has `full`, `empty`, `nfull` or `nempty` on its surface.
    probe: bool,
    /// The height of its tree.
    height: u32,
}

impl Operand {
    fn leaf(kind: ExprKind, span: Span) -> Self {
        Operand { expr: Expr { kind, span }, probe: false, height: 1 }
    }
}

impl Parser<'_> {
    /// An expression that may have probes on its surface.
    pub(super) fn full_expression(&mut self) -> Parsed<Expr> {
        Ok(self.binary(0)?.expr)
    }

    /// An expression that may not.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let operand = self.binary(0)?;
        self.without_probe(&operand)?;
        Ok(operand.expr)
    }

    /// The rest of an expression whose first variable has been read.
    pub(super) fn expression_after(&mut self, variable: VarRef) -> Parsed<Expr> {
        let first = self.after_variable(variable)?;
        Ok(self.binary_after(first, 0)?.expr)
    }

    pub(super) fn can_begin_expression(&self, kind: TokenKind) -> bool {
        match kind {
            TokenKind::Name
            | TokenKind::Number
            | TokenKind::LeftParen
            | TokenKind::Bang
            | TokenKind::Minus
            | TokenKind::Tilde => true,
            TokenKind::Word(word) => matches!(
                word,
                Word::Run
                    | Word::Len
                    | Word::Enabled
                    | Word::GetPriority
                    | Word::Timeout
                    | Word::NonProgress
                    | Word::PcValue
                    | Word::Full
                    | Word::Empty
                    | Word::Nfull
                    | Word::Nempty
            ),
            _ => false,
        }
    }

    fn without_probe(&mut self, operand: &Operand) -> Parsed<()> {
        if !operand.probe {
            return Ok(());
        }
        let message = "a channel probe can only stand by itself or between `&&` and `||`";
        let help = "instead of negating, write nfull for full, nempty for empty, and the other way round";
        self.report(Diagnostic::error(operand.expr.span, message).help(help));
        Err(Halt)
    }

    fn binary(&mut self, lowest: u8) -> Parsed<Operand> {
        let first = self.unary()?;
        self.binary_after(first, lowest)
    }

    fn binary_after(&mut self, mut left: Operand, lowest: u8) -> Parsed<Operand> {
        while let Some((op, precedence, tokens)) = self.binary_operator() {
            if precedence < lowest {
                break;
            }
            for _ in 0..tokens {
                self.bump();
            }
            let right = self.nested(|parser| parser.binary(precedence + 1))?;
            left = self.join(op, left, right)?;
        }
        Ok(left)
    }

    fn join(&mut self, op: BinaryOp, left: Operand, right: Operand) -> Parsed<Operand> {
        let joins_probes = matches!(op, BinaryOp::And | BinaryOp::Or);
        if !joins_probes {
            self.without_probe(&left)?;
            self.without_probe(&right)?;
        }
        let height = left.height.max(right.height) + 1;
        let span = join_spans(left.expr.span, right.expr.span);
        if height > HEIGHT_LIMIT {
            let message = format!("this expression has more than {HEIGHT_LIMIT} operators in a row");
            return Err(self.give_up(Diagnostic::error(right.expr.span, message)));
        }
        let probe = joins_probes && (left.probe || right.probe);
        let kind = ExprKind::Binary { op, left: Box::new(left.expr), right: Box::new(right.expr) };
        Ok(Operand { expr: Expr { kind, span }, probe, height })
    }

    /// The operator that comes next, its precedence and how many tokens it has.
    fn binary_operator(&self) -> Option<(BinaryOp, u8, usize)> {
        if self.in_formula
            && let Some(found) = self.temporal_binary()
        {
            return Some(found);
        }
        let (op, precedence) = match self.peek() {
            TokenKind::BarBar => (BinaryOp::Or, 2),
            TokenKind::AndAnd => (BinaryOp::And, 3),
            TokenKind::Bar => (BinaryOp::BitOr, 5),
            TokenKind::Caret => (BinaryOp::BitXor, 6),
            TokenKind::Ampersand => (BinaryOp::BitAnd, 7),
            TokenKind::EqualEqual => (BinaryOp::Equal, 8),
            TokenKind::NotEqual => (BinaryOp::NotEqual, 8),
            // `>` also closes `c?<...>`, but no expression stands there outside of parentheses.
            TokenKind::Less => (BinaryOp::Less, 9),
            TokenKind::LessEqual => (BinaryOp::LessEqual, 9),
            TokenKind::Greater => (BinaryOp::Greater, 9),
            TokenKind::GreaterEqual => (BinaryOp::GreaterEqual, 9),
            TokenKind::ShiftLeft => (BinaryOp::ShiftLeft, 10),
            TokenKind::ShiftRight => (BinaryOp::ShiftRight, 10),
            TokenKind::Plus => (BinaryOp::Add, 11),
            TokenKind::Minus => (BinaryOp::Subtract, 11),
            TokenKind::Star => (BinaryOp::Multiply, 12),
            TokenKind::Slash => (BinaryOp::Divide, 12),
            TokenKind::Percent => (BinaryOp::Remainder, 12),
            _ => return None,
        };
        Some((op, precedence, 1))
    }

    fn unary(&mut self) -> Parsed<Operand> {
        let first = self.token();
        let temporal = if self.in_formula { self.temporal_unary() } else { None };
        let (op, tokens) = match (temporal, self.peek()) {
            (Some(found), _) => found,
            (None, TokenKind::Bang) => (UnaryOp::Not, 1),
            (None, TokenKind::Minus) => (UnaryOp::Minus, 1),
            (None, TokenKind::Tilde) => (UnaryOp::Complement, 1),
            _ => return self.primary(),
        };
        for _ in 0..tokens {
            self.bump();
        }
        let operand = self.nested(Self::unary)?;
        self.without_probe(&operand)?;
        let span = self.span_from(first);
        let kind = ExprKind::Unary { op, operand: Box::new(operand.expr) };
        Ok(Operand { expr: Expr { kind, span }, probe: false, height: operand.height + 1 })
    }

    fn primary(&mut self) -> Parsed<Operand> {
        let first = self.token();
        let kind = match self.peek() {
            TokenKind::Number => ExprKind::Number(self.bump().value),
            TokenKind::LeftParen => return self.nested(Self::parenthesised),
            TokenKind::Name if self.at_remote_reference() => self.remote_reference()?,
            TokenKind::Name => {
                let variable = self.variable()?;
                return self.after_variable(variable);
            }
            TokenKind::Word(Word::Timeout) => {
                self.bump();
                ExprKind::Timeout
            }
            TokenKind::Word(Word::NonProgress) => {
                self.bump();
                ExprKind::NonProgress
            }
            TokenKind::Word(Word::Run) => self.run()?,
            TokenKind::Word(Word::Len) => ExprKind::Len(self.channel_argument("after `len`")?),
            TokenKind::Word(Word::Enabled) => ExprKind::Enabled(self.argument("after `enabled`")?),
            TokenKind::Word(Word::PcValue) => ExprKind::PcValue(self.argument("after `pc_value`")?),
            TokenKind::Word(Word::GetPriority) => {
                ExprKind::GetPriority(self.argument("after `get_priority`")?)
            }
            TokenKind::Word(Word::Full) => return self.probe(Probe::Full, first),
            TokenKind::Word(Word::Empty) => return self.probe(Probe::Empty, first),
            TokenKind::Word(Word::Nfull) => return self.probe(Probe::NotFull, first),
            TokenKind::Word(Word::Nempty) => return self.probe(Probe::NotEmpty, first),
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Operand::leaf(kind, self.span_from(first)))
    }

    /// `(e)` or `(c -> a : b)`
    fn parenthesised(&mut self) -> Parsed<Operand> {
        let opening = self.open(TokenKind::LeftParen, "")?;
        let mut inner = self.binary(0)?;
        if self.in_formula || self.peek() != TokenKind::Arrow {
            self.close(TokenKind::RightParen, opening)?;
            inner.expr.span = self.span_from(opening);
            return Ok(inner);
        }
        self.without_probe(&inner)?;
        self.bump();
        let then = self.binary(0)?;
        self.without_probe(&then)?;
        self.expect(TokenKind::Colon, "between the two values of `(condition -> value : value)`")?;
        let otherwise = self.binary(0)?;
        self.without_probe(&otherwise)?;
        self.close(TokenKind::RightParen, opening)?;
        let height = inner.height.max(then.height).max(otherwise.height) + 1;
        let kind = ExprKind::Conditional {
            condition: Box::new(inner.expr),
            then: Box::new(then.expr),
            otherwise: Box::new(otherwise.expr),
        };
        Ok(Operand { expr: Expr { kind, span: self.span_from(opening) }, probe: false, height })
    }

    /// A variable as a value, or `c?[...]`.
    fn after_variable(&mut self, variable: VarRef) -> Parsed<Operand> {
        let start = variable.span;
        let kind = self.peek();
        if !matches!(kind, TokenKind::Question | TokenKind::QuestionQuestion)
            || self.peek_second() != TokenKind::LeftBracket
        {
            return Ok(Operand::leaf(ExprKind::Name(variable), start));
        }
        self.bump();
        let opening = self.open(TokenKind::LeftBracket, "")?;
        let patterns = self.nested(Self::patterns)?;
        let closing = self.close(TokenKind::RightBracket, opening)?;
        let poll =
            ExprKind::Poll { channel: variable, random: kind == TokenKind::QuestionQuestion, patterns };
        Ok(Operand::leaf(poll, join_spans(start, closing.site)))
    }

    /// `x`, `x[i]`, `x.f[i].g`
    pub(super) fn variable(&mut self) -> Parsed<VarRef> {
        let first = self.token();
        let mut parts = vec![self.part("a variable")?];
        while self.eat(TokenKind::Dot) {
            parts.push(self.part("a field")?);
        }
        Ok(VarRef { parts, span: self.span_from(first) })
    }

    fn part(&mut self, what: &str) -> Parsed<Part> {
        let name = self.ident(what)?;
        // In formulas `[]` is an operator and no empty index.
        if self.peek() != TokenKind::LeftBracket
            || self.in_formula && self.peek_second() == TokenKind::RightBracket
        {
            return Ok(Part { name, index: None });
        }
        let index = self.index()?;
        Ok(Part { name, index: Some(index) })
    }

    fn index(&mut self) -> Parsed<Expr> {
        let opening = self.open(TokenKind::LeftBracket, "")?;
        let index = self.nested(Self::expression)?;
        self.close(TokenKind::RightBracket, opening)?;
        Ok(index)
    }

    /// A proctype and then `[`, `@` or `:`.
    pub(super) fn at_remote_reference(&self) -> bool {
        let second = self.peek_second();
        match second {
            TokenKind::At => true,
            TokenKind::LeftBracket | TokenKind::Colon => {
                self.proctypes.contains(self.token().span.text(self.text))
            }
            _ => false,
        }
    }

    /// `P[pid]@label`, `P@label`, `P[pid]:x`, `P:x`
    fn remote_reference(&mut self) -> Parsed<ExprKind> {
        let proctype = self.bump_ident();
        let process =
            if self.peek() == TokenKind::LeftBracket { Some(Box::new(self.index()?)) } else { None };
        if self.eat(TokenKind::At) {
            let label = self.ident("a label after `@`")?;
            return Ok(ExprKind::RemoteLabel { proctype, process, label });
        }
        if self.eat(TokenKind::Colon) {
            let variable = Box::new(self.part("a variable after `:`")?);
            return Ok(ExprKind::RemoteVariable { proctype, process, variable });
        }
        let message = format!("`{}` is a proctype, not a variable", proctype.name);
        let help = "refer to a place with `@label`, to a variable with `:name`";
        self.report(Diagnostic::error(proctype.span, message).help(help));
        Err(Halt)
    }

    /// `run P(e, f) priority n`
    fn run(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let proctype = self.ident("a proctype after `run`")?;
        let opening = self.open(TokenKind::LeftParen, "after the proctype")?;
        let arguments =
            if self.peek() == TokenKind::RightParen { Vec::new() } else { self.nested(Self::expressions)? };
        self.close(TokenKind::RightParen, opening)?;
        let priority = self.priority()?;
        Ok(ExprKind::Run { proctype, arguments, priority })
    }

    fn argument(&mut self, after: &str) -> Parsed<Box<Expr>> {
        self.bump();
        let opening = self.open(TokenKind::LeftParen, after)?;
        let value = self.nested(Self::expression)?;
        self.close(TokenKind::RightParen, opening)?;
        Ok(Box::new(value))
    }

    fn channel_argument(&mut self, after: &str) -> Parsed<VarRef> {
        self.bump();
        let opening = self.open(TokenKind::LeftParen, after)?;
        let channel = self.variable()?;
        self.close(TokenKind::RightParen, opening)?;
        Ok(channel)
    }

    fn probe(&mut self, probe: Probe, first: Token) -> Parsed<Operand> {
        let channel = self.channel_argument("after a channel probe")?;
        let kind = ExprKind::Probe { probe, channel };
        Ok(Operand { probe: true, ..Operand::leaf(kind, self.span_from(first)) })
    }
}

/// From one to the other; the second may stand before the first where an inline's argument is involved.
fn join_spans(left: Span, right: Span) -> Span {
    if right.end >= left.start { left.to(right) } else { left }
}
