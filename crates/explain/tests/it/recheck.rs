//! Rechecks have to be able to refute: every step of every random system is claimed to be the point of
//! no return, and only those that are may be confirmed.

use explain::recheck::{Recheck, RecheckLimits, can_pass, point_of_no_return};
use graph::{Exploration, Fairness, OUTSIDE, Transitions, Unwatched};
use testkit::Case;
use testkit::process_case::ProcessCase;
use testkit::random::for_random_inputs;

fn look(max_states: usize) -> RecheckLimits<'static> {
    RecheckLimits { fairness: Fairness::Weak, max_states, watch: &Unwatched }
}

#[test]
fn true_points_of_no_return_are_confirmed_and_planted_ones_refuted() {
    let (mut confirmed, mut refuted) = (0, 0);
    for_random_inputs(5_000, |random| {
        let case = Case::random(random);
        let (product, twin) = (case.product(), case.twin());
        let explored = Exploration::new(&product, u64::MAX, &Unwatched);
        let going_on = explored.live().iter().filter(|state| !product.is_violating(**state));
        for before in going_on.copied() {
            let fate = twin.fate(Case::pair(&product, before));
            assert_eq!(can_pass(&product, before, &look(usize::MAX)), Some(fate.can_pass));
            product.successors(before, |_, after| {
                if after == OUTSIDE {
                    return;
                }
                let decides = fate.is_free() && !twin.can_pass(Case::pair(&product, after));
                let expected = if decides { Recheck::Confirmed } else { Recheck::Refuted };
                let found = point_of_no_return(&product, before, after, &look(usize::MAX));
                assert_eq!(found, expected);
                let few = random.below(4) as usize;
                let hurried = point_of_no_return(&product, before, after, &look(few));
                let half = |state| can_pass(&product, state, &look(few));
                let refuted_by_half = half(before) == Some(false) || half(after) == Some(true);
                assert!(hurried == expected || hurried == Recheck::NotRun && !refuted_by_half);
                confirmed += u32::from(decides);
                refuted += u32::from(!decides);
            });
        }
    });
    assert!(confirmed > 0 && refuted > 0);
}

/// Claims about states that do not even follow each other.
#[test]
fn claims_about_any_two_states_are_judged_by_what_passes() {
    for_random_inputs(3_000, |random| {
        let case = Case::random(random);
        let (product, twin) = (case.product(), case.twin());
        let explored = Exploration::new(&product, u64::MAX, &Unwatched);
        let live = explored.live();
        let one = |index: u32| live[index as usize];
        let before = one(random.below(live.len() as u32));
        let after = one(random.below(live.len() as u32));
        let true_claim =
            twin.can_pass(Case::pair(&product, before)) && !twin.can_pass(Case::pair(&product, after));
        let found = point_of_no_return(&product, before, after, &look(usize::MAX));
        assert_eq!(found == Recheck::Confirmed, true_claim);
        assert_ne!(found, Recheck::NotRun);
    });
}

#[test]
fn passing_fairly_is_rechecked_as_it_is_defined() {
    let mut found = [0, 0];
    for_random_inputs(4_000, |random| {
        let case = ProcessCase::random(random);
        let system = case.system();
        for fairness in [Fairness::Weak, Fairness::None] {
            let look = RecheckLimits { fairness, ..look(usize::MAX) };
            for state in (0..case.states).filter(|state| !system.is_violating(*state)) {
                let passes = case.can_pass(state, fairness);
                found[usize::from(passes)] += 1;
                assert_eq!(can_pass(&system, state, &look), Some(passes), "state {state}, {fairness:?}");
            }
        }
    });
    assert!(found.iter().all(|found| *found > 1_000));
}
