//! The text of a program, and how it is read.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use cfront::tests::Tests;
use cfront::{Model, Options, Reading};
use findings::DataModel;
use pipeline::request::{Asked, Host, Notice};
use source::{Diagnostic, Message, Span};

use super::goal::{Goal, PROPERTIES};
use crate::disk::{Disk, text_of};
use crate::guess::{instead_of, no_line};
use crate::messages::Unreadable;
use crate::question::{Question, ReadingOptions};

/// A program as text, and how it is read.
pub(super) struct Source {
    path: PathBuf,
    pub(super) text: String,
    options: Options,
    inputs: Option<Vec<i64>>,
}

impl Source {
    fn new(question: &Question<'_>, goal: &Goal) -> Result<Self> {
        let reading = &question.reading;
        let default = Options::default();
        let options = Options {
            defines: reading.definitions(),
            include_dirs: reading.include_folders.clone(),
            data_model: match reading.data_model {
                Some(DataModel::Ilp32) => cfront::DataModel::Ilp32,
                Some(DataModel::Lp64) | None => cfront::DataModel::Lp64,
            },
            entry: reading.entry.clone().unwrap_or(default.entry),
            overflow: goal.overflow,
            races: goal.races,
            input_bits: reading.input_bits.unwrap_or(default.input_bits),
            error: goal.error.clone(),
            system_dirs: default.system_dirs,
            tests: reading.tests.as_ref().map(|folder| folder.tests.clone()),
            records: false,
        };
        let (path, text) = source(question, &options)?;
        Ok(Self { path, text, options, inputs: reading.inputs.clone() })
    }

    /// The tests that the program runs on.
    pub(super) fn tests(&self) -> Option<&Arc<Tests>> {
        self.options.tests.as_ref()
    }

    /// Lets it run on other tests.
    pub(super) fn set_tests(&mut self, tests: Arc<Tests>) {
        self.options.tests = Some(tests);
    }

    /// The program as one that keeps what it prints, and does not compare it.
    pub(super) fn recording(&self) -> Option<Model> {
        let options = Options { records: true, ..self.options.clone() };
        Model::read(&Disk, &self.path, &self.text, &options, None).model
    }

    /// What becomes of another text in its place.
    pub(super) fn reading(&self, text: &str) -> Reading {
        Model::read(&Disk, &self.path, text, &self.options, self.inputs.clone())
    }
}

/// Reads a program; if it cannot be run, this is the error.
pub(super) fn read(question: &Question<'_>, goal: &Goal, host: &dyn Host) -> Result<(Model, Source)> {
    let path = question.input.path;
    let mut source = Source::new(question, goal)?;
    let mut reading = source.reading(&source.text);
    let missing = reading.diagnostics.iter().find_map(missing_header);
    let may_ask_cc = !question.reading.cc && !question.reading.no_external;
    if let Some(header) = missing.filter(|_| may_ask_cc)
        && let Ok(text) = compiled(path, &source.text, &question.reading)
    {
        host.notice(Notice::Note(format!(
            "<{header}> is not built in; the program is preprocessed by `cc -E` with the system's headers"
        )));
        source = Source { path: path.with_extension("i"), text, ..source };
        reading = source.reading(&source.text);
    }
    let told = Told { source: &source, path, text: &text_of(question.input.bytes) };
    let messages = reading.diagnostics.iter().map(|found| told.message(found)).collect();
    let Some(model) = reading.model else {
        return Err(Unreadable::file(&path.display().to_string(), messages).into());
    };
    host.notice(Notice::Messages(messages));
    if let Some(name) = &goal.error
        && !model.tree.functions.iter().any(|function| *function.name == **name)
    {
        // Those that we add have reserved names.
        let functions = model.tree.functions.iter().map(|function| &*function.name);
        let functions = functions.filter(|name| !name.starts_with("__WHEREFORE"));
        let known = instead_of(name, "functions that it can reach", functions, &PROPERTIES);
        bail!("`{name}` is not a function that `{}` can reach: {known}", source.options.entry);
    }
    if let Asked::Line(line) = goal.asked
        && let Some(why) = no_line(line, &text_of(question.input.bytes))
    {
        bail!("{}: {why}", path.display());
    }
    Ok((model, source))
}

/// What is said about a program, and where the user finds it: what another preprocessor made is nobody's text.
struct Told<'a> {
    source: &'a Source,
    path: &'a Path,
    /// The user's.
    text: &'a str,
}

impl Told<'_> {
    fn message(&self, found: &cfront::Diagnostic) -> Message {
        let diagnostic = Diagnostic {
            severity: found.severity,
            message: found.message.clone(),
            span: found.span,
            label: found.label.clone(),
            help: found.help.clone(),
        };
        let notes = found.notes.iter().map(|note| format!("{}: {}", note.location, note.message)).collect();
        let is_made = self.source.path != self.path && found.path == self.source.path;
        match is_made.then(|| origin(&found.text, found.span.start)).flatten() {
            None => Message {
                notes,
                ..Message::new(diagnostic, found.path.display().to_string(), found.text.clone())
            },
            Some((file, line)) if file == self.path.display().to_string() => {
                let words = found.text.get(found.span.start..found.span.end).unwrap_or_default();
                let span = in_line(self.text, line, words);
                Message { notes, ..Message::new(Diagnostic { span, ..diagnostic }, file, self.text) }
            }
            Some((file, line)) => {
                let text = std::fs::read_to_string(&file).unwrap_or_default();
                let words = found.text.get(found.span.start..found.span.end).unwrap_or_default();
                let span = in_line(&text, line, words);
                Message { notes, ..Message::new(Diagnostic { span, ..diagnostic }, file, text) }
            }
        }
    }
}

/// The file and the line that a place in preprocessed text comes from, by the last `# line "file"` before it.
fn origin(text: &str, offset: usize) -> Option<(String, u64)> {
    let before = text.get(..offset)?;
    // The line of the place itself is not complete.
    let lines: Vec<&str> = before.split('\n').collect();
    for (line, passed) in lines.iter().rev().skip(1).zip(0..) {
        let marker = line.strip_prefix("# ").and_then(|rest| rest.split_once(' '));
        let marker = marker.and_then(|(number, rest)| Some((number.parse::<u64>().ok()?, rest)));
        if let Some((number, rest)) = marker {
            let file = rest.strip_prefix('"')?.split('"').next()?;
            return Some((file.to_owned(), number + passed));
        }
    }
    None
}

/// Where words stand in a line of a text, or else the line itself.
fn in_line(text: &str, line: u64, words: &str) -> Span {
    let mut start = 0;
    for (own, number) in text.split_inclusive('\n').zip(1..) {
        if number == line {
            let own = own.trim_end();
            let found = own.find(words).filter(|_| !words.is_empty());
            let indent = own.len() - own.trim_start().len();
            return match found {
                Some(at) => Span::new(start + at, start + at + words.len()),
                None => Span::new(start + indent, start + own.len()),
            };
        }
        start += own.len();
    }
    Span::at(text.len())
}

/// The header in pointed brackets that an error is about, if it is about one.
fn missing_header(found: &cfront::Diagnostic) -> Option<String> {
    let named = found.text.get(found.span.start..found.span.end)?;
    let header = named.strip_prefix('<')?.strip_suffix('>')?;
    found.is_error().then(|| header.to_owned())
}

/// The text of a program and what it is read as: the user's file with the others behind it, or what the
/// system's compiler makes of them.
fn source(question: &Question<'_>, options: &Options) -> Result<(PathBuf, String)> {
    let (path, reading) = (question.input.path, &question.reading);
    let own = text_of(question.input.bytes);
    let others: Vec<(&Path, &str)> = reading.with.iter().map(|(path, text)| (&**path, &**text)).collect();
    let text = match &others[..] {
        [] => own.into_owned(),
        others => cfront::together(&Disk, path, &own, others, options),
    };
    if !reading.cc {
        return Ok((path.to_owned(), text));
    }
    Ok((path.with_extension("i"), compiled(path, &text, reading)?))
}

/// A text after the preprocessor of the system's compiler.
fn compiled(path: &Path, text: &str, reading: &ReadingOptions) -> Result<String> {
    if reading.no_external {
        bail!("--cc starts `cc -E`, and --no-external forbids that: leave one of them out");
    }
    let width = if reading.data_model == Some(DataModel::Ilp32) { "-m32" } else { "-m64" };
    let mut command = Command::new("cc");
    command.args(["-E", width, "-x", "c"]);
    command.args(reading.defines.iter().map(|define| format!("-D{define}")));
    let own = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    command.arg("-iquote").arg(own);
    reading.include_folders.iter().for_each(|folder| _ = command.arg("-I").arg(folder));
    command.arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().context("--cc: `cc` cannot be run")?;
    let named = format!("# 1 \"{}\"\n{text}", path.display());
    let feeder =
        child.stdin.take().map(|mut pipe| std::thread::spawn(move || pipe.write_all(named.as_bytes())));
    let output = child.wait_with_output().context("--cc: `cc` cannot be run")?;
    drop(feeder.map(std::thread::JoinHandle::join));
    if !output.status.success() {
        bail!("--cc: `cc -E` refuses the program:\n{}", text_of(&output.stderr).trim_end());
    }
    Ok(text_of(&output.stdout).into_owned())
}
