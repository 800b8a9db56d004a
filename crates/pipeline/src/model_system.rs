//! A model after its search: the graph with its violations, and the story that names everything.

use std::collections::BTreeMap;
use std::fmt;

use findings::StateId;
use findings::ViolationKind;
use graph::{
    Actor, Actors, Checked, Chosen, ConditionPart, Followed, Footprint, Marks, Outline, StateGraph, Story,
    System, Told, Trace, Transitions, Waiting, Worker, Wrong, WrongStep, condition, follow,
};
use rustc_hash::FxHashMap;
use search::{Explored, Store, Violation};

use crate::naming::{Naming, parts_of};
use crate::request::Asked;

/// A class of violations: one kind at one place.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub(crate) wrong: Wrong,
    pub(crate) count: u64,
    /// The length of a shortest trace to it.
    pub(crate) shortest: u32,
}

/// All that is wrong, class by class, nearest first.
#[derive(Debug)]
pub(crate) struct Classes {
    pub(crate) list: Vec<Class>,
    /// The class of every violation that was found.
    pub(crate) of: Vec<usize>,
}

impl Classes {
    pub(crate) fn new(found: &Explored, story: &impl Story) -> Self {
        let parts = found.violations.iter().map(|violation| match violation {
            Violation::Deadlock { state } => (None, 1, found.depth(*state)),
            Violation::Step { state, edge, what } => {
                (Some((found.events[edge.label as usize], *what)), 1, found.depth(*state) + 1)
            }
        });
        Self::of_parts(parts, story)
    }

    /// The classes of a search that kept no steps, and for each the nearest of those in which the search
    /// has it.
    pub(crate) fn of_check(found: &search::Checked, story: &impl Story) -> (Self, Vec<usize>) {
        let parts = found.violations.iter().map(|class| match class.wrong {
            search::Wrong::Deadlock => (None, class.count, class.shortest),
            search::Wrong::Step { event, what } => (Some((event, what)), class.count, class.shortest),
        });
        let classes = Self::of_parts(parts, story);
        let nearest = |at: usize| {
            let parts = (0..classes.of.len()).filter(|part| classes.of[*part] == at);
            parts.min_by_key(|part| found.violations[*part].shortest).unwrap_or(0)
        };
        let nearest = (0..classes.list.len()).map(nearest).collect();
        (classes, nearest)
    }

    /// From what is wrong with a step (nothing for a deadlock), how often, and how near.
    pub(crate) fn of_parts(
        parts: impl Iterator<Item = (Option<(u64, u32)>, u64, u32)>,
        story: &impl Story,
    ) -> Self {
        let mut list: Vec<Class> = Vec::new();
        let mut known: BTreeMap<Option<(u64, u32)>, usize> = BTreeMap::new();
        let mut of = Vec::new();
        for (step, count, shortest) in parts {
            let at = *known.entry(step).or_insert_with(|| {
                let wrong = step.map_or_else(deadlock, |(event, what)| story.wrong(event, what));
                // The same statement of another process, or in another rendezvous, is the same class.
                list.iter().position(|class| class.wrong == wrong).unwrap_or_else(|| {
                    list.push(Class { wrong, count: 0, shortest });
                    list.len() - 1
                })
            });
            list[at].count += count;
            list[at].shortest = list[at].shortest.min(shortest);
            of.push(at);
        }
        let mut order: Vec<usize> = (0..list.len()).collect();
        // Where they are equally near, in the order of the text, so that no search decides; what is wrong
        // nowhere in particular comes last.
        let key = |class: &Class| {
            let Wrong { location, text, .. } = class.wrong.clone();
            (class.shortest, location.is_none(), location, text)
        };
        order.sort_by_cached_key(|at| key(&list[*at]));
        let mut place = vec![0; list.len()];
        order.iter().enumerate().for_each(|(new, old)| place[*old] = new);
        of.iter_mut().for_each(|at| *at = place[*at]);
        Self { list: order.into_iter().map(|old| list[old].clone()).collect(), of }
    }

    /// The classes that are asked for.
    pub(crate) fn asked(&self, asked: &Asked) -> Vec<usize> {
        (0..self.list.len()).filter(|class| asked.covers(&self.list[*class].wrong)).collect()
    }
}

/// What is wrong with the step of this event from `state`, where more can be said than the class says.
pub(crate) fn detailed(wrong: Wrong, story: &impl Story, state: &[u8], event: u64) -> Wrong {
    with_detail(wrong, story.detail(state, event))
}

/// The same, with the values by which an assertion fails.
pub(crate) fn explained(wrong: Wrong, story: &impl Story, state: &[u8], event: u64) -> Wrong {
    let detail = story.detail(state, event).or_else(|| condition::because(&story.condition(state, event)));
    with_detail(wrong, detail)
}

fn with_detail(mut wrong: Wrong, detail: Option<String>) -> Wrong {
    if let Some(detail) = detail
        && !wrong.text.contains(&detail)
    {
        wrong.text = format!("{}: {detail}", wrong.text);
    }
    wrong
}

/// The class of what is wrong at the end of a trace that was gone again in a model.
pub fn violated_by(story: &impl Story, trace: &search::Replayed) -> Option<Wrong> {
    match (&trace.ending, trace.events.last()) {
        (search::Ending::Deadlock, _) => Some(deadlock()),
        (search::Ending::Wrong(what), Some(event)) => Some(story.wrong(*event, *what)),
        _ => None,
    }
}

pub(crate) fn deadlock() -> Wrong {
    Wrong {
        kind: ViolationKind::Deadlock,
        text: String::new(),
        location: None,
        can_hold: true,
        sort: graph::Sort::Other,
    }
}

/// A condition that has to hold in every state, and where it does not.
#[derive(Clone)]
pub(crate) struct Invariant<'a> {
    /// The class of its violations.
    pub(crate) class: usize,
    pub(crate) broken: Vec<u32>,
    /// What the condition is worth in a state, part by part.
    pub(crate) parts: &'a dyn Fn(&[u8]) -> Vec<ConditionPart>,
}

impl fmt::Debug for Invariant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Invariant").field("class", &self.class).finish_non_exhaustive()
    }
}

#[derive(Debug)]
pub(crate) struct ModelSystem<'a, S> {
    checked: Checked,
    store: Store,
    events: Vec<u64>,
    story: &'a S,
    /// What is wrong in each class.
    wrong: Vec<Wrong>,
    /// The class of violating states that are states of the model: deadlocks, or where a condition is broken.
    states: Option<usize>,
    invariant: Option<Invariant<'a>>,
}

impl<'a, S: Story> ModelSystem<'a, S> {
    /// `matters` says which classes end a trace.
    pub(crate) fn new(
        system: &impl System,
        mut found: Explored,
        story: &'a S,
        classes: &Classes,
        matters: impl Fn(usize) -> bool,
    ) -> Self {
        Self::lent(system, &mut found, story, classes, matters)
    }

    /// The same with states and steps that are given back later.
    pub(crate) fn lent(
        system: &impl System,
        found: &mut Explored,
        story: &'a S,
        classes: &Classes,
        matters: impl Fn(usize) -> bool,
    ) -> Self {
        Self::with_invariant(system, found, story, classes, matters, None)
    }

    /// The same with states that are violating by what they are.
    pub(crate) fn with_invariant(
        system: &impl System,
        found: &mut Explored,
        story: &'a S,
        classes: &Classes,
        matters: impl Fn(usize) -> bool,
        mut invariant: Option<Invariant<'a>>,
    ) -> Self {
        let store = std::mem::replace(&mut found.store, Store::new());
        let mut graph = std::mem::take(&mut found.graph);
        let (events, violations, open) = (found.events.clone(), &found.violations, found.open.clone());
        for event in &events {
            graph.labels.intern(&story.label(*event));
        }
        let worker = system.worker();
        let mut marks = Marks {
            actors: match story.has_processes() {
                true => events.iter().map(|event| story.actors(*event)).collect(),
                false => Vec::new(),
            },
            open,
            uninterrupted: (0..store.len() as u32)
                .filter(|state| worker.is_passing(store.get(*state)))
                .collect(),
            classes: classes.list.len() as u32,
            ..Marks::default()
        };
        let mut states = invariant.as_ref().map(|invariant| invariant.class);
        marks.deadlocks = invariant.as_mut().map_or_else(Vec::new, |own| std::mem::take(&mut own.broken));
        let mattering = violations.iter().zip(&classes.of).filter(|(_, class)| matters(**class));
        for (violation, class) in mattering {
            match violation {
                Violation::Deadlock { state } => {
                    states = Some(*class);
                    marks.deadlocks.push(*state);
                }
                Violation::Step { state, edge, .. } => {
                    marks.wrong.push(WrongStep { source: *state, edge: *edge, class: *class as u32 });
                }
            }
        }
        let wrong = classes.list.iter().map(|class| class.wrong.clone()).collect();
        Self { checked: Checked::new(graph, marks), store, events, story, wrong, states, invariant }
    }

    /// Makes the violations of one class those to be explained.
    pub(crate) fn aim(&mut self, target: usize) {
        let states = self.states;
        self.checked.aim(|class| class.map(|class| class as usize).or(states) == Some(target));
    }

    /// Goes on past all violations but those of one class.
    pub(crate) fn go_past_all_but(&mut self, target: usize) {
        self.checked.forgive_all_but(Some(target as u32));
    }

    /// The class of a violating state.
    pub(crate) fn class(&self, state: u32) -> Option<usize> {
        let own = self.checked.class(state).map(|class| class as usize);
        own.or(self.states).filter(|_| self.is_violating(state))
    }

    /// The violating trace with these events, if it lies in what was explored.
    pub(crate) fn follow(&self, events: &[u64]) -> Option<Trace> {
        match follow(&self.checked, &self.labels_of(events)?, |_| false) {
            Followed::Violating(trace) => Some(trace),
            Followed::Harmless(_) | Followed::Diverged { .. } => None,
        }
    }

    /// A trace with these events, if it lies in what was explored.
    pub(crate) fn find(&self, events: &[u64]) -> Option<Trace> {
        match follow(&self.checked, &self.labels_of(events)?, |_| false) {
            Followed::Harmless(trace) | Followed::Violating(trace) => Some(trace),
            Followed::Diverged { .. } => None,
        }
    }

    fn labels_of(&self, events: &[u64]) -> Option<Vec<u32>> {
        let numbers: FxHashMap<u64, u32> = self.events.iter().copied().zip(0..).collect();
        events.iter().map(|event| numbers.get(event).copied()).collect()
    }

    /// The state before the last step of a trace, and its event.
    fn last_step(&self, trace: &Trace) -> Option<(&[u8], u64)> {
        let before = trace.states().rev().nth(1).and_then(|state| self.bytes(state))?;
        trace.steps.last().map(|step| (before, self.events[step.label as usize]))
    }

    pub(crate) fn story(&self) -> &'a S {
        self.story
    }

    pub(crate) fn into_graph(self) -> StateGraph {
        self.checked.into_graph()
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// Gives states and steps back to the search that they were lent from.
    pub(crate) fn give_back(self, found: &mut Explored) {
        found.store = self.store;
        found.graph = self.checked.unmarked();
    }
}

impl<S: Story> Naming for ModelSystem<'_, S> {
    fn graph(&self) -> &StateGraph {
        self.checked.graph()
    }

    fn stands_for(&self, state: u32) -> Vec<u32> {
        vec![state]
    }

    fn state_id(&self, state: u32) -> StateId {
        match self.checked.class(state) {
            None => StateId::Number(i64::from(state)),
            Some(_) => StateId::Text("violation".to_owned()),
        }
    }

    fn event(&self, label: u32) -> Option<u64> {
        self.events.get(label as usize).copied()
    }

    /// Nothing for what a wrong step leads to.
    fn bytes(&self, state: u32) -> Option<&[u8]> {
        self.checked.class(state).is_none().then(|| self.store.get(state))
    }

    fn outline(&self, state: &[u8]) -> Outline {
        self.story.outline(state)
    }

    fn values(&self, state: u32) -> BTreeMap<String, String> {
        self.bytes(state).map_or_else(BTreeMap::new, |bytes| self.story.values(bytes).into_iter().collect())
    }

    fn changes(&self, from: u32, to: u32) -> BTreeMap<String, [Option<String>; 2]> {
        let (Some(from), Some(to)) = (self.bytes(from), self.bytes(to)) else { return BTreeMap::new() };
        let changes = self.story.changes(from, to).into_iter();
        changes.map(|change| (change.name, [change.old, change.new])).collect()
    }

    fn inputs(&self, from: u32, to: u32, label: u32) -> Vec<i64> {
        let event = self.events[label as usize];
        self.bytes(from).map_or_else(Vec::new, |from| self.story.inputs(from, self.bytes(to), event))
    }

    fn told(&self, label: u32) -> Option<Told> {
        self.story.has_processes().then(|| self.story.event(self.events[label as usize]))
    }

    fn parts(&self, label: u32) -> Vec<String> {
        let event = self.events[label as usize];
        parts_of(self.story.event(event), self.story.function(event))
    }

    fn chosen(&self, label: u32) -> Option<Chosen> {
        Some(self.story.chosen(self.events[label as usize]))
    }

    fn steers(&self, label: u32) -> bool {
        self.story.steers(self.events[label as usize])
    }

    fn is_taken_early(&self, label: u32) -> bool {
        self.story.is_taken_early(self.events[label as usize])
    }

    fn point(&self, label: u32) -> Option<String> {
        self.story.point(self.events[label as usize])
    }

    fn footprint(&self, state: u32, label: u32) -> Option<Footprint> {
        Some(self.story.footprint(self.bytes(state)?, self.events[label as usize]))
    }

    /// Nothing of a state that is wrong by what it is: its processes go on.
    fn wants(&self, state: u32) -> Option<Footprint> {
        let is_broken = self.states.is_some_and(|class| {
            self.is_violating(state) && self.wrong[class].kind != ViolationKind::Deadlock
        });
        self.bytes(state).filter(|_| !is_broken).map(|bytes| self.story.wants(bytes))
    }

    fn standing(&self, state: u32) -> Vec<(Actor, u64)> {
        self.bytes(state).map_or_else(Vec::new, |bytes| self.story.standing(bytes))
    }

    fn waiting(&self, state: u32) -> Vec<Waiting> {
        self.bytes(state).map_or_else(Vec::new, |bytes| self.story.waiting(bytes))
    }

    fn violation(&self, trace: &Trace) -> Option<Wrong> {
        let Some(class) = self.checked.class(trace.last()) else {
            return self.states.and_then(|class| self.wrong.get(class).cloned());
        };
        let wrong = self.wrong[class as usize].clone();
        Some(match self.last_step(trace) {
            Some((state, event)) => explained(wrong, self.story, state, event),
            None => wrong,
        })
    }

    fn broken(&self, trace: &Trace) -> Option<(String, Vec<ConditionPart>)> {
        let Invariant { class, parts, .. } = self.invariant.as_ref()?;
        let state = self.bytes(trace.last()).filter(|_| self.is_violating(trace.last()))?;
        Some((self.wrong[*class].text.clone(), parts(state)))
    }

    fn condition(&self, trace: &Trace) -> Vec<ConditionPart> {
        if self.checked.class(trace.last()).is_none() {
            return Vec::new();
        }
        self.last_step(trace).map_or_else(Vec::new, |(state, event)| self.story.condition(state, event))
    }
}

/// Everything about edges is the graph's business.
impl<S> Transitions for ModelSystem<'_, S> {
    fn bound(&self) -> usize {
        self.checked.bound()
    }

    fn initial(&self) -> Vec<u32> {
        self.checked.initial()
    }

    #[inline]
    fn is_violating(&self, state: u32) -> bool {
        self.checked.is_violating(state)
    }

    #[inline]
    fn is_target(&self, state: u32) -> bool {
        self.checked.is_target(state)
    }

    fn is_shared_end(&self, state: u32) -> bool {
        self.checked.is_shared_end(state)
    }

    #[inline]
    fn is_open(&self, state: u32) -> bool {
        self.checked.is_open(state)
    }

    fn has_processes(&self) -> bool {
        self.checked.has_processes()
    }

    #[inline]
    fn actors(&self, label: u32) -> Actors {
        self.checked.actors(label)
    }

    #[inline]
    fn is_uninterrupted(&self, state: u32) -> bool {
        self.checked.is_uninterrupted(state)
    }

    #[inline]
    fn successors(&self, state: u32, visit: impl FnMut(u32, u32)) {
        self.checked.successors(state, visit);
    }

    #[inline]
    fn predecessors(&self, state: u32, visit: impl FnMut(u32, u32)) {
        self.checked.predecessors(state, visit);
    }

    #[inline]
    fn degree(&self, state: u32) -> u32 {
        self.checked.degree(state)
    }
}

/// A failed assertion is a step like any other; a fault leaves nothing to go on with.
pub(crate) fn is_end(classes: &Classes, class: usize) -> bool {
    classes.list[class].wrong.kind == ViolationKind::Fault
}
