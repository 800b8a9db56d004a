//! Passing for ever without passing anybody over.
//!
//! A trace that goes round for ever is weakly fair to a process if the process moves again and again, or
//! again and again could not. A trace can go round fairly in a strongly connected component exactly if
//! going round all of it is fair: it visits every state and takes every edge, so no other trace in it
//! treats any process better. So the components are found (Tarjan 1972) and asked one by one.
//!
//! Inside a sequence that nothing interrupts nobody else can move, but not because they could not: such
//! states excuse nothing. Only a trace that stays in such states for ever owes nothing to others; its
//! components are looked for among those states alone.

use crate::{Actors, BitSet, Exploration, Interrupt, OUTSIDE, PULSE, Progress, Transitions, Watch};

/// A set of processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Processes([u64; 4]);

impl Processes {
    const NONE: Self = Self([0; 4]);
    const ALL: Self = Self([u64::MAX; 4]);

    fn add(&mut self, actors: Actors) {
        for process in actors.iter() {
            self.0[usize::from(process) / 64] |= 1 << (process % 64);
        }
    }

    fn keep(&mut self, others: Self) {
        self.0.iter_mut().zip(others.0).for_each(|(own, other)| *own &= other);
    }

    fn is_within(self, others: Self) -> bool {
        self.0.iter().zip(others.0).all(|(own, other)| own & !other == 0)
    }
}

/// The states from which a trace can go on without violation for ever and be fair, or end. `open` says
/// whether to count those states in whose edges nobody looked at.
pub(crate) fn passing<T: Transitions>(
    system: &T,
    explored: &Exploration,
    fair: &BitSet,
    open: bool,
    watch: &dyn Watch,
) -> Result<BitSet, Interrupt> {
    let mut is_open = BitSet::new(system.bound());
    explored.open().for_each(|state| {
        is_open.insert(state);
    });
    let mut passing = BitSet::new(system.bound());
    let mut waiting = Vec::new();
    for state in explored.reached_ascending().filter(|state| !system.is_violating(*state)) {
        let passes = if is_open.contains(state) {
            open
        } else {
            let mut leaves = system.degree(state) == 0;
            system.successors(state, |_, target| leaves |= target == OUTSIDE);
            leaves || fair.contains(state)
        };
        if passes {
            passing.insert(state);
            waiting.push(state);
        }
    }
    let (mut edges, mut next_pulse) = (0, PULSE);
    while let Some(state) = waiting.pop() {
        system.predecessors(state, |_, source| {
            edges += 1;
            if explored.is_reached(source) && !system.is_violating(source) && passing.insert(source) {
                waiting.push(source);
            }
        });
        if edges >= next_pulse {
            next_pulse = edges + PULSE;
            watch.pulse(Progress { phase: "weighing", states: 0, edges, permille: None })?;
        }
    }
    Ok(passing)
}

/// The states of all components in which a trace can go round fairly.
pub(crate) fn fair_states<T: Transitions>(
    system: &T,
    explored: &Exploration,
    watch: &dyn Watch,
) -> Result<BitSet, Interrupt> {
    let mut fair = BitSet::new(system.bound());
    for only_uninterrupted in [false, true] {
        let belongs = |state: u32| {
            !system.is_violating(state) && (!only_uninterrupted || system.is_uninterrupted(state))
        };
        let mut search = Components::new(system, belongs);
        for state in explored.reached_ascending().filter(|state| belongs(*state)) {
            search.from(state, watch, |component| {
                if component.is_fair() {
                    component.members.iter().for_each(|member| {
                        fair.insert(*member);
                    });
                }
            })?;
        }
    }
    Ok(fair)
}

const UNSEEN: u32 = 0;
const DONE: u32 = u32::MAX;

/// Tarjan's algorithm without recursion, on the states that belong.
struct Components<'a, T, B> {
    system: &'a T,
    belongs: B,
    /// In which order states were found; [`DONE`] once their component is known.
    number: Vec<u32>,
    /// The least number that can be reached; once done, the number of the component.
    low: Vec<u32>,
    found: u32,
    components: u32,
    /// States whose component is not known yet.
    pending: Vec<u32>,
    /// The states on the way, each with where its targets start in `targets`.
    way: Vec<(u32, usize)>,
    targets: Vec<u32>,
    edges: u64,
    next_pulse: u64,
}

struct Component<'a, T> {
    system: &'a T,
    members: &'a [u32],
    number: &'a [u32],
    low: &'a [u32],
}

impl<T: Transitions> Component<'_, T> {
    fn is_fair(&self) -> bool {
        let own = self.low[self.members[0] as usize];
        let inside = |state: u32| {
            state != OUTSIDE && self.number[state as usize] == DONE && self.low[state as usize] == own
        };
        let (mut moving, mut always_able) = (Processes::NONE, Processes::ALL);
        let (mut goes_round, mut interruptible) = (false, false);
        for member in self.members {
            let mut able = Processes::NONE;
            self.system.successors(*member, |label, target| {
                let actors = self.system.actors(label);
                able.add(actors);
                if inside(target) {
                    goes_round = true;
                    moving.add(actors);
                }
            });
            if !self.system.is_uninterrupted(*member) {
                interruptible = true;
                always_able.keep(able);
            }
        }
        goes_round && (!interruptible || always_able.is_within(moving))
    }
}

impl<'a, T: Transitions, B: Fn(u32) -> bool> Components<'a, T, B> {
    fn new(system: &'a T, belongs: B) -> Self {
        Self {
            system,
            belongs,
            number: vec![UNSEEN; system.bound()],
            low: vec![0; system.bound()],
            found: 0,
            components: 0,
            pending: Vec::new(),
            way: Vec::new(),
            targets: Vec::new(),
            edges: 0,
            next_pulse: PULSE,
        }
    }

    /// Finds the components of all that can be reached from `start` and was not seen before.
    fn from(
        &mut self,
        start: u32,
        watch: &dyn Watch,
        mut visit: impl FnMut(Component<'_, T>),
    ) -> Result<(), Interrupt> {
        if self.number[start as usize] == UNSEEN {
            self.enter(start);
        }
        while let Some((state, first)) = self.way.last().copied() {
            if self.edges >= self.next_pulse {
                self.next_pulse = self.edges + PULSE;
                watch.pulse(Progress { phase: "weighing", states: 0, edges: self.edges, permille: None })?;
            }
            if self.targets.len() > first {
                let target = self.targets.pop().unwrap_or_default();
                match self.number[target as usize] {
                    UNSEEN => self.enter(target),
                    DONE => {}
                    seen => self.lower(state, seen),
                }
                continue;
            }
            self.way.pop();
            let low = self.low[state as usize];
            if let Some((before, _)) = self.way.last().copied() {
                self.lower(before, low);
            }
            if low == self.number[state as usize] {
                let first = self.pending.iter().rposition(|pending| *pending == state).unwrap_or(0);
                self.components += 1;
                for member in &self.pending[first..] {
                    self.number[*member as usize] = DONE;
                    self.low[*member as usize] = self.components;
                }
                visit(Component {
                    system: self.system,
                    members: &self.pending[first..],
                    number: &self.number,
                    low: &self.low,
                });
                self.pending.truncate(first);
            }
        }
        Ok(())
    }

    fn lower(&mut self, state: u32, to: u32) {
        let low = &mut self.low[state as usize];
        *low = (*low).min(to);
    }

    fn enter(&mut self, state: u32) {
        self.found += 1;
        self.number[state as usize] = self.found;
        self.low[state as usize] = self.found;
        self.pending.push(state);
        self.way.push((state, self.targets.len()));
        let (system, belongs, targets) = (self.system, &self.belongs, &mut self.targets);
        if !system.is_open(state) {
            system.successors(state, |_, target| {
                if target != OUTSIDE && belongs(target) {
                    targets.push(target);
                }
            });
        }
        self.edges += u64::from(system.degree(state));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fixture;
    use crate::{Checked, Marks, Unwatched};

    /// Labels begin with the numbers of the processes that take the step.
    fn fair(states: usize, edges: &[(u32, &str, u32)]) -> Vec<u32> {
        let graph = Fixture::new(states, edges).into_graph();
        let actors = graph.labels.iter().map(|label| {
            let mut digits = label.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0');
            Actors::new(digits.next().unwrap(), digits.next())
        });
        let actors = actors.collect();
        let system = Checked::new(graph, Marks { actors, ..Marks::default() });
        let explored = Exploration::new(&system, u64::MAX, &Unwatched);
        fair_states(&system, &explored, &Unwatched).unwrap().iter().collect()
    }

    #[test]
    fn who_could_always_move_must() {
        assert_eq!(fair(2, &[(0, "0a", 0), (0, "1b", 1)]), []);
        assert_eq!(fair(2, &[(0, "0a", 0), (0, "0b", 1)]), [0]);
        // Process 1 cannot move in state 1.
        assert_eq!(fair(3, &[(0, "0a", 1), (1, "0c", 0), (0, "1b", 2)]), [0, 1]);
        assert_eq!(fair(3, &[(0, "0a", 1), (1, "0c", 0), (0, "1b", 2), (1, "1b", 2)]), []);
    }

    #[test]
    fn both_sides_of_a_rendezvous_move() {
        assert_eq!(fair(2, &[(0, "0a", 0), (0, "01b", 0), (0, "1c", 1)]), [0]);
    }
}
