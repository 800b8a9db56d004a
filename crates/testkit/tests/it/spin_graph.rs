//! Graphs rebuilt from SPIN's log have as many states, transitions and errors as SPIN counts itself.

use testkit::packaged_models::packaged_models;
use testkit::spin::{Options, Source, Spin};
use testkit::spin_graph::spin_graph;

#[expect(clippy::print_stdout, reason = "the table of this test")]
fn check(spin: &Spin, name: &str, source: &Source) {
    let options = Options::quick().uncached();
    let (graph, verdict) =
        spin_graph(spin, source, &options).unwrap_or_else(|reason| panic!("{name}: {reason:?}"));
    assert_eq!(u64::from(graph.stored), verdict.states, "states of {name}");
    assert_eq!(graph.transitions, verdict.transitions, "transitions of {name}");
    assert_eq!(graph.deadlocks.len() as u64, verdict.deadlocks(), "deadlocks of {name}");
    assert!(graph.deadlocks.is_sorted_by(|one, other| one < other), "each once in {name}");
    let failed: usize = graph.steps.iter().map(|step| step.failed.len()).sum();
    assert_eq!(failed as u64, verdict.failed_assertions(), "assertions of {name}");
    let all = failed + graph.deadlocks.len() + graph.other_errors.len();
    assert_eq!(all as u64, verdict.errors, "errors of {name}");
    // Every arrival at a stored state is one way between two of them; only those with equal labels and
    // the first state, at which nothing arrives, make the difference.
    let arrivals = graph.steps.iter().filter(|step| step.target < graph.stored).count();
    let whole = graph.whole(|step| format!("{}: {}", step.process, step.text));
    let stored = graph.between_stored(|steps| {
        steps.iter().map(|step| format!("{}: {}", step.process, step.text)).collect::<Vec<_>>().join("; ")
    });
    assert_eq!(whole.state_count(), graph.nodes as usize);
    assert!(stored.edge_count() <= arrivals);
    for deadlock in &graph.deadlocks {
        assert!(whole.edges(*deadlock).is_empty(), "a step from deadlock {deadlock} of {name}");
    }
    println!(
        "{name}: {} states stored of {}, {} steps, {} deadlocks",
        graph.stored,
        graph.nodes,
        graph.steps.len(),
        graph.deadlocks.len()
    );
}

#[test]
fn counts_are_those_of_spin_on_packaged_models() {
    let Some(spin) = Spin::find() else { return };
    let names = [
        "Book_1991/p101.pml",
        "Book_1991/p116.pml",
        "Book_1991/p117.pml",
        "Book_1991/p123.pml",
        "Book_1991/p312.pml",
        "Book_1991/p319.pml",
        "Exercises/ex_2.pml",
        "Exercises/ex_3c.pml",
        "LTL/bakery.pml",
        "LTL/salesman1.pml",
        "LTL/zune.pml",
        "loops.pml",
        "pathfinder.pml",
        "test_mtype.pml",
        "werkplaats.pml",
    ];
    for model in packaged_models().iter().filter(|model| names.contains(&model.name.as_str())) {
        check(&spin, &model.name, &model.source());
    }
}

#[test]
fn offers_nobody_takes_are_no_part_of_the_graph() {
    let Some(spin) = Spin::find() else { return };
    let source = Source::text(
        "chan c = [0] of { byte }; byte x;
         active proctype sender() { atomic { x = 1; c!1; x = 2 } }
         active proctype receiver() { x == 1; x = 5; c?_ }",
    );
    check(&spin, "late offer", &source);
    let (graph, _) = spin_graph(&spin, &source, &Options::quick().uncached()).unwrap();
    assert_eq!(graph.steps.iter().filter(|step| step.offer).count(), 1);
}
