//! Errors and warnings. An error does not end the run, so that several are told at once; a crossed limit
//! does, and so do too many errors.

use source::Diagnostic;

use crate::definition::Fault;
use crate::engine::{Engine, Stop};
use crate::lexer::is_name_start;
use crate::map::Spot;
use crate::token::{Token, TokenKind};

impl Engine<'_> {
    pub(crate) fn error(&mut self, spot: Spot, message: impl Into<String>) -> Result<(), Stop> {
        self.diagnose(spot, Diagnostic::error(spot.span(), message))
    }

    pub(crate) fn fault(&mut self, fault: Fault) -> Result<(), Stop> {
        self.error(fault.spot, fault.message)
    }

    /// An error about a token, told at what the user wrote to get it.
    pub(crate) fn token_error(&mut self, token: &Token, message: impl Into<String>) -> Result<(), Stop> {
        self.error(self.map.users_spot(token.spot, token.expansion), message)
    }

    pub(crate) fn warning(&mut self, spot: Spot, message: &str, help: Option<&str>) {
        let mut warning = Diagnostic::warning(spot.span(), message);
        warning.help = help.map(str::to_owned);
        // As many remarks as errors are enough; only errors end the run.
        if self.diagnostics.len() < self.options.limits.errors {
            self.diagnostics.push((spot.file(), warning));
        }
    }

    pub(crate) fn diagnose(&mut self, spot: Spot, diagnostic: Diagnostic) -> Result<(), Stop> {
        self.diagnostics.push((spot.file(), diagnostic));
        self.errors += 1;
        if self.errors >= self.options.limits.errors {
            return Err(self.stop("there are too many errors to go on"));
        }
        Ok(())
    }

    /// Reports that a limit is crossed.
    pub(crate) fn stop(&mut self, message: &str) -> Stop {
        self.diagnostics.push((self.here.file(), Diagnostic::error(self.here.span(), message)));
        Stop
    }

    /// Tells about tokens that are seldom meant.
    pub(crate) fn remark(&mut self, token: &Token) -> Result<(), Stop> {
        let text = self.symbols.text(token.text);
        match token.kind {
            TokenKind::Other if text.starts_with(['\'', '"']) => {
                let message = format!("this {} has no partner on its line", &text[..1]);
                self.warning(token.spot, &message, None);
            }
            TokenKind::Number => {
                // In `0..N` the whole is one number to the preprocessor.
                let Some((_, name)) = text.rsplit_once("..") else { return Ok(()) };
                if !name.starts_with(is_name_start) {
                    return Ok(());
                }
                let (text, name) = (text.to_owned(), name.to_owned());
                let symbol = self.symbols.intern(&name);
                if self.macro_of(symbol).is_some() {
                    let message =
                        format!("`{text}` is one token, so the macro `{name}` in it is not expanded");
                    self.warning(token.spot, &message, Some("put blanks around `..`"));
                }
            }
            _ => {}
        }
        Ok(())
    }
}
