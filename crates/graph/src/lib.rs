//! The one graph of the house.
//!
//! Whatever the input was, files or a search, ends up as a [`StateGraph`]: numbered states, interned
//! labels, edges in one flat array. Questions about it are asked through [`Transitions`], so that a
//! product with a property automaton, which is never written out, answers them as well.
//!
//! Nothing here knows of files, languages, clocks or terminals; long loops report to a [`Watch`].

mod automaton;
mod backward;
mod bits;
mod calmest;
mod chance;
mod checked;
mod components;
pub mod condition;
mod determinise;
mod explore;
mod fair;
mod fates;
mod follow;
mod labels;
mod minimise;
mod names;
mod nested;
mod outline;
mod procedures;
mod processes;
mod product;
mod state_graph;
mod story;
mod system;
#[cfg(test)]
mod testing;
mod trace;
mod transitions;
mod variables;
mod watch;

pub use automaton::{Dfa, LabelClasses, Nfa};
pub use backward::Backward;
pub use bits::BitSet;
pub use calmest::calmest_shortest;
pub use chance::Chances;
pub use checked::{Checked, Marks, WrongStep};
pub use components::Components;
pub use condition::{ConditionPart, ConditionParts, Worth};
pub use determinise::TooManyAutomatonStates;
pub use explore::Exploration;
pub use fates::{Fairness, Fate, FateCounts, Fates};
pub use follow::{Followed, follow, follow_within};
pub use labels::Labels;
pub use names::{StateName, StateNames};
pub use nested::{
    Arrival, Nested, NestedEdge, NestedParts, NestedStep, NestedTrace, Shortest, Taken, Target,
};
pub use outline::{Held, Key, Outline, Slot};
pub use procedures::{Caller, LocalStep, Move, Procedures, Untold};
pub use processes::Processes;
pub use product::{Product, ProductTooLarge, ViolatedWhen};
pub use state_graph::{Edge, GraphBuilder, Reverse, StateGraph, TooManyEdges};
pub use story::{
    Actor, Awaited, Change, Chosen, Deed, FaultKind, Footprint, Loss, Need, Obstacle, Passage, Sort, Story,
    Synchronisation, Told, ViolationKind, Waiting, Wrong, computed_name, is_computed,
};
pub use system::{End, Step, System, Worker};
pub use trace::Trace;
pub use transitions::{Actors, OUTSIDE, Transitions};
pub use variables::StateVariables;
pub use watch::{Interrupt, PULSE, Progress, Unwatched, Watch};
