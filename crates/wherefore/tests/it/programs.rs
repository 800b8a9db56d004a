//! C programs on the command line.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use crate::support::{assert_honest, json, library, run, stderr, stdout};

const LOCK: &str = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
int locked;
void lock(void) { assert(locked == 0); locked = 1; }
void unlock(void) { assert(locked == 1); locked = 0; }
int main(void) {
    int got = 0;
    int tries = __VERIFIER_nondet_int();
    if (tries < 1 || tries > 2) return 0;
    do {
        if (__VERIFIER_nondet_bool()) {
            lock();
            got++;
        }
        if (got != 0) {
            unlock();
        }
        got--;
        tries--;
    } while (tries > 0);
    return 0;
}
";

const PHILOSOPHERS: &str = "#include <pthread.h>
pthread_mutex_t left, right;
void *eat(void *unused) {
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return 0;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, eat, 0);
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    pthread_join(other, 0);
    return 0;
}
";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn code(folder: &Path, arguments: &[&str]) -> i32 {
    run(folder, arguments).status.code().unwrap()
}

#[test]
fn a_counterexample_is_explained_and_goes_again() {
    let folder = folder(&[("lock.c", LOCK)]);
    let output = run(folder.path(), &["lock.c", "-f", "json", "-o", "report.json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = std::fs::read_to_string(folder.path().join("report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_honest(&report);
    assert_eq!(report["input"]["kind"], "c");
    assert_eq!(report["counterexample"]["kind"], "assertion");
    let steps = report["counterexample"]["steps"].as_array().unwrap();
    assert_eq!(steps.last().unwrap()["location"]["line"], 6);
    let replayed = json(&run(folder.path(), &["replay", "lock.c", "--trail", "report.json", "-f", "json"]));
    assert_eq!(replayed["replays"][0]["result"], "fails");
    assert_eq!(code(folder.path(), &["convert", "lock.c", "lock.aut"]), 0);
    assert_eq!(code(folder.path(), &["check", "lock.aut", "-p", "[true* . \"main:0 got++\"] false"]), 1);
}

#[test]
fn inputs_are_replayed_and_may_run_out() {
    let folder = folder(&[("lock.c", LOCK), ("inputs", "2\n0\n0\n")]);
    assert_eq!(code(folder.path(), &["check", "lock.c", "--inputs", "2,0,0"]), 1);
    assert_eq!(code(folder.path(), &["check", "lock.c", "--inputs", "inputs"]), 1);
    assert_eq!(code(folder.path(), &["check", "lock.c", "--inputs", "1,1"]), 0);
    let output = run(folder.path(), &["check", "lock.c", "--inputs", "2,0"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stdout(&output).contains("asked for more inputs than were given (line 12)"),
        "{}",
        stdout(&output)
    );
    assert_eq!(code(folder.path(), &["check", "lock.c", "--inputs", "one"]), 2);
}

#[test]
fn threads_that_wait_for_each_other_are_told() {
    let folder = folder(&[("philosophers.c", PHILOSOPHERS)]);
    let report = library::report(folder.path(), &["philosophers.c", "-f", "json"]);
    assert_honest(&report);
    assert_eq!(report["counterexample"]["kind"], "deadlock");
    let blocked = report["counterexample"]["blocked"].as_array().unwrap();
    let waits: Vec<&str> = blocked.iter().map(|blocked| blocked["waits_for"].as_str().unwrap()).collect();
    assert_eq!(waits.len(), 2);
    assert_eq!(waits, ["eat:1 holds `left`", "main:0 holds `right`"]);
    let output = run(folder.path(), &["check", "philosophers.c", "-p", "race"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let racy = PHILOSOPHERS.replace("pthread_mutex_lock(&right);", "left.__kind = 0;");
    std::fs::write(folder.path().join("racy.c"), racy).unwrap();
    let report = library::report(folder.path(), &["check", "racy.c", "-p", "race", "-f", "json"]);
    // Both sides are as near, and either may be told.
    let told = report["counterexample"]["text"].as_str().unwrap();
    assert!(told.starts_with("data race in `left.__kind = 0`: at the same time as "), "{told}");
    assert!(told.ends_with(", `left.__kind = 0`"), "{told}");
}

#[test]
fn pointers_are_told_by_what_they_point_to() {
    let text = "struct node { int value; struct node *next; } nodes[3];
int main(void) {
    struct node *p = &nodes[1];
    int *v = &nodes[2].value;
    int a[2][2], *q = &a[1][1];
    struct node **n = &nodes[2].next;
    char *c = (char *)v + 1;
    *v = *q + (n != 0) + (c != 0);
    return p->value / *v;
}
";
    let folder = folder(&[("t.c", text)]);
    let report =
        library::report(folder.path(), &["check", "t.c", "-p", "fault", "--inputs", "1", "-f", "json"]);
    assert_eq!(report["verdict"], "holds");
    let text = text.replace("return p", "*q = 1 / (*v - 2); return p");
    std::fs::write(folder.path().join("t.c"), text).unwrap();
    let report = library::report(folder.path(), &["check", "t.c", "-f", "json"]);
    let steps = report["counterexample"]["steps"].as_array().unwrap();
    let given = |name: &str| {
        let mut changes = steps.iter().rev().filter_map(|step| step["changes"].get(format!("main.{name}")));
        changes.next().unwrap()[1].as_str().unwrap().to_owned()
    };
    let expected = ["&nodes[1]", "&nodes[2]", "&main.a[1][1]", "&nodes[2].next", "&nodes+33"];
    assert_eq!(["p", "v", "q", "n", "c"].map(given), expected);
}

#[test]
fn a_fault_in_a_condition_is_told_of_the_condition() {
    let text = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n    int x = __VERIFIER_nondet_int();\n    \
                if (x < -3 || x > 3)\n        return 0;\n    int y = 1;\n    if (10 / x > 2)\n        y = 2;\n    \
                return y;\n}\n";
    let folder = folder(&[("p.c", text)]);
    for engine in ["explicit", "sat"] {
        let report = library::report(folder.path(), &["p.c", "--engine", engine, "-f", "json"]);
        assert_honest(&report);
        let counterexample = &report["counterexample"];
        let last = counterexample["steps"].as_array().unwrap().last().unwrap();
        assert_eq!(last["location"]["line"], 7, "{engine}: {last}");
        assert_eq!(last["event"], "main:0 if (10 / x > 2)", "{engine}");
        assert_eq!(counterexample["text"], "division by zero in `if (10 / x > 2)`", "{engine}");
        let suspected = &report["methods"]["diagnosis"]["diagnoses"];
        assert!(
            suspected.as_array().unwrap().iter().any(|one| one["lines"][0] == 7),
            "{engine}: {suspected}"
        );
    }
}

#[test]
fn errors_have_places() {
    let folder = folder(&[("bad.c", "int f(int);\nint main(void) {\n  return f(1);\n}\n")]);
    let output = run(folder.path(), &["check", "bad.c"]);
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    assert!(told.contains("the function `f` is neither defined here nor known"), "{told}");
    assert!(told.contains("bad.c:3:10"), "{told}");
}

#[test]
fn the_data_model_and_macros_are_the_users() {
    let text = "#include <assert.h>\nint main(void) { assert(sizeof(long) == SIZE); return 0; }\n";
    let folder = folder(&[("size.c", text)]);
    assert_eq!(code(folder.path(), &["check", "size.c", "-DSIZE=8"]), 0);
    assert_eq!(code(folder.path(), &["check", "size.c", "-DSIZE=4", "--data-model", "ilp32"]), 0);
    assert_eq!(code(folder.path(), &["check", "size.c", "-DSIZE=4"]), 1);
}

#[test]
fn a_line_a_function_or_overflow_may_be_asked_for() {
    let text = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void alarm(int level) { (void)level; }
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 3) return 0;
    if (x == 2) alarm(x);
    int y = 2147483645 + x;
    assert(x != 3);
    assert(x != 1);
    return y == 0;
}
";
    let folder = folder(&[("t.c", text)]);
    let found = |property: &str| {
        let report = library::report(folder.path(), &["check", "t.c", "-p", property, "-f", "json"]);
        let violations = report["violations"].as_array().unwrap().iter();
        violations.map(|violation| violation["location"]["line"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(found("10"), [10]);
    assert_eq!(found("11"), [0u64; 0]);
    assert_eq!(found("alarm"), [7]);
    assert_eq!(found("overflow"), [8]);
    assert_eq!(found("assertion"), [9, 10]);
    let output = run(folder.path(), &["check", "t.c", "-p", "nobody"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`nobody` is not a function"), "{}", stderr(&output));
    assert_eq!(code(folder.path(), &["check", "t.c", "-p", "a b"]), 2);
}

#[test]
fn small_inputs_are_tried_on_request() {
    let text = "#include <assert.h>
extern char __VERIFIER_nondet_char(void);
int main(void) { assert(__VERIFIER_nondet_char() != -77); return 0; }
";
    let folder = folder(&[("t.c", text)]);
    assert_eq!(code(folder.path(), &["check", "t.c", "--engine", "explicit"]), 3);
    let output = run(folder.path(), &["check", "t.c", "--input-bits", "8", "-f", "json"]);
    assert_eq!(json(&output)["engine"], "explicit");
    let report = json(&output);
    let last = report["counterexample"]["steps"].as_array().unwrap().last().unwrap();
    assert_eq!(last["inputs"], serde_json::json!([-77]));
    assert_eq!(last["action"], "assert(__VERIFIER_nondet_char() != -77) gave -77");
}

#[test]
fn a_program_may_have_several_files() {
    let main = "#include <assert.h>\nint twice(int);\nint main(void) { assert(twice(2) == 4); return 0; }";
    let other = "int twice(int x) { return x + FACTOR; }\n";
    let folder = folder(&[("main.c", main), ("other.c", other)]);
    let with = |factor: &str| code(folder.path(), &["check", "main.c", "--with", "other.c", factor]);
    assert_eq!(with("-DFACTOR=x"), 0);
    assert_eq!(with("-DFACTOR=1"), 1);
    assert_eq!(code(folder.path(), &["check", "main.c"]), 2);
    assert_eq!(code(folder.path(), &["check", "main.c", "--with", "nowhere.c"]), 2);
}

#[test]
fn the_headers_of_the_system_are_used_on_request() {
    if std::process::Command::new("cc").arg("--version").output().is_err() {
        return;
    }
    let text = "#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;
void *work(void *unused) { pthread_mutex_lock(&lock); x++; pthread_mutex_unlock(&lock); return NULL; }
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(x == WANTED);
    return EXIT_SUCCESS;
}
";
    let folder =
        folder(&[("t.c", text), ("bad.c", "#include <no/such/header.h>\nint main(void) { return 0; }\n")]);
    assert_eq!(code(folder.path(), &["check", "t.c", "--cc", "-DWANTED=2"]), 0);
    let report = library::report(folder.path(), &["check", "t.c", "--cc", "-DWANTED=3", "-f", "json"]);
    assert_eq!(report["violations"][0]["location"]["line"], 12);
    assert_eq!(report["violations"][0]["location"]["file"], "t.c");
    let output = run(folder.path(), &["check", "bad.c", "--cc"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no/such/header.h"), "{}", stderr(&output));
}

/// A trail says which violation is meant, and that is also the query that is answered first.
#[test]
fn a_trail_decides_which_check_is_compared_with_correct_traces() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    _Bool one = __VERIFIER_nondet_bool();
    assert(!one);
    _Bool two = __VERIFIER_nondet_bool();
    assert(!two);
    return 0;
}
";
    std::fs::write(folder.path().join("two.c"), text).unwrap();
    let second = run(folder.path(), &["explain", "two.c", "--violation", "2", "-f", "json"]);
    std::fs::write(folder.path().join("second.json"), &second.stdout).unwrap();
    let arguments = ["explain", "two.c", "--trail", "second.json", "-m", "correct-transitions", "-f", "json"];
    let report = library::report(folder.path(), &arguments);
    let traces = report["methods"]["correct_transitions"]["traces"].as_array().unwrap();
    let lines: Vec<u64> =
        traces.iter().map(|trace| trace["query"]["location"]["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [7, 5]);
    assert_eq!(traces[0]["length"], report["counterexample"]["length"]);
}
