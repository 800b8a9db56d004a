//! Rechecks: an independent look at a claim before it is told.
//!
//! A point of no return is found by counting edges backwards. The recheck goes forwards instead: a
//! depth-first search for a passing trace (one that ends, leaves for where nothing can fail, or comes
//! back to where it was), which must exist from the state before the step and must not exist from the
//! state after it. It looks at the system only, not at what the method computed.

use graph::{OUTSIDE, PULSE, Progress, Transitions, Watch};
use rustc_hash::FxHashMap;

/// What a recheck found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recheck {
    Confirmed,
    Refuted,
    /// A limit came first.
    NotRun,
}

/// Rechecks that passing was possible at `before` and is not any more at `after`.
pub fn point_of_no_return<T: Transitions>(
    system: &T,
    before: u32,
    after: u32,
    max_states: usize,
    watch: &dyn Watch,
) -> Recheck {
    match (can_pass(system, before, max_states, watch), can_pass(system, after, max_states, watch)) {
        (Some(true), Some(false)) => Recheck::Confirmed,
        // Half a look is enough to refute.
        (Some(false), _) | (_, Some(true)) => Recheck::Refuted,
        (None, _) | (_, None) => Recheck::NotRun,
    }
}

/// Whether a passing trace starts at `state`; none if more than `max_states` states had to be seen.
pub fn can_pass<T: Transitions>(
    system: &T,
    state: u32,
    max_states: usize,
    watch: &dyn Watch,
) -> Option<bool> {
    if system.is_violating(state) {
        return Some(false);
    }
    // Whether a state is on the stack; absent if never seen.
    let mut on_stack = FxHashMap::default();
    let mut stack = vec![(state, targets(system, state))];
    on_stack.insert(state, true);
    while let Some((state, left)) = stack.last_mut() {
        if left.is_empty() && system.degree(*state) == 0 {
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
        if on_stack.len() >= max_states {
            return None;
        }
        if (on_stack.len() as u64).is_multiple_of(PULSE) {
            let states = on_stack.len() as u64;
            watch.pulse(Progress { phase: "rechecking", states, edges: 0, permille: None }).ok()?;
        }
        on_stack.insert(target, true);
        stack.push((target, targets(system, target)));
    }
    Some(false)
}

fn targets<T: Transitions>(system: &T, state: u32) -> Vec<u32> {
    let mut targets = Vec::new();
    system.successors(state, |_, target| targets.push(target));
    targets
}
