//! Claims: what a method says about failing and passing traces, with all that its sentence needs and its recheck tests.

use serde::Serialize;

use crate::{
    CauseKind, Choices, Condition, FoundRepair, LinkReason, Method, PatternMatch, SmallChange, What,
};

/// A claim of a method.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Claim {
    /// The step of the counterexample after which it could not pass any more.
    PointOfNoReturn(Decision),
    /// The violating step, where nothing was decided before.
    OnlyTheViolation(Decision),
    /// No trace from the initial state passes.
    Doomed,
    /// What keeps the property of an endless trace unmet.
    Unmet(Unmet),
    /// A statement that takes traces past the point of no return, anywhere in the system.
    Crossing(Crossing),
    /// A sequence of events that only failing traces have.
    Anomaly {
        events: Vec<String>,
        /// Where it occurs in the counterexample.
        steps: Vec<u64>,
        between: Between,
    },
    /// A step that could have come at once and came late; without delay nothing fails.
    Deferred {
        event: String,
        /// The event after which it could be executed.
        before: String,
        /// The step of that event.
        since: u64,
        /// The step that executes it; none if the violation came first.
        executed: Option<u64>,
    },
    /// A step that the violation needed.
    Needed {
        step: u64,
        event: String,
        /// What later steps needed of it.
        because: Vec<LinkReason>,
        /// Its place among such steps, the last one nearest to the violation.
        place: Place,
    },
    /// Steps that no correct trace takes.
    ErrorEdge {
        /// The events of the steps; at least one.
        events: Vec<String>,
        correct: Correct,
        /// What is checked, and in which line.
        check: What,
        line: Option<u64>,
    },
    /// A step that correct traces take with other values only.
    Values {
        event: String,
        /// Variables and what they hold in the error trace; several if only all of them together are wrong.
        held: Vec<(String, String)>,
        /// What the first of them holds in correct traces, if it is wrong by itself.
        instead: Option<Vec<String>>,
        correct: Correct,
    },
    /// With the change that correct transitions suggest nothing fails; something is missing, or wrong.
    Suggested { line: u64, bound: Option<u64>, is_missing: bool },
    /// What all failing variations do, and no passing one.
    SeparatesVariations {
        /// The first of such steps, and how many there are besides.
        step: Choice,
        more: u64,
        failing: u64,
        passing: u64,
    },
    /// What only failing traces do, of those that were compared.
    OnlyFailing {
        step: Choice,
        traces: Compared,
        /// How many such steps there are.
        among: usize,
    },
    /// What a failing variation does in place of what a passing one does.
    Replaced {
        /// What has to be chosen otherwise; none where no processes are known.
        choices: Option<Choices>,
        /// After how many steps.
        after: u64,
        failing: Vec<String>,
        passing: Vec<String>,
    },
    /// Statements that, had they done something else, would have met the constraints.
    Diagnosis(Suspects),
    /// With this statement changed the property holds.
    Repair(Box<FoundRepair>),
    /// What stands here may be wrong, or something may be missing here: this change of it leaves nothing wrong, and
    /// all that passing traces do as it was.
    MayBeWrong(Box<FoundRepair>),
    /// The counterexample is an instance of a known pattern of bugs.
    Pattern(Box<PatternMatch>),
}

impl Claim {
    pub fn kind(&self) -> CauseKind {
        match self {
            Self::PointOfNoReturn(_) => CauseKind::PointOfNoReturn,
            Self::OnlyTheViolation(_) => CauseKind::OnlyTheViolation,
            Self::Doomed => CauseKind::Doomed,
            Self::Unmet(_) => CauseKind::Unmet,
            Self::Crossing(_) => CauseKind::Crossing,
            Self::Anomaly { .. } => CauseKind::Anomaly,
            Self::Deferred { .. } => CauseKind::Deferred,
            Self::Needed { .. } => CauseKind::Needed,
            Self::ErrorEdge { .. } => CauseKind::ErrorEdge,
            Self::Values { .. } => CauseKind::Values,
            Self::Suggested { is_missing: true, .. } => CauseKind::Insertion,
            Self::Suggested { is_missing: false, .. } | Self::Repair(_) => CauseKind::Repair,
            Self::SeparatesVariations { .. } => CauseKind::SeparatesVariations,
            Self::OnlyFailing { .. } => CauseKind::OnlyFailing,
            Self::Replaced { .. } => CauseKind::Replaced,
            Self::Diagnosis(_) => CauseKind::Diagnosis,
            Self::MayBeWrong(_) => CauseKind::MayBeWrong,
            Self::Pattern(_) => CauseKind::Pattern,
        }
    }

    /// Who makes such claims.
    pub fn method(&self) -> Method {
        match self {
            Self::PointOfNoReturn(_) | Self::OnlyTheViolation(_) | Self::Doomed | Self::Unmet(_) => {
                Method::Neighbourhoods
            }
            Self::Crossing(_) | Self::Anomaly { .. } | Self::Deferred { .. } | Self::Needed { .. } => {
                Method::Anomalies
            }
            Self::ErrorEdge { .. } | Self::Values { .. } => Method::CorrectTransitions,
            Self::SeparatesVariations { .. } | Self::OnlyFailing { .. } | Self::Replaced { .. } => {
                Method::Variations
            }
            Self::Diagnosis(_) => Method::Diagnosis,
            Self::Suggested { .. } | Self::Repair(_) | Self::MayBeWrong(_) => Method::Repair,
            Self::Pattern(_) => Method::Patterns,
        }
    }
}

/// The step that decided, and what could have been done instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decision {
    pub step: u64,
    pub event: String,
    /// Events in its place that make failing impossible.
    pub escapes: Vec<String>,
    /// Events in its place after which both outcomes are still possible.
    pub still_free: Vec<String>,
    /// Whether it is about a property that endless traces meet or not.
    pub is_endless: bool,
}

/// Why an endless trace never meets its property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unmet {
    /// Whether the trace repeats a loop, or stops.
    pub is_loop: bool,
    /// What labels in the text forbid of the loop, and the steps of the loop that start at such a label.
    pub forbidden: Option<ForbiddenLoop>,
    /// The atoms of the formula that never change there, and what they are worth.
    pub atoms: Vec<(String, bool)>,
    /// Events that could be executed in the loop and are not, and whether they could all the time.
    pub passed_over: Vec<(String, bool)>,
    /// Processes that wait all the time.
    pub waiting: Vec<Waiting>,
    /// Whether no weakly fair trace does this.
    pub holds_if_fair: bool,
}

/// A loop that labels in the text forbid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForbiddenLoop {
    /// These steps start at a label that begins with `accept`.
    Accepts { steps: Vec<u64> },
    /// No step starts at a label that begins with `progress`.
    NoProgress,
}

/// A process that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Waiting {
    pub process: String,
    pub action: String,
    pub reason: String,
}

/// How often a statement decides, in the whole system.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Crossing {
    pub event: String,
    /// The names of the events that are this statement: one for each process.
    pub events: Vec<String>,
    /// How many of its transitions lead to where every trace fails, and how many transitions do in all.
    pub crosses: u64,
    pub all: u64,
    /// How many of its transitions decide nothing.
    pub harmless: u64,
    /// When it decides, where a condition is known that is true of nothing harmless.
    pub when: Option<CrossesWhen>,
    /// Whether it is the violating step of the counterexample and is never harmless.
    pub is_violation: bool,
}

/// A condition under which a statement always decides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrossesWhen {
    pub condition: Condition,
    /// Whether it decides in no other case.
    pub is_exact: bool,
    /// How many of its deciding occurrences the condition is true of.
    pub covered: u64,
    pub fatal: u64,
    /// Whether a recheck confirmed it.
    pub is_confirmed: bool,
}

impl CrossesWhen {
    /// The condition, if it tells exactly when the statement decides and that was confirmed.
    pub fn exactly(&self) -> Option<&Condition> {
        (self.is_exact && self.is_confirmed).then_some(&self.condition)
    }
}

/// What may lie between the events of an anomaly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Between {
    Nothing,
    /// Steps of other processes than the one with this number.
    OtherProcesses {
        than: u64,
    },
    /// Steps that do not count in the order that was asked for.
    Uncounted,
}

/// A place in a list, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    pub at: usize,
    pub of: usize,
}

/// What makes a trace correct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Correct {
    /// It comes to the check and meets it.
    MeetsCheck,
    /// It passes: there is no check, or none that a trace could meet.
    Passes,
}

/// Which traces were compared. Traces that pass without reaching the failing step never are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compared {
    /// All traces that reach the step with which the counterexample ends.
    Reaching(String),
    /// Those near the counterexample.
    Near,
}

/// A step as variations compare them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    pub statement: String,
    /// What it was given, where that is part of the comparison.
    pub given: Option<String>,
}

/// Statements that may be wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Suspects {
    pub statements: Vec<String>,
    pub lines: Vec<u64>,
    /// What the statement should have made.
    pub suggestion: Option<RightMade>,
    pub evidence: SuspectEvidence,
}

/// What a statement makes, and an expression that would have been right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RightMade {
    pub made: Made,
    pub right: String,
    pub line: u64,
}

/// What a statement makes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Made {
    /// A variable, or the truth of a condition, as it is written.
    Written(String),
    /// What this statement returns.
    Returned(String),
    /// What this statement makes; nothing is known of it but its text.
    By(String),
    /// What the language calls it.
    Named(String),
}

/// Why statements are suspected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SuspectEvidence {
    /// The counterexample's own trace passes if they do something else.
    Trace,
    /// So many failing runs pass if they do something else.
    Runs(u64),
    /// With a small change of them none of the runs fails that it was tried on.
    SmallChange { change: SmallChange, tried: u64, failing: u64 },
}
