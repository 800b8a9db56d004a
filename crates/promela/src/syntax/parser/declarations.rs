//! Declarations of variables: global, local, fields and parameters alike.

use source::Diagnostic;

use super::{Parsed, Parser};
use crate::syntax::ast::{ChannelType, Declaration, Declarator, Initialiser, Spanned, TypeName, Visibility};
use crate::syntax::token::{TokenKind, Word};

impl Parser<'_> {
    /// `[hidden|show|local] type name [= initialiser], ...`
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let first = self.token();
        let visibility = match self.peek() {
            TokenKind::Word(Word::Hidden) => Some(Visibility::Hidden),
            TokenKind::Word(Word::Show) => Some(Visibility::Show),
            TokenKind::Word(Word::Local) => Some(Visibility::Local),
            _ => None,
        };
        if visibility.is_some() {
            self.bump();
        }
        let ty = self.type_name("a declaration")?;
        let mut variables = vec![self.declarator()?];
        while self.eat(TokenKind::Comma) {
            if let TokenKind::Word(word) = self.peek()
                && word.is_type()
            {
                let message = format!("expected a name, found the type `{}`", word.text());
                let help = "a comma goes on with the same type; separate the types by `;`";
                self.report(Diagnostic::error(self.next_span(), message).help(help));
                return Err(super::Halt);
            }
            variables.push(self.declarator()?);
        }
        Ok(Declaration { visibility, ty, variables, span: self.span_from(first) })
    }

    pub(super) fn type_name(&mut self, what: &str) -> Parsed<Spanned<TypeName>> {
        let first = self.token();
        let value = match self.peek() {
            TokenKind::Word(Word::Bit) => TypeName::Bit,
            TokenKind::Word(Word::Bool) => TypeName::Bool,
            TokenKind::Word(Word::Byte) => TypeName::Byte,
            TokenKind::Word(Word::Pid) => TypeName::Pid,
            TokenKind::Word(Word::Short) => TypeName::Short,
            TokenKind::Word(Word::Int) => TypeName::Int,
            TokenKind::Word(Word::Unsigned) => TypeName::Unsigned,
            TokenKind::Word(Word::Chan) => TypeName::Chan,
            TokenKind::Word(Word::Mtype) => {
                self.bump();
                let kind =
                    if self.eat(TokenKind::Colon) { Some(self.ident("the name of an mtype")?) } else { None };
                return Ok(Spanned { value: TypeName::Mtype(kind), span: self.span_from(first) });
            }
            TokenKind::Name => {
                let name = self.bump_ident();
                return Ok(Spanned { value: TypeName::Record(name), span: first.site });
            }
            _ => return Err(self.unexpected(what)),
        };
        self.bump();
        Ok(Spanned { value, span: first.site })
    }

    fn declarator(&mut self) -> Parsed<Declarator> {
        let first = self.token();
        let name = self.ident("the name of a variable")?;
        let mut width = None;
        let mut length = None;
        if self.eat(TokenKind::Colon) {
            if self.peek() != TokenKind::Number {
                return Err(self.unexpected("a number of bits"));
            }
            let token = self.bump();
            width = Some(Spanned { value: token.value, span: token.span });
        } else if self.peek() == TokenKind::LeftBracket {
            let opening = self.open(TokenKind::LeftBracket, "")?;
            length = Some(self.expression()?);
            self.close(TokenKind::RightBracket, opening)?;
        }
        let initial = if self.eat(TokenKind::Assign) { Some(self.initialiser()?) } else { None };
        Ok(Declarator { name, width, length, initial, span: self.span_from(first) })
    }

    fn initialiser(&mut self) -> Parsed<Initialiser> {
        match self.peek() {
            TokenKind::LeftBracket => self.channel_type().map(Initialiser::Channel),
            TokenKind::LeftBrace => self.initial_list(),
            _ => self.expression().map(Initialiser::Value),
        }
    }

    /// `{ 1, 2, 3 }`
    fn initial_list(&mut self) -> Parsed<Initialiser> {
        let opening = self.open(TokenKind::LeftBrace, "")?;
        let mut values = Vec::new();
        loop {
            values.push(self.expression()?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(TokenKind::RightBrace, opening)?;
        Ok(Initialiser::List(values, self.span_from(opening)))
    }

    /// `[n] of { types }`
    fn channel_type(&mut self) -> Parsed<ChannelType> {
        let first = self.open(TokenKind::LeftBracket, "")?;
        let capacity = self.expression()?;
        self.close(TokenKind::RightBracket, first)?;
        if !self.eat_word(Word::Of) {
            return Err(self.unexpected("`of` and the types of a message"));
        }
        let opening = self.open(TokenKind::LeftBrace, "before the types of a message")?;
        let mut fields = Vec::new();
        loop {
            fields.push(self.type_name("a type")?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(TokenKind::RightBrace, opening)?;
        Ok(ChannelType { capacity, fields, span: self.span_from(first) })
    }
}
