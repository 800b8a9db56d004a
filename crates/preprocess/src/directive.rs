//! Directives: lines that start with `#`. Macros are defined here, messages given, and the rest handed
//! to those who know.

use source::Diagnostic;

use crate::conditional::is_conditional;
use crate::definition::{self, Macro, Meaning};
use crate::engine::{Engine, Reading, Stop};
use crate::include::plain;
use crate::lexer::Piece;
use crate::map::FileId;
use crate::symbols::Symbol;
use crate::token::{Token, TokenKind};

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
        if name.kind == TokenKind::Number {
            return self.line_marker(name);
        }
        match text.as_str() {
            "define" => self.define(),
            "undef" => self.undefine(),
            "include" | "include_next" => self.include(false),
            "import" => self.include(true),
            "line" => self.line_directive(),
            "error" | "warning" => self.message(&text),
            "pragma" => self.pragma(hash, name),
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
    pub(crate) fn one_name(&mut self, directive: &str) -> Result<Option<Symbol>, Stop> {
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

    fn pragma(&mut self, hash: Token, name: Token) -> Result<(), Stop> {
        let line = self.line()?;
        if let [only] = line[..]
            && self.symbols.text(only.text) == "once"
            && let Some(frame) = self.frames.last()
        {
            let path = plain(self.map.path(FileId::new(frame.file)));
            self.once.insert(path);
            return Ok(());
        }
        if self.options.keep_pragmas {
            if self.reading != Reading::Text {
                return self.error(self.here, "a `#pragma` cannot stand among the arguments of a macro");
            }
            self.start_line(hash.spot);
            for token in [hash, name].into_iter().chain(line) {
                self.output.token(token, &self.symbols, &mut self.map);
            }
        }
        Ok(())
    }
}
