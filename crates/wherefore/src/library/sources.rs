//! Models, programs and transition systems as files and texts, as the command line reads them.

use std::path::{Path, PathBuf};

use languages::{
    DataModel, Emit, Engine, Input, Near, PropertyFile, PropertyOptions, Question, ReadingOptions,
    SearchOptions, SearchOrder, Spelling, Trail, front_end, text_of,
};
use pipeline::request::{DEFAULT_UNWIND, DiagnosisRequest, RepairEffort, Request};

use super::clock::Clock;
use super::{Error, Explainer, Explanation, LtsFormat};

/// A language that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// A model for SPIN.
    Promela,
    /// A C program.
    C,
    /// A Java program.
    Java,
    /// A transition system in this format.
    Lts(LtsFormat),
}

impl Language {
    fn language(self) -> languages::Language {
        match self {
            Self::Promela => languages::Language::Promela,
            Self::C => languages::Language::C,
            Self::Java => languages::Language::Java,
            Self::Lts(format) => languages::Language::Graph(format.format()),
        }
    }

    /// What reports call a text in this language that has no name.
    fn name(self) -> &'static str {
        match self {
            Self::Promela => "model.pml",
            Self::C => "program.c",
            Self::Java => "Main.java",
            Self::Lts(_) => "system",
        }
    }
}

/// How far changes are looked for after which nothing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repairs {
    /// Not at all.
    None,
    /// A second or two.
    Brief,
    /// As long as it takes.
    Thorough,
}

/// What is asked of files and texts alone.
#[derive(Clone, Debug, Default)]
pub(super) struct SourceOptions {
    name: Option<PathBuf>,
    reading: ReadingOptions,
    with: Vec<PathBuf>,
    property: PropertyOptions,
    property_file: Option<PathBuf>,
    search: SearchOptions,
    violation: Option<u64>,
    unreached: bool,
    edges: bool,
    trail: Option<PathBuf>,
    near: Option<PathBuf>,
    counterexample_lts: Option<PathBuf>,
    failing: Vec<Vec<i64>>,
    passing: Vec<Vec<i64>>,
    repairs: Option<Repairs>,
    emit: Option<Emit>,
}

/// Explaining files and texts. What is set here says nothing to [`Explainer::explain`], [`Explainer::explain_lts`] and
/// [`Explainer::contrast`].
impl Explainer {
    /// Explains what is wrong with the model, program or transition system in a file, as `wherefore FILE` does. The name
    /// or else the content tells the language.
    ///
    /// ```no_run
    /// use wherefore::{Explainer, Verdict};
    ///
    /// let explanation = Explainer::new().define("N=3").explain_file("model.pml")?;
    /// if explanation.verdict() == Verdict::Violated {
    ///     println!("{explanation}");
    /// }
    /// # Ok::<(), wherefore::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the file cannot be read, or does not have what is asked for.
    pub fn explain_file(&self, path: impl AsRef<Path>) -> Result<Explanation, Error> {
        let path = path.as_ref();
        let bytes = read(path)?;
        let language =
            languages::Language::of_file(path, &bytes).map_err(|error| Error::of_source(&error))?;
        self.explain_input(Input { path, bytes: &bytes, language })
    }

    /// Explains what is wrong with a text. Files that it includes are looked for beside the name it is given
    /// ([`Explainer::name`]), or else in the working directory.
    ///
    /// ```
    /// use wherefore::{Explainer, Language};
    ///
    /// let model = "byte stock;
    ///     active [2] proctype Clerk() { byte read; read = stock; stock = read + 1 }
    ///     active proctype Boss() { timeout -> assert(stock == 2) }";
    /// let explanation = Explainer::new().explain_source(Language::Promela, model)?;
    /// let cause = explanation.causes().next().unwrap();
    /// assert!(explanation.reason().contains("stock == 2"));
    /// assert_eq!(cause.locations().next().unwrap().line(), 2);
    /// # Ok::<(), wherefore::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the text cannot be read, or does not have what is asked for.
    pub fn explain_source(&self, language: Language, text: &str) -> Result<Explanation, Error> {
        let path = self.source.name.as_deref().unwrap_or(Path::new(language.name()));
        self.explain_input(Input { path, bytes: text.as_bytes(), language: language.language() })
    }

    /// What reports call a text, as the name of a file.
    #[must_use]
    pub fn name(mut self, name: impl Into<PathBuf>) -> Self {
        self.source.name = Some(name.into());
        self
    }

    /// What must not happen, as `-p` says it: `deadlock`, `assertion`, `fault`, a formula, the name of an `ltl` block, a
    /// line, and what else the manual lists for the language. May be said several times; without it, everything that a
    /// file states is checked.
    #[must_use]
    pub fn property(mut self, text: impl Into<String>) -> Self {
        self.source.property.texts.push(text.into());
        self
    }

    /// The same from a file: a formula, or an automaton whose traces must not occur.
    #[must_use]
    pub fn property_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.source.property_file = Some(path.into());
        self
    }

    /// Checks a property of a transition system although it names labels that do not occur, of
    /// [`Explainer::explain_lts`] as well; otherwise that is an error, because such a property holds for nothing.
    #[must_use]
    pub fn allow_unknown(mut self) -> Self {
        self.source.property.allow_unknown = true;
        self
    }

    pub(super) fn allows_unknown(&self) -> bool {
        self.source.property.allow_unknown
    }

    /// How formulas about transition systems are spelled.
    #[must_use]
    pub fn spelling(mut self, spelling: Spelling) -> Self {
        self.source.property.spelling = Some(spelling);
        self
    }

    /// The label that ends the traces of an automaton or of a counterexample LTS.
    #[must_use]
    pub fn end_label(mut self, label: impl Into<String>) -> Self {
        self.source.property.end_label = Some(label.into());
        self
    }

    /// The label of a last step that ends a trace properly, so that it is no deadlock.
    #[must_use]
    pub fn final_label(mut self, label: impl Into<String>) -> Self {
        self.source.property.final_label = Some(label.into());
        self
    }

    /// Defines a macro of the preprocessor: `NAME` or `NAME=VALUE`.
    #[must_use]
    pub fn define(mut self, definition: impl Into<String>) -> Self {
        self.source.reading.defines.push(definition.into());
        self
    }

    /// Looks for included files in this folder as well.
    #[must_use]
    pub fn include(mut self, folder: impl Into<PathBuf>) -> Self {
        self.source.reading.include_folders.push(folder.into());
        self
    }

    /// The function a C program starts with.
    #[must_use]
    pub fn entry(mut self, function: impl Into<String>) -> Self {
        self.source.reading.entry = Some(function.into());
        self
    }

    /// How wide the integers of a C program are.
    #[must_use]
    pub fn data_model(mut self, model: DataModel) -> Self {
        self.source.reading.data_model = Some(model);
        self
    }

    /// The inputs of a C program in the order in which it asks for them; without, all values are tried.
    #[must_use]
    pub fn inputs(mut self, values: impl IntoIterator<Item = i64>) -> Self {
        self.source.reading.inputs = Some(values.into_iter().collect());
        self
    }

    /// Tries all values of inputs of at most so many bits, from 1 to 16, where the program assumes nothing of them.
    #[must_use]
    pub fn input_bits(mut self, bits: u8) -> Self {
        self.source.reading.input_bits = Some(bits.clamp(1, 16));
        self
    }

    /// Another file of a C program; all are read one after another as if they were one.
    #[must_use]
    pub fn with_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.source.with.push(path.into());
        self
    }

    /// Preprocesses a C program with the system's compiler and its headers.
    #[must_use]
    pub fn preprocess_with_cc(mut self) -> Self {
        self.source.reading.cc = true;
        self
    }

    /// The inputs of another run of a C program that fails, which a diagnosis has to explain, too.
    #[must_use]
    pub fn failing_run(mut self, inputs: impl IntoIterator<Item = i64>) -> Self {
        self.source.failing.push(inputs.into_iter().collect());
        self
    }

    /// The inputs of a run of a C program that passes, and that must pass after any change that is proposed; may be
    /// called several times.
    #[must_use]
    pub fn passing_run(mut self, inputs: impl IntoIterator<Item = i64>) -> Self {
        self.source.passing.push(inputs.into_iter().collect());
        self
    }

    /// Who decides about a C program.
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.source.search.engine = engine;
        self
    }

    /// In which order states are looked at.
    #[must_use]
    pub fn search_order(mut self, order: SearchOrder) -> Self {
        self.source.search.order = order;
        self
    }

    /// Whether orders of independent steps may be left out where only a verdict is asked for; they may unless this says
    /// otherwise.
    #[must_use]
    pub fn reduction(mut self, reduce: bool) -> Self {
        self.source.search.reduce = reduce;
        self
    }

    /// How often the SAT engine goes round a loop again or calls a function from itself, at most.
    #[must_use]
    pub fn unwind(mut self, times: u32) -> Self {
        self.source.search.unwind = Some(times);
        self
    }

    /// How many conflicts a question may cost the SAT engine.
    #[must_use]
    pub fn max_conflicts(mut self, conflicts: u64) -> Self {
        self.source.search.max_conflicts = Some(conflicts);
        self
    }

    /// Explains the violation with this number in the list of [`Explanation::violations`], counted from 1.
    #[must_use]
    pub fn violation_number(mut self, number: u64) -> Self {
        self.source.violation = Some(number);
        self
    }

    /// Lists the statements that no trace executes.
    #[must_use]
    pub fn unreached(mut self) -> Self {
        self.source.unreached = true;
        self
    }

    /// Lists every edge of the counterexample LTS with its colour.
    #[must_use]
    pub fn edges(mut self) -> Self {
        self.source.edges = true;
        self
    }

    /// Explains the counterexample in this file, in any format that the command line reads, instead of a shortest one.
    #[must_use]
    pub fn trail(mut self, path: impl Into<PathBuf>) -> Self {
        self.source.trail = Some(path.into());
        self
    }

    /// Looks for violations only near the trace in this file, as far away as [`Explainer::variation_depth`] says.
    #[must_use]
    pub fn near(mut self, path: impl Into<PathBuf>) -> Self {
        self.source.near = Some(path.into());
        self
    }

    /// A counterexample LTS made elsewhere: all failing traces in a file of their own.
    #[must_use]
    pub fn counterexample_lts(mut self, path: impl Into<PathBuf>) -> Self {
        self.source.counterexample_lts = Some(path.into());
        self
    }

    /// How far changes are looked for after which nothing is wrong: briefly, or not at all where methods were asked for
    /// by name, unless this says otherwise.
    #[must_use]
    pub fn repairs(mut self, repairs: Repairs) -> Self {
        self.source.repairs = Some(repairs);
        self
    }

    /// Writes the counterexample in this form, too: [`Explanation::emitted`].
    #[must_use]
    pub fn emit(mut self, form: Emit) -> Self {
        self.source.emit = Some(form);
        self
    }

    fn explain_input(&self, input: Input<'_>) -> Result<Explanation, Error> {
        let clock = self.clock();
        let question = self.question(input)?;
        let answer = front_end(input.language).explain(&question, &clock);
        let answer = answer.map_err(|error| Error::of_source(&error))?;
        Ok(Explanation::answered(answer, clock.into_notices()))
    }

    fn question<'a>(&self, input: Input<'a>) -> Result<Question<'a>, Error> {
        let options = &self.source;
        let with = options.with.iter().map(|path| Ok((path.clone(), text_of(&read(path)?).into_owned())));
        let file = options.property_file.as_ref();
        let file = file.map(|path| Ok::<_, Error>(PropertyFile { path: path.clone(), bytes: read(path)? }));
        let near = options.near.as_ref().map(|path| {
            Ok::<_, Error>(Near {
                path: path.clone(),
                trail: read_trail(path)?,
                depth: self.variations.depth,
            })
        });
        let trail = options.trail.as_ref().map(|path| Ok::<_, Error>((path.clone(), read_trail(path)?)));
        let lts = options.counterexample_lts.as_ref();
        let lts = lts.map(|path| Ok::<_, Error>((path.clone(), read(path)?)));
        Ok(Question {
            input,
            reading: ReadingOptions { with: with.collect::<Result<_, Error>>()?, ..options.reading.clone() },
            property: PropertyOptions {
                file: file.transpose()?,
                fairness: self.fairness_given(),
                ..options.property.clone()
            },
            request: self.request_of_source(),
            search: SearchOptions { threads: self.threads, ..options.search },
            trail: trail.transpose()?,
            near: near.transpose()?,
            counterexample_lts: lts.transpose()?,
            emit: options.emit,
        })
    }

    fn request_of_source(&self) -> Request {
        let options = &self.source;
        let nothing = findings::Input {
            path: String::new(),
            kind: String::new(),
            size: None,
            options: findings::Options::default(),
        };
        let unknown =
            findings::Property { kind: findings::ViolationKind::Safety, text: String::new(), spelling: None };
        let repairs = options.repairs.unwrap_or(if self.by_name { Repairs::None } else { Repairs::Brief });
        Request {
            has_processes: true,
            violation: options.violation,
            unreached: options.unreached,
            others: !self.methods.is_empty(),
            edges: options.edges,
            diagnosis: DiagnosisRequest {
                fixed: options.reading.inputs.is_some(),
                unwind: options.search.unwind.unwrap_or(DEFAULT_UNWIND),
                failing: options.failing.clone(),
                passing: options.passing.clone(),
                work: if self.by_name { DiagnosisRequest::ALONE } else { DiagnosisRequest::AMONG_OTHERS },
            },
            repairs: match repairs {
                Repairs::None => None,
                Repairs::Brief => Some(RepairEffort::Brief),
                Repairs::Thorough => Some(RepairEffort::Thorough),
            },
            ..self.request(nothing, unknown)
        }
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|error| Error::Unreadable(format!("{}: {error}", path.display())))
}

fn read_trail(path: &Path) -> Result<Trail, Error> {
    Trail::read(&read(path)?).map_err(|error| Error::Unreadable(format!("{}: {error:#}", path.display())))
}

impl Clock {
    /// What has to be said beside the answer, a text each.
    fn into_notices(self) -> Vec<String> {
        use pipeline::request::Notice;
        let told = self.notices.into_inner().into_iter().flat_map(|notice| match notice {
            Notice::Warning(text) | Notice::Note(text) => vec![text],
            Notice::Messages(messages) => {
                let drawn =
                    messages.iter().map(|one| report::messages::draw(std::slice::from_ref(one), false));
                drawn.collect()
            }
        });
        told.collect()
    }
}
