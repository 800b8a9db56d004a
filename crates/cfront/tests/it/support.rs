//! What the tests share.

use std::path::{Path, PathBuf};
use std::process::Command;

use cfront::tree::Program;
use cfront::{DataModel, Diagnostic, Options};
use preprocess::NoFiles;

pub(crate) fn read(text: &str) -> (Option<Program>, Vec<Diagnostic>) {
    read_as("t.c", text, DataModel::Lp64)
}

pub(crate) fn read_as(path: &str, text: &str, data_model: DataModel) -> (Option<Program>, Vec<Diagnostic>) {
    let options = Options { data_model, ..Options::default() };
    cfront::read(&NoFiles, Path::new(path), text, &options)
}

/// The program, which must be sound.
pub(crate) fn program(text: &str) -> Program {
    let (program, diagnostics) = read(text);
    program.unwrap_or_else(|| panic!("refused:\n{}\n{text}", shown(&diagnostics)))
}

/// A line for each message.
pub(crate) fn shown(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|found| format!("{found}\n")).collect()
}

/// The messages of a text that is refused.
pub(crate) fn errors(text: &str) -> String {
    let (program, diagnostics) = read(text);
    assert!(program.is_none(), "not refused: {text}");
    shown(&diagnostics)
}

/// Whether there is a gcc to compare with.
#[expect(clippy::print_stdout, reason = "a test that compares nothing says so")]
pub(crate) fn gcc_is_there() -> bool {
    if Command::new("gcc").arg("--version").output().is_ok() {
        return true;
    }
    let required = std::env::var("WHEREFORE_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
    assert!(!required, "there is no gcc");
    println!("skipped: there is no gcc to compare with");
    false
}

/// Gives a text to gcc, which must accept it; with `output`, makes a program of it.
pub(crate) fn gcc(text: &str, flags: &[&str], folder: &Path, output: Option<&Path>) -> Result<(), String> {
    let source = folder.join("input.c");
    std::fs::write(&source, text).expect("the source is written");
    let mut command = Command::new("gcc");
    command.args(["-std=gnu17", "-w", "-fwrapv"]).args(flags);
    match output {
        Some(path) => command.arg("-o").arg(path),
        None => command.arg("-fsyntax-only"),
    };
    let result = command.arg(&source).output().expect("gcc runs");
    if result.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&result.stderr).into_owned()) }
}

/// What the program that gcc makes of a text prints.
pub(crate) fn run(text: &str, folder: &Path) -> String {
    let binary: PathBuf = folder.join("program");
    gcc(text, &["-O0"], folder, Some(&binary)).unwrap_or_else(|why| panic!("gcc refuses:\n{why}\n{text}"));
    let result = Command::new(&binary).output().expect("the program runs");
    assert!(result.status.success(), "the program fails: {text}");
    String::from_utf8_lossy(&result.stdout).into_owned()
}
