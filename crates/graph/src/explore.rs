//! Breadth-first exploration: what can be reached, in how many steps, and what of it is violating.
//!
//! Two rounds. In the first a violating state is an end, as it is for every method; its levels are
//! the lengths of shortest traces. The second goes on beyond the violating states, because the
//! counterexample LTS of Barbon, Leroy and Salaün contains what follows a violation as well.

use crate::{BitSet, Interrupt, OUTSIDE, PULSE, Progress, Transitions, Watch};

/// What an exploration found.
#[derive(Debug)]
pub struct Exploration {
    reached: BitSet,
    /// The states of the first round, nearest first.
    order: Vec<u32>,
    /// Where in `order` the states of each level start, and where those of the next one do.
    layer_starts: Vec<usize>,
    next_layer: usize,
    /// How many of `order` had their edges looked at.
    expanded: usize,
    is_beyond: BitSet,
    /// The states beyond violations, and how many of them had their edges looked at.
    beyond: Vec<u32>,
    beyond_expanded: usize,
    /// States whose edges the system itself does not know.
    unknown: Vec<u32>,
    shortest: Option<u32>,
    bound: usize,
    /// The violating states of the first round that are targets, in the order they were found.
    violating: Vec<u32>,
    edges: u64,
    live_edges: u64,
    interrupt: Option<Interrupt>,
}

impl Exploration {
    /// The level of states that no trace leads to, or only traces beyond a violation.
    pub const NO_LEVEL: u32 = u32::MAX;

    /// Explores `system` up to its violating states or to `max_states` states.
    pub fn new<T: Transitions>(system: &T, max_states: u64, watch: &dyn Watch) -> Self {
        let mut exploration = Self {
            reached: BitSet::new(system.bound()),
            order: Vec::new(),
            layer_starts: vec![0],
            next_layer: 0,
            unknown: Vec::new(),
            shortest: None,
            bound: system.bound(),
            is_beyond: BitSet::new(system.bound()),
            expanded: 0,
            beyond: Vec::new(),
            beyond_expanded: 0,
            violating: Vec::new(),
            edges: 0,
            live_edges: 0,
            interrupt: None,
        };
        exploration.interrupt = exploration.until_violation(system, max_states, watch).err();
        // What was found last before a limit may be a violation; it was found all the same.
        for at in exploration.expanded..exploration.order.len() {
            exploration.add_violation(system, at);
        }
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
            self.reached.insert(state);
            self.order.push(state);
        }
        self.next_layer = self.order.len();
        let mut next_pulse = PULSE;
        while let Some(&state) = self.order.get(self.expanded) {
            if self.expanded == self.next_layer {
                self.layer_starts.push(self.next_layer);
                self.next_layer = self.order.len();
                sort_if_large(&mut self.order[self.expanded..]);
                continue;
            }
            if self.order.len() as u64 > max {
                return Err(Interrupt::States(max));
            }
            if self.edges >= next_pulse {
                next_pulse = self.edges + PULSE;
                watch.pulse(self.progress())?;
            }
            self.expanded += 1;
            if system.is_violating(state) {
                self.add_violation(system, self.expanded - 1);
                continue;
            }
            if system.is_open(state) {
                self.unknown.push(state);
                continue;
            }
            let (reached, order) = (&mut self.reached, &mut self.order);
            system.successors(state, |_, target| {
                if target != OUTSIDE && reached.insert(target) {
                    order.push(target);
                }
            });
            self.edges += u64::from(system.degree(state));
        }
        Ok(())
    }

    /// Notes the state that is `at` in `order` if it is a target.
    fn add_violation<T: Transitions>(&mut self, system: &T, at: usize) {
        let state = self.order[at];
        if !(system.is_violating(state) && system.is_target(state)) {
            return;
        }
        let level = self.depth() + u32::from(at >= self.next_layer);
        self.shortest.get_or_insert(level);
        self.violating.push(state);
    }

    fn beyond_violation<T: Transitions>(
        &mut self,
        system: &T,
        max: u64,
        watch: &dyn Watch,
    ) -> Result<(), Interrupt> {
        let mut next_pulse = self.edges + PULSE;
        let mut seeds = 0..self.violating.len();
        let mut next_layer = 0;
        loop {
            if (self.order.len() + self.beyond.len()) as u64 > max {
                return Err(Interrupt::States(max));
            }
            if self.edges >= next_pulse {
                next_pulse = self.edges + PULSE;
                watch.pulse(self.progress())?;
            }
            let state = if let Some(seed) = seeds.next() {
                self.violating[seed]
            } else if self.beyond_expanded < self.beyond.len() {
                if self.beyond_expanded == next_layer {
                    next_layer = self.beyond.len();
                    sort_if_large(&mut self.beyond[self.beyond_expanded..]);
                }
                self.beyond_expanded += 1;
                self.beyond[self.beyond_expanded - 1]
            } else {
                return Ok(());
            };
            let (reached, is_beyond, beyond) = (&mut self.reached, &mut self.is_beyond, &mut self.beyond);
            system.successors(state, |_, target| {
                if target != OUTSIDE && reached.insert(target) {
                    is_beyond.insert(target);
                    beyond.push(target);
                }
            });
            self.edges += u64::from(system.degree(state));
        }
    }

    fn progress(&self) -> Progress {
        let states = (self.order.len() + self.beyond.len()) as u64;
        Progress { phase: "exploring", states, edges: self.edges, ..Progress::default() }
    }

    /// Whether a trace without violation before its end leads to `state`.
    #[inline]
    pub fn is_live(&self, state: u32) -> bool {
        self.reached.contains(state) && !self.is_beyond.contains(state)
    }

    /// Whether any trace leads to `state`.
    #[inline]
    pub fn is_reached(&self, state: u32) -> bool {
        self.reached.contains(state)
    }

    /// The live states by level, that is, by the length of a shortest trace to them.
    pub fn layers(&self) -> impl Iterator<Item = &[u32]> {
        // What a limit left beyond the last level that was begun is a level, too.
        let unbegun = Some(self.next_layer).filter(|next| *next < self.order.len());
        let starts: Vec<usize> = self.layer_starts.iter().copied().chain(unbegun).collect();
        (0..starts.len()).map(move |at| {
            let end = starts.get(at + 1).copied().unwrap_or(self.order.len());
            &self.order[starts[at]..end]
        })
    }

    /// The level of each state, [`Exploration::NO_LEVEL`] for those above `most`.
    pub fn levels_up_to(&self, most: u32) -> Vec<u32> {
        let mut levels = vec![Self::NO_LEVEL; self.bound];
        for (level, layer) in (0..=most).zip(self.layers()) {
            for state in layer {
                levels[*state as usize] = level;
            }
        }
        levels
    }

    /// The length of a shortest trace to a target, if there is one.
    pub fn shortest(&self) -> Option<u32> {
        self.shortest
    }

    /// The live states, nearest first.
    pub fn live(&self) -> &[u32] {
        &self.order
    }

    /// The states whose edges were not looked at, because a limit came first, here or when the system
    /// was made.
    pub fn open(&self) -> impl Iterator<Item = u32> {
        let here = self.order[self.expanded..].iter().chain(&self.beyond[self.beyond_expanded..]);
        here.chain(&self.unknown).copied()
    }

    /// Whether the edges of every state that can be reached were looked at.
    pub fn is_complete(&self) -> bool {
        self.interrupt.is_none() && self.unknown.is_empty()
    }

    /// All states reached, live ones first, those nearest first.
    pub fn reached(&self) -> impl Iterator<Item = u32> {
        self.order.iter().chain(&self.beyond).copied()
    }

    /// All states reached, ascending: the order in which a pass over all edges is fastest, because
    /// the edges of neighbouring states lie side by side.
    pub fn reached_ascending(&self) -> impl Iterator<Item = u32> {
        self.reached.iter()
    }

    /// The violating states that are targets, in breadth-first order: the first one ends a shortest trace.
    pub fn violating(&self) -> &[u32] {
        &self.violating
    }

    /// How many edges leave the live states that are not violating.
    pub fn live_edges(&self) -> u64 {
        self.live_edges
    }

    /// The highest level at which states were looked at.
    pub fn depth(&self) -> u32 {
        self.layer_starts.len() as u32 - 1
    }

    /// Why the exploration is not complete, if it is not.
    pub fn interrupt(&self) -> Option<Interrupt> {
        self.interrupt
    }
}

/// Large layers are looked at in ascending order: then the edges of one state after the other lie side
/// by side in memory, and what that saves is far more than the sorting costs.
pub(crate) fn sort_if_large(layer: &mut [u32]) {
    const LARGE: usize = 1 << 12;
    if layer.len() >= LARGE {
        layer.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unwatched;
    use crate::testing::{Fixture, failed, fine};

    /// A way to fail in two steps, one in three, and something behind the failure.
    fn fixture() -> Fixture {
        Fixture::new(
            6,
            &[(0, "go", 1), (0, "go", 2), (1, "bad", 3), (2, "go", 4), (3, "go", 5), (4, "bad", 5)],
        )
    }

    #[test]
    fn levels_are_lengths_of_shortest_traces() {
        let fixture = fixture();
        let explored = Exploration::new(&fixture.product(), u64::MAX, &Unwatched);
        let layers: Vec<&[u32]> = explored.layers().collect();
        let expected = [&[fine(0)][..], &[fine(1), fine(2)], &[failed(3), fine(4)], &[failed(5)]];
        assert_eq!(layers, expected);
        assert_eq!((explored.depth(), explored.shortest()), (3, Some(2)));
        assert_eq!(explored.violating(), [failed(3), failed(5)]);
        assert_eq!(explored.live_edges(), 5, "what follows a violation is not live");
        let near = explored.levels_up_to(1);
        assert_eq!((near[fine(2) as usize], near[failed(3) as usize]), (1, Exploration::NO_LEVEL));
    }

    #[test]
    fn the_second_round_goes_on_behind_violations() {
        let fixture = Fixture::new(3, &[(0, "bad", 1), (1, "go", 2)]);
        let product = fixture.product();
        let mut explored = Exploration::new(&product, u64::MAX, &Unwatched);
        assert!(!explored.is_reached(failed(2)));
        explored.go_beyond(&product, u64::MAX, &Unwatched);
        assert!(explored.is_reached(failed(2)) && !explored.is_live(failed(2)));
        assert_eq!(explored.reached().collect::<Vec<_>>(), [fine(0), failed(1), failed(2)]);
        assert_eq!(explored.live(), [fine(0), failed(1)]);
    }

    #[test]
    fn a_limit_leaves_states_open() {
        let fixture = fixture();
        let explored = Exploration::new(&fixture.product(), 2, &Unwatched);
        assert_eq!(explored.interrupt(), Some(Interrupt::States(2)));
        assert_eq!(explored.live(), [fine(0), fine(1), fine(2)]);
        assert_eq!(explored.open().collect::<Vec<_>>(), [fine(1), fine(2)]);
        assert_eq!((explored.violating().len(), explored.shortest()), (0, None));
    }

    #[test]
    fn a_violation_found_last_is_told() {
        let fixture = fixture();
        let explored = Exploration::new(&fixture.product(), 3, &Unwatched);
        assert_eq!(explored.interrupt(), Some(Interrupt::States(3)));
        assert_eq!(explored.open().collect::<Vec<_>>(), [fine(2), failed(3)]);
        assert_eq!((explored.violating(), explored.shortest()), (&[failed(3)][..], Some(2)));
    }
}
