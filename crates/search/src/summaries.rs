//! Searching programs with procedures by summaries: recursion needs no bound on the stack.
//!
//! After Reps, Horwitz and Sagiv (1995) and Bebop (Ball, Rajamani 2000), on explicit valuations. The search looks at
//! pairs of an entry, which is a local state that a call begins with, and a local state that is reached in that
//! call. A call adds the entry, and the pairs behind the call for all exits of that entry that are known; an
//! exit that is found later goes back to all callers. So every procedure is searched once for each entry, whoever
//! calls it, and where data is finite the search ends.
//!
//! Steps depend on the local state alone and are found once for each; what comes of a frame and an exit is found
//! once for each two.

use graph::{
    Caller, End, Interrupt, LocalStep, Move, Nested, NestedEdge, NestedParts, PULSE, Procedures, Progress,
    Target, Untold, Watch,
};
use rustc_hash::FxHashMap;

use crate::Store;

/// What was found.
#[derive(Debug)]
pub struct Summaries {
    /// Its labels are numbers of events.
    pub graph: Nested,
    /// All local states.
    pub store: Store,
    /// The local state of every node.
    pub local: Vec<u32>,
    /// The event of each label.
    pub events: Vec<u64>,
    /// Nodes without steps in which a trace must not end.
    pub deadlocks: Vec<u32>,
    /// The first step that could not be told, if there is one.
    pub untold: Option<Untold>,
    pub interrupt: Option<Interrupt>,
}

impl Summaries {
    /// The bytes of the local state of a node.
    pub fn state(&self, node: u32) -> &[u8] {
        self.store.get(self.local[node as usize])
    }
}

/// Searches all of `system`, with at most so many pairs.
pub fn summarise<S: Procedures>(system: &S, max_states: u64, watch: &dyn Watch) -> Summaries {
    let mut search = Search::new(system);
    let (first, _) = search.store.insert(search.caller.initial());
    search.entry(first);
    let max_states = max_states.min(u64::from(u32::MAX) - 1);
    let mut interrupt = None;
    let (mut next, mut next_pulse) = (0, PULSE);
    while next < search.pairs.len() {
        if search.pairs.len() as u64 > max_states {
            interrupt = Some(Interrupt::States(max_states));
            break;
        }
        if search.work >= next_pulse {
            next_pulse = search.work + PULSE;
            let (states, edges) = (search.pairs.len() as u64, search.work);
            if let Err(stop) =
                watch.pulse(Progress { phase: "summarising", states, edges, ..Progress::default() })
            {
                interrupt = Some(stop);
                break;
            }
        }
        search.follow(next as u32);
        next += 1;
    }
    search.finish(next as u32, interrupt)
}

/// Where a step from a local state leads, by numbers.
#[derive(Clone, Copy)]
enum Onward {
    Local(u32),
    Call { frame: u32, entry: u32 },
    Exit(u32),
    Wrong(u32),
}

/// The entry of a call.
struct Entry {
    /// The pair it begins with.
    start: u32,
    /// Who waits for its return: the pair that called, and its frame.
    callers: Vec<(u32, u32)>,
    /// The exits that were found, as numbers in the store and as those of the graph.
    exits: Vec<(u32, u32)>,
}

struct Search<'s, S: Procedures + 's> {
    caller: S::Caller<'s>,
    store: Store,
    frames: Store,
    outs: Store,
    labels: FxHashMap<u64, u32>,
    events: Vec<u64>,
    /// The steps of each local state: where they begin in `steps` and how many there are; none before they were
    /// looked for.
    known: Vec<Option<(u32, u32)>>,
    steps: Vec<(u32, Onward)>,
    /// The local state whose steps are looked for.
    current: Vec<u8>,
    /// Local states without steps in which a trace must not end.
    dead: Vec<u32>,
    resumed: FxHashMap<(u32, u32), u32>,
    /// Entries by the local states they begin with.
    entry_at: FxHashMap<u32, u32>,
    entries: Vec<Entry>,
    exit_at: FxHashMap<(u32, u32), u32>,
    exit_entries: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    pair_at: FxHashMap<(u32, u32), u32>,
    untold: Option<Untold>,
    work: u64,
}

impl<'s, S: Procedures + 's> Search<'s, S> {
    fn new(system: &'s S) -> Self {
        Self {
            caller: system.caller(),
            store: Store::new(),
            frames: Store::new(),
            outs: Store::new(),
            labels: FxHashMap::default(),
            events: Vec::new(),
            known: Vec::new(),
            steps: Vec::new(),
            current: Vec::new(),
            dead: Vec::new(),
            resumed: FxHashMap::default(),
            entry_at: FxHashMap::default(),
            entries: Vec::new(),
            exit_at: FxHashMap::default(),
            exit_entries: Vec::new(),
            pairs: Vec::new(),
            pair_at: FxHashMap::default(),
            untold: None,
            work: 0,
        }
    }

    /// The entry that begins with a local state.
    fn entry(&mut self, local: u32) -> u32 {
        let fresh = self.entries.len() as u32;
        let entry = *self.entry_at.entry(local).or_insert(fresh);
        if entry == fresh {
            let start = self.pair(entry, local);
            self.entries.push(Entry { start, callers: Vec::new(), exits: Vec::new() });
        }
        entry
    }

    fn pair(&mut self, entry: u32, local: u32) -> u32 {
        let fresh = self.pairs.len() as u32;
        let pair = *self.pair_at.entry((entry, local)).or_insert(fresh);
        if pair == fresh {
            self.pairs.push((entry, local));
        }
        pair
    }

    /// Takes all steps from a pair.
    fn follow(&mut self, pair: u32) {
        let (entry, local) = self.pairs[pair as usize];
        let (first, count) = self.steps_of(local);
        self.work += u64::from(count) + 1;
        for step in first..first + count {
            match self.steps[step as usize].1 {
                Onward::Wrong(_) => {}
                Onward::Local(to) => _ = self.pair(entry, to),
                Onward::Call { frame, entry: begins } => {
                    let called = self.entry(begins) as usize;
                    self.entries[called].callers.push((pair, frame));
                    for at in 0..self.entries[called].exits.len() {
                        let (out, _) = self.entries[called].exits[at];
                        let to = self.resume(frame, out);
                        self.pair(entry, to);
                    }
                }
                Onward::Exit(out) => {
                    let fresh = self.exit_entries.len() as u32;
                    if *self.exit_at.entry((entry, out)).or_insert(fresh) != fresh {
                        continue;
                    }
                    self.exit_entries.push(entry);
                    self.entries[entry as usize].exits.push((out, fresh));
                    for at in 0..self.entries[entry as usize].callers.len() {
                        let (waiting, frame) = self.entries[entry as usize].callers[at];
                        let to = self.resume(frame, out);
                        let (outer, _) = self.pairs[waiting as usize];
                        self.pair(outer, to);
                    }
                }
            }
        }
    }

    /// The local state in which a caller goes on.
    fn resume(&mut self, frame: u32, out: u32) -> u32 {
        self.work += 1;
        if let Some(local) = self.resumed.get(&(frame, out)) {
            return *local;
        }
        let state = self.caller.resume(self.frames.get(frame), self.outs.get(out));
        let (local, _) = self.store.insert(state);
        self.resumed.insert((frame, out), local);
        local
    }

    fn steps_of(&mut self, local: u32) -> (u32, u32) {
        if self.known.len() <= local as usize {
            self.known.resize(self.store.len(), None);
        }
        if let Some(known) = self.known[local as usize] {
            return known;
        }
        let Self { caller, store, frames, outs, labels, events, steps, current, untold, .. } = self;
        let first = steps.len() as u32;
        current.clear();
        current.extend_from_slice(store.get(local));
        let told = caller.steps(current, |LocalStep { event, to, violation }| {
            let fresh = events.len() as u32;
            let label = *labels.entry(event).or_insert(fresh);
            if label == fresh {
                events.push(event);
            }
            let onward = match (violation, to) {
                (Some(what), _) => Onward::Wrong(what),
                (None, Move::Onward(state)) => Onward::Local(store.insert(state).0),
                (None, Move::Call { frame, entry }) => {
                    Onward::Call { frame: frames.insert(frame).0, entry: store.insert(entry).0 }
                }
                (None, Move::Return { exit }) => Onward::Exit(outs.insert(exit).0),
            };
            steps.push((label, onward));
        });
        if untold.is_none() {
            *untold = told;
        }
        let known = (first, self.steps.len() as u32 - first);
        if known.1 == 0 && told.is_none() && self.caller.end(&self.current) == End::Deadlock {
            self.dead.push(local);
        }
        self.known.resize(self.store.len(), None);
        self.known[local as usize] = Some(known);
        known
    }

    /// Writes the graph out; only the first `followed` pairs have their steps.
    fn finish(mut self, followed: u32, interrupt: Option<Interrupt>) -> Summaries {
        let mut edges = Vec::new();
        for pair in 0..followed {
            let (entry, local) = self.pairs[pair as usize];
            let (first, count) = self.steps_of(local);
            for step in first..first + count {
                let (label, onward) = self.steps[step as usize];
                let mut edge = |target| edges.push((pair, NestedEdge { label, target }));
                match onward {
                    Onward::Wrong(what) => edge(Target::Wrong(what)),
                    Onward::Local(to) => edge(Target::Node(self.pair_at[&(entry, to)])),
                    Onward::Exit(out) => edge(Target::Exit(self.exit_at[&(entry, out)])),
                    Onward::Call { frame, entry: begins } => {
                        let called = self.entry_at[&begins];
                        edge(Target::Entry(called));
                        for (out, exit) in &self.entries[called as usize].exits {
                            let to = self.resumed[&(frame, *out)];
                            edge(Target::Over { exit: *exit, node: self.pair_at[&(entry, to)] });
                        }
                    }
                }
            }
        }
        self.dead.sort_unstable();
        let is_dead = |pair: &u32| self.dead.binary_search(&self.pairs[*pair as usize].1).is_ok();
        let deadlocks = (0..followed).filter(is_dead).collect();
        let parts = NestedParts {
            entry_of: self.pairs.iter().map(|(entry, _)| *entry).collect(),
            starts: self.entries.iter().map(|entry| entry.start).collect(),
            exits: self.exit_entries,
            labels: self.events.len(),
            edges,
        };
        Summaries {
            graph: Nested::new(parts),
            store: self.store,
            local: self.pairs.iter().map(|(_, local)| *local).collect(),
            events: self.events,
            deadlocks,
            untold: self.untold,
            interrupt,
        }
    }
}
