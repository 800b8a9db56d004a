//! A system written out: every state, every step, in ordered maps. What the graph of a model and the
//! automaton of a property are together is spelt out pair by pair, and questions are answered by
//! walking, one trace at a time. The files beside this one ask the questions.

use std::collections::{BTreeMap, BTreeSet};

use graph::{Dfa, LabelClasses, StateGraph, Trace, ViolatedWhen};

use crate::naive_simulation::{failing_rounds, reachable_pairs};

/// A state of the graph and one of the automaton.
pub type Pair = (u32, u32);

/// A label and where it leads; nowhere if the automaton has no move, so that nothing that follows can
/// be forbidden.
pub type Step = (u32, Option<Pair>);

/// A trace: where it starts and every step's label and state.
pub type NaiveTrace = (Pair, Vec<(u32, Pair)>);

#[derive(Clone, Debug, Default)]
pub struct NaiveSystem {
    pub initial: BTreeSet<Pair>,
    /// The steps of every state that can be reached, beyond violations as well.
    pub steps: BTreeMap<Pair, Vec<Step>>,
    pub violating: BTreeSet<Pair>,
}

impl NaiveSystem {
    /// The synchronous product of a graph and an automaton.
    pub fn product(
        graph: &StateGraph,
        classes: &LabelClasses,
        dfa: &Dfa,
        violated_when: ViolatedWhen,
    ) -> Self {
        let steps = |(state, reading): Pair| {
            let step = |label, target| match dfa.next(reading, classes.of(label)) {
                Dfa::DEAD => (label, None),
                next => (label, Some((target, next))),
            };
            graph.edges(state).iter().map(|edge| step(edge.label, edge.state)).collect()
        };
        let violating = |(state, reading): Pair| match violated_when {
            ViolatedWhen::Accepted => dfa.accepts(reading),
            ViolatedWhen::AcceptedAndStuck => dfa.accepts(reading) && graph.edges(state).is_empty(),
        };
        let initial = graph.initial().iter().map(|state| (*state, dfa.initial()));
        Self::reached_from(initial.collect(), steps, violating)
    }

    /// A counterexample LTS that somebody else made, against the model: Definition 7 of Barbon, Leroy
    /// and Salaün to the letter, on the pairs of the simulation that equal steps lead to. The state of a
    /// pair is that of `given`, its other half is 0. `end` is the text of the label that marks where
    /// counterexamples end.
    pub fn matched(model: &StateGraph, given: &StateGraph, end: &str) -> Self {
        let is_end = |label| given.labels.get(label) == end;
        let simulated = failing_rounds(given, model, Some(end));
        let matches = reachable_pairs(given, model, Some(end));
        let steps = |(state, _): Pair| {
            let mut steps: Vec<Step> = Vec::new();
            for edge in given.edges(state).iter().filter(|edge| !is_end(edge.label)) {
                let label = model.labels.find(given.labels.get(edge.label));
                steps.push((label.expect("the model has every label"), Some((edge.state, 0))));
            }
            for (_, counterpart) in matches.iter().filter(|(own, _)| *own == state) {
                for edge in model.edges(*counterpart) {
                    let followed = given.edges(state).iter().any(|own| {
                        given.labels.get(own.label) == model.labels.get(edge.label)
                            && simulated[own.state as usize][edge.state as usize].is_none()
                    });
                    if !followed {
                        steps.push((edge.label, None));
                    }
                }
            }
            steps
        };
        let ends = |(state, _): Pair| given.edges(state).iter().any(|edge| is_end(edge.label));
        Self::reached_from(given.initial().iter().map(|state| (*state, 0)).collect(), steps, ends)
    }

    fn reached_from(
        initial: BTreeSet<Pair>,
        steps_of: impl Fn(Pair) -> Vec<Step>,
        violates: impl Fn(Pair) -> bool,
    ) -> Self {
        let mut system = Self { initial, ..Self::default() };
        let mut waiting: Vec<Pair> = system.initial.iter().copied().collect();
        while let Some(state) = waiting.pop() {
            if system.steps.contains_key(&state) {
                continue;
            }
            let steps = steps_of(state);
            waiting.extend(steps.iter().filter_map(|(_, target)| *target));
            system.steps.insert(state, steps);
            if violates(state) {
                system.violating.insert(state);
            }
        }
        system
    }

    /// The labels of the steps that leave for where nothing can fail.
    pub fn step_labels_outside(&self, state: Pair) -> BTreeSet<u32> {
        let steps = self.steps.get(&state).into_iter().flatten();
        steps.filter(|(_, target)| target.is_none()).map(|(label, _)| *label).collect()
    }

    pub fn states(&self) -> impl Iterator<Item = Pair> {
        self.steps.keys().copied()
    }

    pub fn violates(&self, state: Pair) -> bool {
        self.violating.contains(&state)
    }

    /// The states that traces from `state` pass, itself included, beyond violations as well.
    pub fn onward(&self, state: Pair) -> BTreeSet<Pair> {
        self.walk([state], false)
    }

    /// The same for traces that end with their violation.
    pub fn onward_until_violation(&self, state: Pair) -> BTreeSet<Pair> {
        self.walk([state], true)
    }

    /// The states that can be reached without having passed a violation.
    pub fn live(&self) -> BTreeSet<Pair> {
        self.walk(self.initial.iter().copied(), true)
    }

    fn walk(&self, from: impl IntoIterator<Item = Pair>, violation_ends: bool) -> BTreeSet<Pair> {
        let mut found = BTreeSet::new();
        let mut waiting: Vec<Pair> = from.into_iter().collect();
        while let Some(state) = waiting.pop() {
            if found.insert(state) && !(violation_ends && self.violates(state)) {
                waiting.extend(self.steps[&state].iter().filter_map(|(_, target)| *target));
            }
        }
        found
    }

    /// The length of a shortest trace to every live state: what one more step adds, step by step.
    pub fn levels(&self) -> BTreeMap<Pair, u32> {
        let mut levels: BTreeMap<Pair, u32> = BTreeMap::new();
        let mut layer = self.initial.clone();
        for level in 0.. {
            layer.retain(|state| !levels.contains_key(state));
            if layer.is_empty() {
                break;
            }
            levels.extend(layer.iter().map(|state| (*state, level)));
            let going_on = layer.iter().filter(|state| !self.violates(**state));
            layer = going_on.flat_map(|state| &self.steps[state]).filter_map(|(_, target)| *target).collect();
        }
        levels
    }

    /// Every trace from an initial state to a violating one that is as short as any, one by one.
    pub fn shortest_counterexamples(&self) -> Vec<NaiveTrace> {
        let mut traces: Vec<NaiveTrace> = self.initial.iter().map(|state| (*state, Vec::new())).collect();
        // A shortest trace passes no state twice.
        for _ in 0..=self.steps.len() {
            let failing = traces.iter().filter(|trace| self.violates(end_of(trace)));
            let failing: Vec<NaiveTrace> = failing.cloned().collect();
            if !failing.is_empty() {
                return failing;
            }
            traces = traces.iter().flat_map(|trace| self.longer_by_one(trace)).collect();
        }
        Vec::new()
    }

    /// A trace with each of the steps that can follow.
    pub fn step_by_step(&self, trace: &NaiveTrace) -> Vec<NaiveTrace> {
        let steps = self.steps[&end_of(trace)].iter();
        steps
            .filter_map(|(label, target)| {
                let mut longer = trace.clone();
                longer.1.push((*label, (*target)?));
                Some(longer)
            })
            .collect()
    }

    fn longer_by_one(&self, trace: &NaiveTrace) -> Vec<NaiveTrace> {
        let passed = states_of(trace);
        let mut longer = self.step_by_step(trace);
        longer.retain(|trace| !passed.contains(&end_of(trace)));
        longer
    }
}

/// A trace in the states that `read` says its states stand for.
pub fn told(trace: &Trace, read: impl Fn(u32) -> Pair) -> NaiveTrace {
    let steps = trace.steps.iter().map(|step| (step.label, read(step.state)));
    (read(trace.start), steps.collect())
}

pub fn end_of((start, steps): &NaiveTrace) -> Pair {
    steps.last().map_or(*start, |(_, state)| *state)
}

pub fn states_of((start, steps): &NaiveTrace) -> Vec<Pair> {
    std::iter::once(*start).chain(steps.iter().map(|(_, state)| *state)).collect()
}

/// How many marked states a trace passes, and how many of its steps touch one.
pub fn unrest(trace: &NaiveTrace, marked: impl Fn(Pair) -> bool) -> (usize, usize) {
    let states = states_of(trace);
    let touching = states.windows(2).filter(|step| marked(step[0]) || marked(step[1])).count();
    (states.iter().filter(|state| marked(**state)).count(), touching)
}
