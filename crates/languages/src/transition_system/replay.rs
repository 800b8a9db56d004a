//! Replaying a trace that somebody else recorded, by its labels.

use anyhow::{Result, bail};
use graph::{
    Dfa, Followed, LabelClasses, Product, ProductTooLarge, StateGraph, Trace, Transitions, ViolatedWhen,
    follow_within,
};
use pipeline::naming::Naming;

use crate::tlc_trail;
use crate::trail::Trail;

/// What became of a trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Replayed {
    /// It ends in the violation: the trace, in the states of the product, up to there.
    Fails(Trace),
    /// The system can do it, and nothing is violated: the trace, in the states of the graph.
    Passes(Trace),
    /// The system cannot do it: the trace, in the states of the graph, up to where it parts; the label
    /// that was not possible; those that were, in the order of their text.
    Diverges { trace: Trace, wanted: String, possible: Vec<String> },
}

/// What becomes of a trail in a transition system.
pub(crate) fn replayed(trail: &Trail, graph: &StateGraph, product: &Product<'_>) -> Result<Replayed> {
    if trail.spin.is_some() {
        bail!("trails of SPIN are for Promela models");
    }
    let admits = |at: usize, state: u32| {
        trail.looks.get(at).is_none_or(|look| tlc_trail::looks_like(look, &graph.values(state)))
    };
    let replayed = replay(graph, product, &trail.labels, admits)?;
    // Values may have been printed in a way we do not know.
    if !trail.looks.is_empty() && matches!(replayed, Replayed::Diverges { .. }) {
        return Ok(replay(graph, product, &trail.labels, |_, _| true)?);
    }
    Ok(replayed)
}

/// Follows `labels` through `graph`, and through its `product` with the property; after so many steps only through
/// the states of the graph that are admitted.
fn replay(
    graph: &StateGraph,
    product: &Product<'_>,
    labels: &[String],
    admits: impl Fn(usize, u32) -> bool,
) -> Result<Replayed, ProductTooLarge> {
    let known: Vec<u32> = labels.iter().map_while(|label| graph.labels.find(label)).collect();
    // With an automaton that never objects, the product is the graph.
    let classes = LabelClasses::by_key(graph.labels.iter().map(|_| ()));
    let indifferent = Dfa::new(0, vec![false], classes.count(), vec![0; classes.count() as usize]);
    let plain = Product::new(graph, &classes, &indifferent, ViolatedWhen::Accepted)?;
    // A trace ends with its violation, so what stands after it in the trail does not matter.
    let in_product = |at: usize, state: u32| admits(at, product.graph_state(state));
    if let Followed::Violating(trace) = follow_within(product, &known, |_| false, in_product) {
        return Ok(Replayed::Fails(trace));
    }
    let (trace, possible) = match follow_within(&plain, &known, |_| false, &admits) {
        Followed::Diverged { trace, possible } => (trace, possible),
        Followed::Harmless(trace) | Followed::Violating(trace) if known.len() == labels.len() => {
            return Ok(Replayed::Passes(trace));
        }
        Followed::Harmless(trace) | Followed::Violating(trace) => {
            let mut possible = Vec::new();
            plain.successors(trace.last(), |label, _| possible.push(label));
            (trace, possible)
        }
    };
    let mut possible: Vec<String> = possible.into_iter().map(|label| plain.label(label)).collect();
    possible.sort_unstable();
    possible.dedup();
    let wanted = labels[trace.steps.len()].clone();
    Ok(Replayed::Diverges { trace, wanted, possible })
}
