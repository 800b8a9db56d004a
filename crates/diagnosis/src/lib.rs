//! Diagnosis of a program's counterexample: which statements, assumed wrong, would explain it.
//!
//! The counterexample is a list of inputs; with them the program takes one way, and this way is made a formula in
//! which inputs are any values and statements may be wrong ([`explain::diagnosis`] asks it). What is found is then held
//! against the whole program: does it pass on the inputs of this and of other failing runs if these statements, and
//! no others, do something else? This is a question of its own, to another formula, and so the recheck as well.

mod absence;
mod accesses;
mod across;
mod case;
mod change;
mod effects;
mod formula;
mod guards;
mod limits;
mod pairs;
mod patience;
mod program;
mod ranking;
mod refinement;
mod repaired;
mod result;
mod runs;
mod samples;
mod suggestion;
mod suspects;
mod text;
mod trials;
mod variants;
mod whole;

pub use effects::{EffectTrace, Words, diagnose_effects};
pub use program::diagnose;
pub use repaired::{changes, replacements, tells_of_absence, with_repairs};
pub use text::Text;
