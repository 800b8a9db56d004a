//! Exploration of a whole system, breadth-first or depth-first.
//!
//! Breadth-first comes to every state by a shortest trace. Depth-first comes to deep states early, which
//! is worth it where a limit ends the search before it is complete; how far states lie is then found on
//! the graph afterwards.

use graph::{
    Edge, End, GraphBuilder, Interrupt, PULSE, Progress, StateGraph, System, TooManyEdges, Watch, Worker,
};
use rustc_hash::FxHashMap;

use crate::Store;
use crate::order::{Levels, Order, Waiting};
use crate::transitions::{self, Counts};

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub max_states: u64,
    pub order: Order,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_states: u64::MAX, order: Order::BreadthFirst }
    }
}

/// Something wrong that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// The state has no steps and is no valid end.
    Deadlock { state: u32 },
    /// A step out of the state is violating: its edge in the graph, and the system's number for what is
    /// wrong.
    Step { state: u32, edge: Edge, what: u32 },
}

/// All that was found.
#[derive(Debug)]
pub struct Explored {
    pub store: Store,
    /// The graph of all states; its labels are numbers of events.
    pub graph: StateGraph,
    /// The event of each label.
    pub events: Vec<u64>,
    /// In the order of the search.
    pub violations: Vec<Violation>,
    /// How many states lie outside sequences that nothing interrupts.
    pub counted_states: u64,
    /// Transitions as SPIN counts them: arrivals at states that are counted, the first one included.
    pub transitions: u64,
    /// Violations as SPIN counts them: once for every way through such a sequence.
    pub errors: u64,
    pub(crate) levels: Levels,
    /// States whose steps were not looked at, because a limit came first.
    pub open: Vec<u32>,
    pub interrupt: Option<Interrupt>,
}

impl Explored {
    /// How many steps a shortest trace to the state has.
    pub fn depth(&self, state: u32) -> u32 {
        self.levels.of(state)
    }

    /// How much work it was to find all this: a unit is an edge.
    pub fn work(&self) -> u64 {
        work(self.graph.edge_count(), &self.store)
    }

    /// How many steps it takes to the farthest state.
    pub fn max_depth(&self) -> u32 {
        self.levels.last()
    }
}

/// To keep so many bytes is as much work as to keep an edge.
const BYTES_LIKE_AN_EDGE: u64 = 128;

/// Where states are large, few of them are much work.
fn work(edges: usize, store: &Store) -> u64 {
    edges as u64 + store.bytes() as u64 / BYTES_LIKE_AN_EDGE
}

/// Explores all of `system` within the limits.
pub fn explore<S: System>(system: &S, limits: Limits, watch: &dyn Watch) -> Result<Explored, TooManyEdges> {
    explore_from(system, None, limits, watch)
}

/// The states of a trace, and how many steps to go away from them.
#[derive(Clone, Copy, Debug)]
pub struct Near<'a> {
    pub states: &'a [Vec<u8>],
    pub depth: u32,
}

/// Explores what lies near a trace of `system`, breadth-first, within the limits.
pub fn explore_near<S: System>(
    system: &S,
    near: Near<'_>,
    limits: Limits,
    watch: &dyn Watch,
) -> Result<Explored, TooManyEdges> {
    let limits = Limits { order: Order::BreadthFirst, ..limits };
    explore_from(system, Some(near), limits, watch)
}

fn explore_from<S: System>(
    system: &S,
    near: Option<Near<'_>>,
    limits: Limits,
    watch: &dyn Watch,
) -> Result<Explored, TooManyEdges> {
    let mut worker = system.worker();
    let mut search = Search {
        store: Store::new(),
        builder: GraphBuilder::new(),
        labels: FxHashMap::default(),
        events: Vec::new(),
        violations: Vec::new(),
        waiting: Waiting::new(limits.order),
    };
    let mut initial = Vec::new();
    worker.initial(|state| initial.push(search.insert(state)));
    for state in near.iter().flat_map(|near| near.states) {
        search.insert(state);
    }
    // Numbers of states end here.
    let max_states = limits.max_states.min(u64::from(u32::MAX) - 1);
    let mut next_pulse = PULSE;
    let mut current = Vec::new();
    let mut interrupt = None;
    while let Some(state) = search.waiting.first(search.store.len()) {
        if search.store.len() as u64 > max_states {
            interrupt = Some(Interrupt::States(max_states));
            break;
        }
        if let Some(near) = near.filter(|near| search.waiting.levels_before() >= near.depth as usize) {
            interrupt = Some(Interrupt::Near(near.depth));
            break;
        }
        let work = work(search.builder.edge_count(), &search.store);
        if work >= next_pulse {
            next_pulse = work + PULSE;
            let states = search.store.len() as u64;
            let edges = search.builder.edge_count() as u64;
            if let Err(stop) =
                watch.pulse(Progress { phase: "exploring", states, edges, ..Progress::default() })
            {
                interrupt = Some(stop);
                break;
            }
        }
        search.waiting.take(search.store.len());
        current.clear();
        current.extend_from_slice(search.store.get(state));
        let before = search.builder.edge_count();
        worker.steps(&current, |step| search.step(state, step));
        if search.builder.edge_count() == before && worker.end(&current) == End::Deadlock {
            search.violations.push(Violation::Deadlock { state });
        }
        search.waiting.end_of_steps();
    }
    let Search { store, builder, events, violations, waiting, .. } = search;
    let states = store.len() as u32;
    let graph = builder.finish(store.len(), initial)?;
    let is_passing = |state: u32| worker.is_passing(store.get(state));
    let counted_states = (0..states).filter(|state| !is_passing(*state)).count() as u64;
    let Counts { transitions, errors } = transitions::count(&graph, is_passing, &violations);
    let (levels, open) = waiting.finish(&graph, near.is_none());
    Ok(Explored {
        store,
        graph,
        events,
        violations,
        counted_states,
        transitions,
        errors,
        levels,
        open,
        interrupt,
    })
}

struct Search {
    store: Store,
    builder: GraphBuilder,
    labels: FxHashMap<u64, u32>,
    events: Vec<u64>,
    violations: Vec<Violation>,
    waiting: Waiting,
}

impl Search {
    /// The number of a state, which waits if it is new.
    fn insert(&mut self, state: &[u8]) -> u32 {
        let (number, is_new) = self.store.insert(state);
        if is_new {
            self.waiting.push(number);
        }
        number
    }

    fn step(&mut self, from: u32, step: graph::Step<'_>) {
        let fresh = self.events.len() as u32;
        let label = *self.labels.entry(step.event).or_insert(fresh);
        if label == fresh {
            self.events.push(step.event);
        }
        let to = self.insert(step.state);
        self.builder.edge(from, label, to);
        if let Some(what) = step.violation {
            self.violations.push(Violation::Step { state: from, edge: Edge { label, state: to }, what });
        }
    }
}

#[cfg(test)]
mod tests {
    use graph::{Step, Unwatched};

    use super::*;

    /// Two counters modulo 3; when both are 2 the system stops, and a step to equal values is wrong.
    struct Counters;

    impl System for Counters {
        type Worker<'a> = Counters;

        fn worker(&self) -> Counters {
            Counters
        }
    }

    impl Worker for Counters {
        fn initial(&mut self, mut visit: impl FnMut(&[u8])) {
            visit(&[0, 0]);
        }

        fn steps(&mut self, state: &[u8], mut visit: impl FnMut(Step<'_>)) {
            if state == [2, 2] {
                return;
            }
            for counter in 0..2 {
                let mut next = [state[0], state[1]];
                next[counter] = (next[counter] + 1) % 3;
                let violation = (next == [1, 1]).then_some(7);
                visit(Step { event: counter as u64, state: &next, violation });
            }
        }

        fn end(&mut self, _: &[u8]) -> End {
            End::Deadlock
        }

        fn is_passing(&self, state: &[u8]) -> bool {
            state == [1, 0]
        }
    }

    #[test]
    fn everything_is_found_nearest_first() {
        let found = explore(&Counters, Limits::default(), &Unwatched).unwrap();
        assert_eq!((found.store.len(), found.graph.edge_count()), (9, 16));
        assert_eq!((found.counted_states, found.transitions), (8, 17));
        let levels: Vec<u32> = (0..9).map(|state| found.depth(state)).collect();
        assert_eq!(levels, [0, 1, 1, 2, 2, 2, 3, 3, 4]);
        assert_eq!((found.depth(0), found.depth(7), found.max_depth()), (0, 3, 4));
        let states: Vec<&[u8]> = found
            .violations
            .iter()
            .map(|violation| match violation {
                Violation::Deadlock { state } | Violation::Step { state, .. } => found.store.get(*state),
            })
            .collect();
        assert_eq!(states, [&[1, 0][..], &[0, 1], &[2, 2]]);
        assert!(found.open.is_empty() && found.interrupt.is_none());
        for violation in &found.violations {
            if let Violation::Step { state, edge, what: 7 } = violation {
                assert_eq!(found.store.get(edge.state), [1, 1]);
                assert!(found.graph.edges(*state).contains(edge));
            }
        }
    }

    #[test]
    fn depth_first_finds_the_same() {
        let wide = explore(&Counters, Limits::default(), &Unwatched).unwrap();
        let deep = Limits { order: Order::DepthFirst, ..Limits::default() };
        let deep = explore(&Counters, deep, &Unwatched).unwrap();
        // The first step is taken first: counter 0 goes round before counter 1 moves at all.
        assert_eq!((0..3).map(|state| deep.store.get(state)).collect::<Vec<_>>(), [[0, 0], [1, 0], [0, 1]]);
        assert_eq!((deep.store.len(), deep.transitions), (wide.store.len(), wide.transitions));
        assert_eq!((deep.counted_states, deep.max_depth()), (wide.counted_states, wide.max_depth()));
        for state in 0..9 {
            let same = wide.store.find(deep.store.get(state)).unwrap();
            assert_eq!(deep.depth(state), wide.depth(same));
        }
        assert_eq!(deep.violations.len(), wide.violations.len());
        let cut = Limits { order: Order::DepthFirst, max_states: 4 };
        let cut = explore(&Counters, cut, &Unwatched).unwrap();
        assert!(!cut.open.is_empty() && cut.open.iter().all(|state| cut.graph.edges(*state).is_empty()));
    }

    #[test]
    fn near_a_trace_no_step_goes_farther() {
        let whole = explore(&Counters, Limits::default(), &Unwatched).unwrap();
        let trace: Vec<Vec<u8>> = vec![vec![0, 0], vec![1, 0], vec![2, 0]];
        for depth in 0..4 {
            let near = Near { states: &trace, depth };
            let found = explore_near(&Counters, near, Limits::default(), &Unwatched).unwrap();
            let reach = |state: &[u8]| trace.iter().map(|seed| away(seed, state)).min().unwrap();
            let expected = (0..9).filter(|state| reach(whole.store.get(*state)) <= depth).count();
            assert_eq!(found.store.len(), expected, "{depth}");
            for state in 0..found.store.len() as u32 {
                let bytes = found.store.get(state);
                assert_eq!(found.open.contains(&state), reach(bytes) == depth);
                let same = whole.store.find(bytes).unwrap();
                assert!(found.depth(state) == u32::MAX || found.depth(state) >= whole.depth(same));
            }
            assert_eq!(found.graph.initial(), [0]);
            assert!(found.interrupt == Some(Interrupt::Near(depth)) || depth == 3);
        }
    }

    /// How many steps lead from one state to another, unless they pass the end.
    fn away(from: &[u8], to: &[u8]) -> u32 {
        (0..2).map(|at| u32::from((to[at] + 3 - from[at]) % 3)).sum()
    }

    #[test]
    fn a_limit_leaves_states_open() {
        let found = explore(&Counters, Limits { max_states: 4, ..Limits::default() }, &Unwatched).unwrap();
        assert_eq!(found.interrupt, Some(Interrupt::States(4)));
        assert!(!found.open.is_empty());
    }
}
