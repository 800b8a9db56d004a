//! `#line` and the line markers of text that was preprocessed before (`# 12 "file" 1`): what follows is
//! told as coming from there.

use std::path::Path;

use crate::engine::{Engine, Stop};
use crate::token::{Token, TokenKind};

impl Engine<'_> {
    pub(crate) fn line_directive(&mut self) -> Result<(), Stop> {
        let line = self.line()?;
        let mut line = self.expand_apart(line)?;
        line.retain(|token| !token.is_padding());
        self.mark(&line)
    }

    pub(crate) fn line_marker(&mut self, number: Token) -> Result<(), Stop> {
        let mut line = vec![number];
        line.extend(self.line()?);
        self.mark(&line)
    }

    fn mark(&mut self, line: &[Token]) -> Result<(), Stop> {
        let here = self.here;
        let number = line.first().filter(|token| token.kind == TokenKind::Number);
        let Some(number) = number.and_then(|token| self.symbols.text(token.text).parse::<u32>().ok()) else {
            return self.error(here, "`#line` needs the number of a line");
        };
        let path = match line.get(1) {
            None => None,
            Some(token) if token.kind == TokenKind::String => Some(
                self.symbols.text(token.text).trim_matches('"').replace("\\\"", "\"").replace("\\\\", "\\"),
            ),
            Some(token) => return self.token_error(token, "the name of a file must stand in quotes"),
        };
        if let Some(frame) = self.frames.last() {
            let next = frame.content.line(frame.content.joined.original(frame.at));
            self.map.add_line_mark(frame.file, next, number.into(), path.as_deref().map(Path::new));
        }
        Ok(())
    }
}
