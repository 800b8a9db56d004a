//! What the tests of this crate share: the models of Debian's `spin` package, preprocessed as SPIN does
//! it, and SPIN itself where it is installed.

#![allow(clippy::print_stdout)]

pub(crate) mod found;

use std::path::{Path, PathBuf};
use std::process::Command;

use source::{Diagnostic, LineIndex, Severity};

const FOLDER: &str = "/usr/share/doc/spin/examples";

/// The models with their preprocessed text; empty, with a printed line, where they are missing.
pub(crate) fn packaged_models() -> Vec<(PathBuf, String)> {
    let mut paths = Vec::new();
    collect(Path::new(FOLDER), &mut paths);
    paths.sort();
    let models: Vec<_> = paths.into_iter().filter_map(|path| Some((preprocessed(&path)?, path))).collect();
    if models.is_empty() {
        println!("skipped: no models under {FOLDER}, or no gcc to preprocess them");
    }
    models.into_iter().map(|(text, path)| (path, text)).collect()
}

/// The packaged models, the examples and the small models of the semantics, with their preprocessed text.
pub(crate) fn models() -> Vec<(PathBuf, String)> {
    let mut models = packaged_models();
    for folder in ["../../examples/promela", "tests/semantics"] {
        let mut paths = Vec::new();
        collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut paths);
        paths.sort();
        models.extend(paths.into_iter().filter_map(|path| Some((path.clone(), preprocessed(&path)?))));
    }
    models
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "pml") {
            paths.push(path);
        }
    }
}

/// The text as `gcc -E` makes it, the way SPIN calls it.
pub(crate) fn preprocessed(path: &Path) -> Option<String> {
    let output = Command::new("gcc").args(["-std=gnu99", "-E", "-x", "c"]).arg(path).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// `spin -a` on a text, in a folder of its own: what it printed, and the `pan.t` it wrote. `None`
/// where SPIN is not installed.
pub(crate) fn spin(text: &str, options: &[&str]) -> Option<SpinRun> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("model.pml"), text).expect("a file");
    let output = Command::new("spin")
        .args(options)
        .args(["-a", "model.pml"])
        .current_dir(folder.path())
        .output()
        .ok()?;
    let printed =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let read = |name: &str| {
        std::fs::read(folder.path().join(name)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    Some(SpinRun {
        printed,
        transitions: read("pan.t").unwrap_or_default(),
        moves: read("pan.m").unwrap_or_default(),
    })
}

pub(crate) struct SpinRun {
    pub(crate) printed: String,
    pub(crate) transitions: String,
    pub(crate) moves: String,
}

impl SpinRun {
    /// SPIN said so, or made nothing (it crashes on some texts); its exit code does not tell.
    pub(crate) fn refused(&self) -> bool {
        self.moves.is_empty()
            || self.printed.lines().any(|line| {
                let line = line.to_lowercase();
                line.contains("error") && !line.contains("dubious use of 'else'")
            })
    }
}

/// A diagnostic as a line of text.
pub(crate) fn shown(text: &str, diagnostic: &Diagnostic) -> String {
    let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
    let at = LineIndex::new(text).position(text, diagnostic.span.start);
    format!("{at}: {severity}: {}", diagnostic.message)
}

pub(crate) fn errors(diagnostics: &[Diagnostic]) -> usize {
    diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count()
}
