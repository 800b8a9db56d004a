//! What a checker says of a text, as far as repairs are judged by it.

use std::collections::{BTreeMap, BTreeSet};

use explain::recheck::{RecheckLimits, can_pass};
use findings::{Explanation, ViolationKind, Wrongdoing};
use graph::{
    Actors, BitSet, End, Fairness, StateGraph, Story, System, Transitions, Unwatched, Worker, Wrong,
};
use search::{Ending, Explored, Followed, Store, Summaries, Violation, follow};

use super::observed::{Observed, WORDING};
use crate::as_findings;
use crate::call_violations::violations;
use crate::meeting::MeetingTraces;
use crate::model_system::Classes;
use crate::request::Asked;

/// What is wrong, as repairs compare it.
pub fn wrongdoing(wrong: &Wrong) -> Wrongdoing {
    Wrongdoing {
        kind: wrong.kind,
        what: as_findings::what(wrong),
        place: wrong.location.as_ref().map(|at| (at.file.clone(), at.line)),
        is_check: wrong.can_hold,
        is_output: wrong.sort == graph::Sort::Output,
    }
}

#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// How many states were looked at.
    pub states: u64,
    /// How much work that was: a unit is an edge that a search finds.
    pub work: u64,
    /// Whether that was all there is, up to the bound.
    pub complete: bool,
    pub bound: Option<u64>,
    /// What is asked for and wrong.
    pub violations: Vec<Wrongdoing>,
    /// Files and lines of what passing traces execute.
    pub executed: BTreeSet<(String, u64)>,
    /// Those of what any trace executes. What stands inside of a single step, such as a `d_step`, is in neither.
    pub visited: BTreeSet<(String, u64)>,
    /// How many statements of a line passing traces execute.
    pub statements: BTreeMap<(String, u64), usize>,
    /// Whether something passes: it comes to a proper end, or goes on forever and passes no process over.
    pub passes: bool,
    /// How many ways any trace takes at the branches of a line: at the one where it takes most.
    pub ways: BTreeMap<(String, u64), usize>,
    /// How many processes of each name do something, in any trace.
    pub processes: BTreeMap<String, usize>,
    /// Whether whatever can pass can come to an end.
    pub ends: bool,
    /// The parts of formulas that have a say in whether they hold: the formula, and the number of the part.
    pub matters: BTreeSet<(String, usize)>,
    /// What passing traces show, where it was looked at.
    pub observed: Option<Observed>,
    /// The part of known passing runs that do not do any more what they did, where only such runs are known.
    pub lost: Option<f64>,
}

impl Trial {
    /// With what the traces do that meet a property as what passing traces do: all others violate it.
    pub fn of_passing(mut self, traces: &MeetingTraces, store: &Store, story: &impl Story) -> Self {
        self.executed = traces.events.iter().flat_map(|event| places(story, *event)).collect();
        self.statements = statements(&traces.events, story);
        self.observed = Observed::at_ends(store, story, &traces.ends);
        self.work += self.observed.as_ref().map_or(0, |observed| observed.states * WORDING);
        self
    }
}

/// Whose traces are observed.
#[derive(Clone, Copy, Debug)]
pub enum Text<'a> {
    /// The text as it is: at all checks that fail sometimes.
    AsItIs,
    /// A changed one, if nothing is wrong with it: at the check that failed.
    Changed { check: Option<&'a (String, u64)> },
}

/// What an exploration of all states of a system says.
pub fn explored(
    system: &impl System,
    found: &Explored,
    story: &impl Story,
    asked: &Asked,
    text: Text<'_>,
) -> Trial {
    let classes = Classes::new(found, story);
    let asked = classes.asked(asked);
    let passing = Passing::new(found);
    let violations = told(&classes, &asked);
    let complete = found.interrupt.is_none() && found.open.is_empty();
    let failing = violations.iter().filter(|wrong| wrong.is_check).filter_map(|wrong| wrong.place.clone());
    let checks: Option<Vec<_>> = match text {
        Text::AsItIs => Some(failing.collect()),
        Text::Changed { check } => violations.is_empty().then(|| check.into_iter().cloned().collect()),
    };
    let checks = checks.filter(|_| complete);
    let observed =
        checks.and_then(|checks| Observed::new(found, story, &checks, &passing.states, &passing.last));
    Trial {
        states: found.store.len() as u64,
        work: found.work() + observed.as_ref().map_or(0, |observed| observed.states * WORDING),
        complete,
        bound: None,
        violations,
        executed: passing.events.iter().flat_map(|event| places(story, *event)).collect(),
        visited: found.events.iter().flat_map(|event| places(story, *event)).collect(),
        statements: statements(&passing.events, story),
        ways: ways(found, story),
        processes: processes(found, story),
        passes: passing.comes_to_an_end || passing.goes_on(system, found, story),
        ends: passing.ends,
        matters: BTreeSet::new(),
        observed,
        lost: None,
    }
}

/// What a search call by call says. Which calls return in traces that pass is not told apart there, and not whether they
/// end.
pub fn summarised(found: &Summaries, story: &impl Story, asked: &Asked) -> Trial {
    let (classes, _) = violations(found, None, story);
    let asked = classes.asked(asked);
    let visited: BTreeSet<_> = found.events.iter().flat_map(|event| places(story, *event)).collect();
    Trial {
        states: found.graph.node_count() as u64,
        work: found.graph.edge_count() as u64,
        complete: found.interrupt.is_none() && found.untold.is_none(),
        bound: None,
        violations: told(&classes, &asked),
        executed: visited.clone(),
        visited,
        passes: true,
        ends: true,
        ..Trial::default()
    }
}

/// What the run of a system says that has one step at most from every state, such as a program with given inputs. It
/// is complete if it comes to a proper end within so many steps.
pub fn run(system: &impl System, story: &impl Story, asked: &Asked, most: u64) -> Trial {
    let mut worker = system.worker();
    let mut state = Vec::new();
    worker.initial(|initial| state = initial.to_vec());
    let mut trial = Trial { ends: true, ..Trial::default() };
    let mut events = BTreeSet::new();
    while trial.states < most {
        let mut next = None;
        worker.steps(&state, |step| next = Some((step.event, step.state.to_vec(), step.violation)));
        let Some((event, target, violation)) = next else {
            trial.complete = worker.end(&state) == End::Valid;
            trial.passes = trial.complete;
            break;
        };
        trial.states += 1;
        trial.work += 1;
        events.insert(event);
        state = target;
        if let Some(what) = violation {
            let wrong = story.wrong(event, what);
            trial.violations.extend(asked.covers(&wrong).then(|| wrongdoing(&wrong)));
            break;
        }
    }
    trial.visited = events.iter().flat_map(|event| places(story, *event)).collect();
    trial.executed = trial.visited.clone();
    trial
}

/// The steps of a counterexample, which a change may leave as they are. Most changes do, and need not be searched.
#[derive(Debug)]
pub struct Known {
    /// The event of each step, and its line.
    steps: Vec<(String, Option<(String, u64)>)>,
    /// How many steps lie before the loop, if it has one.
    before_loop: Option<usize>,
    target: Option<Wrongdoing>,
}

impl Known {
    /// Those of a report.
    pub fn new(explanation: &Explanation) -> Self {
        let steps = explanation.counterexample.iter().flat_map(|found| &found.steps);
        let line = |step: &findings::Step| step.location.as_ref().map(|at| (at.file.clone(), at.line));
        let steps = steps.map(|step| (step.event.clone(), line(step))).collect();
        let trace = explanation.counterexample.as_ref();
        let before_loop =
            trace.and_then(|trace| trace.loop_start?.checked_sub(1)).map(|steps| steps as usize);
        Self { steps, before_loop, target: super::target(explanation) }
    }

    /// The trace of a changed system that takes the same steps, as far as there is one. What is done in the changed lines
    /// of a file may be done besides, or in place of what was done there.
    pub fn followed(
        &self,
        system: &impl System,
        story: &impl Story,
        file: &str,
        changed: &BTreeSet<u64>,
    ) -> Followed {
        let is_changed = |place: &(String, u64)| place.0 == file && changed.contains(&place.1);
        follow(system, self.steps.len(), self.before_loop, |at, event| {
            let (label, place) = self.steps.get(at)?;
            if story.label(event) == *label {
                return Some(1);
            }
            let own = places(story, event).into_iter().find(is_changed)?;
            Some(usize::from(place.as_ref() == Some(&own)))
        })
    }

    /// What a changed system does that still fails with the same steps, by the trace that takes them.
    pub fn refutes(&self, followed: &Followed, story: &impl Story) -> Option<Trial> {
        let target = self.target.as_ref()?;
        let trace = &followed.trace;
        let fails = match (&trace.ending, trace.events.last()) {
            (Ending::Deadlock, _) => target.kind == ViolationKind::Deadlock,
            (Ending::Wrong(what), Some(event)) => wrongdoing(&story.wrong(*event, *what)) == *target,
            _ => false,
        };
        let states = trace.states.len() as u64;
        fails.then(|| Trial { states, work: states, violations: vec![target.clone()], ..Trial::default() })
    }
}

fn told(classes: &Classes, asked: &[usize]) -> Vec<Wrongdoing> {
    asked.iter().map(|class| wrongdoing(&classes.list[*class].wrong)).collect()
}

/// Where the statements of an event stand.
pub(super) fn places(story: &impl Story, event: u64) -> Vec<(String, u64)> {
    let told = story.event(event);
    let deeds = std::iter::once(told.deed).chain(told.partner);
    deeds.filter_map(|deed| deed.location).map(|at| (at.file, at.line)).collect()
}

/// How many processes of each name take part in the events of a search.
fn processes(found: &Explored, story: &impl Story) -> BTreeMap<String, usize> {
    let actors = found.events.iter().flat_map(|event| {
        let told = story.event(*event);
        std::iter::once(told.deed.actor).chain(told.partner.map(|deed| deed.actor))
    });
    let all: BTreeSet<(String, u8)> = actors.map(|actor| (actor.name, actor.number)).collect();
    let mut counts = BTreeMap::new();
    for (name, _) in all {
        *counts.entry(name).or_insert(0) += 1;
    }
    counts
}

/// How many ways are taken at the branches of each line: at the branch where most are.
fn ways(found: &Explored, story: &impl Story) -> BTreeMap<(String, u64), usize> {
    let mut by_branch: BTreeMap<(String, u64, u64), BTreeSet<String>> = BTreeMap::new();
    for event in found.events.iter().filter(|event| story.steers(**event)) {
        let deed = story.event(*event).deed;
        if let Some(at) = deed.location {
            by_branch.entry((at.file, at.line, at.column)).or_default().insert(deed.action);
        }
    }
    let mut most = BTreeMap::new();
    for ((file, line, _), ways) in by_branch {
        let known = most.entry((file, line)).or_insert(0);
        *known = ways.len().max(*known);
    }
    most
}

/// How many statements of each line these events execute.
fn statements(events: &BTreeSet<u64>, story: &impl Story) -> BTreeMap<(String, u64), usize> {
    let mut places = BTreeSet::new();
    for event in events {
        let told = story.event(*event);
        let deeds = std::iter::once(told.deed).chain(told.partner);
        places.extend(deeds.filter_map(|deed| deed.location).map(|at| (at.file, at.line, at.column)));
    }
    let mut counts = BTreeMap::new();
    for (file, line, _) in places {
        *counts.entry((file, line)).or_insert(0) += 1;
    }
    counts
}

/// What passing traces do.
struct Passing {
    events: BTreeSet<u64>,
    /// Which states they reach, and at which of them they end.
    states: Vec<bool>,
    last: Vec<u32>,
    /// The states from which a trace goes on without a violation.
    passes: Vec<bool>,
    /// Source, label and target of the steps that are violations.
    wrong_steps: BTreeSet<(u32, u32, u32)>,
    comes_to_an_end: bool,
    ends: bool,
}

impl Passing {
    /// Whether a trace goes on forever without a violation and passes no process over.
    fn goes_on(&self, system: &impl System, found: &Explored, story: &impl Story) -> bool {
        let worker = system.worker();
        let mut uninterrupted = BitSet::new(found.store.len());
        for state in (0..found.store.len() as u32).filter(|state| worker.is_passing(found.store.get(*state)))
        {
            uninterrupted.insert(state);
        }
        let going = Going {
            graph: &found.graph,
            passing: self,
            actors: match story.has_processes() {
                true => found.events.iter().map(|event| story.actors(*event)).collect(),
                false => Vec::new(),
            },
            uninterrupted,
        };
        let look = RecheckLimits { fairness: Fairness::Weak, max_states: usize::MAX, watch: &Unwatched };
        let mut starts = found.graph.initial().iter();
        starts.any(|state| self.passes[*state as usize] && can_pass(&going, *state, &look) == Some(true))
    }

    fn new(found: &Explored) -> Self {
        let graph = &found.graph;
        let count = graph.state_count();
        let mut wrong_steps = BTreeSet::new();
        let mut goes_wrong = vec![false; count];
        let mut is_dead = vec![false; count];
        for violation in &found.violations {
            match violation {
                Violation::Deadlock { state } => is_dead[*state as usize] = true,
                Violation::Step { state, edge, .. } => {
                    goes_wrong[*state as usize] = true;
                    wrong_steps.insert((*state, edge.label, edge.state));
                }
            }
        }
        let is_right = |state: u32, label: u32, target: u32| {
            !goes_wrong[state as usize] || !wrong_steps.contains(&(state, label, target))
        };
        // A state passes as long as one of its steps does; those without are taken away one after another.
        let mut ways: Vec<u32> = vec![0; count];
        let mut passes = vec![true; count];
        let mut failed: Vec<u32> = Vec::new();
        for state in 0..count as u32 {
            let edges = graph.edges(state);
            let right = edges.iter().filter(|edge| is_right(state, edge.label, edge.state)).count();
            ways[state as usize] = right as u32;
            if is_dead[state as usize] || right == 0 && !edges.is_empty() {
                passes[state as usize] = false;
                failed.push(state);
            }
        }
        let reverse = graph.reverse();
        while let Some(state) = failed.pop() {
            for edge in reverse.edges(state) {
                let source = edge.state as usize;
                if passes[source] && is_right(edge.state, edge.label, state) {
                    ways[source] -= 1;
                    if ways[source] == 0 {
                        passes[source] = false;
                        failed.push(edge.state);
                    }
                }
            }
        }
        // From the start through states that pass.
        let mut seen = vec![false; count];
        let mut waiting: Vec<u32> =
            graph.initial().iter().copied().filter(|state| passes[*state as usize]).collect();
        waiting.iter().for_each(|state| seen[*state as usize] = true);
        let mut labels = vec![false; found.events.len()];
        let mut last: Vec<u32> = Vec::new();
        let mut reached = 0u64;
        while let Some(state) = waiting.pop() {
            reached += 1;
            let edges = graph.edges(state);
            if edges.is_empty() {
                last.push(state);
            }
            for edge in edges {
                if passes[edge.state as usize] && is_right(state, edge.label, edge.state) {
                    labels[edge.label as usize] = true;
                    if !std::mem::replace(&mut seen[edge.state as usize], true) {
                        waiting.push(edge.state);
                    }
                }
            }
        }
        let comes_to_an_end = !last.is_empty();
        // And back from the ends.
        let ends = last.clone();
        let mut ending = vec![false; count];
        last.iter().for_each(|state| ending[*state as usize] = true);
        let mut can_end = last.len() as u64;
        while let Some(state) = last.pop() {
            for edge in reverse.edges(state) {
                let source = edge.state as usize;
                if seen[source] && !ending[source] && is_right(edge.state, edge.label, state) {
                    ending[source] = true;
                    can_end += 1;
                    last.push(edge.state);
                }
            }
        }
        let events = labels.iter().zip(&found.events).filter(|(taken, _)| **taken).map(|(_, event)| *event);
        // Where nothing passes, nothing is known of ends.
        let (events, all_end) = (events.collect(), reached > 0 && can_end == reached);
        Self { events, states: seen, last: ends, passes, wrong_steps, comes_to_an_end, ends: all_end }
    }
}

/// The part of a system in which traces pass; all other states count as violating, and so does where violating steps
/// lead, which has a number of its own.
struct Going<'a> {
    graph: &'a StateGraph,
    passing: &'a Passing,
    actors: Vec<Actors>,
    uninterrupted: BitSet,
}

impl Transitions for Going<'_> {
    fn bound(&self) -> usize {
        self.graph.state_count() + 1
    }

    fn initial(&self) -> Vec<u32> {
        self.graph.initial().to_vec()
    }

    fn is_violating(&self, state: u32) -> bool {
        self.passing.passes.get(state as usize).is_none_or(|passes| !passes)
    }

    fn has_processes(&self) -> bool {
        !self.actors.is_empty()
    }

    fn actors(&self, label: u32) -> Actors {
        self.actors[label as usize]
    }

    fn is_uninterrupted(&self, state: u32) -> bool {
        self.uninterrupted.contains(state)
    }

    fn successors(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        for edge in self.graph.edges(state) {
            let is_wrong = self.passing.wrong_steps.contains(&(state, edge.label, edge.state));
            visit(edge.label, if is_wrong { self.graph.state_count() as u32 } else { edge.state });
        }
    }

    /// Nobody goes backwards here.
    fn predecessors(&self, _state: u32, _visit: impl FnMut(u32, u32)) {}

    fn degree(&self, state: u32) -> u32 {
        self.graph.edges(state).len() as u32
    }
}
