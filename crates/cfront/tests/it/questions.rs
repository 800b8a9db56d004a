//! Questions about unwound programs, on programs small enough to try everything.

use cfront::{Model, Options};
use encode::expr::Value;
use encode::questions::{Questions, Run, Which};
use encode::solver::{Fewest, Literal, Solver, Totalizer, Verdict, fewest};
use encode::ssa::Relaxation;
use encode::unwind::{At, Duty, Unwinder};
use graph::{System, Unwatched, Worker};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use testkit::random::{Random, for_random_inputs};

use crate::run;

const PROLOGUE: &str = "#include <assert.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
";

fn model(body: &str) -> Model {
    run::model(&format!("{PROLOGUE}{body}"), &Options::default(), None)
}

fn unwinder(model: &Model) -> Unwinder<'_, 'static> {
    Unwinder::new(model.program(), Solver::new(&Unwatched))
}

/// The line of a statement, counted from the first behind the prologue.
fn line(model: &Model, at: At) -> u64 {
    let statement = model.program().functions[at.function as usize].edges[at.edge as usize].statement;
    line_of(model, statement)
}

fn line_of(model: &Model, statement: u32) -> u64 {
    let span = model.program().statements[statement as usize].span;
    model.location(span).expect("it stands somewhere").line - PROLOGUE.lines().count() as u64
}

#[test]
fn the_failing_run_with_the_fewest_branches() {
    let model = model(
        "int main(void) { int n = __VERIFIER_nondet_uchar(), s = 0;
           while (n > 0) { s += n; n -= 2; }
           assert(s != 6 && s != 12 && s != 20); }",
    );
    let mut unwinder = unwinder(&model);
    let unwinding = unwinder.unwind(8).expect("nobody stops it");
    let mut questions = Questions::new(&mut unwinder, &unwinding, |_, _| true);
    // 4 + 2, 6 + 4 + 2, 8 + 6 + 4 + 2; the assertion branches, too.
    let found = questions.failing_with_fewest_branches().expect("an answer").expect("a run");
    assert_eq!(found.run.inputs, [4]);
    let rounds = found.run.path(&unwinding).iter().filter(|at| line(&model, **at) == 2).count();
    assert!(rounds >= 3, "two rounds and an end: {rounds}");
    assert!(!questions.is_whole().expect("an answer"), "255 needs more rounds");
}

#[test]
fn the_nearest_passing_run() {
    let model = model(
        "int main(void) { int a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar(), c = __VERIFIER_nondet_uchar();
           int r = 0; if (a > 10) r = 1; if (b > 10) r += 2; if (c == 7) r += 4;
           assert(r != 7); }",
    );
    let mut unwinder = unwinder(&model);
    let unwinding = unwinder.unwind(1).expect("nobody stops it");
    let mut questions = Questions::new(&mut unwinder, &unwinding, |_, _| true);
    let failing = questions.failing().expect("an answer").expect("a run");
    assert!(failing.inputs[0] > 10 && failing.inputs[1] > 10 && failing.inputs[2] == 7);
    let near = questions.nearest_passing(&failing).expect("an answer").expect("a run");
    let changed = failing.inputs.iter().zip(&near.run.inputs).filter(|(one, other)| one != other).count();
    assert_eq!(changed, 1, "{:?} {:?}", failing.inputs, near.run.inputs);
    assert!(questions.is_whole().expect("an answer"));
}

#[test]
fn all_failing_inputs_on_one_path() {
    let model = model(
        "int main(void) { int a = __VERIFIER_nondet_uchar();
           if (a >= 100) return 0;
           assert(a % 25 != 3 || a > 60); }",
    );
    let mut unwinder = unwinder(&model);
    let unwinding = unwinder.unwind(1).expect("nobody stops it");
    let mut questions = Questions::new(&mut unwinder, &unwinding, |_, _| true);
    let failing = questions.failing().expect("an answer").expect("a run");
    let mut all = questions.failing_on_path(&failing, 100).expect("an answer");
    all.inputs.sort();
    assert!(all.complete);
    assert_eq!(all.inputs, [[3], [28], [53]]);
    let some = questions.failing_on_path(&failing, 2).expect("an answer");
    assert_eq!((some.inputs.len(), some.complete), (2, false));
}

#[test]
fn correct_runs_through_an_edge() {
    let model = model(
        "int main(void) { int a = __VERIFIER_nondet_uchar();
           if (a == 5)
             a++;
           if (a == 9)
             a--;
           assert(a != 6); }",
    );
    let mut unwinder = unwinder(&model);
    let unwinding = unwinder.unwind(1).expect("nobody stops it");
    let edge_in = |wanted: u64| {
        let passages = unwinding.passages.iter().map(|passage| passage.at);
        passages.into_iter().find(|at| line(&model, *at) == wanted).expect("there is one")
    };
    let (bad, good) = (edge_in(3), edge_in(5));
    let mut questions = Questions::new(&mut unwinder, &unwinding, |_, _| true);
    assert_eq!(questions.passing_through(bad).expect("an answer"), None);
    let run = questions.passing_through(good).expect("an answer").expect("a run");
    assert_eq!(run.inputs, [9]);
    assert!(run.path(&unwinding).contains(&good));
}

/// The lines of all smallest sets of statements that, assumed wrong, let the trace with these inputs pass.
fn diagnoses(model: &Model, inputs: &[i64]) -> Vec<Vec<u64>> {
    let mut unwinder = unwinder(model);
    let path = unwinder.path(inputs).expect("nobody stops it");
    let statements = path
        .iter()
        .map(|at| model.program().functions[at.function as usize].edges[at.edge as usize].statement);
    let relaxation = Relaxation::of(&mut unwinder.circuit, statements.collect::<Vec<_>>());
    let traced = unwinder.trace(&path, &relaxation).expect("nobody stops it");
    assert_eq!(traced.ends_early(), None);
    let mut assumptions: Vec<Literal> = traced.checks.iter().map(|check| check.holds).collect();
    for (input, given) in traced.inputs.iter().zip(inputs) {
        assumptions.push(unwinder.circuit.same_value(&input.value, &Value::constant(*given)));
    }
    let literals: Vec<Literal> = relaxation.literals().map(|(_, literal)| literal).collect();
    let mut counter = Totalizer::new(&literals);
    let solver = &mut unwinder.circuit.solver;
    let Ok(Fewest::Exactly(size)) = fewest(solver, &assumptions, &mut counter, 0) else { return Vec::new() };
    assumptions.push(counter.at_most(solver, size));
    let mut found = Vec::new();
    while solver.solve(&assumptions) == Ok(Verdict::Satisfiable) {
        let abnormal = relaxation.abnormal(solver);
        let literal = |statement: &u32| relaxation.literal(*statement);
        let rule_out: Vec<Literal> = abnormal.iter().map(|statement| !literal(statement)).collect();
        solver.clause(&rule_out);
        found.push(abnormal.iter().map(|statement| line_of(model, *statement)).collect());
    }
    found.sort();
    found
}

#[test]
fn a_trace_through_calls_and_the_heap_is_diagnosed() {
    let model = model(
        "int twice(int x) {
           return 3 * x; }
         int main(void) { int a = __VERIFIER_nondet_uchar();
           int *p = malloc(sizeof *p);
           *p = twice(a);
           int b = a + a;
           assert(*p == b); }",
    );
    // What is returned, what is stored, what it is compared with.
    let found = diagnoses(&model, &[4]);
    assert!(found.iter().all(|lines| lines.len() == 1), "{found:?}");
    for line in [2, 5, 6] {
        assert!(found.contains(&vec![line]), "{found:?}");
    }
    assert!(!found.contains(&vec![4]) && !found.contains(&vec![7]), "{found:?}");
}

#[test]
fn all_instances_of_a_statement_are_one() {
    let model = model(
        "int main(void) { int n = __VERIFIER_nondet_uchar(), s = 0;
           for (int i = 0; i < n; i++)
             s += 2;
           assert(s == 3 * n); }",
    );
    assert!(diagnoses(&model, &[3]).contains(&vec![3]));
}

#[test]
fn checks_of_a_trace_name_what_they_are() {
    let model = model(
        "int main(void) { int n = __VERIFIER_nondet_uchar();
           __VERIFIER_assume(n > 3);
           if (n == 9)
             assert(n < 5);
           return 0; }",
    );
    let mut unwinder = unwinder(&model);
    let path = unwinder.path(&[9]).expect("nobody stops it");
    let traced = unwinder.trace(&path, &Relaxation::none()).expect("nobody stops it");
    let told: Vec<(u64, Duty)> =
        traced.checks.iter().map(|check| (line(&model, check.at), check.duty)).collect();
    assert_eq!(told[0], (2, Duty::Assumption));
    assert_eq!(told[1], (3, Duty::Branch));
    assert_eq!(told.last().map(|(line, _)| *line), Some(4), "{told:?}");
}

/// Three inputs below eight, a few ways, and an assertion that some of them break.
fn random_program(random: &mut Random) -> String {
    let mut text = "int main(void) {\n".to_owned();
    let names = ["a", "b", "c"];
    for name in names {
        let _ = writeln!(text, "  int {name} = __VERIFIER_nondet_uchar();\n  __VERIFIER_assume({name} < 8);");
    }
    text.push_str("  int s = 0;\n");
    for _ in 0..3 {
        let (one, two) = (names[random.below(3) as usize], names[random.below(3) as usize]);
        let (add, bound) = (random.below(4), random.below(8));
        let _ = writeln!(text, "  if ({one} > {bound}) s += {two} + {add}; else s -= {add};");
    }
    let (way, most) = (random.below(9), 3 + random.below(12));
    let _ = writeln!(text, "  if (s != {way}) assert(s < {most});\n  return 0;\n}}");
    text
}

/// Whether the run with these inputs goes wrong in the machine.
fn fails(model: &Model, inputs: [i64; 3]) -> bool {
    let fed = model.fed(inputs.to_vec());
    let mut worker = fed.worker();
    let mut next = None;
    worker.initial(|state| next = Some(state.to_vec()));
    let mut wrong = false;
    while let Some(state) = next.take().filter(|_| !wrong) {
        worker.steps(&state, |step| {
            next = Some(step.state.to_vec());
            wrong |= step.violation.is_some();
        });
    }
    wrong
}

#[test]
fn the_nearest_runs_are_those_that_trying_all_inputs_finds() {
    let mut compared = 0;
    for_random_inputs(30, |random| {
        let text = random_program(random);
        let model = model(&text);
        let all: Vec<[i64; 3]> = (0..512).map(|at: i64| [at & 7, at >> 3 & 7, at >> 6]).collect();
        let Some(from) = all.iter().copied().find(|inputs| fails(&model, *inputs)) else { return };
        let mut aside = unwinder(&model);
        let branches = |unwinder: &mut Unwinder<'_, '_>, inputs: [i64; 3]| -> BTreeSet<At> {
            let path = unwinder.path(&inputs).expect("nobody stops it");
            let is_branch = |at: &At| {
                let function = &model.program().functions[at.function as usize];
                function.edges_of(function.edges[at.edge as usize].from).len() > 1
            };
            path.into_iter().filter(is_branch).collect()
        };
        let own = branches(&mut aside, from);
        // The distance of every passing run, and which way it goes.
        let mut passing = Vec::new();
        for inputs in all.iter().copied().filter(|inputs| !fails(&model, *inputs)) {
            let ways = branches(&mut aside, inputs);
            let changed = inputs.iter().zip(&from).filter(|(new, old)| new != old).count();
            passing.push((changed + ways.symmetric_difference(&own).count(), ways));
        }
        let mut unwinder = unwinder(&model);
        let unwinding = unwinder.unwind(4).expect("nobody stops it");
        let mut questions = Questions::new(&mut unwinder, &unwinding, |_, _| true);
        let start = questions.run_with(&from).expect("nobody stops it").expect("it lies within the bound");
        assert_eq!(start.inputs, from, "{text}");
        let mut others: Vec<Run> = Vec::new();
        let mut distance = questions.distance_from(&start);
        while let Some(found) =
            questions.nearest(&mut distance, Which::Passing, &others).expect("nobody stops it")
        {
            let nearest = passing.iter().map(|(distance, _)| *distance).min();
            assert!(found.is_fewest);
            assert_eq!(Some(found.count), nearest, "{from:?} {:?}\n{text}", found.run.inputs);
            let inputs: [i64; 3] = found.run.inputs[..].try_into().expect("three inputs");
            assert!(!fails(&model, inputs), "{inputs:?}\n{text}");
            let ways = branches(&mut aside, inputs);
            passing.retain(|(_, other)| *other != ways);
            others.push(found.run);
            compared += 1;
        }
        assert!(passing.is_empty(), "{passing:?}\n{text}");
    });
    assert!(compared > 20, "only {compared} runs were compared");
}
