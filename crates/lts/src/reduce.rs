//! Minimisation: the smallest graph with the same behaviour.
//!
//! States that behave alike are merged: the *quotient*. Only states reachable from the initial ones
//! matter, so the others are left out before anything else is done.

use graph::{Interrupt, StateGraph, Watch};

use crate::Tau;
use crate::branching::branching_classes;
use crate::pulse::Pulse;
use crate::quotient::{NOWHERE, quotient, reachable};
use crate::silent_cycles::{Contraction, contract};
use crate::strong::strong_classes;

/// What it means to behave alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equivalence {
    /// Strong bisimilarity: every step is matched by one step with the same label.
    Strong,
    /// Branching bisimilarity: silent steps that change no option do not count. Endless silent loops do
    /// not count either (it does not preserve divergence).
    Branching,
}

/// A graph and its quotient.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// One state a class; the labels and their numbers are those of the original graph. Classes are
    /// numbered breadth-first from the initial ones.
    pub graph: StateGraph,
    /// Which state of the quotient each original state became; [`Reduction::UNREACHABLE`] for states
    /// that cannot be reached.
    pub class_of: Vec<u32>,
}

impl Reduction {
    pub const UNREACHABLE: u32 = NOWHERE;
}

/// Merges the reachable states that are equivalent. Names and variables of states are dropped.
pub fn reduce(
    graph: &StateGraph,
    equivalence: Equivalence,
    tau: &Tau,
    watch: &dyn Watch,
) -> Result<Reduction, Interrupt> {
    let mut pulse = Pulse::new(watch, "reducing");
    let (part, number_of) = reachable(graph, &mut pulse)?;
    let (quotient, class_of_part) = match equivalence {
        Equivalence::Strong => {
            let classes = strong_classes(&part, &mut pulse)?;
            let (quotient, number_of_class) = quotient(&part, &classes, &mut pulse)?;
            (quotient, compose(classes.of, &number_of_class))
        }
        Equivalence::Branching => {
            let silent = tau.silent(&part.labels);
            let Contraction { graph, state_of, silence } = contract(&part, &silent, &mut pulse)?;
            let classes = match silence {
                Some(silence) => branching_classes(&graph, &silence, &mut pulse)?,
                None => strong_classes(&graph, &mut pulse)?,
            };
            let (quotient, number_of_class) = quotient(&graph, &classes, &mut pulse)?;
            (quotient, compose_maybe(state_of, compose(classes.of, &number_of_class)))
        }
    };
    Ok(Reduction { graph: quotient, class_of: compose_maybe(number_of, class_of_part) })
}

fn compose_maybe(map: Option<Vec<u32>>, next: Vec<u32>) -> Vec<u32> {
    match map {
        None => next,
        Some(map) => compose(map, &next),
    }
}

/// First `map`, then `next`.
fn compose(mut map: Vec<u32>, next: &[u32]) -> Vec<u32> {
    for value in &mut map {
        if *value != NOWHERE {
            *value = next[*value as usize];
        }
    }
    map
}
