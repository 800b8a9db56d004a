//! One grammar for both spellings.
//!
//! MCL and mCRL2 agree on everything but the spelling, and on the precedence, from loose to tight:
//!
//! - state formulas: equivalence, implication, or, and; `not`, boxes and diamonds;
//! - regular formulas: choice, sequence, repetition;
//! - action formulas: equivalence, implication, or, and, not.
//!
//! Here are state formulas; what stands in boxes and diamonds is in [`regular`]. After an error
//! inside a box or diamond parsing goes on behind it.

mod regular;

use source::{Diagnostic, Span};

use crate::token::{MAX_ERRORS, Token, TokenKind, Tokens};
use crate::{Regular, Spelling, Traces};

/// How deeply parentheses, negations, modalities and implications may be nested.
const MAX_DEPTH: usize = 100;

/// A state formula, as much of them as can be told apart without data and fixed points.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) kind: StateKind,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum StateKind {
    True,
    False,
    Not(Box<State>),
    And(Vec<State>),
    Or(Vec<State>),
    Implies(Box<State>, Box<State>),
    /// Never supported, so its parts are of no interest.
    Equivalent,
    Box(Traces, Box<State>),
    Diamond(Traces, Box<State>),
}

#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) formula: State,
    pub(crate) warnings: Vec<Diagnostic>,
}

pub(crate) fn parse(text: &str, spelling: Spelling, tokens: Tokens) -> Result<Parsed, Vec<Diagnostic>> {
    let Tokens { tokens, errors } = tokens;
    let mut parser = Parser {
        text,
        spelling,
        tokens,
        at: 0,
        depth: 0,
        errors,
        warnings: Vec::new(),
        too_deep: false,
        refused_at: usize::MAX,
    };
    let formula = parser.whole();
    let refused_at = parser.refused_at;
    parser.errors.retain(|error| error.span.start <= refused_at);
    parser.errors.sort_by_key(|error| error.span);
    parser.errors.truncate(MAX_ERRORS);
    match formula {
        Ok(formula) if parser.errors.is_empty() => Ok(Parsed { formula, warnings: parser.warnings }),
        _ => Err(parser.errors),
    }
}

/// Parsing cannot go on here; why is in [`Parser::errors`].
struct Stop;

struct Parser<'a> {
    text: &'a str,
    spelling: Spelling,
    /// Never empty: the last one is [`TokenKind::End`].
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    too_deep: bool,
    /// Where a part of the language is used that is not supported. What seems wrong behind it may be
    /// right in the whole language.
    refused_at: usize,
}

impl Parser<'_> {
    fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn span(&self) -> Span {
        self.token().span
    }

    fn is(&self, kind: &TokenKind) -> bool {
        self.token().kind == *kind
    }

    fn advance(&mut self) -> Span {
        let span = self.span();
        if !self.is(&TokenKind::End) {
            self.at += 1;
        }
        span
    }

    fn accept(&mut self, kind: &TokenKind) -> bool {
        let found = self.is(kind);
        if found {
            self.at += 1;
        }
        found
    }

    fn error(&mut self, error: Diagnostic) -> Stop {
        // There may be as many errors in the characters already, perhaps all of them further on.
        if self.errors.len() < 2 * MAX_ERRORS {
            self.errors.push(error);
        }
        Stop
    }

    /// Reports that the token at hand does not fit, with what would.
    fn unexpected(&mut self, expected: &str) -> Stop {
        let span = self.span();
        let error = match self.token().kind.clone() {
            TokenKind::Broken => return Stop,
            TokenKind::Refused { message, help } => {
                // Later ones are further on; one that is not reported must not hide others.
                if self.errors.len() < 2 * MAX_ERRORS {
                    self.refused_at = self.refused_at.min(span.start);
                }
                Diagnostic::error(span, message).help(help)
            }
            TokenKind::End if self.tokens.len() == 1 => Diagnostic::error(span, "the formula is empty"),
            TokenKind::End => Diagnostic::error(span, format!("{expected} is missing at the end")),
            _ => {
                let message = format!("found `{}` where {expected} should be", span.text(self.text));
                Diagnostic::error(span, message)
            }
        };
        self.error(error)
    }

    fn expect(&mut self, kind: &TokenKind, expected: &str) -> Result<Span, Stop> {
        if self.is(kind) { Ok(self.advance()) } else { Err(self.unexpected(expected)) }
    }

    /// Parses something one level deeper.
    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        if self.depth == MAX_DEPTH {
            if !std::mem::replace(&mut self.too_deep, true) {
                let message = format!("the formula is nested more than {MAX_DEPTH} levels deep");
                let error = Diagnostic::error(self.span(), message);
                self.error(error);
            }
            return Err(Stop);
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// One or more of something, with an operator between them.
    fn list<T>(
        &mut self,
        operator: &TokenKind,
        one: fn(&mut Self) -> Result<T, Stop>,
    ) -> Result<Vec<T>, Stop> {
        let mut all = vec![one(self)?];
        while self.accept(operator) {
            all.push(one(self)?);
        }
        Ok(all)
    }
}

/// State formulas.
impl Parser<'_> {
    fn whole(&mut self) -> Result<State, Stop> {
        let formula = self.state()?;
        let and = match self.spelling {
            Spelling::Mcl => "`and` or the end of the formula",
            Spelling::Mcf => "`&&` or the end of the formula",
        };
        self.expect(&TokenKind::End, and)?;
        Ok(formula)
    }

    fn state(&mut self) -> Result<State, Stop> {
        let parts = self.list(&TokenKind::Equivalent, Self::state_implication)?;
        Ok(joined(parts, |_| StateKind::Equivalent))
    }

    fn state_implication(&mut self) -> Result<State, Stop> {
        let parts = self.list(&TokenKind::Or, Self::state_conjunction)?;
        let left = joined(parts, StateKind::Or);
        if !self.accept(&TokenKind::Implies) {
            return Ok(left);
        }
        let right = self.deeper(Self::state_implication)?;
        let span = left.span.to(right.span);
        Ok(State { kind: StateKind::Implies(Box::new(left), Box::new(right)), span })
    }

    fn state_conjunction(&mut self) -> Result<State, Stop> {
        let parts = self.list(&TokenKind::And, Self::state_prefix)?;
        Ok(joined(parts, StateKind::And))
    }

    fn state_prefix(&mut self) -> Result<State, Stop> {
        let start = self.span();
        let kind = match self.token().kind {
            TokenKind::True => StateKind::True,
            TokenKind::False => StateKind::False,
            TokenKind::OpenParenthesis => {
                self.advance();
                let inside = self.deeper(Self::state)?;
                let end = self.expect(&TokenKind::CloseParenthesis, "`)`")?;
                return Ok(State { kind: inside.kind, span: start.to(end) });
            }
            TokenKind::Not => {
                self.advance();
                let inside = self.deeper(Self::state_prefix)?;
                let span = start.to(inside.span);
                return Ok(State { kind: StateKind::Not(Box::new(inside)), span });
            }
            TokenKind::OpenBox => return self.modality(&TokenKind::CloseBox, "`]`", StateKind::Box),
            TokenKind::OpenDiamond => {
                return self.modality(&TokenKind::CloseDiamond, "`>`", StateKind::Diamond);
            }
            _ => return Err(self.unexpected("a state formula such as `[R] false`")),
        };
        self.advance();
        Ok(State { kind, span: start })
    }

    fn modality(
        &mut self,
        close: &TokenKind,
        close_text: &str,
        make: fn(Traces, Box<State>) -> StateKind,
    ) -> Result<State, Stop> {
        let start = self.advance();
        let depth = self.depth;
        let regular = self.choice().and_then(|part| {
            let operator = format!("an operator or {close_text}");
            self.expect(close, &operator).map(|_| part.regular)
        });
        let regular = match regular {
            Ok(regular) => regular,
            Err(Stop) => {
                self.depth = depth;
                while !self.is(close) {
                    if self.is(&TokenKind::End) {
                        return Err(Stop);
                    }
                    self.advance();
                }
                self.advance();
                // Never looked at: there was an error.
                Regular::nil()
            }
        };
        let body = self.deeper(Self::state_prefix)?;
        let span = start.to(body.span);
        Ok(State { kind: make(regular, Box::new(body)), span })
    }
}

fn joined(mut parts: Vec<State>, join: fn(Vec<State>) -> StateKind) -> State {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let span = parts[0].span.to(parts[parts.len() - 1].span);
    State { kind: join(parts), span }
}
