//! Variations, all and near, against traces written out one by one.

use std::collections::BTreeSet;

use explain::recheck::Recheck;
use explain::variations::exact::Compared;
use explain::variations::{
    Claim, Generated, Order, Plan, Row, Side, Table, Tree, exact, generate, walk_again,
};
use graph::{BitSet, Edge, Exploration, OUTSIDE, Trace, Transitions, Unwatched, calmest_shortest};
use testkit::Case;
use testkit::naive_variations::NaiveSide;
use testkit::random::{Random, for_random_inputs};

/// Writing out all traces of larger ones takes too long.
const MOST_STATES: usize = 6;

/// Some labels have the same key.
fn drawn(random: &mut Random, count: usize, fewer: u32) -> Vec<u32> {
    (0..count as u32)
        .map(|label| if random.percent(fewer) { random.below(count as u32) } else { label })
        .collect()
}

fn numbers(set: &BitSet) -> BTreeSet<u32> {
    set.iter().collect()
}

fn trace(generated: &Generated, node: u32) -> Trace {
    let mut path = Vec::new();
    generated.tree.path(node, &mut path);
    let steps = path.iter().map(|node| generated.tree.step(*node)).collect();
    Trace { start: generated.tree.state(Tree::ROOT), steps }
}

fn traces(generated: &Generated, nodes: &[u32]) -> Vec<Trace> {
    nodes.iter().map(|node| trace(generated, *node)).collect()
}

fn is_prefix(one: &Trace, other: &Trace) -> bool {
    one.start == other.start && one.steps.len() < other.steps.len() && other.steps.starts_with(&one.steps)
}

#[test]
fn all_variations_are_as_defined_and_those_near_are_among_them() {
    let (mut compared, mut with_positives, mut several, mut extended) = (0, 0, 0, 0);
    for_random_inputs(20_000, |random| {
        let case = Case::random(random);
        let (product, twin) = (case.product(), case.twin());
        let live = twin.live();
        if live.iter().filter(|state| !twin.violating.contains(state)).count() > MOST_STATES {
            return;
        }
        let explored = Exploration::new(&product, u64::MAX, &Unwatched);
        let calm = random.below(2);
        let Some(counterexample) = calmest_shortest(&product, &explored, |state| state % 2 == calm) else {
            return;
        };
        let Some(last) = counterexample.steps.last() else { return };
        let labels = case.graph.labels.len();
        let (keys, shown) = (drawn(random, labels, 20), drawn(random, labels, 30));
        let failing = keys[last.label as usize];
        let fails = |label: u32| keys[label as usize] == failing;
        let truth = twin.variations(&fails, &|label| shown[label as usize]);

        let how = Compared { keys: &keys, failing, shown: &shown, shown_count: labels };
        let all = exact(&product, &explored, &how, &Unwatched).expect("nobody ends it");
        let told = |side: &Option<Side>| {
            side.as_ref().map(|side| NaiveSide { some: numbers(&side.some), all: numbers(&side.all) })
        };
        assert_eq!(told(&all.table.negative), truth.negative);
        assert_eq!(told(&all.table.positive), truth.positive);

        let order = [Order::BreadthFirst, Order::DepthFirst, Order::Heuristic][random.below(3) as usize];
        let depth = random.below(8);
        let plan =
            Plan { counterexample: &counterexample, keys: &keys, depth, order, max_traces: usize::MAX };
        let near = generate(&product, &plan, &Unwatched).expect("nobody ends it");
        let (negatives, positives) = (traces(&near, &near.negatives), traces(&near, &near.positives));
        assert!(depth == 0 || negatives.contains(&counterexample));
        assert_eq!(walk_again(&product, &negatives, &positives, Claim::Ends), Recheck::Confirmed);
        for variation in negatives.iter().chain(&positives) {
            assert!(variation.steps.last().is_some_and(|step| fails(step.label)));
        }
        for positive in &positives {
            assert!(!negatives.iter().any(|negative| is_prefix(positive, negative)));
        }
        // What is found near is there among all; a positive may still become a negative that was not found.
        let taken = |traces: &[&Trace]| -> BTreeSet<u32> {
            traces.iter().flat_map(|trace| &trace.steps).map(|step| shown[step.label as usize]).collect()
        };
        let is_positive_for_good = |positive: &&Trace| match positive.last() {
            OUTSIDE => true,
            last => !twin.can_become_negative(Case::pair(&product, last), &fails),
        };
        let for_good: Vec<&Trace> = positives.iter().filter(is_positive_for_good).collect();
        let negative_keys = taken(&negatives.iter().collect::<Vec<_>>());
        assert!(truth.negative.as_ref().is_some_and(|side| negative_keys.is_subset(&side.some)));
        assert!(
            for_good.is_empty()
                || truth.positive.as_ref().is_some_and(|side| taken(&for_good).is_subset(&side.some))
        );
        if depth >= 7 && order == Order::BreadthFirst {
            // Every state is met, so every place where the step can fail is.
            let sources = |traces: &[Trace]| -> BTreeSet<u32> {
                traces.iter().filter_map(|trace| trace.states().rev().nth(1)).collect()
            };
            let own = counterexample.start;
            let reached = reached_from(&product, own);
            let failing_sources = reached.iter().copied().filter(|state| {
                let mut found = false;
                product.successors(*state, |label, target| {
                    found |= fails(label) && target != OUTSIDE && product.is_violating(target);
                });
                found
            });
            assert_eq!(sources(&negatives), failing_sources.collect());
        }
        compared += 1;
        with_positives += u32::from(truth.positive.is_some());
        several += u32::from(negatives.len() > 1 && !positives.is_empty());
        extended += u32::from(
            negatives.iter().any(|trace| trace.steps.len() > counterexample.steps.len() + depth as usize),
        );
    });
    if std::env::var_os("WHEREFORE_SEED").is_none() {
        assert!(
            compared > 2_000 && with_positives > 500 && several > 100,
            "{compared} {with_positives} {several}"
        );
        assert_eq!(extended, 0);
    }
}

fn reached_from<T: Transitions>(system: &T, start: u32) -> BTreeSet<u32> {
    let mut seen = BTreeSet::from([start]);
    let mut waiting = vec![start];
    while let Some(state) = waiting.pop() {
        system.successors(state, |_, target| {
            if target != OUTSIDE && !system.is_violating(target) && seen.insert(target) {
                waiting.push(target);
            }
        });
    }
    seen
}

/// A step that is claimed to separate and does not, a trace that is none, and an end that is another.
#[test]
fn false_claims_are_refuted() {
    let mut refuted = 0;
    for_random_inputs(3_000, |random| {
        let case = Case::random(random);
        let product = case.product();
        let explored = Exploration::new(&product, u64::MAX, &Unwatched);
        let Some(counterexample) = calmest_shortest(&product, &explored, |_| false) else { return };
        let Some(last) = counterexample.steps.last().copied() else { return };
        let keys: Vec<u32> = (0..case.graph.labels.len() as u32).collect();
        let plan = Plan {
            counterexample: &counterexample,
            keys: &keys,
            depth: 10,
            order: Order::BreadthFirst,
            max_traces: usize::MAX,
        };
        let near = generate(&product, &plan, &Unwatched).expect("nobody ends it");
        let (negatives, positives) = (traces(&near, &near.negatives), traces(&near, &near.positives));
        let side = |traces: &[Trace]| {
            let keyed = traces.iter().map(|trace| trace.steps.iter().map(|step| step.label));
            Side::of_traces(keys.len(), keyed)
        };
        let table = Table { negative: side(&negatives), positive: side(&positives) };
        let causes = table.row(Row::CauseNeg).unwrap_or_default();
        for key in 0..keys.len() as u32 {
            let kind = |label: u32| (label == key).then_some(0);
            let again = walk_again(&product, &negatives, &positives, Claim::Separates(1, &kind));
            let is_true = if positives.is_empty() {
                negatives.iter().all(|trace| trace.steps.iter().any(|step| step.label == key))
            } else {
                causes.contains(&key)
            };
            assert_eq!(again == Recheck::Confirmed, is_true);
            refuted += u32::from(!is_true);
        }
        assert_eq!(
            walk_again(&product, &positives, &[], Claim::Ends) == Recheck::Confirmed,
            positives.is_empty()
        );
        assert_eq!(walk_again(&product, &[], &negatives, Claim::Ends), Recheck::Refuted);
        let mut wrong = counterexample.clone();
        wrong.steps.push(Edge { label: last.label, state: last.state });
        assert_eq!(walk_again(&product, &[wrong], &[], Claim::Ends), Recheck::Refuted);
    });
    assert!(refuted > 100 || std::env::var_os("WHEREFORE_SEED").is_some());
}
