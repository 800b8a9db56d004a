//! Reports out.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use report::Report;
use report::text::{Detail, Telling};

use super::flags::{Colour, Format, LimitArgs, OutputArgs, PropertyArgs};
use super::{browser, exit, written};

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
                // As https://no-color.org and https://bixense.com/clicolors say.
                let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
                let forced = set("CLICOLOR_FORCE").is_some_and(|value| value != "0");
                let refused = set("CLICOLOR").is_some_and(|value| value == "0");
                let dumb = set("TERM").is_some_and(|term| term == "dumb");
                set("NO_COLOR").is_none() && (forced || terminal && !refused && !dumb)
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

    /// Refuses a format that only reports on a system have, before any work is done.
    pub(crate) fn refuse_sarif(&self, command: &str) -> Result<()> {
        match self.format() {
            Format::Sarif => bail!(
                "{command} has no report in SARIF, which is about causes in a source: use -f text or -f json"
            ),
            Format::Text | Format::Json | Format::Html => Ok(()),
        }
    }

    /// Writes something that is rendered as text or as JSON.
    pub(crate) fn write(
        &self,
        text: impl FnOnce(Detail, bool, &mut dyn Write) -> std::io::Result<()>,
        json: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> Result<()> {
        self.refuse_sarif("this command")?;
        self.refuse_page()?;
        self.create(|out| match self.format() {
            Format::Text | Format::Html => text(self.detail(), self.colours_report(), out),
            Format::Json | Format::Sarif => json(out),
        })
    }

    fn create(&self, render: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
        let path = self.output.as_deref().unwrap_or(Path::new("-"));
        written::create(path, |out| Ok(render(out)?))
    }

    /// Says at once that a command makes no pages, before it does its work.
    pub(crate) fn refuse_page(&self) -> Result<()> {
        if self.is_page() {
            bail!("only `explain` and `check` make HTML reports");
        }
        Ok(())
    }

    /// Refuses what could only be ignored, and a file that cannot be written, before any work is done.
    pub(crate) fn refuse_ignored(&self, emit: Option<languages::Emit>, since: bool) -> Result<()> {
        if let (true, Some(format @ (Format::Text | Format::Json | Format::Sarif))) = (self.open, self.format)
        {
            let name = format.name();
            bail!("--open shows the HTML report, and -f {name} asks for another one: leave one of them out");
        }
        if self.open && self.output.as_deref().is_some_and(written::is_standard_stream) {
            bail!("--open needs a file: leave -o out, or name one");
        }
        let to_terminal = self.output.is_none() && !self.open && std::io::stdout().is_terminal();
        if emit.is_none() && self.is_page() && to_terminal {
            bail!("an HTML report is no text for a terminal: use -o FILE.html, or --open to look at it");
        }
        if let Some(form) = emit {
            let ignored = [
                (self.format.is_some(), "-f"),
                (self.open, "--open"),
                (self.verbose, "-v"),
                (since, "--since"),
            ];
            if let Some((_, option)) = ignored.iter().find(|(given, _)| *given) {
                let form = form.name();
                bail!("--emit {form} writes the counterexample instead of a report: leave {option} out");
            }
        }
        self.refuse_missing_folder()
    }

    /// Refuses to open a page where no other program may be started.
    pub(crate) fn refuse_browser(&self, limits: &LimitArgs) -> Result<()> {
        if self.open && limits.no_external {
            bail!("--open starts a browser, and --no-external forbids that: leave one of them out");
        }
        Ok(())
    }

    /// Refuses to write over what is read, as far as it is named.
    pub(crate) fn refuse_overwriting<'a>(
        &self,
        file: &'a Path,
        property: &'a PropertyArgs,
        others: impl IntoIterator<Item = &'a Path>,
    ) -> Result<()> {
        let inputs = [file].into_iter().chain(property.property_file.as_deref()).chain(others);
        written::refuse_overwriting(self.output.as_deref(), inputs)
    }

    fn refuse_missing_folder(&self) -> Result<()> {
        self.output.as_deref().map_or(Ok(()), written::refuse_missing_folder)
    }

    /// How the report is shown.
    pub(crate) fn format(&self) -> Format {
        let ending = self.output.as_deref().and_then(|path| path.extension()).and_then(|end| end.to_str());
        let by_name = match ending {
            Some("json") => Format::Json,
            Some("html" | "htm") => Format::Html,
            Some("sarif") => Format::Sarif,
            _ => Format::Text,
        };
        self.format.unwrap_or(if self.open { Format::Html } else { by_name })
    }

    /// Whether the report is to be a page for a browser.
    pub(crate) fn is_page(&self) -> bool {
        self.format() == Format::Html
    }

    /// How a report is told where it begins before it is finished: as text on standard output.
    pub(crate) fn early(&self) -> Option<Telling> {
        let is_text = self.format() == Format::Text && self.output.is_none() && !self.is_page();
        is_text.then(|| self.telling(false))
    }

    fn telling(&self, by_method: bool) -> Telling {
        Telling {
            detail: self.detail(),
            colour: self.colours_report(),
            by_method,
            options: true,
            width: width(),
        }
    }

    /// Writes a report, without its beginning if that was told before.
    pub(crate) fn report(
        &self,
        report: &Report,
        sources: &[PathBuf],
        by_method: bool,
        told: &str,
    ) -> Result<u8> {
        let code = exit::of(report.verdict);
        if self.is_page() {
            browser::show(report, sources, self.output.as_deref(), self.open)?;
            return Ok(code);
        }
        self.create(|out| match self.format() {
            Format::Text | Format::Html => {
                let mut text = Vec::new();
                report::text::render(report, self.telling(by_method), &mut text)?;
                out.write_all(text.strip_prefix(told.as_bytes()).unwrap_or(&text))
            }
            Format::Json => report::json::render(report, out),
            Format::Sarif => {
                let folder = std::env::current_dir().ok();
                report::sarif::render(report, folder.as_deref().and_then(Path::to_str), code, out)
            }
        })?;
        Ok(code)
    }
}

/// How many columns the terminal has, where it says so.
fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    columns.unwrap_or(report::text::WIDTH)
}
