//! How likely a trace fails that goes on by chance.
//!
//! In every state one of the steps is taken, each as likely as the others. Any violation ends a trace that has failed, also
//! one that is not explained: fates count the same, so where every continuation fails the chance is 1. The chance of a state is the mean of those behind it,
//! so components are solved one after the other, those first that others lead to. Where failing is
//! impossible the chance is 0, and where one cannot come to such a state any more it is 1; between these
//! the equations have one solution. It is closed in on from below and from above until both agree (interval
//! iteration: Haddad and Monmege, "Interval iteration algorithm for MDPs and IMDPs", 2018), so how exact a
//! chance is, is known. What lies beyond a limit may be anything from 0 to 1.
//!
//! A system that runs for ever and can always still fail fails sooner or later for certain. There the chance to
//! fail *soon* says more ([`Chances::within`]): as many means as there are steps.

use crate::{BitSet, Components, Exploration, Interrupt, OUTSIDE, PULSE, Progress, Transitions, Watch};

/// Where the bounds are this close, they are one number.
const CLOSE: f64 = 1e-9;

/// For every live state, between what bounds the chance to fail lies.
#[derive(Debug)]
pub struct Chances {
    bounds: Vec<[f64; 2]>,
}

impl Chances {
    /// The chance of a state is worked out anew no more than `budget` times in all; where that is not enough,
    /// bounds stay apart.
    pub fn new<T: Transitions>(
        system: &T,
        explored: &Exploration,
        budget: u64,
        watch: &dyn Watch,
    ) -> Result<Self, Interrupt> {
        let mut solving =
            Solving { system, explored, watch, bounds: vec![[0.0, 1.0]; system.bound()], edges: 0, budget };
        let (can_fail, can_escape) = solving.possible()?;
        for state in explored.live() {
            let bounds = &mut solving.bounds[*state as usize];
            if !can_fail.contains(*state) {
                *bounds = [0.0; 2];
            } else if !can_escape.contains(*state) {
                *bounds = [1.0; 2];
            }
        }
        let is_between = |state: u32| can_fail.contains(state) && can_escape.contains(state);
        let mut components = Components::new(system.bound(), "chances");
        let mut stopped = None;
        for start in explored.live().iter().copied().filter(|state| is_between(*state)) {
            let targets_of = |state: u32, targets: &mut Vec<u32>| {
                if !system.is_violating(state) {
                    system.successors(state, |_, target| {
                        if target != OUTSIDE && explored.is_live(target) && is_between(target) {
                            targets.push(target);
                        }
                    });
                }
            };
            // What lies behind a component is shown before it.
            components.from(start, targets_of, watch, |_, states| {
                if stopped.is_none() {
                    stopped = solving.component(states).err();
                }
            })?;
        }
        if let Some(interrupt) = stopped {
            return Err(interrupt);
        }
        Ok(Self { bounds: solving.bounds })
    }

    /// The chances to fail within so many steps, by state. Everything must have been explored. Only where something
    /// has changed behind a state is its mean worked out again.
    pub fn within<T: Transitions>(
        system: &T,
        explored: &Exploration,
        steps: u64,
        watch: &dyn Watch,
    ) -> Result<Vec<f64>, Interrupt> {
        let goes_on = |state: u32| explored.is_live(state) && !system.is_violating(state);
        let mut chances = vec![0.0; system.bound()];
        explored.violating().iter().for_each(|state| chances[*state as usize] = 1.0);
        // Predecessors may leave out who leads to nothing but violations, so the first round asks everybody.
        let mut asked: Vec<u32> = explored.reached_ascending().filter(|state| goes_on(*state)).collect();
        let mut is_asked = BitSet::new(system.bound());
        let mut changed: Vec<(u32, f64)> = Vec::new();
        let (mut edges, mut next_pulse) = (0, PULSE);
        for _ in 0..steps {
            for state in &asked {
                let mut sum = 0.0;
                system.successors(*state, |_, target| {
                    edges += 1;
                    sum += if target == OUTSIDE { 0.0 } else { chances[target as usize] };
                });
                let chance = sum / f64::from(system.degree(*state).max(1));
                if chance != chances[*state as usize] {
                    changed.push((*state, chance));
                }
            }
            asked.drain(..).for_each(|state| _ = is_asked.remove(state));
            for (state, chance) in changed.drain(..) {
                chances[state as usize] = chance;
                system.predecessors(state, |_, source| {
                    if goes_on(source) && is_asked.insert(source) {
                        asked.push(source);
                    }
                });
            }
            if edges >= next_pulse {
                next_pulse = edges + PULSE;
                watch.pulse(Progress { phase: "chances", edges, ..Progress::default() })?;
            }
            if asked.is_empty() {
                break;
            }
        }
        Ok(chances)
    }

    /// The chance to fail from a live state lies between these.
    pub fn of(&self, state: u32) -> [f64; 2] {
        self.bounds[state as usize]
    }
}

struct Solving<'a, T> {
    system: &'a T,
    explored: &'a Exploration,
    watch: &'a dyn Watch,
    bounds: Vec<[f64; 2]>,
    edges: u64,
    budget: u64,
}

impl<T: Transitions> Solving<'_, T> {
    /// The live states from which a trace can fail, and those from which one can come to where it cannot fail
    /// any more.
    fn possible(&mut self) -> Result<(BitSet, BitSet), Interrupt> {
        let Self { system, explored, .. } = *self;
        let (mut failing, mut passing) = (Vec::new(), Vec::new());
        for state in explored.live().iter().copied() {
            if system.is_violating(state) {
                failing.push(state);
            } else if system.is_open(state) {
                failing.push(state);
                passing.push(state);
            } else {
                // Predecessors may leave out who leads to nothing but violations.
                let (mut passes, mut fails) = (system.degree(state) == 0, false);
                system.successors(state, |_, target| {
                    let is_known = target == OUTSIDE || explored.is_live(target);
                    fails |= !is_known || target != OUTSIDE && system.is_violating(target);
                    passes |= target == OUTSIDE || !is_known;
                });
                if passes {
                    passing.push(state);
                }
                if fails {
                    failing.push(state);
                }
            }
        }
        let can_fail = self.backwards(failing)?;
        passing.extend(explored.live().iter().copied().filter(|state| !can_fail.contains(*state)));
        let can_escape = self.backwards(passing)?;
        Ok((can_fail, can_escape))
    }

    /// The live states from which one of these can be reached.
    fn backwards(&mut self, mut waiting: Vec<u32>) -> Result<BitSet, Interrupt> {
        let mut reached = BitSet::new(self.system.bound());
        waiting.retain(|state| reached.insert(*state));
        while let Some(state) = waiting.pop() {
            let mut edges = 1;
            self.system.predecessors(state, |_, source| {
                edges += 1;
                let goes_on = self.explored.is_live(source) && !self.system.is_violating(source);
                if goes_on && reached.insert(source) {
                    waiting.push(source);
                }
            });
            self.beat(edges)?;
        }
        Ok(reached)
    }

    fn beat(&mut self, edges: u64) -> Result<(), Interrupt> {
        let before = self.edges / PULSE;
        self.edges += edges;
        if self.edges / PULSE == before {
            return Ok(());
        }
        self.watch.pulse(Progress { phase: "chances", edges: self.edges, ..Progress::default() })
    }

    /// Closes in on the chances of the states of one component; those behind it are known.
    fn component(&mut self, states: &[u32]) -> Result<(), Interrupt> {
        loop {
            let mut widest: f64 = 0.0;
            for state in states {
                if self.system.is_violating(*state) || self.system.is_open(*state) {
                    continue;
                }
                let [low, high] = self.mean(*state);
                let known = &mut self.bounds[*state as usize];
                // Rounding must not take back what was known.
                *known = [low.max(known[0]), high.min(known[1])];
                widest = widest.max(known[1] - known[0]);
            }
            self.beat(states.len() as u64)?;
            self.budget = self.budget.saturating_sub(states.len() as u64);
            let has_cycle = states.len() > 1;
            if widest <= CLOSE
                || self.budget == 0
                || !has_cycle && self.mean(states[0]) == self.bounds[states[0] as usize]
            {
                break;
            }
        }
        Ok(())
    }

    /// The mean of what lies behind a state.
    fn mean(&self, state: u32) -> [f64; 2] {
        let mut sum = [0.0, 0.0];
        self.system.successors(state, |_, target| {
            let [low, high] = match target {
                OUTSIDE => [0.0; 2],
                _ if !self.explored.is_live(target) => [0.0, 1.0],
                _ if self.system.is_violating(target) => [1.0; 2],
                _ => self.bounds[target as usize],
            };
            sum[0] += low;
            sum[1] += high;
        });
        sum.map(|sum| sum / f64::from(self.system.degree(state).max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fixture;
    use crate::{Checked, Marks, Unwatched};

    fn chances(edges: &[(u32, &str, u32)], states: usize, deadlocks: &[u32]) -> Vec<f64> {
        let graph = Fixture::new(states, edges).into_graph();
        let system = Checked::new(graph, Marks { deadlocks: deadlocks.to_vec(), ..Marks::default() });
        let explored = Exploration::new(&system, u64::MAX, &Unwatched);
        let found = Chances::new(&system, &explored, u64::MAX, &Unwatched).unwrap();
        (0..states as u32)
            .map(|state| {
                let [low, high] = found.of(state);
                assert!(high - low <= CLOSE, "{state}: {low} {high}");
                low.midpoint(high)
            })
            .collect()
    }

    #[test]
    fn a_walk_between_two_ends() {
        // The gambler's ruin: from k of 4 the chance to come to 4 before 0 is k / 4.
        let mut edges = vec![(5, "a", 1), (5, "b", 2), (5, "c", 3)];
        for state in 1..4 {
            edges.extend([(state, "down", state - 1), (state, "up", state + 1)]);
        }
        edges.push((0, "stay", 0));
        edges.push((5, "d", 5));
        let fixture: Vec<(u32, &str, u32)> =
            edges.iter().map(|(from, label, to)| (shift(*from), *label, shift(*to))).collect();
        let found = chances(&fixture, 6, &[shift(4)]);
        for (state, chance) in [(0, 0.0), (1, 0.25), (2, 0.5), (3, 0.75), (4, 1.0), (5, 0.5)] {
            assert!((found[shift(state) as usize] - chance).abs() < 1e-8, "{state}: {found:?}");
        }
    }

    /// State 5 is the first one.
    fn shift(state: u32) -> u32 {
        (state + 1) % 6
    }

    #[test]
    fn a_loop_that_can_be_left_one_way_only_is_left() {
        assert_eq!(chances(&[(0, "a", 0), (0, "b", 1)], 2, &[1]), [1.0, 1.0]);
        assert_eq!(chances(&[(0, "a", 0), (0, "b", 1), (1, "c", 1)], 2, &[]), [0.0, 0.0]);
    }
}
