//! An input, and all that can be asked about it.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cfront::tests::Tests;
use findings::{DataModel, Spelling};
use graph::Fairness;
use pipeline::request::Request;

use crate::emit::Emit;
use crate::language::Language;
use crate::trail::Trail;

/// What is asked of an input.
#[derive(Debug)]
pub struct Question<'a> {
    pub input: Input<'a>,
    pub reading: ReadingOptions,
    pub property: PropertyOptions,
    /// What is asked of every language. What it says of the input and the property is filled in by the front-end.
    pub request: Request,
    pub search: SearchOptions,
    /// Explain this counterexample instead of a shortest one.
    pub trail: Option<(PathBuf, Trail)>,
    /// Look only near this trace.
    pub near: Option<Near>,
    /// All failing traces of the input in a file of their own: its name and content.
    pub counterexample_lts: Option<(PathBuf, Vec<u8>)>,
    /// Write the counterexample in this form.
    pub emit: Option<Emit>,
}

/// What is read.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// As the user calls it; files that it includes are looked for beside it.
    pub path: &'a Path,
    pub bytes: &'a [u8],
    pub language: Language,
}

/// How the text of a model or program is read.
#[derive(Clone, Debug, Default)]
pub struct ReadingOptions {
    /// Macros of the preprocessor, `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Where to look for included files as well.
    pub include_folders: Vec<PathBuf>,
    /// The function a C program starts with; `main` if none is named.
    pub entry: Option<String>,
    pub data_model: Option<DataModel>,
    /// The inputs of a C program in the order in which it asks for them; all values are tried without.
    pub inputs: Option<Vec<i64>>,
    /// All values of inputs of so many bits are tried.
    pub input_bits: Option<u8>,
    /// Other files of a C program, with their texts.
    pub with: Vec<(PathBuf, String)>,
    /// Whether the system's compiler preprocesses a C program.
    pub cc: bool,
    /// Whether no other program may be started, be it a preprocessor or a compiler.
    pub no_external: bool,
    /// Where classes of a Java program are looked for as well.
    pub class_path: Vec<PathBuf>,
    /// The class a Java program starts with.
    pub main: Option<String>,
    /// What a Java program is started with.
    pub arguments: Vec<String>,
    /// Tests that a C program runs on.
    pub tests: Option<TestFolder>,
}

/// Tests out of a folder.
#[derive(Clone, Debug)]
pub struct TestFolder {
    pub path: PathBuf,
    pub tests: Arc<Tests>,
}

impl ReadingOptions {
    /// The macros, each with its value.
    pub(crate) fn definitions(&self) -> Vec<(String, Option<String>)> {
        let definition = |text: &String| match text.split_once('=') {
            None => (text.clone(), None),
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
        };
        self.defines.iter().map(definition).collect()
    }

    /// The options that were given, as the command line calls them, for inputs that have no use for them.
    pub(crate) fn given(&self) -> Vec<&'static str> {
        let given = [(!self.defines.is_empty(), "-D"), (!self.include_folders.is_empty(), "-I")];
        given
            .into_iter()
            .filter(|(given, _)| *given)
            .map(|(_, name)| name)
            .chain(self.given_for_c())
            .collect()
    }

    /// Those that only C programs have a use for.
    pub(crate) fn given_for_c(&self) -> impl Iterator<Item = &'static str> + use<> {
        let given = [
            (self.entry.is_some(), "--entry"),
            (self.data_model.is_some(), "--data-model"),
            (self.inputs.is_some(), "--inputs"),
            (self.input_bits.is_some(), "--input-bits"),
            (!self.with.is_empty(), "--with"),
            (self.cc, "--cc"),
            (self.tests.is_some(), "--tests"),
        ];
        given.into_iter().filter(|(given, _)| *given).map(|(_, name)| name)
    }
}

/// Which property is checked.
#[derive(Clone, Debug, Default)]
pub struct PropertyOptions {
    /// What must not happen, as the language spells it; everything that the input states if nothing is said.
    pub texts: Vec<String>,
    /// The same from a file.
    pub file: Option<PropertyFile>,
    pub spelling: Option<Spelling>,
    /// The label that ends the traces of an automaton or of a counterexample LTS.
    pub end_label: Option<String>,
    /// The label of a last step that ends a trace properly.
    pub final_label: Option<String>,
    /// What counts as passing for ever; the default depends on the property.
    pub fairness: Option<Fairness>,
    /// Whether a formula may name labels that do not occur.
    pub allow_unknown: bool,
}

impl PropertyOptions {
    /// The property that is asked for, where there is only one.
    pub(crate) fn text(&self) -> Option<&str> {
        self.texts.first().map(String::as_str)
    }

    /// Whether some property is asked for.
    pub(crate) fn is_given(&self) -> bool {
        !self.texts.is_empty() || self.file.is_some()
    }
}

/// A file with a property.
#[derive(Clone, Debug)]
pub struct PropertyFile {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

/// How a model or program is searched.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    pub engine: Engine,
    pub order: SearchOrder,
    /// Whether orders of independent steps are left out where that is sound and only a verdict is asked for.
    pub reduce: bool,
    /// How many threads check a model; as many as there are processors if nobody says otherwise.
    pub threads: Option<NonZeroUsize>,
    /// How far loops are unwound.
    pub unwind: Option<u32>,
    /// How many conflicts a question may cost a solver.
    pub max_conflicts: Option<u64>,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            engine: Engine::Auto,
            order: SearchOrder::BreadthFirst,
            reduce: true,
            threads: None,
            unwind: None,
            max_conflicts: None,
        }
    }
}

/// Who decides about a C program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Whoever fits; where one does not decide, the next is asked.
    Auto,
    /// All states, with all calls in them.
    Explicit,
    /// Call by call.
    Summary,
    /// The program as a formula.
    Sat,
}

/// In which order states are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchOrder {
    BreadthFirst,
    DepthFirst,
}

/// A trace, and how many steps away from it to look.
#[derive(Clone, Debug)]
pub struct Near {
    pub path: PathBuf,
    pub trail: Trail,
    pub depth: u32,
}

impl Question<'_> {
    /// The options that were given and that only models and programs have a use for, as the command line calls them.
    pub(crate) fn given_for_models(&self) -> Vec<&'static str> {
        let own = [
            (self.request.violation.is_some(), "--violation"),
            (self.request.unreached, "--unreached"),
            (self.search.engine != Engine::Auto, "--engine"),
            (self.search.unwind.is_some(), "--unwind"),
            (self.search.max_conflicts.is_some(), "--max-conflicts"),
        ];
        let own = own.into_iter().filter(|(given, _)| *given).map(|(_, name)| name);
        self.reading.given().into_iter().chain(own).collect()
    }

    /// What the answer is about.
    pub(crate) fn told_input(&self, kind: &str, size: Option<findings::GraphSize>) -> findings::Input {
        let path = self.input.path.display().to_string();
        findings::Input { path, kind: kind.to_owned(), size, options: self.told_options() }
    }

    /// What was asked, so that the same can be asked again.
    fn told_options(&self) -> findings::Options {
        let Self { reading, property, search, request, .. } = self;
        let path = |path: &PathBuf| path.display().to_string();
        findings::Options {
            properties: property.texts.clone(),
            property_file: property.file.as_ref().map(|file| path(&file.path)),
            spelling: property.spelling,
            end_label: property.end_label.clone(),
            final_label: property.final_label.clone(),
            fairness: property.fairness,
            defines: reading.defines.clone(),
            include_folders: reading.include_folders.iter().map(path).collect(),
            entry: reading.entry.clone(),
            data_model: reading.data_model,
            inputs: reading.inputs.clone(),
            input_bits: reading.input_bits,
            with: reading.with.iter().map(|(file, _)| path(file)).collect(),
            cc: reading.cc,
            class_path: reading.class_path.iter().map(path).collect(),
            main: reading.main.clone(),
            arguments: reading.arguments.clone(),
            tests: reading.tests.as_ref().map(|tests| path(&tests.path)),
            unwind: search.unwind,
            violation: request.violation,
            trail: self.trail.as_ref().map(|(file, _)| path(file)),
            near: self.near.as_ref().map(|near| path(&near.path)),
            counterexample_lts: self.counterexample_lts.as_ref().map(|(file, _)| path(file)),
        }
    }
}
