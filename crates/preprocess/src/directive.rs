//! Directives: lines that start with `#`. Those that choose between parts of the text are obeyed in
//! one loop, so that a part which is left out is only looked through for the directive that ends it.

use source::Diagnostic;

use crate::condition;
use crate::definition::{self, Macro, Meaning};
use crate::engine::{Engine, Group, Stop};
use crate::lexer::Piece;
use crate::map::{FileId, Spot};
use crate::symbols::Symbol;
use crate::token::{Kind, Token};

impl Engine<'_> {
    /// Obeys the directive whose `#` was just read, and leaves out what it says to leave out.
    pub(crate) fn directive(&mut self, hash: Token) -> Result<(), Stop> {
        self.here = hash.spot;
        let lexeme = self.lexeme()?;
        if matches!(lexeme.piece, Piece::Newline | Piece::End) {
            return Ok(());
        }
        let name = self.token(lexeme);
        self.here = hash.spot.to(name.spot);
        let text = self.symbols.text(name.text).to_owned();
        if name.kind == Kind::Number {
            return self.line_marker(name);
        }
        match text.as_str() {
            "define" => self.define(),
            "undef" => self.undefine(),
            "include" | "include_next" => self.include(false),
            "import" => self.include(true),
            "line" => self.line_directive(),
            "error" | "warning" => self.message(&text),
            "pragma" => self.pragma(),
            "ident" | "sccs" | "assert" | "unassert" => self.line().map(drop),
            _ if is_conditional(&text) => {
                self.conditional(&text)?;
                self.leave_out()
            }
            _ => {
                self.line()?;
                self.error(self.here, format!("there is no directive `#{text}`"))
            }
        }
    }

    fn define(&mut self) -> Result<(), Stop> {
        let line = self.line()?;
        for token in &line {
            self.remark(token)?;
        }
        let read = match definition::parse(&line, self.here, &self.symbols) {
            Ok(read) => read,
            Err(fault) => return self.fault(fault),
        };
        for warning in &read.warnings {
            self.warning(warning.spot, &warning.message, None);
        }
        let name = read.name;
        if let Some(before) = self.macro_of(name.text).cloned()
            && !before.same(&read)
        {
            let text = self.symbols.text(name.text);
            let message = match &before.meaning {
                Meaning::Builtin(_) => format!("the macro `{text}` is the preprocessor's own"),
                _ => {
                    let spot = self.map.definition(before.definition);
                    let location = self.map.location(spot.file(), spot.start as usize);
                    format!("the macro `{text}` is already defined differently, at {location}")
                }
            };
            self.warning(name.spot, &message, Some("`#undef` it first"));
        }
        let definition = self.map.add_definition(self.symbols.text(name.text), name.spot);
        self.set_macro(name.text, Some(Macro { meaning: read.meaning, body: read.body, definition }));
        Ok(())
    }

    fn undefine(&mut self) -> Result<(), Stop> {
        if let Some(name) = self.one_name("undef")? {
            self.set_macro(name, None);
        }
        Ok(())
    }

    /// The name of a macro that is all a line has to say.
    fn one_name(&mut self, directive: &str) -> Result<Option<Symbol>, Stop> {
        let line = self.line()?;
        match definition::macro_name(line.first(), self.here, directive, &self.symbols) {
            Ok(name) => {
                self.expect_end(&line[1..], directive);
                Ok(Some(name.text))
            }
            Err(fault) => self.fault(fault).map(|()| None),
        }
    }

    pub(crate) fn expect_end(&mut self, rest: &[Token], directive: &str) {
        if let (Some(first), Some(last)) = (rest.first(), rest.last()) {
            let message = format!("`#{directive}` ignores the rest of its line");
            self.warning(first.spot.to(last.spot), &message, None);
        }
    }

    fn message(&mut self, directive: &str) -> Result<(), Stop> {
        let here = self.here;
        let line = self.line()?;
        let message = format!("#{directive} {}", self.spelling(&line));
        let message = message.trim_end();
        if directive == "warning" {
            self.warning(here, message, None);
            return Ok(());
        }
        let span = line.last().map_or(here, |last| here.to(last.spot)).span();
        self.diagnose(here, Diagnostic::error(span, message))
    }

    /// Tokens side by side, with one blank where there were some.
    pub(crate) fn spelling(&self, tokens: &[Token]) -> String {
        let mut text = String::new();
        for token in tokens.iter().filter(|token| !token.is_padding()) {
            if token.white && !text.is_empty() {
                text.push(' ');
            }
            text.push_str(self.symbols.text(token.text));
        }
        text
    }

    fn pragma(&mut self) -> Result<(), Stop> {
        let line = self.line()?;
        if let [only] = line[..]
            && self.symbols.text(only.text) == "once"
            && let Some(frame) = self.frames.last()
        {
            let path = self.map.path(FileId::new(frame.file)).to_path_buf();
            self.once.insert(path);
        }
        Ok(())
    }

    fn conditional(&mut self, directive: &str) -> Result<(), Stop> {
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
                let group =
                    Group { opened: here, taken: holds || skipping, active: holds, after_else: false };
                self.groups().push(group);
                Ok(())
            }
            "endif" => {
                let line = self.line()?;
                self.expect_end(&line, directive);
                match self.groups().pop() {
                    Some(_) => Ok(()),
                    None => self.error(here, "there is no `#if` to this `#endif`"),
                }
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
                let taken = std::mem::replace(&mut group.taken, true);
                let holds = match directive {
                    "else" => {
                        let line = self.line()?;
                        self.expect_end(&line, directive);
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
    fn leave_out(&mut self) -> Result<(), Stop> {
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
                Kind::End => break,
                Kind::Padding(_) => {}
                Kind::Name if token.text == Symbol::DEFINED => match self.defined(&token)? {
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
        if token.kind != Kind::Name {
            self.token_error(operator, "`defined` needs the name of a macro")?;
            return Ok(None);
        }
        if parenthesis && !self.next_solid()?.is_operator(Symbol::CLOSE) {
            self.token_error(operator, "`defined(` needs a closing parenthesis")?;
            return Ok(None);
        }
        let text = self.symbols.intern(if self.macro_of(token.text).is_some() { "1" } else { "0" });
        Ok(Some(Token { kind: Kind::Number, text, ..*operator }))
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

fn is_conditional(directive: &str) -> bool {
    matches!(directive, "if" | "ifdef" | "ifndef" | "elif" | "elifdef" | "elifndef" | "else" | "endif")
}
