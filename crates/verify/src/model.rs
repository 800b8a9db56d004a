//! A model that was explored, with what is wrong in it sorted into classes, and the net that claims are tested on.
//!
//! A class is one kind of violation at one place. What is asked about ends traces; so do faults and states in which the
//! model must not stop, even if nobody asks about them, because nothing passes there. A failed assertion that nobody
//! asks about is a step like any other. Where a condition is asked of every state, the states that break it are the
//! violations, and a state in which the model must not stop is an end like any other.

use std::collections::BTreeMap;

use findings::ViolationKind;
use graph::{End, Story, System, Watch, Wrong};

use crate::Invariant;
use crate::net::{Edge, Event, Net, Node};
use crate::raw::{Raw, TooLarge, explore};

/// All violations of one kind at one place.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub(crate) kind: ViolationKind,
    /// None for states that are wrong by what they are.
    pub(crate) wrong: Option<Wrong>,
    pub(crate) count: u64,
    pub(crate) shortest: u64,
    pub(crate) is_asked: bool,
}

pub(crate) struct Model<'a> {
    pub(crate) raw: Raw,
    pub(crate) story: &'a dyn Story,
    pub(crate) classes: Vec<Class>,
    of_steps: BTreeMap<(u64, u32), usize>,
    /// The class of states that are wrong by what they are.
    of_states: Option<usize>,
    wrong_states: Vec<bool>,
    is_invariant: bool,
    events: Vec<Event>,
    numbers: BTreeMap<u64, usize>,
}

impl<'a> Model<'a> {
    pub(crate) fn new<S: System>(
        system: &S,
        story: &'a dyn Story,
        is_asked: &dyn Fn(&Wrong) -> bool,
        invariant: Option<Invariant<'_>>,
        (most, watch): (u64, &dyn Watch),
    ) -> Result<Self, TooLarge> {
        let raw = explore(system, most, watch)?;
        let wrong_states = (0..raw.states.len()).map(|state| match invariant {
            Some(invariant) => !raw.uninterrupted[state] && !(invariant.holds)(&raw.states[state]),
            None => raw.ends[state] == Some(End::Deadlock),
        });
        let wrong_states = wrong_states.collect();
        let mut model = Self {
            raw,
            story,
            classes: Vec::new(),
            of_steps: BTreeMap::new(),
            of_states: None,
            wrong_states,
            is_invariant: invariant.is_some(),
            events: Vec::new(),
            numbers: BTreeMap::new(),
        };
        let kind = invariant.map_or(ViolationKind::Deadlock, |invariant| invariant.kind);
        model.classify(kind, is_asked);
        Ok(model)
    }

    fn classify(&mut self, kind: ViolationKind, is_asked: &dyn Fn(&Wrong) -> bool) {
        let by_itself =
            Wrong { kind, text: String::new(), location: None, can_hold: true, sort: graph::Sort::Other };
        for state in 0..self.raw.states.len() {
            let depth = self.raw.depth[state];
            if self.wrong_states[state] {
                let class = self.of_states.unwrap_or_else(|| {
                    let is_asked = is_asked(&by_itself);
                    self.classes.push(Class { kind, wrong: None, count: 0, shortest: depth, is_asked });
                    self.classes.len() - 1
                });
                self.of_states = Some(class);
                self.classes[class].count += 1;
                self.classes[class].shortest = self.classes[class].shortest.min(depth);
            }
            for step in self.raw.steps[state].clone() {
                if !self.numbers.contains_key(&step.event) {
                    self.numbers.insert(step.event, self.events.len());
                    self.events.push(Event {
                        name: self.story.label(step.event),
                        actors: self.story.actors(step.event).iter().collect(),
                        number: Some(step.event),
                    });
                }
                let Some(what) = step.wrong else { continue };
                let class = match self.of_steps.get(&(step.event, what)) {
                    Some(class) => *class,
                    None => self.class_of(self.story.wrong(step.event, what), depth + 1, is_asked),
                };
                self.of_steps.insert((step.event, what), class);
                self.classes[class].count += 1;
                self.classes[class].shortest = self.classes[class].shortest.min(depth + 1);
            }
        }
    }

    /// The class of what is wrong, which is new if nothing like it is known.
    fn class_of(&mut self, wrong: Wrong, shortest: u64, is_asked: &dyn Fn(&Wrong) -> bool) -> usize {
        let known = self.classes.iter().position(|class| class.wrong.as_ref() == Some(&wrong));
        known.unwrap_or_else(|| {
            let is_asked = is_asked(&wrong);
            let kind = wrong.kind;
            self.classes.push(Class { kind, wrong: Some(wrong), count: 0, shortest, is_asked });
            self.classes.len() - 1
        })
    }

    /// Whether the machine cannot tell what comes after some state.
    pub(crate) fn is_unknowable(&self) -> bool {
        self.raw.ends.contains(&Some(End::Unknown))
    }

    /// What is wrong with a step that the system numbers so.
    pub(crate) fn class_of_step(&self, event: u64, what: u32) -> Option<usize> {
        self.of_steps.get(&(event, what)).copied()
    }

    /// The net in which one class is explained. If `passes_others`, wrong steps of other classes lead on. In a net for
    /// endless traces faults end them, and nothing else does: a state in which the model must not stop is repeated.
    pub(crate) fn net(&self, target: usize, passes_others: bool, for_endless: bool) -> Net {
        let states = self.raw.states.len();
        let ends = |class: usize| {
            let Class { is_asked, kind, .. } = &self.classes[class];
            if for_endless || self.is_invariant {
                return *kind == ViolationKind::Fault;
            }
            (*is_asked || *kind != ViolationKind::Assertion) && (!passes_others || class == target)
        };
        let mut nodes: Vec<Node> = Vec::with_capacity(states + self.classes.len());
        for (state, steps) in self.raw.steps.iter().enumerate() {
            let edge = |step: &crate::raw::RawStep| {
                let class = step.wrong.and_then(|what| self.class_of_step(step.event, what));
                let to = class.filter(|class| ends(*class)).map_or(step.to, |class| states + class);
                Edge { event: self.numbers[&step.event], to }
            };
            nodes.push(Node {
                edges: steps.iter().map(edge).collect(),
                violation: self.of_states.filter(|_| self.wrong_states[state] && !for_endless),
                is_uninterrupted: self.raw.uninterrupted[state],
                is_outside: false,
                ends_wrong_steps: false,
            });
        }
        let end = |class| Node { violation: Some(class), ends_wrong_steps: true, ..Node::default() };
        nodes.extend((0..self.classes.len()).map(end));
        Net {
            nodes,
            initial: self.raw.initial.clone(),
            events: self.events.clone(),
            target,
            has_processes: self.story.has_processes(),
        }
    }

    /// The bytes of a node; none of those that stand for a wrong step.
    pub(crate) fn bytes(&self, node: usize) -> Option<&[u8]> {
        self.raw.states.get(node).map(Vec::as_slice)
    }
}
