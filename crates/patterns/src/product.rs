//! The product of a system with a monitor, written out forwards. Steps that complete the pattern lead to one state of
//! their own that neither passes nor fails. They are still there to be fair to: a process that could only take such a
//! step must not be passed over forever, or everything would pass by letting it starve.

use graph::{Actors, OUTSIDE, PULSE, Progress, Transitions};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where steps lead that complete the pattern.
const BLOCKED: u32 = 0;

use crate::World;
use crate::lens::Act;
use crate::recheck::{Limits, Monitor, Next};

pub(crate) struct Product<'w, W> {
    world: &'w W,
    /// The state of the system and the memory of the monitor; [`BLOCKED`] and then the initial ones first.
    pairs: Vec<(u32, u64)>,
    initial: u32,
    /// Label and target of the steps that are left, those of one pair side by side.
    edges: Vec<(u32, u32)>,
    starts: Vec<usize>,
}

impl<'w, W: World> Product<'w, W> {
    /// Nothing where a limit came first, the monitor lost track, or not all steps are known.
    pub(crate) fn new(
        world: &'w W,
        monitor: &dyn Monitor,
        lens: &dyn Fn(u32, u32, u32) -> Option<Act>,
        limits: &Limits<'_>,
    ) -> Option<Self> {
        let mut numbers: FxHashMap<(u32, u64), u32> = FxHashMap::default();
        let mut product = Self { world, pairs: vec![(0, 0)], initial: 0, edges: Vec::new(), starts: vec![0] };
        for state in world.initial() {
            numbers.insert((state, monitor.start()), product.pairs.len() as u32);
            product.pairs.push((state, monitor.start()));
        }
        product.initial = product.pairs.len() as u32 - 1;
        let mut steps = Vec::new();
        while product.starts.len() < product.pairs.len() {
            let at = product.starts.len();
            let (state, memory) = product.pairs[at];
            product.starts.push(product.edges.len());
            if (at as u64).is_multiple_of(PULSE) {
                let progress = Progress { phase: "rechecking", states: at as u64, ..Progress::default() };
                limits.watch.pulse(progress).ok()?;
            }
            if world.is_violating(state) {
                continue;
            }
            if world.is_open(state) {
                return None;
            }
            steps.clear();
            world.successors(state, |label, target| steps.push((label, target)));
            for (label, target) in &steps {
                let memory = match monitor.step(memory, &lens(state, *label, *target)?) {
                    Next::To(memory) => memory,
                    Next::Complete => {
                        product.edges.push((*label, BLOCKED));
                        continue;
                    }
                    Next::Lost => return None,
                };
                if *target == OUTSIDE {
                    product.edges.push((*label, OUTSIDE));
                    continue;
                }
                let is_end = world.is_violating(*target) && world.is_target(*target);
                // What a wrong step leads to has no bytes; then the state before it is looked at.
                let bytes = || world.bytes(*target).or_else(|| world.bytes(state));
                if is_end && bytes().is_some_and(|bytes| monitor.is_complete_at(memory, bytes)) {
                    product.edges.push((*label, BLOCKED));
                    continue;
                }
                let fresh = product.pairs.len() as u32;
                let number = *numbers.entry((*target, memory)).or_insert(fresh);
                if number == fresh {
                    if product.pairs.len() == limits.max_states {
                        return None;
                    }
                    product.pairs.push((*target, memory));
                }
                product.edges.push((*label, number));
            }
            let own = *product.starts.last()?;
            let is_stuck =
                product.edges.len() > own && product.edges[own..].iter().all(|(_, to)| *to == BLOCKED);
            if is_stuck && world.bytes(state).is_some_and(|bytes| monitor.may_stop_at(bytes)) {
                product.edges.truncate(own);
            }
        }
        product.starts.push(product.edges.len());
        Some(product)
    }

    /// How many violating states are still reached. Where all wrong steps lead to one end, the states before them are
    /// counted.
    pub(crate) fn violating(&self) -> u64 {
        let world = self.world;
        let mut found: FxHashSet<u32> = FxHashSet::default();
        for (at, (source, _)) in self.pairs.iter().enumerate() {
            for (_, to) in self.steps(at as u32).iter().filter(|(_, to)| *to != OUTSIDE && *to != BLOCKED) {
                let target = self.pairs[*to as usize].0;
                if world.is_violating(target) && world.is_target(target) {
                    found.insert(if world.is_shared_end(target) { *source } else { target });
                }
            }
        }
        found.len() as u64
    }

    fn steps(&self, at: u32) -> &[(u32, u32)] {
        &self.edges[self.starts[at as usize]..self.starts[at as usize + 1]]
    }
}

impl<W: World> Transitions for Product<'_, W> {
    fn bound(&self) -> usize {
        self.pairs.len()
    }

    fn initial(&self) -> Vec<u32> {
        (1..=self.initial).collect()
    }

    fn is_violating(&self, state: u32) -> bool {
        state == BLOCKED || self.world.is_violating(self.pairs[state as usize].0)
    }

    fn has_processes(&self) -> bool {
        self.world.has_processes()
    }

    fn actors(&self, label: u32) -> Actors {
        self.world.actors(label)
    }

    fn is_uninterrupted(&self, state: u32) -> bool {
        state != BLOCKED && self.world.is_uninterrupted(self.pairs[state as usize].0)
    }

    fn successors(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        self.steps(state).iter().for_each(|(label, target)| visit(*label, *target));
    }

    /// Nobody goes backwards here.
    fn predecessors(&self, _state: u32, _visit: impl FnMut(u32, u32)) {}

    fn degree(&self, state: u32) -> u32 {
        self.steps(state).len() as u32
    }
}
