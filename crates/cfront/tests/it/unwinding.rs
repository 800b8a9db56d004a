//! Programs as formulas mean what they mean when they run, here and as gcc compiles them.

use std::fmt::Write as _;
use std::process::Command;

use cfront::{Model, Options};
use encode::bounded::{Answer, search};
use encode::solver::{Literal, Solver, Verdict};
use encode::unwind::{Unwinder, Unwinding};
use graph::{System, Unwatched, Worker};
use testkit::random::{Random, for_random_inputs};
use testkit::random_c::{INPUTS, TYPES, random_program_with_inputs};

use crate::run;
use crate::support;

/// How many random programs are tried.
fn count() -> u64 {
    std::env::var("WHEREFORE_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(25)
}

/// Runs a program with fixed inputs; its last state, and whether something was wrong.
fn ran(model: &Model) -> (Vec<u8>, bool) {
    let mut worker = model.worker();
    let mut state = Vec::new();
    worker.initial(|initial| state = initial.to_vec());
    loop {
        let mut next = None;
        let mut wrong = false;
        worker.steps(&state, |step| {
            next = Some(step.state.to_vec());
            wrong |= step.violation.is_some();
        });
        match next {
            None => return (state, false),
            Some(last) if wrong => return (last, true),
            Some(next) => state = next,
        }
    }
}

fn globals(model: &Model, state: &[u8]) -> Vec<u8> {
    let globals = &model.program().globals;
    let start = globals.start as usize;
    state[start..start + globals.initial.len()].to_vec()
}

fn unwinder(model: &Model) -> Unwinder<'_, 'static> {
    Unwinder::new(model.program(), Solver::new(&Unwatched))
}

/// Assumptions that fix the inputs.
fn fixed(unwinding: &Unwinding, inputs: &[i64]) -> Vec<Literal> {
    let mut literals = Vec::new();
    for (input, number) in unwinding.inputs.iter().zip(inputs) {
        for (at, bit) in input.value.resize(usize::from(input.scalar.bits)).literals().iter().enumerate() {
            literals.push(bit.flipped(number >> at & 1 == 0));
        }
    }
    literals
}

fn random_inputs(random: &mut Random) -> Vec<i64> {
    let value = |random: &mut Random| match random.below(4) {
        0 => i64::from(random.below(3)) - 1,
        1 => i64::from(random.below(300)) - 150,
        _ => random.bits() as i64 >> random.below(60),
    };
    (0..TYPES.len()).map(|_| value(random)).collect()
}

/// The values as the functions return them.
fn wrapped(inputs: &[i64]) -> Vec<i64> {
    let narrow = |value: i64, number: usize| match INPUTS[number] {
        "char" | "schar" => i64::from(value as i8),
        "uchar" => i64::from(value as u8),
        "short" => i64::from(value as i16),
        "ushort" => i64::from(value as u16),
        "int" => i64::from(value as i32),
        "uint" => i64::from(value as u32),
        "bool" => value & 1,
        _ => value,
    };
    inputs.iter().enumerate().map(|(number, value)| narrow(*value, number)).collect()
}

#[test]
fn random_programs_compute_as_formulas_what_they_compute_when_they_run() {
    for_random_inputs(count(), |random| {
        let text = random_program_with_inputs(random);
        let model = run::model(&text, &Options::default(), None);
        let mut unwinder = unwinder(&model);
        let unwinding = unwinder.unwind(4).expect("nobody stops it");
        assert!(unwinding.cuts.is_empty(), "{:?}\n{text}", unwinding.cuts);
        for _ in 0..4 {
            let inputs = wrapped(&random_inputs(random));
            let (end, wrong) = ran(&run::model(&text, &Options::default(), Some(inputs.clone())));
            assert!(!wrong, "{text}");
            let assumptions = fixed(&unwinding, &inputs);
            let solver = &mut unwinder.circuit.solver;
            assert_eq!(solver.solve(&assumptions), Ok(Verdict::Satisfiable), "{text}");
            assert_eq!(unwinding.taken_inputs(solver), inputs, "{text}");
            let computed = unwinding.globals_at_end(solver).expect("it ends");
            assert_eq!(computed, globals(&model, &end), "{inputs:?}\n{text}");
        }
    });
}

#[test]
fn values_that_a_solver_finds_are_what_gcc_computes() {
    if !support::gcc_is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for_random_inputs(count() / 5, |random| {
        let text = random_program_with_inputs(random);
        let model = run::model(&text, &Options::default(), None);
        let mut unwinder = unwinder(&model);
        let unwinding = unwinder.unwind(4).expect("nobody stops it");
        let ends = unwinder.circuit.any(unwinding.ends.iter().copied());
        let solver = &mut unwinder.circuit.solver;
        assert_eq!(solver.solve(&[ends]), Ok(Verdict::Satisfiable), "{text}");
        let inputs = unwinding.taken_inputs(solver);
        let (end, _) = ran(&run::model(&text, &Options::default(), Some(inputs.clone())));
        assert_eq!(unwinding.globals_at_end(solver).expect("it ends"), globals(&model, &end), "{text}");
        let narrator = cfront::Narrator::new(&model);
        let values = graph::Story::values(&narrator, &end);
        let value = |name: &str| &values.iter().find(|(known, _)| known == name).expect("it is there").1;
        let count: usize = value("count").parse().expect("a number");
        let computed: Vec<String> = (0..count).map(|index| value(&format!("out[{index}]")).clone()).collect();
        assert_eq!(computed, printed(&text, &inputs, folder.path()), "{inputs:?}\n{text}");
    });
}

/// What the program prints for these inputs when gcc compiles it.
fn printed(text: &str, inputs: &[i64], folder: &std::path::Path) -> Vec<String> {
    let mut text = text.to_owned();
    for ((name, kind), value) in INPUTS.iter().zip(&TYPES).zip(inputs) {
        let value = *value as u64;
        let _ = writeln!(text, "{kind} __VERIFIER_nondet_{name}(void) {{ return ({kind}){value}ull; }}");
    }
    let (source, binary) = (folder.join("t.c"), folder.join("t"));
    std::fs::write(&source, &text).expect("room for a file");
    let flags = ["-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-DPRINT", "-o"];
    let built = Command::new("gcc").args(flags).arg(&binary).arg(&source).output().expect("gcc runs");
    assert!(built.status.success(), "{}\n{text}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&binary).output().expect("the program runs");
    assert!(output.status.success(), "{text}");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// What a bounded search says of a program; inputs that violate it are tried.
fn verdict(text: &str, most: u32, options: &Options) -> String {
    let model = run::model(text, options, None);
    let mut unwinder = unwinder(&model);
    let outcome = search(&mut unwinder, most, |_, _| true);
    match outcome.answer {
        Answer::Violated(found) => {
            let (_, wrong) = ran(&run::model(text, options, Some(found.inputs.clone())));
            assert!(wrong, "{:?} violate nothing\n{text}", found.inputs);
            format!("violated by {:?}", found.inputs)
        }
        Answer::Holds => "holds".to_owned(),
        Answer::Within(cut) => format!("within {}: {:?}", outcome.bound, cut.why),
        Answer::Stopped(stop) => stop.to_string(),
    }
}

fn check(text: &str) -> String {
    verdict(text, 16, &Options::default())
}

const PROLOGUE: &str = "
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
";

fn of(body: &str) -> String {
    check(&format!("{PROLOGUE}{body}"))
}

#[test]
fn inputs_of_32_bits_are_found() {
    assert_eq!(
        of("int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 123456789); }"),
        "violated by [123456789]"
    );
    assert_eq!(
        of(
            "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 0); assert(x * 2 / 2 == x || x > 1073741823); }"
        ),
        "holds"
    );
    assert_eq!(
        of("int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
            if (x < 1000 || x > 2000) return 0; int z = x % 1000; assert(z != 613 || y != x + 7); }"),
        "violated by [1613, 1620]"
    );
}

#[test]
fn loops_are_unwound_as_far_as_they_go() {
    // The end is known: the bound does not matter.
    assert_eq!(
        of("int main(void) { int s = 0; for (int i = 0; i < 100; i++) s += i; assert(s == 4950); }"),
        "holds"
    );
    assert_eq!(
        of("int main(void) { int n = __VERIFIER_nondet_uchar(), s = 0; __VERIFIER_assume(n < 12);
            for (int i = 0; i < n; i++) s += 2; assert(s == 2 * n); }"),
        "holds"
    );
    assert_eq!(
        of(
            "int main(void) { int n = __VERIFIER_nondet_uchar(), s = 0; for (int i = 0; i < n; i++) s++; assert(s == n); }"
        ),
        "within 16: Loop"
    );
    assert_eq!(
        of(
            "int main(void) { int n = __VERIFIER_nondet_uchar(), s = 0; while (n--) { s++; assert(s != 9); } }"
        ),
        "violated by [9]"
    );
    assert_eq!(
        of(
            "int main(void) { int s = 0; while (1) { if (__VERIFIER_nondet_int() == 5) s++; assert(s < 3); } }"
        ),
        "violated by [5, 5, 5]"
    );
    // Into the middle of a loop, and out of two at once.
    assert_eq!(
        of("int main(void) { int i = 0, x = __VERIFIER_nondet_int(); if (x) goto in;
            again: i++; in: i += 2; if (i < 7) goto again; assert(i == 8 || i == 9); }"),
        "holds"
    );
}

#[test]
fn calls_and_recursion() {
    let sum = "int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }";
    assert_eq!(of(&format!("{sum} int main(void) {{ assert(sum(40) == 820); }}")), "holds");
    assert_eq!(
        of(&format!(
            "{sum} int main(void) {{ int n = __VERIFIER_nondet_uchar(); __VERIFIER_assume(n < 9); assert(sum(n) == n * (n + 1) / 2); }}"
        )),
        "holds"
    );
    assert_eq!(
        of(&format!("{sum} int main(void) {{ int n = __VERIFIER_nondet_int(); assert(sum(n) != 21); }}")),
        "violated by [6]"
    );
    assert_eq!(
        of(&format!("{sum} int main(void) {{ int n = __VERIFIER_nondet_int(); assert(sum(n) >= 0); }}")),
        "within 16: Recursion"
    );
    assert_eq!(
        of("int twice(int x) { return 2 * x; } int thrice(int x) { return 3 * x; }
            int main(void) { int c = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(); __VERIFIER_assume(c == 0 || c == 1);
              int (*f)(int) = c ? twice : thrice; assert(c || f(x) == 3 * x); if (c) f = 0; if (x == 3) f(1); }"),
        "violated by [1, 3]"
    );
}

#[test]
fn records_are_handed_over_and_back() {
    for kind in ["char", "int", "long"] {
        let pair = format!(
            "struct pair {{ {kind} a, b; }};
             struct pair swapped(struct pair p) {{ struct pair q = {{p.b, p.a}}; return q; }}
             int main(void) {{ int x = __VERIFIER_nondet_uchar(); __VERIFIER_assume(x < 64);
               struct pair p = {{x, 7}}; struct pair q = swapped(p);
               assert(q.a == 7 && q.b == p.a); struct pair *r = &q; *r = swapped(*r); assert(r->a != 33); }}"
        );
        assert_eq!(of(&pair), "violated by [33]", "{kind}");
    }
}

#[test]
fn pointers_and_the_heap() {
    assert_eq!(
        of("int main(void) { int a[5] = {0}, *p = a; int i = __VERIFIER_nondet_int(); __VERIFIER_assume(i >= 0 && i < 5);
            p[i] = 7; int s = 0; for (int k = 0; k < 5; k++) s += a[k]; assert(s == 7); }"),
        "holds"
    );
    assert_eq!(
        of("int main(void) { int a[5] = {0}, *p = a + 2; int i = __VERIFIER_nondet_int(); __VERIFIER_assume(i >= -3 && i < 3);
            p[i] = 7; }"),
        "violated by [-3]"
    );
    let list = "struct node { int value; struct node *next; };
        struct node *push(struct node *list, int value) { struct node *n = malloc(sizeof *n); n->value = value; n->next = list; return n; }
        int total(struct node *list) { int s = 0; while (list) { s += list->value; list = list->next; } return s; }";
    assert_eq!(
        of(&format!("{list} int main(void) {{ struct node *l = 0; int n = __VERIFIER_nondet_int(), e = 0;
            for (int i = 0; i < 5; i++) if (n >> i & 1) {{ l = push(l, i); e += i; }} assert(total(l) == e); }}")),
        "holds"
    );
    assert_eq!(
        of(&format!("{list} int main(void) {{ struct node *l = 0; int n = __VERIFIER_nondet_uchar(); __VERIFIER_assume(n < 16);
            for (int i = 1; i < 4; i++) if (n >> i & 1) l = push(l, i); assert(n & 1 || l == 0 || total(l) != 5 || l->next == 0); }}")),
        "violated by [12]"
    );
    assert_eq!(
        of(
            "int main(void) { int *p = malloc(4), *q = p; int x = __VERIFIER_nondet_int(); if (x == 77) free(p); *q = 1; free(q); }"
        ),
        "violated by [77]"
    );
    assert_eq!(
        of("int main(void) { int n = __VERIFIER_nondet_uchar(); __VERIFIER_assume(n > 0 && n <= 20); char *p = malloc(n);
            memset(p, 1, n); assert(p[n - 1] == 1); p[n == 13 ? 13 : 0] = 0; }"),
        "violated by [13]"
    );
}

#[test]
fn texts() {
    assert_eq!(
        of("int main(void) { char a[8], b[16] = \"ab\"; a[0] = __VERIFIER_nondet_uchar(); a[1] = __VERIFIER_nondet_uchar(); a[2] = 0;
            strcat(b, a); assert(strlen(b) == 2 + strlen(a)); assert(strcmp(a, \"xy\") != 0); }"),
        "violated by [120, 121]"
    );
    assert_eq!(
        of("int main(void) { char a[4] = {1, 2, 3, 4}; int i = __VERIFIER_nondet_uchar(); if (i < 4) a[i] = 0; else a[3] = 0;
            char c[4]; memcpy(c, a, 4); assert(memcmp(a, c, 4) == 0); assert(strlen(c) <= 3); assert(strchr(c, 0) == c + strlen(c)); }"),
        "holds"
    );
    assert_eq!(
        of(
            "int main(void) { char a[4] = {1, 2, 3, 4}; int i = __VERIFIER_nondet_uchar(); if (i != 200) a[i & 3] = 0; return strlen(a); }"
        ),
        "violated by [200]"
    );
}

#[test]
fn faults() {
    assert_eq!(
        of("int main(void) { int x = __VERIFIER_nondet_int(); return 10 / (x - 42); }"),
        "violated by [42]"
    );
    assert_eq!(
        of("int main(void) { int x = __VERIFIER_nondet_int(); return x != 5 && 10 / (x - 5); }"),
        "holds"
    );
    let overflow = Options { overflow: true, ..Options::default() };
    let text = format!(
        "{PROLOGUE}int main(void) {{ int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 0); return x + 1; }}"
    );
    assert_eq!(verdict(&text, 4, &overflow), "violated by [2147483647]");
    let text = "extern long __VERIFIER_nondet_long(void); extern void __VERIFIER_assume(int);
        int main(void) { long x = __VERIFIER_nondet_long(); __VERIFIER_assume(x >= 3037000499 && x <= 3037000500); return x * x > 0; }";
    assert_eq!(verdict(text, 4, &overflow), "violated by [3037000500]");
}
