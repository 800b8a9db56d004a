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

mod calls;

pub use calls::on_no_correct_trace_of_calls;
use graph::{Actors, BitSet, Fairness, OUTSIDE, PULSE, Progress, Transitions, Watch};
use rustc_hash::{FxHashMap, FxHashSet};

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
pub struct RecheckLimits<'a> {
    pub fairness: Fairness,
    /// Give up when so many states are not enough.
    pub max_states: usize,
    pub watch: &'a dyn Watch,
}

impl std::fmt::Debug for RecheckLimits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RecheckLimits").field("fairness", &self.fairness).finish_non_exhaustive()
    }
}

impl RecheckLimits<'_> {
    /// Whether one more state may be seen.
    fn goes_on(&self, seen: usize) -> Option<()> {
        if seen >= self.max_states {
            return None;
        }
        if (seen as u64).is_multiple_of(PULSE) {
            let progress = Progress { phase: "rechecking", states: seen as u64, ..Progress::default() };
            self.watch.pulse(progress).ok()?;
        }
        Some(())
    }
}

/// Rechecks that passing was possible at `before` and is not any more at `after`.
pub fn point_of_no_return<T: Transitions>(
    system: &T,
    before: u32,
    after: u32,
    look: &RecheckLimits<'_>,
) -> Recheck {
    match (can_pass(system, before, look), can_pass(system, after, look)) {
        (Some(true), Some(false)) => Recheck::Confirmed,
        // Half a look is enough to refute.
        (Some(false), _) | (_, Some(true)) => Recheck::Refuted,
        (None, _) | (_, None) => Recheck::NotRun,
    }
}

/// Whether a passing trace starts at `state`; none if a limit came before the answer.
pub fn can_pass<T: Transitions>(system: &T, state: u32, look: &RecheckLimits<'_>) -> Option<bool> {
    if system.is_violating(state) {
        return Some(false);
    }
    if look.fairness == Fairness::Weak && system.has_processes() {
        can_pass_fairly(system, state, look)
    } else {
        can_go_on(system, state, look)
    }
}

/// Rechecks that failing traces can have these events one after the other, and passing traces cannot;
/// steps that do not count, by their labels, may lie between them.
pub fn only_failing<T: Transitions>(
    system: &T,
    events: &[u32],
    counts: impl Fn(u32) -> bool,
    look: &RecheckLimits<'_>,
) -> Recheck {
    match occurrences(system, events, counts, look) {
        None => Recheck::NotRun,
        Some(ends) if ends.outside || ends.states.is_empty() => Recheck::Refuted,
        Some(Ends { states, .. }) => {
            let fails = |state: &u32| can_fail(system, *state, look);
            let from_all = FromAll { system, root: system.bound() as u32, states: &states };
            match (can_pass(&from_all, from_all.root, look), states.iter().find_map(fails)) {
                (Some(true), _) => Recheck::Refuted,
                (Some(false), Some(true)) => Recheck::Confirmed,
                _ => Recheck::NotRun,
            }
        }
    }
}

/// What a correct trace must come to.
pub enum Goal<'a> {
    /// A state of this kind.
    State(&'a dyn Fn(u32) -> bool),
    /// A proper end, or for ever on.
    Passing,
}

impl std::fmt::Debug for Goal<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::State(_) => "State",
            Self::Passing => "Passing",
        })
    }
}

/// Rechecks that steps of a kind, known by the state before them and their label, can be taken, and that
/// no correct trace takes one, although there are correct traces: of none at all, anything could be said.
pub fn on_no_correct_trace<T: Transitions>(
    system: &T,
    is_such: impl Fn(u32, u32) -> bool,
    goal: &Goal<'_>,
    look: &RecheckLimits<'_>,
) -> Recheck {
    match behind_such_steps(system, is_such, look) {
        None => Recheck::NotRun,
        Some(states) if states.is_empty() => Recheck::Refuted,
        Some(states) => {
            let from_start = leads_to(system, &system.initial(), goal, look);
            match (from_start, leads_to(system, &states, goal, look)) {
                (Some(true), Some(false)) => Recheck::Confirmed,
                // Half a look is enough to refute.
                (Some(false), _) | (_, Some(true)) => Recheck::Refuted,
                (None, _) | (_, None) => Recheck::NotRun,
            }
        }
    }
}

/// The states that steps of a kind lead to.
fn behind_such_steps<T: Transitions>(
    system: &T,
    is_such: impl Fn(u32, u32) -> bool,
    look: &RecheckLimits<'_>,
) -> Option<Vec<u32>> {
    let mut behind = Vec::new();
    let mut seen = BitSet::new(system.bound());
    let mut count = 0;
    let mut waiting = system.initial();
    waiting.retain(|state| seen.insert(*state));
    while let Some(state) = waiting.pop() {
        count += 1;
        look.goes_on(count)?;
        if system.is_violating(state) {
            continue;
        }
        system.successors(state, |label, target| {
            if target == OUTSIDE {
                return;
            }
            if is_such(state, label) {
                behind.push(target);
            }
            if seen.insert(target) {
                waiting.push(target);
            }
        });
    }
    behind.sort_unstable();
    behind.dedup();
    Some(behind)
}

/// Whether a trace from one of the states comes to the goal without violation.
fn leads_to<T: Transitions>(
    system: &T,
    states: &[u32],
    goal: &Goal<'_>,
    look: &RecheckLimits<'_>,
) -> Option<bool> {
    let is_goal = match goal {
        Goal::State(is_goal) => is_goal,
        Goal::Passing => {
            let from_all = FromAll { system, root: system.bound() as u32, states };
            return can_pass(&from_all, from_all.root, look);
        }
    };
    let mut seen = BitSet::new(system.bound());
    let mut waiting = states.to_vec();
    waiting.retain(|state| seen.insert(*state));
    let (mut unknown, mut count) = (false, 0);
    while let Some(state) = waiting.pop() {
        count += 1;
        look.goes_on(count)?;
        if system.is_violating(state) {
            continue;
        }
        if is_goal(state) {
            return Some(true);
        }
        unknown |= system.is_open(state);
        system.successors(state, |_, target| {
            if target != OUTSIDE && seen.insert(target) {
                waiting.push(target);
            }
        });
    }
    (!unknown).then_some(false)
}

/// Where traces are after they had some events.
struct Ends {
    states: Vec<u32>,
    /// Some are where nothing can fail.
    outside: bool,
}

/// Looks for the events from every state that can be reached without violation.
fn occurrences<T: Transitions>(
    system: &T,
    events: &[u32],
    counts: impl Fn(u32) -> bool,
    look: &RecheckLimits<'_>,
) -> Option<Ends> {
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let mut ends: FxHashSet<u32> = FxHashSet::default();
    let mut outside = false;
    let mut waiting = system.initial();
    let mut waiting_outside = Vec::new();
    waiting.retain(|state| !system.is_violating(*state) && seen.insert(*state));
    while let Some(state) = waiting.pop() {
        look.goes_on(seen.len())?;
        let (mut at, mut at_outside) = (vec![state], Vec::new());
        for (number, event) in events.iter().enumerate() {
            let mut next = Vec::new();
            let mut next_outside = Vec::new();
            if number > 0 && !at.is_empty() {
                skip(system, &mut at, &counts, look)?;
            }
            for state in at.iter().filter(|state| number == 0 || !system.is_violating(**state)) {
                system.successors(*state, |label, target| {
                    if label == *event && target != OUTSIDE {
                        next.push(target);
                    }
                });
                system.leaving(*state, |label, target| {
                    next_outside.extend(Some(target).filter(|_| label == *event));
                });
            }
            for state in &at_outside {
                system.outside_successors(*state, |label, target| {
                    next_outside.extend(Some(target).filter(|_| label == *event));
                });
            }
            (at, at_outside) = (next, next_outside);
        }
        ends.extend(at);
        outside |= !at_outside.is_empty();
        system.successors(state, |_, target| {
            if target != OUTSIDE && !system.is_violating(target) && seen.insert(target) {
                waiting.push(target);
            }
        });
        system.leaving(state, |_, target| waiting_outside.push(target));
    }
    let mut seen_outside: FxHashSet<u32> = FxHashSet::default();
    while let Some(state) = waiting_outside.pop() {
        if outside || !seen_outside.insert(state) {
            continue;
        }
        look.goes_on(seen_outside.len())?;
        let mut at = vec![state];
        for event in events {
            let mut next = Vec::new();
            for state in at {
                system.outside_successors(state, |label, target| {
                    next.extend(Some(target).filter(|_| label == *event));
                });
            }
            at = next;
        }
        outside |= !at.is_empty();
        system.outside_successors(state, |_, target| waiting_outside.push(target));
    }
    let mut states: Vec<u32> = ends.into_iter().collect();
    states.sort_unstable();
    Some(Ends { states, outside })
}

/// Adds the states that steps which do not count lead to.
fn skip<T: Transitions>(
    system: &T,
    states: &mut Vec<u32>,
    counts: impl Fn(u32) -> bool,
    look: &RecheckLimits<'_>,
) -> Option<()> {
    let mut seen: FxHashSet<u32> = states.iter().copied().collect();
    let mut at = 0;
    while let Some(state) = states.get(at).copied() {
        at += 1;
        look.goes_on(states.len())?;
        if !system.is_violating(state) {
            system.successors(state, |label, target| {
                if target != OUTSIDE && !counts(label) && seen.insert(target) {
                    states.push(target);
                }
            });
        }
    }
    Some(())
}

/// Whether a violation that is a target can be reached from `state`; nothing where it cannot be told, or
/// where it cannot.
fn can_fail<T: Transitions>(system: &T, state: u32, look: &RecheckLimits<'_>) -> Option<bool> {
    let mut seen: FxHashSet<u32> = FxHashSet::from_iter([state]);
    let mut waiting = vec![state];
    while let Some(state) = waiting.pop() {
        if system.is_violating(state) {
            if system.is_target(state) {
                return Some(true);
            }
            continue;
        }
        look.goes_on(seen.len())?;
        system.successors(state, |_, target| {
            if target != OUTSIDE && seen.insert(target) {
                waiting.push(target);
            }
        });
    }
    None
}

/// A system with one state more, from which edges lead to all of some states.
struct FromAll<'a, T> {
    system: &'a T,
    root: u32,
    states: &'a [u32],
}

impl<T: Transitions> Transitions for FromAll<'_, T> {
    fn bound(&self) -> usize {
        self.system.bound() + 1
    }

    fn initial(&self) -> Vec<u32> {
        vec![self.root]
    }

    fn is_violating(&self, state: u32) -> bool {
        state != self.root && self.system.is_violating(state)
    }

    fn is_open(&self, state: u32) -> bool {
        state != self.root && self.system.is_open(state)
    }

    fn has_processes(&self) -> bool {
        self.system.has_processes()
    }

    fn actors(&self, label: u32) -> Actors {
        self.system.actors(label)
    }

    fn is_uninterrupted(&self, state: u32) -> bool {
        state != self.root && self.system.is_uninterrupted(state)
    }

    fn successors(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        if state == self.root {
            self.states.iter().for_each(|state| visit(0, *state));
        } else {
            self.system.successors(state, visit);
        }
    }

    /// Nobody goes backwards here.
    fn predecessors(&self, _state: u32, _visit: impl FnMut(u32, u32)) {}

    fn degree(&self, state: u32) -> u32 {
        if state == self.root { self.states.len() as u32 } else { self.system.degree(state) }
    }
}

/// Whether a trace from `state` ends, leaves, or comes round, all without violation.
fn can_go_on<T: Transitions>(system: &T, state: u32, look: &RecheckLimits<'_>) -> Option<bool> {
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

fn can_pass_fairly<T: Transitions>(system: &T, state: u32, look: &RecheckLimits<'_>) -> Option<bool> {
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

    /// Whether a trace can go round in these states.
    fn goes_round(&self, kept: Vec<bool>) -> bool {
        self.going_round(kept, &self.sources()).contains(&true)
    }

    /// What is left of these states when those without a step to another are thrown out until none is without.
    fn going_round(&self, mut kept: Vec<bool>, (sources, starts): &(Vec<u32>, Vec<usize>)) -> Vec<bool> {
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
        kept
    }

    /// Whether a trace can go round in the region for ever and serve every process.
    fn goes_round_fairly(&self) -> bool {
        let mut processes = self.able.clone();
        processes.sort_unstable();
        processes.dedup();
        let into = self.sources();
        let (sources, starts) = &into;
        let mut kept = vec![true; self.len()];
        let count = |kept: &[bool]| kept.iter().filter(|kept| **kept).count();
        loop {
            // Long ways to an end are thrown out at once, and not a step a round.
            kept = self.going_round(kept, &into);
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
