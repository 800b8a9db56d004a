//! Neighbourhoods as they are defined: Definitions 6 to 9 of Barbon, Leroy and Salaün (FSEN 2017) on
//! a system written out, and the colours and kinds of their tool CLEAR.

use std::collections::{BTreeMap, BTreeSet};

use crate::naive_system::{NaiveSystem, NaiveTrace, Pair, states_of, unrest};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NaiveColour {
    Green,
    Black,
    Red,
}

/// A neighbourhood: its kind by CLEAR's name; labels of the edges that come in, that go on towards
/// failing, and of the correct transitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveNeighbourhood {
    pub kind: &'static str,
    pub incoming: BTreeSet<u32>,
    pub failing: BTreeSet<u32>,
    pub correct: BTreeSet<u32>,
}

/// The counterexample LTS of a system, beside the system.
#[derive(Debug)]
pub struct NaiveNeighbourhoods<'a> {
    system: &'a NaiveSystem,
    /// The states of the counterexample LTS: those from where a violation can be reached.
    pub kept: BTreeSet<Pair>,
    /// Its states with a correct transition.
    pub frontier: BTreeSet<Pair>,
    /// Its states from where the frontier can be reached.
    near: BTreeSet<Pair>,
}

impl<'a> NaiveNeighbourhoods<'a> {
    pub fn new(system: &'a NaiveSystem) -> Self {
        let kept: BTreeSet<Pair> = system.states().filter(|state| system.can_fail(*state)).collect();
        let stays = |target: &Option<Pair>| target.is_some_and(|target| kept.contains(&target));
        let frontier: BTreeSet<Pair> = kept
            .iter()
            .copied()
            .filter(|state| system.steps[state].iter().any(|(_, target)| !stays(target)))
            .collect();
        let near = kept.iter().copied().filter(|state| !system.onward(*state).is_disjoint(&frontier));
        let near = near.collect();
        Self { system, kept, frontier, near }
    }

    /// The colour of a step from a state of the counterexample LTS.
    pub fn colour(&self, target: Option<Pair>) -> NaiveColour {
        match target.filter(|target| self.kept.contains(target)) {
            None => NaiveColour::Green,
            Some(target) if self.near.contains(&target) => NaiveColour::Black,
            Some(_) => NaiveColour::Red,
        }
    }

    /// All steps from states of the counterexample LTS with their colours, in order; equal ones repeat.
    pub fn coloured(&self) -> Vec<(Pair, u32, Option<Pair>, NaiveColour)> {
        let mut edges = Vec::new();
        for state in &self.kept {
            for (label, target) in &self.system.steps[state] {
                edges.push((*state, *label, *target, self.colour(*target)));
            }
        }
        edges.sort_unstable();
        edges
    }

    /// States, transitions and labels of the counterexample LTS.
    pub fn size(&self) -> (u64, u64, u64) {
        let edges = self.coloured();
        let inside: Vec<_> = edges.iter().filter(|(.., colour)| *colour != NaiveColour::Green).collect();
        let labels: BTreeSet<u32> = inside.iter().map(|(_, label, ..)| *label).collect();
        (self.kept.len() as u64, inside.len() as u64, labels.len() as u64)
    }

    pub fn neighbourhoods(&self) -> BTreeMap<Pair, NaiveNeighbourhood> {
        let edges = self.coloured();
        let mut found = BTreeMap::new();
        for state in &self.kept {
            let out = |wanted: &[NaiveColour]| -> BTreeSet<u32> {
                let own =
                    edges.iter().filter(|(source, _, _, colour)| source == state && wanted.contains(colour));
                own.map(|(_, label, ..)| *label).collect()
            };
            let into = |wanted: &[NaiveColour]| -> BTreeSet<u32> {
                let own = edges
                    .iter()
                    .filter(|(_, _, target, colour)| *target == Some(*state) && wanted.contains(colour));
                own.map(|(_, label, ..)| *label).collect()
            };
            let has = |colour| !out(&[colour]).is_empty();
            let (green, red, black) =
                (has(NaiveColour::Green), has(NaiveColour::Red), has(NaiveColour::Black));
            let kind = if green && red && black {
                "GRB"
            } else if green && red {
                "GR"
            } else if green {
                "G"
            } else if red && into(&[NaiveColour::Red]).is_empty() {
                "R"
            } else {
                continue;
            };
            let inside = [NaiveColour::Black, NaiveColour::Red];
            let correct = out(&[NaiveColour::Green]);
            let hood = NaiveNeighbourhood { kind, incoming: into(&inside), failing: out(&inside), correct };
            found.insert(*state, hood);
        }
        found
    }

    /// Which steps of a trace come into or out of a state of the frontier.
    pub fn abstraction(&self, trace: &NaiveTrace) -> Vec<bool> {
        let on_frontier = |state: &Pair| self.frontier.contains(state);
        states_of(trace).windows(2).map(|step| on_frontier(&step[0]) || on_frontier(&step[1])).collect()
    }

    /// The calmest of all shortest counterexamples; of equally calm ones the first by start, then label
    /// and state of every step in turn.
    pub fn calmest(&self) -> Option<NaiveTrace> {
        let traces = self.system.shortest_counterexamples();
        traces
            .into_iter()
            .min_by_key(|trace| (unrest(trace, |state| self.frontier.contains(&state)), trace.clone()))
    }
}
