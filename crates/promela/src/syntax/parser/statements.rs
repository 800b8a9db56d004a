//! Statements and sequences of them.

use source::{Diagnostic, Span};

use super::{Halt, Parsed, Parser};
use crate::syntax::ast::{Choice, Expr, ExprKind, Ident, Sequence, Stmt, StmtKind, VarRef};
use crate::syntax::token::{Token, TokenKind, Word};

impl Parser<'_> {
    /// `{ statements }`
    pub(super) fn braced_sequence(&mut self, before: &str) -> Parsed<Sequence> {
        let opening = self.expect(TokenKind::LeftBrace, before)?;
        let outer = std::mem::take(&mut self.parentheses);
        let result = self.nested(|parser| {
            let statements = parser.sequence()?;
            if parser.peek() != TokenKind::RightBrace {
                return Err(parser.unclosed(TokenKind::RightBrace, opening));
            }
            parser.bump();
            Ok(statements)
        });
        self.parentheses = outer;
        result
    }

    /// Statements up to what ends a sequence, which is left for the caller to check.
    fn sequence(&mut self) -> Parsed<Sequence> {
        let mut statements = Vec::new();
        loop {
            let before = self.at;
            match self.step() {
                Ok(statement) => statements.push(statement),
                Err(Halt) => {
                    self.skip_statement();
                    if self.at == before && !self.peek().ends_sequence() && !self.peek().is_separator() {
                        self.bump();
                    }
                }
            }
            let separated = self.separators();
            if self.peek().ends_sequence() {
                return Ok(statements);
            }
            if !separated && self.at > before {
                self.unexpected("`;`");
                self.skip_statement();
                self.separators();
                if self.peek().ends_sequence() {
                    return Ok(statements);
                }
            }
        }
    }

    /// Consumes what separates statements. After `}` and `else` SPIN puts a separator in itself.
    fn separators(&mut self) -> bool {
        let implied = self.previous.is_some_and(|previous| {
            matches!(previous.kind, TokenKind::RightBrace | TokenKind::Word(Word::Else))
        });
        let mut separated = implied;
        while self.peek().is_separator() {
            self.bump();
            separated = true;
        }
        separated
    }

    /// A declaration, or a statement with perhaps an escape.
    fn step(&mut self) -> Parsed<Stmt> {
        let first = self.token();
        if self.at_declaration() {
            if self.at_word(Word::Mtype) && self.is_mtype_list() {
                let message = "mtype constants can only be declared outside of processes";
                self.report(Diagnostic::error(self.next_span(), message));
                return Err(Halt);
            }
            let declaration = self.declaration()?;
            return Ok(self.statement_of(StmtKind::Declaration(declaration), first));
        }
        if let TokenKind::Word(word @ (Word::Xr | Word::Xs)) = self.peek() {
            self.bump();
            let mut channels = vec![self.variable()?];
            while self.eat(TokenKind::Comma) {
                channels.push(self.variable()?);
            }
            return Ok(self.statement_of(StmtKind::Exclusive { receive: word == Word::Xr, channels }, first));
        }
        let main = self.statement()?;
        if self.unless_follows() {
            self.line_break_taken = true;
            self.bump();
            let escape = self.statement()?;
            let kind = StmtKind::Unless { main: Box::new(main), escape: Box::new(escape) };
            return Ok(self.statement_of(kind, first));
        }
        Ok(main)
    }

    /// `unless`, perhaps after the line break that follows a closing brace.
    fn unless_follows(&self) -> bool {
        self.token().kind == TokenKind::Word(Word::Unless)
    }

    fn at_declaration(&self) -> bool {
        match self.peek() {
            TokenKind::Word(word) => word.is_type() || word.is_visibility(),
            TokenKind::Name => self.peek_second() == TokenKind::Name && !self.is_inline_name(),
            _ => false,
        }
    }

    fn statement_of(&self, kind: StmtKind, first: Token) -> Stmt {
        Stmt { labels: Vec::new(), kind, span: self.span_from(first), expansion: self.expansion }
    }

    /// A statement with its labels.
    fn statement(&mut self) -> Parsed<Stmt> {
        let mut labels: Vec<Ident> = Vec::new();
        while self.at_label() {
            labels.push(self.bump_ident());
            self.bump();
        }
        let Some(last) = labels.last() else { return self.nested(Self::plain_statement) };
        if self.at_declaration() || matches!(self.peek(), TokenKind::Word(Word::Xr | Word::Xs)) {
            let message = format!("the label `{}` stands before a declaration", last.name);
            self.report(Diagnostic::error(last.span, message).help("put the label before a statement"));
        }
        // A label with nothing behind it stands on a `skip`.
        if self.peek().ends_sequence() || self.peek().is_separator() {
            let span = last.span;
            let kind = StmtKind::Condition(Expr { kind: ExprKind::Number(1), span });
            return Ok(Stmt { labels, kind, span, expansion: self.expansion });
        }
        let statement = self.nested(Self::plain_statement)?;
        Ok(Stmt { labels, ..statement })
    }

    fn at_label(&self) -> bool {
        self.peek() == TokenKind::Name
            && self.peek_second() == TokenKind::Colon
            && !self.proctypes.contains(self.token().span.text(self.text))
    }

    fn plain_statement(&mut self) -> Parsed<Stmt> {
        let first = self.token();
        let kind = match self.peek() {
            TokenKind::Name if self.is_inline_name() => return self.inline_call(None),
            TokenKind::Name if !self.at_remote_reference() => return self.statement_with_variable(first),
            TokenKind::Word(Word::If) => StmtKind::If(self.choices(Word::Fi)?),
            TokenKind::Word(Word::Do) => StmtKind::Do(self.choices(Word::Od)?),
            TokenKind::Word(Word::Atomic) => {
                self.bump();
                StmtKind::Atomic(self.braced_sequence("after `atomic`")?)
            }
            TokenKind::Word(Word::DStep) => {
                self.bump();
                StmtKind::DStep(self.braced_sequence("after `d_step`")?)
            }
            TokenKind::LeftBrace => StmtKind::Block(self.braced_sequence("")?),
            TokenKind::Word(Word::For) => self.for_loop()?,
            TokenKind::Word(Word::Select) => self.select()?,
            TokenKind::Word(Word::Else) => self.single(StmtKind::Else),
            TokenKind::Word(Word::Break) => self.single(StmtKind::Break),
            TokenKind::Word(Word::Goto) => {
                self.bump();
                StmtKind::Goto(self.ident("a label after `goto`")?)
            }
            TokenKind::Word(Word::Printf) => self.printf()?,
            TokenKind::Word(Word::Printm) => self.printm()?,
            TokenKind::Word(Word::Assert) => {
                self.bump();
                StmtKind::Assert(self.full_expression()?)
            }
            TokenKind::Word(Word::SetPriority) => self.set_priority()?,
            TokenKind::Word(Word::Return) => self.return_statement()?,
            TokenKind::Embedded => return Err(self.embedded()),
            kind if self.can_begin_expression(kind) => StmtKind::Condition(self.full_expression()?),
            _ => return Err(self.unexpected("a statement")),
        };
        Ok(self.statement_of(kind, first))
    }

    fn single(&mut self, kind: StmtKind) -> StmtKind {
        self.bump();
        kind
    }

    /// Statements that begin with a variable: assignments, communication, or an expression.
    fn statement_with_variable(&mut self, first: Token) -> Parsed<Stmt> {
        let variable = self.variable()?;
        let kind = match self.peek() {
            TokenKind::Assign => {
                self.bump();
                if self.peek() == TokenKind::Name && self.is_inline_name() {
                    return self.inline_call(Some(variable));
                }
                StmtKind::Assign { target: variable, value: self.full_expression()? }
            }
            TokenKind::PlusPlus => self.single(StmtKind::Increment(variable)),
            TokenKind::MinusMinus => self.single(StmtKind::Decrement(variable)),
            TokenKind::Bang | TokenKind::BangBang => self.send(variable)?,
            TokenKind::Question | TokenKind::QuestionQuestion
                if self.peek_second() != TokenKind::LeftBracket =>
            {
                self.receive(variable)?
            }
            TokenKind::LeftParen => return Err(self.unknown_call(&variable)),
            _ => StmtKind::Condition(self.expression_after(variable)?),
        };
        Ok(self.statement_of(kind, first))
    }

    fn unknown_call(&mut self, variable: &VarRef) -> Halt {
        let name = &variable.parts[0].name;
        let message = format!("there is no inline `{}`", name.name);
        self.report(
            Diagnostic::error(name.span, message).help("an inline must be defined before it is used"),
        );
        Halt
    }

    /// `:: ...` up to `fi` or `od`.
    fn choices(&mut self, end: Word) -> Parsed<Vec<Choice>> {
        let opening = self.bump();
        let mut choices = Vec::new();
        while self.peek() == TokenKind::ColonColon {
            let first = self.bump();
            let body = self.nested(Self::sequence)?;
            choices.push(Choice { body, span: self.span_from(first) });
        }
        if choices.is_empty() {
            return Err(self.unexpected("`::`"));
        }
        if !self.eat_word(end) {
            let halt = self.unclosed(TokenKind::Word(end), opening);
            // `od` for `fi` closes it all the same.
            if !matches!(self.peek(), TokenKind::Word(Word::Fi | Word::Od)) {
                return Err(halt);
            }
            self.bump();
        }
        Ok(choices)
    }

    /// `for (i : a .. b) { ... }` or `for (x in y) { ... }`
    fn for_loop(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let opening = self.open(TokenKind::LeftParen, "after `for`")?;
        let index = self.variable()?;
        let next = self.token();
        if next.kind == TokenKind::Name && next.span.text(self.text) == "in" {
            self.bump();
            let container = self.variable()?;
            self.close(TokenKind::RightParen, opening)?;
            let body = self.for_body()?;
            return Ok(StmtKind::ForIn { index, container, body });
        }
        self.expect(TokenKind::Colon, "or `in` after the variable of a loop")?;
        let (from, to) = self.range()?;
        self.close(TokenKind::RightParen, opening)?;
        let body = self.for_body()?;
        Ok(StmtKind::ForRange { index, from, to, body })
    }

    fn for_body(&mut self) -> Parsed<Sequence> {
        while matches!(self.peek(), TokenKind::Semi | TokenKind::LineBreak) {
            self.bump();
        }
        self.braced_sequence("before the statements of a loop")
    }

    fn range(&mut self) -> Parsed<(Expr, Expr)> {
        let from = self.expression()?;
        self.expect(TokenKind::DotDot, "between the bounds of a range")?;
        Ok((from, self.expression()?))
    }

    /// `select (x : a .. b)`
    fn select(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let opening = self.open(TokenKind::LeftParen, "after `select`")?;
        let target = self.variable()?;
        self.expect(TokenKind::Colon, "after the variable of `select`")?;
        let (from, to) = self.range()?;
        let closing = self.close(TokenKind::RightParen, opening)?;
        let literal = self.expansion.is_none() && is_literal_range(self.text, opening.span.to(closing.span));
        Ok(StmtKind::Select { target, from, to, literal })
    }

    fn printf(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let opening = self.open(TokenKind::LeftParen, "after `printf`")?;
        if self.peek() != TokenKind::String {
            return Err(self.unexpected("a format in double quotes"));
        }
        let format = self.bump().span.text(self.text).to_owned();
        let mut values = Vec::new();
        while self.eat(TokenKind::Comma) {
            values.push(self.expression()?);
        }
        self.close(TokenKind::RightParen, opening)?;
        Ok(StmtKind::Printf { format, values })
    }

    fn printm(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let opening = self.open(TokenKind::LeftParen, "after `printm`")?;
        let value = if self.peek() == TokenKind::Number {
            let token = self.bump();
            Expr { kind: ExprKind::Number(token.value), span: token.site }
        } else {
            let variable = self.variable()?;
            Expr { span: variable.span, kind: ExprKind::Name(variable) }
        };
        self.close(TokenKind::RightParen, opening)?;
        Ok(StmtKind::Printm(value))
    }

    fn set_priority(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let opening = self.open(TokenKind::LeftParen, "after `set_priority`")?;
        let process = self.expression()?;
        self.expect(TokenKind::Comma, "between the arguments of `set_priority`")?;
        let priority = self.expression()?;
        self.close(TokenKind::RightParen, opening)?;
        Ok(StmtKind::SetPriority { process, priority })
    }
}

/// SPIN's lexical analysis writes out `(name : number .. number)`, all on one line and the name of
/// letters and digits only.
fn is_literal_range(text: &str, span: Span) -> bool {
    let inner = span.text(text).trim_start_matches('(').trim_end_matches(')');
    let Some((name, range)) = inner.split_once(':') else { return false };
    let Some((from, to)) = range.split_once("..") else { return false };
    let blank = |byte: u8| byte == b' ' || byte == b'\t';
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || blank(byte))
        && from.bytes().chain(to.bytes()).all(|byte| byte.is_ascii_digit() || blank(byte))
}
