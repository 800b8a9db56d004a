//! The report as plain data. Field names are the public JSON interface: adding is free, renaming or
//! removing is breaking. `schema/report.schema.json` describes the same for other languages.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::evaluation::Evaluation;
use crate::since::Since;
use crate::surroundings::Surroundings;
use crate::{Anomalies, CorrectTransitions, Diagnosis, Variations};

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub schema: &'static str,
    pub version: &'static str,
    pub input: Input,
    pub property: Property,
    pub engine: &'static str,
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
    /// Whether others were not tried, or could not be decided about, within the limits.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub repairs_cut_short: bool,
    pub methods: Methods,
    /// Statements that no trace executes; none where nobody asked or not everything was explored.
    pub unreached: Option<Vec<Deed>>,
    /// What became of the violations of an earlier report, where one was given.
    pub since: Option<Since>,
    /// The states around the counterexample, for renderers that draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surroundings: Option<Surroundings>,
}

impl Report {
    pub const SCHEMA: &'static str = "wherefore/1";

    /// The violation that the report is about, where there is a choice.
    pub fn explained_violation(&self) -> Option<&Violation> {
        self.violations.iter().find(|violation| Some(violation.id) == self.explained)
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Input {
    pub path: String,
    pub kind: String,
    /// What was read; none where a limit came first.
    pub size: Option<GraphSize>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Property {
    pub kind: String,
    pub text: String,
    /// How a formula is spelled: mcl or mcf.
    pub spelling: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Holds,
    Violated,
    Unknown,
}

#[derive(Clone, Debug, Serialize)]
pub struct Statistics {
    pub states: u64,
    pub transitions: u64,
    /// How many violating states were found.
    pub violations: u64,
    pub max_depth: u64,
    pub seconds: f64,
    /// The part of it that went into reading and searching, where methods came after that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_seconds: Option<f64>,
    /// How many bytes a state takes in the store; none where states are read from a file.
    pub state_bytes: Option<u64>,
    /// None where the operating system does not tell.
    pub peak_bytes: Option<u64>,
    pub complete: bool,
    /// What was left out that makes no difference: `none` or `por` (partial-order reduction). The other
    /// figures are of what was left.
    pub reduction: &'static str,
}

/// All violations of one kind at one place.
#[derive(Clone, Debug, Serialize)]
pub struct Violation {
    pub id: u64,
    pub kind: String,
    /// What is wrong, in a few words.
    pub text: String,
    pub location: Option<Location>,
    pub count: u64,
    /// The length of a shortest trace to it.
    pub shortest: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Location {
    pub file: String,
    pub line: u64,
    pub column: u64,
    /// The line itself.
    pub text: String,
    /// Where it stands in something that is called or expanded in several places: those places, innermost
    /// first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Location>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Fates {
    pub safe: u64,
    pub doomed: u64,
    pub free: u64,
    /// States that fail in every case, but with another violation than the one explained.
    pub elsewhere: u64,
    pub unknown: u64,
    pub points_of_no_return: u64,
    pub escapes: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Counterexample {
    pub kind: String,
    /// What exactly is wrong at its end, where more is known than the property says.
    pub text: Option<String>,
    pub length: u64,
    pub loop_start: Option<u64>,
    /// How the trace was chosen.
    pub chosen: String,
    /// The values of the first state, where states have values.
    pub initial: BTreeMap<String, String>,
    pub steps: Vec<Step>,
    pub blocked: Vec<Blocked>,
    /// The condition of the assertion that fails at its end, operands before what they belong to, the whole last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub condition: Vec<ConditionPart>,
}

/// A part of a condition.
#[derive(Clone, Debug, Serialize)]
pub struct ConditionPart {
    pub text: String,
    /// The part that it is an operand of, by its place in the list.
    pub parent: Option<u64>,
    pub value: PartValue,
}

/// What a part of a condition is worth.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum PartValue {
    Truth(bool),
    /// Of an operand that is no condition itself.
    Value(String),
    /// What stands before it has decided already, or it has no value.
    Unasked,
}

/// What one process does.
#[derive(Clone, Debug, Serialize)]
pub struct Deed {
    pub process: String,
    pub pid: Option<u64>,
    pub action: String,
    pub location: Option<Location>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// Counted from 1.
    pub n: u64,
    pub process: Option<String>,
    pub pid: Option<u64>,
    pub action: String,
    pub location: Option<Location>,
    /// The receiving side of a rendezvous.
    pub partner: Option<Deed>,
    /// A name of the event that no other event of the system has.
    pub event: String,
    /// Old and new value of each variable that changed; null where it has none.
    pub changes: BTreeMap<String, [Option<String>; 2]>,
    /// The values that the step took from outside, in the order in which it took them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<i64>,
    /// How many calls the step lies in, where traces are told with their calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// The fate of the state the step leads to: safe, free, doomed, elsewhere or unknown.
    pub fate: &'static str,
    /// Whether the step belongs to the abstracted counterexample.
    pub kept: bool,
    /// Where the step leads, as the input calls it.
    pub state: StateId,
    /// Actions possible instead of this step that make failing impossible.
    pub escapes: Vec<String>,
    /// Actions possible instead of this step after which both outcomes are still possible.
    pub still_free: Vec<String>,
    pub point_of_no_return: bool,
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
pub struct Need {
    pub action: String,
    pub location: Option<Location>,
    pub reason: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Cause {
    pub rank: u64,
    pub score: f64,
    pub kind: CauseKind,
    pub summary: String,
    pub claim: String,
    pub locations: Vec<Location>,
    /// Steps of the counterexample, by their `n`.
    pub steps: Vec<u64>,
    pub methods: Vec<&'static str>,
    /// Causes with the same number explain the same failing traces.
    pub group: u64,
    pub recheck: Recheck,
    pub repair: Option<Repair>,
    /// What else speaks for it, each with its own recheck; `claim` itself is not repeated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

/// What sort of thing is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CauseKind {
    /// A step of the counterexample after which it could not pass any more.
    PointOfNoReturn,
    /// The violating step itself: nothing was decided before it.
    OnlyTheViolation,
    /// Every trace fails.
    Doomed,
    /// What an endless trace does for ever, so that the property is never met.
    Unmet,
    /// A statement that takes traces past the point of no return, anywhere in the system.
    Crossing,
    /// A sequence of events that only failing traces have.
    Anomaly,
    /// A step that came later than it could.
    Deferred,
    /// A step that the violation came of.
    Needed,
    /// Steps that no correct trace takes.
    ErrorEdge,
    /// A step that correct traces take with other values only.
    Values,
    /// A statement that is missing.
    Insertion,
    /// What all failing variations do, and no passing one.
    SeparatesVariations,
    /// What only failing variations do.
    OnlyFailing,
    /// What a failing variation does in place of what a passing one does.
    Replaced,
    /// Statements that, had they done something else, would have met the constraints.
    Diagnosis,
    /// A change of the text that was verified.
    Repair,
}

/// One more reason to suspect what a cause names.
#[derive(Clone, Debug, Serialize)]
pub struct Evidence {
    /// The method that found it, or `repair` for a change of the text that was tried.
    pub method: &'static str,
    pub claim: String,
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

/// What becomes of the violation without one statement: every step of it was blocked, and the system searched again.
#[derive(Clone, Debug, Serialize)]
pub struct Without {
    pub location: Option<Location>,
    /// One of its events, for people.
    pub event: String,
    /// How many violating states there are, and how many can still be reached.
    pub violating: u64,
    pub still_violating: u64,
    /// Whether a trace passes that never executes it.
    pub passes: bool,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecheckResult {
    Confirmed,
    Refuted,
    NotRun,
}

#[derive(Clone, Debug, Serialize)]
pub struct Repair {
    pub patch: String,
    pub verified: bool,
    pub bound: Option<u64>,
    /// What else was wrong and still is, in words that stand behind "but".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaves: Option<String>,
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
    /// The first line it changes, as it was.
    pub location: Location,
    #[serde(flatten)]
    pub repair: Repair,
}

/// What each method found; a method that was not asked for is absent.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Methods {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neighbourhoods: Option<Outcome<Neighbourhoods>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anomalies: Option<Outcome<Anomalies>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correct_transitions: Option<Outcome<CorrectTransitions>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variations: Option<Outcome<Variations>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<Outcome<Diagnosis>>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Outcome<M> {
    Skipped { skipped: String },
    Found(Box<M>),
}

impl<M> Outcome<M> {
    pub fn found(&self) -> Option<&M> {
        match self {
            Self::Found(found) => Some(found),
            Self::Skipped { .. } => None,
        }
    }

    /// Why there is nothing.
    pub fn skipped(&self) -> Option<&String> {
        match self {
            Self::Found(_) => None,
            Self::Skipped { skipped } => Some(skipped),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct GraphSize {
    pub states: u64,
    pub transitions: u64,
    pub labels: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Neighbourhoods {
    pub seconds: f64,
    pub exactness: &'static str,
    pub full_lts: GraphSize,
    pub counterexample_lts: GraphSize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<Vec<ColouredEdge>>,
    /// The first of them; `listed` says how many of the `count` and the kind R ones are here.
    pub neighbourhoods: Vec<Neighbourhood>,
    pub listed: u64,
    /// By Definition 9: without kind R.
    pub count: u64,
    /// How many there are of each kind.
    pub kinds: BTreeMap<&'static str, u64>,
    /// How many the counterexample passes.
    pub touched: u64,
    pub counterexample_length: u64,
    pub abstracted_length: u64,
    pub abstracted: Vec<Abstracted>,
    /// Why nothing could be left out, when the counterexample touches no neighbourhood.
    pub untouched: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ColouredEdge {
    pub from: u64,
    pub label: String,
    /// None for a correct transition, which leaves the counterexample LTS.
    pub to: Option<u64>,
    pub colour: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub struct Neighbourhood {
    /// The state's number in the counterexample LTS.
    pub state: u64,
    /// The state of the input it stands for.
    pub full_state: StateId,
    /// All of them, where a counterexample LTS from outside matches several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub full_states: Vec<StateId>,
    pub kind: &'static str,
    pub incoming: Vec<String>,
    pub failing: Vec<String>,
    pub correct: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Abstracted {
    pub first: u64,
    pub last: u64,
    pub labels: Vec<String>,
}

/// A state as the input calls it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum StateId {
    Number(i64),
    Text(String),
}
