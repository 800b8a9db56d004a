//! What the method "variations" tells, as plain data.

use serde::Serialize;
use source::Location;

use crate::{Choices, Counterexample, Event, Exactness, PassingEnd, VariationKind, Walk};

#[derive(Clone, Debug, Serialize)]
pub struct Variations {
    pub seconds: f64,
    pub exactness: Exactness,
    /// How many steps a variation deviates from the counterexample at most; none where a solver found them.
    pub depth: Option<u64>,
    /// How a solver found them, where it did.
    pub solved: Option<SolvedVariations>,
    /// In which order they were looked for.
    pub walk: Walk,
    /// How many failing and passing variations were found, the counterexample among them.
    pub negatives: u64,
    pub positives: u64,
    /// Whether more were left out than the depth asks for.
    pub limited: bool,
    /// The shortest of both kinds.
    pub traces: Vec<VariationTrace>,
    /// What the variations that were found have in common, and what separates them.
    pub transitions: Sets,
    /// The same for all negatives and positives; none where not everything was explored.
    pub all: Option<AllVariations>,
    /// The passing trace that stays with the counterexample longest.
    pub nearest_passing: Option<NearestPassing>,
    /// What variables hold at points of the program in positives, and in negatives.
    pub invariants: Vec<PointInvariants>,
    /// The negatives themselves, as counterexamples to be replayed later; not part of the report.
    #[serde(skip)]
    pub negative_traces: Vec<Counterexample>,
    /// The values they were found in, for Daikon; not part of the report.
    #[serde(skip)]
    pub daikon: Option<DaikonFiles>,
    pub transformations: Vec<Transformation>,
    /// How many there are; the list may hold the first of them only.
    pub transformation_count: u64,
    /// How many pairs of a positive and a negative were compared.
    pub pairs: u64,
    /// The sets for what transformations change.
    pub transformed_transitions: Sets,
}

/// Variations that a solver found: the nearest by the number of inputs and branches that are otherwise, each going
/// another way.
#[derive(Clone, Debug, Serialize)]
pub struct SolvedVariations {
    /// How often loops and recursion were unwound.
    pub bound: u64,
    /// Whether no run goes beyond the bound, so that no other is nearer.
    pub covers_all: bool,
    /// How the nearest passing trace differs, if there is one.
    pub changes: Option<Changes>,
}

/// How many inputs and branches of the counterexample are otherwise.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Changes {
    pub inputs: u64,
    pub branches: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct VariationTrace {
    pub kind: VariationKind,
    pub length: u64,
    /// The names of its events.
    pub events: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct AllVariations {
    /// Whether any trace takes the failing step and can then no longer fail with it.
    pub has_positives: bool,
    pub transitions: Sets,
}

/// The sets of the paper's Table 1; none where a set says nothing, because there are no traces of a kind.
#[derive(Clone, Debug, Serialize)]
pub struct Sets {
    pub trans_neg: Option<Vec<Element>>,
    pub trans_pos: Option<Vec<Element>>,
    pub all_neg: Option<Vec<Element>>,
    pub all_pos: Option<Vec<Element>>,
    pub only_neg: Option<Vec<Element>>,
    pub only_pos: Option<Vec<Element>>,
    pub cause_neg: Option<Vec<Element>>,
    pub cause_pos: Option<Vec<Element>>,
}

/// What of steps is compared; none for what is not.
#[derive(Clone, Debug, Serialize)]
pub struct Element {
    pub location: Option<Location>,
    pub thread: Option<String>,
    pub choice: Option<String>,
    pub action: Option<String>,
    /// The statement of one of these steps, for people.
    pub statement: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Transformation {
    /// After how many steps the two part.
    pub at: u64,
    /// What a passing trace does there.
    pub positive: Vec<Event>,
    /// What a failing trace does in its place.
    pub negative: Vec<Event>,
    /// The step with which both go on.
    pub rejoins: Event,
    /// How many pairs it explains.
    pub pairs: u64,
    /// None where no processes are known.
    pub class: Option<Choices>,
}

/// What holds at a point of the program whenever a variation comes there.
#[derive(Clone, Debug, Serialize)]
pub struct PointInvariants {
    pub point: String,
    /// Whether all variations were looked at, so that nothing is chance.
    pub exhaustive: bool,
    pub positive_samples: u64,
    pub negative_samples: u64,
    /// What holds in all positives and not in all negatives.
    pub positive: Vec<SampledFact>,
    /// What holds in all negatives and not in all positives.
    pub negative: Vec<SampledFact>,
    pub both: Vec<SampledFact>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SampledFact {
    pub fact: String,
    /// How many samples speak for it.
    pub samples: u64,
}

/// Declarations and data traces, as Daikon reads them.
#[derive(Clone, Debug)]
pub struct DaikonFiles {
    pub negative: [String; 2],
    pub positive: [String; 2],
}

/// The passing trace that stays with the counterexample longest.
#[derive(Clone, Debug, Serialize)]
pub struct NearestPassing {
    /// How many steps it has in common with the counterexample.
    pub common: u64,
    /// How it goes on.
    pub steps: Vec<Event>,
    pub ending: PassingEnd,
}
