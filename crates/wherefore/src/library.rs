//! The library: systems, transition systems and traces of users in, explanations out.
//!
//! Everything that is public to users of the crate is here; nothing is computed here that the command line does not
//! compute as well.
#![warn(missing_docs)]

mod bridge;
mod causes;
mod clock;
mod error;
mod explainer;
mod explanation;
mod lts;
mod sources;
#[cfg(feature = "stateright")]
pub mod stateright;
mod system;
mod traces;
mod variables;

pub use causes::{Cause, Counterexample, Recheck, TraceStep};
pub use error::Error;
pub use explainer::{Explainer, Fairness};
pub use explanation::{
    CheckedProperty, Detail, Explanation, Fates, FoundViolation, MethodResult, Statistics, Verdict,
};
pub use findings::{Fate, Method, Order, ViolationKind};
pub use languages::{DataModel, Emit, Engine, SearchOrder, Spelling};
pub use lts::{Lts, LtsBuilder, LtsFormat, Property};
pub use pipeline::request::{Projection as VariationParts, VariationOrder};
pub use sources::{Language, Repairs};
pub use system::{Event, Location, Steps, System, Violation, Waiting};
pub use traces::Traces;
pub use variables::variables_of_debug;
