//! The methods against twins that go by the definitions, on random systems written out state by state.

mod anomalies;
mod by_calls;
mod comparison;
mod correct_transitions;
mod counterexample;
mod dependence;
mod fence;
mod limits;
mod matched;
mod neighbourhoods;
mod recheck;
mod variations;
mod without;
