//! Passing for ever without passing anybody over.
//!
//! A trace that goes round for ever is weakly fair to a process if the process moves again and again, or
//! again and again could not. A trace can go round fairly in a strongly connected component exactly if
//! going round all of it is fair: it visits every state and takes every edge, so no other trace in it
//! treats any process better. So the components are found and asked one by one.
//!
//! Inside a sequence that nothing interrupts nobody else can move, but not because they could not: such
//! states excuse nothing. Only a trace that stays in such states for ever owes nothing to others; its
//! components are looked for among those states alone.

use crate::{
    BitSet, Components, Exploration, Interrupt, OUTSIDE, PULSE, Processes, Progress, Transitions, Watch,
};

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
            watch.pulse(Progress { phase: "weighing", edges, ..Progress::default() })?;
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
        let mut components = Components::new(system.bound(), "weighing");
        let targets_of = |state: u32, targets: &mut Vec<u32>| {
            if !system.is_open(state) {
                system.successors(state, |_, target| {
                    if target != OUTSIDE && belongs(target) {
                        targets.push(target);
                    }
                });
            }
        };
        for state in explored.reached_ascending().filter(|state| belongs(*state)) {
            components.from(state, targets_of, watch, |components, members| {
                if is_fair(system, components, members) {
                    members.iter().for_each(|member| {
                        fair.insert(*member);
                    });
                }
            })?;
        }
    }
    Ok(fair)
}

/// Whether a trace can go round in a component and be fair to everybody.
fn is_fair<T: Transitions>(system: &T, components: &Components, members: &[u32]) -> bool {
    // Most components are single states that nothing leads back to; nobody need be asked who moves there.
    if let [only] = members {
        let mut is_loop = false;
        system.successors(*only, |_, target| is_loop |= target == *only);
        if !is_loop {
            return false;
        }
    }
    let (mut moving, mut always_able) = (Processes::NONE, Processes::ALL);
    let (mut goes_round, mut interruptible) = (false, false);
    for member in members {
        let mut able = Processes::NONE;
        system.successors(*member, |label, target| {
            let actors = system.actors(label);
            able.add_all(actors);
            if target != OUTSIDE && components.are_together(*member, target) {
                goes_round = true;
                moving.add_all(actors);
            }
        });
        if !system.is_uninterrupted(*member) {
            interruptible = true;
            always_able = always_able.and(able);
        }
    }
    goes_round && (!interruptible || always_able.is_within(moving))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fixture;
    use crate::{Actors, Checked, Marks, Unwatched};

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
