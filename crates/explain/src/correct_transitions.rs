//! Correct transitions: one trace per cause (Ball, Naik, Rajamani: From Symptom to Cause, 2003).
//!
//! A query is a check at a place: traces that come there and meet it are correct, traces that come there and
//! do not are errors. A transition that lies on some correct trace is correct. What an error trace does and no
//! correct transition does, statement for statement, is a cause. Causes are then halted, that is no trace
//! may take them, and the search goes on for another error trace, until none is left or one has no cause.
//! Halts take no correct trace away, because no correct trace takes a cause; so the correct transitions are
//! found once, by one pass backwards from where correct traces end.
//!
//! Where every statement of an error trace is also one of a correct trace, the states still tell the two
//! apart: from some step on no correct trace can come of it any more. That step is the point of interest.
//!
//! Some checks are met by no trace at all: the call of a function that must not be reached is one. Correct traces are
//! then those that pass, and the branches that an error trace takes right before it belong to the check. Where no trace is
//! correct in any sense, there is nothing to compare with, and nobody is blamed.
//!
//! What is asked of traces goes through [`Engine`]: a graph of whole states answers ([`Explicit`]), and so does one
//! of calls that match their returns ([`ByCalls`]), and a solver for satisfiability ([`Solved`]).

mod by_calls;
mod explicit;
mod solved;

use findings::CorrectTraceBy;
use graph::{BitSet, Interrupt};

use crate::recheck::Recheck;
pub use by_calls::ByCalls;
pub use explicit::{Correct, Explicit};
pub use solved::{SecondLook, Solved};

/// Answers questions about the traces of one query.
pub trait Engine {
    type Trace;

    fn label_count(&self) -> usize;

    /// Whether there is a correct trace at all.
    fn is_any_correct(&self) -> bool;

    /// A shortest error trace without steps whose labels are halted.
    fn error_trace(&mut self, halted: &BitSet) -> Result<Option<Self::Trace>, Interrupt>;

    fn labels(&self, trace: &Self::Trace) -> Vec<u32>;

    /// Where a trace is before each of its steps.
    fn places(&self, trace: &Self::Trace) -> Vec<u32>;

    /// Whether a correct trace takes a step with this label.
    fn takes(&self, label: u32) -> bool;

    /// The greatest number of steps of a trace that are the beginning of a correct trace; nothing if not even
    /// its start is.
    fn led_on(&self, trace: &Self::Trace) -> Option<usize>;

    /// The labels of a shortest way from where so many steps of a trace lead to where correct traces end, without
    /// steps that have a certain label.
    fn way_on(&self, trace: &Self::Trace, after: usize, without: Option<u32>) -> Option<Vec<u32>>;

    /// Calls `visit` with the label of every correct transition and the place before it.
    fn visits(&self, visit: &mut dyn FnMut(u32, u32));

    /// Looks once more, another way, whether steps of a kind, known by the place before them and their label, can
    /// be taken and lie on no correct trace, although there are correct traces.
    fn recheck(&self, is_such: &dyn Fn(u32, u32) -> bool) -> Recheck;

    /// How it does that.
    fn rechecks_by(&self) -> CorrectTraceBy {
        CorrectTraceBy::ForwardSearch
    }
}

/// An error trace, and what sets it apart from correct ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorTrace<T> {
    pub trace: T,
    pub labels: Vec<u32>,
    /// How many of its steps come before the check.
    pub compared: usize,
    /// The steps, counted from 0, with labels that no correct trace takes and nobody trusts.
    pub causes: Vec<usize>,
    /// How many of its steps are the beginning of a correct trace; nothing if not even its start is.
    pub common: Option<usize>,
    /// The first step after which no correct trace can come of it; nothing if none could come of it at
    /// the start.
    pub point_of_interest: Option<usize>,
}

/// How a search for causes ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Every error trace takes one of the causes.
    All,
    /// The last error trace has no cause of its own, and more like it may be left.
    Unexplained,
    /// There may be more causes than were asked for.
    Limited,
}

/// All causes of one query.
#[derive(Clone, Debug)]
pub struct Localised<T> {
    pub traces: Vec<ErrorTrace<T>>,
    /// How many more there were of which only trusted steps are to blame.
    pub trusted: usize,
    /// The labels that no further error trace may take.
    pub halted: BitSet,
    pub coverage: Coverage,
    /// Whether there is a correct trace at all; nothing sets error traces apart otherwise.
    pub is_any_correct: bool,
}

/// What is asked.
#[derive(Clone)]
pub struct Query<'a, T> {
    /// Whether an error trace comes to the place of the query with its last step but one, and its last one
    /// is the check itself.
    pub last_step_checks: bool,
    /// Whether a step with the first label, right before the check by one with the second, belongs to it.
    pub guards: &'a dyn Fn(u32, u32) -> bool,
    /// The error trace to begin with; a shortest one if none is given.
    pub first: Option<T>,
    /// Which labels are never blamed.
    pub trusted: &'a BitSet,
    pub max_traces: usize,
}

impl<T> std::fmt::Debug for Query<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Query").field("last_step_checks", &self.last_step_checks).finish_non_exhaustive()
    }
}

/// The loop of the paper's Figure 2.
pub fn localise<E: Engine>(
    engine: &mut E,
    query: Query<'_, E::Trace>,
) -> Result<Localised<E::Trace>, Interrupt> {
    let Query { last_step_checks, guards, first, trusted, max_traces } = query;
    let is_any_correct = engine.is_any_correct();
    let mut halted = BitSet::new(engine.label_count());
    let (mut traces, mut only_trusted) = (Vec::new(), 0);
    let mut given = first;
    let coverage = loop {
        let next = match given.take() {
            Some(trace) => Some(trace),
            None => engine.error_trace(&halted)?,
        };
        let Some(trace) = next else { break Coverage::All };
        if traces.len() == max_traces {
            break Coverage::Limited;
        }
        let labels = engine.labels(&trace);
        let compared = match labels.split_last() {
            Some((check, before)) if last_step_checks => {
                let guarding = before.iter().rev().take_while(|label| guards(**label, *check)).count();
                before.len() - guarding
            }
            _ => labels.len(),
        };
        let blameable = if is_any_correct { compared } else { 0 };
        let (found, blamed) = compare(engine, trace, labels, compared, blameable, trusted);
        // Trusted steps are not blamed, but what comes of them is not looked at again either.
        for label in &blamed {
            halted.insert(*label);
        }
        if found.causes.is_empty() && !blamed.is_empty() {
            only_trusted += 1;
        } else {
            traces.push(found);
        }
        if blamed.is_empty() {
            break Coverage::Unexplained;
        }
    };
    Ok(Localised { traces, trusted: only_trusted, halted, coverage, is_any_correct })
}

/// What sets a trace apart before the check, and the labels that no correct trace takes, trusted ones included; of its
/// steps only so many can be blamed.
fn compare<E: Engine>(
    engine: &E,
    trace: E::Trace,
    labels: Vec<u32>,
    compared: usize,
    blameable: usize,
    trusted: &BitSet,
) -> (ErrorTrace<E::Trace>, Vec<u32>) {
    let unshared: Vec<usize> = (0..blameable).filter(|step| !engine.takes(labels[*step])).collect();
    let blamed = unshared.iter().map(|step| labels[*step]).collect();
    let causes = unshared.into_iter().filter(|step| !trusted.contains(labels[*step])).collect();
    let common = engine.led_on(&trace);
    let point_of_interest = common.filter(|common| *common < compared);
    (ErrorTrace { trace, labels, compared, causes, common, point_of_interest }, blamed)
}
