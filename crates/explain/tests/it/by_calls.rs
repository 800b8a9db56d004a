//! Correct transitions call by call, against traces written out one by one with their whole stacks.

use std::collections::BTreeSet;

use explain::correct_transitions::{ByCalls, Coverage, Engine, Query, localise};
use explain::recheck::Recheck;
use graph::{BitSet, Target, Unwatched};
use search::summarise;
use testkit::random::for_random_inputs;
use testkit::random_procedures::{Local, RandomProcedures};

#[test]
fn correct_labels_and_error_traces_are_as_defined() {
    let (mut compared, mut caused, mut several, mut unexplained) = (0, 0, 0, 0);
    for_random_inputs(6_000, |random| {
        let system = RandomProcedures::new(random);
        let ends: BTreeSet<Local> = system.locals().filter(|_| random.percent(15)).collect();
        let Some(truth) = system.traces(&ends, &BTreeSet::new()) else { return };
        let found = summarise(&system, u64::MAX, &Unwatched);
        let graph = &found.graph;
        let mut nodes = BitSet::new(graph.node_count());
        let mut errors = Vec::new();
        for node in 0..graph.node_count() as u32 {
            if ends.iter().any(|end| end == found.state(node)) {
                nodes.insert(node);
            }
            let wrong = graph.edges(node).iter().filter(|edge| matches!(edge.target, Target::Wrong(_)));
            errors.extend(wrong.map(|edge| (node, Some(edge.label))));
        }
        assert_eq!(found.events.iter().copied().collect::<BTreeSet<u64>>(), truth.labels);
        let mut engine = ByCalls::new(graph, errors, nodes, &Unwatched).expect("no limit");
        let event = |label: u32| found.events[label as usize];
        let labels = found.events.len() as u32;
        for label in 0..labels {
            let is_correct = truth.correct.contains(&event(label));
            assert_eq!(engine.takes(label), is_correct, "label {}", event(label));
            let again = engine.recheck(&|_, taken| taken == label);
            let is_refuted = is_correct || !engine.is_any_correct();
            assert_eq!(again == Recheck::Refuted, is_refuted, "label {}", event(label));
        }
        assert!(engine.is_any_correct() || truth.correct.is_empty());
        let trusted = BitSet::new(labels as usize);
        let guards = |_, _| false;
        let query = Query {
            last_step_checks: false,
            guards: &guards,
            first: None,
            trusted: &trusted,
            max_traces: usize::MAX,
        };
        let localised = localise(&mut engine, query).expect("no limit");
        let mut halted = BTreeSet::new();
        for error in &localised.traces {
            let left = system.traces(&ends, &halted).expect("fewer traces than before");
            assert_eq!(left.shortest, Some(error.labels.len() as u32));
            halted.extend(error.causes.iter().map(|step| event(error.labels[*step])));
        }
        let left = system.traces(&ends, &halted).expect("fewer traces than before");
        match localised.coverage {
            Coverage::All => assert_eq!(left.shortest, None),
            Coverage::Unexplained => unexplained += 1,
            Coverage::Limited => panic!("nobody set a limit"),
        }
        assert!(halted.is_disjoint(&truth.correct));
        compared += 1;
        caused += usize::from(!halted.is_empty());
        several += usize::from(localised.traces.len() > 1);
    });
    assert!(
        compared > 1000 && caused > 50 && several > 5 && unexplained > 50,
        "{compared} {caused} {several} {unexplained}"
    );
}
