//! The engines agree on every program on which two of them apply, and what the SAT engine finds fails as a
//! binary, too.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{assert_honest, json, library, run, stderr, stdout, workspace};

fn folder() -> PathBuf {
    workspace().join("examples/c")
}

/// Programs of one thread, with the options their headers name.
fn programs() -> Vec<(String, Vec<String>)> {
    let mut programs = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.extension().is_none_or(|extension| extension != "c") || name == "inputs.c" {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        if text.contains("pthread_create") || text.contains("thrd_create") {
            continue;
        }
        let options = text.lines().filter_map(|line| line.strip_prefix(" * options: "));
        programs.push((name, options.flat_map(str::split_whitespace).map(str::to_owned).collect()));
    }
    programs.sort();
    programs
}

fn check(folder: &Path, name: &str, options: &[String], more: &[&str]) -> Value {
    let mut arguments = vec!["check", name, "-f", "json"];
    arguments.extend(options.iter().map(String::as_str));
    arguments.extend(more);
    library::report(folder, &arguments)
}

fn lines(report: &Value) -> Vec<u64> {
    let violations = report["violations"].as_array().unwrap();
    violations.iter().filter_map(|violation| violation["location"]["line"].as_u64()).collect()
}

#[test]
fn explicit_and_sat_agree_on_the_examples() {
    let (mut both, mut undecided) = (0, Vec::new());
    for (name, options) in programs() {
        // A limit that is the same on every machine.
        let limits = ["--engine", "sat", "--unwind", "16", "--max-conflicts", "20000"];
        let sat = check(&folder(), &name, &options, &limits);
        assert_eq!(sat["engine"], "sat", "{name}");
        assert!(!sat["reason"].as_str().unwrap().contains("internal error"), "{name}: {}", sat["reason"]);
        let explicit = check(&folder(), &name, &options, &["--engine", "explicit"]);
        assert_eq!(explicit["engine"], "explicit", "{name}");
        if sat["verdict"] == "unknown" || explicit["verdict"] == "unknown" {
            if sat["verdict"] == "unknown" {
                undecided.push(name);
            }
            continue;
        }
        both += 1;
        assert_eq!(sat["verdict"], explicit["verdict"], "{name}: {} {}", sat["reason"], explicit["reason"]);
        for line in lines(&sat) {
            assert!(
                lines(&explicit).contains(&line),
                "{name}: line {line} is not among {:?}",
                lines(&explicit)
            );
        }
    }
    assert!(both >= 36, "{both} compared, undecided: {undecided:?}");
    assert!(undecided.len() <= 10, "{undecided:?}");
}

const WIDE: &str = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x > 100 && y > x)
    assert(x * 3 + y != 1000);
  return 0;
}
";

fn scratch(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.c"), text).unwrap();
    folder
}

#[test]
fn wide_inputs_are_left_to_the_solver() {
    let folder = scratch(WIDE);
    let report = check(folder.path(), "t.c", &[], &[]);
    assert_eq!((&report["engine"], &report["verdict"]), (&"sat".into(), &"violated".into()));
    assert_eq!(lines(&report), [6]);
    let steps = report["counterexample"]["steps"].as_array().unwrap();
    let inputs: Vec<i64> = steps
        .iter()
        .filter_map(|step| step["inputs"].as_array())
        .flatten()
        .filter_map(Value::as_i64)
        .collect();
    assert!(
        inputs[0] > 100 && inputs[1] > inputs[0] && inputs[0].wrapping_mul(3) + inputs[1] == 1000,
        "{inputs:?}"
    );
    // The inputs alone show it again, and so does the report.
    let given = format!("--inputs={},{}", inputs[0], inputs[1]);
    let again = check(folder.path(), "t.c", &[], &[&given]);
    assert_eq!((&again["engine"], &again["verdict"]), (&"explicit".into(), &"violated".into()));
    std::fs::write(folder.path().join("r.json"), serde_json::to_vec(&report).unwrap()).unwrap();
    let replay = run(folder.path(), &["replay", "t.c", "--trail", "r.json"]);
    assert_eq!(replay.status.code(), Some(1), "{}{}", stdout(&replay), stderr(&replay));
}

#[test]
fn what_a_solver_does_not_know_is_searched_state_by_state() {
    // Of an input with so many values the solver is asked first, but it computes no floating-point numbers.
    let folder = scratch(
        "#include <assert.h>
extern short __VERIFIER_nondet_short(void);
extern void __VERIFIER_assume(int);
int main(void) {
  short number = __VERIFIER_nondet_short();
  __VERIFIER_assume(number >= -2000 && number <= 2000);
  float half = number / 2.0f;
  assert(half != 2.5f);
  return 0;
}
",
    );
    let report = check(folder.path(), "t.c", &[], &[]);
    assert_eq!((&report["engine"], &report["verdict"]), (&"explicit".into(), &"violated".into()));
}

#[test]
fn many_states_are_left_to_the_solver() {
    // Nothing in the text shows how many values the inputs have together.
    let folder = scratch(
        "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int between(int low, int high) {
  int value = __VERIFIER_nondet_int();
  __VERIFIER_assume(value >= low && value <= high);
  return value;
}
int main(void) {
  int one = between(0, 900), two = between(0, 900), three = between(0, 900);
  assert(one + 2 * two + 4 * three != 6299);
  return 0;
}
",
    );
    for command in ["check", "explain"] {
        let report = library::report(folder.path(), &[command, "t.c", "-f", "json"]);
        assert_eq!((&report["engine"], &report["verdict"]), (&"sat".into(), &"violated".into()), "{command}");
    }
}

#[test]
fn explanations_say_that_there_is_no_graph() {
    let folder = scratch(WIDE);
    let report = library::report(folder.path(), &["explain", "t.c", "-f", "json"]);
    assert_eq!((&report["engine"], &report["verdict"]), (&"sat".into(), &"violated".into()));
    assert_honest(&report);
    let text = stdout(&run(folder.path(), &["explain", "t.c"]));
    assert!(text.contains("SAT engine"), "{text}");
}

/// The fault is in the third line of `main`, which only inputs above the limit take.
const LIMITED: &str = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), sum = 0;
  if (y > 50 && y < 1000000)
    sum = y;
  if (x > 50 && x < 1000000)
    sum = x - y;
  assert(sum >= 0);
  return 0;
}
";

#[test]
fn a_solver_finds_the_nearest_passing_traces() {
    let folder = scratch(LIMITED);
    let options = ["explain", "t.c", "-m", "variations", "--engine", "sat", "-f", "json"];
    let report = library::report(folder.path(), &options);
    assert_honest(&report);
    let found = &report["methods"]["variations"];
    assert_eq!(
        (&found["exactness"], &found["depth"], &found["walk"]),
        (&"bounded".into(), &Value::Null, &"solver".into())
    );
    let solved = &found["solved"];
    assert_eq!((&solved["bound"], &solved["covers_all"]), (&1.into(), &true.into()));
    // One other input is enough, and the branches can stay as they are.
    assert_eq!(solved["changes"], serde_json::json!({"inputs": 1, "branches": 0}));
    assert!(found["negatives"].as_u64() >= Some(2) && found["positives"].as_u64() >= Some(3), "{found}");
    // The faulty line is in every failing trace; no other way through the branches fails.
    let lines: Vec<u64> = found["transitions"]["all_neg"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|step| step["location"]["line"].as_u64())
        .collect();
    assert!(lines.contains(&8) && !lines.contains(&6), "{lines:?}");
    let first = &found["transformations"][0];
    assert_eq!(first["class"], "input");
    let rechecks = report["causes"].as_array().unwrap().iter().map(|cause| &cause["recheck"]["result"]);
    assert!(rechecks.clone().count() > 0 && rechecks.clone().all(|result| result == "confirmed"), "{report}");
}

#[test]
fn where_the_failing_step_is_never_harmless_the_nearest_trace_is_elsewhere() {
    let folder = scratch(
        "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 1000 && x % 2 == 0)
    reach_error();
  return 0;
}
",
    );
    let options = ["explain", "t.c", "-m", "variations", "--engine", "sat"];
    let report = library::report(folder.path(), &[&options[..], &["-f", "json"]].concat());
    let found = &report["methods"]["variations"];
    assert_eq!((&found["positives"], &found["nearest_passing"]["ending"]), (&0.into(), &"ends".into()));
    assert_eq!(found["solved"]["covers_all"], true);
    let text = stdout(&run(folder.path(), &options));
    assert!(
        text.contains("the nearest passing trace continues like this after step 0 and ends properly"),
        "{text}"
    );
    assert!(text.contains("this is so of all traces"), "{text}");
}

#[test]
fn a_bound_that_covers_everything_proves_and_a_smaller_one_does_not() {
    let folder = scratch(
        "#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), s = 0;
  if (n > 20) return 0;
  for (unsigned i = 0; i < n; i++) s += 3;
  assert(s == 3 * n);
}
",
    );
    let small = check(folder.path(), "t.c", &[], &["--engine", "sat", "--unwind", "8"]);
    assert_eq!((&small["verdict"], &small["bound"]), (&"unknown".into(), &8.into()));
    assert!(small["reason"].as_str().unwrap().contains("line 6"), "{}", small["reason"]);
    let large = check(folder.path(), "t.c", &[], &["--engine", "sat"]);
    assert_eq!((&large["verdict"], &large["bound"]), (&"holds".into(), &32.into()));
}

#[test]
fn where_the_solver_does_not_know_all_states_are_searched() {
    // Too many states for the first look, and numbers that no formula is made of.
    let folder = scratch(
        "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  __VERIFIER_assume(a >= 0 && a < 700 && b >= 0 && b < 700);
  double half = (a - b) * 0.5;
  assert(half + half == a - b);
}
",
    );
    let report = library::report(folder.path(), &["check", "t.c", "-f", "json"]);
    assert_eq!((&report["verdict"], &report["engine"]), (&"holds".into(), &"explicit".into()), "{report}");
    assert!(report["statistics"]["states"].as_u64() > Some(400_000), "{}", report["statistics"]);
}

#[test]
fn limits_end_the_solver() {
    // The factors of a product of two primes of 32 bits.
    let folder = scratch(
        "#include <assert.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
  if (a < 2 || b < 2 || a > 0xffffffff || b > 0xffffffff) return 0;
  assert(a * b != 4292017463532640823ul);
}
",
    );
    let started = std::time::Instant::now();
    let output = run(folder.path(), &["check", "t.c", "--engine", "sat", "--timeout", "2s", "-f", "json"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(json(&output)["reason"].as_str().unwrap().contains("the time limit was reached"));
    assert!(started.elapsed().as_secs() < 200, "{:?}", started.elapsed());
}

#[test]
fn what_the_engine_cannot_do_is_said() {
    let threads = scratch(
        "#include <pthread.h>\nvoid *f(void *p) { return p; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); }\n",
    );
    let output = run(threads.path(), &["check", "t.c", "--engine", "sat"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("threads"), "{}", stderr(&output));
    let floats = scratch(
        "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { double d = __VERIFIER_nondet_int(); assert(d + 0.5 > d); }
",
    );
    let report = check(floats.path(), "t.c", &[], &[]);
    assert_eq!(report["verdict"], "unknown");
    assert!(report["reason"].as_str().unwrap().contains("line 3"), "{}", report["reason"]);
}
