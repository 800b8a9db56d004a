//! Blocked systems against their definition: the same system with the edges crossed out.

use std::collections::BTreeSet;

use explain::without::without;
use graph::{Fairness, Unwatched};
use testkit::process_case::ProcessCase;
use testkit::random::for_random_inputs;

#[test]
fn blocking_is_crossing_out_edges() {
    for_random_inputs(4000, |random| {
        let case = ProcessCase::random(random);
        let blocked: BTreeSet<u32> = (0..6).filter(|_| random.below(3) == 0).collect();
        let fairness = if random.below(2) == 0 { Fairness::Weak } else { Fairness::None };
        let found = without(&case.system(), |_, label, _| blocked.contains(&label), fairness, &Unwatched);
        let found = found.expect("nobody interrupts");

        let mut crossed_out = case.clone();
        crossed_out.edges.retain(|edge| !blocked.contains(&edge.1));
        crossed_out.wrong.retain(|(edge, _)| !blocked.contains(&edge.1));
        let is_source = |edges: &BTreeSet<(u32, u32, u32)>, state| edges.iter().any(|edge| edge.0 == state);
        let cut_off = (0..case.states)
            .filter(|state| is_source(&case.edges, *state) && !is_source(&crossed_out.edges, *state));
        // To be cut off is not to pass, and no violation either.
        let mut not_passing = crossed_out.clone();
        not_passing.deadlocks.extend(cut_off);
        assert_eq!(found.violating > 0, crossed_out.can_fail(0), "{case:?} without {blocked:?}");
        let passes = !case.deadlocks.contains(&0) && not_passing.can_pass(0, fairness);
        assert_eq!(found.passes, passes, "{case:?} without {blocked:?}, {fairness:?}");
    });
}
