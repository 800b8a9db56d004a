//! What the method "neighbourhoods" found.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Colour, Exactness, GraphSize, NeighbourhoodKind, StateId, Worded};

#[derive(Clone, Debug, Serialize)]
pub struct Neighbourhoods {
    pub seconds: f64,
    pub exactness: Exactness,
    pub full_lts: GraphSize,
    pub counterexample_lts: GraphSize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<Vec<ColouredEdge>>,
    /// The first of them; `listed` says how many of the `count` and the kind R ones are here.
    pub neighbourhoods: Vec<Neighbourhood>,
    pub listed: u64,
    /// By Definition 9: without kind R.
    pub count: u64,
    /// How many there are of each kind.
    pub kinds: BTreeMap<NeighbourhoodKind, u64>,
    /// How many the counterexample passes.
    pub touched: u64,
    pub counterexample_length: u64,
    pub abstracted_length: u64,
    pub abstracted: Vec<Abstracted>,
    /// Why nothing could be left out, when the counterexample touches no neighbourhood.
    pub untouched: Option<Worded<Untouched>>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ColouredEdge {
    pub from: u64,
    pub label: String,
    /// None for a correct transition, which leaves the counterexample LTS.
    pub to: Option<u64>,
    pub colour: Colour,
}

#[derive(Clone, Debug, Serialize)]
pub struct Neighbourhood {
    /// The state's number in the counterexample LTS.
    pub state: u64,
    /// The state of the input it stands for.
    pub full_state: StateId,
    /// All of them, where a counterexample LTS from outside matches several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub full_states: Vec<StateId>,
    pub kind: NeighbourhoodKind,
    pub incoming: Vec<String>,
    pub failing: Vec<String>,
    pub correct: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Abstracted {
    pub first: u64,
    pub last: u64,
    pub labels: Vec<String>,
}

/// Why a trace touches no neighbourhood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Untouched {
    /// No trace passes.
    DoomedFromTheStart,
    /// Passing traces begin with another step, after which failing is still possible.
    PartedAtTheStart,
    /// Passing traces part from it at this step at the latest, by steps after which failing is still possible.
    PartedEarlier { step: u64, event: String },
    /// The only way to pass is to go round in circles forever.
    OnlyByCircling,
    /// Too little was explored to tell.
    NotExplored,
}
