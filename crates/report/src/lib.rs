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
pub mod replay;
pub mod sarif;
pub mod since;
pub mod text;
pub mod wording;

mod report;

pub use findings::{
    Absence, Abstracted, Across, AllVariations, Anomalies, Anomaly, AnomalyGroup, AnomalyKind, AnomalyLink,
    Atomic, Blocked, CauseEdge, CauseKind, Changes, Choices, Colour, ColouredEdge, ConditionPart, Constraint,
    CorrectTransitions, Counterexample, DaikonFiles, Deed, Deferred, Diagnosis, EdgeNearby, Element, Engine,
    ErrorTrace, ErrorTraceKind, Evaluation, Event, Exactness, Fact, FailingPart, FatalWhen, Fate, Fates,
    GraphSize, Input, InputsOfTrace, Location, Method, NearestPassing, Need, Neighbourhood,
    NeighbourhoodKind, Neighbourhoods, Order, PartValue, PassingEnd, Pattern, PointInvariants,
    PointOfNoReturn, Property, PropertyPart, Query, RecheckResult, Reduction, Repair, RightValue, Scope,
    Sets, SolvedVariations, Spelling, StateId, StateNearby, Statistics, Step, Suggestion, Surroundings,
    SuspectSet, SuspectStatement, Suspicion, TraceSet, Transformation, Value, VariationKind, VariationTrace,
    Variations, Verdict, Violation, ViolationKind, Walk, Without,
};
pub use report::{Cause, Evidence, FoundRepair, Methods, OtherFailure, Outcome, Recheck, Report};
