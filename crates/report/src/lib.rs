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
mod methods;
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
    Absence, Abstracted, Across, AllVariations, Anomaly, AnomalyGroup, AnomalyKind, Atomic, CauseEdge,
    CauseKind, Changes, Choices, Colour, ColouredEdge, ConditionPart, Constraint, DaikonFiles, Deed,
    Deferred, EdgeNearby, Element, Engine, ErrorTraceKind, Event, Exactness, Fate, Fates, GraphSize, Input,
    InputsOfTrace, Location, Method, NearestPassing, Need, Neighbourhood, NeighbourhoodKind, Order,
    PartValue, PassingEnd, Pattern, PointInvariants, Property, PropertyPart, RecheckResult, Reduction,
    SampledFact, Scope, Sets, SolvedVariations, Spelling, StateId, StateNearby, Statistics, Step, Suggestion,
    Surroundings, SuspectSet, SuspectStatement, TraceSet, Transformation, Value, VariationKind,
    VariationTrace, Variations, Verdict, ViolationKind, Walk, Without,
};
pub use methods::{
    Anomalies, AnomalyLink, CorrectTransitions, Diagnosis, ErrorTrace, FatalWhen, Methods, Neighbourhoods,
    Outcome, PointOfNoReturn, Query, RightValue, Suspicion,
};
pub use report::{
    Blocked, Cause, CheckedProperty, Counterexample, Evaluation, Evidence, FailingPart, FoundRepair,
    OtherFailure, Recheck, Repair, Report, Violation,
};
pub use tell::tell;
