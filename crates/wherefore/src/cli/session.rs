//! One command at work: what surrounds it, and where its report goes.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use languages::{Answer, Emit};
use wherefore::since::Earlier;

use super::flags::{LimitArgs, OutputArgs};
use super::host::Terminal;
use super::messages::message;
use super::variation_files::VariationFiles;
use super::{exit, input, written};

#[derive(Debug)]
pub(crate) struct Session<'a> {
    pub(crate) output: &'a OutputArgs,
    pub(crate) host: Terminal,
    /// An earlier report to compare with, and its name.
    since: Option<(String, Earlier)>,
    /// Where to put what the variations leave behind.
    files: VariationFiles,
    /// Tell what each method found, and not only what they came to together.
    by_method: bool,
}

impl<'a> Session<'a> {
    pub(crate) fn new(limits: &LimitArgs, output: &'a OutputArgs) -> Self {
        let host = Terminal::new(limits, output.quiet, output.colours_messages());
        Self { output, host, since: None, files: VariationFiles::default(), by_method: false }
    }

    /// Compares what is reported with an earlier report.
    pub(crate) fn since(self, path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else { return Ok(self) };
        let name = path.display().to_string();
        let earlier = Earlier::read(&input::open(path)?).map_err(|error| anyhow!("{name}: {error}"))?;
        Ok(Self { since: Some((name, earlier)), ..self })
    }

    /// Writes what the variations leave behind beside the report.
    pub(crate) fn with_files(self, files: VariationFiles) -> Self {
        Self { files, ..self }
    }

    /// Tells the results of each method as well, where some were asked for by name.
    pub(crate) fn by_method(self, by_method: bool) -> Self {
        Self { by_method, ..self }
    }

    /// Shows an answer, or its counterexample in the form that is asked for; the exit code says what came out.
    pub(crate) fn show(&self, answer: Answer, form: Option<Emit>) -> Result<u8> {
        self.host.clear();
        let Answer { explanation, emitted, sources } = answer;
        written::refuse_overwriting(self.output.output.as_deref(), sources.iter().map(PathBuf::as_path))?;
        if let Some(form) = form {
            match emitted {
                None => {
                    message(&format!("no {} is written, because there is no counterexample", form.name()))
                }
                Some(text) => {
                    let path = self.output.output.as_deref().unwrap_or(Path::new("-"));
                    written::create(path, |out| Ok(out.write_all(text.as_bytes())?))
                        .with_context(|| format!("--emit {}", form.name()))?;
                }
            }
            return Ok(exit::of(explanation.verdict));
        }
        let mut report = report::tell(&explanation);
        self.files.write(&report)?;
        report.since = self.since.as_ref().map(|(path, earlier)| earlier.compared(path.clone(), &report));
        self.output.report(&report, &sources, self.by_method, &self.host.told())
    }
}
