//! What is told, and how it looks.
//!
//! [`Report`] is plain data in the shape of the JSON output; nothing is computed here. Each renderer
//! is a file: [`json`] writes the report as it is, [`text`] for people at a terminal, [`sarif`] for code scanning,
//! [`html`] for a browser.

pub mod contrast;
pub mod contrast_text;
pub mod html;
pub mod json;
mod lanes;
pub mod messages;
pub mod replay;
#[cfg(test)]
mod sample;
pub mod sarif;
pub mod since;
mod story;
pub mod tell;
pub mod text;
pub mod verification;
pub mod wording;

mod report;

pub use findings::{
    Absence, Abstracted, Across, AllVariations, Anomalies, Anomaly, AnomalyGroup, AnomalyKind, AnomalyLink,
    Atomic, CauseEdge, CauseKind, Changes, Choices, Colour, ColouredEdge, ConditionPart, Constraint,
    CorrectTransitions, DaikonFiles, Deed, Deferred, Diagnosis, EdgeNearby, Element, Engine, ErrorTrace,
    ErrorTraceKind, Event, Exactness, FatalWhen, Fate, Fates, GraphSize, Input, InputsOfTrace, Location,
    Method, Methods, NearestPassing, Need, Neighbourhood, NeighbourhoodKind, Neighbourhoods, Order, Outcome,
    PartValue, PassingEnd, Pattern, PointInvariants, PointOfNoReturn, Property, PropertyPart, Query,
    RecheckResult, Reduction, RightValue, SampledFact, Scope, Sets, ShownRepair as Repair, SolvedVariations,
    Spelling, StateId, StateNearby, Statistics, Step, Suggestion, Surroundings, SuspectSet, SuspectStatement,
    Suspicion, TraceSet, Transformation, Value, VariationKind, VariationTrace, Variations, Verdict,
    ViolationKind, Walk, Without, Worded,
};
pub use report::{
    Blocked, Cause, CheckedProperty, Counterexample, Evaluation, Evidence, FailingPart, FoundRepair,
    OtherFailure, Recheck, Report, Violation,
};
pub use tell::tell;
