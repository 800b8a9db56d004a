//! What every test of a claim has at hand: the net, its fates, the words for it, and the counterexample in it.

use std::collections::{BTreeMap, BTreeSet};

use findings::{Fate, Shows, TestResult, Witness};

use crate::fates::Fates;
use crate::net::Net;
use crate::words::Words;

pub(crate) struct Case<'a> {
    pub(crate) net: &'a Net,
    pub(crate) fates: &'a Fates,
    pub(crate) words: &'a dyn Words,
    /// The nodes that traces come to before they violate anything, or when they do.
    pub(crate) live: BTreeMap<usize, u64>,
    /// The counterexample: one node more than events; none if it could not be followed.
    pub(crate) trace: Option<Followed>,
    pub(crate) is_fair: bool,
}

/// A trace in a net.
#[derive(Clone, Debug)]
pub(crate) struct Followed {
    pub(crate) nodes: Vec<usize>,
    pub(crate) events: Vec<usize>,
}

/// What a test says: nothing where the claim holds, else what refutes it.
pub(crate) type Tested = Result<(), Witness>;

pub(crate) fn result(tested: Tested) -> TestResult {
    match tested {
        Ok(()) => TestResult::Holds,
        Err(witness) => TestResult::Refuted(witness),
    }
}

/// Refutes a claim unless a value is the one that was told.
pub(crate) fn same<T: PartialEq + std::fmt::Debug>(what: &str, told: &T, found: &T) -> Tested {
    if told == found {
        return Ok(());
    }
    Err(Witness::Differs { what: what.to_owned(), told: format!("{told:?}"), found: format!("{found:?}") })
}

pub(crate) fn unknown(what: &str) -> Witness {
    Witness::Unknown { what: what.to_owned() }
}

impl Case<'_> {
    /// The numbers of events with these names.
    pub(crate) fn events(&self, names: &[String]) -> Result<Vec<usize>, Witness> {
        let number = |name: &String| self.net.event_named(name).ok_or_else(|| unknown(name));
        names.iter().map(number).collect()
    }

    pub(crate) fn trace(&self) -> Result<&Followed, Witness> {
        self.trace.as_ref().ok_or_else(|| unknown("the counterexample, which is no trace of the input"))
    }

    /// Refutes that a step of the counterexample has an event.
    pub(crate) fn step_is(&self, step: u64, event: &str) -> Tested {
        let trace = self.trace()?;
        let taken = usize::try_from(step).ok().and_then(|step| trace.events.get(step.checked_sub(1)?));
        let taken = taken.map(|event| self.net.name(*event));
        match taken {
            None => Err(unknown(&format!("step {step}"))),
            Some(taken) => same(&format!("event of step {step}"), &event, &taken),
        }
    }

    pub(crate) fn fate(&self, node: usize) -> Fate {
        self.fates.of(node)
    }

    /// The events that lead from a node to safe ones, and those after which both is still possible; the step that was
    /// taken is not among the latter, nor what also leads to safe ones.
    pub(crate) fn instead(&self, node: usize, taken: (usize, usize)) -> (BTreeSet<&str>, BTreeSet<&str>) {
        let edges = &self.net.nodes[node].edges;
        let to = |fate: Fate| edges.iter().filter(move |edge| self.fate(edge.to) == fate);
        let escapes: BTreeSet<&str> = to(Fate::Safe).map(|edge| self.net.name(edge.event)).collect();
        let free = to(Fate::Free).filter(|edge| (edge.event, edge.to) != taken);
        let free = free.map(|edge| self.net.name(edge.event)).filter(|name| !escapes.contains(name));
        let free = free.collect();
        (escapes, free)
    }

    /// A trace to a node, as a witness.
    pub(crate) fn witness_at(&self, node: usize, shows: Shows, more: &[usize]) -> Witness {
        let mut events = self.net.way(|_, _| true, |at| at == node).unwrap_or_default();
        events.extend(more);
        Witness::Trace { shows, events: self.net.names(&events) }
    }
}
