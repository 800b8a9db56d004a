//! Correct transitions on a graph of whole states: one pass backwards from where correct traces end, and one
//! breadth-first search for each error trace.

use std::collections::VecDeque;

use graph::{BitSet, Edge, Exploration, Interrupt, OUTSIDE, Trace, Transitions, Watch};
use rustc_hash::FxHashMap;

use super::Engine;
use crate::pulse::Pulse;
use crate::recheck::{self, Goal, Recheck, RecheckLimits};

/// The transitions on correct traces.
#[derive(Clone, Debug)]
pub struct Correct {
    /// The states from which a correct trace can go on or where it ends.
    leading: BitSet,
    /// The labels of correct transitions, and how many labels there are.
    labels: BitSet,
    label_count: usize,
}

impl Correct {
    /// `ends` are the states where correct traces end: those at the place of the query that meet its check.
    pub fn new<T: Transitions>(
        system: &T,
        labels: usize,
        explored: &Exploration,
        ends: &BitSet,
        watch: &dyn Watch,
    ) -> Result<Self, Interrupt> {
        let mut correct =
            Self { leading: BitSet::new(system.bound()), labels: BitSet::new(labels), label_count: labels };
        let mut pulse = Pulse::new("looking for correct transitions", watch);
        let is_live = |state: u32| explored.is_live(state) && !system.is_violating(state);
        let mut waiting: Vec<u32> = ends.iter().filter(|state| is_live(*state)).collect();
        for state in &waiting {
            correct.leading.insert(*state);
        }
        while let Some(state) = waiting.pop() {
            let mut edges = 0;
            system.predecessors(state, |label, source| {
                edges += 1;
                if is_live(source) {
                    correct.labels.insert(label);
                    if correct.leading.insert(source) {
                        waiting.push(source);
                    }
                }
            });
            pulse.beat(edges)?;
        }
        Ok(correct)
    }

    /// Whether a correct trace can still come of a trace that stands at `state`.
    pub fn leads_on(&self, state: u32) -> bool {
        self.leading.contains(state)
    }

    /// Whether a correct trace takes a step with this label.
    pub fn takes(&self, label: u32) -> bool {
        self.labels.contains(label)
    }
}

/// Answers from a graph of whole states.
#[derive(Debug)]
pub struct Explicit<'a, T> {
    pub system: &'a T,
    pub explored: &'a Exploration,
    pub correct: &'a Correct,
    /// Where correct traces end.
    pub ends: &'a BitSet,
    /// What a recheck looks for instead.
    pub goal: Goal<'a>,
    pub look: RecheckLimits<'a>,
    search: Search<'a>,
}

impl<'a, T: Transitions> Explicit<'a, T> {
    pub fn new(
        system: &'a T,
        explored: &'a Exploration,
        correct: &'a Correct,
        ends: &'a BitSet,
        goal: Goal<'a>,
        look: RecheckLimits<'a>,
    ) -> Self {
        let search = Search::new(system.bound(), look.watch);
        Self { system, explored, correct, ends, goal, look, search }
    }
}

impl<T: Transitions> Engine for Explicit<'_, T> {
    type Trace = Trace;

    fn label_count(&self) -> usize {
        self.correct.label_count
    }

    fn is_any_correct(&self) -> bool {
        self.system.initial().iter().any(|state| self.correct.leads_on(*state))
    }

    fn error_trace(&mut self, halted: &BitSet) -> Result<Option<Trace>, Interrupt> {
        self.search.shortest(self.system, halted)
    }

    fn labels(&self, trace: &Trace) -> Vec<u32> {
        trace.steps.iter().map(|step| step.label).collect()
    }

    fn places(&self, trace: &Trace) -> Vec<u32> {
        trace.states().take(trace.steps.len()).collect()
    }

    fn takes(&self, label: u32) -> bool {
        self.correct.takes(label)
    }

    fn led_on(&self, trace: &Trace) -> Option<usize> {
        trace.states().take_while(|state| self.correct.leads_on(*state)).count().checked_sub(1)
    }

    fn way_on(&self, trace: &Trace, after: usize, without: Option<u32>) -> Option<Vec<u32>> {
        let start = trace.states().nth(after)?;
        let mut from: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
        let mut waiting = VecDeque::from([start]);
        while let Some(state) = waiting.pop_front() {
            if self.ends.contains(state) {
                let (mut labels, mut at) = (Vec::new(), state);
                while at != start {
                    let (label, before) = from[&at];
                    labels.push(label);
                    at = before;
                }
                labels.reverse();
                return Some(labels);
            }
            self.system.successors(state, |label, target| {
                if target != OUTSIDE
                    && target != start
                    && Some(label) != without
                    && self.correct.leads_on(target)
                    && !from.contains_key(&target)
                {
                    from.insert(target, (label, state));
                    waiting.push_back(target);
                }
            });
        }
        None
    }

    fn visits(&self, visit: &mut dyn FnMut(u32, u32)) {
        let live = self.explored.live().iter().copied();
        for state in live.filter(|state| self.correct.leads_on(*state)) {
            self.system.successors(state, |label, target| {
                if target != OUTSIDE && self.correct.leads_on(target) {
                    visit(label, state);
                }
            });
        }
    }

    fn recheck(&self, is_such: &dyn Fn(u32, u32) -> bool) -> Recheck {
        recheck::on_no_correct_trace(self.system, is_such, &self.goal, &self.look)
    }
}

/// Breadth-first searches for error traces, one after the other.
#[derive(Debug)]
struct Search<'w> {
    seen: BitSet,
    order: Vec<u32>,
    /// From which state and by which label each state was first reached.
    from: Vec<Edge>,
    pulse: Pulse<'w>,
}

impl<'w> Search<'w> {
    fn new(bound: usize, watch: &'w dyn Watch) -> Self {
        Self {
            seen: BitSet::new(bound),
            order: Vec::new(),
            from: vec![Edge { label: 0, state: OUTSIDE }; bound],
            pulse: Pulse::new("looking for another error", watch),
        }
    }

    /// A shortest error trace without steps that are halted.
    fn shortest<T: Transitions>(&mut self, system: &T, halted: &BitSet) -> Result<Option<Trace>, Interrupt> {
        let Self { seen, order, from, pulse } = self;
        *seen = BitSet::new(system.bound());
        order.clear();
        for state in system.initial() {
            seen.insert(state);
            order.push(state);
            from[state as usize].state = OUTSIDE;
        }
        let mut at = 0;
        while let Some(state) = order.get(at).copied() {
            at += 1;
            if system.is_violating(state) {
                if system.is_target(state) {
                    return Ok(Some(self.trace_to(state)));
                }
                continue;
            }
            if system.is_open(state) {
                continue;
            }
            system.successors(state, |label, target| {
                if target != OUTSIDE && !halted.contains(label) && seen.insert(target) {
                    from[target as usize] = Edge { label, state };
                    order.push(target);
                }
            });
            pulse.beat(system.degree(state))?;
        }
        Ok(None)
    }

    fn trace_to(&self, mut state: u32) -> Trace {
        let mut steps = Vec::new();
        loop {
            let Edge { label, state: before } = self.from[state as usize];
            if before == OUTSIDE {
                steps.reverse();
                return Trace { start: state, steps };
            }
            steps.push(Edge { label, state });
            state = before;
        }
    }
}
