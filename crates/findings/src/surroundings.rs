//! The states around a counterexample, as plain data for a picture.

use graph::Fate;
use serde::Serialize;

use crate::StateId;

#[derive(Clone, Debug, Default, Serialize)]
pub struct Surroundings {
    /// Those on the counterexample first, then the others by their distance from it.
    pub states: Vec<StateNearby>,
    pub edges: Vec<EdgeNearby>,
    /// What edges refer to.
    pub labels: Vec<String>,
    /// Whether there are states or edges that are not here.
    pub cut: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct StateNearby {
    /// Its name; none for what lies where no violation can come any more, of which nobody keeps states.
    pub state: Option<StateId>,
    pub fate: Fate,
    /// After how many steps the counterexample is here for the first time.
    pub step: Option<u64>,
    /// Whether a trace that arrives here has failed.
    pub violating: bool,
    /// How many of its edges are not here.
    pub hidden: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EdgeNearby {
    pub from: u64,
    pub to: u64,
    pub label: u64,
}
