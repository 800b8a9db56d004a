//! Transition systems that a user has at hand, and what must not happen in them.

use findings::ViolationKind;
use graph::{GraphBuilder, StateGraph, StateNames, Unwatched};
use property::{CompiledProperty, Formula, MAX_STATES, Spelling};
use rustc_hash::FxHashMap;
use source::{Diagnostic, LineIndex};

use super::Error;
use pipeline::evaluation::{of_formula, told_formula};

/// A labelled transition system: built here, or read from what another tool wrote.
///
/// ```
/// use wherefore::{Explainer, Lts, Property, Verdict};
///
/// let mut door = Lts::builder("door");
/// door.transition(0, "open", 1).transition(1, "close", 0).transition(1, "slam", 2).transition(2, "open", 1);
/// let explanation = Explainer::new().explain_lts(&door.build()?, &Property::mcl("[true* . 'slam'] false")?)?;
/// assert_eq!(explanation.verdict(), Verdict::Violated);
/// assert_eq!(explanation.counterexample().unwrap().steps().count(), 2);
/// # Ok::<(), wherefore::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lts {
    name: String,
    kind: &'static str,
    graph: StateGraph,
    warnings: Vec<String>,
}

impl Lts {
    /// Starts a transition system in memory; `name` is what reports call it.
    pub fn builder(name: impl Into<String>) -> LtsBuilder {
        LtsBuilder {
            name: name.into(),
            graph: GraphBuilder::new(),
            numbers: FxHashMap::default(),
            names: Vec::new(),
            initial: Vec::new(),
        }
    }

    /// Reads the contents of a file; `name` is what reports call it.
    ///
    /// # Errors
    /// If the contents are not in that format, with the line and column where they are not.
    pub fn read(name: impl Into<String>, format: LtsFormat, contents: &[u8]) -> Result<Self, Error> {
        let name = name.into();
        let format = format.format();
        let reading = lts::read(format, contents, &Unwatched)
            .map_err(|error| Error::Unreadable(format!("{name}:{error}")))?;
        let warnings = reading.warnings.iter().map(|warning| match warning.position {
            Some(at) => format!("{name}:{}:{}: {}", at.line, at.column, warning.message),
            None => format!("{name}: {}", warning.message),
        });
        Ok(Self { kind: format.name(), warnings: warnings.collect(), graph: reading.graph, name })
    }

    /// What was odd about the contents of a file, such as wrong counts in its header.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.graph.state_count()
    }

    /// How many transitions there are; equal ones count once.
    pub fn transition_count(&self) -> usize {
        self.graph.edge_count()
    }

    pub(super) fn graph(&self) -> &StateGraph {
        &self.graph
    }

    pub(super) fn told(&self) -> report::Input {
        let size = report::GraphSize {
            states: self.graph.state_count() as u64,
            transitions: self.graph.edge_count() as u64,
            labels: self.graph.labels.len() as u64,
        };
        report::Input {
            path: self.name.clone(),
            kind: self.kind.to_owned(),
            size: Some(size),
            options: findings::Options::default(),
        }
    }
}

/// Collects the transitions of an [`Lts`].
#[derive(Debug)]
pub struct LtsBuilder {
    name: String,
    graph: GraphBuilder,
    /// The states as the graph numbers them, without gaps.
    numbers: FxHashMap<u32, u32>,
    names: Vec<i64>,
    initial: Vec<u32>,
}

impl LtsBuilder {
    /// A transition. States are numbers; there is no need to use all of them.
    pub fn transition(&mut self, from: u32, label: &str, to: u32) -> &mut Self {
        let (from, to) = (self.number(from), self.number(to));
        let label = self.graph.labels.intern(label);
        self.graph.edge(from, label, to);
        self
    }

    /// An initial state; state 0 where none is named.
    pub fn initial(&mut self, state: u32) -> &mut Self {
        let state = self.number(state);
        self.initial.push(state);
        self
    }

    /// The transition system.
    ///
    /// # Errors
    /// If there are more than 4,294,967,295 transitions.
    pub fn build(&mut self) -> Result<Lts, Error> {
        if self.initial.is_empty() {
            self.initial(0);
        }
        let graph = std::mem::take(&mut self.graph);
        let graph = graph.finish(self.names.len(), std::mem::take(&mut self.initial));
        let mut graph = graph.map_err(|error| Error::too_large(&error))?;
        graph.names = StateNames::Listed(std::mem::take(&mut self.names));
        self.numbers.clear();
        Ok(Lts { name: self.name.clone(), kind: "lts", graph, warnings: Vec::new() })
    }

    fn number(&mut self, state: u32) -> u32 {
        *self.numbers.entry(state).or_insert_with(|| {
            self.names.push(i64::from(state));
            self.names.len() as u32 - 1
        })
    }
}

/// How a file with a transition system is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LtsFormat {
    /// Aldebaran's text format, as CADP and mCRL2 write it.
    Aut,
    /// A state graph dumped by TLC, or any other directed graph in the DOT language.
    Dot,
    /// A list of edges with comma-separated values.
    Csv,
    /// mCRL2's format with state parameters.
    Fsm,
    /// Our own format, which holds everything.
    Json,
}

impl LtsFormat {
    /// The format these contents look like.
    pub fn detect(contents: &[u8]) -> Option<Self> {
        Some(match lts::Format::detect(contents)? {
            lts::Format::Aut => Self::Aut,
            lts::Format::TlcDot => Self::Dot,
            lts::Format::Csv => Self::Csv,
            lts::Format::Fsm => Self::Fsm,
            lts::Format::Json => Self::Json,
        })
    }

    pub(super) fn format(self) -> lts::Format {
        match self {
            Self::Aut => lts::Format::Aut,
            Self::Dot => lts::Format::TlcDot,
            Self::Csv => lts::Format::Csv,
            Self::Fsm => lts::Format::Fsm,
            Self::Json => lts::Format::Json,
        }
    }
}

/// What must not happen in a transition system.
#[derive(Clone, Debug)]
pub struct Property {
    /// None for deadlocks.
    formula: Option<Box<Formula>>,
    final_label: Option<String>,
}

impl Property {
    /// No state without a way on.
    pub fn deadlock() -> Self {
        Self { formula: None, final_label: None }
    }

    /// A safety formula in the spelling of CADP's Model Checking Language, such as `[true* . "ERROR"] false`.
    ///
    /// # Errors
    /// If it cannot be read, with all that is wrong with it, line by line; or if no single trace could refute it.
    pub fn mcl(text: &str) -> Result<Self, Error> {
        Self::formula(text, Spelling::Mcl)
    }

    /// A safety formula in the spelling of mCRL2's modal formulas, such as `[true* . error] false`.
    ///
    /// # Errors
    /// As for [`Property::mcl`].
    pub fn mcf(text: &str) -> Result<Self, Error> {
        Self::formula(text, Spelling::Mcf)
    }

    /// For properties of deadlocks: traces that end with this label end properly.
    #[must_use]
    pub fn final_label(mut self, label: impl Into<String>) -> Self {
        self.final_label = Some(label.into());
        self
    }

    fn formula(text: &str, spelling: Spelling) -> Result<Self, Error> {
        match property::parse(text, spelling) {
            Ok(formula) => Ok(Self { formula: Some(Box::new(formula)), final_label: None }),
            Err(errors) => Err(Error::Property(listed(&errors, text))),
        }
    }

    pub(super) fn compile(&self, lts: &Lts, allow_unknown: bool) -> Result<CompiledProperty, Error> {
        let labels = &lts.graph.labels;
        let final_label = self.final_label.as_deref();
        match &self.formula {
            None => Ok(property::deadlock(labels, final_label)),
            Some(formula) => {
                let compiled = formula
                    .automaton(labels, final_label, MAX_STATES)
                    .map_err(|error| Error::Property(error.to_string()))?;
                match compiled.unknown.is_empty() || allow_unknown {
                    true => Ok(compiled),
                    false => Err(Error::Property(listed(&compiled.unknown, &formula.text))),
                }
            }
        }
    }

    /// An explanation with what of the property was true when, where it is a formula.
    pub(super) fn evaluated(&self, explanation: findings::Explanation) -> findings::Explanation {
        let Some(formula) = &self.formula else { return explanation };
        let evaluation = explanation.counterexample.as_ref().and_then(|trace| of_formula(formula, trace));
        findings::Explanation { evaluation, ..explanation }
    }

    pub(super) fn told(&self) -> findings::Property {
        let Some(formula) = &self.formula else {
            let text = "deadlock".to_owned();
            return findings::Property { kind: ViolationKind::Deadlock, text, spelling: None };
        };
        told_formula(formula)
    }
}

/// Messages with their lines and columns, one a line.
fn listed(messages: &[Diagnostic], text: &str) -> String {
    let lines = LineIndex::new(text);
    let told = messages.iter().map(|message| {
        let at = lines.position(text, message.span.start);
        let help = message.help.as_ref().map_or_else(String::new, |help| format!(" ({help})"));
        format!("{}:{}: {}{help}", at.line, at.column, message.message)
    });
    told.collect::<Vec<_>>().join("\n")
}
