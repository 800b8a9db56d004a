//! Minimisation against the definitions, on random graphs and on graphs whose classes are known.

use graph::{Interrupt, Progress, StateGraph, Unwatched, Watch};
use lts::{Equivalence, Reduction, Tau, reduce};
use testkit::naive_bisimulation as naive;
use testkit::random::{Random, Shape, for_random_inputs, random_graph};
use testkit::shapes;

fn reduced(graph: &StateGraph, equivalence: Equivalence) -> Reduction {
    reduce(graph, equivalence, &Tau::default(), &Unwatched).expect("nobody interrupts")
}

fn relation(graph: &StateGraph, equivalence: Equivalence) -> naive::Relation {
    match equivalence {
        Equivalence::Strong => naive::strong(graph),
        Equivalence::Branching => naive::branching(graph, |label| Tau::default().is_silent(label)),
    }
}

fn reachable(graph: &StateGraph) -> Vec<u32> {
    let mut found = graph.initial().to_vec();
    let mut at = 0;
    while at < found.len() {
        for edge in graph.edges(found[at]) {
            if !found.contains(&edge.state) {
                found.push(edge.state);
            }
        }
        at += 1;
    }
    found
}

fn sizes(graph: &StateGraph) -> (usize, usize) {
    (graph.state_count(), graph.edge_count())
}

fn listing(graph: &StateGraph) -> Vec<(u32, u32, u32)> {
    let states = 0..graph.state_count() as u32;
    states.flat_map(|s| graph.edges(s).iter().map(move |edge| (s, edge.label, edge.state))).collect()
}

/// Same class if and only if equivalent; every state equivalent to its class; numbered breadth-first.
fn check(graph: &StateGraph, equivalence: Equivalence) {
    let Reduction { graph: quotient, class_of } = reduced(graph, equivalence);
    let reachable = reachable(graph);
    let both = shapes::union(graph, &quotient);
    let expected = relation(&both, equivalence);
    let classes = graph.state_count();
    for s in 0..graph.state_count() as u32 {
        let class = class_of[s as usize];
        if !reachable.contains(&s) {
            assert_eq!(class, Reduction::UNREACHABLE);
            continue;
        }
        assert!(expected[s as usize][classes + class as usize], "{s} is not like its class {class}");
        for t in reachable.iter().copied() {
            let same = class == class_of[t as usize];
            assert_eq!(same, expected[s as usize][t as usize], "states {s} and {t} of\n{graph:#?}");
        }
    }
    let again = reduced(&quotient, equivalence);
    assert_eq!(listing(&again.graph), listing(&quotient));
    assert_eq!(again.graph.initial(), quotient.initial());
    assert!(again.class_of.iter().copied().eq(0..quotient.state_count() as u32));
}

fn random_graphs(count: u64, equivalence: Equivalence) {
    for_random_inputs(count, |random: &mut Random| {
        let shape = Shape::small(random);
        check(&random_graph(random, shape), equivalence);
    });
}

#[test]
fn strong_agrees_with_the_definition_on_random_graphs() {
    random_graphs(20_000, Equivalence::Strong);
}

#[test]
fn strong_agrees_with_the_definition_on_larger_graphs() {
    for_random_inputs(150, |random| {
        let states = random.between(20, 70);
        let edges = random.between(states, 2 * states);
        let labels = random.between(1, 2);
        let back = random.below(60);
        let graph = random_graph(random, Shape { states, labels, edges, silent: 0, back });
        check(&graph, Equivalence::Strong);
    });
}

#[test]
fn strong_classes_of_known_shapes() {
    let strong = |graph: &StateGraph| {
        check(graph, Equivalence::Strong);
        sizes(&reduced(graph, Equivalence::Strong).graph)
    };
    assert_eq!(strong(&shapes::ring(40)), (1, 1));
    assert_eq!(strong(&shapes::chain("a", 40)), (40, 39));
    assert_eq!(strong(&shapes::diamonds(8)), (25, 32));
    assert_eq!(strong(&shapes::tree(5)), (6, 10));
    assert_eq!(strong(&shapes::silent_cycle(9)), (10, 10));
}

#[test]
fn branching_agrees_with_the_definition_on_random_graphs() {
    random_graphs(20_000, Equivalence::Branching);
}

#[test]
fn branching_agrees_with_the_definition_on_larger_graphs() {
    for_random_inputs(100, |random| {
        let states = random.between(20, 60);
        let edges = random.between(states, 2 * states);
        let labels = random.between(1, 2);
        let silent = random.between(30, 80);
        let back = random.below(30);
        let graph = random_graph(random, Shape { states, labels, edges, silent, back });
        check(&graph, Equivalence::Branching);
    });
}

#[test]
fn branching_classes_of_known_shapes() {
    let branching = |graph: &StateGraph| {
        check(graph, Equivalence::Branching);
        sizes(&reduced(graph, Equivalence::Branching).graph)
    };
    assert_eq!(branching(&shapes::ring(40)), (1, 1));
    assert_eq!(branching(&shapes::chain("a", 40)), (40, 39));
    assert_eq!(branching(&shapes::chain("tau", 40)), (1, 0));
    assert_eq!(branching(&shapes::silent_cycle(9)), (2, 1));
    assert_eq!(branching(&shapes::diamonds(8)), (25, 32));
    assert_eq!(branching(&shapes::tree(5)), (6, 10));
}

#[test]
fn a_long_chain_is_no_burden() {
    let states = 200_000;
    assert_eq!(
        sizes(&reduced(&shapes::chain("a", states), Equivalence::Strong).graph),
        (states as usize, states as usize - 1)
    );
}

#[test]
fn long_silent_chains_and_cycles_are_no_burden() {
    let states = 200_000;
    assert_eq!(sizes(&reduced(&shapes::chain("tau", states), Equivalence::Branching).graph), (1, 0));
    assert_eq!(sizes(&reduced(&shapes::silent_cycle(states), Equivalence::Branching).graph), (2, 1));
}

/// `i` and `tau` are one silent label; another name can be given instead.
#[test]
fn what_is_silent_can_be_chosen() {
    let graph = shapes::graph_of(5, [(0, "i", 1), (1, "tau", 2), (2, "t", 3), (3, "a", 4)]);
    let size = |tau| {
        let reduction = reduce(&graph, Equivalence::Branching, &tau, &Unwatched).expect("nobody interrupts");
        reduction.graph.state_count()
    };
    assert_eq!((size(Tau::Usual), size(Tau::Named("t".into())), size(Tau::Named("b".into()))), (3, 4, 5));
}

#[test]
fn a_watch_can_stop_a_reduction() {
    struct Stop;
    impl Watch for Stop {
        fn pulse(&self, progress: Progress) -> Result<(), Interrupt> {
            assert_eq!(progress.phase, "reducing");
            Err(Interrupt::Cancelled)
        }
    }
    for equivalence in [Equivalence::Strong, Equivalence::Branching] {
        let result = reduce(&shapes::ring(200_000), equivalence, &Tau::default(), &Stop);
        assert_eq!(result.err(), Some(Interrupt::Cancelled));
    }
}

#[test]
fn a_graph_without_states_has_an_empty_quotient() {
    let reduction = reduced(&StateGraph::default(), Equivalence::Strong);
    assert_eq!(sizes(&reduction.graph), (0, 0));
}

/// Graphs of the VLTS benchmark with their sizes under either equivalence, as other tools compute them.
#[test]
fn sizes_of_public_benchmarks() {
    let known = [
        ("cwi_1_2", (1132, 1432), (67, 115)),
        ("vasy_5_9", (145, 284), (112, 213)),
        ("vasy_18_73", (4087, 16444), (2326, 9751)),
    ];
    let Some(folder) = testkit::data_folder("vlts") else { return };
    for (name, strong, branching) in known {
        let contents = std::fs::read(folder.join(name).with_extension("aut")).expect("the file is there");
        let graph =
            lts::read(lts::Format::Aut, &contents, &Unwatched).expect("the file is well-formed").graph;
        assert_eq!(sizes(&reduced(&graph, Equivalence::Strong).graph), strong, "{name}");
        assert_eq!(sizes(&reduced(&graph, Equivalence::Branching).graph), branching, "{name}");
    }
}
