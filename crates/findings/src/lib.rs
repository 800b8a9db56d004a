//! What is found, as plain data, before anybody puts it into words.
//!
//! Methods and the pipeline write these types; the ranking and the repairs read them; `report` turns them into
//! sentences, once and last. Nothing here computes anything, and nothing here is a sentence of ours: strings are names,
//! statements and formulas of the user.

mod anomalies;
mod correct_transitions;
mod counterexample;
mod diagnosis;
mod evaluation;
mod events;
mod neighbourhoods;
mod outcome;
mod repairs;
mod surroundings;
mod variations;
mod vocabulary;

pub use anomalies::{
    Anomalies, Anomaly, Deferred, FatalWhen, Group as AnomalyGroup, Link as AnomalyLink, Pattern,
    PointOfNoReturn, TraceSet,
};
pub use correct_transitions::{CauseEdge, CorrectTransitions, ErrorTrace, Query, Suggestion, Value};
pub use counterexample::{ConditionPart, Counterexample, PartValue, Step};
pub use diagnosis::{
    Absence, Across, Constraint, Diagnosis, RightValue, SuspectSet, SuspectStatement, Suspicion,
};
pub use evaluation::{Evaluation, FailingPart, PropertyPart};
pub use events::{Blocked, Deed, Event, Need, StateId};
pub use graph::{Fate, ViolationKind};
pub use neighbourhoods::{Abstracted, ColouredEdge, Neighbourhood, Neighbourhoods};
pub use outcome::{Fates, GraphSize, Input, Property, Statistics, Violation, Without};
pub use repairs::Repair;
pub use source::Location;
pub use surroundings::{EdgeNearby, StateNearby, Surroundings};
pub use variations::{
    AllVariations, Changes, DaikonFiles, Element, Fact, NearestPassing, PointInvariants, Sets,
    SolvedVariations, Transformation, VariationTrace, Variations,
};
pub use vocabulary::{
    AnomalyKind, Atomic, CauseKind, Choices, Colour, Engine, ErrorTraceKind, Exactness, InputsOfTrace,
    Method, NeighbourhoodKind, Order, PassingEnd, RecheckResult, Reduction, Scope, Spelling, VariationKind,
    Verdict, Walk,
};
