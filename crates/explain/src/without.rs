//! A system without some of its steps: does anything still fail, and does anything pass?
//!
//! Blocking what is claimed to be the cause and searching again is the plainest test there is. It says what the
//! violation needs: violating states that cannot be reached any more were reached only by what is blocked. That
//! alone proves nothing, since blocking the first step of all removes every violation; a trace that passes must
//! survive. A state whose only steps are blocked is none of the system's own ends, so a trace that comes there
//! neither passes nor fails.

use graph::{Actors, Exploration, Fairness, Fate, Fates, Interrupt, Transitions, Watch};

/// A system without the steps that `blocks` names by the state before them, their label and the state after them.
struct Without<'a, T, B> {
    system: &'a T,
    blocks: B,
}

impl<T: Transitions, B: Fn(u32, u32, u32) -> bool> Without<'_, T, B> {
    /// Whether there were steps, all of which are blocked.
    fn is_cut_off(&self, state: u32) -> bool {
        let (mut all, mut left) = (0, 0);
        self.system.successors(state, |label, target| {
            all += 1;
            left += u32::from(!(self.blocks)(state, label, target));
        });
        all > 0 && left == 0
    }
}

impl<T: Transitions, B: Fn(u32, u32, u32) -> bool> Transitions for Without<'_, T, B> {
    fn bound(&self) -> usize {
        self.system.bound()
    }

    fn initial(&self) -> Vec<u32> {
        self.system.initial()
    }

    fn is_violating(&self, state: u32) -> bool {
        self.system.is_violating(state) || self.is_cut_off(state)
    }

    fn is_target(&self, state: u32) -> bool {
        self.system.is_violating(state) && self.system.is_target(state)
    }

    fn is_shared_end(&self, state: u32) -> bool {
        self.system.is_violating(state) && self.system.is_shared_end(state)
    }

    fn is_open(&self, state: u32) -> bool {
        self.system.is_open(state)
    }

    fn has_processes(&self) -> bool {
        self.system.has_processes()
    }

    fn actors(&self, label: u32) -> Actors {
        self.system.actors(label)
    }

    fn is_uninterrupted(&self, state: u32) -> bool {
        self.system.is_uninterrupted(state)
    }

    fn successors(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        self.system.successors(state, |label, target| {
            if !(self.blocks)(state, label, target) {
                visit(label, target);
            }
        });
    }

    fn predecessors(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        self.system.predecessors(state, |label, source| {
            if !(self.blocks)(source, label, state) {
                visit(label, source);
            }
        });
    }

    fn degree(&self, state: u32) -> u32 {
        let mut count = 0;
        self.successors(state, |_, _| count += 1);
        count
    }
}

/// What is left without some steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// How many violating states can still be reached.
    pub violating: u64,
    /// Whether some trace passes.
    pub passes: bool,
}

impl Left {
    /// Whether blocking confirms that what was blocked is a cause.
    pub fn confirms(self) -> bool {
        self.violating == 0 && self.passes
    }
}

/// Searches the system again without the steps that `blocks` names.
pub fn without<T: Transitions>(
    system: &T,
    blocks: impl Fn(u32, u32, u32) -> bool,
    fairness: Fairness,
    watch: &dyn Watch,
) -> Result<Left, Interrupt> {
    let rest = Without { system, blocks };
    let explored = Exploration::new(&rest, u64::MAX, watch);
    if let Some(interrupt) = explored.interrupt() {
        return Err(interrupt);
    }
    let violating = explored.violating().len() as u64;
    // A trace that comes to an end passes; only where none does, those that go on for ever have to be weighed.
    let is_end = |state: &u32| !rest.is_violating(*state) && rest.degree(*state) == 0;
    if explored.is_complete() && explored.live().iter().any(is_end) {
        return Ok(Left { violating, passes: true });
    }
    let fates = Fates::new(&rest, &explored, fairness, watch)?;
    let passes = rest.initial().iter().any(|state| matches!(fates.of(*state), Fate::Safe | Fate::Free));
    Ok(Left { violating, passes })
}
