//! Minimisation: the smallest graph with the same behaviour.
//!
//! States that behave alike are merged: the *quotient*. Only states reachable from the initial ones
//! matter, so the others are left out before anything else is done.

use graph::{Interrupt, StateGraph, Watch};

use crate::Tau;
use crate::quotient::{NOWHERE, quotient, reachable};
use crate::strong::strong_classes;

/// What it means to behave alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equivalence {
    /// Strong bisimilarity: every step is matched by one step with the same label.
    Strong,
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
    let (part, number_of) = reachable(graph, watch)?;
    let (quotient, class_of_part) = match equivalence {
        Equivalence::Strong => {
            let classes = strong_classes(&part, watch)?;
            let (quotient, number_of_class) = quotient(&part, &classes, watch)?;
            (quotient, compose(classes.of, &number_of_class))
        }
    };
    let class_of = match number_of {
        None => class_of_part,
        Some(number_of) => compose(number_of, &class_of_part),
    };
    Ok(Reduction { graph: quotient, class_of })
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
