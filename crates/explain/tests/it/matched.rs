//! A counterexample LTS is made of a random model and property and handed back in as if it came from
//! elsewhere: without its map, with a marker where counterexamples end.

use std::collections::{BTreeMap, BTreeSet};

use explain::Matched;
use graph::{GraphBuilder, OUTSIDE, StateGraph, Transitions, Unwatched, ViolatedWhen};
use testkit::Case;
use testkit::naive_neighbourhoods::NaiveNeighbourhoods;
use testkit::naive_system::{NaiveSystem, Pair};
use testkit::random::{Random, for_random_inputs, random_visible_graph};
use testkit::shapes::graph_of;

use crate::comparison::Analysis;

const END: &str = "the end";

/// The counterexample LTS of a case as a graph, and the pair that each of its states was; nothing if
/// the property holds. Labels are numbered anew, and an edge [`END`] leaves every violating state.
fn counterexample_lts(case: &Case) -> Option<(StateGraph, Vec<Pair>)> {
    let product = case.product();
    let read = |state| Case::pair(&product, state);
    let analysis = Analysis::new(&product, case.graph.labels.len(), u64::MAX, &read);
    let kept: Vec<u32> =
        analysis.explored.reached().filter(|state| analysis.fates.can_fail(*state)).collect();
    let numbers: BTreeMap<u32, u32> = kept.iter().copied().zip(0..).collect();
    let mut builder = GraphBuilder::new();
    let end = builder.labels.intern(END);
    for (state, number) in &numbers {
        product.successors(*state, |label, target| {
            if target != OUTSIDE
                && let Some(target) = numbers.get(&target)
            {
                let label = builder.labels.intern(case.graph.labels.get(label));
                builder.edge(*number, label, *target);
            }
        });
        if product.is_violating(*state) {
            builder.edge(*number, end, kept.len() as u32);
        }
    }
    let initial: Vec<u32> =
        product.initial().iter().filter_map(|state| numbers.get(state)).copied().collect();
    let given = builder.finish(kept.len() + 1, initial.clone()).expect("a handful of edges");
    (!initial.is_empty()).then(|| (given, kept.iter().map(|state| read(*state)).collect()))
}

fn with_matched(model: &StateGraph, given: &StateGraph, look: impl FnOnce(&Analysis<'_, Matched<'_>>)) {
    let end = given.labels.find(END);
    let simulation = lts::simulate(given, model, end, &Unwatched).expect("nobody interrupts");
    assert_eq!(simulation.mismatch(), None);
    let own = lts::simulate(given, given, None, &Unwatched).expect("nobody interrupts");
    let matched = Matched::new(model, given, end, &simulation, &own).expect("a handful of edges");
    look(&Analysis::new(&matched, model.labels.len(), u64::MAX, &|state| (state, 0)));
}

/// Of several edges with one label, the first; one initial state.
fn deterministic(graph: &StateGraph) -> StateGraph {
    let mut builder = GraphBuilder::new();
    builder.labels = graph.labels.clone();
    for state in 0..graph.state_count() as u32 {
        let mut taken = BTreeSet::new();
        for edge in graph.edges(state).iter().filter(|edge| taken.insert(edge.label)) {
            builder.edge(state, edge.label, edge.state);
        }
    }
    builder.finish(graph.state_count(), vec![0]).expect("a handful of edges")
}

/// What was made is found again: every state matches the state it was made from and has the
/// neighbourhood it had. It can have more only if another state is its equal by simulation, because then
/// nothing tells them apart; by the letter of Definition 7 a correct transition it is.
#[test]
fn what_was_made_is_found_again() {
    let (mut matched, mut hoods) = (0, 0);
    for_random_inputs(8_000, |random| {
        let case = Case::random(random);
        // Whether a trace that got stuck has failed is not in its labels, and these are all there is.
        if case.property.violated_when != ViolatedWhen::Accepted {
            return;
        }
        let Some((given, pairs)) = counterexample_lts(&case) else { return };
        matched += 1;
        let twin = case.twin();
        let truth = NaiveNeighbourhoods::new(&twin);
        let expected = truth.neighbourhoods();
        let by_the_letter = NaiveSystem::matched(&case.graph, &given, END);
        let own =
            lts::simulate(&given, &given, given.labels.find(END), &Unwatched).expect("nobody interrupts");
        with_matched(&case.graph, &given, |analysis| {
            for (state, pair) in (0..).zip(&pairs) {
                assert!(analysis.system.counterparts(state).any(|counterpart| counterpart == pair.0));
                let was = expected.get(pair).filter(|hood| hood.kind != "R");
                let equal = own
                    .matches(state)
                    .iter()
                    .any(|other| *other != state && own.matches(*other).binary_search(&state).is_ok());
                let is = analysis.found.is_frontier(state);
                assert!(is || was.is_none(), "a neighbourhood was lost");
                assert!(equal || is == was.is_some(), "a neighbourhood out of nothing");
                hoods += usize::from(is);
                let literal = by_the_letter.step_labels_outside((state, 0));
                analysis.system.successors(state, |label, target| {
                    assert!(target != OUTSIDE || literal.contains(&label), "more than the definition");
                });
            }
        });
    });
    assert!(matched > 0 && hoods > 0, "too dull a choice");
}

/// Where a label leads to one state only, a state can but match the state it was made from.
#[test]
fn in_deterministic_models_matching_changes_nothing() {
    let mut hoods = 0;
    for_random_inputs(8_000, |random: &mut Random| {
        let case = Case::about(deterministic(&random_visible_graph(random)), random);
        let Some((given, pairs)) = counterexample_lts(&case) else { return };
        let twin = case.twin();
        let truth = NaiveNeighbourhoods::new(&twin);
        with_matched(&case.graph, &given, |analysis| {
            let by_matching: BTreeMap<Pair, _> = analysis
                .found
                .list(analysis.system, &analysis.explored, &analysis.fates)
                .map(|hood| (pairs[hood.state as usize], hood))
                .collect();
            let expected = truth.neighbourhoods();
            assert!(by_matching.keys().eq(expected.keys()));
            for (state, hood) in by_matching {
                let expected = &expected[&state];
                assert!(hood.incoming.iter().eq(&expected.incoming));
                assert!(hood.failing.iter().eq(&expected.failing));
                assert!(hood.correct.iter().eq(&expected.correct));
                assert_eq!(format!("{:?}", hood.kind).to_uppercase(), expected.kind);
                hoods += 1;
            }
            for (state, (own, _)) in (0..).zip(&pairs) {
                assert!(analysis.system.counterparts(state).eq([*own]));
            }
        });
    });
    assert!(hoods > 0, "too dull a choice");
}

/// Figure 3 of the paper: after `Init` two states can `Send`, and one state of the counterexample LTS
/// stands for both.
#[test]
fn one_state_stands_for_several() {
    let model = graph_of(
        6,
        [(0, "Init", 1), (0, "Init", 2), (1, "Send", 3), (2, "Send", 4), (3, "Recv", 5), (4, "Other", 5)],
    );
    let given = graph_of(5, [(0, "Init", 1), (1, "Send", 2), (2, "Recv", 3), (3, END, 4)]);
    // By simulation, state 2 is no match: it cannot `Send` to where `Recv` is possible.
    with_matched(&model, &given, |analysis| {
        assert!(analysis.system.counterparts(1).eq([1]));
        assert!(analysis.found.is_frontier(0), "`Init` to state 2 is a correct transition");
        assert_eq!(analysis.found.count(), 1);
    });

    // The paper's own: both receive, and there is nothing that parts them.
    let model = graph_of(
        6,
        [(0, "Init", 1), (0, "Init", 2), (1, "Send", 3), (2, "Send", 4), (3, "Recv", 5), (4, "Recv", 5)],
    );
    with_matched(&model, &given, |analysis| {
        assert!(analysis.system.counterparts(1).eq([1, 2]));
        assert!(analysis.system.counterparts(2).eq([3, 4]));
        assert!(analysis.system.counterparts(3).eq([5]));
        assert_eq!(analysis.found.count(), 0);
    });
}
