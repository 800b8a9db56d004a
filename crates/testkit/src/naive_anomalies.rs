//! Anomalies to the letter: all traces are written out, each cut into its substrings, and the two sets
//! subtracted.
//!
//! Traces that go round are written out up to a length that suffices: to come to a substring, to have
//! it, and to come from it to the violation takes at most twice as many steps as there are states, and
//! its length; and what goes on for longer comes back to where it was.

use std::collections::{BTreeMap, BTreeSet};

use graph::{Dfa, ViolatedWhen};

use crate::Case;
use crate::process_case::ProcessCase;

/// A state of the graph, and of the automaton while it lives.
type Place = (u32, Option<u32>);

/// The failing and the passing traces of a case, by their labels.
#[derive(Clone, Debug, Default)]
pub struct NaiveTraces {
    pub failing: BTreeSet<Vec<u32>>,
    pub passing: BTreeSet<Vec<u32>>,
}

impl NaiveTraces {
    /// All traces, up to a length that suffices for substrings of length `length`; nothing if they are
    /// too many.
    pub fn of(case: &Case, length: usize) -> Option<Self> {
        let states = case.graph.state_count() * (case.property.dfa.state_count() + 1);
        let longest = 2 * states + length;
        let mut traces = Self::default();
        let first = case.graph.initial().iter().map(|state| (*state, Some(case.property.dfa.initial())));
        let mut waiting: Vec<(Vec<Place>, Vec<u32>)> = first.map(|place| (vec![place], Vec::new())).collect();
        let mut seen = 0;
        while let Some((places, labels)) = waiting.pop() {
            seen += 1;
            if seen > 20_000 {
                return None;
            }
            let at = places[places.len() - 1];
            let steps = case.graph.edges(at.0);
            if violates(case, at) {
                traces.failing.insert(labels);
            } else if steps.is_empty() {
                traces.passing.insert(labels);
            } else if labels.len() == longest {
                // Up to where it last came back it can go on for ever.
                let back = (0..places.len()).rev().find(|at| places[..*at].contains(&places[*at]));
                traces.passing.extend(back.map(|back| labels[..back].to_vec()));
            } else {
                for edge in steps {
                    let read = |state| case.property.dfa.next(state, case.property.classes.of(edge.label));
                    let automaton = at.1.map(read).filter(|next| *next != Dfa::DEAD);
                    let (mut places, mut labels) = (places.clone(), labels.clone());
                    places.push((edge.state, automaton));
                    labels.push(edge.label);
                    waiting.push((places, labels));
                }
            }
        }
        Some(traces)
    }

    /// The anomalies of a length, each with the least index at which it occurs in a failing trace.
    pub fn anomalies(&self, length: usize) -> BTreeMap<Vec<u32>, usize> {
        let mut found: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
        for trace in &self.failing {
            for (at, window) in trace.windows(length).enumerate() {
                let first = found.entry(window.to_vec()).or_insert(at);
                *first = at.min(*first);
            }
        }
        for trace in &self.passing {
            trace.windows(length).for_each(|window| {
                found.remove(window);
            });
        }
        found
    }

    /// Whether some passing trace has these labels in this order, with whatever in between.
    pub fn passes_with(&self, labels: &[u32]) -> bool {
        self.passing.iter().any(|trace| {
            let mut left = trace.iter();
            labels.iter().all(|label| left.any(|other| other == label))
        })
    }
}

fn violates(case: &Case, (state, automaton): Place) -> bool {
    let accepts = automaton.is_some_and(|automaton| case.property.dfa.accepts(automaton));
    accepts
        && match case.property.violated_when {
            ViolatedWhen::Accepted => true,
            ViolatedWhen::AcceptedAndStuck => case.graph.edges(state).is_empty(),
        }
}

/// The pairs of events that follow each other directly (`process` is nothing) or in the steps of one
/// process, in failing and not in passing traces, of a system with processes. Ways are followed one by
/// one, and what becomes of them is tried out.
pub fn process_anomalies(
    case: &ProcessCase,
    fairness: graph::Fairness,
    process: Option<u8>,
) -> BTreeSet<(u32, u32)> {
    let (mut failing, mut passing) = (BTreeSet::new(), BTreeSet::new());
    let counts = |label: u32| process.is_none_or(|process| ProcessCase::takes_part(label, process));
    let steps = |state: u32| {
        let wrong = |edge: &(u32, u32, u32)| {
            case.wrong.iter().find(|(other, _)| other == edge).map(|(_, class)| *class)
        };
        let from = case.edges.iter().filter(move |edge| edge.0 == state);
        from.map(move |edge| (edge.1, edge.2, wrong(edge)))
    };
    let fine = |state: u32| !case.deadlocks.contains(&state);
    for start in case.reached() {
        for (first, after, wrong) in steps(start).filter(|(label, ..)| counts(*label)) {
            if wrong.is_some() || !fine(after) {
                continue;
            }
            let mut seen = BTreeSet::from([after]);
            let mut waiting = vec![after];
            while let Some(state) = waiting.pop() {
                for (second, target, wrong) in steps(state) {
                    if !counts(second) {
                        if wrong.is_none() && fine(target) && seen.insert(target) {
                            waiting.push(target);
                        }
                        continue;
                    }
                    let fails = match wrong {
                        Some(class) => case.target == Some(class),
                        None => case.can_fail(target),
                    };
                    let passes = wrong.is_none() && fine(target) && case.can_pass(target, fairness);
                    if fails {
                        failing.insert((first, second));
                    }
                    if passes {
                        passing.insert((first, second));
                    }
                }
            }
        }
    }
    failing.difference(&passing).copied().collect()
}
