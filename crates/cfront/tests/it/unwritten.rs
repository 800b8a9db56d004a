//! Variables that are read before anything was written to them.

use crate::run::run;

fn found(statements: &str) -> Vec<String> {
    run(&format!(
        "int __VERIFIER_nondet_int(void); int in(void) {{ return __VERIFIER_nondet_int(); }}
         int r; int main(void) {{ {statements} return 0; }}"
    ))
    .violations
}

fn faults(statements: &str) -> usize {
    let found = found(statements);
    assert!(found.iter().all(|told| told.contains("variable without a value")), "{found:?}");
    found.len()
}

#[test]
fn reading_what_has_no_value_is_a_fault() {
    assert_eq!(found("int x; if (x) r = 1;"), ["2: use of a variable without a value in `if (x)`"]);
    for statements in [
        "int x; r = x + 1;",
        "int x; x++;",
        "int x; x += 2;",
        "int *p; *p = 1;",
        "_Bool b; r = b;",
        "for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 1; else r = x; }",
        "int x; switch (r) { case 1: x = 1; } r = x;",
        "int x; goto behind; x = 1; behind: r = x;",
        "int x; while (r) { x = 1; break; } r = x;",
    ] {
        assert_eq!(faults(statements), 1, "{statements}");
    }
}

#[test]
fn what_no_run_reads_too_early_is_none() {
    for statements in [
        "int x; x = 1; r = x;",
        "int x; if (r) x = 1; else x = 2; r = x;",
        // Only on paths that no run goes.
        "int x; int c = r; if (c) x = 1; if (c) r = x;",
        "int x; int i = 0; do { x = i; i++; } while (x < 3); r = x;",
        "int x; for (int i = 0; i < 3; i++) { if (i == 0) x = 5; r = x; }",
        "int x; r && x; r = 0;",
        "int x; int y = sizeof x; r = y;",
        "int x; int *p = &x; *p = 1; r = x;",
        "int x; switch (r) { case 0: x = 1; break; default: x = 2; } r = x;",
    ] {
        assert_eq!(faults(statements), 0, "{statements}");
    }
}
