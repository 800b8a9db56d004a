//! Formulas of traces: examples of Pu's paper, and random traces against all their runs.

use encode::Circuit;
use encode::expr::Cell;
use encode::expr::EncodeError;
use encode::solver::{Fewest, Literal, Solver, Totalizer, Verdict, fewest, minimise_core};
use encode::ssa::{Duty, Effect, Happening, Relaxation, Start, Store, TraceFormula, TraceStep};
use graph::Unwatched;
use model::{Binary, Expr, Index, Place, Scalar};
use testkit::random::for_random_inputs;

use crate::support::naive_trace::{address, is_satisfiable, value};
use crate::support::random_trace::{STATEMENTS, random_bytes, random_trace};

fn start(bytes: &[u8]) -> Start {
    Start { store: Store::new([bytes]), global: 0, processes: Vec::new() }
}

fn subsets() -> impl Iterator<Item = Vec<u32>> {
    (0..1u32 << STATEMENTS).map(|set| (0..STATEMENTS).filter(|statement| set >> statement & 1 == 1).collect())
}

#[test]
fn random_traces_have_a_model_where_they_have_a_run() {
    for_random_inputs(400, |random| {
        let steps = random_trace(random);
        let bytes = random_bytes(random);
        let mut circuit = Circuit::new(Solver::new(&Unwatched));
        let relaxation = Relaxation::of(&mut circuit, 0..STATEMENTS);
        let formula = TraceFormula::new(&mut circuit, start(&bytes), &steps, &relaxation).expect("inside");
        formula.assert(&mut circuit, |_| true);
        let mut optimum = Fewest::Never;
        for abnormal in subsets() {
            let expected = is_satisfiable(&bytes, &steps, &abnormal);
            let found = circuit.solver.solve(&relaxation.exactly(&abnormal)).expect("an answer");
            assert_eq!(found == Verdict::Satisfiable, expected, "{abnormal:?} in {steps:?} from {bytes:?}");
            if expected {
                assert_eq!(relaxation.abnormal(&circuit.solver), abnormal);
                assert_is_run(&bytes, &steps, &abnormal, &formula, &circuit);
                if !matches!(optimum, Fewest::Exactly(size) if size <= abnormal.len()) {
                    optimum = Fewest::Exactly(abnormal.len());
                }
            }
        }
        let literals: Vec<Literal> = relaxation.literals().map(|(_, literal)| literal).collect();
        let mut counter = Totalizer::new(&literals);
        assert_eq!(
            fewest(&mut circuit.solver, &[], &mut counter, 0),
            Ok(optimum),
            "{steps:?} from {bytes:?}"
        );
    });
}

/// Goes the run of a model again with the evaluator: what normal statements stored is what they compute, and the
/// end is the same.
fn assert_is_run(
    bytes: &[u8],
    steps: &[TraceStep],
    abnormal: &[u32],
    formula: &TraceFormula,
    circuit: &Circuit<'_>,
) {
    let mut bytes = bytes.to_vec();
    let mut happenings = formula.happenings(&circuit.solver);
    for (number, step) in steps.iter().enumerate() {
        let normal = !abnormal.contains(&step.statement);
        for effect in &step.effects {
            let (at, happening) = happenings.next().expect("one for each effect");
            assert_eq!(at, number);
            match (effect, happening) {
                (
                    Effect::Assign { place, .. } | Effect::Input { place, .. },
                    Happening::Stored { cell, scalar, value: stored },
                ) => {
                    assert_eq!(address(place, &bytes), Some(cell.offset as usize));
                    if let Effect::Assign { value: expr, .. } = effect
                        && normal
                    {
                        assert_eq!(value(expr, &bytes).map(|value| scalar.wrap(value)), Some(stored));
                    }
                    scalar.store(&mut bytes[cell.offset as usize..], stored);
                }
                (Effect::Assign { place, .. }, Happening::Nowhere) => {
                    assert!(!normal && address(place, &bytes).is_none());
                }
                (
                    Effect::Guard(expr) | Effect::Assume(expr) | Effect::Check(expr),
                    Happening::Condition(held),
                ) => {
                    if let Some(value) = value(expr, &bytes) {
                        assert_eq!(held, value != 0);
                    }
                }
                (effect, happening) => panic!("{effect:?} as {happening:?}"),
            }
        }
    }
    assert!(happenings.next().is_none());
    assert_eq!(formula.end.bytes(&circuit.solver, 0), bytes);
}

#[test]
fn minimal_cores_are_minimal_conflicts() {
    for_random_inputs(200, |random| {
        let steps = random_trace(random);
        let bytes = random_bytes(random);
        let mut circuit = Circuit::new(Solver::new(&Unwatched));
        let relaxation = Relaxation::of(&mut circuit, 0..STATEMENTS);
        let formula = TraceFormula::new(&mut circuit, start(&bytes), &steps, &relaxation).expect("inside");
        formula.assert(&mut circuit, |_| true);
        let normal = relaxation.exactly(&[]);
        if circuit.solver.solve(&normal).expect("an answer") == Verdict::Satisfiable {
            return;
        }
        let core = minimise_core(&mut circuit.solver, &[], &normal);
        assert_eq!(core.stopped, None);
        // A conflict: however wrong all others are, these cannot all be right.
        let others = |conflict: &[Literal]| -> Vec<u32> {
            relaxation
                .literals()
                .filter(|(_, literal)| !conflict.contains(&!*literal))
                .map(|(statement, _)| statement)
                .collect()
        };
        assert!(!is_satisfiable(&bytes, &steps, &others(&core.literals)));
        for at in 0..core.literals.len() {
            let mut smaller = core.literals.clone();
            smaller.remove(at);
            assert!(is_satisfiable(&bytes, &steps, &others(&smaller)), "{:?} is not minimal", core.literals);
        }
    });
}

/// Figure 1 of the paper: the middle of three numbers; line 12 should say `m = x`.
#[test]
fn middle_of_three() {
    let number = Scalar::unsigned(4);
    let place = |offset: u32| Place::global(offset, number);
    let load = |offset: u32| Expr::Load(place(offset));
    let (x, y, z, m) = (0, 1, 2, 3);
    let compare = |operator, one, other| Expr::binary(operator, load(one), load(other));
    let and = |one, other| Expr::AndAlso(Box::new(one), Box::new(other));
    let or = |one, other| Expr::OrElse(Box::new(one), Box::new(other));
    let between = |low, middle, high| {
        let ordered = and(compare(Binary::LessEqual, low, middle), compare(Binary::LessEqual, middle, high));
        and(ordered, compare(Binary::Equal, m, middle))
    };
    let step = |statement, effects| TraceStep { statement, frame: 0, effects };
    let input = |statement, offset| step(statement, vec![Effect::Input { place: place(offset), width: 4 }]);
    let copy = |statement, from| step(statement, vec![Effect::Assign { place: place(m), value: load(from) }]);
    let orders = [(y, x, z), (z, x, y), (z, y, x), (x, y, z), (x, z, y), (y, z, x)];
    let check = orders.into_iter().map(|(low, middle, high)| between(low, middle, high)).reduce(or);
    let distinct =
        [(x, y), (y, z), (x, z)].map(|(one, other)| Effect::Assume(compare(Binary::NotEqual, one, other)));
    let steps = [
        input(3, x),
        input(4, y),
        input(5, z),
        step(5, distinct.to_vec()),
        copy(6, z),
        step(7, vec![Effect::Guard(compare(Binary::Less, y, z))]),
        step(8, vec![Effect::Guard(compare(Binary::GreaterEqual, x, y))]),
        step(11, vec![Effect::Guard(compare(Binary::Less, x, z))]),
        copy(12, y),
        step(24, vec![Effect::Check(check.expect("six orders"))]),
    ];
    let mut circuit = Circuit::new(Solver::new(&Unwatched));
    let suspects = [6, 7, 8, 11, 12];
    let relaxation = Relaxation::of(&mut circuit, suspects);
    let formula = TraceFormula::new(&mut circuit, start(&[0; 4]), &steps, &relaxation).expect("inside");
    formula.assert(&mut circuit, |obligation| obligation.duty != Duty::Check);
    let checks: Vec<Literal> = formula
        .obligations
        .iter()
        .filter(|obligation| obligation.duty == Duty::Check)
        .map(|obligation| obligation.holds)
        .collect();
    let explains = |circuit: &mut Circuit<'_>, abnormal: &[u32]| {
        let question = [relaxation.exactly(abnormal), checks.clone()].concat();
        circuit.solver.solve(&question) == Ok(Verdict::Satisfiable)
    };
    let mut diagnoses: Vec<Vec<u32>> = Vec::new();
    for size in 0..=2 {
        for set in (0..1u32 << suspects.len()).filter(|set| set.count_ones() == size) {
            let set: Vec<u32> =
                (0..suspects.len()).filter(|at| set >> at & 1 == 1).map(|at| suspects[at]).collect();
            let contains = |smaller: &Vec<u32>| smaller.iter().all(|one| set.contains(one));
            if !diagnoses.iter().any(contains) && explains(&mut circuit, &set) {
                diagnoses.push(set);
            }
        }
    }
    assert_eq!(diagnoses, [vec![8], vec![12], vec![7, 11]]);
    // With line 12 abnormal, what it should have stored is x.
    assert!(explains(&mut circuit, &[12]));
    let bytes = formula.end.bytes(&circuit.solver, 0);
    assert_eq!(bytes[m as usize], bytes[x as usize]);
    // The path can be taken, and always ends against the check.
    assert_eq!(circuit.solver.solve(&relaxation.exactly(&[])), Ok(Verdict::Satisfiable));
    assert!(checks.iter().any(|check| !circuit.solver.is_true(*check)));
}

#[test]
fn every_step_reads_the_frame_of_its_process() {
    let local = |offset| Place::local(offset, Scalar::U8);
    let other = Place {
        base: model::Base::Of(Box::new(Expr::Load(Place::global(0, Scalar::U8)))),
        ..Place::local(0, Scalar::U8)
    };
    let step = |statement, frame, place, value| TraceStep {
        statement,
        frame,
        effects: vec![Effect::Assign { place, value }],
    };
    let sum = Expr::binary(Binary::Add, Expr::Load(local(0)), Expr::Constant(1));
    let steps = [
        step(1, 1, local(0), sum.clone()),
        step(2, 2, local(0), sum.clone()),
        // Process 9 names process 5 in a global and writes to its frame.
        step(3, 2, Place::global(0, Scalar::U8), Expr::Constant(5)),
        step(4, 2, other, sum),
    ];
    let mut circuit = Circuit::new(Solver::new(&Unwatched));
    let start =
        Start { store: Store::new([&[0][..], &[10], &[20]]), global: 0, processes: vec![(5, 1), (9, 2)] };
    let formula = TraceFormula::new(&mut circuit, start, &steps, &Relaxation::none()).expect("inside");
    assert_eq!(circuit.solver.solve(&[]), Ok(Verdict::Satisfiable));
    assert_eq!(formula.end.bytes(&circuit.solver, 1), [22]);
    assert_eq!(formula.end.bytes(&circuit.solver, 2), [21]);
    assert_eq!(circuit.solver.clauses(), 0, "nothing here is a variable");
    let stored = formula.happenings(&circuit.solver).last().map(|(_, happening)| happening);
    let cell = Cell { frame: 1, offset: 0 };
    assert_eq!(stored, Some(Happening::Stored { cell, scalar: Scalar::U8, value: 22 }));
}

#[test]
fn an_error_names_its_step() {
    let index = Index { value: Expr::Constant(0), stride: 1, length: 1 };
    let far = Place { indices: vec![index], ..Place::global(7, Scalar::U8) };
    let steps = [
        TraceStep { statement: 0, frame: 0, effects: vec![Effect::Guard(Expr::Constant(1))] },
        TraceStep {
            statement: 1,
            frame: 0,
            effects: vec![Effect::Assign { place: far, value: Expr::Constant(1) }],
        },
    ];
    let mut circuit = Circuit::new(Solver::new(&Unwatched));
    let error =
        TraceFormula::new(&mut circuit, start(&[0]), &steps, &Relaxation::none()).expect_err("outside");
    assert_eq!((error.step, error.error), (1, EncodeError::Outside { frame: 0, offset: 7 }));
    let asks = [TraceStep { statement: 0, frame: 0, effects: vec![Effect::Guard(Expr::Ask(3, Vec::new()))] }];
    let error =
        TraceFormula::new(&mut circuit, start(&[0]), &asks, &Relaxation::none()).expect_err("a question");
    assert_eq!((error.step, error.error), (0, EncodeError::Question(3)));
}

#[test]
fn memories_merge_where_ways_meet() {
    let mut circuit = Circuit::new(Solver::new(&Unwatched));
    let way = circuit.solver.fresh();
    let mut one = Store::new([&[1, 2][..]]);
    let other = Store::new([&[1, 7][..]]);
    one.merge(&mut circuit, &other, way);
    for (taken, bytes) in [(way, [1, 7]), (!way, [1, 2])] {
        assert_eq!(circuit.solver.solve(&[taken]), Ok(Verdict::Satisfiable));
        assert_eq!(one.bytes(&circuit.solver, 0), bytes);
    }
}
