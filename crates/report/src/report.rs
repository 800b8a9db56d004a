//! The report as plain data. Field names are the public JSON interface: adding is free, renaming or
//! removing is breaking. `schema/report.schema.json` describes the same for other languages.

use std::collections::BTreeMap;

use findings::{
    CauseKind, Claim, ConditionPart, Deed, Doubt, Engine, Fates, Input, Location, Method, Need, PatternName,
    Property, PropertyPart, RecheckResult, Statistics, Step, Surroundings, TestRuns, Verdict, ViolationKind,
    Without,
};
use serde::Serialize;

use crate::since::Since;
use crate::{Methods, Repair};

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub schema: &'static str,
    pub version: &'static str,
    pub input: Input,
    pub property: Property,
    /// All properties that were to be checked, each with its verdict. What was not decided is among them.
    pub properties: Vec<CheckedProperty>,
    pub engine: Engine,
    /// How far loops were unwound; none where nothing was bounded.
    pub bound: Option<u64>,
    pub verdict: Verdict,
    /// Why the verdict is what it is, in a sentence.
    pub reason: String,
    /// What counted as a passing trace.
    pub passing_definition: String,
    pub statistics: Statistics,
    pub violations: Vec<Violation>,
    /// The `id` of the violation that the rest of the report is about, where there is a choice.
    pub explained: Option<u64>,
    pub fates: Option<Fates>,
    pub counterexample: Option<Counterexample>,
    /// What of the property was true when, where it is a formula.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Evaluation>,
    /// The chance to fail, if every possible step is as likely as the others: at the start of the
    /// counterexample, and after each of its steps. Null where it could not be told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doom: Vec<Option<f64>>,
    /// The same for failing within as many steps as the counterexample has; where it is certain from the start
    /// that a trace fails sooner or later, this tells more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doom_soon: Vec<f64>,
    pub causes: Vec<Cause>,
    /// What the statements of the counterexample are needed for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<Without>,
    /// The other violations: whether they have the same cause, and if not what theirs is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherFailure>,
    /// Whether no trace that is weakly fair violates the property, which was asked of all traces.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub only_unfair: bool,
    /// Changes that were tried and help, the likeliest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<FoundRepair>,
    /// How many changes were tried; none where nobody asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repairs_tried: Option<u64>,
    /// The properties that every change was tried on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repairs_checked: Vec<String>,
    /// Whether others were not tried, or could not be decided about, within the limits.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub repairs_cut_short: bool,
    /// Whether as many were tried as make sense.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub repairs_thorough: bool,
    pub methods: Methods,
    /// Statements that no trace executes; none where nobody asked or not everything was explored.
    pub unreached: Option<Vec<Deed>>,
    /// What became of the violations of an earlier report, where one was given.
    pub since: Option<Since>,
    /// The states around the counterexample, for renderers that draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surroundings: Option<Surroundings>,
    /// What came of the tests of a program, where it ran on tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<TestRuns>,
}

impl Report {
    pub const SCHEMA: &'static str = "wherefore/1";

    /// The violation that the report is about, where there is a choice.
    pub fn explained_violation(&self) -> Option<&Violation> {
        self.violations.iter().find(|violation| Some(violation.id) == self.explained)
    }

    /// The property that a violation is one of.
    pub fn property_of(&self, violation: u64) -> Option<&CheckedProperty> {
        self.properties.iter().find(|property| property.violations.contains(&violation))
    }
}

/// A property that was to be checked, and what came of it.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedProperty {
    pub kind: ViolationKind,
    pub text: String,
    /// What `-p` says to ask for this property alone, where there is something to say.
    pub ask: Option<String>,
    pub verdict: Verdict,
    /// Why the verdict is what it is, in a sentence.
    pub reason: String,
    /// Its violations, by their `id`.
    pub violations: Vec<u64>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Cause {
    pub rank: u64,
    pub score: f64,
    pub kind: CauseKind,
    /// The name of the bug, where it has one.
    pub pattern: Option<PatternName>,
    pub summary: String,
    pub claim: String,
    /// The claim as data, for `wherefore verify` and other programs; none of recorded traces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub says: Option<Claim>,
    pub locations: Vec<Location>,
    /// Steps of the counterexample, by their `n`.
    pub steps: Vec<u64>,
    pub methods: Vec<Method>,
    /// Causes with the same number explain the same failing traces.
    pub group: u64,
    pub recheck: Recheck,
    pub repair: Option<Repair>,
    /// What else speaks for it, each with its own recheck; `claim` itself is not repeated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

/// One more reason to suspect what a cause names.
#[derive(Clone, Debug, Serialize)]
pub struct Evidence {
    pub method: Method,
    pub claim: String,
    /// The claim as data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub says: Option<Claim>,
    /// Steps of the counterexample, by their `n`.
    pub steps: Vec<u64>,
    pub recheck: Option<Recheck>,
}

/// A violation besides the one that the report is about.
#[derive(Clone, Debug, Serialize)]
pub struct OtherFailure {
    /// Its `id` in the list of violations.
    pub violation: u64,
    /// Whether what the report names as the first cause is the cause of this one as well.
    pub same_cause: bool,
    /// How that was found out.
    pub how: String,
    /// Its own causes, where it has others.
    pub causes: Vec<Cause>,
    pub counterexample: Option<Counterexample>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Recheck {
    pub how: String,
    pub result: RecheckResult,
}

impl Recheck {
    /// What is read off results that are not claims about other traces: there is nothing to run.
    pub const READ_OFF: &'static str = "read off the results of the method";
}

/// A repair, and what it does.
#[derive(Clone, Debug, Serialize)]
pub struct FoundRepair {
    /// The change and what came of it, in a sentence.
    pub summary: String,
    /// The change alone: "`<=` instead of `<`".
    pub change: String,
    /// How likely it is that this was meant, compared with the first one, as far as such changes and the suspicion of
    /// their lines go.
    pub likelihood: f64,
    /// Whether it adds a statement, and changes none.
    pub adds: bool,
    /// Whether the text itself shows it: something that is done everywhere else, or that is read and never set.
    pub shown_by_text: bool,
    /// The part of what passing traces do that is as it was, from 0 to 1; nothing where no passing traces are known.
    pub kept: Option<f64>,
    /// Why it is not convincing; nothing where the text or passing traces speak for it.
    pub doubt: Option<Doubt>,
    /// The first line it changes, as it was.
    pub location: Location,
    #[serde(flatten)]
    pub repair: Repair,
}

/// All violations of one kind at one place.
#[derive(Clone, Debug, Serialize)]
pub struct Violation {
    pub id: u64,
    pub kind: ViolationKind,
    /// What is wrong, in a few words.
    pub text: String,
    pub location: Option<Location>,
    pub count: u64,
    /// The length of a shortest trace to it.
    pub shortest: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Counterexample {
    pub kind: ViolationKind,
    /// What exactly is wrong at its end, where more is known than the property says.
    pub text: Option<String>,
    pub length: u64,
    pub loop_start: Option<u64>,
    /// How the trace was chosen.
    pub chosen: String,
    /// The same in a word.
    pub choice: &'static str,
    /// Whether it passes other violations before its own.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub past_others: bool,
    /// The values of the first state, where states have values.
    pub initial: BTreeMap<String, String>,
    pub steps: Vec<Step>,
    pub blocked: Vec<Blocked>,
    /// The condition of the assertion that fails at its end, operands before what they belong to, the whole last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub condition: Vec<ConditionPart>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Blocked {
    pub process: Option<String>,
    pub pid: Option<u64>,
    pub location: Option<Location>,
    pub waits_for: String,
    /// Whether the process may end where it stands.
    pub may_end: bool,
    /// The statements it stands before, each with what it needs.
    pub needs: Vec<Need>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Evaluation {
    /// The parts of the property: of a temporal formula all of its subformulas, operands before what they belong to;
    /// of a forbidden sequence the tests of single steps, from left to right.
    pub parts: Vec<PropertyPart>,
    /// Of a forbidden sequence: for each step the part that it matched, by its place in `parts`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub matched: Vec<u64>,
    /// What made the property false: of a temporal formula from the whole down to the smallest part, of a forbidden
    /// sequence from its first step to its last.
    pub failing: Vec<FailingPart>,
}

#[derive(Clone, Debug, Serialize)]
pub struct FailingPart {
    /// Its place in `parts`.
    pub part: u64,
    /// The step after which it is so, or which matches; 0 is the start.
    pub step: u64,
    /// The last such step.
    pub last: u64,
    pub holds: bool,
    /// The same in a sentence.
    pub words: String,
}
