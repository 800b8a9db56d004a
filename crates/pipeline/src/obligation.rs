//! What is asked of endless traces.

use findings::{EndlessProperty, ViolationKind};
use liveness::Reading;
use property::buchi::Automaton;
use property::ltl::Formula;

/// What must hold of endless traces.
#[derive(Debug)]
pub struct Obligation {
    /// What the report calls a violation: `ltl`, `acceptance` or `non-progress`.
    pub kind: ViolationKind,
    /// The cycle that is forbidden, where labels in the text say so and not a formula or a claim.
    pub forbids: Option<EndlessProperty>,
    /// Accepts the traces that violate it.
    pub violations: Automaton,
    /// What that automaton reads.
    pub reading: Reading,
    /// Accepts the traces that meet it, with what it reads, where such an automaton is known.
    pub fulfilments: Option<(Automaton, Reading)>,
    /// The formula over the atoms, where it is one.
    pub formula: Option<Formula<u32>>,
    /// The atoms, as their author wrote them.
    pub atoms: Vec<String>,
}
