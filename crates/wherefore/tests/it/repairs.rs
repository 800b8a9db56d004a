//! Repairs: each that is told as verified holds when it is applied and checked from scratch, and in the binary that gcc
//! makes of it; changes that only hide the fault are refuted.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use edits::Language;
use pipeline::repairs::{Change, Faulty, Refuted, Text, Trial, explored, judge};
use pipeline::request::Asked;
use preprocess::{Files, Unread};
use serde_json::Value;

use crate::support;
use crate::support::{json, library, run, stderr, workspace};

/// Applies a patch as one would by hand: every line it takes away must be there.
fn patched(text: &str, patch: &str) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let mut at = 0;
    let mut taken = Vec::new();
    for line in patch.lines().skip(2) {
        if let Some(hunk) = line.strip_prefix("@@ -") {
            at = hunk.split(',').next().unwrap().parse::<usize>().unwrap() - 1;
        } else if let Some(old) = line.strip_prefix('-') {
            assert_eq!(lines[at], old, "{patch}");
            taken.push(at);
            at += 1;
        } else if let Some(new) = line.strip_prefix('+') {
            lines[taken.remove(0)] = new.to_owned();
        } else if let Some(same) = line.strip_prefix(' ') {
            assert_eq!(lines[at], same, "{patch}");
            at += 1;
        }
    }
    lines.join("\n")
}

/// Looks for repairs of an example, and checks each from scratch. Returns what they do.
fn verified(folder: &str, file: &str, options: &[&str]) -> Vec<String> {
    let report = repaired(folder, file, options, &[]);
    let repairs = report["repairs"].as_array().into_iter().flatten();
    repairs.map(|repair| repair["summary"].as_str().unwrap().to_owned()).collect()
}

/// The same, with further options that are for explanations only. Returns the report.
fn repaired(folder: &str, file: &str, options: &[&str], for_explanations: &[&str]) -> Value {
    let folder = workspace().join("examples").join(folder);
    let explained = [&["explain", file, "--repair"], options, for_explanations].concat();
    let report = library::report(&folder, &explained);
    assert_eq!(report["verdict"], "violated", "{file}");
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    let scratch = tempfile::tempdir().unwrap();
    for repair in report["repairs"].as_array().into_iter().flatten() {
        let changed = patched(&text, repair["patch"].as_str().unwrap());
        std::fs::write(scratch.path().join(file), &changed).unwrap();
        let include = folder.display().to_string();
        let again = [&["check", file, "-I", &include, "-f", "json"], options].concat();
        let again = run(scratch.path(), &again);
        let code = again.status.code();
        let explained = report["explained"].as_u64();
        let violations = report["violations"].as_array().unwrap();
        let target = violations.iter().find(|one| one["id"].as_u64() == explained).unwrap_or(&violations[0]);
        let is_same = |one: &Value| {
            (&one["kind"], &one["text"], &one["location"]["line"])
                == (&target["kind"], &target["text"], &target["location"]["line"])
        };
        match repair["leaves"].as_str() {
            // What is left is told, and it is not what was to go away.
            Some(rest) => {
                assert_eq!(code, Some(1), "{file}: {repair}");
                let left = json(&again);
                let left = left["violations"].as_array().unwrap();
                assert!(!left.iter().any(is_same), "{file}: {repair}: {left:?}");
                let told = left.iter().any(|one| match one["location"]["line"].as_u64() {
                    Some(line) => format!("{rest} ").contains(&format!("line {line} ")),
                    None => rest.contains("still"),
                });
                assert!(told, "{file}: {repair}: {left:?}");
            }
            None => {
                let is_bounded = !repair["bound"].is_null();
                assert!(
                    code == Some(0) || is_bounded && code == Some(3),
                    "{file}: {repair}: {}",
                    stderr(&again)
                );
                if file.ends_with(".c") && !text.contains("pthread") && !text.contains("threads.h") {
                    let steps = report["counterexample"]["steps"].as_array().into_iter().flatten();
                    let failing = steps.filter_map(|step| step["inputs"].as_array()).flatten();
                    let failing: Vec<i64> = failing.filter_map(Value::as_i64).collect();
                    runs_well(&folder, scratch.path(), file, &failing);
                }
            }
        }
    }
    report
}

/// Runs a program on the inputs that failed before it was repaired, on others near them, and on any; it may refuse them,
/// but not fail.
fn runs_well(examples: &Path, scratch: &Path, file: &str, failing: &[i64]) {
    let binary = scratch.join("binary");
    let made = Command::new("gcc")
        .args(["-w", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I"])
        .arg(examples)
        .arg(scratch.join(file))
        .arg(workspace().join("examples/c/inputs.c"))
        .arg("-o")
        .arg(&binary)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut random = testkit::random::Random::new(testkit::seed());
    let mut passed = 0;
    for number in 0..200 {
        // Programs take digits, or years, or anything between.
        let most = [6, 60, 600, 6_000][number % 4];
        let mut inputs: Vec<i64> = (0..40).map(|_| i64::from(random.below(most))).collect();
        if usize::is_multiple_of(number, 3) {
            for (input, known) in inputs.iter_mut().zip(failing) {
                let is_kept = number == 0 || random.percent(60);
                *input = if is_kept { *known } else { known + i64::from(random.below(5)) - 2 };
            }
        }
        let inputs: Vec<String> = inputs.iter().map(i64::to_string).collect();
        // A program may return what it likes; what goes wrong is told apart from that.
        let mut child = Command::new(&binary)
            .env("ASAN_OPTIONS", "exitcode=99")
            .env("UBSAN_OPTIONS", "exitcode=99")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // A program that reads no inputs may have ended already.
        let _ = child.stdin.take().unwrap().write_all(inputs.join("\n").as_bytes());
        let code = child.wait().unwrap().code();
        assert!(code.is_some_and(|code| code != 99), "{file}: {code:?} with {inputs:?}");
        passed += u32::from(code != Some(77));
    }
    assert!(passed > 0, "{file}: all inputs were refused");
}

#[test]
fn a_wrong_assignment_is_repaired() {
    let found = verified("c", "middle_of_three.c", &[]);
    let expected = "with `x` instead of `y` in line 19, the assertion in line 40 holds (verified)";
    assert_eq!(found[0], expected);
}

#[test]
fn wrong_comparisons_are_repaired() {
    let found = verified("c", "binary_search.c", &[]);
    assert!(
        found.iter().any(|sentence| sentence.starts_with("with `<=` instead of `<` in line 19, ")),
        "{found:#?}"
    );
}

#[test]
fn a_condition_is_asked_again_after_waiting() {
    let found = verified("c", "producer_consumer.c", &[]);
    assert!(found[0].starts_with("with `while` instead of `if` in line 20, "), "{found:#?}");
}

#[test]
fn a_lost_update_is_put_under_the_lock() {
    let found = verified("c", "hit_counter.c", &[]);
    assert!(found.iter().any(|sentence| sentence.contains(" under `lock` in line 21, ")), "{found:#?}");
}

#[test]
fn the_solver_verifies_within_a_bound() {
    let found = verified("c", "small_set.c", &["--engine", "sat"]);
    assert!(!found.is_empty());
    assert!(found.iter().all(|sentence| sentence.contains("(verified, K = ")), "{found:#?}");
}

#[test]
fn a_queue_that_is_too_short_is_widened() {
    let found = verified("promela", "train_gate.pml", &[]);
    assert!(found[0].starts_with("with room for `N` instead of `N-1` messages in line 22, "), "{found:#?}");
}

#[test]
fn statements_in_the_wrong_order_are_reordered() {
    let found = verified("promela", "rether.pml", &[]);
    assert!(!found.is_empty());
}

#[test]
fn a_formula_is_met_again() {
    let scratch = tempfile::tempdir().unwrap();
    let text = "byte x;\nactive proctype P() {\n    do\n    :: x < 3 -> x++\n    :: x == 4 -> x = 0\n    od\n}\n\
                ltl again { [] <> (x == 0) }\n";
    std::fs::write(scratch.path().join("m.pml"), text).unwrap();
    let output = run(scratch.path(), &["explain", "m.pml", "-p", "again", "--repair", "-f", "json"]);
    let report = json(&output);
    let repairs = report["repairs"].as_array().unwrap();
    assert!(!repairs.is_empty(), "{}", report["repairs_tried"]);
    for repair in repairs {
        std::fs::write(scratch.path().join("r.pml"), patched(text, repair["patch"].as_str().unwrap()))
            .unwrap();
        assert_eq!(
            run(scratch.path(), &["check", "r.pml", "-p", "again"]).status.code(),
            Some(0),
            "{repair}"
        );
    }
}

#[test]
fn a_forgotten_comparison_is_made_once_more() {
    let report = repaired("diagnosis", "sorter.c", &[], &["-m", "diagnosis"]);
    let first = &report["repairs"][0];
    assert_eq!(first["adds"], true, "{}", report["repairs"]);
    let absence = &report["methods"]["diagnosis"]["absence_of_function"];
    assert_eq!(
        absence["unimplied"],
        serde_json::json!(["b <= c"]),
        "it is missing, and nothing else is wrong"
    );
}

#[test]
fn what_is_freed_too_early_is_freed_later() {
    let found = verified("c", "list_remove.c", &[]);
    assert!(found[0].starts_with("with `*link = job->next` before `free(job)` in line 36, "), "{found:#?}");
}

#[test]
fn a_repair_that_leaves_another_violation_says_so() {
    let scratch = tempfile::tempdir().unwrap();
    let text = "#include <assert.h>\nextern _Bool __VERIFIER_nondet_bool(void);\nint main(void) {\n    \
                int n = __VERIFIER_nondet_bool();\n    int a = 1;\n    int b = 1;\n    if (n)\n        \
                assert(a == 2);\n    else\n        assert(b == 7);\n    return a + b;\n}\n";
    std::fs::write(scratch.path().join("two.c"), text).unwrap();
    let report = library::report(scratch.path(), &["explain", "two.c", "--repair", "-f", "json"]);
    let repair = &report["repairs"][0];
    let target = report["violations"][0]["location"]["line"].as_u64().unwrap();
    let other = if target == 8 { 10 } else { 8 };
    assert_eq!(repair["leaves"], format!("the assertion in line {other} still fails"), "{repair}");
    let sentence = repair["summary"].as_str().unwrap();
    assert!(
        sentence.ends_with(&format!("(verified; the assertion in line {other} still fails)")),
        "{sentence}"
    );
    let told = support::stdout(&run(scratch.path(), &["explain", "two.c", "--repair"]));
    assert!(!told.contains("with this change nothing fails"), "{told}");
}

#[test]
fn what_only_an_unfair_scheduler_does_is_not_repaired() {
    let scratch = tempfile::tempdir().unwrap();
    let text = "bool done;\nbyte n;\nactive proctype Worker() {\n    done = true\n}\n\
                active proctype Clock() {\n    do\n    :: n = 1 - n\n    od\n}\nltl ends { <> done }\n";
    std::fs::write(scratch.path().join("m.pml"), text).unwrap();
    let options = ["explain", "m.pml", "-p", "ends", "--repair"];
    let report = library::report(scratch.path(), &[&options[..], &["-f", "json"]].concat());
    assert_eq!((&report["only_unfair"], &report["repairs"]), (&Value::Bool(true), &Value::Null));
    let told = support::stdout(&run(scratch.path(), &options));
    assert!(told.contains("no weakly fair trace does this; check with --fairness weak"), "{told}");
    // What a fair scheduler does as well is.
    std::fs::write(scratch.path().join("m.pml"), text.replace("done = true", "done = false")).unwrap();
    let report = library::report(scratch.path(), &[&options[..], &["-f", "json"]].concat());
    assert_eq!(report["only_unfair"], Value::Null);
    assert!(report["repairs_tried"].as_u64().unwrap() > 0);
}

/// All examples that fail, with the time that is given by default; `all_verified_repairs` has the others.
#[test]
fn what_is_trusted_is_not_changed() {
    let scratch = tempfile::tempdir().unwrap();
    std::fs::write(
        scratch.path().join("t.c"),
        "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int twice(int n)
{
    return n - n;
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n <= 3);
    int expected = n + n;
    assert(twice(n) == expected);
    return 0;
}
",
    )
    .unwrap();
    let lines = |options: &[&str]| -> Vec<u64> {
        let all = [&["explain", "t.c", "--repair", "-f", "json", "-q"], options].concat();
        let report = library::report(scratch.path(), &all);
        let repairs = report["repairs"].as_array().into_iter().flatten();
        repairs.filter_map(|repair| repair["location"]["line"].as_u64()).collect()
    };
    assert_eq!(lines(&[]), [6, 12]);
    assert_eq!(lines(&["--trust", "main"]), [6]);
    assert_eq!(lines(&["--trust", "twi*"]), [12]);
}

#[test]
fn repairs_of_some_examples_hold() {
    for (folder, file) in [("c", "stack_machine.c"), ("promela", "lock_loop.pml"), ("c", "triangle.c")] {
        repaired(folder, file, &[], &["--timeout", "20"]);
    }
}

/// `cargo test --release -p wherefore --test it -- --ignored all_verified_repairs`
#[test]
#[ignore = "takes many minutes"]
fn all_verified_repairs() {
    let mut counted = (0, 0);
    for folder in ["c", "promela", "diagnosis"] {
        let path = workspace().join("examples").join(folder);
        let entries = std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name());
        let mut files: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.ends_with(".c") || file.ends_with(".pml")) {
            if file == "inputs.c" || run(&path, &["check", file, "-q"]).status.code() != Some(1) {
                continue;
            }
            let report = repaired(folder, file, &[], &["--timeout", "30"]);
            let found = report["repairs"].as_array().map_or(0, Vec::len);
            counted = (counted.0 + 1, counted.1 + usize::from(found > 0));
            println!("{folder}/{file}: {found} of {}", report["repairs_tried"]);
        }
    }
    println!("{} of {} examples have a verified repair", counted.1, counted.0);
    assert!(counted.1 > 0);
}

#[test]
fn what_holds_is_not_repaired() {
    let folder = workspace().join("examples/c");
    let report = library::report(&folder, &["explain", "euclid.c", "--repair", "-f", "json"]);
    assert_eq!(report["repairs"], Value::Null);
}

struct Nothing;

impl Files for Nothing {
    fn read(&self, _: &Path) -> Result<std::sync::Arc<str>, Unread> {
        Err(Unread::Missing)
    }
}

fn trial(text: &str, tried: Text<'_>) -> Trial {
    let options = cfront::Options::default();
    let reading = cfront::Model::read(&Nothing, Path::new("t.c"), text, &options, None);
    let model = reading.model.unwrap_or_else(|| panic!("{:?}", reading.diagnostics));
    let found = search::explore(&model, search::Limits::default(), &graph::Unwatched).unwrap();
    explored(&model, &found, &cfront::Narrator::new(&model), &Asked::All, tried)
}

const FAULTY: &str = "#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
int total, calls;
void add(int n) { total += n; }
int main(void) {
    int n = __VERIFIER_nondet_bool();
    int m = __VERIFIER_nondet_bool();
    if (n >= 0)
        add(2);
    if (m)
        calls++;
    while (calls > 2)
        calls--;
    assert(total == 2 * n);
    return calls;
}
";

#[test]
fn changes_that_only_hide_the_fault_are_refuted() {
    let before = trial(FAULTY, Text::AsItIs);
    let [target] = &before.violations[..] else { panic!("{:?}", before.violations) };
    let faulty = Faulty {
        awaited: &[],
        text: FAULTY,
        file: "t.c",
        language: Language::C,
        trial: &before,
        target,
        suspects: &[],
        hints: &[],
        missing: None,
        trusted: &[],
        is_concurrent: false,
    };
    let check = target.place.as_ref();
    let judged = |line: u64, old: &str, new: &str| {
        assert!(FAULTY.lines().nth(line as usize - 1).unwrap().contains(old), "{old}");
        {
            let change = Change { lines: &[line], removes: false, guards: false, forgotten: None };
            judge(&faulty, &trial(&FAULTY.replacen(old, new, 1), Text::Changed { check }), change)
        }
    };
    assert_eq!(judged(9, "n >= 0", "n > 0"), Ok(0.0));
    // Nothing to do with it.
    assert_eq!(judged(12, "calls++", "calls--"), Err(Refuted::Remains));
    // Another thing goes wrong.
    assert_eq!(judged(9, "if (n >= 0)", "assert(n);"), Err(Refuted::New));
    // The assertion is not asked any more.
    assert_eq!(judged(9, "if (n >= 0)", "return 0;"), Err(Refuted::Lost(5)));
    assert_eq!(judged(13, "while (calls > 2)", "return 0; while (calls)"), Err(Refuted::Lost(15)));
    // What made it fail goes on for ever instead.
    assert_eq!(judged(13, "while (calls > 2)", "while (n == 0) ; while (calls)"), Err(Refuted::Endless));
    // Nothing that fails is let through.
    assert_eq!(
        judged(8, "int m = __VERIFIER_nondet_bool();", "int m = 0; __VERIFIER_assume(n);"),
        Err(Refuted::Lost(12))
    );
    // Not all of it was looked at.
    let partial = Trial { complete: false, violations: Vec::new(), ..before.clone() };
    assert_eq!(
        judge(&faulty, &partial, Change { lines: &[9], removes: false, guards: false, forgotten: None }),
        Err(Refuted::Undecided)
    );
}

/// The patches of all repairs of a text.
fn patches_of(file: &str, text: &str) -> Vec<String> {
    let scratch = tempfile::tempdir().unwrap();
    std::fs::write(scratch.path().join(file), text).unwrap();
    let report = json(&run(scratch.path(), &["explain", file, "--repair", "-f", "json"]));
    assert_eq!(report["verdict"], "violated");
    let repairs = report["repairs"].as_array().into_iter().flatten();
    repairs.map(|repair| repair["patch"].as_str().unwrap().to_owned()).collect()
}

fn changed_lines(patch: &str) -> impl Iterator<Item = &str> {
    patch.lines().skip(2).filter(|line| line.starts_with(['-', '+']))
}

#[test]
fn a_change_after_which_every_trace_fails_is_no_repair() {
    // Whoever goes first, the other one is stuck or finds something else.
    let text = "byte state = 1;\nproctype A() {\n    (state == 1) -> state = state + 1;\n    assert(state == 2)\n}\n\
                proctype B() {\n    (state == 1) -> state = state - 1;\n    assert(state == 0)\n}\n\
                init { run A(); run B() }\n";
    for patch in patches_of("p.pml", text) {
        let scratch = tempfile::tempdir().unwrap();
        std::fs::write(scratch.path().join("r.pml"), patched(text, &patch)).unwrap();
        let report = json(&run(scratch.path(), &["explain", "r.pml", "-f", "json"]));
        let fates = &report["fates"];
        let passes = fates.is_null() || fates["safe"] != 0 || fates["free"] != 0;
        assert!(passes, "nothing passes: {patch}");
        assert!(changed_lines(&patch).all(|line| !line.contains("run ")), "nobody starts: {patch}");
    }
}

#[test]
fn what_only_a_formula_reads_is_not_set_somewhere_else() {
    let text = "byte n;\nbool served;\nactive proctype P() {\n    do\n    :: n < 3 -> n++\n    :: n == 4 -> served = true; break\n    \
                od\n}\nltl answered { <> served }\n";
    let patches = patches_of("f.pml", text);
    assert!(!patches.is_empty(), "`n == 3` helps");
    for patch in patches {
        assert!(changed_lines(&patch).all(|line| !line.contains("served = true; served")), "{patch}");
        let added = changed_lines(&patch).filter(|line| line.starts_with('+'));
        let sets = added.map(|line| line.matches("served =").count()).sum::<usize>();
        let taken = changed_lines(&patch).filter(|line| line.starts_with('-'));
        assert_eq!(sets, taken.map(|line| line.matches("served =").count()).sum::<usize>(), "{patch}");
    }
}

#[test]
fn freed_memory_is_not_taken_anew() {
    let text = "#include <stdlib.h>\nint *table[2];\nvoid put(int i) {\n    table[i] = malloc(sizeof(int));\n    \
                if (!table[i]) exit(0);\n    *table[i] = i;\n}\nint main(void) {\n    put(0);\n    put(1);\n    \
                free(table[0]);\n    return *table[0];\n}\n";
    for patch in patches_of("t.c", text) {
        let added = changed_lines(&patch).filter(|line| line.starts_with('+'));
        let taken = changed_lines(&patch).filter(|line| line.starts_with('-'));
        let count = |lines: &mut dyn Iterator<Item = &str>| -> usize {
            lines.map(|line| line.matches("alloc(").count() + line.matches("put(").count()).sum()
        };
        let (mut added, mut taken) = (added, taken);
        assert!(count(&mut added) <= count(&mut taken), "{patch}");
    }
}

#[test]
fn a_lossy_link_stays_lossy() {
    let text = "mtype = { data };\nchan in = [1] of { mtype };\nchan out = [1] of { mtype };\n\
                active proctype Sender() {\n    in!data\n}\nactive proctype Link() {\nend:\n    do\n    \
                :: in?data -> out!data\n    :: in?data -> skip\n    od\n}\nactive proctype Receiver() {\n    out?data\n}\n";
    for patch in patches_of("l.pml", text) {
        let touched: Vec<&str> = changed_lines(&patch).filter(|line| line.contains("in?data")).collect();
        let losing: Vec<&&str> = touched.iter().filter(|line| line.contains("skip")).collect();
        assert!(losing.is_empty(), "the link loses nothing any more: {patch}");
    }
}

#[test]
fn a_function_does_not_leave_at_once_instead() {
    let text = "int a[3];\nint fill(int n) {\n    if (n < 0)\n        return 0;\n    int sum = 0;\n    \
                for (int i = 0; i <= n; i++) {\n        a[i] = i;\n        sum += a[i];\n    }\n    return sum;\n}\n\
                int main(void) {\n    return fill(3) > 100;\n}\n";
    for patch in patches_of("g.c", text) {
        assert!(changed_lines(&patch).all(|line| !line.contains("if (n ")), "it fills nothing: {patch}");
    }
}

#[test]
fn what_passing_traces_computed_stays() {
    // Two workers test for a slot one after the other. More slots, or none taken, would hide that.
    let text = "#include <pthread.h>\n#include <assert.h>\nint slots = 1;\nint taken[2];\npthread_mutex_t m;\n\
                int has_room(void) {\n    pthread_mutex_lock(&m);\n    int r = slots > 0;\n    pthread_mutex_unlock(&m);\n    \
                return r;\n}\nvoid *worker(void *arg) {\n    int id = *(int *)arg;\n    if (has_room()) {\n        \
                pthread_mutex_lock(&m);\n        slots--;\n        taken[id] = 1;\n        assert(slots >= 0);\n        \
                pthread_mutex_unlock(&m);\n    }\n    return 0;\n}\nint main(void) {\n    pthread_t a, b;\n    \
                int x = 0, y = 1;\n    pthread_create(&a, 0, worker, &x);\n    pthread_create(&b, 0, worker, &y);\n    \
                pthread_join(a, 0);\n    pthread_join(b, 0);\n    return 0;\n}\n";
    for patch in patches_of("slots.c", text) {
        for hidden in ["slots++", "slots = 2", "slots+=", "pthread_join(a, 0); pthread_create"] {
            assert!(!patch.contains(hidden), "{patch}");
        }
    }
}

#[test]
fn no_process_is_left_out() {
    // Both are in the critical section at once. With one process nothing is wrong, and nothing is left of the question.
    let text = "byte flag, inside;\nactive [2] proctype P() {\n    do\n    :: flag == 0 -> flag = 1; inside++; \
                assert(inside == 1); inside--; flag = 0\n    od\n}\n";
    let patches = patches_of("both.pml", text);
    assert!(patches.iter().all(|patch| !patch.contains("active [1]")), "{patches:?}");
    assert!(patches.iter().any(|patch| patch.contains("atomic")), "{patches:?}");
}

#[test]
fn an_input_that_is_turned_away_is_not_repaired() {
    let text = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\nint add(int m, int n) {\n    \
                while (n > 0) {\n        m++;\n        n--;\n    }\n    return m;\n}\nint main(void) {\n    \
                int m = __VERIFIER_nondet_int();\n    if (m < 0 || m > 100000) return 0;\n    \
                int n = __VERIFIER_nondet_int();\n    if (n < 0 || n > 3) return 0;\n    \
                if (add(m, n) != m - n) reach_error();\n    return 0;\n}\n";
    for patch in patches_of("add.c", text) {
        let touches_filter =
            changed_lines(&patch).any(|line| line.contains("return 0;") && line.contains("if ("));
        assert!(!touches_filter, "{patch}");
    }
}
