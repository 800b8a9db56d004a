//! The methods: what do failing traces have that passing traces do not?
//!
//! Each method is a file, opened by the idea and its paper. They work on anything that implements
//! [`graph::Transitions`] and answer in numbers of states, labels and steps; turning those into
//! names and sentences is left to whoever reports.

pub mod anomalies;
pub mod combine;
pub mod correct_transitions;
pub mod counterexample;
pub mod dependence;
pub mod diagnosis;
pub mod fatal_when;
pub mod matched;
pub mod neighbourhoods;
mod pulse;
pub mod recheck;
pub mod variations;
pub mod without;

pub use counterexample::{Counterexample, StepNote};
pub use matched::Matched;
pub use neighbourhoods::{Abstraction, Colour, Kind, Neighbourhood, Neighbourhoods, Untouched};
