//! Diagnoses: the examples of Pu (2013), what is never blamed, and what the report says of it.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use serde_json::Value;

use crate::support;
use crate::support::{assert_honest, library, run, stdout, workspace};

fn report_in(folder: &Path, arguments: &[&str]) -> Value {
    let report = library::report(folder, &[&["explain", "-m", "diagnosis"], arguments].concat());
    assert_honest(&report);
    report
}

fn diagnosis(file: &str, arguments: &[&str]) -> Value {
    let report = report_in(&workspace().join("examples/diagnosis"), &[&[file], arguments].concat());
    report["methods"]["diagnosis"].clone()
}

fn program(text: &str, arguments: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.c"), text).unwrap();
    report_in(folder.path(), &[&["p.c"], arguments].concat())
}

fn numbers(value: &Value) -> Vec<i64> {
    value.as_array().unwrap().iter().map(|one| one.as_i64().unwrap()).collect()
}

/// The sets of lines, in their order, that a filter lets through.
fn sets(diagnosis: &Value, wanted: impl Fn(&Value) -> bool) -> Vec<Vec<i64>> {
    let found = diagnosis["diagnoses"].as_array().unwrap().iter();
    found.filter(|one| wanted(one)).map(|one| numbers(&one["lines"])).collect()
}

fn on_trace(one: &Value) -> bool {
    one["scope"] == "trace"
}

#[test]
fn the_middle_of_three_is_wrong_in_line_12_and_should_be_x() {
    let found = diagnosis("middle.c", &[]);
    let mut all = sets(&found, on_trace);
    assert_eq!(all[0], [12]);
    all.sort();
    assert_eq!(all, [vec![7, 11], vec![8], vec![12]]);
    assert_eq!(sets(&found, |one| on_trace(one) && one["redundant"] == false), [[12]]);
    let first = &found["diagnoses"][0];
    assert_eq!(first["suggestion"], "`m` should be `x` in line 12");
    assert_eq!(first["explains"], found["runs"]);
    assert_eq!(found["exactness"], "exact");
    assert!(found["absence_of_function"].is_null());
    // With the inputs of the counterexample the right value is that of x.
    let value = &first["values"][0];
    assert_eq!(
        (&value["what"], &value["failing"], &value["right"]),
        (&"`m`".into(), &"1".into(), &"2".into())
    );
}

#[test]
fn conflicts_and_diagnoses_hit_each_other() {
    for file in ["middle.c", "lock.c"] {
        let found = diagnosis(file, &[]);
        let conflicts: Vec<Vec<i64>> = found["conflicts"].as_array().unwrap().iter().map(numbers).collect();
        assert!(!conflicts.is_empty());
        for set in sets(&found, on_trace) {
            for conflict in &conflicts {
                assert!(conflict.iter().any(|line| set.contains(line)), "{set:?} {conflict:?}");
            }
        }
    }
}

#[test]
fn the_lock_needs_two_statements_to_be_wrong() {
    let found = diagnosis("lock.c", &[]);
    assert_eq!(found["constraints"][0]["text"], "__WHEREFORE_constraint(got_lock == 0)");
    assert_eq!(sets(&found, on_trace), [[10, 13], [4, 10]]);
    assert_eq!(found["diagnoses"][0]["lines"], serde_json::json!([10, 13]));
}

#[test]
fn a_constraint_in_a_comment_is_one() {
    let text = std::fs::read_to_string(workspace().join("examples/diagnosis/lock.c")).unwrap();
    let called = "__WHEREFORE_constraint(got_lock == 0);";
    assert!(text.contains(called));
    let text = text.replace("#include \"verifier.h\"", "#include \"verifier2.h\"");
    let folder = tempfile::tempdir().unwrap();
    let header = std::fs::read_to_string(workspace().join("examples/diagnosis/verifier.h")).unwrap();
    // Not even the header needs to know of it.
    let header = header.replace("extern void __WHEREFORE_constraint(int condition);", "");
    std::fs::write(folder.path().join("verifier2.h"), header).unwrap();
    let path = folder.path().join("lock.c");
    std::fs::write(path, text.replace(called, "//@ constraint: got_lock == 0")).unwrap();
    let found = report_in(folder.path(), &["lock.c"])["methods"]["diagnosis"].clone();
    assert_eq!(found["constraints"][0]["text"], "got_lock == 0");
    assert_eq!(found["constraints"][0]["location"]["line"], 14);
    assert_eq!(sets(&found, on_trace), [[10, 13], [4, 10]]);
}

#[test]
fn the_sorter_lacks_a_comparison() {
    let found = diagnosis("sorter.c", &[]);
    let absence = &found["absence_of_function"];
    assert_eq!(absence["unimplied"], serde_json::json!(["b <= c"]));
    assert!(sets(&found, on_trace).is_empty());
    // Both take the same way, one passes and one fails.
    let sorts = |input: &Value| {
        let mut n = numbers(input);
        let mut way = Vec::new();
        for (one, other) in [(0, 1), (1, 2), (2, 3), (1, 2), (0, 1)] {
            way.push(n[one] > n[other]);
            if n[one] > n[other] {
                n.swap(one, other);
            }
        }
        (way, n.is_sorted())
    };
    let (passing, failing) = (sorts(&absence["passing_input"]), sorts(&absence["failing_input"]));
    assert_eq!(passing.0, failing.0);
    assert!(passing.1 && !failing.1);
}

#[test]
fn inputs_and_assumptions_are_never_wrong_and_trusted_functions_neither() {
    let text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
                extern void __VERIFIER_assume(int condition);\n\
                static int given(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 3); return n; }\n\
                static int twice(int n) {\n    return n + n;\n}\n\
                static int once(int n) {\n    int m = n - n;\n    return m;\n}\n\
                int main(void) {\n    int n = given();\n    int m = twice(n) - once(n);\n    assert(m == n);\n    \
                return 0;\n}\n";
    let found = program(text, &["--engine", "sat"])["methods"]["diagnosis"].clone();
    let all = sets(&found, |_| true);
    assert_eq!(all.iter().filter(|set| set.contains(&4) || set.contains(&13)).count(), 0, "{all:?}");
    assert!(all.contains(&vec![9]) && all.contains(&vec![6]), "{all:?}");
    let found = program(text, &["--engine", "sat", "--trust", "twice"])["methods"]["diagnosis"].clone();
    let all = sets(&found, |_| true);
    assert!(all.contains(&vec![9]) && !all.contains(&vec![6]), "{all:?}");
}

#[test]
fn a_call_of_the_error_function_has_the_branch_before_it_as_its_constraint() {
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
                static void check(int condition) {\n    if (!condition) {\n        reach_error();\n    }\n}\n\
                int main(void) {\n    int n = __VERIFIER_nondet_int();\n    int m = n;\n    if (n < 0)\n        \
                m = 1;\n    check(m >= 0 && m != 1);\n    return 0;\n}\n";
    let found = program(text, &["--engine", "sat"])["methods"]["diagnosis"].clone();
    assert_eq!(found["constraints"][0]["location"]["line"], 4);
    let all = sets(&found, |_| true);
    assert!(!all.is_empty() && !all.iter().flatten().any(|line| [4, 5, 13].contains(line)), "{all:?}");
}

#[test]
fn faults_are_diagnosed_and_what_follows_from_a_statement_is_told() {
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int condition);\n\
                int main(void) {\n    int a[4] = {0};\n    int n = __VERIFIER_nondet_int();\n    \
                __VERIFIER_assume(n >= 0 && n < 4);\n    int at = n + 1;\n    int next = at;\n    a[next] = 1;\n    \
                return 0;\n}\n";
    for engine in ["explicit", "sat"] {
        let report = program(text, &["--engine", engine]);
        assert_eq!(report["counterexample"]["kind"], "fault");
        let found = &report["methods"]["diagnosis"];
        let all = sets(found, |_| true);
        assert!(all.contains(&vec![7]), "{all:?}");
        let at =
            found["diagnoses"].as_array().unwrap().iter().find(|one| numbers(&one["lines"]) == [7]).unwrap();
        assert_eq!(numbers(&at["transitive"]), [8, 9]);
        let cause = report["causes"].as_array().unwrap().iter();
        assert!(cause.clone().any(|cause| cause["methods"] == serde_json::json!(["diagnosis"])));
    }
}

#[test]
fn where_nothing_can_be_blamed_something_is_missing() {
    let text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
                extern void __VERIFIER_assume(int condition);\nstatic int kept[2];\n\
                static void keep(int number) {\n    kept[0] = number;\n}\n\
                int main(void) {\n    int x = __VERIFIER_nondet_int();\n    \
                __VERIFIER_assume(x >= 1 && x <= 3);\n    keep(x);\n    assert(kept[1] == x);\n    return 0;\n}\n";
    let found = program(text, &["--trust", "main"])["methods"]["diagnosis"].clone();
    assert_eq!((sets(&found, |_| true).len(), &found["exactness"]), (0, &"exact".into()), "{found}");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.c"), text).unwrap();
    let told =
        support::stdout(&run(folder.path(), &["explain", "-m", "diagnosis", "--trust", "main", "t.c"]));
    assert!(told.contains("whatever values they compute. A statement may be missing"), "{told}");
}

#[test]
fn with_given_inputs_only_these_count() {
    let found = diagnosis("middle.c", &["--inputs", "2,1,3"]);
    assert_eq!(found["inputs"], "fixed");
    assert_eq!(sets(&found, on_trace), [[12]]);
}

#[test]
fn a_run_that_does_not_fail_is_no_failing_run() {
    let folder = workspace().join("examples/diagnosis");
    let asked = ["explain", "-m", "diagnosis", "-f", "json", "middle.c", "--failing", "1,2,3"];
    let report = library::report(&folder, &asked);
    let skipped = &report["methods"]["diagnosis"]["skipped"];
    assert_eq!(skipped, "the run with the inputs 1, 2, 3 does not fail");
    let found = diagnosis("middle.c", &["--failing", "5,4,9"]);
    assert_eq!(found["runs"], 2);
    assert_eq!(numbers(&found["across"]["runs"][1]), [5, 4, 9]);
}

/// Two functions and what should come of them; a run whose first input is large meets the faults of both.
fn two_faults(larger: &str, limited: &str) -> String {
    format!(
        "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
static int larger(int one, int other)
{{
    {larger}
    return other;
}}
static int limited(int number)
{{
    {limited}
    return number;
}}
int main(void)
{{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    __VERIFIER_assume(x >= 0 && x <= 9 && y >= 0 && y <= 9);
    assert(larger(x, y) == (x > y ? x : y));
    assert(limited(x) == (x > 5 ? 5 : x));
    return 0;
}}
"
    )
}

#[test]
fn small_changes_of_two_statements_mend_two_faults() {
    let text = two_faults("if (one < other) return one;", "if (number > 5) return 6;");
    let found = program(&text, &["--trust", "main"])["methods"]["diagnosis"].clone();
    let first = &found["diagnoses"][0];
    assert_eq!((numbers(&first["lines"]), &first["likely"]), (vec![6, 11], &true.into()), "{found}");
    assert_eq!(first["small_change"], "another operator and a constant one larger or smaller", "{found}");
}

#[test]
fn two_statements_explain_together_what_none_explains_alone() {
    // No small change helps here, and the second fault is not on the way of the first run that fails.
    let text = two_faults("other = (one * other + 2) % 7;", "number = (number * number + 11) % 23;");
    let found = program(&text, &["--trust", "main"])["methods"]["diagnosis"].clone();
    let sets = sets(&found, |one| one["explains"].as_u64() > Some(0));
    assert!(sets.contains(&vec![6, 11]), "{found}");
    assert!(sets.iter().all(|set| set.len() > 1), "{found}");
}

#[test]
fn a_small_change_with_which_no_run_fails_makes_a_statement_likelier() {
    // Many statements could have made better values; only one of them a little changed suits all runs.
    let text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
                extern void __VERIFIER_assume(int condition);\n\
                static int larger(int a, int b) {\n    int most = a;\n    if (a > b)\n        most = b;\n    \
                return most;\n}\n\
                int main(void) {\n    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();\n    \
                __VERIFIER_assume(a >= 0 && a <= 9 && b >= 0 && b <= 9);\n    int most = larger(a, b);\n    \
                assert(most >= a && most >= b && (most == a || most == b));\n    return 0;\n}\n";
    let found = program(text, &["--trust", "main"])["methods"]["diagnosis"].clone();
    let likely = sets(&found, |one| one["likely"] == true);
    assert_eq!(likely[0], [6], "{found}");
    assert_eq!(found["diagnoses"][0]["small_change"], "another operator: `<` instead of `>`");
    assert!(found["tried_on"].as_u64().unwrap() > 20, "{found}");
    assert!(found["diagnoses"].as_array().unwrap().len() > likely.len(), "{found}");
}

const INPUT: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
                     extern void __VERIFIER_assume(int condition);\n";

#[test]
fn a_program_without_an_end_passes_by_going_on() {
    let text = format!(
        "{INPUT}int main(void) {{\n    int open = 0, moves = 0;\n    while (1) {{\n        \
         int command = __VERIFIER_nondet_int();\n        __VERIFIER_assume(command >= 0 && command <= 1);\n        \
         if (command == 0)\n            open = 1;\n        else\n            moves = 1;\n        \
         assert(!(open && moves));\n    }}\n}}\n"
    );
    let found = program(&text, &[])["methods"]["diagnosis"].clone();
    let explaining = sets(&found, |one| one["explains"].as_u64() > Some(0));
    assert!(explaining.contains(&vec![10]) && explaining.contains(&vec![12]), "{found}");
}

#[test]
fn a_program_with_an_end_does_not_pass_by_going_on() {
    // Whatever the loop does, the assertion fails where it is met; that a loop goes on for ever is no explanation.
    let text = format!(
        "{INPUT}int main(void) {{\n    int n = __VERIFIER_nondet_int();\n    __VERIFIER_assume(n >= 1 && n <= 3);\n    \
         int sum = 0;\n    for (int i = 0; i < n; i++)\n        sum = sum + i;\n    assert(n == 9 && sum >= 0);\n    \
         return 0;\n}}\n"
    );
    let found = program(&text, &[])["methods"]["diagnosis"].clone();
    assert!(sets(&found, |one| one["explains"].as_u64() > Some(0)).is_empty(), "{found}");
}

#[test]
fn conditions_of_checks_are_suspected_last() {
    // Each of the three conditions in main only chooses what is checked; changed a little, none of the checks would fail.
    let text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
                extern void __VERIFIER_assume(int condition);\nextern void reach_error(void);\n\
                static int kept(int a, int b) {\n    int gap = a - b;\n    if (gap > 0)\n        gap = -gap;\n    \
                return gap;\n}\n\
                int main(void) {\n    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();\n    \
                __VERIFIER_assume(a >= 0 && a <= 9 && b >= 0 && b <= 9);\n    int gap = kept(a, b);\n    \
                if (a >= b)\n        assert(gap == a - b);\n    else\n        assert(gap == b - a);\n    \
                if (a > b) {\n        if (gap == 0)\n            reach_error();\n    }\n    return 0;\n}\n";
    let found = program(text, &[])["methods"]["diagnosis"].clone();
    assert_eq!(sets(&found, |one| one["likely"] == true), [[7]], "{found}");
    let is_changed = |one: &Value| {
        one["small_change"].as_str().is_some_and(|change| change.starts_with("another operator"))
    };
    assert_eq!(sets(&found, is_changed), [[7], [15]], "{found}");
}

#[test]
fn what_a_diagnosis_proposes_is_tried_and_comes_first() {
    let report = report_in(&workspace().join("examples/diagnosis"), &["middle.c", "--repair"]);
    let found = &report["methods"]["diagnosis"];
    let first = &found["diagnoses"][0];
    assert_eq!(first["change"], "m = x");
    assert_eq!(numbers(&first["lines"]), [12]);
    assert_eq!(first["repair"]["verified"], true);
    let patch = first["repair"]["patch"].as_str().unwrap();
    assert!(patch.lines().any(|line| line.starts_with('+') && line.contains("m = x;")), "{patch}");
    let others = found["diagnoses"].as_array().unwrap()[1..].iter();
    assert!(others.clone().all(|one| one["repair"].is_null()), "{found}");
}

#[test]
fn programs_are_diagnosed_by_default() {
    let folder = workspace().join("examples/diagnosis");
    let report = library::report(&folder, &["middle.c", "-f", "json"]);
    assert_honest(&report);
    assert_eq!(numbers(&report["methods"]["diagnosis"]["diagnoses"][0]["lines"]), [12]);
    let causes = report["causes"].as_array().unwrap();
    let blames = |cause: &Value| cause["locations"].as_array().unwrap().iter().any(|at| at["line"] == 12);
    assert!(causes.iter().any(blames), "{causes:#?}");
    let named = library::report(&folder, &["middle.c", "-m", "neighbourhoods", "-f", "json"]);
    assert_eq!(named["methods"]["diagnosis"]["skipped"], "not asked for");
}

#[test]
fn an_assertion_that_cannot_hold_should_not_have_been_met() {
    let text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
                static int is_small(int n) {\n    return n < 11;\n}\n\
                int main(void) {\n    int n = __VERIFIER_nondet_int();\n    if (is_small(n))\n        \
                assert(n < 10);\n    return 0;\n}\n";
    let found = program(text, &["--engine", "sat", "--trust", "main"])["methods"]["diagnosis"].clone();
    let one = found["diagnoses"].as_array().unwrap().iter().find(|one| numbers(&one["lines"]) == [4]);
    assert_eq!(one.unwrap()["explains"], found["runs"]);
}

#[test]
fn people_are_told_the_likeliest_first() {
    let folder = workspace().join("examples/diagnosis");
    let text = stdout(&run(&folder, &["explain", "-m", "diagnosis", "middle.c"]));
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
    assert!(at("diagnosis: 3 smallest sets") < at("1  line 12 `m = y`"));
    assert!(at("`m` should be `x` in line 12") < at("2  line 8 `if (x < y)`"));
    let text = stdout(&run(&folder, &["explain", "-m", "diagnosis", "sorter.c"]));
    assert!(text.contains("something is missing") && text.contains("`b <= c`"), "{text}");
}

#[test]
fn calls_that_return_records_are_followed() {
    let text = "#include <assert.h>\nstruct date { int year, month, day; };\nint __VERIFIER_nondet_int(void);\n\
                static struct date next(struct date d)\n{\n    d.day = d.day + 2;\n    return d;\n}\n\
                int main(void)\n{\n    struct date d = { 2024, 1, __VERIFIER_nondet_int() };\n    \
                if (d.day < 1 || d.day > 28)\n        return 0;\n    struct date e = next(d);\n    \
                assert(e.day == d.day + 1);\n    return 0;\n}\n";
    let report = program(text, &[]);
    let found = sets(&report["methods"]["diagnosis"], on_trace);
    assert!(found.contains(&vec![6]), "{found:?}");
}

#[test]
fn what_cannot_be_diagnosed_is_said() {
    let deadlock = "#include <pthread.h>\npthread_mutex_t m;\nint main(void) {\n    pthread_mutex_lock(&m);\n    \
                    pthread_mutex_lock(&m);\n    return 0;\n}\n";
    let report = program(deadlock, &[]);
    assert_eq!(report["verdict"], "violated");
    let skipped = report["methods"]["diagnosis"]["skipped"].as_str().unwrap();
    assert!(skipped == "a deadlock has no check that should hold" || skipped == "the program starts threads");
    let fine = program("int main(void) { return 0; }\n", &[]);
    assert_eq!(fine["methods"]["diagnosis"]["skipped"], "there is no counterexample to explain");
}
