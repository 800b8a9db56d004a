//! Reports out.

use std::io::{IsTerminal, Write};
use std::path::Path;

use anyhow::Result;
use report::Report;
use report::text::{Detail, Telling};

use super::flags::{Colour, Format, OutputArgs};
use super::{exit, input};

impl OutputArgs {
    /// Whether text on standard output (or in the output file) is coloured.
    fn colours_report(&self) -> bool {
        self.output.is_none() && self.colours(std::io::stdout().is_terminal())
    }

    /// Whether messages on standard error are coloured.
    pub(crate) fn colours_messages(&self) -> bool {
        self.colours(std::io::stderr().is_terminal())
    }

    fn colours(&self, terminal: bool) -> bool {
        match self.color {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
                terminal && !refused && !dumb
            }
        }
    }

    fn detail(&self) -> Detail {
        match (self.quiet, self.verbose) {
            (true, _) => Detail::Quiet,
            (_, true) => Detail::Verbose,
            _ => Detail::Normal,
        }
    }

    /// Writes something that is rendered as text or as JSON.
    pub(crate) fn write(
        &self,
        text: impl FnOnce(Detail, bool, &mut dyn Write) -> std::io::Result<()>,
        json: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> Result<()> {
        let path = self.output.as_deref().unwrap_or(Path::new("-"));
        input::create(path, |out| {
            match self.format {
                Format::Text => text(self.detail(), self.colours_report(), out)?,
                Format::Json => json(out)?,
            }
            Ok(())
        })
    }

    pub(crate) fn report(&self, report: &Report, by_method: bool) -> Result<u8> {
        self.write(
            |detail, colour, out| report::text::render(report, Telling { detail, colour, by_method }, out),
            |out| report::json::render(report, out),
        )?;
        Ok(exit::of(report.verdict))
    }
}
