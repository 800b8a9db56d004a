//! C: from text to a typed tree, and from there to a program that runs.
//!
//! [`read`] preprocesses a text, has it parsed and typed, and turns what the entry function can reach into
//! a [`tree::Program`]: every name bound, every conversion and layout explicit. It goes on after errors and
//! reports as many as it finds, each at its place in the user's own files.
//!
//! [`Model::read`] goes on from there: `lower` turns the tree into a program of the common [`model`](::model),
//! and `machine` runs it, threads, calls and heap included. A [`Narrator`] tells people about its states and
//! steps in the words of the text.
//!
//! Parsing and typing are a library's (the `rucc` crates), of which nothing is seen outside of `seam`.
//! What the library or the tree cannot do right is refused by name and place, if the entry function can
//! reach it; nothing is dropped in silence, because what is told about a program would then be wrong.

mod diagnostic;
mod headers;
mod large_stack;
mod lower;
mod machine;
mod model;
mod nesting;
mod predefined;
mod scope;
mod seam;
mod story;
pub mod tests;
mod transcript;
pub mod tree;
mod units;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use preprocess::Files;

use tests::Tests;

pub use diagnostic::{Diagnostic, Note};
pub use machine::{CCaller, CWorker, Rehearsal};
pub use model::{Fed, Model, Obstacle, Reading};
pub use story::Narrator;
pub use tree::DataModel;
pub use units::together;

/// What the caller decides.
#[derive(Clone, Debug)]
pub struct Options {
    /// Macros to define (`-D`); without a value they are 1.
    pub defines: Vec<(String, Option<String>)>,
    /// Where to look for included files (`-I`), before the headers that come with this crate.
    pub include_dirs: Vec<PathBuf>,
    /// Where to look after those: the system's own headers, if they are wanted.
    pub system_dirs: Vec<PathBuf>,
    pub data_model: DataModel,
    /// The function the program starts with.
    pub entry: String,
    /// The function that must not be called; without it, `reach_error` and `__VERIFIER_error`.
    pub error: Option<String>,
    /// All values of inputs of at most so many bits are tried, if the program assumes nothing of them.
    pub input_bits: u8,
    /// Whether accesses to the same memory at once are a fault, unless all of them read or are atomic.
    pub races: bool,
    /// Whether overflow of integers with a sign is a fault; they wrap otherwise.
    pub overflow: bool,
    /// The tests that the program runs on; what it reads and prints is theirs.
    pub tests: Option<Arc<Tests>>,
    /// Whether what it prints on them is kept, and not compared with what it should print.
    pub records: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            defines: Vec::new(),
            include_dirs: Vec::new(),
            system_dirs: Vec::new(),
            data_model: DataModel::default(),
            entry: "main".to_owned(),
            error: None,
            races: false,
            input_bits: 1,
            overflow: false,
            tests: None,
            records: false,
        }
    }
}

/// Reads `text`, the content of `path`. A name that ends in `.i` means that it is preprocessed already.
/// The program is there if nothing but warnings was found.
pub fn read(
    files: &dyn Files,
    path: &Path,
    text: &str,
    options: &Options,
) -> (Option<tree::Program>, Vec<Diagnostic>) {
    let files = headers::WithHeaders::new(files);
    let ready = preprocess::preprocess(&files, path, text, &predefined::options(path, options));
    let mut diagnostics = diagnostic::preprocessing(&ready);
    if ready.has_errors() {
        return (None, diagnostics);
    }
    let (program, found) = seam::read(ready, options);
    diagnostics.extend(found);
    let sound = !diagnostics.iter().any(Diagnostic::is_error);
    (program.filter(|_| sound), diagnostics)
}
