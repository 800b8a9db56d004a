//! Fenced systems against their definition: where the first event has just happened and the second can,
//! nothing else happens.

use std::collections::BTreeSet;

use explain::anomalies::fence::Fenced;
use explain::anomalies::{Cure, Fence, cure};
use graph::{Exploration, Fairness, Transitions, Unwatched};
use testkit::process_case::{PROCESSES, ProcessCase};
use testkit::random::{Random, for_random_inputs};

/// How many steps are compared.
const LONGEST: usize = 5;
const LABELS: u32 = 6;

/// Some events of one process, each first, second, both or neither.
fn random_fence(random: &mut Random) -> Fence {
    let process = random.below(PROCESSES) as u8;
    let mut who = || {
        let own = |label| ProcessCase::takes_part(label, process) && random.below(2) == 0;
        (0..LABELS).map(own).map(|own| own.then_some(process)).collect::<Vec<_>>()
    };
    Fence { first: who(), second: who() }
}

/// A trace by its labels, and whether it ends with a violation.
type Told = (Vec<u32>, bool);

/// The traces of the case in which nothing parts the two, step by step.
fn by_definition(case: &ProcessCase, fence: &Fence) -> BTreeSet<Told> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<(u32, Vec<u32>)> = vec![(0, Vec::new())];
    while let Some((state, labels)) = waiting.pop() {
        let violates = case.deadlocks.contains(&state);
        found.insert((labels.clone(), violates));
        if violates || labels.len() == LONGEST {
            continue;
        }
        let steps: Vec<_> = case.edges.iter().filter(|edge| edge.0 == state).collect();
        let is_second = |label: u32| fence.second[label as usize].is_some();
        let just_first = labels.last().is_some_and(|label| fence.first[*label as usize].is_some());
        let only_second = just_first && steps.iter().any(|edge| is_second(edge.1));
        for edge in steps.into_iter().filter(|edge| !only_second || is_second(edge.1)) {
            let longer = [&labels[..], &[edge.1]].concat();
            if case.wrong.iter().any(|(wrong, _)| wrong == edge) {
                found.insert((longer, true));
            } else {
                waiting.push((edge.2, longer));
            }
        }
    }
    found
}

fn by_walking(system: &impl Transitions) -> BTreeSet<Told> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<(u32, Vec<u32>)> =
        system.initial().into_iter().map(|state| (state, Vec::new())).collect();
    while let Some((state, labels)) = waiting.pop() {
        let violates = system.is_violating(state);
        found.insert((labels.clone(), violates));
        if !violates && labels.len() < LONGEST {
            system.successors(state, |label, target| {
                waiting.push((target, [&labels[..], &[label]].concat()));
                let mut known = false;
                system.predecessors(target, |other, source| known |= (other, source) == (label, state));
                assert!(known, "an edge that is missing backwards");
            });
        }
    }
    found
}

#[test]
fn nothing_comes_between_what_is_fenced_in() {
    let mut parted = 0;
    for_random_inputs(4_000, |random| {
        let case = ProcessCase::random(random);
        let fence = random_fence(random);
        let system = case.system();
        let explored = Exploration::new(&system, u64::MAX, &Unwatched);
        let fenced = Fenced::new(&system, &fence, &explored).expect("few states");
        let found = by_walking(&fenced);
        assert_eq!(found, by_definition(&case, &fence), "{case:?} {fence:?}");
        parted += usize::from(found != by_walking(&system));
    });
    assert!(parted > 300, "{parted} fences changed anything");
}

/// Whether a violation can be reached: by what was reached, and whether the first event has just happened.
fn fails_by_definition(case: &ProcessCase, fence: &Fence) -> bool {
    let mut seen = BTreeSet::from([(0, false)]);
    let mut waiting = vec![(0, false)];
    while let Some((state, just_first)) = waiting.pop() {
        if case.deadlocks.contains(&state) {
            return true;
        }
        let steps: Vec<_> = case.edges.iter().filter(|edge| edge.0 == state).collect();
        let is_second = |label: u32| fence.second[label as usize].is_some();
        let only_second = just_first && steps.iter().any(|edge| is_second(edge.1));
        for edge in steps.into_iter().filter(|edge| !only_second || is_second(edge.1)) {
            let next = (edge.2, fence.first[edge.1 as usize].is_some());
            if seen.insert(next) {
                waiting.push(next);
            }
        }
    }
    false
}

#[test]
fn cures_leave_nothing_that_fails() {
    let (mut fails, mut cured) = (0, 0);
    for_random_inputs(12_000, |random| {
        let case = ProcessCase { target: None, wrong: BTreeSet::new(), ..ProcessCase::random(random) };
        let fence = random_fence(random);
        let system = case.system();
        let explored = Exploration::new(&system, u64::MAX, &Unwatched);
        let found = cure(&system, &explored, &fence, Fairness::None, &Unwatched).expect("nobody interrupts");
        // Without fairness whatever does not fail ends as it may, or goes on for ever.
        let expected = if fails_by_definition(&case, &fence) { Cure::StillFails } else { Cure::Cured };
        assert_eq!(found, expected, "{case:?} {fence:?}");
        fails += usize::from(found == Cure::StillFails);
        cured += usize::from(found == Cure::Cured && !explored.violating().is_empty());
    });
    assert!(fails > 300 && cured > 0, "{fails} still fail, {cured} are cured");
}
