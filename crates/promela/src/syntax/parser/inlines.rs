//! Inlines, which SPIN substitutes as text.
//!
//! A definition is kept as the list of its tokens. A call makes a new list: each name of a parameter is
//! replaced by the tokens of the argument, which keep their own span and get the parameter's place as
//! their site. That list is then read in place of the text, as a block. So precedence works as in SPIN
//! (`x * 2` with `a + b` for `x` is `a + b * 2`), labels and declarations are those of the block, and
//! a span always points into what the user wrote.

use source::Diagnostic;

use super::{Halt, Parsed, Parser};
use crate::syntax::ast::{Expansion, ExpansionId, Stmt, StmtKind, VarRef};
use crate::syntax::token::{Token, TokenKind, Word};

/// Calls in the bodies of inlines, as deep as SPIN allows.
const CALL_LIMIT: usize = 32;
/// All expansions together make no more tokens: inlines that call each other twice grow exponentially.
const EXPANSION_LIMIT: usize = 2_000_000;

/// The definition of an inline.
#[derive(Clone, Debug)]
pub(super) struct Inline {
    /// The parameters' names, each with its position.
    parameters: Vec<Token>,
    /// From the opening to the closing brace.
    body: std::rc::Rc<[Token]>,
}

impl<'t> Parser<'t> {
    pub(super) fn is_inline_name(&self) -> bool {
        self.inlines.contains_key(self.token().span.text(self.text))
    }

    /// `inline name (parameters) { body }`
    pub(super) fn inline_definition(&mut self) -> Parsed<()> {
        self.bump();
        if self.peek() != TokenKind::Name {
            return Err(self.unexpected("the name of an inline"));
        }
        let name = self.bump().span;
        let opening = self.open(TokenKind::LeftParen, "after the name of an inline")?;
        let mut parameters = Vec::new();
        while self.peek() == TokenKind::Name {
            parameters.push(self.bump());
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(TokenKind::RightParen, opening)?;
        let body = self.balanced_braces()?;
        let body = self.tokens[body].into();
        if self.inlines.insert(name.text(self.text), Inline { parameters, body }).is_some() {
            let message = format!("the inline `{}` is defined twice", name.text(self.text));
            self.report(Diagnostic::error(name, message));
        }
        Ok(())
    }

    /// Skips `{ ... }` and tells which tokens that was.
    fn balanced_braces(&mut self) -> Parsed<std::ops::Range<usize>> {
        let start = self.at;
        let opening = self.expect(TokenKind::LeftBrace, "before the body of an inline")?;
        let mut depth = 1usize;
        while depth > 0 {
            match self.peek() {
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace => depth -= 1,
                TokenKind::End => return Err(self.unclosed(TokenKind::RightBrace, opening)),
                TokenKind::Word(
                    Word::Proctype | Word::DProctype | Word::Inline | Word::Typedef | Word::Init,
                ) => {
                    return Err(self.unclosed(TokenKind::RightBrace, opening));
                }
                _ => {}
            }
            self.bump();
        }
        Ok(start..self.at)
    }

    /// `name (arguments)` as a statement; `target` is the variable in `target = name (arguments)`.
    pub(super) fn inline_call(&mut self, target: Option<VarRef>) -> Parsed<Stmt> {
        let first = self.token();
        let name: &'t str = first.span.text(self.text);
        let ident = self.bump_ident();
        let opening = self.open(TokenKind::LeftParen, "after the name of an inline")?;
        let arguments = self.inline_arguments()?;
        self.close(TokenKind::RightParen, opening)?;
        let call = self.span_from(first);
        let Some(inline) = self.inlines.get(name).cloned() else { return Err(Halt) };
        if arguments.len() != inline.parameters.len() {
            let message = format!(
                "the inline `{name}` has {}, but is called with {}",
                count(inline.parameters.len(), "parameter"),
                arguments.len()
            );
            self.report(Diagnostic::error(ident.span, message));
            return Err(Halt);
        }
        if self.open_inlines.contains(&name) {
            let message = format!("the inline `{name}` calls itself");
            let help = "an inline is replaced by its text and cannot be recursive; use a proctype and `run`";
            self.report(Diagnostic::error(ident.span, message).help(help));
            return Err(Halt);
        }
        if self.open_inlines.len() >= CALL_LIMIT {
            let message = format!("inlines call each other more than {CALL_LIMIT} levels deep");
            self.report(Diagnostic::error(ident.span, message));
            return Err(Halt);
        }
        let tokens = self.substitute(&inline, &arguments)?;
        let id = ExpansionId(self.expansions.len() as u32);
        self.expansions.push(Expansion { name: name.to_owned(), call, parent: self.expansion });
        let block = self.read_instead(tokens, name, target, id)?;
        // What follows stands behind the closing brace of the body: no separator is needed.
        self.previous = self.previous.map(|previous| Token { kind: TokenKind::RightBrace, ..previous });
        Ok(Stmt { labels: Vec::new(), kind: StmtKind::Block(block), span: call, expansion: self.expansion })
    }

    /// The tokens of each argument. They must be expressions, as in SPIN's grammar.
    fn inline_arguments(&mut self) -> Parsed<Vec<Vec<Token>>> {
        let mut arguments = Vec::new();
        if self.peek() == TokenKind::RightParen {
            return Ok(arguments);
        }
        loop {
            let start = self.at;
            self.nested(Self::expression)?;
            arguments.push(self.tokens[start..self.at].to_vec());
            if !self.eat(TokenKind::Comma) {
                return Ok(arguments);
            }
        }
    }

    /// The body with the arguments in place of the parameters.
    fn substitute(&mut self, inline: &Inline, arguments: &[Vec<Token>]) -> Parsed<Vec<Token>> {
        let text = self.text;
        let mut tokens: Vec<Token> = Vec::with_capacity(inline.body.len() + 1);
        for token in inline.body.iter() {
            let position = (token.kind == TokenKind::Name).then(|| {
                let name = token.span.text(text);
                inline.parameters.iter().position(|parameter| parameter.span.text(text) == name)
            });
            let Some(argument) = position.flatten().and_then(|position| arguments.get(position)) else {
                tokens.push(*token);
                continue;
            };
            let start = tokens.len();
            let moved = argument.iter().map(|part| Token { site: token.site, new_line: false, ..*part });
            tokens.extend(moved);
            tokens[start].new_line = token.new_line;
            if self.expanded + tokens.len() > EXPANSION_LIMIT {
                break;
            }
        }
        self.expanded += tokens.len();
        if self.expanded > EXPANSION_LIMIT {
            let message = format!("the inlines expand to more than {EXPANSION_LIMIT} words");
            return Err(self.give_up(Diagnostic::error(self.next_span(), message)));
        }
        let end = self.previous.map_or(self.next_span(), |previous| previous.span);
        tokens.push(Token { kind: TokenKind::End, span: end, site: end, value: 0, new_line: false });
        Ok(tokens)
    }

    /// Reads a block from other tokens, and then goes on with these.
    fn read_instead(
        &mut self,
        tokens: Vec<Token>,
        name: &'t str,
        target: Option<VarRef>,
        id: ExpansionId,
    ) -> Parsed<Vec<Stmt>> {
        let tokens = std::mem::replace(&mut self.tokens, tokens);
        let at = std::mem::take(&mut self.at);
        let previous = self.previous.take();
        let parentheses = std::mem::take(&mut self.parentheses);
        let line_break_taken = std::mem::replace(&mut self.line_break_taken, true);
        let expansion = self.expansion.replace(id);
        self.open_inlines.push(name);
        self.return_targets.push(target);

        let block = self.braced_sequence("before the body of an inline");

        self.return_targets.pop();
        self.open_inlines.pop();
        self.expansion = expansion;
        self.line_break_taken = line_break_taken;
        self.parentheses = parentheses;
        self.previous = previous;
        self.tokens = tokens;
        self.at = if self.given_up { self.tokens.len() - 1 } else { at };
        block
    }

    /// `return e` in an inline that was called as `x = name (...)`: the assignment `x = e`.
    pub(super) fn return_statement(&mut self) -> Parsed<StmtKind> {
        let word = self.bump();
        let Some(Some(target)) = self.return_targets.last().cloned() else {
            let message = "`return` can only stand in an inline that is called as `variable = name (...)`";
            self.report(Diagnostic::error(word.span, message));
            return Err(Halt);
        };
        let value = self.full_expression()?;
        Ok(StmtKind::Assign { target, value })
    }
}

fn count(number: usize, what: &str) -> String {
    match number {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}
