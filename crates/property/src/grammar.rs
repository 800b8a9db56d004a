//! One grammar for both spellings.
//!
//! MCL and mCRL2 agree on everything but the spelling, and on the precedence, from loose to tight:
//!
//! - state formulas: equivalence, implication, or, and; `not`, boxes and diamonds;
//! - regular formulas: choice, sequence, repetition;
//! - action formulas: equivalence, implication, or, and, not.
//!
//! Action formulas are inside regular formulas, and a regular formula is never inside an action
//! formula. So every operator on actions binds tighter than every operator on regular formulas:
//! `not 'A'*` is `(not 'A')*`, and `'A' or 'B'*` is `('A' or 'B')*`, because in both grammars there
//! is no other way to derive it. The second surprises, hence a warning. Parentheses can be either,
//! so what stands in them is parsed as a regular formula, and an operator on actions asks afterwards
//! whether its operands are action formulas.
//!
//! After an error inside a box or diamond parsing goes on behind it.

use source::{Diagnostic, Span};

use crate::token::{MAX_ERRORS, Token, TokenKind, Tokens};
use crate::{Atom, Predicate, Regular, Repeat, Spelling};

/// How deeply parentheses, negations, modalities and implications may be nested.
const MAX_DEPTH: usize = 200;

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
    Box(Regular<Predicate<Atom>>, Box<State>),
    Diamond(Regular<Predicate<Atom>>, Box<State>),
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

/// A regular formula with its place.
struct Part {
    regular: Regular<Predicate<Atom>>,
    span: Span,
    /// Whether it is an operator on actions without parentheses around it.
    bare: bool,
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
        make: fn(Regular<Predicate<Atom>>, Box<State>) -> StateKind,
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

/// Regular formulas.
impl Parser<'_> {
    fn choice(&mut self) -> Result<Part, Stop> {
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
            && self.tokens.get(self.at + 1).is_some_and(|next| match next.kind {
                TokenKind::Test(_)
                | TokenKind::True
                | TokenKind::False
                | TokenKind::Nil
                | TokenKind::Not
                | TokenKind::OpenParenthesis
                | TokenKind::Refused { .. }
                | TokenKind::Broken => true,
                _ => false,
            })
    }
}

fn regular_of(
    mut parts: Vec<Part>,
    join: fn(Vec<Regular<Predicate<Atom>>>) -> Regular<Predicate<Atom>>,
) -> Part {
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
