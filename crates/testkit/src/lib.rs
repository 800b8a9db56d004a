//! Random systems, naive twins and fixtures for the tests; not shipped.

mod case;
mod data;
pub mod naive_anomalies;
pub mod naive_bisimulation;
pub mod naive_chance;
pub mod naive_contrast;
pub mod naive_correct;
pub mod naive_course;
pub mod naive_dependence;
pub mod naive_diagnosis;
pub mod naive_fates;
pub mod naive_follow;
pub mod naive_neighbourhoods;
pub mod naive_simulation;
pub mod naive_system;
pub mod naive_variations;
pub mod packaged_models;
pub mod process_case;
pub mod random;
pub mod random_c;
pub mod random_c_threads;
pub mod random_calls;
pub mod random_procedures;
pub mod random_promela;
pub mod random_property;
mod seed;
pub mod semantics;
pub mod shapes;
pub mod spin;
pub mod spin_graph;
pub mod spin_table;

pub use case::Case;
pub use data::data_folder;
pub use seed::seed;
