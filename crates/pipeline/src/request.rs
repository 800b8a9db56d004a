//! What is asked, and what surrounds the answer.

use findings::{Explanation, Method, Order, ViolationKind};
use graph::{Fairness, PULSE, Sort, Trace, Watch, Wrong};
use source::Message;
use thiserror::Error;

use crate::trust::Trust;

/// What surrounds an analysis: limits and signals, the clock, the memory meter.
pub trait Host: Watch {
    /// Seconds since the command started.
    fn seconds(&self) -> f64;
    fn peak_bytes(&self) -> Option<u64>;
    /// The verdict and the counterexample of a report are known and stay as they are, while what explains them is still
    /// looked for.
    fn known(&self, _explanation: &Explanation) {}
    /// What comes next may take so much of the memory that there is.
    fn share_memory(&self, _share: f64) {}
    /// Something is odd that is no part of the answer.
    fn notice(&self, _notice: Notice) {}
    /// What is worked on from now on.
    fn stage(&self, _stage: Stage) {}
}

/// What is worked on, as people are told while they wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Nothing in particular.
    Whole,
    /// One of several properties.
    Property {
        number: u64,
        of: u64,
    },
    Method(Method),
    /// One of the changes that may be repairs.
    Repair {
        number: u64,
        of: u64,
    },
}

/// What people are told beside the answer.
#[derive(Clone, Debug)]
pub enum Notice {
    Warning(String),
    Note(String),
    /// What a reader of a language says of a text.
    Messages(Vec<Message>),
}

/// What is asked of an input, and what the answer is about.
#[derive(Clone, Debug)]
pub struct Request {
    pub input: findings::Input,
    pub property: findings::Property,
    /// All properties that are checked, with their verdicts, where there are several and these are known.
    pub properties: Vec<findings::CheckedProperty>,
    pub max_states: u64,
    /// Whether the steps of the system are taken by processes.
    pub has_processes: bool,
    pub fairness: Fairness,
    /// Which violations of a model count.
    pub asked: Asked,
    /// Which of the violations to explain, by its number in the report; the nearest one if none is named.
    pub violation: Option<u64>,
    /// Whether to list the statements that no trace executes.
    pub unreached: bool,
    /// Explain this trace instead of a shortest one.
    pub trace: Option<Trace>,
    /// Explain the trace of a model with these events, which ends in a violation.
    pub events: Option<Vec<u64>>,
    /// Whether the violation is reached only past others.
    pub past_others: bool,
    /// The methods to run.
    pub methods: Vec<Method>,
    /// What is never blamed, nor changed.
    pub trust: Trust,
    /// How to look for anomalies.
    pub anomalies: AnomalyRequest,
    /// How to look for variations of the counterexample.
    pub variations: VariationRequest,
    /// How to look for statements that may be wrong; done by whoever knows the program's text.
    pub diagnosis: DiagnosisRequest,
    /// Whether and how far to look for changes that help.
    pub repairs: Option<RepairEffort>,
    /// Whether to say of the other violations whether they have the same cause.
    pub others: bool,
    /// Whether to list every coloured edge.
    pub edges: bool,
    /// How many neighbourhoods to list.
    pub most_listed: usize,
    /// Whether to list the states around the counterexample, for a picture.
    pub picture: bool,
}

impl Request {
    /// The verdict, and nothing that explains it.
    pub fn check(input: findings::Input, property: findings::Property) -> Self {
        Self {
            input,
            property,
            properties: Vec::new(),
            max_states: u64::MAX,
            has_processes: true,
            fairness: Fairness::Weak,
            asked: Asked::All,
            violation: None,
            unreached: false,
            trace: None,
            events: None,
            past_others: false,
            methods: Vec::new(),
            trust: Trust::default(),
            anomalies: AnomalyRequest::default(),
            variations: VariationRequest::default(),
            diagnosis: DiagnosisRequest::default(),
            repairs: None,
            others: false,
            edges: false,
            most_listed: 0,
            picture: false,
        }
    }

    /// The same question about something else.
    pub fn about(&self, input: findings::Input, property: findings::Property) -> Self {
        Self { input, property, ..self.clone() }
    }

    /// Whether a method is asked for.
    pub fn runs(&self, method: Method) -> bool {
        self.methods.contains(&method)
    }

    /// Whether anything is to be explained, or only checked.
    pub fn explains(&self) -> bool {
        !self.methods.is_empty()
    }

    /// Whether something is asked for that only states and their steps can tell.
    pub fn needs_states(&self) -> bool {
        self.runs(Method::Neighbourhoods) || self.runs(Method::Anomalies)
    }

    pub(crate) fn is_deadlock(&self) -> bool {
        self.property.kind == ViolationKind::Deadlock
    }

    /// Which of the classes that were asked for the report is about; nothing if there are none.
    pub(crate) fn target(&self, asked: &[usize]) -> Result<Option<usize>, ModelError> {
        let Some(id) = self.violation else { return Ok(asked.first().copied()) };
        let known = usize::try_from(id).ok().and_then(|id| asked.get(id.checked_sub(1)?));
        Ok(Some(*known.ok_or(ModelError::NoSuchViolation { id, known: asked.len() })?))
    }
}

/// Which violations of a model are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    All,
    /// All of one kind.
    Kind(ViolationKind),
    /// All of one sort.
    Sort(Sort),
    /// The class of which the text is this.
    Exactly(String),
    /// All in one line.
    Line(u64),
    /// What one of these asks for.
    Any(Vec<Asked>),
}

impl Asked {
    /// Whether this is what is asked for.
    pub fn covers(&self, wrong: &Wrong) -> bool {
        match self {
            Self::All => true,
            Self::Kind(kind) => wrong.kind == *kind,
            Self::Sort(sort) => wrong.sort == *sort,
            Self::Exactly(text) => wrong.text == *text,
            Self::Line(line) => wrong.location.as_ref().is_some_and(|at| at.line == *line),
            Self::Any(some) => some.iter().any(|asked| asked.covers(wrong)),
        }
    }
}

/// Why a model cannot be reported on as asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ModelError {
    #[error("there is no violation {id}: the report lists {known}")]
    NoSuchViolation { id: u64, known: usize },
    #[error("the trail leads to a state that the search did not reach within its limits")]
    TrailNotExplored,
}

/// Which traces are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// All of them.
    #[default]
    Exact,
    /// Those that a depth-first search meets, as in the paper.
    Sampled,
}

/// How to look for anomalies.
#[derive(Clone, Debug, Default)]
pub struct AnomalyRequest {
    /// Of how many events; none for 2 and, where there are none, 3.
    pub length: Option<usize>,
    pub mode: Mode,
    pub order: Order,
    /// Part of the name of the event with which the explanatory sequence starts, for equation (6).
    pub start: Option<String>,
}

/// In which order to look for variations.
pub type VariationOrder = explain::variations::Order;

/// How to look for variations.
#[derive(Clone, Debug)]
pub struct VariationRequest {
    /// How many steps a variation may deviate from the counterexample.
    pub depth: u32,
    pub order: VariationOrder,
    pub project: Projection,
    pub points: PointRequest,
    /// Whether the negatives themselves are wanted, to be replayed later.
    pub keep_negatives: bool,
}

impl Default for VariationRequest {
    fn default() -> Self {
        Self {
            depth: 30,
            order: VariationOrder::BreadthFirst,
            project: Projection::default(),
            points: PointRequest::default(),
            keep_negatives: false,
        }
    }
}

/// What of steps goes into the sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Projection {
    pub location: bool,
    pub choice: bool,
    pub thread: bool,
    pub action: bool,
}

impl Default for Projection {
    /// The place of the executing process, and what the paper calls an action: who it is and what it chooses.
    fn default() -> Self {
        Self { location: true, choice: true, thread: true, action: false }
    }
}

/// Where to look, and at what.
#[derive(Clone, Debug, Default)]
pub struct PointRequest {
    /// Names of points, or lines; those the program names, or else automatic ones, if nothing is given.
    pub points: Vec<String>,
    /// Which variables: names in which `*` stands for anything; all if nothing is given.
    pub vars: Vec<String>,
    /// Whether to write samples for Daikon.
    pub daikon: bool,
}

/// How far to look for changes that help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepairEffort {
    /// What nobody asked for: a second or two.
    Brief,
    /// As much as makes sense.
    Thorough,
}

/// How to look for statements that may be wrong.
#[derive(Clone, Debug)]
pub struct DiagnosisRequest {
    /// Whether the inputs are those of the counterexample, and no others.
    pub fixed: bool,
    /// How far loops are unwound where the whole program is looked at.
    pub unwind: u32,
    /// The inputs of further runs that fail; without any, some are looked for.
    pub failing: Vec<Vec<i64>>,
    /// The inputs of runs that pass, and that no change may make fail.
    pub passing: Vec<Vec<i64>>,
    /// How much work it may be, in units of a [`graph::Watch`].
    pub work: u64,
}

impl DiagnosisRequest {
    /// The first of the options that give known runs, as the command line calls it, if one was given.
    pub fn given(&self) -> Option<&'static str> {
        let given = [(!self.failing.is_empty(), "--failing"), (!self.passing.is_empty(), "--passing")];
        given.into_iter().find(|(given, _)| *given).map(|(_, name)| name)
    }

    /// How much work it may be where it is asked for by name, and beside all other methods.
    pub const ALONE: u64 = 10_000 * PULSE;
    pub const AMONG_OTHERS: u64 = 2_000 * PULSE;
}

impl Default for DiagnosisRequest {
    fn default() -> Self {
        Self {
            fixed: false,
            unwind: DEFAULT_UNWIND,
            failing: Vec::new(),
            passing: Vec::new(),
            work: Self::AMONG_OTHERS,
        }
    }
}

/// How far loops are unwound unless somebody says otherwise.
pub const DEFAULT_UNWIND: u32 = 32;
