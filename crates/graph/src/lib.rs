//! The one graph of the house.
//!
//! Whatever the input was, files or a search, ends up as a [`StateGraph`]: numbered states, interned
//! labels, edges in one flat array. Questions about it are asked through [`Transitions`], so that a
//! product with a property automaton, which is never written out, answers them as well.
//!
//! Nothing here knows of files, languages, clocks or terminals; long loops report to a [`Watch`].

mod automaton;
mod labels;
mod names;
mod state_graph;
mod variables;
mod watch;

pub use automaton::{Dfa, LabelClasses, Nfa};
pub use labels::Labels;
pub use names::{StateName, StateNames};
pub use state_graph::{Edge, GraphBuilder, Reverse, StateGraph, TooManyEdges};
pub use variables::StateVariables;
pub use watch::{Interrupt, PULSE, Progress, Unwatched, Watch};
