//! The seam to the solvers on random formulas, against all assignments tried one by one.

use std::cell::Cell;

use encode::Circuit;
use encode::solver::{Backend, Fewest, Literal, Solver, Stop, Totalizer, Verdict, fewest, minimise_core};
use graph::{Interrupt, Progress, Unwatched, Watch};
use testkit::random::{Random, for_random_inputs};

const VARIABLES: usize = 7;

/// Clauses over variables 0 to 6: each a number and whether it is positive.
type Clauses = Vec<Vec<(usize, bool)>>;

fn random_clauses(random: &mut Random) -> Clauses {
    let count = random.between(1, 30);
    (0..count)
        .map(|_| {
            let length = random.between(1, 4);
            (0..length).map(|_| (random.below(VARIABLES as u32) as usize, random.percent(50))).collect()
        })
        .collect()
}

/// All assignments, as bits of a number, that satisfy the clauses.
fn models(clauses: &Clauses) -> Vec<u32> {
    let satisfies = |assignment: u32, clause: &Vec<(usize, bool)>| {
        clause.iter().any(|(variable, positive)| (assignment >> variable & 1 == 1) == *positive)
    };
    (0..1 << VARIABLES)
        .filter(|assignment| clauses.iter().all(|clause| satisfies(*assignment, clause)))
        .collect()
}

fn build<'w>(backend: Backend, clauses: &Clauses, watch: &'w dyn Watch) -> (Solver<'w>, Vec<Literal>) {
    let mut solver = Solver::with_backend(backend, watch);
    let literals: Vec<Literal> = (0..VARIABLES).map(|_| solver.fresh()).collect();
    for clause in clauses {
        let clause: Vec<Literal> =
            clause.iter().map(|(variable, positive)| literals[*variable].flipped(!positive)).collect();
        solver.clause(&clause);
    }
    (solver, literals)
}

/// Some literals of the variables, perhaps opposite ones.
fn random_assumptions(random: &mut Random) -> Vec<(usize, bool)> {
    (0..random.below(8)).map(|_| (random.below(VARIABLES as u32) as usize, random.percent(50))).collect()
}

fn agrees(assignment: u32, assumptions: &[(usize, bool)]) -> bool {
    assumptions.iter().all(|(variable, positive)| (assignment >> variable & 1 == 1) == *positive)
}

#[test]
fn answers_models_and_cores() {
    for_random_inputs(300, |random| {
        let clauses = random_clauses(random);
        let all = models(&clauses);
        for backend in Backend::ALL {
            let (mut solver, literals) = build(*backend, &clauses, &Unwatched);
            for _ in 0..6 {
                let assumptions = random_assumptions(random);
                let assumed: Vec<Literal> = assumptions
                    .iter()
                    .map(|(variable, positive)| literals[*variable].flipped(!positive))
                    .collect();
                let satisfiable = all.iter().any(|assignment| agrees(*assignment, &assumptions));
                match solver.solve(&assumed).expect("an answer") {
                    Verdict::Satisfiable => {
                        assert!(satisfiable);
                        let found = literals.iter().enumerate().fold(0, |found, (at, literal)| {
                            found | u32::from(solver.is_true(*literal)) << at
                        });
                        assert!(all.contains(&found) && agrees(found, &assumptions), "not a model");
                    }
                    Verdict::Unsatisfiable => {
                        assert!(!satisfiable);
                        let core = solver.core().to_vec();
                        assert!(
                            core.iter().all(|literal| assumed.contains(literal)),
                            "{core:?} of {assumed:?}"
                        );
                        assert_contradicts(&all, &literals, &core);
                        let minimal = minimise_core(&mut solver, &[], &core);
                        assert_eq!(minimal.stopped, None);
                        assert_contradicts(&all, &literals, &minimal.literals);
                        for left_out in 0..minimal.literals.len() {
                            let mut rest = minimal.literals.clone();
                            rest.remove(left_out);
                            assert!(
                                agreeing(&all, &literals, &rest),
                                "{:?} is not minimal",
                                minimal.literals
                            );
                        }
                    }
                }
            }
        }
    });
}

/// Whether one of these assignments makes all the literals true.
fn agreeing(all: &[u32], literals: &[Literal], chosen: &[Literal]) -> bool {
    let assumptions: Vec<(usize, bool)> = chosen
        .iter()
        .map(|one| {
            let variable = literals.iter().position(|literal| literal.variable() == one.variable());
            (variable.expect("one of the variables"), !one.is_negative())
        })
        .collect();
    all.iter().any(|assignment| agrees(*assignment, &assumptions))
}

fn assert_contradicts(all: &[u32], literals: &[Literal], core: &[Literal]) {
    assert!(!agreeing(all, literals, core), "{core:?} is not a core");
}

#[test]
fn bounds_are_exact_in_any_order() {
    for_random_inputs(200, |random| {
        let clauses = random_clauses(random);
        let all = models(&clauses);
        let inputs: Vec<(usize, bool)> = (0..random.below(7))
            .map(|_| (random.below(VARIABLES as u32) as usize, random.percent(70)))
            .collect();
        let count = |assignment: u32| {
            inputs
                .iter()
                .filter(|(variable, positive)| (assignment >> variable & 1 == 1) == *positive)
                .count()
        };
        for backend in Backend::ALL {
            let (mut solver, literals) = build(*backend, &clauses, &Unwatched);
            let counted: Vec<Literal> =
                inputs.iter().map(|(variable, positive)| literals[*variable].flipped(!positive)).collect();
            let mut counter = Totalizer::new(&counted);
            assert_eq!(counter.inputs(), inputs.len());
            for _ in 0..5 {
                let bound = random.below(inputs.len() as u32 + 2) as usize;
                let limit = counter.at_most(&mut solver, bound);
                let expected = all.iter().any(|assignment| count(*assignment) <= bound);
                assert_eq!(solver.solve(&[limit]) == Ok(Verdict::Satisfiable), expected, "at most {bound}");
            }
            let assumptions = random_assumptions(random);
            let assumed: Vec<Literal> = assumptions
                .iter()
                .map(|(variable, positive)| literals[*variable].flipped(!positive))
                .collect();
            let agreeing = all.iter().filter(|assignment| agrees(**assignment, &assumptions));
            let optimum = agreeing.map(|assignment| count(*assignment)).min();
            let expected = optimum.map_or(Fewest::Never, Fewest::Exactly);
            assert_eq!(fewest(&mut solver, &assumed, &mut counter, 0), Ok(expected));
            if let Some(optimum) = optimum {
                let chosen = counted.iter().filter(|literal| solver.is_true(**literal)).count();
                assert_eq!(chosen, optimum, "the model is that of the optimum");
            }
        }
    });
}

#[test]
fn constants_may_be_assumed() {
    for backend in Backend::ALL {
        let mut solver = Solver::with_backend(*backend, &Unwatched);
        assert_eq!(solver.solve(&[Literal::TRUE]), Ok(Verdict::Satisfiable));
        assert!(solver.is_true(Literal::TRUE) && !solver.is_true(Literal::FALSE));
        assert_eq!(solver.solve(&[Literal::FALSE]), Ok(Verdict::Unsatisfiable));
        assert_eq!(solver.core(), [Literal::FALSE]);
        let one = solver.fresh();
        assert_eq!(solver.solve(&[one, !one]), Ok(Verdict::Unsatisfiable));
        assert_eq!(minimise_core(&mut solver, &[one], &[!one, one]).literals, [!one]);
        solver.clause(&[]);
        assert_eq!(solver.solve(&[one]), Ok(Verdict::Unsatisfiable));
        assert!(solver.core().is_empty());
    }
}

/// More pigeons than holes: short to say, and long to refute for every solver that learns clauses.
fn pigeons<'w>(backend: Backend, holes: usize, watch: &'w dyn Watch) -> Solver<'w> {
    let mut solver = Solver::with_backend(backend, watch);
    // By hole, then by pigeon.
    let sits: Vec<Vec<Literal>> = (0..holes).map(|_| (0..=holes).map(|_| solver.fresh()).collect()).collect();
    for pigeon in 0..=holes {
        let somewhere: Vec<Literal> = sits.iter().map(|hole| hole[pigeon]).collect();
        solver.clause(&somewhere);
    }
    for hole in &sits {
        for (at, one) in hole.iter().enumerate() {
            for other in &hole[..at] {
                solver.clause(&[!*one, !*other]);
            }
        }
    }
    solver
}

#[test]
fn limits_end_a_question_and_not_the_solver() {
    for backend in Backend::ALL {
        let mut solver = pigeons(*backend, 11, &Unwatched);
        solver.limit_conflicts(Some(50));
        assert_eq!(solver.solve(&[]), Err(Stop::Conflicts(50)));
        assert_eq!(solver.solve(&[]), Err(Stop::Conflicts(50)));
        let mut easy = pigeons(*backend, 4, &Unwatched);
        easy.limit_conflicts(Some(0));
        assert_eq!(easy.solve(&[]), Err(Stop::Conflicts(0)));
        easy.limit_conflicts(None);
        assert_eq!(easy.solve(&[]), Ok(Verdict::Unsatisfiable));
    }
}

/// Says stop at a pulse.
struct Impatient {
    pulses: Cell<u32>,
}

impl Watch for Impatient {
    fn pulse(&self, _: Progress) -> Result<(), Interrupt> {
        let left = self.pulses.get();
        self.pulses.set(left.saturating_sub(1));
        if left == 0 { Err(Interrupt::Timeout) } else { Ok(()) }
    }
}

#[test]
fn a_watch_ends_a_question() {
    for backend in Backend::ALL {
        let watch = Impatient { pulses: Cell::new(3) };
        let mut solver = pigeons(*backend, 11, &watch);
        assert_eq!(solver.solve(&[]), Err(Stop::Interrupted(Interrupt::Timeout)));
        assert_eq!(watch.pulses.get(), 0);
    }
}

#[test]
fn a_watch_ends_the_building_of_a_formula() {
    let watch = Impatient { pulses: Cell::new(2) };
    let mut solver = Solver::new(&watch);
    let literals: Vec<Literal> = (0..1000).map(|_| solver.fresh()).collect();
    for _ in 0..1000 {
        solver.clause(&literals);
    }
    watch.pulses.set(1000);
    assert_eq!(solver.solve(&[]), Err(Stop::Interrupted(Interrupt::Timeout)));
    let (variables, clauses) = (solver.variables(), solver.clauses());
    let mut circuit = Circuit::new(solver);
    let bits = circuit.fresh_bits(64);
    circuit.multiply(&bits, &bits);
    assert_eq!(
        (circuit.solver.variables(), circuit.solver.clauses()),
        (variables, clauses),
        "nothing more is built"
    );
}
