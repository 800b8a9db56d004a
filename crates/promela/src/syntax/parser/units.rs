//! What stands at the outermost level: processes, claims, formulas, types, variables, inlines.

use source::Diagnostic;

use super::{Halt, Parsed, Parser};
use crate::syntax::ast::{
    Active, Expr, Ltl, MtypeDecl, Process, ProcessKind, Sequence, Spanned, Typedef, Unit,
};
use crate::syntax::token::{Token, TokenKind, Word};

impl Parser<'_> {
    pub(super) fn units(&mut self) -> Vec<Unit> {
        let mut units = Vec::new();
        loop {
            while self.peek().is_separator() {
                self.bump();
            }
            if self.peek() == TokenKind::End {
                return units;
            }
            let before = self.at;
            if self.peek() == TokenKind::Word(Word::Ltl) {
                units.push(Unit::Ltl(self.formula_unit()));
                continue;
            }
            match self.unit() {
                Ok(unit) => units.extend(unit),
                Err(Halt) => self.skip_unit(before),
            }
        }
    }

    /// Goes to where a unit can begin, past at least one token.
    fn skip_unit(&mut self, before: usize) {
        self.parentheses = 0;
        self.in_sequence = false;
        self.in_formula = false;
        if self.at == before {
            self.bump();
        }
        let mut braces = 0usize;
        loop {
            match self.peek() {
                TokenKind::End => return,
                TokenKind::Word(word) if word.begins_unit() => return,
                TokenKind::Word(word) if braces == 0 && (word.is_type() || word.is_visibility()) => return,
                TokenKind::Semi if braces == 0 => return,
                TokenKind::LeftBrace => braces += 1,
                TokenKind::RightBrace => braces = braces.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }

    fn unit(&mut self) -> Parsed<Option<Unit>> {
        let first = self.token();
        match self.peek() {
            TokenKind::Word(Word::Active | Word::Proctype | Word::DProctype) => {
                self.proctype(first).map(Some)
            }
            TokenKind::Word(Word::Init) => self.init(first).map(Some),
            TokenKind::Word(Word::Never) => self.never(first).map(Some),
            TokenKind::Word(Word::Trace) => self.trace(first, ProcessKind::Trace).map(Some),
            TokenKind::Word(Word::Notrace) => self.trace(first, ProcessKind::NoTrace).map(Some),
            TokenKind::Word(Word::Typedef) => self.typedef(first).map(Some),
            TokenKind::Word(Word::Inline) => self.inline_definition().map(|()| None),
            TokenKind::Embedded => Err(self.embedded()),
            TokenKind::Word(Word::Mtype) if self.is_mtype_list() => self.mtype(first).map(Some),
            TokenKind::Name => self.global_of_named_type(),
            TokenKind::Word(word) if word.is_type() || word.is_visibility() => {
                Ok(Some(Unit::Declaration(self.declaration()?)))
            }
            _ => Err(self.unexpected("a proctype or a declaration")),
        }
    }

    fn global_of_named_type(&mut self) -> Parsed<Option<Unit>> {
        if self.peek_second() == TokenKind::Name {
            return Ok(Some(Unit::Declaration(self.declaration()?)));
        }
        let name = self.token().span.text(self.text);
        let message = format!("`{name}` cannot stand here: statements belong into a proctype");
        self.report(Diagnostic::error(self.next_span(), message));
        Err(Halt)
    }

    fn proctype(&mut self, first: Token) -> Parsed<Unit> {
        let active = if self.eat_word(Word::Active) { Some(self.active()?) } else { None };
        let kind = match self.peek() {
            TokenKind::Word(Word::Proctype) => ProcessKind::Proctype,
            TokenKind::Word(Word::DProctype) => ProcessKind::DProctype,
            _ => return Err(self.unexpected("`proctype`")),
        };
        self.bump();
        let name = Some(self.ident("the name of a proctype")?);
        let opening = self.open(TokenKind::LeftParen, "after the name of a proctype")?;
        let mut parameters = Vec::new();
        while self.peek() != TokenKind::RightParen {
            parameters.push(self.declaration()?);
            // Each type needs a semicolon before it; a comma only goes on with the same type.
            if !self.eat(TokenKind::Semi) {
                break;
            }
            if self.peek() == TokenKind::RightParen {
                return Err(self.unexpected("a parameter"));
            }
        }
        self.close(TokenKind::RightParen, opening)?;
        let priority = self.priority()?;
        let provided = if self.eat_word(Word::Provided) {
            let opening = self.open(TokenKind::LeftParen, "after `provided`")?;
            let condition = self.full_expression()?;
            self.close(TokenKind::RightParen, opening)?;
            Some(condition)
        } else {
            None
        };
        let span = self.span_from(first);
        let body = self.body()?;
        Ok(Unit::Process(Process { kind, name, active, parameters, priority, provided, body, span }))
    }

    fn active(&mut self) -> Parsed<Active> {
        if self.peek() != TokenKind::LeftBracket {
            return Ok(Active::One);
        }
        let opening = self.open(TokenKind::LeftBracket, "")?;
        let count = self.expression()?;
        self.close(TokenKind::RightBracket, opening)?;
        Ok(Active::Many(count))
    }

    /// `priority n`, if it is there.
    pub(super) fn priority(&mut self) -> Parsed<Option<Spanned<i32>>> {
        if !self.eat_word(Word::Priority) {
            return Ok(None);
        }
        if self.peek() != TokenKind::Number {
            return Err(self.unexpected("a number after `priority`"));
        }
        let token = self.bump();
        Ok(Some(Spanned { value: token.value, span: token.span }))
    }

    fn init(&mut self, first: Token) -> Parsed<Unit> {
        self.bump();
        let priority = self.priority()?;
        let span = self.span_from(first);
        let body = self.body()?;
        Ok(Unit::Process(Process { priority, span, body, ..nameless(ProcessKind::Init) }))
    }

    fn never(&mut self, first: Token) -> Parsed<Unit> {
        self.bump();
        let name = if self.peek() == TokenKind::Name { Some(self.bump_ident()) } else { None };
        let span = self.span_from(first);
        let body = self.body()?;
        Ok(Unit::Process(Process { name, span, body, ..nameless(ProcessKind::Never) }))
    }

    fn trace(&mut self, first: Token, kind: ProcessKind) -> Parsed<Unit> {
        self.bump();
        let span = self.span_from(first);
        let body = self.body()?;
        Ok(Unit::Process(Process { span, body, ..nameless(kind) }))
    }

    /// The statements of a process, in braces.
    fn body(&mut self) -> Parsed<Sequence> {
        self.in_sequence = true;
        // A brace on the next line still belongs to the header.
        self.line_break_taken = true;
        let body = self.braced_sequence("before the statements of a process");
        self.in_sequence = false;
        body
    }

    /// An `ltl` block. Errors in it are its own; the rest of the text can be used without it.
    fn formula_unit(&mut self) -> Ltl {
        let (before, first) = (self.at, self.token());
        let (known, errors) = (self.diagnostics.len(), self.errors);
        self.bump();
        let name = if self.peek() == TokenKind::Name { Some(self.bump_ident()) } else { None };
        let formula = self.ltl();
        if formula.is_err() {
            self.skip_unit(before);
        }
        let span = self.span_from(first);
        // A text with so many errors is given up, and then they are those of the text.
        let is_broken = formula.is_err() || self.errors > errors;
        if is_broken && !self.given_up {
            self.errors = errors;
            return Ltl { name, formula: Err(self.diagnostics.split_off(known)), span };
        }
        Ltl { name, formula: formula.map_err(|Halt| Vec::new()), span }
    }

    fn ltl(&mut self) -> Parsed<Expr> {
        let opening = self.expect(TokenKind::LeftBrace, "before a formula")?;
        self.in_formula = true;
        let formula = self.full_expression();
        self.in_formula = false;
        let formula = formula?;
        self.drop_separator();
        if self.peek() != TokenKind::RightBrace {
            return Err(self.unclosed(TokenKind::RightBrace, opening));
        }
        self.bump();
        Ok(formula)
    }

    fn typedef(&mut self, first: Token) -> Parsed<Unit> {
        self.bump();
        let name = self.ident("the name of a type")?;
        let opening = self.expect(TokenKind::LeftBrace, "before the fields of a type")?;
        self.in_sequence = true;
        let mut fields = Vec::new();
        loop {
            fields.push(self.declaration()?);
            let mut separated = false;
            while matches!(self.peek(), TokenKind::Semi | TokenKind::LineBreak) {
                self.bump();
                separated = true;
            }
            if !separated || self.peek() == TokenKind::RightBrace {
                break;
            }
        }
        if self.peek() != TokenKind::RightBrace {
            return Err(self.unclosed(TokenKind::RightBrace, opening));
        }
        self.bump();
        self.in_sequence = false;
        Ok(Unit::Typedef(Typedef { name, fields, span: self.span_from(first) }))
    }

    /// `mtype =`, `mtype {` or `mtype:name =`: a list of constants, not of variables.
    pub(super) fn is_mtype_list(&self) -> bool {
        let kind = |ahead: usize| self.tokens.get(self.at + ahead).map_or(TokenKind::End, |token| token.kind);
        matches!(kind(1), TokenKind::Assign | TokenKind::LeftBrace)
            || kind(1) == TokenKind::Colon && kind(2) == TokenKind::Name && kind(3) == TokenKind::Assign
    }

    fn mtype(&mut self, first: Token) -> Parsed<Unit> {
        self.bump();
        let kind = if self.eat(TokenKind::Colon) { Some(self.ident("the name of an mtype")?) } else { None };
        self.eat(TokenKind::Assign);
        let opening = self.expect(TokenKind::LeftBrace, "before the names of an mtype")?;
        let mut names = vec![self.ident("a name")?];
        loop {
            self.drop_separator();
            match self.peek() {
                // SPIN takes the commas as optional.
                TokenKind::Comma => drop(self.bump()),
                TokenKind::Name => names.push(self.bump_ident()),
                TokenKind::RightBrace => break,
                _ => return Err(self.unclosed(TokenKind::RightBrace, opening)),
            }
        }
        self.bump();
        Ok(Unit::Mtype(MtypeDecl { kind, names, span: self.span_from(first) }))
    }
}

fn nameless(kind: ProcessKind) -> Process {
    Process {
        kind,
        name: None,
        active: None,
        parameters: Vec::new(),
        priority: None,
        provided: None,
        body: Vec::new(),
        span: source::Span::default(),
    }
}
