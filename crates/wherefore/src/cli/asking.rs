//! From flags to the question they ask.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use graph::Fairness;
use languages::{
    Input, Language, Near, PropertyFile, PropertyOptions, Question, ReadingOptions, SearchOptions, Trail,
    VerifiedReport, text_of,
};
use pipeline::request::{DEFAULT_UNWIND, DiagnosisRequest, Request};

use super::choices::Choice;
use super::flags::{ExplainArgs, LimitArgs, ModelArgs, PropertyArgs, TextArgs};
use super::input::{self, Bytes};
use super::test_folder;

/// How many neighbourhoods a report lists unless it is asked for all.
const MOST_LISTED: usize = 1_000;

/// A file that was opened, and the language it is in.
#[derive(Debug)]
pub(crate) struct Opened<'a> {
    path: &'a Path,
    bytes: Bytes,
    pub(crate) language: Language,
}

impl<'a> Opened<'a> {
    pub(crate) fn new(path: &'a Path, given: Option<Language>) -> Result<Self> {
        let bytes = input::open(path)?;
        let language = match given {
            Some(language) => language,
            None => Language::of_file(path, &bytes)?,
        };
        Ok(Self { path, bytes, language })
    }

    /// A question about it that asks for a verdict only.
    pub(crate) fn question(
        &self,
        text: &TextArgs,
        property: &PropertyArgs,
        limits: &LimitArgs,
    ) -> Result<Question<'_>> {
        let Self { path, bytes, language } = self;
        let nothing = findings::Input {
            path: String::new(),
            kind: String::new(),
            size: None,
            options: findings::Options::default(),
        };
        let unknown =
            findings::Property { kind: findings::ViolationKind::Safety, text: String::new(), spelling: None };
        let property = property.options()?;
        Ok(Question {
            input: Input { path, bytes, language: *language },
            reading: ReadingOptions { no_external: limits.no_external, ..text.options()? },
            request: Request {
                max_states: limits.max_states.unwrap_or(u64::MAX),
                fairness: property.fairness.unwrap_or(Fairness::Weak),
                ..Request::check(nothing, unknown)
            },
            property,
            search: SearchOptions { threads: limits.threads, ..SearchOptions::default() },
            trail: None,
            near: None,
            counterexample_lts: None,
            emit: None,
        })
    }

    /// What a report says it was asked.
    pub(crate) fn question_of_report(
        &self,
        report: &VerifiedReport,
        limits: &LimitArgs,
    ) -> Result<Question<'_>> {
        let asked = &report.input.options;
        let paths = |names: &[String]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let file = asked.property_file.as_ref().map(|name| {
            let path = PathBuf::from(name);
            Ok::<_, anyhow::Error>(PropertyFile { bytes: input::open(&path)?.to_vec(), path })
        });
        let property = PropertyOptions {
            texts: asked.properties.clone(),
            file: file.transpose()?,
            spelling: word(asked.spelling.as_deref())?,
            end_label: asked.end_label.clone(),
            final_label: asked.final_label.clone(),
            fairness: word(asked.fairness.as_deref())?,
            allow_unknown: true,
        };
        let reading = ReadingOptions {
            defines: asked.defines.clone(),
            include_folders: paths(&asked.include_folders),
            entry: asked.entry.clone(),
            data_model: word(asked.data_model.as_deref())?,
            inputs: asked.inputs.clone(),
            input_bits: asked.input_bits,
            with: paths(&asked.with).iter().map(|path| other_file(path)).collect::<Result<_>>()?,
            cc: asked.cc,
            no_external: limits.no_external,
            class_path: paths(&asked.class_path),
            main: asked.main.clone(),
            arguments: asked.arguments.clone(),
            tests: asked.tests.as_ref().map(|folder| test_folder::read(Path::new(folder))).transpose()?,
        };
        let question = self.question(&TextArgs::default(), &PropertyArgs::default(), limits)?;
        let request = Request { violation: asked.violation, ..question.request };
        let search = SearchOptions { unwind: asked.unwind, ..question.search };
        Ok(Question { property, reading, request, search, ..question })
    }

    /// The same with what only models and programs are asked.
    pub(crate) fn question_of_model(
        &self,
        model: &ModelArgs,
        property: &PropertyArgs,
        limits: &LimitArgs,
    ) -> Result<Question<'_>> {
        let question = self.question(&model.text, property, limits)?;
        let request = Request { violation: model.violation, unreached: model.unreached, ..question.request };
        let emit = model.emit;
        Ok(Question { request, search: model.search(limits), emit, ..question })
    }
}

/// What a report says was chosen.
fn word<T: Choice>(name: Option<&str>) -> Result<Option<T>> {
    let Some(name) = name else { return Ok(None) };
    let known = T::named(name);
    Ok(Some(known.with_context(|| format!("the report was asked with `{name}`, which is not known"))?))
}

impl ExplainArgs {
    /// All that is asked about an input.
    pub(crate) fn question<'a>(&self, opened: &'a Opened<'_>) -> Result<Question<'a>> {
        let question = opened.question_of_model(&self.model, &self.property, &self.limits)?;
        let request = self.request(question.request, question.reading.inputs.is_some());
        let trail = self.trail.as_ref().map(|path| Ok::<_, anyhow::Error>((path.clone(), read_trail(path)?)));
        let near = self.variations.near.as_ref().map(|path| {
            let (path, trail) = (path.clone(), read_trail(path)?);
            Ok::<_, anyhow::Error>(Near { path, trail, depth: self.variations.depth })
        });
        let given = self.counterexample_lts.as_ref().map(|path| {
            let bytes = input::open(path)?.to_vec();
            Ok::<_, anyhow::Error>((path.clone(), bytes))
        });
        let (trail, near, counterexample_lts) = (trail.transpose()?, near.transpose()?, given.transpose()?);
        Ok(Question { request, trail, near, counterexample_lts, ..question })
    }

    fn request(&self, request: Request, has_inputs: bool) -> Request {
        let by_name = !self.method.is_empty();
        Request {
            methods: findings::Method::ALL.into_iter().filter(|method| self.runs(*method)).collect(),
            trust: pipeline::Trust::new(self.trust.iter().map(String::as_str)),
            anomalies: self.anomalies.request(),
            variations: self.variations.request(),
            diagnosis: DiagnosisRequest {
                fixed: has_inputs,
                unwind: self.model.unwind.unwrap_or(DEFAULT_UNWIND),
                failing: self.failing.iter().map(|run| run.0.clone()).collect(),
                passing: self.passing.iter().map(|run| run.0.clone()).collect(),
                work: if by_name { DiagnosisRequest::ALONE } else { DiagnosisRequest::AMONG_OTHERS },
            },
            repairs: self.repair_effort(),
            others: true,
            edges: self.edges,
            most_listed: if self.output.verbose || self.edges { usize::MAX } else { MOST_LISTED },
            picture: self.output.is_page(),
            ..request
        }
    }
}

impl PropertyArgs {
    fn options(&self) -> Result<PropertyOptions> {
        let file = self.property_file.as_ref().map(|path| {
            let bytes = input::open(path)?.to_vec();
            Ok::<_, anyhow::Error>(PropertyFile { path: path.clone(), bytes })
        });
        Ok(PropertyOptions {
            texts: self.property.clone(),
            file: file.transpose()?,
            spelling: self.formula,
            end_label: self.end_label.clone(),
            final_label: self.final_label.clone(),
            fairness: self.fairness,
            allow_unknown: self.allow_unknown,
        })
    }
}

impl TextArgs {
    /// The files that are named here.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let inputs = self.inputs.as_deref().map(Path::new).filter(|path| path.is_file());
        self.with.iter().map(PathBuf::as_path).chain(inputs)
    }

    fn options(&self) -> Result<ReadingOptions> {
        Ok(ReadingOptions {
            defines: self.define.clone(),
            include_folders: self.include.clone(),
            entry: self.entry.clone(),
            data_model: self.data_model,
            inputs: self.inputs.as_deref().map(inputs).transpose()?,
            input_bits: self.input_bits,
            with: self.with.iter().map(|path| other_file(path)).collect::<Result<_>>()?,
            cc: self.cc,
            no_external: false,
            class_path: self.classpath.clone(),
            main: self.main.clone(),
            arguments: self.arguments.clone(),
            tests: self.tests.as_deref().map(test_folder::read).transpose()?,
        })
    }
}

impl ModelArgs {
    fn search(&self, limits: &LimitArgs) -> SearchOptions {
        SearchOptions {
            engine: self.engine,
            order: self.search,
            reduce: self.reduction == super::flags::Reduction::Por,
            threads: limits.threads,
            unwind: self.unwind,
            max_conflicts: self.max_conflicts,
        }
    }
}

pub(crate) fn read_trail(path: &Path) -> Result<Trail> {
    // That a file cannot be opened is said with its name.
    let bytes = input::open(path)?;
    Trail::read(&bytes).with_context(|| path.display().to_string())
}

/// Another file of a program, with its text.
fn other_file(path: &Path) -> Result<(PathBuf, String)> {
    let whole = std::path::absolute(path).with_context(|| path.display().to_string())?;
    if !whole.is_file() {
        bail!("{}: there is no such file", path.display());
    }
    let text = text_of(&input::open(&whole)?).into_owned();
    Ok((whole, text))
}

/// The values of `--inputs`: numbers separated by commas, or a file of them.
fn inputs(given: &str) -> Result<Vec<i64>> {
    let number = |word: &str| {
        let value = word.parse::<i64>().or_else(|_| word.parse::<u64>().map(|value| value as i64));
        value.map_err(|_| anyhow!("`{word}` is not a number"))
    };
    let split = |text: &str| -> Result<Vec<i64>> {
        let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
        words.map(number).collect()
    };
    split(given).or_else(|error| {
        let path = Path::new(given);
        if !path.exists() {
            return Err(error.context(format!("--inputs: `{given}` is neither a list of values nor a file")));
        }
        split(&input::open_text(path)?).with_context(|| given.to_owned())
    })
}
