//! The order core: as few events of a failing trace as suffice, in their order, whatever comes between.
//!
//! Where no single event is decisive the order of several is. The core of a trace is a smallest
//! subsequence that no passing trace contains. One event and two are tried outright, so a core of that
//! size is a smallest one; beyond that the whole trace is shrunk until every event that is left is
//! needed (Zeller and Hildebrandt, 2002, with one event at a time).
//!
//! How far a pattern can be matched on the way to a state is one number, since having matched more is
//! never worse: the automaton of the pattern needs no product with the graph, only the best match
//! of every state, improved until nothing improves.

use graph::{BitSet, Interrupt, OUTSIDE, Transitions};

use super::{Ground, PASSING};
use crate::pulse::Pulse;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderCore {
    /// The indices of the events, ascending.
    Found(Vec<usize>),
    /// Some passing trace contains all events of the trace in their order.
    None,
    /// It would have taken too long to find out.
    TooLarge,
}

/// The order core of the trace with these labels. So many edges are looked at, at most.
pub fn order_core<T: Transitions>(
    ground: &Ground<'_, T>,
    trace: &[u32],
    most_edges: u64,
) -> Result<OrderCore, Interrupt> {
    let mut matcher = Matcher { ground, pulse: Pulse::new("ordering", ground.watch), left: most_edges };
    match matcher.core(trace) {
        Ok(Some(core)) => Ok(OrderCore::Found(core)),
        Ok(None) => Ok(OrderCore::None),
        Err(Stop::TooLarge) => Ok(OrderCore::TooLarge),
        Err(Stop::Interrupt(interrupt)) => Err(interrupt),
    }
}

enum Stop {
    TooLarge,
    Interrupt(Interrupt),
}

impl From<Interrupt> for Stop {
    fn from(interrupt: Interrupt) -> Self {
        Self::Interrupt(interrupt)
    }
}

struct Matcher<'g, 'a, T> {
    ground: &'g Ground<'a, T>,
    pulse: Pulse<'a>,
    left: u64,
}

impl<T: Transitions> Matcher<'_, '_, T> {
    fn core(&mut self, trace: &[u32]) -> Result<Option<Vec<usize>>, Stop> {
        // The labels of passing traces.
        let anywhere = self.passing_after(None)?;
        if let Some(at) = trace.iter().position(|label| !anywhere.contains(*label)) {
            return Ok(Some(vec![at]));
        }
        if let Some(pair) = self.pair(trace)? {
            return Ok(Some(pair));
        }
        // What no passing trace contains it does not contain with more events behind it.
        let mut core: Vec<usize> = (0..trace.len()).collect();
        let matched = self.matched(trace, &core)?;
        if matched == core.len() {
            return Ok(None);
        }
        core.truncate(matched + 1);
        let mut at = 0;
        while at < core.len() {
            let event = core.remove(at);
            if self.matched(trace, &core)? == core.len() {
                core.insert(at, event);
                at += 1;
            }
        }
        Ok(Some(core))
    }

    /// The two events that are complete first and, among those, lie nearest.
    fn pair(&mut self, trace: &[u32]) -> Result<Option<Vec<usize>>, Stop> {
        let mut after: Vec<Option<BitSet>> = vec![None; self.ground.labels];
        for second in 1..trace.len() {
            for first in (0..second).rev() {
                let label = trace[first] as usize;
                if after[label].is_none() {
                    after[label] = Some(self.passing_after(Some(trace[first]))?);
                }
                if after[label].as_ref().is_some_and(|after| !after.contains(trace[second])) {
                    return Ok(Some(vec![first, second]));
                }
            }
        }
        Ok(None)
    }

    fn spend(&mut self, edges: u32) -> Result<(), Stop> {
        self.pulse.beat(edges)?;
        self.left = self.left.checked_sub(u64::from(edges)).ok_or(Stop::TooLarge)?;
        Ok(())
    }

    /// The labels that passing traces have after they had `label`, or anywhere.
    fn passing_after(&mut self, label: Option<u32>) -> Result<BitSet, Stop> {
        let ground = self.ground;
        let system = ground.system;
        let mut after = BitSet::new(ground.labels);
        let mut seen = BitSet::new(system.bound());
        let mut seen_outside = BitSet::new(system.outside_bound());
        let (mut waiting, mut waiting_outside): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        match label {
            None => waiting.extend(system.initial().into_iter().filter(|state| ground.goes_on(*state))),
            Some(label) => {
                for state in ground.explored.reached_ascending().filter(|state| ground.goes_on(*state)) {
                    self.spend(system.degree(state))?;
                    system.successors(state, |other, target| {
                        if other == label && target != OUTSIDE && ground.goes_on(target) {
                            waiting.push(target);
                        }
                    });
                    system.leaving(state, |other, target| {
                        if other == label {
                            waiting_outside.push(target);
                        }
                    });
                }
                for state in ground.outside() {
                    system.outside_successors(state, |other, target| {
                        if other == label {
                            waiting_outside.push(target);
                        }
                    });
                }
            }
        }
        waiting.retain(|state| seen.insert(*state));
        while let Some(state) = waiting.pop() {
            self.spend(system.degree(state))?;
            system.successors(state, |label, target| {
                if ground.outcome(target) & PASSING != 0 {
                    after.insert(label);
                }
                if target != OUTSIDE && ground.goes_on(target) && seen.insert(target) {
                    waiting.push(target);
                }
            });
            system.leaving(state, |_, target| waiting_outside.push(target));
        }
        waiting_outside.retain(|state| seen_outside.insert(*state));
        while let Some(state) = waiting_outside.pop() {
            self.spend(1)?;
            system.outside_successors(state, |label, target| {
                after.insert(label);
                if seen_outside.insert(target) {
                    waiting_outside.push(target);
                }
            });
        }
        Ok(after)
    }

    /// How many of the events, taken from the front, some passing trace has in this order.
    fn matched(&mut self, trace: &[u32], events: &[usize]) -> Result<usize, Stop> {
        let ground = self.ground;
        let system = ground.system;
        let next = |matched: u32, label: u32| {
            let wanted = events.get(matched as usize).map(|at| trace[*at]);
            matched + u32::from(wanted == Some(label))
        };
        const NOWHERE: u32 = u32::MAX;
        let improves = |best: &mut u32, matched: u32| {
            let improves = *best == NOWHERE || *best < matched;
            if improves {
                *best = matched;
            }
            improves
        };
        let mut best = vec![NOWHERE; system.bound()];
        let mut best_outside = vec![NOWHERE; system.outside_bound()];
        let mut waiting: Vec<u32> =
            system.initial().into_iter().filter(|state| ground.goes_on(*state)).collect();
        let mut waiting_outside = Vec::new();
        waiting.iter().for_each(|state| best[*state as usize] = 0);
        let mut most = 0;
        while let Some(state) = waiting.pop() {
            self.spend(system.degree(state))?;
            let here = best[state as usize];
            system.successors(state, |label, target| {
                let matched = next(here, label);
                if ground.outcome(target) & PASSING != 0 {
                    most = most.max(matched);
                }
                if target != OUTSIDE
                    && ground.goes_on(target)
                    && improves(&mut best[target as usize], matched)
                {
                    waiting.push(target);
                }
            });
            system.leaving(state, |label, target| {
                if improves(&mut best_outside[target as usize], next(here, label)) {
                    waiting_outside.push(target);
                }
            });
        }
        while let Some(state) = waiting_outside.pop() {
            self.spend(1)?;
            let here = best_outside[state as usize];
            system.outside_successors(state, |label, target| {
                let matched = next(here, label);
                most = most.max(matched);
                if improves(&mut best_outside[target as usize], matched) {
                    waiting_outside.push(target);
                }
            });
        }
        Ok(most as usize)
    }
}
