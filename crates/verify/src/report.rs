//! A report as this checker reads it: its own structures, so that no mistake of whoever writes reports is shared.
//!
//! Only what claims something is read. Members that are missing are taken as empty, because older reports lack them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::says::Says;

#[derive(Clone, Debug, Deserialize)]
pub struct Report {
    pub schema: String,
    pub input: Input,
    pub property: Property,
    /// Everything that was to be checked.
    #[serde(default)]
    pub properties: Vec<CheckedProperty>,
    pub engine: String,
    #[serde(default)]
    pub bound: Option<u64>,
    pub verdict: String,
    pub statistics: Statistics,
    #[serde(default)]
    pub violations: Vec<Violation>,
    /// Whether the verdict on the whole is what those on the properties amount to.
    #[serde(skip)]
    pub is_summed_up: bool,
    /// The violations of other properties than the one that the report is about.
    #[serde(skip)]
    pub elsewhere: Vec<Violation>,
    #[serde(default)]
    pub explained: Option<u64>,
    #[serde(default)]
    pub fates: Option<FateCounts>,
    #[serde(default)]
    pub counterexample: Option<Counterexample>,
    #[serde(default)]
    pub evaluation: Option<Evaluation>,
    #[serde(default)]
    pub causes: Vec<Cause>,
    #[serde(default)]
    pub without: Vec<Without>,
    #[serde(default)]
    pub others: Vec<Other>,
    #[serde(default)]
    pub only_unfair: bool,
    #[serde(default)]
    pub repairs: Vec<Repair>,
    #[serde(default)]
    pub methods: BTreeMap<String, Value>,
}

/// A property with its verdict.
#[derive(Clone, Debug, Deserialize)]
pub struct CheckedProperty {
    pub text: String,
    pub verdict: String,
    #[serde(default)]
    pub violations: Vec<u64>,
}

impl Report {
    /// What the verdicts on all properties amount to.
    fn summed_up(&self) -> &'static str {
        let has = |verdict: &str| self.properties.iter().any(|one| one.verdict == verdict);
        match (has("violated"), has("unknown")) {
            (true, _) => "violated",
            (false, true) => "unknown",
            (false, false) => "holds",
        }
    }

    /// Sets aside what is about other properties: the rest of a report is about one.
    pub(crate) fn focus(&mut self) {
        self.is_summed_up = true;
        let Some(own) = self.properties.iter().find(|one| one.text == self.property.text) else { return };
        self.is_summed_up = self.verdict == self.summed_up();
        self.verdict.clone_from(&own.verdict);
        let all = std::mem::take(&mut self.violations);
        (self.violations, self.elsewhere) = all.into_iter().partition(|one| own.violations.contains(&one.id));
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Input {
    pub path: String,
    pub kind: String,
    #[serde(default)]
    pub options: Options,
}

/// How the question was asked.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Options {
    pub properties: Vec<String>,
    pub property_file: Option<String>,
    pub spelling: Option<String>,
    pub end_label: Option<String>,
    pub final_label: Option<String>,
    pub fairness: Option<String>,
    pub defines: Vec<String>,
    pub include_folders: Vec<String>,
    pub entry: Option<String>,
    pub data_model: Option<String>,
    pub inputs: Option<Vec<i64>>,
    pub input_bits: Option<u8>,
    pub with: Vec<String>,
    pub cc: bool,
    pub class_path: Vec<String>,
    pub main: Option<String>,
    pub arguments: Vec<String>,
    pub tests: Option<String>,
    pub unwind: Option<u32>,
    pub violation: Option<u64>,
    pub trail: Option<String>,
    pub near: Option<String>,
    pub counterexample_lts: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Property {
    pub kind: String,
    pub text: String,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Statistics {
    pub states: u64,
    pub violations: u64,
    pub max_depth: u64,
    pub complete: bool,
    #[serde(default)]
    pub reduction: String,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Violation {
    pub id: u64,
    pub kind: String,
    pub text: String,
    pub location: Option<ReportedPlace>,
    pub count: u64,
    pub shortest: u64,
}

/// Where something stands.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct ReportedPlace {
    pub file: String,
    pub line: u64,
    pub column: u64,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub struct FateCounts {
    pub safe: u64,
    pub doomed: u64,
    pub free: u64,
    pub elsewhere: u64,
    pub unknown: u64,
    pub points_of_no_return: u64,
    pub escapes: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Counterexample {
    pub kind: String,
    pub length: u64,
    #[serde(default)]
    pub loop_start: Option<u64>,
    #[serde(default)]
    pub choice: Option<String>,
    #[serde(default)]
    pub past_others: bool,
    #[serde(default)]
    pub initial: BTreeMap<String, String>,
    pub steps: Vec<Step>,
    #[serde(default)]
    pub blocked: Vec<Blocked>,
}

impl Counterexample {
    /// Whether it was not found but given.
    pub fn is_given(&self) -> bool {
        self.choice.as_deref() == Some("given")
    }
}

/// Which parts of the property hold along the counterexample.
#[derive(Clone, Debug, Deserialize)]
pub struct Evaluation {
    pub parts: Vec<PartValues>,
}

/// A part of a property, and a letter for each state of the counterexample: `T`, `F`, or another one where nobody looks.
#[derive(Clone, Debug, Deserialize)]
pub struct PartValues {
    pub text: String,
    pub values: String,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Step {
    pub n: u64,
    pub process: Option<String>,
    pub pid: Option<u64>,
    pub action: String,
    pub location: Option<ReportedPlace>,
    pub event: String,
    #[serde(default)]
    pub changes: BTreeMap<String, [Option<String>; 2]>,
    #[serde(default)]
    pub inputs: Vec<i64>,
    pub fate: String,
    #[serde(default)]
    pub escapes: Vec<String>,
    #[serde(default)]
    pub still_free: Vec<String>,
    #[serde(default)]
    pub point_of_no_return: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Blocked {
    pub process: Option<String>,
    pub pid: Option<u64>,
    pub may_end: bool,
    #[serde(default)]
    pub needs: Vec<Need>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Need {
    pub action: String,
    pub location: Option<ReportedPlace>,
    pub reason: String,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Cause {
    pub kind: String,
    pub claim: String,
    #[serde(default)]
    pub says: Option<Says>,
    #[serde(default)]
    pub steps: Vec<u64>,
    #[serde(default)]
    pub repair: Option<Patch>,
    #[serde(default)]
    pub evidence: Vec<Evidence>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Evidence {
    pub claim: String,
    #[serde(default)]
    pub says: Option<Says>,
    #[serde(default)]
    pub steps: Vec<u64>,
}

/// What becomes of the violation without one statement.
#[derive(Clone, Debug, Deserialize)]
pub struct Without {
    pub location: Option<ReportedPlace>,
    pub event: String,
    pub violating: u64,
    pub still_violating: u64,
    pub passes: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Other {
    pub violation: u64,
    pub same_cause: bool,
    #[serde(default)]
    pub causes: Vec<Cause>,
    #[serde(default)]
    pub counterexample: Option<Counterexample>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Repair {
    pub summary: String,
    #[serde(flatten)]
    pub repair: Patch,
}

/// A change of the text.
#[derive(Clone, Debug, Deserialize)]
pub struct Patch {
    pub patch: String,
    pub verified: bool,
    #[serde(default)]
    pub bound: Option<u64>,
    /// What else was wrong and still is.
    #[serde(default)]
    pub leaves: Option<serde_json::Value>,
}
