//! Rechecks: an independent look at a claim before it is told.
//!
//! A point of no return is found by a backward pass. The recheck goes forwards instead and searches for
//! a passing trace, which must exist from the state before the step and must not exist from the
//! state after it. It looks at the system only, not at what the method computed.
//!
//! Where nobody asks for fairness, a depth-first search looks for a trace that ends, leaves for where
//! nothing can fail, or comes back to where it was. Where processes must be treated fairly, the search
//! takes all states in and then keeps throwing out those from which some process could be served no
//! more (Emerson and Lei, 1986); a trace can go on fairly for ever exactly from what leads to the rest.

use graph::{Actors, Fairness, OUTSIDE, PULSE, Progress, Transitions, Watch};
use rustc_hash::FxHashMap;

/// What a recheck found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recheck {
    Confirmed,
    Refuted,
    /// A limit came first.
    NotRun,
}

/// How to look.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    pub fairness: Fairness,
    /// Give up when so many states are not enough.
    pub max_states: usize,
    pub watch: &'a dyn Watch,
}

impl std::fmt::Debug for Look<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Look").field("fairness", &self.fairness).finish_non_exhaustive()
    }
}

impl Look<'_> {
    /// Whether one more state may be seen.
    fn goes_on(&self, seen: usize) -> Option<()> {
        if seen >= self.max_states {
            return None;
        }
        if (seen as u64).is_multiple_of(PULSE) {
            let progress = Progress { phase: "rechecking", states: seen as u64, edges: 0, permille: None };
            self.watch.pulse(progress).ok()?;
        }
        Some(())
    }
}

/// Rechecks that passing was possible at `before` and is not any more at `after`.
pub fn point_of_no_return<T: Transitions>(system: &T, before: u32, after: u32, look: &Look<'_>) -> Recheck {
    match (can_pass(system, before, look), can_pass(system, after, look)) {
        (Some(true), Some(false)) => Recheck::Confirmed,
        // Half a look is enough to refute.
        (Some(false), _) | (_, Some(true)) => Recheck::Refuted,
        (None, _) | (_, None) => Recheck::NotRun,
    }
}

/// Whether a passing trace starts at `state`; none if a limit came before the answer.
pub fn can_pass<T: Transitions>(system: &T, state: u32, look: &Look<'_>) -> Option<bool> {
    if system.is_violating(state) {
        return Some(false);
    }
    if look.fairness == Fairness::Weak && system.has_processes() {
        can_pass_fairly(system, state, look)
    } else {
        can_go_on(system, state, look)
    }
}

/// Whether a trace from `state` ends, leaves, or comes round, all without violation.
fn can_go_on<T: Transitions>(system: &T, state: u32, look: &Look<'_>) -> Option<bool> {
    // Whether a state is on the stack; absent if never seen.
    let mut on_stack = FxHashMap::default();
    let mut stack = vec![(state, targets(system, state))];
    let mut unknown = system.is_open(state);
    on_stack.insert(state, true);
    while let Some((state, left)) = stack.last_mut() {
        if left.is_empty() && system.degree(*state) == 0 && !system.is_open(*state) {
            return Some(true);
        }
        let Some(target) = left.pop() else {
            on_stack.insert(*state, false);
            stack.pop();
            continue;
        };
        if target == OUTSIDE || on_stack.get(&target) == Some(&true) {
            return Some(true);
        }
        if on_stack.contains_key(&target) || system.is_violating(target) {
            continue;
        }
        look.goes_on(on_stack.len())?;
        unknown |= system.is_open(target);
        on_stack.insert(target, true);
        stack.push((target, targets(system, target)));
    }
    (!unknown).then_some(false)
}

fn targets<T: Transitions>(system: &T, state: u32) -> Vec<u32> {
    let mut targets = Vec::new();
    system.successors(state, |_, target| targets.push(target));
    targets
}

fn can_pass_fairly<T: Transitions>(system: &T, state: u32, look: &Look<'_>) -> Option<bool> {
    let mut number = FxHashMap::default();
    number.insert(state, 0u32);
    let mut region = Region::default();
    let mut states = vec![state];
    let mut passes = false;
    let mut unknown = false;
    while region.starts.len() < states.len() && !passes {
        let at = states[region.starts.len()];
        region.starts.push(region.steps.len());
        region.able_starts.push(region.able.len());
        region.uninterrupted.push(system.is_uninterrupted(at));
        if system.is_open(at) {
            unknown = true;
            continue;
        }
        passes |= system.degree(at) == 0;
        system.successors(at, |label, target| {
            let actors = system.actors(label);
            region.able.extend(actors.iter());
            if target == OUTSIDE {
                passes = true;
            } else if !system.is_violating(target) {
                let fresh = states.len() as u32;
                let to = *number.entry(target).or_insert(fresh);
                if to == fresh {
                    states.push(target);
                }
                region.steps.push((actors, to));
            }
        });
        look.goes_on(states.len())?;
    }
    if passes {
        return Some(true);
    }
    region.starts.push(region.steps.len());
    region.able_starts.push(region.able.len());
    // What never leaves states that nothing interrupts owes nothing to others.
    if region.goes_round_fairly() || region.goes_round(region.uninterrupted.clone()) {
        return Some(true);
    }
    (!unknown).then_some(false)
}

/// All that can be reached without violation, written out.
#[derive(Default)]
struct Region {
    /// Who takes a step, and to which state; those of one state lie side by side.
    steps: Vec<(Actors, u32)>,
    starts: Vec<usize>,
    /// Who could move, state by state.
    able: Vec<u8>,
    able_starts: Vec<usize>,
    uninterrupted: Vec<bool>,
}

impl Region {
    fn len(&self) -> usize {
        self.uninterrupted.len()
    }

    fn steps(&self, at: usize) -> &[(Actors, u32)] {
        &self.steps[self.starts[at]..self.starts[at + 1]]
    }

    fn is_able(&self, at: usize, process: u8) -> bool {
        self.able[self.able_starts[at]..self.able_starts[at + 1]].contains(&process)
    }

    /// Every state's sources, side by side, and where those of each start.
    fn sources(&self) -> (Vec<u32>, Vec<usize>) {
        let mut starts = vec![0; self.len() + 1];
        self.steps.iter().for_each(|(_, to)| starts[*to as usize + 1] += 1);
        (0..self.len()).for_each(|at| starts[at + 1] += starts[at]);
        let mut next = starts.clone();
        let mut sources = vec![0; self.steps.len()];
        for at in 0..self.len() {
            for (_, to) in self.steps(at) {
                sources[next[*to as usize]] = at as u32;
                next[*to as usize] += 1;
            }
        }
        (sources, starts)
    }

    /// Whether a trace can go round in these states: whether some are left when those without a step
    /// to another are thrown out until none is without.
    fn goes_round(&self, mut kept: Vec<bool>) -> bool {
        let (sources, starts) = self.sources();
        let inside =
            |at: usize, kept: &[bool]| self.steps(at).iter().filter(|(_, to)| kept[*to as usize]).count();
        let mut left: Vec<usize> = (0..self.len()).map(|at| inside(at, &kept)).collect();
        let mut stuck: Vec<usize> = (0..self.len()).filter(|at| kept[*at] && left[*at] == 0).collect();
        while let Some(at) = stuck.pop() {
            kept[at] = false;
            for source in &sources[starts[at]..starts[at + 1]] {
                let source = *source as usize;
                left[source] -= 1;
                if left[source] == 0 && kept[source] {
                    stuck.push(source);
                }
            }
        }
        kept.contains(&true)
    }

    /// Whether a trace can go round in the region for ever and serve every process.
    fn goes_round_fairly(&self) -> bool {
        let mut processes = self.able.clone();
        processes.sort_unstable();
        processes.dedup();
        let (sources, starts) = self.sources();
        let mut kept = vec![true; self.len()];
        let count = |kept: &[bool]| kept.iter().filter(|kept| **kept).count();
        loop {
            let before = count(&kept);
            for process in &processes {
                let moves = |at: usize, kept: &[bool]| {
                    let mut steps = self.steps(at).iter().filter(|(_, to)| kept[*to as usize]);
                    steps.any(|(actors, _)| actors.iter().any(|actor| actor == *process))
                };
                let serves = |at: usize, kept: &[bool]| {
                    moves(at, kept) || (!self.uninterrupted[at] && !self.is_able(at, *process))
                };
                let mut waiting: Vec<usize> =
                    (0..self.len()).filter(|at| kept[*at] && serves(*at, &kept)).collect();
                let mut reaching = vec![false; self.len()];
                waiting.iter().for_each(|at| reaching[*at] = true);
                while let Some(at) = waiting.pop() {
                    for source in &sources[starts[at]..starts[at + 1]] {
                        let source = *source as usize;
                        if kept[source] && !reaching[source] {
                            reaching[source] = true;
                            waiting.push(source);
                        }
                    }
                }
                // A trace must also go on.
                let goes_on = |at: &usize| self.steps(*at).iter().any(|(_, to)| reaching[*to as usize]);
                kept = (0..self.len()).map(|at| reaching[at] && goes_on(&at)).collect();
            }
            let after = count(&kept);
            if after == before {
                return after > 0;
            }
        }
    }
}
