//! Fates of graphs with processes against the definition, by brute force.

use std::collections::BTreeSet;

use graph::{Exploration, Fairness, Fate, Fates, Transitions, Unwatched};
use testkit::process_case::ProcessCase;
use testkit::random::for_random_inputs;

#[test]
fn fates_with_processes_are_those_of_the_definition() {
    let mut seen = BTreeSet::new();
    for_random_inputs(4_000, |random| {
        let case = ProcessCase::random(random);
        let system = case.system();
        let explored = Exploration::new(&system, u64::MAX, &Unwatched);
        for fairness in [Fairness::Weak, Fairness::None] {
            let fates = Fates::new(&system, &explored, fairness, &Unwatched).unwrap();
            for state in explored.live().iter().copied().filter(|state| !system.is_violating(*state)) {
                let expected = match (case.can_fail(state), case.can_pass(state, fairness)) {
                    (true, true) => Fate::Free,
                    (true, false) => Fate::Doomed,
                    (false, true) => Fate::Safe,
                    (false, false) => Fate::Elsewhere,
                };
                seen.insert((expected, fairness == Fairness::Weak));
                assert_eq!(fates.of(state), expected, "state {state}, {fairness:?}");
            }
        }
    });
    assert_eq!(seen.len(), 8, "every fate occurs with both notions");
}

#[test]
fn what_is_not_known_yet_is_never_contradicted_later() {
    for_random_inputs(4_000, |random| {
        let case = ProcessCase::random(random);
        let whole = case.system();
        let explored = Exploration::new(&whole, u64::MAX, &Unwatched);
        let truth = Fates::new(&whole, &explored, Fairness::Weak, &Unwatched).unwrap();
        let open: BTreeSet<u32> = (0..case.states).filter(|_| random.below(3) == 0).collect();
        let known = |edge: &(u32, u32, u32)| !open.contains(&edge.0);
        let part = ProcessCase {
            edges: case.edges.iter().copied().filter(known).collect(),
            wrong: case.wrong.iter().copied().filter(|(edge, _)| known(edge)).collect(),
            deadlocks: case.deadlocks.difference(&open).copied().collect(),
            uninterrupted: case.uninterrupted.clone(),
            ..case
        };
        let part = part.system_with(open.iter().copied().collect());
        let explored = Exploration::new(&part, u64::MAX, &Unwatched);
        let fates = Fates::new(&part, &explored, Fairness::Weak, &Unwatched).unwrap();
        for state in explored.live() {
            let told = fates.of(*state);
            assert!(told == Fate::Unknown || told == truth.of(*state), "state {state}: {told:?}");
        }
    });
}
