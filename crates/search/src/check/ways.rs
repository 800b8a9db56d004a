//! Transitions and errors as SPIN counts them, without the edges of the states it keeps.
//!
//! Inside sequences that nothing interrupts SPIN keeps no states, so it counts ways: from a kept state
//! through such a sequence to the next kept state, or to something wrong. How many ways lead to a state
//! inside is what comes from kept states plus what comes from other states inside, so it can be told as
//! soon as it is known for all of those (Kahn's topological order). States that this never comes to lie
//! on a cycle or behind one, and there is no end of ways to them.

/// A state inside a sequence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Inside {
    /// Steps to it from kept states.
    pub(super) arrivals: u32,
    /// Steps from it to kept states.
    pub(super) exits: u32,
    /// Steps from it that are wrong.
    pub(super) wrong: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ways {
    /// Ways to kept states.
    pub(super) transitions: u64,
    /// Ways to something wrong.
    pub(super) errors: u64,
}

/// All ways that lead through the states inside; `lists` have the steps from one to another of them.
pub(super) fn count(inside: &[Inside], lists: &[Vec<[u32; 2]>]) -> Ways {
    let steps = || lists.iter().flatten();
    // The targets of all steps, those with the same source one behind the other.
    let mut starts = vec![0u32; inside.len() + 1];
    steps().for_each(|[source, _]| starts[*source as usize] += 1);
    (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
    let mut targets = vec![0; lists.iter().map(Vec::len).sum()];
    for [source, target] in steps() {
        let start = &mut starts[*source as usize];
        *start -= 1;
        targets[*start as usize] = *target;
    }
    let behind = |state: u32| {
        targets[starts[state as usize] as usize..starts[state as usize + 1] as usize].iter().copied()
    };
    let mut missing = vec![0u32; inside.len()];
    steps().for_each(|[_, target]| missing[*target as usize] += 1);
    let mut ways: Vec<u64> = inside.iter().map(|state| u64::from(state.arrivals)).collect();
    // Those of which all that comes to them is known, in the order in which they were found to be so: that is
    // nearly the order in which they lie in memory.
    let mut known: Vec<u32> =
        (0..).zip(&missing).filter(|(_, missing)| **missing == 0).map(|(at, _)| at).collect();
    let mut total = Ways { transitions: 0, errors: 0 };
    let mut next = 0;
    while let Some(state) = known.get(next).copied() {
        next += 1;
        let (here, own) = (ways[state as usize], &inside[state as usize]);
        total.transitions = total.transitions.saturating_add(here.saturating_mul(own.exits.into()));
        total.errors = total.errors.saturating_add(here.saturating_mul(own.wrong.into()));
        for target in behind(state) {
            let target = target as usize;
            ways[target] = ways[target].saturating_add(here);
            missing[target] -= 1;
            if missing[target] == 0 {
                known.push(target as u32);
            }
        }
    }
    if known.len() < inside.len() {
        let reached = reached(inside, behind);
        // What nobody comes to must not keep others waiting.
        let counted: Vec<[u32; 2]> =
            steps().copied().filter(|[source, _]| reached[*source as usize]).collect();
        if counted.len() < targets.len() {
            return count(inside, &[counted]);
        }
        total.transitions = u64::MAX;
        if inside.iter().zip(&missing).any(|(state, missing)| *missing > 0 && state.wrong > 0) {
            total.errors = u64::MAX;
        }
    }
    total
}

/// Which states can be come to from kept ones.
fn reached<I: Iterator<Item = u32>>(inside: &[Inside], behind: impl Fn(u32) -> I) -> Vec<bool> {
    let mut is_reached: Vec<bool> = inside.iter().map(|state| state.arrivals > 0).collect();
    let mut open: Vec<u32> =
        (0..).zip(&is_reached).filter(|(_, reached)| **reached).map(|(at, _)| at).collect();
    while let Some(state) = open.pop() {
        for target in behind(state) {
            if !std::mem::replace(&mut is_reached[target as usize], true) {
                open.push(target);
            }
        }
    }
    is_reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(arrivals: u32, exits: u32, wrong: u32) -> Inside {
        Inside { arrivals, exits, wrong }
    }

    #[test]
    fn ways_that_meet_inside_count_apart() {
        // Two ways from 0 to 3, on which one step is wrong; 4 is not reached from kept states.
        let states = [inside(3, 0, 0), inside(0, 1, 0), inside(0, 0, 0), inside(1, 2, 1), inside(0, 5, 5)];
        let steps = [vec![[0, 1], [1, 3], [0, 2]], vec![[2, 3], [4, 4], [4, 3]]];
        assert_eq!(count(&states, &steps), Ways { transitions: 3 + 2 * 7, errors: 7 });
    }

    #[test]
    fn there_is_no_end_of_ways_through_a_cycle() {
        let states = [inside(1, 1, 1), inside(0, 0, 0), inside(0, 0, 0)];
        let steps = [vec![[0, 1], [1, 2], [2, 1]]];
        assert_eq!(count(&states, &steps), Ways { transitions: u64::MAX, errors: 1 });
        let steps = [vec![[0, 1]], vec![[1, 0]]];
        assert_eq!(count(&states, &steps), Ways { transitions: u64::MAX, errors: u64::MAX });
    }
}
