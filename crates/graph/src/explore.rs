//! Breadth-first exploration: what can be reached, in how many steps, and what of it is violating.
//!
//! Two rounds. In the first a violating state is an end, as it is for every method; its levels are
//! the lengths of shortest traces. The second goes on beyond the violating states, because the
//! counterexample LTS of Barbon, Leroy and Salaün contains what follows a violation as well.

use crate::{Interrupt, OUTSIDE, PULSE, Progress, Transitions, Watch};

/// What an exploration found.
#[derive(Debug)]
pub struct Exploration {
    /// Steps from the nearest initial state; [`Exploration::UNREACHED`], or [`Exploration::BEYOND`]
    /// where every trace to the state passes a violation.
    level: Vec<u32>,
    /// The states of the first round in the order they were found.
    order: Vec<u32>,
    /// How many of `order` had their edges looked at.
    expanded: usize,
    /// The states beyond violations, and how many of them had their edges looked at.
    beyond: Vec<u32>,
    beyond_expanded: usize,
    /// The violating states of the first round in the order they were found.
    violating: Vec<u32>,
    edges: u64,
    live_edges: u64,
    interrupt: Option<Interrupt>,
}

impl Exploration {
    const UNREACHED: u32 = u32::MAX;
    const BEYOND: u32 = u32::MAX - 1;

    /// Explores `system` up to its violating states or to `max_states` states.
    pub fn new<T: Transitions>(system: &T, max_states: u64, watch: &dyn Watch) -> Self {
        let mut exploration = Self {
            level: vec![Self::UNREACHED; system.bound()],
            order: Vec::new(),
            expanded: 0,
            beyond: Vec::new(),
            beyond_expanded: 0,
            violating: Vec::new(),
            edges: 0,
            live_edges: 0,
            interrupt: None,
        };
        exploration.interrupt = exploration.until_violation(system, max_states, watch).err();
        exploration.live_edges = exploration.edges;
        exploration
    }

    /// The second round, for methods that look beyond violations.
    pub fn go_beyond<T: Transitions>(&mut self, system: &T, max_states: u64, watch: &dyn Watch) {
        if self.interrupt.is_none() {
            self.interrupt = self.beyond_violation(system, max_states, watch).err();
        }
    }

    fn until_violation<T: Transitions>(
        &mut self,
        system: &T,
        max: u64,
        watch: &dyn Watch,
    ) -> Result<(), Interrupt> {
        for state in system.initial() {
            self.level[state as usize] = 0;
            self.order.push(state);
        }
        let mut next_pulse = PULSE;
        while let Some(&state) = self.order.get(self.expanded) {
            if self.order.len() as u64 > max {
                return Err(Interrupt::States(max));
            }
            if self.edges >= next_pulse {
                next_pulse = self.edges + PULSE;
                watch.pulse(self.progress())?;
            }
            self.expanded += 1;
            if system.is_violating(state) {
                self.violating.push(state);
                continue;
            }
            let next_level = self.level[state as usize] + 1;
            let (level, order) = (&mut self.level, &mut self.order);
            system.successors(state, |_, target| {
                if target != OUTSIDE && level[target as usize] == Self::UNREACHED {
                    level[target as usize] = next_level;
                    order.push(target);
                }
            });
            self.edges += u64::from(system.degree(state));
        }
        Ok(())
    }

    fn beyond_violation<T: Transitions>(
        &mut self,
        system: &T,
        max: u64,
        watch: &dyn Watch,
    ) -> Result<(), Interrupt> {
        let mut next_pulse = self.edges + PULSE;
        let mut seeds = 0..self.violating.len();
        loop {
            if (self.order.len() + self.beyond.len()) as u64 > max {
                return Err(Interrupt::States(max));
            }
            if self.edges >= next_pulse {
                next_pulse = self.edges + PULSE;
                watch.pulse(self.progress())?;
            }
            let state = if let Some(&state) = self.beyond.get(self.beyond_expanded) {
                self.beyond_expanded += 1;
                state
            } else if let Some(seed) = seeds.next() {
                self.violating[seed]
            } else {
                return Ok(());
            };
            let (level, beyond) = (&mut self.level, &mut self.beyond);
            system.successors(state, |_, target| {
                if target != OUTSIDE && level[target as usize] == Self::UNREACHED {
                    level[target as usize] = Self::BEYOND;
                    beyond.push(target);
                }
            });
            self.edges += u64::from(system.degree(state));
        }
    }

    fn progress(&self) -> Progress {
        let states = (self.order.len() + self.beyond.len()) as u64;
        Progress { phase: "exploring", states, edges: self.edges, permille: None }
    }

    /// Whether a trace without violation before its end leads to `state`.
    #[inline]
    pub fn is_live(&self, state: u32) -> bool {
        self.level[state as usize] < Self::BEYOND
    }

    /// Whether any trace leads to `state`.
    #[inline]
    pub fn is_reached(&self, state: u32) -> bool {
        self.level[state as usize] != Self::UNREACHED
    }

    /// The length of a shortest trace to a live state.
    #[inline]
    pub fn level(&self, state: u32) -> u32 {
        self.level[state as usize]
    }

    /// The live states in breadth-first order.
    pub fn live(&self) -> &[u32] {
        &self.order
    }

    /// The states whose edges were not looked at, because a limit came first.
    pub fn open(&self) -> impl Iterator<Item = u32> {
        self.order[self.expanded..].iter().chain(&self.beyond[self.beyond_expanded..]).copied()
    }

    /// All states reached.
    pub fn reached(&self) -> impl Iterator<Item = u32> {
        self.order.iter().chain(&self.beyond).copied()
    }

    /// The violating states in breadth-first order: the first one ends a shortest trace.
    pub fn violating(&self) -> &[u32] {
        &self.violating
    }

    /// How many edges leave the live states that are not violating.
    pub fn live_edges(&self) -> u64 {
        self.live_edges
    }

    /// The length of the longest of the shortest traces.
    pub fn depth(&self) -> u32 {
        self.order.last().map_or(0, |state| self.level(*state))
    }

    /// Why the exploration is not complete, if it is not.
    pub fn interrupt(&self) -> Option<Interrupt> {
        self.interrupt
    }
}
