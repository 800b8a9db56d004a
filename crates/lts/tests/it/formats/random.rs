//! Random graphs, and runs of proptest that can be repeated.

use graph::{GraphBuilder, Labels, StateGraph, StateNames, StateVariables};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// A runner whose seed is printed; `WHEREFORE_SEED` repeats a run.
pub(crate) fn runner(cases: u32) -> TestRunner {
    let seed = testkit::seed();
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

/// Labels and names that have tripped up a reader of some format somewhere.
const TRAPS: [&str; 24] = [
    "a",
    "tau",
    "i",
    "send(1, 2)",
    "say \"x\"",
    "",
    "  padded\t",
    "é",
    "a,b;c\td",
    "#x",
    "\\",
    "\\n\\\"",
    "two\nlines",
    "src",
    "label",
    "\"",
    "\"\"",
    "(0, b, 1)",
    "---",
    "\r",
    "\u{feff}",
    "}",
    "->",
    "0",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(&TRAPS[..]).prop_map(str::to_owned),
        1 => ".{0,6}".prop_map(|text: String| text),
    ]
}

/// Values as TLC prints them: one line, no blanks at the ends.
fn value() -> impl Strategy<Value = Option<String>> {
    let values = ["0", "<<1, 2>>", "\"a /\\ b = 1\"", "{}", "x = y", "\"\\\"\"", "é", "[r |-> 1]"];
    prop::option::weighted(0.8, prop::sample::select(values.to_vec()).prop_map(str::to_owned))
}

/// A small graph: any labels, one or more initial states, with and without names and variables.
pub(crate) fn any_graph() -> impl Strategy<Value = StateGraph> {
    (1usize..7, prop::collection::vec(text(), 1..4)).prop_flat_map(|(states, labels)| {
        let state = 0..states as u32;
        let label = 0..labels.len();
        let edges = prop::collection::vec((state.clone(), label, state.clone()), 0..12);
        let initial = prop_oneof![3 => prop::collection::vec(state.clone(), 1), 1 => prop::collection::vec(state, 2..4)];
        (Just(states), Just(labels), edges, initial, names(states), variables(states)).prop_map(
            |(states, labels, edges, initial, names, variables)| {
                let mut builder = GraphBuilder::new();
                let labels: Vec<u32> = labels.iter().map(|label| builder.labels.intern(label)).collect();
                for (source, label, target) in edges {
                    builder.edge(source, labels[label], target);
                }
                let mut graph = builder.finish(states, initial).unwrap();
                graph.names = names;
                graph.variables = variables;
                graph
            },
        )
    })
}

fn names(states: usize) -> impl Strategy<Value = StateNames> {
    let texts = prop::collection::btree_set(text(), states).prop_map(|texts| {
        let mut labels = Labels::new();
        for text in &texts {
            labels.intern(text);
        }
        StateNames::Texts(Box::new(labels))
    });
    let numbers = prop::collection::btree_set(any::<i64>(), states)
        .prop_map(|numbers| numbers.into_iter().collect::<Vec<_>>())
        .prop_shuffle()
        .prop_map(StateNames::Listed);
    prop_oneof![Just(StateNames::default()), Just(StateNames::Counted { first: 1 }), numbers, texts]
}

fn variables(states: usize) -> impl Strategy<Value = Option<StateVariables>> {
    let rows = prop::collection::vec(prop::collection::vec(value(), 2), states);
    let table = rows.prop_map(move |rows| {
        let mut table = StateVariables::new(vec!["x".to_owned(), "pc_1".to_owned()], states);
        for (state, row) in rows.iter().enumerate() {
            for (variable, value) in row.iter().enumerate() {
                if let Some(value) = value {
                    table.set(state as u32, variable, value);
                }
            }
        }
        table
    });
    prop::option::of(table)
}
