//! Small graphs with processes and violations, and their fates by brute force.
//!
//! What an endless trace does for ever is a set of edges in which every edge can be followed by every
//! other. The twin tries all sets of edges, so it needs no thought about components.

use std::collections::BTreeSet;

use graph::{Actors, Checked, Edge, Fairness, GraphBuilder, Marks, WrongStep};

use crate::random::Random;

/// Label `n` is a step of process `n % PROCESSES`, and also of process 0 if it is at least this.
pub const PROCESSES: u32 = 3;
const LABELS: u32 = 6;
const CLASSES: u32 = 2;

/// A graph with processes, and what is wrong in it.
#[derive(Clone, Debug)]
pub struct ProcessCase {
    pub states: u32,
    pub edges: BTreeSet<(u32, u32, u32)>,
    pub deadlocks: BTreeSet<u32>,
    pub wrong: BTreeSet<((u32, u32, u32), u32)>,
    pub uninterrupted: BTreeSet<u32>,
    pub target: Option<u32>,
}

fn actors(label: u32) -> Actors {
    let process = (label % PROCESSES) as u8;
    Actors::new(process, (label >= PROCESSES && process > 0).then_some(0))
}

impl ProcessCase {
    pub fn random(random: &mut Random) -> Self {
        let states = 1 + random.below(5);
        let edges: BTreeSet<(u32, u32, u32)> = (0..random.below(9))
            .map(|_| (random.below(states), random.below(LABELS), random.below(states)))
            .collect();
        let ends = (0..states).filter(|state| edges.iter().all(|edge| edge.0 != *state));
        let ends: Vec<u32> = ends.collect();
        Self {
            states,
            deadlocks: ends.into_iter().filter(|_| random.below(2) == 0).collect(),
            wrong: edges
                .iter()
                .filter_map(|edge| Some((*edge, random.below(5))).filter(|(_, class)| *class < CLASSES))
                .collect(),
            uninterrupted: (0..states).filter(|_| random.below(4) == 0).collect(),
            target: Some(random.below(CLASSES + 1)).filter(|class| *class < CLASSES),
            edges,
        }
    }

    /// The system itself.
    pub fn system(&self) -> Checked {
        self.system_with(Vec::new())
    }

    /// The same, without knowing the edges of the states that are open.
    ///
    /// # Panics
    /// Never: the edges are few.
    pub fn system_with(&self, open: Vec<u32>) -> Checked {
        let mut builder = GraphBuilder::new();
        for label in 0..LABELS {
            builder.labels.intern(&label.to_string());
        }
        for (source, label, target) in &self.edges {
            builder.edge(*source, *label, *target);
        }
        let graph = builder.finish(self.states as usize, vec![0]).expect("a handful of edges");
        let wrong = self.wrong.iter().map(|((source, label, state), class)| WrongStep {
            source: *source,
            edge: Edge { label: *label, state: *state },
            class: *class,
        });
        let marks = Marks {
            deadlocks: self.deadlocks.iter().copied().collect(),
            classes: CLASSES,
            wrong: wrong.collect(),
            open,
            actors: (0..LABELS).map(actors).collect(),
            uninterrupted: self.uninterrupted.iter().copied().collect(),
        };
        let mut system = Checked::new(graph, marks);
        system.aim(|class| class == self.target);
        system
    }

    /// Whether a process takes part in steps with this label.
    pub fn takes_part(label: u32, process: u8) -> bool {
        actors(label).iter().any(|actor| actor == process)
    }

    /// The states that traces come to without violation and can go on from.
    pub fn reached(&self) -> BTreeSet<u32> {
        let reached = Self::reach(&self.fine(), 0);
        reached.difference(&self.deadlocks).copied().collect()
    }

    /// The edges that violate nothing.
    fn fine(&self) -> Vec<(u32, u32, u32)> {
        let wrong: BTreeSet<_> = self.wrong.iter().map(|(edge, _)| *edge).collect();
        self.edges.difference(&wrong).copied().collect()
    }

    fn reach(edges: &[(u32, u32, u32)], from: u32) -> BTreeSet<u32> {
        let mut seen = BTreeSet::from([from]);
        loop {
            let next: BTreeSet<u32> =
                edges.iter().filter(|edge| seen.contains(&edge.0)).map(|edge| edge.2).collect();
            if next.is_subset(&seen) {
                return seen;
            }
            seen.extend(next);
        }
    }

    pub fn can_fail(&self, state: u32) -> bool {
        let reached = Self::reach(&self.fine(), state);
        match self.target {
            None => reached.iter().any(|state| self.deadlocks.contains(state)),
            Some(class) => self.wrong.iter().any(|(edge, of)| *of == class && reached.contains(&edge.0)),
        }
    }

    pub fn can_pass(&self, state: u32, fairness: Fairness) -> bool {
        let fine = self.fine();
        let reached = Self::reach(&fine, state);
        let is_end =
            |state: &u32| self.edges.iter().all(|edge| edge.0 != *state) && !self.deadlocks.contains(state);
        if reached.iter().any(is_end) {
            return true;
        }
        let inside: Vec<_> = fine.into_iter().filter(|edge| reached.contains(&edge.0)).collect();
        (1..1u32 << inside.len()).any(|choice| {
            let taken: Vec<_> =
                (0..inside.len()).filter(|at| choice >> at & 1 != 0).map(|at| inside[at]).collect();
            taken.iter().all(|edge| taken.iter().all(|other| Self::reach(&taken, edge.2).contains(&other.0)))
                && (fairness == Fairness::None || self.is_fair(&taken))
        })
    }

    fn is_fair(&self, taken: &[(u32, u32, u32)]) -> bool {
        let visited: BTreeSet<u32> = taken.iter().map(|edge| edge.0).collect();
        let interruptible: Vec<&u32> = visited.difference(&self.uninterrupted).collect();
        (0..PROCESSES as u8).all(|process| {
            taken.iter().any(|edge| Self::takes_part(edge.1, process))
                || interruptible.is_empty()
                || interruptible.iter().any(|state| {
                    self.edges.iter().all(|edge| edge.0 != **state || !Self::takes_part(edge.1, process))
                })
        })
    }
}
