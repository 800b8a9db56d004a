//! Tests every claim of a report again.
//!
//! A report is trusted in nothing. Its input is read again, all its states are explored in the plainest way ([`raw`]), what
//! can become of a trace is found by the definitions (`fates`), and every claim is held against that: one file for each
//! kind of claim, opened by what the claim means and how it is tested. What the methods use is not used here; the only
//! thing that is shared is what the front-ends say of single states and steps, because that is what the input means.
//!
//! Slow is fine: whatever does not fit into a limit of states is told as too large to test, and what has no test is told
//! as not tested. Neither counts as held.

mod anomaly;
mod case;
mod changed;
mod components;
mod correct;
mod coverage;
mod crossing;
mod decision;
mod deferred;
mod diagnosis;
mod endless;
mod entries;
mod fate_counts;
mod fates;
mod judge;
mod ltl;
mod model;
mod needed;
mod neighbourhoods;
mod net;
mod pattern;
mod product;
mod raw;
mod repair;
mod replaced;
mod replay;
pub mod report;
mod says;
mod shapes;
mod unmet;
mod variation;
mod verdict;
mod without;
mod words;

use findings::{Beyond, TestResult, TestedClaim, Verification};
use graph::{StateGraph, Story, System, ViolationKind, Watch, Wrong};
use thiserror::Error;

pub use endless::{Endless, is_violated};
pub use ltl::Ltl;
pub use product::Automaton;
pub use repair::{NoSurvey, Survey, Text, WrongAt};
pub use report::Report;
pub use says::Says;

use crate::entries::entries;

/// How much may be explored.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "whoever watches need not be shown")]
pub struct Limits<'a> {
    pub max_states: u64,
    pub watch: &'a dyn Watch,
}

/// What is wrong with a property, by what the report calls it; nothing where that is not known.
pub type Properties<'a> = &'a dyn Fn(&str) -> Option<Result<Vec<WrongAt>, Beyond>>;

/// What is asked of a model.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "functions cannot be shown")]
pub struct ModelQuestion<'a> {
    /// Which violations are asked about.
    pub is_asked: &'a dyn Fn(&Wrong) -> bool,
    /// A condition that is asked of every state, in place of what is wrong at the ends of traces.
    pub invariant: Option<Invariant<'a>>,
    /// Whether what goes on forever has to be weakly fair to pass.
    pub is_fair: bool,
    /// The text, to try changes of it; none where it cannot be changed.
    pub text: Option<Text<'a>>,
    /// What is wrong with the other properties.
    pub properties: Properties<'a>,
}

/// A condition that is asked of every state.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "functions cannot be shown")]
pub struct Invariant<'a> {
    /// What a report calls its violations.
    pub kind: ViolationKind,
    pub holds: &'a dyn Fn(&[u8]) -> bool,
}

#[derive(Debug, Error)]
pub enum Unreadable {
    #[error("this is not a JSON report: {0}")]
    Json(#[from] serde_json::Error),
    #[error("reports of the kind `{0}` are not known; `wherefore/1` is")]
    Schema(String),
}

impl Report {
    /// Reads a report.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(text: &[u8]) -> Result<Self, Unreadable> {
        let mut report: Self = serde_json::from_slice(text)?;
        report.focus();
        if report.schema == "wherefore/1" { Ok(report) } else { Err(Unreadable::Schema(report.schema)) }
    }
}

/// Tests what a report says of a model or program.
pub fn model<S: System>(
    report: &Report,
    system: &S,
    story: &dyn Story,
    question: ModelQuestion<'_>,
    limits: Limits<'_>,
) -> Verification {
    judge::model(report, system, story, question, limits)
}

/// Tests what a report says of a property of endless traces.
pub fn endless<S: System>(
    report: &Report,
    system: &S,
    story: &dyn Story,
    (endless, properties, text): (Endless<'_>, Properties<'_>, Option<Text<'_>>),
    limits: Limits<'_>,
) -> Verification {
    endless::judge(report, system, story, (endless, properties, text), limits)
}

/// What a changed model or program does.
///
/// # Errors
/// If it is too large to tell.
pub fn survey<S: System>(
    system: &S,
    story: &dyn Story,
    question: ModelQuestion<'_>,
    limits: Limits<'_>,
) -> Result<Survey, NoSurvey> {
    judge::survey(system, story, question, limits)
}

/// Tests what a report says of a transition system and a property.
pub fn transition_system(
    report: &Report,
    graph: &StateGraph,
    automaton: Automaton<'_>,
    limits: Limits<'_>,
) -> Verification {
    judge::transition_system(report, graph, automaton, limits)
}

/// All claims of a report, none of which has a test.
pub fn untested(report: &Report) -> Verification {
    let claims = entries(report).into_iter().map(|entry| entry.tested(TestResult::NotTested));
    Verification { claims: claims.collect() }
}

/// All claims of a report, none of which can be tested.
pub fn untestable(report: &Report, why: &Beyond) -> Verification {
    let claims = entries(report).into_iter().map(|entry| entry.tested(TestResult::TooLarge(why.clone())));
    Verification { claims: claims.collect() }
}

impl entries::Entry<'_> {
    fn tested(self, result: TestResult) -> TestedClaim {
        TestedClaim { at: self.at, kind: self.kind, claim: self.sentence.map(str::to_owned), result }
    }
}
