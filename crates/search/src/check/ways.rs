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
    pub(super) arrivals: u64,
    /// Steps from it to kept states.
    pub(super) exits: u64,
    /// Steps from it that are wrong.
    pub(super) wrong: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ways {
    /// Ways to kept states.
    pub(super) transitions: u64,
    /// Ways to something wrong.
    pub(super) errors: u64,
}

/// All ways that lead through the states inside; `steps` are those from one to another of them.
pub(super) fn count(inside: &[Inside], steps: &mut [[u32; 2]]) -> Ways {
    steps.sort_unstable();
    let mut starts = vec![0u32; inside.len() + 1];
    steps.iter().for_each(|[source, _]| starts[*source as usize + 1] += 1);
    (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
    let behind = |state: u32| {
        let range = starts[state as usize] as usize..starts[state as usize + 1] as usize;
        steps[range].iter().map(|[_, target]| *target)
    };
    // What kept states lead to, and how many steps lead to each of those.
    let mut reached: Vec<u32> =
        (0..inside.len() as u32).filter(|state| inside[*state as usize].arrivals > 0).collect();
    let mut is_reached: Vec<bool> = inside.iter().map(|state| state.arrivals > 0).collect();
    let mut missing = vec![0u32; inside.len()];
    let mut next = 0;
    while let Some(state) = reached.get(next).copied() {
        for target in behind(state) {
            missing[target as usize] += 1;
            if !std::mem::replace(&mut is_reached[target as usize], true) {
                reached.push(target);
            }
        }
        next += 1;
    }
    let mut ways: Vec<u64> = inside.iter().map(|state| state.arrivals).collect();
    let mut ready: Vec<u32> = reached.iter().copied().filter(|state| missing[*state as usize] == 0).collect();
    let mut total = Ways { transitions: 0, errors: 0 };
    let mut told = 0;
    while let Some(state) = ready.pop() {
        told += 1;
        let (here, own) = (ways[state as usize], &inside[state as usize]);
        total.transitions = total.transitions.saturating_add(here.saturating_mul(own.exits));
        total.errors = total.errors.saturating_add(here.saturating_mul(own.wrong));
        for target in behind(state) {
            let target = target as usize;
            ways[target] = ways[target].saturating_add(here);
            missing[target] -= 1;
            if missing[target] == 0 {
                ready.push(target as u32);
            }
        }
    }
    if told < reached.len() {
        total.transitions = u64::MAX;
        let endless =
            reached.iter().any(|state| missing[*state as usize] > 0 && inside[*state as usize].wrong > 0);
        total.errors = if endless { u64::MAX } else { total.errors };
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(arrivals: u64, exits: u64, wrong: u64) -> Inside {
        Inside { arrivals, exits, wrong }
    }

    #[test]
    fn ways_that_meet_inside_count_apart() {
        // Two ways from 0 to 3, on which one step is wrong; 4 is not reached from kept states.
        let states = [inside(3, 0, 0), inside(0, 1, 0), inside(0, 0, 0), inside(1, 2, 1), inside(0, 5, 5)];
        let mut steps = [[0, 1], [1, 3], [0, 2], [2, 3], [4, 4], [4, 3]];
        assert_eq!(count(&states, &mut steps), Ways { transitions: 3 + 2 * 7, errors: 7 });
    }

    #[test]
    fn there_is_no_end_of_ways_through_a_cycle() {
        let states = [inside(1, 1, 1), inside(0, 0, 0), inside(0, 0, 0)];
        let mut steps = [[0, 1], [1, 2], [2, 1]];
        assert_eq!(count(&states, &mut steps), Ways { transitions: u64::MAX, errors: 1 });
        let mut steps = [[0, 1], [1, 0]];
        assert_eq!(count(&states, &mut steps), Ways { transitions: u64::MAX, errors: u64::MAX });
    }
}
