//! A system in which one event follows another at once: what if nothing could come between them?
//!
//! The presumed intention behind a deferred event is that it belongs to the step before it. Whether that
//! would cure the violation is found out by a search of its own, in the system without the traces
//! that part the two: where the first has just happened and the second can, nothing else happens. Every
//! instance of the process is fenced in, since all have the same text.
//!
//! A state of the fenced system is one of the system and who is between the two, if anybody is. Nobody
//! stays there for longer than a step, so there is never more than one.

use graph::{Actors, BitSet, Exploration, Fairness, Fate, Fates, Interrupt, OUTSIDE, Transitions, Watch};

/// Which events are fenced in, and by which process.
#[derive(Clone, Debug)]
pub struct Fence {
    /// By label, who takes the first step with it.
    pub first: Vec<Option<u8>>,
    /// By label, who takes the second one.
    pub second: Vec<Option<u8>>,
}

#[derive(Debug)]
pub struct Fenced<'a, T> {
    system: &'a T,
    fence: &'a Fence,
    /// The processes that can be between the two, each with the states in which its second step can be
    /// taken.
    between: Vec<(u8, BitSet)>,
}

impl<'a, T: Transitions> Fenced<'a, T> {
    /// Nothing if the numbers of the states do not suffice.
    pub fn new(system: &'a T, fence: &'a Fence, explored: &Exploration) -> Option<Self> {
        let mut processes: Vec<u8> = fence.second.iter().flatten().copied().collect();
        processes.sort_unstable();
        processes.dedup();
        if (system.bound() as u64) * (processes.len() as u64 + 1) >= u64::from(OUTSIDE) {
            return None;
        }
        let mut between: Vec<(u8, BitSet)> =
            processes.into_iter().map(|process| (process, BitSet::new(system.bound()))).collect();
        for state in explored.live() {
            system.successors(*state, |label, _| {
                if let Some(process) = fence.second[label as usize]
                    && let Some((_, states)) = between.iter_mut().find(|(other, _)| *other == process)
                {
                    states.insert(*state);
                }
            });
        }
        Some(Self { system, fence, between })
    }

    fn slots(&self) -> u32 {
        self.between.len() as u32 + 1
    }

    fn inner(&self, state: u32) -> u32 {
        state / self.slots()
    }

    /// Who is between the two.
    fn who(&self, state: u32) -> Option<u8> {
        let slot = state % self.slots();
        Some(self.between.get(slot.checked_sub(1)? as usize)?.0)
    }

    /// The state that an edge with this label leads to, if it leads to `target` in the system.
    fn arrival(&self, label: u32, target: u32) -> u32 {
        let entered = self.fence.first[label as usize].and_then(|process| {
            self.between.iter().position(|(other, states)| *other == process && states.contains(target))
        });
        let slot = entered.filter(|_| !self.system.is_violating(target)).map_or(0, |at| at as u32 + 1);
        target * self.slots() + slot
    }
}

impl<T: Transitions> Transitions for Fenced<'_, T> {
    fn bound(&self) -> usize {
        self.system.bound() * self.slots() as usize
    }

    fn initial(&self) -> Vec<u32> {
        self.system.initial().into_iter().map(|state| state * self.slots()).collect()
    }

    fn is_violating(&self, state: u32) -> bool {
        self.system.is_violating(self.inner(state))
    }

    fn is_target(&self, state: u32) -> bool {
        self.system.is_target(self.inner(state))
    }

    fn is_open(&self, state: u32) -> bool {
        self.system.is_open(self.inner(state))
    }

    fn has_processes(&self) -> bool {
        self.system.has_processes()
    }

    fn actors(&self, label: u32) -> Actors {
        self.system.actors(label)
    }

    fn is_uninterrupted(&self, state: u32) -> bool {
        self.who(state).is_some() || self.system.is_uninterrupted(self.inner(state))
    }

    fn successors(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        let who = self.who(state);
        self.system.successors(self.inner(state), |label, target| {
            if who.is_some() && self.fence.second[label as usize] != who {
                return;
            }
            visit(label, if target == OUTSIDE { OUTSIDE } else { self.arrival(label, target) });
        });
    }

    fn predecessors(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        self.system.predecessors(self.inner(state), |label, source| {
            if self.arrival(label, self.inner(state)) != state {
                return;
            }
            visit(label, source * self.slots());
            for (slot, (process, _)) in (1..).zip(&self.between) {
                if self.fence.second[label as usize] == Some(*process) {
                    visit(label, source * self.slots() + slot);
                }
            }
        });
    }

    fn degree(&self, state: u32) -> u32 {
        let mut count = 0;
        self.successors(state, |_, _| count += 1);
        count
    }
}

/// What becomes of the violation behind a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cure {
    /// No trace fails any more, and some pass.
    Cured,
    /// Some traces still fail.
    StillFails,
    /// Nothing fails, but nothing passes either.
    NothingPasses,
    /// A limit came first.
    Unknown,
}

/// Searches the system again, with nothing between the two events.
pub fn cure<T: Transitions>(
    system: &T,
    explored: &Exploration,
    fence: &Fence,
    fairness: Fairness,
    watch: &dyn Watch,
) -> Result<Cure, Interrupt> {
    let Some(fenced) = Fenced::new(system, fence, explored) else { return Ok(Cure::Unknown) };
    let again = Exploration::new(&fenced, u64::MAX, watch);
    if !again.violating().is_empty() {
        return Ok(Cure::StillFails);
    }
    if !again.is_complete() {
        return again.interrupt().map_or(Ok(Cure::Unknown), Err);
    }
    let fates = Fates::new(&fenced, &again, fairness, watch)?;
    let passes = fenced.initial().iter().any(|state| fates.of(*state) == Fate::Safe);
    Ok(if passes { Cure::Cured } else { Cure::NothingPasses })
}
