//! The product, exploration, the backward pass, fates, the calmest trace and following labels, each
//! against a twin that goes by the definition, on random systems written out state by state.

use std::collections::{BTreeMap, BTreeSet};

use graph::{
    Backward, Chances, Dfa, Exploration, Fairness, Fate, Fates, Followed, GraphBuilder, LabelClasses,
    OUTSIDE, Product, Transitions, Unwatched, ViolatedWhen, calmest_shortest, follow,
};
use testkit::Case;
use testkit::naive_fates::NaiveFate;
use testkit::naive_system::{NaiveSystem, Pair, told, unrest};
use testkit::random::for_random_inputs;

fn pair(product: &Product<'_>, state: u32) -> Pair {
    Case::pair(product, state)
}

fn pairs<'a>(product: &Product<'_>, states: impl IntoIterator<Item = &'a u32>) -> BTreeSet<Pair> {
    states.into_iter().map(|state| pair(product, *state)).collect()
}

fn explore(product: &Product<'_>, max_states: u64) -> Exploration {
    let mut explored = Exploration::new(product, max_states, &Unwatched);
    explored.go_beyond(product, max_states, &Unwatched);
    explored
}

#[test]
fn a_product_has_the_steps_of_both() {
    for_random_inputs(8_000, |random| {
        let case = Case::random(random);
        let (product, twin) = (case.product(), case.twin());
        assert_eq!(pairs(&product, &product.initial()), twin.initial);
        let explored = explore(&product, u64::MAX);
        assert_eq!(explored.interrupt(), None);
        let reached: Vec<u32> = explored.reached().collect();
        assert_eq!(pairs(&product, &reached), twin.states().collect());
        assert_eq!(reached.len(), twin.steps.len());
        for state in &reached {
            let here = pair(&product, *state);
            let mut steps = Vec::new();
            product.successors(*state, |label, target| {
                steps.push((label, (target != OUTSIDE).then(|| pair(&product, target))));
            });
            assert_eq!(steps, twin.steps[&here]);
            assert_eq!(product.degree(*state) as usize, steps.len());
            assert_eq!(product.is_violating(*state), twin.violates(here));
            assert!((*state as usize) < product.bound());

            let mut incoming = Vec::new();
            product.predecessors(*state, |label, source| {
                if explored.is_reached(source) {
                    incoming.push((pair(&product, source), label));
                }
            });
            incoming.sort_unstable();
            let mut expected: Vec<(Pair, u32)> = Vec::new();
            for (source, steps) in &twin.steps {
                let hither = steps.iter().filter(|(_, target)| *target == Some(here));
                expected.extend(hither.map(|(label, _)| (*source, *label)));
            }
            // Where all that follows violates, sources may be missing.
            let settled = |source: Pair| twin.onward(source).is_subset(&twin.violating);
            expected.retain(|edge| !settled(edge.0) || incoming.contains(edge));
            expected.sort_unstable();
            assert_eq!(incoming, expected);
        }
    });
}

#[test]
fn exploration_finds_shortest_traces_and_what_lies_beyond() {
    for_random_inputs(12_000, |random| {
        let case = Case::random(random);
        let (product, twin) = (case.product(), case.twin());
        let explored = explore(&product, u64::MAX);
        let levels = twin.levels();
        let level = explored.levels_up_to(u32::MAX);
        let found: BTreeMap<Pair, u32> =
            explored.live().iter().map(|state| (pair(&product, *state), level[*state as usize])).collect();
        assert_eq!(found, levels);
        assert_eq!(explored.live().len(), levels.len());
        assert!(explored.live().is_sorted_by_key(|state| level[*state as usize]));
        assert_eq!(Some(explored.depth()), levels.values().max().copied());
        for state in explored.reached() {
            assert_eq!(explored.is_live(state), levels.contains_key(&pair(&product, state)));
        }
        let (live, violating) = (twin.live(), explored.violating());
        assert_eq!(pairs(&product, violating), live.intersection(&twin.violating).copied().collect());
        assert!(violating.is_sorted_by_key(|state| level[*state as usize]));
        let going_on = live.difference(&twin.violating);
        assert_eq!(
            explored.live_edges() as usize,
            going_on.map(|state| twin.steps[state].len()).sum::<usize>()
        );
        let shortest = live.intersection(&twin.violating).map(|state| levels[state]).min();
        assert_eq!(explored.shortest(), shortest);
        let most = random.below(4);
        for (state, level) in explored.levels_up_to(most).into_iter().enumerate() {
            let near = levels.get(&pair(&product, state as u32)).filter(|level| **level <= most);
            assert_eq!(level, near.copied().unwrap_or(Exploration::NO_LEVEL));
        }
        assert_eq!(explored.open().count(), 0);
    });
}

#[test]
fn fates_and_their_counts_are_those_of_the_definition() {
    for_random_inputs(12_000, |random| {
        let case = Case::random(random);
        let (product, twin) = (case.product(), case.twin());
        for beyond in [false, true] {
            let mut explored = Exploration::new(&product, u64::MAX, &Unwatched);
            if beyond {
                explored.go_beyond(&product, u64::MAX, &Unwatched);
            }
            let fates =
                Fates::new(&product, &explored, Fairness::Weak, &Unwatched).expect("nobody interrupts");
            for state in explored.reached() {
                let truth = twin.fate(pair(&product, state));
                assert_eq!(NaiveFate::told(fates.of(state)), Some(truth), "{:?}", pair(&product, state));
                assert_eq!(
                    (fates.can_fail(state), fates.cannot_fail(state)),
                    (truth.can_fail, !truth.can_fail)
                );
            }
            assert_eq!(fates.of(OUTSIDE), Fate::Safe);
            let (counts, truth) = (fates.count(&product, &explored), twin.fate_counts());
            assert_eq!((counts.safe, counts.free, counts.doomed), (truth.safe, truth.free, truth.doomed));
            assert_eq!(
                (counts.points_of_no_return, counts.escapes),
                (truth.points_of_no_return, truth.escapes)
            );
            assert_eq!(counts.unknown, 0);
        }
    });
}

/// Whatever the limit: a fate that is told is true, and it is told unless something that was not looked
/// at could change it.
#[test]
fn under_a_limit_nothing_is_guessed() {
    let mut unknown = 0;
    for_random_inputs(12_000, |random| {
        let case = Case::random(random);
        let (product, twin) = (case.product(), case.twin());
        let limit = u64::from(random.below(twin.steps.len() as u32 + 1));
        let explored = explore(&product, limit);
        let levels = twin.levels();
        let fates = Fates::new(&product, &explored, Fairness::Weak, &Unwatched).expect("nobody interrupts");
        let open: BTreeSet<Pair> = explored.open().map(|state| pair(&product, state)).collect();
        if explored.interrupt().is_none() {
            assert_eq!(explored.reached().count(), twin.steps.len());
            assert!(open.is_empty());
        }
        let level = explored.levels_up_to(u32::MAX);
        for state in explored.live() {
            assert_eq!(level[*state as usize], levels[&pair(&product, *state)]);
        }
        // A violation that was found is told, even if it was the last thing that was found.
        let failing = explored.live().iter().filter(|state| product.is_violating(**state));
        assert_eq!(explored.violating(), failing.copied().collect::<Vec<_>>());
        assert_eq!(explored.shortest(), explored.violating().first().map(|state| level[*state as usize]));

        let open: BTreeSet<Pair> = open.difference(&twin.violating).copied().collect();
        for state in explored.reached() {
            let here = pair(&product, state);
            let truth = twin.fate(here);
            match NaiveFate::told(fates.of(state)) {
                Some(told) => assert_eq!(told, truth, "{here:?}"),
                None => {
                    unknown += 1;
                    assert!(!twin.onward_until_violation(here).is_disjoint(&open), "{here:?}");
                }
            }
            assert!(!fates.can_fail(state) || truth.can_fail);
            assert!(!fates.cannot_fail(state) || !truth.can_fail);
        }
        let (counts, truth) = (fates.count(&product, &explored), twin.fate_counts());
        assert!(counts.safe <= truth.safe && counts.free <= truth.free && counts.doomed <= truth.doomed);
        assert!(counts.points_of_no_return <= truth.points_of_no_return && counts.escapes <= truth.escapes);
        let states = counts.safe + counts.free + counts.doomed + counts.unknown;
        assert_eq!(states, explored.live().len() as u64);
    });
    assert!(unknown > 0, "no limit ever hid anything");
}

/// Targets of any kind; with a property that forbids nothing, so that no violation interferes.
#[test]
fn the_backward_pass_finds_what_reaches_and_what_cannot_avoid_its_targets() {
    for_random_inputs(8_000, |random| {
        let mut case = Case::random(random);
        let dfa = &case.property.dfa;
        let rows =
            (0..dfa.state_count() as u32).flat_map(|state| (0..dfa.class_count()).map(move |c| (state, c)));
        let table = rows.map(|(state, class)| dfa.next(state, class)).collect();
        let nothing = vec![false; dfa.state_count()];
        case.property.dfa = Dfa::new(dfa.initial(), nothing, dfa.class_count(), table);
        let product = case.product();
        let mut twin = case.twin();
        let explored = explore(&product, u64::MAX);
        let targets: Vec<u32> = explored.reached().filter(|_| random.percent(25)).collect();
        // To arrive is then to fail.
        twin.violating = pairs(&product, &targets);
        let found = Backward::new(&product, &explored, targets.iter().copied(), &Unwatched)
            .expect("nobody interrupts");
        for state in explored.reached() {
            let NaiveFate { can_fail, can_pass } = twin.fate(pair(&product, state));
            assert_eq!((found.can_reach(state), found.inevitable(state)), (can_fail, !can_pass));
        }
    });
}

#[test]
fn the_calmest_trace_is_the_calmest_of_all_shortest_ones() {
    let mut choices = 0;
    for_random_inputs(16_000, |random| {
        let case = Case::random(random);
        let (product, twin) = (case.product(), case.twin());
        let explored = Exploration::new(&product, u64::MAX, &Unwatched);
        let marked: BTreeSet<Pair> = twin.states().filter(|_| random.percent(40)).collect();
        let is_marked = |state: Pair| marked.contains(&state);
        let found = calmest_shortest(&product, &explored, |state| is_marked(pair(&product, state)));
        let traces = twin.shortest_counterexamples();
        choices += u32::from(traces.len() > 1);
        let calmest = traces.into_iter().min_by_key(|trace| (unrest(trace, is_marked), trace.clone()));
        assert_eq!(found.map(|trace| told(&trace, |state| pair(&product, state))), calmest);
    });
    assert!(choices > 0, "there never was a choice");
}

#[test]
fn following_labels_tells_what_becomes_of_all_traces_with_them() {
    let mut outcomes = [0; 3];
    for_random_inputs(20_000, |random| {
        let case = Case::random(random);
        let (product, twin) = (case.product(), case.twin());
        let labels = twin.random_labels(random, case.graph.labels.len());
        let marked: BTreeSet<Pair> = twin.states().filter(|_| random.percent(40)).collect();
        let is_marked = |state: Pair| marked.contains(&state);
        let read = |state| pair(&product, state);
        let followed = follow(&product, &labels, |state| is_marked(read(state)));
        let truth = twin.follow(&labels);
        assert!(truth.admits(&followed, read, is_marked), "{followed:?} instead of {truth:?}");
        outcomes[match followed {
            Followed::Violating(_) => 0,
            Followed::Harmless(_) => 1,
            Followed::Diverged { .. } => 2,
        }] += 1;
    });
    assert!(outcomes.iter().all(|count| *count > 0), "{outcomes:?}");
}

/// Layers of thousands of states are looked at in another order than small ones. State `1 + k` can only
/// fail, fail or stop, or only stop, as `k` says; thousands of states lie behind the failure as well.
#[test]
fn large_layers_change_nothing() {
    const WIDTH: u32 = 9_000;
    let mut builder = GraphBuilder::new();
    let [go, bad, stop] = ["go", "bad", "stop"].map(|label| builder.labels.intern(label));
    let (failed, stopped) = (WIDTH + 1, WIDTH + 2);
    for k in 0..WIDTH {
        // Found in an order that is not that of their numbers.
        let state = 1 + k * 7 % WIDTH;
        builder.edge(if k % 2 == 0 { 0 } else { 1 + (k - 1) * 7 % WIDTH }, go, state);
        if k % 3 != 2 {
            builder.edge(state, bad, failed);
        }
        if k % 3 != 0 {
            builder.edge(state, stop, stopped);
        }
        builder.edge(failed, go, stopped + 1 + k);
    }
    let graph = builder.finish((stopped + 1 + WIDTH) as usize, vec![0]).unwrap();
    let classes = LabelClasses::by_key((0..3).map(|label| label == bad));
    let dfa = Dfa::new(0, vec![false, true], 2, vec![0, 1, 1, 1]);
    let product = Product::new(&graph, &classes, &dfa, ViolatedWhen::Accepted).unwrap();
    let twin = NaiveSystem::product(&graph, &classes, &dfa, ViolatedWhen::Accepted);

    let explored = explore(&product, u64::MAX);
    let reached: Vec<u32> = explored.reached().collect();
    assert_eq!(pairs(&product, &reached), twin.states().collect());
    assert_eq!(reached.len(), twin.steps.len());
    let level = explored.levels_up_to(u32::MAX);
    let levels = twin.levels();
    let found = explored.live().iter().map(|state| (pair(&product, *state), level[*state as usize]));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), levels);
    assert!(explored.live().is_sorted_by_key(|state| level[*state as usize]));
    assert_eq!(explored.shortest(), Some(2));

    let fates = Fates::new(&product, &explored, Fairness::Weak, &Unwatched).unwrap();
    for state in explored.live().iter().skip(1).step_by(37) {
        let truth = twin.fate(pair(&product, *state));
        assert_eq!(NaiveFate::told(fates.of(*state)), Some(truth));
    }
}

#[test]
fn both_readings_of_violation_occur() {
    let mut seen = [0; 2];
    for_random_inputs(300, |random| {
        let case = Case::random(random);
        let twin = case.twin();
        let failing = twin.initial.iter().any(|state| twin.fate(*state).is_free());
        seen[usize::from(case.property.violated_when == ViolatedWhen::Accepted)] += u32::from(failing);
    });
    assert!(seen.iter().all(|count| *count > 0), "random cases are too dull: {seen:?}");
}

#[test]
fn chances_are_the_solution_of_the_equations() {
    for_random_inputs(4_000, |random| {
        let case = Case::random(random);
        let (product, twin) = (case.product(), case.twin());
        let explored = explore(&product, u64::MAX);
        let chances = Chances::new(&product, &explored, 1_000_000, &Unwatched).unwrap();
        for (state, expected) in twin.chances() {
            let live = explored.live().iter().find(|live| pair(&product, **live) == state).unwrap();
            let [low, high] = chances.of(*live);
            assert!(high - low <= 1e-8, "{state:?}: {low} to {high}");
            assert!(
                low - 1e-8 <= expected && expected <= high + 1e-8,
                "{state:?}: {low} to {high}, {expected}"
            );
        }
    });
}

#[test]
fn chances_of_a_part_hold_those_of_the_whole() {
    for_random_inputs(4_000, |random| {
        let case = Case::random(random);
        let (product, twin) = (case.product(), case.twin());
        let explored = explore(&product, u64::from(random.between(1, 6)));
        let budget = u64::from(random.below(20));
        let chances = Chances::new(&product, &explored, budget, &Unwatched).unwrap();
        let expected = twin.chances();
        for live in explored.live() {
            // What is reached beyond a violation in the whole may be live in a part.
            let Some(expected) = expected.get(&pair(&product, *live)) else { continue };
            let [low, high] = chances.of(*live);
            assert!(low - 1e-8 <= *expected && *expected <= high + 1e-8, "{low} to {high}, {expected}");
        }
    });
}

#[test]
fn chances_within_some_steps_are_counted_trace_by_trace() {
    /// The chance by looking at every trace there is.
    fn chance(twin: &NaiveSystem, state: Pair, steps: u64) -> f64 {
        if twin.violating.contains(&state) {
            return 1.0;
        }
        let onward = &twin.steps[&state];
        if steps == 0 || onward.is_empty() {
            return 0.0;
        }
        let behind = onward.iter().map(|(_, to)| to.map_or(0.0, |to| chance(twin, to, steps - 1)));
        behind.sum::<f64>() / onward.len() as f64
    }
    for_random_inputs(2_000, |random| {
        let case = Case::random(random);
        let (product, twin) = (case.product(), case.twin());
        let explored = explore(&product, u64::MAX);
        let steps = u64::from(random.below(5));
        let found = Chances::within(&product, &explored, steps, &Unwatched).unwrap();
        for live in explored.live() {
            let expected = chance(&twin, pair(&product, *live), steps);
            assert!((found[*live as usize] - expected).abs() < 1e-9);
        }
    });
}
