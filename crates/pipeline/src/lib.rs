//! From a system that was searched to an explanation: the stages in their order, each under its budget.
//!
//! A front-end offers a [`graph::System`] with its [`graph::Story`]; what comes out is a [`findings::Explanation`], which
//! is data. No input language is known here, no file, no clock and no sentence.

pub mod analysis;
mod anomalies;
mod as_findings;
pub mod bounded;
pub mod budget;
mod call_violations;
mod causes;
pub mod checking;
mod combine;
mod conclusion;
mod correct_transitions;
pub mod endless;
mod endless_causes;
mod essential;
pub mod evaluation;
pub mod insertions;
pub mod invariant;
pub mod meeting;
mod method;
mod model_system;
pub mod named_patterns;
pub mod naming;
pub mod obligation;
mod others;
mod registry;
pub mod repairs;
pub mod request;
pub mod sat_answers;
mod skips;
mod stages;
pub mod summaries;
mod surroundings;
mod transition_system;
mod trust;
mod unfolded_naming;
mod variations;
pub mod watches;

pub use as_findings::{Judged, model_steps, plain_steps, what};
pub use conclusion::{Concluded, conclude};
pub use model_system::violated_by;
pub use patterns::proposals;
pub use skips::{no_answer, skipped, unsolved};
pub use transition_system::{EXIT, transition_system};
pub use trust::Trust;
