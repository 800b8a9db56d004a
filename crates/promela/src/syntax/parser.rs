//! Tokens into a tree, by recursive descent; this file holds what all parts of the grammar share.
//!
//! The grammar is SPIN's. Three things in it depend on more than the next token. A line break separates
//! statements where the previous token could end one, so [`Parser::peek`] shows a [`TokenKind::LineBreak`]
//! there. A name before a colon is a label unless it is a proctype, so the names of proctypes are
//! collected first. And an inline is text, so its body is parsed anew at each call, from a second list
//! of tokens that takes the place of the first for that time.
//!
//! A syntax error is reported where it is found; [`Halt`] then goes up to the next place from where
//! parsing can go on: the statement, or the unit. Nesting has a limit, because the parser and all who
//! walk the tree use the stack for it.

mod declarations;
mod expressions;
mod formulas;
mod inlines;
mod messages;
mod statements;
mod units;

use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Severity, Span};

use super::ast::{Expansion, ExpansionId, Ident, Module, VarRef};
use super::token::{Token, TokenKind, Word};
use inlines::Inline;

/// Statements in statements, parentheses in parentheses.
const NESTING_LIMIT: u32 = 200;
/// A text with so many errors is not read to its end.
const ERROR_LIMIT: usize = 60;

/// A syntax error was reported and the construct given up.
#[derive(Debug)]
pub(crate) struct Halt;

pub(crate) type Parsed<T> = Result<T, Halt>;

/// Reads a Promela text. The tree holds what could be understood; if there is an error among the
/// diagnostics, it is not the whole text.
pub fn parse(text: &str) -> (Module, Vec<Diagnostic>) {
    let (tokens, diagnostics) = super::lexer::tokens(text);
    let proctypes = proctype_names(text, &tokens);
    let mut parser = Parser {
        text,
        tokens,
        at: 0,
        line_break_taken: false,
        in_sequence: false,
        parentheses: 0,
        in_formula: false,
        previous: None,
        depth: 0,
        proctypes,
        inlines: FxHashMap::default(),
        open_inlines: Vec::new(),
        return_targets: Vec::new(),
        expanded: 0,
        expansion: None,
        expansions: Vec::new(),
        errors: diagnostics.iter().filter(|d| d.severity == Severity::Error).count(),
        diagnostics,
        given_up: false,
    };
    let units = parser.units();
    (Module { units, expansions: parser.expansions }, parser.diagnostics)
}

fn proctype_names<'t>(text: &'t str, tokens: &[Token]) -> FxHashSet<&'t str> {
    tokens
        .windows(2)
        .filter(|pair| {
            matches!(pair[0].kind, TokenKind::Word(Word::Proctype | Word::DProctype))
                && pair[1].kind == TokenKind::Name
        })
        .map(|pair| pair[1].span.text(text))
        .collect()
}

struct Parser<'t> {
    text: &'t str,
    /// What is being read: the text, or the body of an inline. Ends with [`TokenKind::End`].
    tokens: Vec<Token>,
    at: usize,
    /// The line break before the next token has been consumed as a separator.
    line_break_taken: bool,
    /// In a body or a typedef: line breaks separate.
    in_sequence: bool,
    /// Open parentheses and brackets: line breaks do not separate.
    parentheses: u32,
    /// In an `ltl` block: some signs and names are temporal operators.
    in_formula: bool,
    previous: Option<Token>,
    depth: u32,
    proctypes: FxHashSet<&'t str>,
    inlines: FxHashMap<&'t str, Inline>,
    /// The inlines whose bodies are being read, outermost first.
    open_inlines: Vec<&'t str>,
    /// For each of them, the variable that takes what it returns.
    return_targets: Vec<Option<VarRef>>,
    /// Tokens made by expanding inlines so far.
    expanded: usize,
    expansion: Option<ExpansionId>,
    expansions: Vec<Expansion>,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    given_up: bool,
}

impl<'t> Parser<'t> {
    /// The next token, which is never past [`TokenKind::End`].
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    /// The kind of the next token, or that of the separator a line break stands for.
    fn peek(&self) -> TokenKind {
        let token = self.token();
        if token.new_line
            && self.in_sequence
            && self.parentheses == 0
            && !self.line_break_taken
            && self.previous.is_some_and(|previous| previous.kind.ends_at_line_break())
            && !self.is_after_run()
        {
            return TokenKind::LineBreak;
        }
        token.kind
    }

    /// Between the name of a process that is started and its arguments a line break separates nothing.
    fn is_after_run(&self) -> bool {
        let before = self.at.checked_sub(2).and_then(|at| self.tokens.get(at));
        before.is_some_and(|token| token.kind == TokenKind::Word(Word::Run))
            && self.token().kind == TokenKind::LeftParen
    }

    /// The kind of the token after the next, or [`TokenKind::LineBreak`].
    fn peek_second(&self) -> TokenKind {
        match self.tokens.get(self.at + 1) {
            Some(second)
                if second.new_line
                    && self.in_sequence
                    && self.parentheses == 0
                    && self.token().kind.ends_at_line_break() =>
            {
                TokenKind::LineBreak
            }
            Some(second) => second.kind,
            None => TokenKind::End,
        }
    }

    fn at_word(&self, word: Word) -> bool {
        self.peek() == TokenKind::Word(word)
    }

    /// Consumes what [`Parser::peek`] shows.
    fn bump(&mut self) -> Token {
        let token = self.token();
        if self.peek() == TokenKind::LineBreak {
            self.line_break_taken = true;
            return Token { kind: TokenKind::LineBreak, ..token };
        }
        if token.kind != TokenKind::End {
            self.previous = Some(token);
            self.line_break_taken = false;
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.peek() == kind;
        if found {
            self.bump();
        }
        found
    }

    fn eat_word(&mut self, word: Word) -> bool {
        self.eat(TokenKind::Word(word))
    }

    /// Consumes a token that must come next; `after` says what it would complete.
    fn expect(&mut self, kind: TokenKind, after: &str) -> Parsed<Token> {
        if self.peek() == kind {
            Ok(self.bump())
        } else {
            Err(self.unexpected(&format!("`{}` {after}", kind.sign())))
        }
    }

    /// An opening parenthesis or bracket: line breaks mean nothing up to the closing one.
    fn open(&mut self, kind: TokenKind, after: &str) -> Parsed<Token> {
        let token = self.expect(kind, after)?;
        self.parentheses += 1;
        Ok(token)
    }

    fn close(&mut self, kind: TokenKind, opening: Token) -> Parsed<Token> {
        if kind == TokenKind::RightBrace {
            self.drop_separator();
        }
        if self.peek() != kind {
            return Err(self.unclosed(kind, opening));
        }
        // Only behind it do line breaks separate again.
        let token = self.bump();
        self.parentheses = self.parentheses.saturating_sub(1);
        Ok(token)
    }

    /// SPIN takes no notice of a separator before a closing brace.
    fn drop_separator(&mut self) {
        if self.peek().is_separator() && self.peek_second() == TokenKind::RightBrace {
            self.bump();
        }
    }

    fn unclosed(&mut self, kind: TokenKind, opening: Token) -> Halt {
        let found = self.describe_next();
        let message = format!("expected `{}` to close `{}`, found {found}", kind.sign(), opening.kind.sign());
        self.report(Diagnostic::error(self.next_span(), message));
        Halt
    }

    fn ident(&mut self, what: &str) -> Parsed<Ident> {
        if self.peek() == TokenKind::Name { Ok(self.bump_ident()) } else { Err(self.unexpected(what)) }
    }

    fn bump_ident(&mut self) -> Ident {
        let token = self.bump();
        Ident { name: token.span.text(self.text).to_owned(), span: token.span }
    }

    /// The span from a token that began something to the last token consumed.
    fn span_from(&self, first: Token) -> Span {
        match self.previous {
            Some(previous) if previous.site.end >= first.site.start => first.site.to(previous.site),
            _ => first.site,
        }
    }

    /// One level deeper; [`Parser::leave`] when done.
    fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > NESTING_LIMIT {
            self.depth -= 1;
            let message = format!("this is nested more than {NESTING_LIMIT} levels deep");
            return Err(self.give_up(Diagnostic::error(self.next_span(), message)));
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Does something one level deeper.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.enter()?;
        let result = parse(self);
        self.leave();
        result
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.given_up {
            return;
        }
        let is_error = diagnostic.severity == Severity::Error;
        self.diagnostics.push(diagnostic);
        if is_error {
            self.errors += 1;
            if self.errors >= ERROR_LIMIT {
                self.stop();
            }
        }
    }

    /// Reports something after which nothing more can be made of the text.
    fn give_up(&mut self, diagnostic: Diagnostic) -> Halt {
        self.report(diagnostic);
        self.stop();
        Halt
    }

    fn stop(&mut self) {
        self.given_up = true;
        self.at = self.tokens.len() - 1;
    }

    fn next_span(&self) -> Span {
        self.token().span
    }

    fn describe_next(&self) -> String {
        let token = self.token();
        match self.peek() {
            TokenKind::End if self.open_inlines.is_empty() => "the end of the text".to_owned(),
            TokenKind::End => "the end of the inline".to_owned(),
            TokenKind::LineBreak => "the end of the line".to_owned(),
            TokenKind::Embedded => "embedded C code".to_owned(),
            _ => {
                let text: String = token.span.text(self.text).chars().take(40).collect();
                format!("`{text}`")
            }
        }
    }

    /// Reports that something else should stand here.
    fn unexpected(&mut self, expected: &str) -> Halt {
        let mut diagnostic = Diagnostic::error(
            self.next_span(),
            format!("expected {expected}, found {}", self.describe_next()),
        );
        if self.peek() == TokenKind::LineBreak {
            diagnostic = diagnostic.help("a line break ends a statement here; put the expression in parentheses to go on in the next line");
        }
        if self.peek() == TokenKind::Embedded {
            return self.embedded();
        }
        // What the lexer could not read has been reported already.
        if self.token().kind != TokenKind::Unknown {
            self.report(diagnostic);
        }
        Halt
    }

    /// Refuses embedded C.
    fn embedded(&mut self) -> Halt {
        let token = self.token();
        let word: String = token.span.text(self.text).chars().take(7).collect();
        let word = word.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
        let diagnostic = Diagnostic::error(
            Span::new(token.span.start, (token.span.start + word.len()).min(token.span.end)),
            format!("embedded C code (`{word}`) is not supported"),
        )
        .help("model what the C code does in Promela");
        self.report(diagnostic);
        if token.kind == TokenKind::Embedded {
            self.bump();
        }
        Halt
    }

    /// Goes to where a statement can begin or a sequence ends, after an error in a statement.
    fn skip_statement(&mut self) {
        self.parentheses = 0;
        let mut braces = 0usize;
        let mut structures = 0usize;
        loop {
            let kind = self.peek();
            let outermost = braces == 0 && structures == 0;
            match kind {
                TokenKind::End => return,
                TokenKind::Word(word) if word.begins_unit() && self.open_inlines.is_empty() => return,
                _ if outermost && (kind.is_separator() || kind.ends_sequence()) => return,
                TokenKind::Word(word) if outermost && word.is_type() => return,
                TokenKind::LeftBrace => braces += 1,
                TokenKind::RightBrace => braces = braces.saturating_sub(1),
                TokenKind::Word(Word::If | Word::Do) => structures += 1,
                TokenKind::Word(Word::Fi | Word::Od) => structures = structures.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }
}
