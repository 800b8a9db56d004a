//! Choosing between parts of the text: `#if` and its relatives. A part that is left out is only looked
//! through for the directive that ends it, in one loop however deep such directives nest.

use crate::condition;
use crate::engine::{Engine, Group, Stop};
use crate::lexer::Piece;
use crate::map::Spot;
use crate::symbols::Symbol;
use crate::token::{Token, TokenKind};

impl Engine<'_> {
    pub(crate) fn conditional(&mut self, directive: &str) -> Result<(), Stop> {
        let here = self.here;
        let skipping = self.skipping();
        match directive {
            "if" | "ifdef" | "ifndef" => {
                let holds = if skipping {
                    self.line()?;
                    false
                } else {
                    self.holds(directive)?
                };
                let (taken, active) = (holds || skipping, holds);
                let group = Group { opened: here, taken, active, after_else: false, left_out: skipping };
                self.groups().push(group);
                Ok(())
            }
            "endif" => {
                let line = self.line()?;
                match self.groups().pop() {
                    Some(group) if group.left_out => {}
                    Some(_) => self.expect_end(&line, directive),
                    None => self.error(here, "there is no `#if` to this `#endif`")?,
                }
                Ok(())
            }
            _ => {
                let Some(group) = self.groups().last_mut() else {
                    self.line()?;
                    return self.error(here, format!("there is no `#if` to this `#{directive}`"));
                };
                if group.after_else {
                    group.active = false;
                    self.line()?;
                    return self.error(here, format!("`#{directive}` after `#else`"));
                }
                group.after_else = directive == "else";
                group.active = false;
                let (taken, left_out) = (group.taken, group.left_out);
                let holds = match directive {
                    "else" => {
                        let line = self.line()?;
                        self.expect_end(if left_out { &[] } else { &line }, directive);
                        true
                    }
                    // After a part that was used, the expression is not even looked at.
                    _ if taken => {
                        self.line()?;
                        false
                    }
                    _ => self.holds(directive)?,
                };
                if let Some(group) = self.groups().last_mut() {
                    group.active = holds && !taken;
                    group.taken = holds || taken;
                }
                Ok(())
            }
        }
    }

    fn groups(&mut self) -> &mut Vec<Group> {
        // Directives are read from a file, so there is one.
        let last = self.frames.len() - 1;
        &mut self.frames[last].groups
    }

    fn skipping(&self) -> bool {
        let group = self.frames.last().and_then(|frame| frame.groups.last());
        group.is_some_and(|group| !group.active)
    }

    /// Goes on to the next directive that ends the part to be left out, as often as there is one.
    pub(crate) fn leave_out(&mut self) -> Result<(), Stop> {
        while self.skipping() {
            let lexeme = self.lexeme()?;
            if lexeme.piece == Piece::End {
                return Ok(());
            }
            if !(lexeme.line_start && lexeme.piece == Piece::Operator) {
                continue;
            }
            let hash = self.token(lexeme);
            if !hash.is_hash() {
                continue;
            }
            let lexeme = self.lexeme()?;
            if lexeme.piece != Piece::Name {
                continue;
            }
            let name = self.token(lexeme);
            self.here = hash.spot.to(name.spot);
            let text = self.symbols.text(name.text).to_owned();
            if is_conditional(&text) {
                self.conditional(&text)?;
            }
        }
        Ok(())
    }

    /// Whether the condition of this directive is true; a wrong one is not.
    fn holds(&mut self, directive: &str) -> Result<bool, Stop> {
        match directive {
            "ifdef" | "elifdef" => {
                Ok(self.one_name(directive)?.is_some_and(|name| self.macro_of(name).is_some()))
            }
            "ifndef" | "elifndef" => {
                Ok(self.one_name(directive)?.is_some_and(|name| self.macro_of(name).is_none()))
            }
            _ => self.expression(directive),
        }
    }

    fn expression(&mut self, directive: &str) -> Result<bool, Stop> {
        let here = self.here;
        let line = self.line()?;
        let Some(last) = line.last().copied() else {
            self.error(here, format!("`#{directive}` needs an expression"))?;
            return Ok(false);
        };
        let depth = self.begin_apart(line)?;
        let mut tokens = Vec::new();
        let mut sound = true;
        loop {
            let token = self.expanded()?;
            match token.kind {
                TokenKind::End => break,
                TokenKind::Padding(_) => {}
                TokenKind::Name if token.text == Symbol::DEFINED => match self.defined(&token)? {
                    Some(answer) => tokens.push(answer),
                    None => {
                        sound = false;
                        break;
                    }
                },
                _ => tokens.push(token),
            }
        }
        self.end_apart(depth);
        if !sound {
            return Ok(false);
        }
        match condition::evaluate(&tokens, &self.symbols, self.options.limits.expression_depth) {
            Ok(value) => Ok(value.is_true()),
            Err(wrong) => {
                let behind = Spot { start: last.spot.end(), length: 0, ..last.spot };
                match wrong.at {
                    Some(token) => self.token_error(&token, wrong.message)?,
                    None => self.error(behind, wrong.message)?,
                }
                Ok(false)
            }
        }
    }

    /// Answers `defined NAME` or `defined (NAME)`.
    fn defined(&mut self, operator: &Token) -> Result<Option<Token>, Stop> {
        let mut token = self.next_solid()?;
        let parenthesis = token.is_operator(Symbol::OPEN);
        if parenthesis {
            token = self.next_solid()?;
        }
        if token.kind != TokenKind::Name {
            self.token_error(operator, "`defined` needs the name of a macro")?;
            return Ok(None);
        }
        if parenthesis && !self.next_solid()?.is_operator(Symbol::CLOSE) {
            self.token_error(operator, "`defined(` needs a closing parenthesis")?;
            return Ok(None);
        }
        let text = self.symbols.intern(if self.macro_of(token.text).is_some() { "1" } else { "0" });
        Ok(Some(Token { kind: TokenKind::Number, text, ..*operator }))
    }

    fn next_solid(&mut self) -> Result<Token, Stop> {
        loop {
            let token = self.unexpanded()?;
            if !token.is_padding() {
                return Ok(token);
            }
        }
    }
}

pub(crate) fn is_conditional(directive: &str) -> bool {
    matches!(directive, "if" | "ifdef" | "ifndef" | "elif" | "elifdef" | "elifndef" | "else" | "endif")
}
