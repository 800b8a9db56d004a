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

use graph::{Interrupt, OUTSIDE, Transitions};

use super::{KnownFates, PASSING};
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
    known_fates: &KnownFates<'_, T>,
    trace: &[u32],
    most_edges: u64,
) -> Result<OrderCore, Interrupt> {
    let mut matcher =
        Matcher { known_fates, pulse: Pulse::new("ordering", known_fates.watch), left: most_edges };
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
    known_fates: &'g KnownFates<'a, T>,
    pulse: Pulse<'a>,
    left: u64,
}

impl<T: Transitions> Matcher<'_, '_, T> {
    fn core(&mut self, trace: &[u32]) -> Result<Option<Vec<usize>>, Stop> {
        if let Some(small) = self.one_or_two(trace)? {
            return Ok(Some(small));
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

    /// The first event that no passing trace has or, where all have passing traces, the two that are
    /// complete first and, among those, lie nearest.
    fn one_or_two(&mut self, trace: &[u32]) -> Result<Option<Vec<usize>>, Stop> {
        let mut kinds: Vec<u32> = trace.to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        let mut later = Vec::new();
        for batch in kinds.chunks(Later::MOST) {
            later.push(Later::new(self, batch)?);
        }
        let of = |label: u32| {
            let found =
                later.iter().find_map(|later| later.kinds.binary_search(&label).ok().map(|at| (later, at)));
            found.map(|(later, at)| (later, 1u64 << at))
        };
        let has = |first: Option<u32>, second: u32| {
            of(second).is_none_or(|(later, bit)| later.after(first) & bit != 0)
        };
        if let Some(at) = trace.iter().position(|label| !has(None, *label)) {
            return Ok(Some(vec![at]));
        }
        for second in 1..trace.len() {
            let mut firsts = (0..second).rev();
            if let Some(first) = firsts.find(|first| !has(Some(trace[*first]), trace[second])) {
                return Ok(Some(vec![first, second]));
            }
        }
        Ok(None)
    }

    fn spend(&mut self, edges: u32) -> Result<(), Stop> {
        self.pulse.beat(edges)?;
        self.left = self.left.checked_sub(u64::from(edges)).ok_or(Stop::TooLarge)?;
        Ok(())
    }

    /// How many of the events, taken from the front, some passing trace has in this order.
    fn matched(&mut self, trace: &[u32], events: &[usize]) -> Result<usize, Stop> {
        let known_fates = self.known_fates;
        let system = known_fates.system;
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
            system.initial().into_iter().filter(|state| known_fates.goes_on(*state)).collect();
        let mut waiting_outside = Vec::new();
        waiting.iter().for_each(|state| best[*state as usize] = 0);
        let mut most = 0;
        while let Some(state) = waiting.pop() {
            self.spend(system.degree(state))?;
            let here = best[state as usize];
            system.successors(state, |label, target| {
                let matched = next(here, label);
                if known_fates.outcome(target) & PASSING != 0 {
                    most = most.max(matched);
                }
                if target != OUTSIDE
                    && known_fates.goes_on(target)
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

/// Which of up to 64 labels passing traces have later on, a bit for each: after every state first, carried
/// backwards until nothing changes, and from that after every label.
struct Later {
    /// The labels that have a bit, ascending.
    kinds: Vec<u32>,
    anywhere: u64,
    after: Vec<u64>,
}

impl Later {
    const MOST: usize = u64::BITS as usize;

    fn new<T: Transitions>(matcher: &mut Matcher<'_, '_, T>, kinds: &[u32]) -> Result<Self, Stop> {
        let known_fates = matcher.known_fates;
        let system = known_fates.system;
        let mut bit = vec![0u64; known_fates.labels];
        kinds.iter().enumerate().for_each(|(at, label)| bit[*label as usize] = 1 << at);
        let outside = Self::outside(matcher, &bit)?;
        let mut later = vec![0u64; system.bound()];
        let mut waiting = Vec::new();
        let going_on =
            || known_fates.explored.reached_ascending().filter(|state| known_fates.goes_on(*state));
        for state in going_on() {
            matcher.spend(system.degree(state))?;
            let mut own = 0;
            system.successors(state, |label, target| {
                if known_fates.outcome(target) & PASSING != 0 {
                    own |= bit[label as usize];
                }
            });
            system.leaving(state, |label, target| own |= bit[label as usize] | outside[target as usize]);
            later[state as usize] = own;
            waiting.extend((own != 0).then_some(state));
        }
        while let Some(state) = waiting.pop() {
            let bits = later[state as usize];
            let mut edges = 1;
            system.predecessors(state, |_, source| {
                edges += 1;
                if known_fates.goes_on(source) && later[source as usize] | bits != later[source as usize] {
                    later[source as usize] |= bits;
                    waiting.push(source);
                }
            });
            matcher.spend(edges)?;
        }
        let mut after = vec![0u64; known_fates.labels];
        for state in going_on() {
            matcher.spend(system.degree(state))?;
            system.successors(state, |label, target| {
                if target != OUTSIDE && known_fates.goes_on(target) {
                    after[label as usize] |= later[target as usize];
                }
            });
            system.leaving(state, |label, target| after[label as usize] |= outside[target as usize]);
        }
        for state in known_fates.outside() {
            system.outside_successors(state, |label, target| {
                after[label as usize] |= outside[target as usize];
            });
        }
        let starts = system.initial().into_iter().filter(|state| known_fates.goes_on(*state));
        let anywhere = starts.fold(0, |bits, state| bits | later[state as usize]);
        Ok(Self { kinds: kinds.to_vec(), anywhere, after })
    }

    /// The same for the states outside, where every trace passes.
    fn outside<T: Transitions>(matcher: &mut Matcher<'_, '_, T>, bit: &[u64]) -> Result<Vec<u64>, Stop> {
        let system = matcher.known_fates.system;
        let mut later = vec![0u64; system.outside_bound()];
        let mut waiting = matcher.known_fates.outside();
        // Nobody keeps the edges outside backwards.
        let mut sources: Vec<(u32, u32)> = Vec::new();
        for state in &waiting {
            matcher.spend(1)?;
            system.outside_successors(*state, |label, target| {
                later[*state as usize] |= bit[label as usize];
                sources.push((target, *state));
            });
        }
        sources.sort_unstable();
        while let Some(state) = waiting.pop() {
            let bits = later[state as usize];
            let first = sources.partition_point(|(target, _)| *target < state);
            for (_, source) in sources[first..].iter().take_while(|(target, _)| *target == state) {
                matcher.spend(1)?;
                if later[*source as usize] | bits != later[*source as usize] {
                    later[*source as usize] |= bits;
                    waiting.push(*source);
                }
            }
        }
        Ok(later)
    }

    /// The labels after this one, or anywhere.
    fn after(&self, label: Option<u32>) -> u64 {
        label.map_or(self.anywhere, |label| self.after[label as usize])
    }
}
