//! Runs on given inputs end as a search with the same inputs says, and functions can be exchanged.

use cfront::{Options, Rehearsal};
use graph::{System, Worker};
use model::{Binary, Command, Expr};
use model::{RunEnding, Runner as _};
use testkit::random::for_random_inputs;

use crate::run::model;

const TEXT: &str = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
static int kind(int n) {
    switch (n) {
    case 0: return 4;
    case 1:
    case 2: return 5;
    default: return n + 3;
    }
}
int main(void) {
    int sum = 0, *p = &sum;
    for (int i = 0; i < 3; i++) {
        int n = __VERIFIER_nondet_int();
        __VERIFIER_assume(n >= 0 && n <= 6);
        *p += kind(n);
        assert(sum < 12);
        sum = sum / (n + 1);
    }
    return 0;
}
";

/// How the search says that a run ends: properly, wrong, or not at all.
fn searched(model: &cfront::Model, inputs: &[i64]) -> Option<bool> {
    let fed = model.fed(inputs.to_vec());
    let mut worker = fed.worker();
    let mut state = Vec::new();
    worker.initial(|first| state = first.to_vec());
    loop {
        let mut next: Option<(Vec<u8>, bool)> = None;
        worker.steps(&state, |step| next = Some((step.state.to_vec(), step.violation.is_some())));
        match next {
            Some((_, true)) => return Some(true),
            Some((after, false)) => state = after,
            // The first byte of a state says that the program is over.
            None => return (state[0] != 0).then_some(false),
        }
    }
}

#[test]
fn a_run_ends_as_a_search_says() {
    let model = model(TEXT, &Options::default(), None);
    let rehearsal = Rehearsal::new(model.program().clone()).expect("a program of one thread");
    let mut seen = [0; 3];
    for_random_inputs(300, |random| {
        let inputs: Vec<i64> = (0..random.below(5)).map(|_| i64::from(random.below(8))).collect();
        let ending = rehearsal.run(&inputs, u32::MAX, 10_000).ending;
        match searched(&model, &inputs) {
            Some(true) => assert_eq!(ending, RunEnding::Wrong, "{inputs:?}"),
            Some(false) => assert_eq!(ending, RunEnding::Ended, "{inputs:?}"),
            None => {
                assert!(
                    matches!(ending, RunEnding::Blocked | RunEnding::NoMoreInputs),
                    "{inputs:?} {ending:?}"
                )
            }
        }
        seen[match ending {
            RunEnding::Wrong => 0,
            RunEnding::Ended => 1,
            _ => 2,
        }] += 1;
    });
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
    assert_eq!(rehearsal.run(&[0, 0, 0], u32::MAX, 3).ending, RunEnding::Unknown);
    assert_eq!(rehearsal.run(&[9], u32::MAX, 100).ending, RunEnding::Blocked);
    assert_eq!(rehearsal.run(&[0, 0], u32::MAX, 100).ending, RunEnding::NoMoreInputs);
}

#[test]
fn a_function_can_be_exchanged_and_put_back() {
    let model = model(TEXT, &Options::default(), None);
    let program = model.program();
    let mut rehearsal = Rehearsal::new(program.clone()).expect("a program of one thread");
    let number = program.functions.iter().position(|function| function.name == "main").expect("main");
    let mut changed = program.functions[number].clone();
    let mut wider = 0;
    for command in changed.edges.iter_mut().flat_map(|edge| &mut edge.commands) {
        if let Command::Assume(value) | Command::Assert(value) = command {
            wider += u32::from(widen(value));
        }
    }
    assert!(wider > 0);
    let assertion = program
        .statements
        .iter()
        .position(|one| one.kind == model::StatementKind::Assertion)
        .expect("an assertion") as u32;
    let fails = rehearsal.run(&[6, 6, 6], assertion, 10_000);
    assert_eq!(fails.ending, RunEnding::Ended);
    assert_eq!(fails.passed, 3);
    assert!(rehearsal.exchange(number as u32, &changed));
    assert_eq!(rehearsal.run(&[6, 6, 6], assertion, 10_000).ending, RunEnding::Wrong);
    assert!(rehearsal.exchange(number as u32, &program.functions[number]));
    assert_eq!(rehearsal.run(&[6, 6, 6], assertion, 10_000), fails);
}

/// Makes `sum < 12` something that fails at once.
fn widen(value: &mut Expr) -> bool {
    match value {
        Expr::Binary(Binary::Less, _, limit) if **limit == Expr::Constant(12) => {
            **limit = Expr::Constant(-1);
            true
        }
        Expr::Binary(_, one, other) | Expr::AndAlso(one, other) | Expr::OrElse(one, other) => {
            let first = widen(one);
            widen(other) || first
        }
        Expr::Unary(_, one) | Expr::Wrap(_, one) => widen(one),
        _ => false,
    }
}
