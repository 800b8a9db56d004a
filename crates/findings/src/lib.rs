//! What is found, as plain data, before anybody puts it into words.
//!
//! Methods and the pipeline write these types; the ranking and the repairs read them; `report` turns them into
//! sentences, once and last. Nothing here computes anything, and nothing here is a sentence of ours: strings are names,
//! statements and formulas of the user, and what a front-end or a parser says in the words of its language.

mod anomalies;
mod change;
mod claim;
mod condition;
mod correct_transitions;
mod counterexample;
mod diagnosis;
mod evaluation;
mod events;
mod explanation;
mod finding;
mod methods;
mod neighbourhoods;
mod outcome;
mod pattern;
mod properties;
mod reason;
mod repairs;
mod replay;
mod skip;
mod surroundings;
mod tests;
mod unwound;
mod variations;
mod verification;
mod vocabulary;
mod worded;

pub use anomalies::{
    Anomalies, Anomaly, Deferred, FatalWhen, Group as AnomalyGroup, Link as AnomalyLink, LinkReason, LinkWhy,
    NoOrderCore, NoPatterns, Pattern, PointOfNoReturn, TraceSet,
};
pub use change::{SmallChange, TextChange};
pub use claim::{
    Between, Choice, Claim, Compared, Correct, CrossesWhen, Crossing, Decision, ForbiddenLoop, Made, Place,
    RightMade, SuspectEvidence, Suspects, Unmet, Waiting,
};
pub use condition::{Condition, Fact, Predicate, Subject};
pub use correct_transitions::{CauseEdge, CorrectTransitions, ErrorTrace, Query, Suggestion, Value};
pub use counterexample::{Chosen, ConditionPart, Counterexample, PartValue, Run, Step};
pub use diagnosis::{
    Absence, Across, Constraint, Diagnosis, RightValue, SuspectSet, SuspectStatement, Suspicion,
};
pub use evaluation::{Evaluation, FailingPart, FailingWhat, PropertyPart};
pub use events::{Blocked, Deed, Event, Need, StateId};
pub use explanation::{Cause, Explanation, OtherFailure, Passing};
pub use finding::{CorrectTraceBy, Finding, How, Recheck};
pub use graph::{Fate, ViolationKind};
pub use methods::{Methods, Outcome};
pub use model::mistakes::Mistake;
pub use neighbourhoods::{Abstracted, ColouredEdge, Neighbourhood, Neighbourhoods, Untouched};
pub use outcome::{
    DataModel, EndlessProperty, Fates, GraphSize, Input, Options, Property, Statistics, TraceEnd, Violation,
    What, Without,
};
pub use pattern::{
    BugPattern, Coverage, Hold, Moment, PatternMatch, PatternName, Role, Standstill, Window, Written,
};
pub use properties::CheckedProperty;
pub use reason::{Note, Reason, Why};
pub use repairs::{Doubt, FoundRepair, Repair, RepairSearch, ShownRepair, Wrongdoing};
pub use replay::{Divergence, Replay, ReplayResult, Violated};
pub use skip::{Skip, Undiagnosed};
pub use source::Location;
pub use surroundings::{EdgeNearby, StateNearby, Surroundings};
pub use tests::{FailingTest, OutputDifference, TestRuns, UndecidedTest};
pub use unwound::{LeftOut, Uncovered, Unencoded, Unsolved};
pub use variations::{
    AllVariations, Changes, DaikonFiles, Element, NearestPassing, PointInvariants, SampledFact, Sets,
    SolvedVariations, Transformation, VariationTrace, Variations,
};
pub use verification::{Beyond, Overall, Shows, TestResult, TestedClaim, Verification, Witness};
pub use vocabulary::{
    AnomalyKind, Atomic, CauseKind, Choices, Colour, Engine, ErrorTraceKind, Exactness, InputsOfTrace,
    Method, NeighbourhoodKind, Order, PassingEnd, RecheckResult, Reduction, Scope, Spelling, VariationKind,
    Verdict, Walk,
};
pub use worded::Worded;
