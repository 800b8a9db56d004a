//! Anomalies against all traces written out.

use std::collections::{BTreeMap, BTreeSet};

use explain::anomalies::crossings::{CrossingStatement, crossings};
use explain::anomalies::skipping::{Tracks, skipping};
use explain::anomalies::{
    Anomaly, Crossing, KnownFates, OrderCore, TooLong, order_core, ranked, sampled, substrings,
};
use explain::recheck::{Recheck, RecheckLimits, only_failing};
use graph::{Exploration, Fairness, Fate, Fates, GraphBuilder, StateGraph, Transitions, Unwatched};
use testkit::Case;
use testkit::naive_anomalies::{NaiveTraces, process_anomalies};
use testkit::process_case::{PROCESSES, ProcessCase};
use testkit::random::{Random, for_random_inputs};

/// Everything known of a system, for `look` to look at.
fn grounded<T: Transitions, R>(
    system: &T,
    labels: usize,
    fairness: Fairness,
    look: impl FnOnce(&KnownFates<'_, T>) -> R,
) -> R {
    let explored = Exploration::new(system, u64::MAX, &Unwatched);
    let fates = Fates::new(system, &explored, fairness, &Unwatched).expect("nobody interrupts");
    look(&KnownFates { system, labels, explored: &explored, fates: &fates, watch: &Unwatched })
}

fn small_graph(random: &mut Random, acyclic: bool) -> StateGraph {
    let states = 2 + random.below(4);
    let mut builder = GraphBuilder::new();
    (0..3).for_each(|label| {
        builder.labels.intern(&label.to_string());
    });
    for _ in 0..random.between(1, states + 3) {
        let (one, other) = (random.below(states), random.below(states));
        if !acyclic {
            builder.edge(one, random.below(3), other);
        } else if one != other {
            builder.edge(one.min(other), random.below(3), one.max(other));
        }
    }
    builder.finish(states as usize, vec![0]).expect("a handful of edges")
}

fn by_events(anomalies: &[Anomaly]) -> BTreeMap<Vec<u32>, usize> {
    anomalies.iter().map(|anomaly| (anomaly.events.clone(), anomaly.position as usize)).collect()
}

fn compare_with_all_traces(acyclic: bool) {
    let mut found = [0; 3];
    for_random_inputs(4_000, |random| {
        let case = Case::about(small_graph(random, acyclic), random);
        let Some(traces) = NaiveTraces::of(&case, 3) else { return };
        let product = case.product();
        grounded(&product, case.graph.labels.len(), Fairness::Weak, |known_fates| {
            for length in 1..=3 {
                let anomalies = substrings(known_fates, length).expect("short enough");
                assert_eq!(by_events(&anomalies), traces.anomalies(length), "length {length}");
                found[length - 1] += anomalies.len();
                compare_ranking(known_fates, anomalies, &traces);
            }
        });
    });
    assert!(found.iter().all(|found| *found > 30), "{found:?}");
}

#[test]
fn all_traces_of_acyclic_systems_have_these_anomalies() {
    compare_with_all_traces(true);
}

#[test]
fn traces_that_go_round_have_these_anomalies() {
    compare_with_all_traces(false);
}

/// Every sequence of two events is claimed to be an anomaly, and only those that are may be confirmed.
#[test]
fn anomalies_are_confirmed_and_planted_ones_refuted() {
    let mut found = [0, 0];
    for_random_inputs(2_000, |random| {
        let case = Case::about(small_graph(random, false), random);
        let Some(traces) = NaiveTraces::of(&case, 2) else { return };
        let truth = traces.anomalies(2);
        let look = RecheckLimits { fairness: Fairness::Weak, max_states: usize::MAX, watch: &Unwatched };
        for pair in (0..9).map(|number| vec![number / 3, number % 3]) {
            let is_one = truth.contains_key(&pair);
            let expected = if is_one { Recheck::Confirmed } else { Recheck::Refuted };
            // What never occurs, or ends with another violation, is not confirmed either.
            let told = only_failing(&case.product(), &pair, |_| true, &look);
            assert!(told == expected || !is_one && told == Recheck::NotRun, "{pair:?} {told:?}");
            found[usize::from(is_one)] += 1;
        }
    });
    assert!(found.iter().all(|found| *found > 50), "{found:?}");
}

#[test]
fn order_cores_are_as_small_as_can_be() {
    let mut sizes = BTreeMap::new();
    for_random_inputs(6_000, |random| {
        let case = Case::about(layers(random), random);
        let Some(traces) = NaiveTraces::of(&case, 0) else { return };
        let longest = traces.failing.iter().max_by_key(|trace| trace.len());
        let Some(trace) = longest.filter(|trace| !trace.is_empty()) else { return };
        let core = grounded(&case.product(), case.graph.labels.len(), Fairness::Weak, |known_fates| {
            order_core(known_fates, trace, u64::MAX).expect("nobody interrupts")
        });
        let pattern = |indices: &[usize]| indices.iter().map(|at| trace[*at]).collect::<Vec<u32>>();
        let all: Vec<usize> = (0..trace.len()).collect();
        let OrderCore::Found(core) = core else {
            assert_eq!(core, OrderCore::None);
            assert!(traces.passes_with(&pattern(&all)));
            return;
        };
        assert!(core.is_sorted_by(|one, other| one < other) && !traces.passes_with(&pattern(&core)));
        for left_out in &core {
            let rest: Vec<usize> = core.iter().copied().filter(|at| at != left_out).collect();
            assert!(
                traces.passes_with(&pattern(&rest)) || traces.passing.is_empty(),
                "{left_out} is not needed"
            );
        }
        let smaller = |size: usize| match size {
            1 => all.iter().any(|one| !traces.passes_with(&pattern(&[*one]))),
            _ => all
                .iter()
                .any(|one| all[one + 1..].iter().any(|two| !traces.passes_with(&pattern(&[*one, *two])))),
        };
        assert!((1..core.len().min(3)).all(|size| !smaller(size)));
        *sizes.entry(core.len()).or_insert(0) += 1;
    });
    assert!((1..=3).all(|size| sizes.get(&size).is_some_and(|count| *count > 3)), "{sizes:?}");
}

/// A few layers of states with edges from each to the next, so that events occur in many orders.
fn layers(random: &mut Random) -> StateGraph {
    let (layers, width) = (4 + random.below(2), 2);
    let mut builder = GraphBuilder::new();
    (0..2).for_each(|label| {
        builder.labels.intern(&label.to_string());
    });
    for source in 0..layers * width {
        for target in (source / width + 1) * width..((source / width + 2) * width).min(layers * width) {
            for label in (0..2).filter(|_| random.percent(60)) {
                builder.edge(source, label, target);
            }
        }
    }
    builder.finish((layers * width) as usize, vec![0]).expect("a handful of edges")
}

/// What is shown for an anomaly is a failing trace in which it occurs, as early as in any.
fn compare_ranking<T: Transitions>(
    known_fates: &KnownFates<'_, T>,
    anomalies: Vec<Anomaly>,
    traces: &NaiveTraces,
) {
    let all = anomalies.len();
    let ranked = ranked(known_fates, anomalies, None, |anomaly| anomaly.events[0] != 0, usize::MAX)
        .expect("nobody interrupts");
    assert_eq!((ranked.count, ranked.anomalies.len()), (all, all));
    let order: Vec<_> = ranked.anomalies.iter().map(|one| (one.anomaly.crossing, !one.dependent)).collect();
    assert!(order.is_sorted());
    let places: BTreeSet<usize> = ranked.anomalies.iter().map(|one| one.by_position).collect();
    assert_eq!(places, (0..all).collect());
    for trace in &ranked.counterexamples {
        let labels: Vec<u32> = trace.steps.iter().map(|step| step.label).collect();
        let mut before = trace.start;
        for step in &trace.steps {
            let mut follows = false;
            known_fates
                .system
                .successors(before, |label, state| follows |= (label, state) == (step.label, step.state));
            assert!(follows);
            before = step.state;
        }
        assert!(known_fates.system.is_violating(trace.last()));
        // Longer ones than were written out are failing traces all the same.
        assert!(traces.failing.contains(&labels) || labels.len() > 8);
    }
    for one in &ranked.anomalies {
        let trace = &ranked.counterexamples[one.counterexample];
        let events: Vec<u32> =
            trace.steps[one.at..][..one.anomaly.events.len()].iter().map(|step| step.label).collect();
        assert_eq!(events, one.anomaly.events);
        assert!(one.at >= one.anomaly.position as usize);
        assert!(one.support.is_none_or(|support| 1 <= support && support <= ranked.last_steps));
        // A decisive one ends where nothing was decided before.
        if one.anomaly.crossing == Crossing::Before {
            assert_eq!(known_fates.fates.of(one.anomaly.start), Fate::Doomed);
        }
    }
}

#[test]
fn pairs_of_processes_are_compared_with_fairness_in_mind() {
    let mut found = [0, 0];
    for_random_inputs(4_000, |random| {
        let case = ProcessCase::random(random);
        let system = case.system();
        let labels = system.graph().labels.len();
        for fairness in [Fairness::Weak, Fairness::None] {
            grounded(&system, labels, fairness, |known_fates| {
                let pairs = |anomalies: &[Anomaly]| -> BTreeSet<(u32, u32)> {
                    anomalies.iter().map(|anomaly| (anomaly.events[0], anomaly.events[1])).collect()
                };
                let direct = substrings(known_fates, 2).expect("short enough");
                assert_eq!(pairs(&direct), process_anomalies(&case, fairness, None));
                found[0] += direct.len();
                let tracks = Tracks::by_process(&system, labels);
                let own = skipping(known_fates, &tracks).expect("nobody interrupts");
                let expected = (0..PROCESSES as u8)
                    .flat_map(|process| process_anomalies(&case, fairness, Some(process)))
                    .collect::<BTreeSet<_>>();
                assert_eq!(pairs(&own), expected);
                found[1] += own.len();
                // The same claims, rechecked for each process.
                let look = RecheckLimits { fairness, max_states: usize::MAX, watch: &Unwatched };
                for (process, pair) in (0..PROCESSES as u8).flat_map(|process| {
                    process_anomalies(&case, fairness, Some(process))
                        .into_iter()
                        .map(move |pair| (process, pair))
                }) {
                    let counts = |label| ProcessCase::takes_part(label, process);
                    let told = only_failing(&system, &[pair.0, pair.1], counts, &look);
                    assert_eq!(told, Recheck::Confirmed);
                }
                for anomaly in &own {
                    assert_eq!(anomaly.steps.first().map(|step| step.label), Some(anomaly.events[0]));
                    assert_eq!(anomaly.steps.last().map(|step| step.label), Some(anomaly.events[1]));
                }
                let everything = Tracks::by_dependence(labels, |_, _| true);
                let all = skipping(known_fates, &everything).expect("nobody interrupts");
                assert_eq!(by_events(&all), by_events(&direct), "where all depends on all");
                let count = known_fates.fates.count(&system, known_fates.explored).points_of_no_return;
                let own: Vec<u32> = (0..labels as u32).collect();
                let crossing = crossings(known_fates, &own).expect("nobody interrupts");
                assert_eq!(crossing.iter().map(|one| one.crosses).sum::<u64>(), count);
                // Taken for one statement, all labels together decide as often.
                let together = crossings(known_fates, &vec![0; labels]).expect("nobody interrupts");
                assert_eq!(together.iter().map(|one| one.crosses).sum::<u64>(), count);
                let harmless = |list: &[CrossingStatement]| list.iter().map(|one| one.harmless).sum::<u64>();
                assert!(harmless(&crossing) <= harmless(&together) || count == 0);
            });
        }
    });
    assert!(found.iter().all(|found| *found > 500), "{found:?}");
}

#[test]
fn sequences_too_long_to_be_numbers_are_refused() {
    let graph = testkit::shapes::chain("a", 3);
    let case = Case::about(graph, &mut Random::new(1));
    grounded(&case.product(), 1, Fairness::Weak, |known_fates| {
        assert!(substrings(known_fates, 128).is_ok());
        assert_eq!(substrings(known_fates, 129), Err(TooLong::Labels { labels: 1, longest: 128 }));
        assert!(substrings(known_fates, 0).is_err());
    });
}

/// A sample has one counterexample for each violating state, its sequences are those of traces, and it
/// finds every anomaly that its counterexamples have.
#[test]
fn samples_find_the_anomalies_of_their_traces() {
    let mut found = 0;
    for_random_inputs(3_000, |random| {
        let case = Case::about(small_graph(random, false), random);
        let Some(traces) = NaiveTraces::of(&case, 2) else { return };
        let truth = traces.anomalies(2);
        let windows = |traces: &BTreeSet<Vec<u32>>| -> BTreeSet<Vec<u32>> {
            traces.iter().flat_map(|trace| trace.windows(2).map(<[u32]>::to_vec)).collect()
        };
        grounded(&case.product(), case.graph.labels.len(), Fairness::None, |known_fates| {
            let sample = sampled(known_fates, 2).expect("short enough");
            let initial = known_fates.system.initial();
            let reached = known_fates.explored.violating().iter().filter(|state| !initial.contains(state));
            assert_eq!(sample.failing.traces, reached.count() as u64);
            let kept: BTreeSet<Vec<u32>> = sample.failing.first.iter().cloned().collect();
            let events: BTreeSet<Vec<u32>> =
                sample.anomalies.iter().map(|anomaly| anomaly.events.clone()).collect();
            assert!(events.is_subset(&windows(&traces.failing)));
            let in_sample = windows(&kept);
            let missed =
                truth.keys().filter(|events| in_sample.contains(*events)).cloned().collect::<BTreeSet<_>>();
            assert!(missed.is_subset(&events), "{missed:?} {events:?}");
            found += events.len();
        });
    });
    assert!(found > 20, "{found}");
}
