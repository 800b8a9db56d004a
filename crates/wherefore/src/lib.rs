//! The façade: everything the command line does, without files, clocks or terminals.
//!
//! [`analysis::analyse`] takes a system and a request and returns a [`report::Report`];
//! [`analysis::analyse_model`] does the same for a model that was searched, and
//! [`checking::analyse_check`] searches one without explaining it; [`summaries::analyse_summaries`] is for programs
//! that were searched call by call.

pub mod analysis;
mod anomalies;
pub mod bounded;
mod budget;
mod causes;
pub mod checking;
mod combine;
pub mod contrast;
mod correct_transitions;
pub mod diagnosis;
pub mod endless;
mod endless_causes;
pub mod insertions;
mod model_system;
pub mod naming;
mod others;
pub mod repairs;
pub mod replay;
pub mod sat_answers;
pub mod since;
pub mod summaries;
mod surroundings;
mod telling;
mod transition_system;
mod trust;
mod unfolded_naming;
mod variations;
pub mod witness;

pub use anomalies::{AnomalyRequest, Mode, Order};
pub use combine::combine_causes;
pub use telling::{model_steps, plain_steps};
pub use transition_system::{EXIT, transition_system};
pub use trust::Trust;
pub use variations::{PointRequest, Projection, VariationOrder, VariationRequest};
