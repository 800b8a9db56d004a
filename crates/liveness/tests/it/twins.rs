//! Accepting cycles against a twin that tries all sets of edges of the product, and counterexamples
//! against the definitions.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use graph::{Actors, Fairness, Transitions, Unwatched};
use liveness::{Answer, Continuations, Counterexample, Ending, Product, Reading, is_accepted_from};
use property::buchi::{Automaton, Edge, Guard, Lasso};
use testkit::process_case::ProcessCase;
use testkit::random::{Random, for_random_inputs};

type Node = (u32, u32);

/// A system without violations, what is read of it, and who reads.
struct Case {
    system: ProcessCase,
    letters: Vec<u64>,
    repeats_last: bool,
    automaton: Automaton,
}

/// As the system itself has it: label `n` belongs to process `n % 3`, from 3 on also to process 0.
fn actors(system: &impl Transitions, label: u32) -> Vec<u8> {
    Actors::iter(system.actors(label)).collect()
}

impl Case {
    fn random(random: &mut Random) -> Self {
        let mut system = ProcessCase::random(random);
        system.wrong.clear();
        system.deadlocks.clear();
        // Nobody keeps control who cannot move.
        let moving: BTreeSet<u32> = system.edges.iter().map(|edge| edge.0).collect();
        system.uninterrupted.retain(|state| moving.contains(state));
        // Where nothing is read for ever there is no word to accept: such loops are left out.
        let edges = &system.edges;
        let leads_on = |state: &u32| edges.iter().all(|edge| edge.0 != *state || edge.2 > *state);
        system.uninterrupted.retain(leads_on);
        let states = random.between(1, 3);
        let edges = (0..random.between(1, 5)).map(|_| {
            let (from, to) = (random.below(states), random.below(states));
            let (positive, negative) = (u64::from(random.below(4)), u64::from(random.below(4)));
            let guard = Guard { positive, negative: negative & !positive };
            Edge { from, to, guard }
        });
        let edges: BTreeSet<Edge> = edges.collect();
        let accepting = (0..states).map(|_| random.below(2) == 0).collect();
        let automaton = Automaton::new(0, accepting, edges.into_iter().collect()).unwrap();
        let letters = (0..system.states).map(|_| u64::from(random.below(4))).collect();
        Self { system, letters, repeats_last: random.below(4) > 0, automaton }
    }

    fn holds(&self, guard: Guard, state: u32) -> bool {
        let letter = self.letters[state as usize];
        (0..2).all(|atom| {
            let is_true = letter >> atom & 1 == 1;
            (guard.positive >> atom & 1 == 0 || is_true) && (guard.negative >> atom & 1 == 0 || !is_true)
        })
    }

    /// All edges of the product that can be reached, with who moves.
    fn edges(&self, system: &impl Transitions) -> Vec<(Node, Vec<u8>, Node)> {
        let mut edges = Vec::new();
        let mut seen: BTreeSet<Node> = system.initial().into_iter().map(|state| (state, 0)).collect();
        let mut waiting: Vec<Node> = seen.iter().copied().collect();
        while let Some((state, place)) = waiting.pop() {
            let steps = self.system.edges.iter().filter(|edge| edge.0 == state);
            let mut moves: Vec<(Vec<u8>, u32)> =
                steps.map(|(_, label, to)| (actors(system, *label), *to)).collect();
            let passing = self.system.uninterrupted.contains(&state);
            if moves.is_empty() && self.repeats_last && !passing {
                moves.push((Vec::new(), state));
            }
            let fits = self
                .automaton
                .edges()
                .iter()
                .filter(|edge| edge.from == place && self.holds(edge.guard, state));
            let places: BTreeSet<u32> =
                if passing { BTreeSet::from([place]) } else { fits.map(|edge| edge.to).collect() };
            for (who, target) in moves {
                for place_after in &places {
                    let to = (target, *place_after);
                    edges.push(((state, place), who.clone(), to));
                    if seen.insert(to) {
                        waiting.push(to);
                    }
                }
            }
        }
        edges
    }

    fn able(&self, system: &impl Transitions, state: u32, process: u8) -> bool {
        let mut steps = self.system.edges.iter().filter(|edge| edge.0 == state);
        steps.any(|edge| actors(system, edge.1).first() == Some(&process))
    }

    /// Whether doing exactly these for ever is accepted and, if asked, fair to everybody.
    fn is_accepted(
        &self,
        system: &impl Transitions,
        set: &[&(Node, Vec<u8>, Node)],
        fairness: Fairness,
    ) -> bool {
        let reaches = |from: Node| {
            let mut reached = BTreeSet::from([from]);
            loop {
                let before = reached.len();
                for (source, _, target) in set {
                    if reached.contains(source) {
                        reached.insert(*target);
                    }
                }
                if reached.len() == before {
                    return reached;
                }
            }
        };
        let nodes: BTreeSet<Node> = set.iter().map(|edge| edge.0).collect();
        let closed = set.iter().all(|(_, _, target)| reaches(*target).is_superset(&nodes));
        let visits = nodes.iter().any(|(_, place)| self.automaton.is_accepting(*place));
        let seen: Vec<u32> = nodes
            .iter()
            .map(|(state, _)| *state)
            .filter(|state| !self.system.uninterrupted.contains(state))
            .collect();
        let fair = fairness == Fairness::None
            || seen.is_empty()
            || (0..3).all(|process| {
                set.iter().any(|(_, who, _)| who.contains(&process))
                    || seen.iter().any(|state| !self.able(system, *state, process))
            });
        !set.is_empty() && closed && visits && fair
    }
}

fn compare(random: &mut Random) {
    let case = Case::random(random);
    let system = case.system.system();
    let edges = case.edges(&system);
    if edges.len() > 14 {
        return;
    }
    let reading = Reading { repeats_last: case.repeats_last, ..Reading::new(case.letters.clone()) };
    let product = Product::new(&system, &case.automaton, &reading).unwrap();
    for fairness in [Fairness::None, Fairness::Weak] {
        let naive = (1_u32..1 << edges.len()).any(|bits| {
            let set: Vec<_> = edges
                .iter()
                .enumerate()
                .filter(|(at, _)| bits >> at & 1 == 1)
                .map(|(_, edge)| edge)
                .collect();
            case.is_accepted(&system, &set, fairness)
        });
        let continuations = Continuations::new(&product, fairness, &Unwatched).unwrap();
        let answer = continuations.answer(&product);
        // Who is settled needs a trace that goes on; without repetition there may be none.
        if case.repeats_last {
            let expected = if naive { Answer::Yes } else { Answer::No };
            assert_eq!(answer, expected, "{fairness:?} {edges:?}");
            let starts: Vec<u32> = system.initial().iter().map(|state| product.node(*state, 0)).collect();
            assert_eq!(is_accepted_from(&product, &starts, fairness, 1000), Some(naive), "{fairness:?}");
        }
        let found = Counterexample::new(&product, &continuations, fairness);
        assert_eq!(found.is_some(), answer == Answer::Yes);
        if let Some(found) = found {
            check(&case, &system, &found, fairness);
        }
    }
}

/// Whether a counterexample is a trace of the system, is accepted, and is fair.
fn check(case: &Case, system: &impl Transitions, found: &Counterexample, fairness: Fairness) {
    let states: Vec<u32> = found.trace.states().collect();
    for (step, from) in found.trace.steps.iter().zip(&states) {
        assert!(case.system.edges.contains(&(*from, step.label, step.state)));
    }
    let seen = |state: &u32| !case.system.uninterrupted.contains(state);
    let letters = |states: &[u32]| -> Vec<u64> {
        states.iter().filter(|state| seen(state)).map(|state| case.letters[*state as usize]).collect()
    };
    let word = match found.ending {
        Ending::Decided => return,
        Ending::Stops => {
            let letters = letters(&states);
            Lasso { loop_start: letters.len() - 1, letters }
        }
        Ending::Loop(start) => {
            assert_eq!(states.last(), Some(&states[start]));
            let turn = &states[start..states.len() - 1];
            if !turn.iter().any(seen) {
                return;
            }
            let moved: BTreeMap<u8, ()> = found.trace.steps[start..]
                .iter()
                .flat_map(|step| actors(system, step.label))
                .map(|process| (process, ()))
                .collect();
            for process in (0..3).filter(|_| fairness == Fairness::Weak) {
                let excused = turn.iter().any(|state| seen(state) && !case.able(system, *state, process));
                assert!(moved.contains_key(&process) || excused, "process {process} is passed over");
            }
            Lasso {
                loop_start: letters(&states[..start]).len(),
                letters: letters(&states[..states.len() - 1]),
            }
        }
    };
    assert!(case.automaton.accepts(&word), "{word:?}");
}

#[test]
fn accepting_cycles_are_those_of_the_definition() {
    for_random_inputs(4_000, compare);
}
