//! The C preprocessor, as far as models and programs need it, with the way back from its output to the
//! user's own text.
//!
//! SPIN gives a model to `gcc -std=gnu99 -E -x c` before it reads it, so what a Promela text means is what
//! gcc makes of it, down to where two tokens are kept apart. [`preprocess`] does the same without gcc,
//! goes on after errors, and returns a [`SourceMap`] that leads every byte of the output to the place the
//! user wrote: through included files, to the invocation of a macro, and to the exact argument.
//!
//! Why not a library: the one that was tried (`rucc-pp` 0.30.15) cuts Promela into tokens well and knows where
//! they come from, but a deeply nested `#if` overflows its stack, which nobody can catch, and a chain of
//! a hundred thousand macros or fifty thousand invocations in each other's arguments takes more than
//! four gigabytes. What is here has a bound for everything a text can ask for ([`Limits`]).
//!
//! One technique a file: `splice` joins continued lines, `lexer` cuts tokens, `definition` reads
//! macros, `expand` and `substitute` replace them, `condition` evaluates `#if`, `directive`,
//! `conditional`, `include` and `linemark` obey lines that start with `#`, `output` writes the result
//! and `map` leads back. `annotation` reads comments that stand for something.

mod annotation;
mod complaints;
mod condition;
mod conditional;
mod constant;
mod definition;
mod directive;
mod engine;
mod expand;
mod files;
mod include;
mod lexer;
mod limits;
mod linemark;
mod map;
mod output;
mod splice;
mod substitute;
mod symbols;
mod token;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use source::{Diagnostic, Severity};

pub use annotation::Annotation;
pub use files::{Files, NoFiles, Unread};
pub use limits::Limits;
pub use map::{Expanded, FileId, Location, Note, Place, SourceMap};

/// What the caller decides.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Macros to define first (`-D`); without a value they are 1. A name may have parameters.
    pub defines: Vec<(String, Option<String>)>,
    /// Macros to undefine after that (`-U`).
    pub undefine: Vec<String>,
    /// Where to look for files that are not beside the including one (`-I`).
    pub include_folders: Vec<PathBuf>,
    /// Look for `<name>` in those folders only, as C compilers do, and not beside the including file.
    pub angles_in_folders_only: bool,
    /// Keep `#pragma` lines in the output, for a reader who knows what they mean.
    pub keep_pragmas: bool,
    /// Comments that stand for something.
    pub annotations: Vec<Annotation>,
    pub limits: Limits,
}

/// What became of a text.
#[derive(Debug)]
pub struct Preprocessed {
    /// The text without comments and directives, macros expanded. Lines of a text that includes nothing keep
    /// their numbers. After an error it is what could be made of the rest.
    pub text: String,
    pub map: SourceMap,
    /// Errors and warnings in the order in which they were found, each in one of the map's files.
    pub diagnostics: Vec<(FileId, Diagnostic)>,
}

impl Preprocessed {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|(_, diagnostic)| diagnostic.severity == Severity::Error)
    }
}

/// Preprocesses `text`, which is the content of `path`.
pub fn preprocess(
    files: &dyn Files,
    path: &Path,
    text: impl Into<Arc<str>>,
    options: &Options,
) -> Preprocessed {
    engine::Engine::new(files, options).run(path, text.into())
}
