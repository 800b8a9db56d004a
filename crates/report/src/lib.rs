//! What is told, and how it looks.
//!
//! [`Report`] is plain data in the shape of the JSON output; nothing is computed here. Each renderer
//! is a file: [`json`] writes the report as it is, [`text`] for people at a terminal, [`sarif`] for code scanning,
//! [`html`] for a browser.

mod anomalies;
pub mod contrast;
pub mod contrast_text;
mod correct_transitions;
mod diagnosis;
mod evaluation;
pub mod html;
pub mod json;
mod lanes;
pub mod replay;
pub mod sarif;
pub mod since;
mod surroundings;
pub mod text;
mod variations;
pub mod wording;

mod report;

pub use anomalies::{
    Anomalies, Anomaly, Deferred, Event, FatalWhen, Group as AnomalyGroup, Link as AnomalyLink, Pattern,
    PointOfNoReturn, TraceSet,
};
pub use correct_transitions::{CauseEdge, CorrectTransitions, ErrorTrace, Query, Suggestion, Value};
pub use diagnosis::{
    Absence, Across, Constraint, Diagnosis, RightValue, SuspectSet, SuspectStatement, Suspicion,
};
pub use evaluation::{Evaluation, FailingPart, PropertyPart};
pub use report::{
    Abstracted, Blocked, Cause, CauseKind, ColouredEdge, ConditionPart, Counterexample, Deed, Evidence,
    Fates, FoundRepair, GraphSize, Input, Location, Methods, Need, Neighbourhood, Neighbourhoods,
    OtherFailure, Outcome, PartValue, Property, Recheck, RecheckResult, Repair, Report, StateId, Statistics,
    Step, Verdict, Violation, Without,
};
pub use surroundings::{EdgeNearby, StateNearby, Surroundings};
pub use variations::{
    AllVariations, Changes, DaikonFiles, Element, Fact, NearestPassing, PointInvariants, Sets,
    SolvedVariations, Transformation, VariationTrace, Variations,
};
