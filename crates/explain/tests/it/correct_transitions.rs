//! Correct transitions and the causes that follow from them, against traces written out one by one.

use std::collections::BTreeSet;

use explain::correct_transitions::{Correct, Coverage, Engine, Explicit, Query, localise};
use explain::recheck::{Goal, Recheck, RecheckLimits, on_no_correct_trace};
use graph::{BitSet, Exploration, Fairness, Transitions, Unwatched};
use testkit::Case;
use testkit::naive_system::Pair;
use testkit::random::for_random_inputs;

/// Writing out all traces of larger ones takes too long.
const MOST_STATES: usize = 6;

#[test]
fn transitions_and_causes_are_as_defined() {
    let (mut compared, mut several, mut unexplained, mut only_trusted) = (0, 0, 0, 0);
    for_random_inputs(12_000, |random| {
        let case = Case::random(random);
        let (product, twin) = (case.product(), case.twin());
        let live: Vec<Pair> =
            twin.live().into_iter().filter(|state| !twin.violating.contains(state)).collect();
        if live.len() > MOST_STATES {
            return;
        }
        let pair = |state| Case::pair(&product, state);
        let labels = case.graph.labels.len();
        let ends: BTreeSet<Pair> = live.iter().copied().filter(|_| random.percent(30)).collect();
        let truth = twin.correct_transitions(&ends);

        let explored = Exploration::new(&product, u64::MAX, &Unwatched);
        let mut at_ends = BitSet::new(product.bound());
        for state in explored.reached().filter(|state| ends.contains(&pair(*state))) {
            at_ends.insert(state);
        }
        let correct =
            Correct::new(&product, labels, &explored, &at_ends, &Unwatched).expect("nobody ends it");
        let mut found = BTreeSet::new();
        for state in explored.reached().filter(|state| !product.is_violating(*state)) {
            product.successors(state, |label, target| {
                if target != graph::OUTSIDE && correct.leads_on(target) {
                    found.insert((pair(state), label, pair(target)));
                }
            });
        }
        assert_eq!(found, truth);
        let projected: BTreeSet<u32> = truth.iter().map(|(_, label, _)| *label).collect();
        for label in 0..labels as u32 {
            assert_eq!(correct.takes(label), projected.contains(&label));
        }

        // A correct trace may end where it starts.
        let starts = |state: &Pair| {
            twin.initial.contains(state)
                && (ends.contains(state) || truth.iter().any(|(from, ..)| from == state))
        };
        let is_any_correct = live.iter().any(starts);
        let look = RecheckLimits { fairness: Fairness::None, max_states: usize::MAX, watch: &Unwatched };
        let is_end = |state| ends.contains(&pair(state));
        for label in 0..labels as u32 {
            let taken = live.iter().any(|state| {
                twin.steps[state].iter().any(|(taken, target)| *taken == label && target.is_some())
            });
            let again =
                on_no_correct_trace(&product, |_, taken| taken == label, &Goal::State(&is_end), &look);
            let is_so = taken && !projected.contains(&label) && is_any_correct;
            let expected = if is_so { Recheck::Confirmed } else { Recheck::Refuted };
            assert_eq!(again, expected);
        }

        let mut trusted = BitSet::new(labels);
        for label in (0..labels as u32).filter(|_| random.percent(10)) {
            trusted.insert(label);
        }
        let last_step_checks = random.percent(50);
        let mut engine = Explicit::new(&product, &explored, &correct, &at_ends, Goal::State(&is_end), look);
        let mut guarding = BitSet::new(labels);
        for label in (0..labels as u32).filter(|_| random.percent(10)) {
            guarding.insert(label);
        }
        let guards = |label, _| guarding.contains(label);
        let query = Query {
            last_step_checks,
            guards: &guards,
            first: None,
            trusted: &trusted,
            max_traces: usize::MAX,
        };
        let localised = localise(&mut engine, query).expect("nobody ends it");
        assert_eq!(localised.is_any_correct, is_any_correct);
        let mut visited = BTreeSet::new();
        engine.visits(&mut |label, state| _ = visited.insert((pair(state), label)));
        assert_eq!(visited, truth.iter().map(|(from, label, _)| (*from, *label)).collect());
        let mut halted = BTreeSet::new();
        for error in &localised.traces {
            let steps = &error.trace.steps;
            assert!(twin.initial.contains(&pair(error.trace.start)));
            assert!(twin.violating.contains(&pair(error.trace.last())));
            assert!(steps.iter().all(|step| !halted.contains(&step.label)), "a halted step is taken");
            let mut compared = steps.len() - usize::from(last_step_checks && !steps.is_empty());
            while last_step_checks && compared > 0 && guarding.contains(steps[compared - 1].label) {
                compared -= 1;
            }
            assert_eq!(error.compared, compared);
            for (number, step) in steps.iter().enumerate() {
                let is_cause = is_any_correct
                    && number < compared
                    && !projected.contains(&step.label)
                    && !trusted.contains(step.label);
                assert_eq!(error.causes.contains(&number), is_cause);
            }
            let transitions: Vec<_> = error.trace.states().zip(steps).collect();
            let lost = transitions[..compared]
                .iter()
                .position(|(from, step)| !truth.contains(&(pair(*from), step.label, pair(step.state))));
            if let Some(at) = error.point_of_interest {
                assert_eq!(Some(at), lost);
            }
            if let Some(common) = error.common {
                let way = engine.way_on(&error.trace, common, None).expect("a correct trace goes on");
                for label in &way {
                    if let Some(other) = engine.way_on(&error.trace, common, Some(*label)) {
                        assert!(!other.contains(label) && other.len() >= way.len());
                    }
                }
            }
            halted.extend(error.causes.iter().map(|step| steps[*step].label));
        }
        let all_halted: BTreeSet<u32> = localised.halted.iter().collect();
        assert!(halted.is_subset(&all_halted) && all_halted.is_disjoint(&projected));
        assert!(all_halted.difference(&halted).all(|label| trusted.contains(*label)));
        only_trusted += localised.trusted;
        match localised.coverage {
            Coverage::All => assert!(!twin.fails_without(&all_halted)),
            Coverage::Unexplained => {
                unexplained += 1;
                assert!(localised.traces.last().is_some_and(|last| last.causes.is_empty()));
                assert!(twin.fails_without(&all_halted));
            }
            Coverage::Limited => panic!("nobody set a limit"),
        }
        // What was halted takes no correct transition away.
        assert!(halted.is_disjoint(&projected));
        compared += 1;
        several += usize::from(localised.traces.len() > 1);
    });
    assert!(compared > 100 && several > 20 && unexplained > 20, "{compared}, {several}, {unexplained}");
    assert!(only_trusted > 5, "{only_trusted}");
}
