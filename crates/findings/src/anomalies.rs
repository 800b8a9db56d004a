//! What the method "anomalies" tells, as plain data.

use serde::Serialize;

use crate::{AnomalyKind, Atomic, Condition, Event, Exactness, Order, RecheckResult, Worded};

#[derive(Clone, Debug, Serialize)]
pub struct Anomalies {
    pub seconds: f64,
    pub exactness: Exactness,
    /// What counts as following each other.
    pub order: Order,
    /// How many events make a sequence.
    pub length: u64,
    /// The traces that were compared; null where all were.
    pub good: Option<TraceSet>,
    pub bad: Option<TraceSet>,
    /// How many anomalies there are, and how many of them are decisive.
    pub count: u64,
    pub decisive: u64,
    /// The first of them, best first.
    pub anomalies: Vec<Anomaly>,
    /// Failing traces that contain them, as the names of their events.
    pub counterexamples: Vec<Vec<String>>,
    /// A counterexample and the ranks of the anomalies it shows.
    pub groups: Vec<Group>,
    /// How many last steps failing traces have; the `support` of an anomaly is out of these.
    pub last_steps: Option<u64>,
    /// Steps of the report's counterexample, by their `n`.
    pub explanatory_sequence: Vec<u64>,
    pub links: Vec<Link>,
    pub deferred: Vec<Deferred>,
    /// Steps of the report's counterexample that no passing trace has in this order; empty if there are
    /// none such.
    pub order_core: Vec<u64>,
    /// Why there is no order core.
    pub no_order_core: Option<Worded<NoOrderCore>>,
    pub patterns: Vec<Pattern>,
    /// Why patterns are missing or not all there.
    pub no_patterns: Option<Worded<NoPatterns>>,
    pub points_of_no_return: Vec<PointOfNoReturn>,
}

#[derive(Clone, Debug, Serialize)]
pub struct TraceSet {
    pub traces: u64,
    pub average_length: f64,
    pub max_length: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Anomaly {
    pub rank: u64,
    pub events: Vec<Event>,
    /// The earliest step at which it begins in a failing trace.
    pub position: u64,
    /// Its place when anomalies are ranked by position alone, as in the paper.
    pub rank_by_position: u64,
    /// The number of the counterexample that shows it, from 1, and the step at which it begins there.
    pub counterexample: u64,
    pub at: u64,
    /// Equation (6); null where the start of the explanatory sequence is not known.
    pub score: Option<f64>,
    /// Exact: with how many of the last steps a failing trace with it can end. Sampled: how many
    /// counterexamples contain it.
    pub support: Option<u64>,
    pub kind: AnomalyKind,
    /// Whether its events depend on each other; if not they may be neighbours by accident.
    pub dependent: bool,
    /// The steps of the report's counterexample at which it first occurs, by their `n`, others of the
    /// same process not between them; empty if it does not.
    pub steps: Vec<u64>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Group {
    pub counterexample: u64,
    pub anomalies: Vec<u64>,
}

/// Why one step of the counterexample needed another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    pub from: u64,
    pub to: u64,
    pub reason: Worded<LinkReason>,
}

/// What one step had of an earlier one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LinkReason {
    /// The earlier step.
    pub since: u64,
    /// The later step; none is what processes wait for that are blocked at the end.
    pub by: Option<u64>,
    pub why: LinkWhy,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkWhy {
    /// It was the last to write this variable, which has this value since then.
    Wrote { variable: String, value: Option<String> },
    /// It worked out what the later step goes on with, and no variable holds.
    Computed,
    /// It sent the message, through this channel.
    Sent { channel: String },
    /// Nothing could come between them.
    Inside,
    /// It asked something, and only after this answer does its process come to the step.
    Guarded,
    /// The variable still has its old value, because the event, which could have been executed since then, was not.
    Stale { variable: String, value: Option<String>, event: String },
    /// It is the step before it of the process whose event is deferred.
    Before,
}

impl LinkWhy {
    /// Whether the later step relied on a value that a pending event would have changed.
    pub fn is_stale(&self) -> bool {
        matches!(self, Self::Stale { .. })
    }
}

/// Why no order of events is for failing traces only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoOrderCore {
    /// No trace passes.
    NothingPasses,
    /// Passing traces can do all of these events in the same order.
    InPassingTraces,
    /// A limit came first.
    TooLarge,
}

/// Why patterns are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPatterns {
    /// They are looked for in samples of traces only.
    NotSampled,
    /// A limit came before all were found.
    Limit,
}

/// An event that could have been executed long before it was.
#[derive(Clone, Debug, Serialize)]
pub struct Deferred {
    /// The step that executes it; null if the violation came first.
    pub step: Option<u64>,
    /// The step after which it could be executed; 0 for the start.
    pub enabled_at: u64,
    pub event: Event,
    /// The steps that overtook it and whose order with it matters.
    pub overtaken_by: Vec<u64>,
    /// Whether the step that made it possible is the one before it of its own process.
    pub after_own_step: bool,
    /// What becomes of the violation if nothing comes between the two; null where
    /// that was not looked for.
    pub atomic: Option<Atomic>,
}

/// A sequence of events, with others in between, that failing traces have more often than passing ones.
#[derive(Clone, Debug, Serialize)]
pub struct Pattern {
    pub events: Vec<String>,
    /// How many of the failing and of the passing traces contain it.
    pub failing: u64,
    pub passing: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct PointOfNoReturn {
    /// The statement; where several processes execute it, without the number of a process.
    pub event: Event,
    /// The names of the events that are this statement: one for each process.
    pub events: Vec<String>,
    /// How many of its transitions lead to where every trace fails.
    pub crosses: u64,
    /// How many lead on from where traces can pass to where they still can.
    pub harmless: u64,
    /// What tells the ones from the others, if it was asked and both are there.
    pub fatal_when: Option<FatalWhen>,
}

/// The smallest condition that was found for when a statement decides, and how well it fits.
#[derive(Clone, Debug, Serialize)]
pub struct FatalWhen {
    /// A report says it as a list of alternatives, each of several things that are all true.
    #[serde(rename = "any_of")]
    pub condition: Worded<Condition, Vec<Vec<String>>>,
    /// Whether the statement decides exactly when this is true.
    #[serde(rename = "exact")]
    pub is_exact: bool,
    /// How many occurrences decide, and of how many of these the condition is true.
    pub fatal: u64,
    pub fatal_covered: u64,
    /// The same for those that decide nothing.
    pub harmless: u64,
    pub harmless_covered: u64,
    /// What came of looking again: whether a passing trace does it when this is true. None where it was not tried.
    pub recheck: Option<RecheckResult>,
    /// Of all violating states, how many can still be reached if it never happens when this is true.
    pub still_violating: Option<u64>,
}
