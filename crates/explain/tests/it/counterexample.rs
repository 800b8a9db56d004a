//! Small counterexamples that show what is said where nothing can be left out.

use explain::{Abstraction, Untouched};
use graph::{Dfa, Fate, LabelClasses, Product, StateGraph, Trace, ViolatedWhen};
use testkit::Case;
use testkit::shapes::graph_of;

use crate::comparison::Analysis;

/// What is said of the calmest counterexample to "never `bad`".
fn explained<R>(graph: &StateGraph, look: impl Fn(&Trace, &explain::Counterexample) -> R) -> R {
    let classes = LabelClasses::by_key(graph.labels.iter().map(|label| label == "bad"));
    let bad = graph.labels.find("bad").map(|label| classes.of(label)).expect("it occurs");
    let table =
        (0..2).flat_map(|state| (0..classes.count()).map(move |class| u32::from(state == 1 || class == bad)));
    let dfa = Dfa::new(0, vec![false, true], classes.count(), table.collect());
    let product = Product::new(graph, &classes, &dfa, ViolatedWhen::Accepted).expect("a small product");
    let read = |state| Case::pair(&product, state);
    let analysis = Analysis::new(&product, graph.labels.len(), u64::MAX, &read);
    let trace = analysis.calmest().expect("it can fail");
    look(&trace, &analysis.explain(trace.clone()))
}

#[test]
fn who_can_only_circle_is_told_so() {
    let graph = graph_of(2, [(0, "wait", 0), (0, "bad", 1)]);
    explained(&graph, |_, found| {
        assert_eq!(found.untouched, Some(Untouched::OnlyByCircling));
        assert_eq!((found.notes[0].before, found.notes[0].after), (Fate::Free, Fate::Doomed));
        assert!(found.notes[0].escapes.is_empty() && found.notes[0].is_point_of_no_return());
        assert_eq!(found.notes[0].still_free, [graph.labels.find("wait").unwrap()]);
    });
}

#[test]
fn who_could_leave_after_another_step_is_told_where_the_traces_part() {
    // Beside the counterexample `go`, `bad`: after `turn` there still is a choice.
    let edges = [(0, "go", 1), (1, "bad", 3), (1, "turn", 2), (2, "on", 4), (4, "bad", 3), (4, "stop", 5)];
    explained(&graph_of(6, edges), |trace, found| {
        assert_eq!(trace.steps.len(), 2);
        assert_eq!(found.untouched, Some(Untouched::PartedEarlier { last_free: 1 }));
        assert_eq!(found.abstraction.len(), 2);
    });
}

#[test]
fn who_never_had_a_chance_is_told_so() {
    explained(&graph_of(3, [(0, "go", 1), (1, "bad", 2)]), |_, found| {
        assert_eq!(found.untouched, Some(Untouched::DoomedFromTheStart));
        assert!(found.notes.iter().all(|note| !note.is_point_of_no_return()));
    });
}

/// Two labels to one state, one label to two states: what else could have been done is every other edge.
#[test]
fn the_other_edges_are_those_that_are_not_the_step() {
    let edges = [
        (0, "go", 1),
        (0, "walk", 1),
        (0, "go", 2),
        (1, "bad", 3),
        (1, "stop", 4),
        (2, "rest", 2),
        (2, "on", 1),
    ];
    let graph = graph_of(5, edges);
    explained(&graph, |_, found| {
        let names: Vec<&str> =
            found.notes[0].still_free.iter().map(|label| graph.labels.get(*label)).collect();
        assert_eq!(names, ["go", "walk"]);
    });
}

#[test]
fn what_is_kept_falls_into_runs() {
    let abstraction = |kept: &[bool], touched| Abstraction { kept: kept.to_vec(), touched };
    let found = abstraction(&[true, false, true, true, false, false, true], 3);
    assert_eq!((found.runs(), found.len()), (vec![0..1, 2..4, 6..7], 4));
    let untouched = abstraction(&[false, false], 0);
    assert_eq!((untouched.runs(), untouched.len()), (vec![], 2));
    assert!(abstraction(&[], 0).is_empty() && !untouched.is_empty());
}
