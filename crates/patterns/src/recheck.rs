//! A match, tested on the whole system.
//!
//! A monitor is a small deterministic automaton that sees every step. It runs along with the system, and a step that
//! would complete the pattern is blocked. The claim stands if no violating state is left and a trace still passes:
//! blocking the first step of all removes every violation as well, but then nothing passes.

use explain::recheck::{RecheckLimits, can_pass};
use findings::{Coverage, RecheckResult};
use graph::{BitSet, Fairness, OUTSIDE, PULSE, Progress, Transitions, Watch};

use crate::World;
use crate::lens::{Act, Lens};
use crate::product::Product;

/// What a monitor makes of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    To(u64),
    /// The step completes the pattern.
    Complete,
    /// The monitor cannot follow any more.
    Lost,
}

/// A small deterministic automaton; its memory is a number.
pub trait Monitor {
    fn start(&self) -> u64 {
        0
    }

    fn step(&self, memory: u64, act: &Act) -> Next;

    /// Whether everybody may stop in a state in which nothing is left but steps that would complete the pattern.
    fn may_stop_at(&self, _state: &[u8]) -> bool {
        false
    }

    /// Whether the pattern is complete in a violating state.
    fn is_complete_at(&self, _memory: u64, _state: &[u8]) -> bool {
        false
    }
}

/// How far to look.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    pub fairness: Fairness,
    /// Give up when so many pairs of a state and a memory are not enough.
    pub max_states: usize,
    pub watch: &'a dyn Watch,
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limits").field("max_states", &self.max_states).finish_non_exhaustive()
    }
}

/// What came of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tested {
    pub result: RecheckResult,
    pub coverage: Option<Coverage>,
}

impl Tested {
    pub(crate) const NOT_RUN: Self = Self { result: RecheckResult::NotRun, coverage: None };
}

/// Tests whether violations need a pattern.
pub fn recheck<W: World>(
    world: &W,
    monitor: &dyn Monitor,
    lens: &dyn Fn(u32, u32, u32) -> Option<Act>,
    limits: &Limits<'_>,
) -> Tested {
    let Some(violating) = violating(world, limits) else { return Tested::NOT_RUN };
    let Some(product) = Product::new(world, monitor, lens, limits) else { return Tested::NOT_RUN };
    let left = product.violating();
    let look =
        RecheckLimits { fairness: limits.fairness, max_states: limits.max_states, watch: limits.watch };
    let passes = any_passes(&product, &look);
    let result = match (left, passes) {
        (0, Some(true)) => RecheckResult::Confirmed,
        (0, None) => RecheckResult::NotRun,
        // Where nothing passes at all, that nothing passes without the pattern says nothing.
        (0, Some(false)) if any_passes(world, &look) == Some(false) => RecheckResult::NotRun,
        _ => RecheckResult::Refuted,
    };
    let need = violating.saturating_sub(left);
    Tested { result, coverage: Some(Coverage { violating, need, passes: passes == Some(true) }) }
}

/// Whether a trace passes; nothing if a limit came first.
fn any_passes<T: Transitions>(system: &T, look: &RecheckLimits<'_>) -> Option<bool> {
    let mut answer = Some(false);
    for start in system.initial() {
        match can_pass(system, start, look) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => answer = None,
        }
    }
    answer
}

impl<W: World> Lens<'_, W> {
    pub(crate) fn test(&self, world: &W, monitor: &dyn Monitor, limits: &Limits<'_>) -> Tested {
        recheck(world, monitor, &|state, label, target| self.act(state, label, target), limits)
    }
}

/// How many violating states there are; nothing if not all is known. Where all wrong steps lead to one end, the states
/// before them are counted.
fn violating<W: World>(world: &W, limits: &Limits<'_>) -> Option<u64> {
    let mut seen = BitSet::new(world.bound());
    let mut waiting = world.initial();
    waiting.retain(|state| seen.insert(*state));
    let mut found = BitSet::new(world.bound());
    let mut work = 0u64;
    while let Some(state) = waiting.pop() {
        work += 1;
        if work.is_multiple_of(PULSE) {
            let progress = Progress { phase: "rechecking", states: work, ..Progress::default() };
            limits.watch.pulse(progress).ok()?;
        }
        if world.is_open(state) {
            return None;
        }
        if world.is_violating(state) {
            continue;
        }
        world.successors(state, |_, target| {
            if target == OUTSIDE {
                return;
            }
            if world.is_violating(target) && world.is_target(target) {
                found.insert(if world.is_shared_end(target) { state } else { target });
            }
            if seen.insert(target) {
                waiting.push(target);
            }
        });
    }
    Some(found.iter().count() as u64)
}
