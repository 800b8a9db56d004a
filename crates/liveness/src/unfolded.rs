//! What can still become of a trace: can it still violate the property, can it still meet it?
//!
//! Which of its states an automaton is in after a trace is not one state but a set, so a state of the
//! system is looked at together with the sets of both automata: that of all violations, and that of all
//! traces that meet the property. A trace that has come there can still fail if an accepted trace goes
//! on from the state and one of the first set, and can still pass if one does from the second. These
//! triples are few where the automata are small, and are written out as a graph, on which the methods
//! work as on any other.

use graph::{
    BitSet, Checked, Edge, Fates, GraphBuilder, Interrupt, Marks, OUTSIDE, PULSE, Progress, Trace,
    Transitions, Watch,
};
use rustc_hash::FxHashMap;

use crate::continuations::{Answer, Continuations};
use crate::product::Product;

/// A product and what is known of its nodes.
type Side<'a, T> = (&'a Product<'a, T>, &'a Continuations);

/// Why a system was not unfolded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotUnfolded {
    Interrupted(Interrupt),
    /// The property splits the states of the system into too many.
    TooLarge,
}

impl From<Interrupt> for NotUnfolded {
    fn from(interrupt: Interrupt) -> Self {
        Self::Interrupted(interrupt)
    }
}

/// The system with what both automata may have read.
#[derive(Debug)]
pub struct Unfolded {
    pub graph: Checked,
    /// The state of the system that each state stands for.
    pub stands_for: Vec<u32>,
    pub fates: Fates,
}

/// Sets of both automata, numbered.
#[derive(Default)]
struct Sets {
    numbers: FxHashMap<[Vec<u32>; 2], u32>,
    list: Vec<[Vec<u32>; 2]>,
    after: FxHashMap<(u32, u64, u64), u32>,
}

impl Sets {
    fn number(&mut self, sets: [Vec<u32>; 2]) -> u32 {
        let fresh = self.list.len() as u32;
        let number = *self.numbers.entry(sets.clone()).or_insert(fresh);
        if number == fresh {
            self.list.push(sets);
        }
        number
    }

    /// The sets after the letters of a state.
    fn read<T: Transitions>(&mut self, sets: u32, sides: &[Side<'_, T>; 2], state: u32) -> u32 {
        let letters = [sides[0].0.letter(state), sides[1].0.letter(state)];
        if let Some(known) = self.after.get(&(sets, letters[0], letters[1])) {
            return *known;
        }
        let before = &self.list[sets as usize];
        let after = [0, 1].map(|side| sides[side].0.read(&before[side], letters[side]));
        let number = self.number(after);
        self.after.insert((sets, letters[0], letters[1]), number);
        number
    }
}

/// Whether an accepted trace goes on from a state and one of several places.
fn answer<T: Transitions>((product, continuations): &Side<'_, T>, state: u32, places: &[u32]) -> Answer {
    let mut answer = Answer::No;
    for place in places {
        let one = if product.is_settled(*place) {
            Answer::Yes
        } else {
            continuations.from(product.node(state, *place))
        };
        match one {
            Answer::Yes => return Answer::Yes,
            Answer::Unknown => answer = Answer::Unknown,
            Answer::No => {}
        }
    }
    answer
}

impl Unfolded {
    /// `violations` and `fulfilments` are products of the same system; at most `most` states are made.
    pub fn new<T: Transitions>(
        violations: Side<'_, T>,
        fulfilments: Side<'_, T>,
        labels: u32,
        most: usize,
        watch: &dyn Watch,
    ) -> Result<Self, NotUnfolded> {
        let system = violations.0.system();
        let sides = [violations, fulfilments];
        let mut sets = Sets::default();
        let start = sets.number([vec![sides[0].0.start()], vec![sides[1].0.start()]]);
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut found: Vec<(u32, u32)> = system.initial().into_iter().map(|state| (state, start)).collect();
        numbers.extend(found.iter().copied().zip(0..));
        let initial = (0..found.len() as u32).collect();
        let mut builder = GraphBuilder::new();
        let mut marks = Marks::default();
        let mut at = 0;
        let mut next_pulse = PULSE;
        while let Some((state, before)) = found.get(at).copied() {
            if builder.edge_count() as u64 >= next_pulse {
                next_pulse += PULSE;
                let (states, edges) = (found.len() as u64, builder.edge_count() as u64);
                watch.pulse(Progress { phase: "unfolding", states, edges, ..Progress::default() })?;
            }
            if system.is_open(state) {
                marks.open.push(at as u32);
                at += 1;
                continue;
            }
            let after = if system.is_uninterrupted(state) {
                marks.uninterrupted.push(at as u32);
                before
            } else {
                sets.read(before, &sides, state)
            };
            system.successors(state, |label, target| {
                if target == OUTSIDE || system.is_violating(target) {
                    return;
                }
                let fresh = found.len() as u32;
                let number = *numbers.entry((target, after)).or_insert(fresh);
                if number == fresh {
                    found.push((target, after));
                }
                builder.edge(at as u32, label, number);
            });
            if found.len() > most {
                return Err(NotUnfolded::TooLarge);
            }
            at += 1;
        }
        marks.actors = (0..labels).map(|label| system.actors(label)).collect();
        let graph = builder.finish(found.len(), initial).map_err(|_| NotUnfolded::TooLarge)?;
        let none = || BitSet::new(found.len());
        let (mut certain, mut possible) = ([none(), none()], [none(), none()]);
        for (number, (state, set)) in found.iter().enumerate() {
            for side in [0, 1] {
                let answer = answer(&sides[side], *state, &sets.list[*set as usize][side]);
                if answer == Answer::Yes {
                    certain[side].insert(number as u32);
                }
                if answer != Answer::No {
                    possible[side].insert(number as u32);
                }
            }
        }
        let fates = Fates::known(certain.into(), possible.into());
        let stands_for = found.into_iter().map(|(state, _)| state).collect();
        Ok(Self { graph: Checked::new(graph, marks), stands_for, fates })
    }

    /// The same trace here.
    pub fn follow(&self, trace: &Trace) -> Option<Trace> {
        let stands_for = |node: u32| self.stands_for[node as usize];
        let mut at = self.graph.initial().into_iter().find(|node| stands_for(*node) == trace.start)?;
        let mut followed = Trace::new(at);
        for step in &trace.steps {
            let mut next = None;
            self.graph.successors(at, |label, target| {
                if label == step.label && stands_for(target) == step.state {
                    next = Some(target);
                }
            });
            at = next?;
            followed.steps.push(Edge { label: step.label, state: at });
        }
        Some(followed)
    }
}
