//! Regular formulas, and the action formulas in them.
//!
//! A regular formula is never inside an action formula. So every operator on actions binds tighter
//! than every operator on regular formulas: `not 'A'*` is `(not 'A')*`, and `'A' or 'B'*` is
//! `('A' or 'B')*`, because in both grammars there is no other way to derive it. The second
//! surprises, hence a warning. Parentheses can be either, so what stands in them is parsed as a
//! regular formula, and an operator on actions asks afterwards whether its operands are action
//! formulas.

use source::{Diagnostic, Span};

use super::{Parser, Stop};
use crate::token::TokenKind;
use crate::{Atom, Predicate, Regular, Repeat, Spelling, Traces};

/// A regular formula with its place.
pub(super) struct Part {
    pub(super) regular: Traces,
    span: Span,
    /// Whether it is an operator on actions without parentheses around it.
    bare: bool,
}

/// Regular formulas.
impl Parser<'_> {
    pub(super) fn choice(&mut self) -> Result<Part, Stop> {
        let mut parts = vec![self.sequence()?];
        let operator = match self.spelling {
            Spelling::Mcl => TokenKind::Bar,
            Spelling::Mcf => TokenKind::Plus,
        };
        while self.accept(&operator) {
            parts.push(self.sequence()?);
        }
        Ok(regular_of(parts, Regular::choice))
    }

    fn sequence(&mut self) -> Result<Part, Stop> {
        let parts = self.list(&TokenKind::Dot, Self::repetition)?;
        Ok(regular_of(parts, Regular::sequence))
    }

    fn repetition(&mut self) -> Result<Part, Stop> {
        let mut part = self.equivalence()?;
        loop {
            let repeat = match self.token().kind {
                TokenKind::Star => Repeat::Star,
                TokenKind::Plus if !self.plus_is_choice() => Repeat::Plus,
                TokenKind::Question => Repeat::Optional,
                _ => break,
            };
            let sign = self.advance();
            if part.bare {
                self.warnings.push(surprising_repetition(self.text, part.span, sign));
            }
            part = Part { regular: part.regular.repeat(repeat), span: part.span.to(sign), bare: false };
        }
        let after = self.token().kind.clone();
        if matches!(after, TokenKind::And | TokenKind::Or | TokenKind::Implies | TokenKind::Equivalent) {
            let operator = self.advance();
            return Err(self.not_an_action(&part, operator));
        }
        Ok(part)
    }

    /// In mCRL2 a `+` is a choice if something follows that can be chosen.
    fn plus_is_choice(&self) -> bool {
        self.spelling == Spelling::Mcf
            && self.tokens.get(self.at + 1).is_some_and(|next| {
                matches!(
                    next.kind,
                    TokenKind::Test(_)
                        | TokenKind::True
                        | TokenKind::False
                        | TokenKind::Nil
                        | TokenKind::Not
                        | TokenKind::OpenParenthesis
                        | TokenKind::Refused { .. }
                        | TokenKind::Broken
                )
            })
    }
}

fn regular_of(mut parts: Vec<Part>, join: fn(Vec<Traces>) -> Traces) -> Part {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let span = parts[0].span.to(parts[parts.len() - 1].span);
    Part { regular: join(parts.into_iter().map(|part| part.regular).collect()), span, bare: false }
}

fn surprising_repetition(text: &str, action: Span, sign: Span) -> Diagnostic {
    let (action_text, sign_text) = (action.text(text), sign.text(text));
    Diagnostic::warning(action.to(sign), format!("`{sign_text}` repeats all of `{action_text}`"))
        .help(format!("operators on actions bind tighter; write `({action_text}){sign_text}` to say so"))
}

/// Action formulas, which are regular formulas until an operator wants to know.
impl Parser<'_> {
    fn equivalence(&mut self) -> Result<Part, Stop> {
        let first = self.implication()?;
        self.operands(first, &TokenKind::Equivalent, Self::implication, Predicate::Equivalent)
    }

    fn implication(&mut self) -> Result<Part, Stop> {
        let left = self.disjunction()?;
        if !self.is(&TokenKind::Implies) {
            return Ok(left);
        }
        let operator = self.advance();
        let right = self.deeper(Self::implication)?;
        let span = left.span.to(right.span);
        let [left, right] = [left, right].map(|part| self.action(part, operator));
        let predicate = Predicate::Implies(Box::new(left?), Box::new(right?));
        Ok(Part { regular: Regular::Atom(predicate), span, bare: true })
    }

    fn disjunction(&mut self) -> Result<Part, Stop> {
        let first = self.conjunction()?;
        self.operands(first, &TokenKind::Or, Self::conjunction, Predicate::Or)
    }

    fn conjunction(&mut self) -> Result<Part, Stop> {
        let first = self.negation()?;
        self.operands(first, &TokenKind::And, Self::negation, Predicate::And)
    }

    /// The operands of an operator on actions, of which there may be only one.
    fn operands(
        &mut self,
        first: Part,
        operator: &TokenKind,
        next: fn(&mut Self) -> Result<Part, Stop>,
        join: fn(Vec<Predicate<Atom>>) -> Predicate<Atom>,
    ) -> Result<Part, Stop> {
        if !self.is(operator) {
            return Ok(first);
        }
        let mut span = first.span;
        let mut pending = Some(first);
        let mut predicates = Vec::new();
        while self.is(operator) {
            let sign = self.advance();
            if let Some(first) = pending.take() {
                predicates.push(self.action(first, sign)?);
            }
            let part = next(self)?;
            span = span.to(part.span);
            predicates.push(self.action(part, sign)?);
        }
        Ok(Part { regular: Regular::Atom(join(predicates)), span, bare: true })
    }

    fn negation(&mut self) -> Result<Part, Stop> {
        if !self.is(&TokenKind::Not) {
            return self.primary();
        }
        let operator = self.advance();
        let inside = self.deeper(Self::negation)?;
        let span = operator.to(inside.span);
        let predicate = Predicate::Not(Box::new(self.action(inside, operator)?));
        // Not "bare": everybody expects `not 'A'*` to be `(not 'A')*`.
        Ok(Part { regular: Regular::Atom(predicate), span, bare: false })
    }

    fn primary(&mut self) -> Result<Part, Stop> {
        let span = self.span();
        let regular = match self.token().kind.clone() {
            TokenKind::True => Regular::Atom(Predicate::True),
            TokenKind::False => Regular::Atom(Predicate::False),
            TokenKind::Nil => Regular::nil(),
            TokenKind::Test(test) => Regular::Atom(Predicate::Atom(Atom { test, span })),
            TokenKind::OpenParenthesis => {
                self.advance();
                let inside = self.deeper(Self::choice)?;
                let end = self.expect(&TokenKind::CloseParenthesis, "an operator or `)`")?;
                return Ok(Part { regular: inside.regular, span: span.to(end), bare: false });
            }
            _ => return Err(self.unexpected("a regular formula")),
        };
        self.advance();
        Ok(Part { regular, span, bare: false })
    }

    /// The action formula that an operand has to be.
    fn action(&mut self, part: Part, operator: Span) -> Result<Predicate<Atom>, Stop> {
        match part.regular {
            Regular::Atom(predicate) => Ok(predicate),
            _ => Err(self.not_an_action(&part, operator)),
        }
    }

    fn not_an_action(&mut self, part: &Part, operator: Span) -> Stop {
        let choice = match self.spelling {
            Spelling::Mcl => "`|`",
            Spelling::Mcf => "`+`",
        };
        let operator = operator.text(self.text);
        let message = format!("`{operator}` is for action formulas, and this is a regular formula");
        let error = Diagnostic::error(part.span, message)
            .help(format!("regular formulas can be joined by {choice} and `.`; they have no complement"));
        self.error(error)
    }
}
