//! Assumptions leave fewer bits of what they are about, and nothing else changes: a program as a formula still ends with
//! exactly the inputs with which it ends when it runs, and with the same values.

use cfront::{Model, Options};
use encode::solver::{Literal, Solver, Verdict};
use encode::unwind::{Unwinder, Unwinding};
use graph::{Story, System, Unwatched, Worker};
use testkit::random::{Random, for_random_inputs};

use crate::run;

const KINDS: [(&str, &str); 4] =
    [("signed char", "schar"), ("unsigned char", "uchar"), ("int", "int"), ("unsigned", "uint")];

/// A variable, a number, or something computed from a variable.
fn operand(random: &mut Random) -> String {
    let name = ["a", "b"][random.below(2) as usize];
    match random.below(6) {
        0 | 1 => format!("{}", i64::from(random.below(30)) - 10),
        2 => format!("(unsigned char){name}"),
        3 => format!("{name} + {}", random.below(9)),
        _ => name.to_owned(),
    }
}

/// A condition of a few comparisons.
fn condition(random: &mut Random, depth: u32) -> String {
    if depth > 0 && random.percent(60) {
        let (one, other) = (condition(random, depth - 1), condition(random, depth - 1));
        let negation = if random.percent(25) { "!" } else { "" };
        let operator = if random.percent(70) { "&&" } else { "||" };
        return format!("{negation}(({one}) {operator} ({other}))");
    }
    let operator = ["<", "<=", ">", ">=", "==", "!="][random.below(6) as usize];
    format!("{} {operator} {}", operand(random), operand(random))
}

/// Takes two inputs, computes with them, assumes something of them twice and computes again.
fn program(random: &mut Random) -> String {
    let [first, second] = [KINDS[random.below(4) as usize], KINDS[random.below(4) as usize]];
    let mut text = String::new();
    for (name, function) in KINDS {
        text += &format!("extern {name} __VERIFIER_nondet_{function}(void);\n");
    }
    text += "extern void __VERIFIER_assume(int);\n";
    text += &format!("{} a; {} b; long sum, product, before; int done;\n", first.0, second.0);
    text += &format!(
        "int main(void) {{\n  a = __VERIFIER_nondet_{}();\n  b = __VERIFIER_nondet_{}();\n  before = a - 2 * b;\n",
        first.1, second.1
    );
    text += &format!("  __VERIFIER_assume({});\n", condition(random, 2));
    text += "  sum = a + 3 * b;\n  a = a + 1;\n";
    text += &format!("  __VERIFIER_assume({});\n", condition(random, 2));
    text + "  product = (long)a * b - sum;\n  done = 1;\n  return 0;\n}\n"
}

/// The values of the variables when it ends; nothing if an assumption does not hold.
fn ran(text: &str, inputs: &[i64]) -> Option<Vec<(String, String)>> {
    let model = run::model(text, &Options::default(), Some(inputs.to_vec()));
    let (mut worker, mut state) = (model.worker(), Vec::new());
    worker.initial(|initial| state = initial.to_vec());
    loop {
        let mut next = None;
        worker.steps(&state, |step| next = Some(step.state.to_vec()));
        let Some(after) = next else { break };
        state = after;
    }
    let values = cfront::Narrator::new(&model).values(&state);
    values.iter().any(|(name, value)| name == "done" && value == "1").then_some(values)
}

fn unwound(model: &Model) -> (Unwinder<'_, 'static>, Unwinding) {
    let mut unwinder = Unwinder::new(model.program(), Solver::new(&Unwatched));
    let unwinding = unwinder.unwind(1).expect("nobody stops it");
    (unwinder, unwinding)
}

/// The values of the variables in the solver's model.
fn computed(model: &Model, unwinding: &Unwinding, solver: &Solver<'_>) -> Vec<(String, String)> {
    let mut state = Vec::new();
    model.worker().initial(|initial| state = initial.to_vec());
    let globals = unwinding.globals_at_end(solver).expect("it ends");
    let start = model.program().globals.start as usize;
    state[start..start + globals.len()].copy_from_slice(&globals);
    cfront::Narrator::new(model).values(&state)
}

#[test]
fn a_formula_ends_with_the_inputs_with_which_the_program_ends() {
    let (mut ended, mut refused) = (0, 0);
    for_random_inputs(150, |random| {
        let text = program(random);
        let model = run::model(&text, &Options::default(), None);
        let (mut unwinder, unwinding) = unwound(&model);
        let ends = unwinder.circuit.any(unwinding.ends.iter().copied());
        for _ in 0..12 {
            let drawn = [(); 2].map(|()| i64::from(random.below(60)) - 25);
            let inputs: Vec<i64> = drawn
                .iter()
                .zip(&unwinding.inputs)
                .map(|(number, input)| input.scalar.wrap(*number))
                .collect();
            let mut assumptions: Vec<Literal> = vec![ends];
            for (input, number) in unwinding.inputs.iter().zip(&inputs) {
                let bits = input.value.resize(usize::from(input.scalar.bits));
                let fixed = bits.literals().iter().enumerate();
                assumptions.extend(fixed.map(|(at, bit)| bit.flipped(number >> at & 1 == 0)));
            }
            let solver = &mut unwinder.circuit.solver;
            let found = solver.solve(&assumptions).expect("nobody stops it") == Verdict::Satisfiable;
            let expected = ran(&text, &inputs);
            assert_eq!(found, expected.is_some(), "{inputs:?}\n{text}");
            match expected {
                Some(values) => {
                    ended += 1;
                    let values: Vec<_> = values.into_iter().filter(|(name, _)| !name.contains('.')).collect();
                    let told = computed(&model, &unwinding, solver);
                    for value in &values {
                        assert!(told.contains(value), "{inputs:?}: {value:?} is not among {told:?}\n{text}");
                    }
                }
                None => refused += 1,
            }
        }
    });
    assert!(ended > 200 && refused > 200, "{ended} ended, {refused} did not");
}

#[test]
fn what_is_assumed_makes_the_formula_smaller() {
    let size = |assumption: &str| {
        let text = format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\nint y;\n\
             int main(void) {{ int x = __VERIFIER_nondet_int(); {assumption} y = x * x; return 0; }}\n"
        );
        let model = run::model(&text, &Options::default(), None);
        let (unwinder, _) = unwound(&model);
        unwinder.circuit.solver.variables()
    };
    let whole = size("");
    for assumption in [
        "__VERIFIER_assume(x >= 0 && x < 100);",
        "__VERIFIER_assume(!(x < 0 || 99 < x));",
        "__VERIFIER_assume(x == 3 || x >= 90 && x <= 99);",
        "__VERIFIER_assume(x >= -50); __VERIFIER_assume(x <= 50);",
    ] {
        assert!(size(assumption) < whole / 4, "{assumption}: {} of {whole}", size(assumption));
    }
}

#[test]
fn what_goes_wrong_before_an_assumption_is_still_found() {
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\n\
                #include <assert.h>\n\
                int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 1000); \
                __VERIFIER_assume(x >= 0 && x <= 9); assert(x < 10); return 0; }\n";
    let model = run::model(text, &Options::default(), None);
    let mut unwinder = Unwinder::new(model.program(), Solver::new(&Unwatched));
    match encode::bounded::search(&mut unwinder, 4, |_, _| true).answer {
        encode::bounded::Answer::Violated(found) => assert_eq!(found.inputs, [1000]),
        other => panic!("{other:?}"),
    }
}
