//! The examples that are right, or are so after they have been mended as their headers say.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use edits::Language;

use crate::diff;

#[derive(Clone, Debug)]
pub(crate) struct Base {
    pub(crate) name: String,
    pub(crate) language: Language,
    pub(crate) text: String,
    /// Where the files are that it includes.
    pub(crate) folder: PathBuf,
    /// Options that the tool needs for it.
    pub(crate) options: Vec<String>,
}

impl Base {
    /// Its name with the ending of its language.
    pub(crate) fn file(&self) -> String {
        let ending = match self.language {
            Language::C => "c",
            Language::Promela => "pml",
        };
        format!("{}.{ending}", self.name)
    }
}

/// The folder with the examples in it: this one, or one around it.
pub(crate) fn workspace() -> Result<PathBuf> {
    let here = std::env::current_dir()?;
    let found = here.ancestors().find(|folder| folder.join("examples/promela/mends").is_dir());
    Ok(found
        .context("no folder around this one has the examples: run this inside of the repository")?
        .to_owned())
}

pub(crate) fn bases(root: &Path) -> Result<Vec<Base>> {
    let mut found = Vec::new();
    for path in files(&root.join("examples/promela"), "pml")? {
        found.push(model(&path)?);
    }
    for path in files(&root.join("examples/c"), "c")? {
        if !path.ends_with("inputs.c") {
            found.extend(program(&path)?);
        }
    }
    Ok(found)
}

/// The files of a folder with this ending, by their names.
pub(crate) fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|known| known == extension));
    paths.sort();
    Ok(paths)
}

fn base(path: &Path, language: Language, text: String, options: Vec<String>) -> Base {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
    Base { name, language, text, folder, options }
}

fn model(path: &Path) -> Result<Base> {
    let mut text = std::fs::read_to_string(path)?;
    let mend =
        path.with_file_name("mends").join(path.file_stem().unwrap_or_default()).with_extension("patch");
    if mend.is_file() {
        let patch = std::fs::read_to_string(&mend)?;
        let header = format!("--- {}", path.file_name().unwrap_or_default().to_string_lossy());
        // A mend of an included file leaves this one as it is.
        if patch.starts_with(&header) {
            text = diff::apply(&text, &patch).with_context(|| mend.display().to_string())?;
        }
    }
    Ok(base(path, Language::Promela, text, Vec::new()))
}

/// What the opening comment of an example says behind `name:`, once for each such line.
pub(crate) fn header(text: &str, name: &str) -> Vec<String> {
    let start = format!(" * {name}: ");
    let comment = text.split("*/").next().unwrap_or_default();
    comment.lines().filter_map(|line| line.strip_prefix(&start)).map(str::to_owned).collect()
}

/// A program with all its mends; nothing if it needs some and has none.
fn program(path: &Path) -> Result<Option<Base>> {
    let text = std::fs::read_to_string(path)?;
    let field = |name: &str| header(&text, name);
    let options: Vec<String> = field("options")
        .iter()
        .flat_map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let mends = field("mend");
    if field("expect") != ["holds"] && mends.is_empty() {
        return Ok(None);
    }
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    for mend in mends {
        let parsed = mend.strip_prefix("line ").and_then(|rest| rest.split_once(": "));
        let Some((number, line)) =
            parsed.and_then(|(number, line)| Some((number.parse::<usize>().ok()?, line)))
        else {
            bail!("{}: `{mend}` is no mend", path.display());
        };
        match number.checked_sub(1).and_then(|at| lines.get_mut(at)) {
            Some(old) => line.clone_into(old),
            None => bail!("{}: there is no line {number}", path.display()),
        }
    }
    Ok(Some(base(path, Language::C, lines.join("\n"), options)))
}
