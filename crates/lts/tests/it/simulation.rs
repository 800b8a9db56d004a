//! Simulation against the definition, on random graphs and on small ones that show a point.

use graph::{GraphBuilder, Interrupt, Progress, StateGraph, Unwatched, Watch};
use lts::{Mismatch, Simulation, simulate};
use testkit::naive_simulation::{failing_rounds, reachable_pairs};
use testkit::random::{Random, Shape, for_random_inputs, random_graph};
use testkit::shapes::{chain, graph_of, ring};

fn simulated(small: &StateGraph, large: &StateGraph, ignored: Option<u32>) -> Simulation {
    simulate(small, large, ignored, &Unwatched).expect("nobody interrupts")
}

/// Some of the edges of a graph, which it therefore simulates.
fn part_of(graph: &StateGraph, random: &mut Random) -> StateGraph {
    let mut builder = GraphBuilder::new();
    for source in 0..graph.state_count() as u32 {
        for edge in graph.edges(source).iter().rev() {
            if random.percent(80) {
                let label = builder.labels.intern(graph.labels.get(edge.label));
                builder.edge(source, label, edge.state);
            }
        }
    }
    builder.finish(graph.state_count(), graph.initial().to_vec()).expect("a handful of edges")
}

fn check(small: &StateGraph, large: &StateGraph, ignored: Option<u32>) {
    let text = ignored.map(|label| small.labels.get(label));
    let simulation = simulated(small, large, ignored);
    let pairs: Vec<_> = simulation.pairs().collect();
    assert_eq!(pairs, reachable_pairs(small, large, text), "{small:#?}\n{large:#?}");
    assert_eq!(simulation.pair_count(), pairs.len());

    let failed = failing_rounds(small, large, text);
    let held_out = |x: u32| large.initial().iter().map(move |y| (x, *y)).collect::<Vec<_>>();
    let round = |(x, y): (u32, u32)| failed[x as usize][y as usize];
    let shortest = small
        .initial()
        .iter()
        .filter(|x| held_out(**x).into_iter().all(|pair| round(pair).is_some()))
        .filter_map(|x| held_out(*x).into_iter().map(|pair| round(pair).unwrap_or_default()).max())
        .min();
    assert_eq!(simulation.mismatch().map(|mismatch| mismatch.trace.len()), shortest);
    if let Some(mismatch) = simulation.mismatch() {
        check_mismatch(small, large, ignored, mismatch);
    }
}

/// Both graphs can take the trace to where it says, and only the first can go on.
fn check_mismatch(small: &StateGraph, large: &StateGraph, ignored: Option<u32>, mismatch: &Mismatch) {
    let (label, y) = mismatch.stuck.expect("the graph has initial states");
    let texts: Vec<&str> = mismatch.trace.iter().map(|label| small.labels.get(*label)).collect();
    assert!(ends(small, &texts).contains(&mismatch.small));
    assert!(ends(large, &texts).contains(&y));
    assert!(!mismatch.trace.iter().chain([&label]).any(|label| Some(*label) == ignored));
    let can = |graph: &StateGraph, state| {
        graph.edges(state).iter().any(|edge| graph.labels.get(edge.label) == small.labels.get(label))
    };
    assert!(can(small, mismatch.small) && !can(large, y));
}

fn ends(graph: &StateGraph, trace: &[&str]) -> Vec<u32> {
    let mut now = graph.initial().to_vec();
    for label in trace {
        let steps = now.iter().flat_map(|state| graph.edges(*state));
        now = steps.filter(|edge| graph.labels.get(edge.label) == *label).map(|edge| edge.state).collect();
        now.sort_unstable();
        now.dedup();
    }
    now
}

#[test]
fn agrees_with_the_definition_on_random_graphs() {
    for_random_inputs(10_000, |random| {
        let (first, second) = (Shape::small(random), Shape::small(random));
        let (small, large) = (random_graph(random, first), random_graph(random, second));
        let ignored = random.percent(30).then(|| random.below(small.labels.len() as u32));
        check(&small, &large, ignored);
    });
}

#[test]
fn agrees_with_the_definition_on_parts_of_graphs() {
    for_random_inputs(10_000, |random| {
        let shape = Shape::small(random);
        let large = random_graph(random, shape);
        let small = part_of(&large, random);
        check(&small, &large, None);
        assert_eq!(simulated(&small, &large, None).mismatch(), None);
    });
}

#[test]
fn a_loop_unrolled_matches_one_state_several_times() {
    let simulation = simulated(&chain("a", 5), &ring(2), None);
    assert_eq!(simulation.pairs().collect::<Vec<_>>(), [(0, 0), (1, 1), (2, 0), (3, 1), (4, 0)]);
}

#[test]
fn one_state_may_match_several() {
    let small = graph_of(3, [(0, "init", 1), (1, "send", 2)]);
    let edges = [(0, "init", 1), (0, "init", 2), (0, "init", 3), (1, "send", 4), (2, "send", 4)];
    let simulation = simulated(&small, &graph_of(5, edges), None);
    assert_eq!((simulation.matches(0), simulation.matches(1)), (&[0][..], &[1, 2][..]));
    assert_eq!(simulation.matches(2), [4]);
}

#[test]
fn the_shortest_way_out_is_told() {
    let small = graph_of(4, [(0, "a", 1), (0, "b", 2), (1, "a", 3), (3, "c", 0), (2, "c", 0)]);
    let large = graph_of(3, [(0, "a", 1), (0, "b", 2), (1, "a", 2)]);
    let simulation = simulated(&small, &large, None);
    let c = small.labels.find("c").expect("it is there");
    let b = small.labels.find("b").expect("it is there");
    let expected = Mismatch { trace: vec![b], small: 2, stuck: Some((c, 2)) };
    assert_eq!(simulation.mismatch(), Some(&expected));
    assert_eq!(simulation.pair_count(), 0);
}

#[test]
fn the_marker_of_the_end_is_no_step() {
    let small = graph_of(3, [(0, "a", 1), (1, "i", 2)]);
    let large = graph_of(2, [(0, "a", 1)]);
    let marker = small.labels.find("i");
    assert!(simulated(&small, &large, None).mismatch().is_some());
    let simulation = simulated(&small, &large, marker);
    assert_eq!(simulation.mismatch(), None);
    assert!(simulation.matches(2).is_empty());
}

#[test]
fn nothing_simulates_from_nowhere() {
    let small = chain("a", 2);
    let nowhere = GraphBuilder::new().finish(1, Vec::new()).expect("no edges");
    let expected = Mismatch { trace: Vec::new(), small: 0, stuck: None };
    assert_eq!(simulated(&small, &nowhere, None).mismatch(), Some(&expected));
    assert_eq!(simulated(&nowhere, &small, None).mismatch(), None);
}

#[test]
fn the_watch_limits_the_pairs() {
    struct Limit;
    impl Watch for Limit {
        fn pulse(&self, progress: Progress) -> Result<(), Interrupt> {
            if progress.states > 50_000 { Err(Interrupt::States(50_000)) } else { Ok(()) }
        }
    }
    let result = simulate(&ring(1009), &ring(1013), None, &Limit);
    assert_eq!(result.err(), Some(Interrupt::States(50_000)));
}
