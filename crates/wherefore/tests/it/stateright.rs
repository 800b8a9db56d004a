//! Models of stateright, held against what stateright itself finds.

#![allow(clippy::unwrap_used)]

#[path = "../../examples/stateright/shop.rs"]
mod shop;

use shop::{Shop, told};
use stateright::{Checker as _, Model, Property};
use testkit::random::for_random_inputs;
use wherefore::stateright::{Adapted, Unsupported};
use wherefore::{Explainer, Recheck, Verdict, ViolationKind};

use crate::support::{assert_honest, checked_json};

#[test]
fn the_true_cause_is_named() {
    let shop = Shop { late: true };
    let system = Adapted::new(&shop).unwrap().telling(told);
    assert_eq!(system.left_out(), [("orders arrive", "sometimes"), ("orders end", "eventually")]);
    let explanation = Explainer::new().explain(&system).unwrap();
    assert_honest(&checked_json(&explanation.to_json()));
    assert_eq!(explanation.reason(), "\"nothing is given away\" does not hold");
    let trace = explanation.counterexample().unwrap();
    let steps: Vec<_> = trace.steps().collect();
    let cancel = steps.iter().find(|step| step.action() == "cancel").unwrap();
    assert!(cancel.is_point_of_no_return());
    assert_eq!(cancel.process(), Some(("customer", 0)));
    let packed = steps.iter().find(|step| step.action() == "pack").unwrap();
    assert!(packed.n() < cancel.n());
    // Cancelling what is packed is the fault, and the first cause says so.
    let first = explanation.causes().next().unwrap();
    assert_eq!(first.steps(), [cancel.n()], "{}", first.claim());
    assert_eq!(first.recheck().0, Recheck::Confirmed);
}

#[test]
fn without_the_fault_nothing_is_wrong() {
    let shop = Shop { late: false };
    let explanation = Explainer::new().explain(&Adapted::new(&shop).unwrap()).unwrap();
    assert_eq!(explanation.verdict(), Verdict::Holds);
    let states = Shop { late: false }.checker().spawn_bfs().join().unique_state_count();
    assert_eq!(explanation.statistics().states, states as u64);
}

#[test]
fn other_kinds_of_properties_are_refused_by_name() {
    let shop = Shop { late: true };
    let refused = |name: &str| Adapted::only(&shop, name).unwrap_err();
    let kind = |name: &str, kind| Unsupported::Kind { name: name.to_owned(), kind };
    assert_eq!(refused("orders arrive"), kind("orders arrive", "sometimes"));
    assert_eq!(refused("orders end"), kind("orders end", "eventually"));
    assert_eq!(refused("x"), Unsupported::Unknown("x".to_owned()));
    let only = Adapted::only(&shop, "nothing is given away").unwrap();
    assert_eq!(Explainer::new().explain(&only).unwrap().verdict(), Verdict::Violated);
}

/// A graph, whose states are its numbers: those from `wrong` on are wrong, those from `outside` on lie outside of the
/// boundary.
#[derive(Clone)]
struct Drawn {
    edges: Vec<(u32, u32)>,
    wrong: u32,
    outside: u32,
}

impl Model for Drawn {
    type State = u32;
    type Action = usize;

    fn init_states(&self) -> Vec<u32> {
        vec![0]
    }

    fn actions(&self, state: &u32, actions: &mut Vec<usize>) {
        actions.extend((0..self.edges.len()).filter(|edge| self.edges[*edge].0 == *state));
    }

    fn next_state(&self, _: &u32, edge: usize) -> Option<u32> {
        Some(self.edges[edge].1)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("fine", |model: &Drawn, state| *state < model.wrong)]
    }

    fn within_boundary(&self, state: &u32) -> bool {
        *state < self.outside
    }
}

#[test]
fn stateright_finds_the_same() {
    let mut violated = 0;
    for_random_inputs(200, |random| {
        let states = random.between(3, 10);
        let edges = (0..random.between(2, 18)).map(|_| (random.below(states), random.below(states)));
        let model = Drawn {
            edges: edges.collect(),
            wrong: random.between(1, states),
            outside: random.between(2, states + 1),
        };
        let explanation = Explainer::new().explain(&Adapted::new(&model).unwrap()).unwrap();
        let found = model.checker().threads(1).spawn_bfs().join();
        let path = found.discovery("fine").map(|path| path.into_actions().len());
        let own = explanation.counterexample().map(|trace| trace.steps().len());
        assert_eq!(own, path);
        violated += u32::from(own.is_some());
    });
    assert!(violated > 30, "{violated}");
}

#[test]
fn states_without_steps_are_deadlocks_on_request() {
    let model = Drawn { edges: vec![(0, 1), (1, 2), (1, 0)], wrong: 9, outside: 9 };
    let explanation = Explainer::new().explain(&Adapted::new(&model).unwrap()).unwrap();
    assert_eq!(explanation.verdict(), Verdict::Holds);
    let explanation = Explainer::new().explain(&Adapted::deadlocks(&model)).unwrap();
    assert_eq!(explanation.counterexample().unwrap().kind(), ViolationKind::Deadlock);
}
