//! Causes found by correct transitions in larger programs, and what is suggested to insert.

#![allow(clippy::unwrap_used)]

use serde_json::Value;

use crate::support;
use crate::support::{library, run, stdout, workspace};

/// The lines of the faults that the header of a program names.
fn fault_lines(text: &str) -> Vec<u64> {
    let faults = text.lines().filter_map(|line| line.strip_prefix(" * fault: line "));
    faults.map(|rest| rest.split(' ').next().unwrap().parse().unwrap()).collect()
}

fn traces(report: &Value) -> &Vec<Value> {
    report["methods"]["correct_transitions"]["traces"].as_array().unwrap()
}

#[test]
fn eight_faults_of_a_driver_are_eight_reports() {
    let path = workspace().join("examples/c/disk_driver.c");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.lines().count() > 1000);
    let faults = fault_lines(&text);
    assert_eq!(faults.len(), 8);
    for engine in ["explicit", "summary"] {
        let arguments = [
            "explain",
            path.to_str().unwrap(),
            "-m",
            "correct-transitions",
            "-f",
            "json",
            "--engine",
            engine,
        ];
        let report = library::report(&workspace(), &arguments);
        assert_eq!(report["engine"], engine);
        let traces = traces(&report);
        assert_eq!(traces.len(), 8);
        assert_eq!(report["methods"]["correct_transitions"]["covered"], true);
        let mut blamed = Vec::new();
        for trace in traces {
            let causes = trace["causes"].as_array().unwrap();
            assert!((1..=7).contains(&causes.len()) && trace["length"].as_u64().unwrap() >= 50, "{trace}");
            let lines: Vec<u64> = causes.iter().filter_map(|cause| cause["from"]["line"].as_u64()).collect();
            let own: Vec<u64> = faults.iter().copied().filter(|fault| lines.contains(fault)).collect();
            assert_eq!(own.len(), 1, "one fault each: {lines:?}");
            blamed.extend(own);
        }
        blamed.sort_unstable();
        let mut faults = faults.clone();
        faults.sort_unstable();
        assert_eq!(blamed, faults);
        let mut claims = std::collections::BTreeSet::new();
        let others = report["others"].as_array().into_iter().flatten();
        let others = others.flat_map(|other| other["causes"].as_array().unwrap());
        for cause in report["causes"].as_array().unwrap().iter().chain(others) {
            let evidence = cause["evidence"].as_array().into_iter().flatten();
            for claim in std::iter::once(cause).chain(evidence) {
                let text = claim["claim"].as_str().unwrap();
                if text.starts_with("no correct trace takes") && claim["recheck"]["result"] == "confirmed" {
                    claims.insert(text);
                }
            }
        }
        assert_eq!(claims.len(), 8);
    }
}

const LOCKING: &str = "#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int locked, x;
void AcquireLock(void) { assert(!locked); locked = 1; }
void ReleaseLock(void) { assert(locked); locked = 0; }
int main(void) {
    AcquireLock();
    if (__VERIFIER_nondet_bool())
        ReleaseLock();
    else
        x = 2;
    AcquireLock();
    if (__VERIFIER_nondet_bool())
        ReleaseLock();
    assert(!locked);
    return 0;
}
";

#[test]
fn the_missing_call_is_suggested_where_it_helps() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.c"), LOCKING).unwrap();
    for engine in ["explicit", "summary"] {
        let options = ["t.c", "-m", "correct-transitions", "--engine", engine];
        let report = library::report(folder.path(), &[&["explain", "-f", "json"][..], &options].concat());
        let suggestions: Vec<(&str, u64, &str)> = traces(&report)
            .iter()
            .map(|trace| {
                let told = &trace["suggestion"];
                let text = |name: &str| told[name].as_str().unwrap();
                (text("insert"), told["line"].as_u64().unwrap(), text("result"))
            })
            .collect();
        let expected = [("ReleaseLock();", 11, "confirmed"), ("ReleaseLock();", 14, "confirmed")];
        assert_eq!(suggestions, expected);
        let repairs = report["causes"].as_array().unwrap().iter().filter(|cause| !cause["repair"].is_null());
        let patches: Vec<&str> = repairs.map(|cause| cause["repair"]["patch"].as_str().unwrap()).collect();
        // A change is no cause: it belongs to the cause at its place, or to the first one.
        assert_eq!(patches.len(), 1);
        assert!(
            patches[0].contains("-        x = 2;\n+        { ReleaseLock(); x = 2; }\n"),
            "{}",
            patches[0]
        );
        let second = traces(&report)[1]["suggestion"]["patch"].as_str().unwrap();
        assert!(second.contains("+        ReleaseLock(); else { ReleaseLock(); }\n"), "{second}");
        let text = stdout(&run(folder.path(), &[&["explain"][..], &options].concat()));
        assert!(text.contains("insert `ReleaseLock();` in line 11: "), "{text}");
        // Both together mend the program.
        let mended = LOCKING.replace("        x = 2;", "        { ReleaseLock(); x = 2; }").replace(
            "        ReleaseLock();\n    assert",
            "        ReleaseLock(); else { ReleaseLock(); }\n    assert",
        );
        std::fs::write(folder.path().join("mended.c"), mended).unwrap();
        assert_eq!(run(folder.path(), &["check", "mended.c"]).status.code(), Some(0));
    }
}

#[test]
fn an_insertion_that_does_not_help_is_not_suggested() {
    let folder = tempfile::tempdir().unwrap();
    // What correct traces do and this one does not is no remedy: the value comes too late.
    let text = "#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int ready, used, x;
void prepare(void) { ready = 1; }
int main(void) {
    if (__VERIFIER_nondet_bool()) {
        x = 1;
        used = !ready;
        x = 2;
    } else
        prepare();
    assert(!used);
    return 0;
}
";
    std::fs::write(folder.path().join("t.c"), text).unwrap();
    let report =
        library::report(folder.path(), &["explain", "t.c", "-m", "correct-transitions", "-f", "json"]);
    let [trace] = &traces(&report)[..] else { panic!("one trace") };
    let lacks: Vec<&str> =
        trace["lacks"].as_array().unwrap().iter().map(|event| event["action"].as_str().unwrap()).collect();
    assert!(lacks.contains(&"prepare()"), "{lacks:?}");
    // Before `used = !ready` it helps, behind it it would not: the first place that helps is told.
    let told = &trace["suggestion"];
    assert_eq!((&told["insert"], &told["line"]), (&"prepare();".into(), &8.into()), "{told}");
}

#[test]
fn causes_are_found_where_inputs_are_too_many_to_try() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int locked, last;
void acquire(void) { assert(!locked); locked = 1; }
void release(void) { locked = 0; }
int main(void) {
    acquire();
    int order = __VERIFIER_nondet_int();
    if (order > 1000000) {
        last = order;
    } else {
        release();
    }
    acquire();
    release();
    return 0;
}
";
    std::fs::write(folder.path().join("t.c"), text).unwrap();
    let report =
        library::report(folder.path(), &["explain", "t.c", "-m", "correct-transitions", "-f", "json"]);
    assert_eq!(report["engine"], "sat");
    let [trace] = &traces(&report)[..] else { panic!("one trace: {report}") };
    let causes = trace["causes"].as_array().unwrap();
    let lines: Vec<u64> = causes.iter().filter_map(|cause| cause["from"]["line"].as_u64()).collect();
    assert_eq!(lines, [9, 10]);
    let steps = report["counterexample"]["steps"].as_array().unwrap();
    for cause in causes {
        let step = &steps[cause["step"].as_u64().unwrap() as usize - 1];
        assert_eq!(step["location"]["line"], cause["from"]["line"]);
    }
    let lacks = trace["lacks"].as_array().unwrap();
    assert!(lacks.iter().any(|event| event["action"] == "release()"), "{lacks:?}");
    let method = &report["methods"]["correct_transitions"];
    assert_eq!((&method["exactness"], &method["covered"]), (&"exact".into(), &true.into()));
    let mut of_method = report["causes"].as_array().unwrap().iter();
    let cause = of_method.find(|cause| cause["methods"][0] == "correct-transitions").unwrap();
    assert_eq!(cause["recheck"]["result"], "confirmed");
}

#[test]
fn what_waits_for_a_lock_it_holds_lacks_giving_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t lock;
void descend(void) {
    if (__VERIFIER_nondet_bool())
        descend();
}
void take(void) { pthread_mutex_lock(&lock); }
void give(void) { pthread_mutex_unlock(&lock); }
int main(void) {
    descend();
    take();
    if (__VERIFIER_nondet_bool())
        give();
    take();
    give();
    return 0;
}
";
    std::fs::write(folder.path().join("t.c"), text).unwrap();
    let arguments = ["explain", "t.c", "-m", "correct-transitions", "-f", "json", "--engine", "summary"];
    let report = library::report(folder.path(), &arguments);
    support::assert_honest(&report);
    assert_eq!(
        (&report["engine"], &report["counterexample"]["kind"]),
        (&"summary".into(), &"deadlock".into())
    );
    let [trace] = &traces(&report)[..] else { panic!("one trace: {report}") };
    let causes = trace["causes"].as_array().unwrap();
    let lines: Vec<u64> = causes.iter().filter_map(|cause| cause["from"]["line"].as_u64()).collect();
    assert_eq!(lines, [13]);
    let lacks = trace["lacks"].as_array().unwrap();
    assert!(lacks.iter().any(|event| event["action"] == "give()"), "{lacks:?}");
    assert_eq!(report["methods"]["correct_transitions"]["covered"], true);
}

/// What `int main(void)` is called with.
const DECLARED: &str = "#include <assert.h>
extern void reach_error(void);
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
";

/// The statements that are blamed for the first error, and what the first cause of the method claims, engine by
/// engine. Steps of a solver's trace do not name their inputs.
fn blamed(program: &str) -> Vec<(Vec<String>, Option<String>)> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.c"), format!("{DECLARED}{program}")).unwrap();
    let of_engine = |engine: &str| {
        let arguments = ["explain", "t.c", "-m", "correct-transitions", "-f", "json", "--engine", engine];
        let report = library::report(folder.path(), &arguments);
        assert_eq!(report["engine"], engine);
        let causes = traces(&report)[0]["causes"].as_array().unwrap().iter();
        let actions = causes.map(|cause| {
            let action = cause["event"]["action"].as_str().unwrap();
            action.replace(" gave 0", "").replace(" gave 1", "")
        });
        let told = report["causes"].as_array().unwrap().iter().flat_map(|cause| {
            std::iter::once(cause).chain(cause["evidence"].as_array().into_iter().flatten())
        });
        let mut told = told.filter(|cause| cause["claim"].as_str().unwrap().starts_with("no correct trace"));
        let claim = told.next().map(|cause| {
            assert_eq!(cause["recheck"]["result"], "confirmed");
            cause["claim"].as_str().unwrap().to_owned()
        });
        (actions.collect(), claim)
    };
    ["explicit", "summary", "sat"].map(of_engine).into()
}

/// All engines blame these statements, and say of the first cause what ends so.
fn assert_blamed(program: &str, statements: &[&str], claim: &str) {
    for (actions, told) in blamed(program) {
        assert_eq!(actions, statements, "{program}");
        assert!(told.as_deref().is_some_and(|told| told.ends_with(claim)), "{told:?}");
    }
}

const REACHED: &str = "whenever one of them is taken, no trace passes: `reach_error()` is reached in line ";

#[test]
fn where_the_error_must_not_be_reached_correct_traces_are_those_that_pass() {
    let branches = ["if (__VERIFIER_nondet_bool()): true", "x = 1"];
    let body = "int main(void) {
    int x = 0;
    if (__VERIFIER_nondet_bool())
        x = 1;
    int y = x + 1;
CHECK
    return 0;
}
";
    let program = |check: &str| body.replace("CHECK", check);
    assert_blamed(&program("    if (y == 2)\n        reach_error();"), &branches, &format!("{REACHED}12"));
    assert_blamed(
        &program("    if (y == 2) {\n        goto bad;\n    bad: reach_error();\n    }"),
        &branches,
        &format!("{REACHED}13"),
    );
    assert_blamed(
        &program("    if (y == 2)\n        assert(0);"),
        &branches,
        "whenever one of them is taken, no trace passes: `assert(0)` fails in line 12",
    );
    let checked = "static void check(int c) { if (!c) { reach_error(); abort(); } }\n";
    assert_blamed(&format!("{checked}{}", program("    check(y != 2);")), &branches, &format!("{REACHED}6"));
}

#[test]
fn a_branch_that_guards_the_error_is_not_its_cause() {
    // The same branches, loops and calls lie on runs that pass; only the inputs make the difference.
    let program = "static int middle(int a) { return a > 1 ? a : 0; }
int main(void) {
    for (int round = 0; round < 2; round++) {
        int a = __VERIFIER_nondet_bool() + __VERIFIER_nondet_bool();
        int got = middle(a);
        if (got != a)
            reach_error();
    }
    return 0;
}
";
    let found = blamed(program);
    let (actions, claim) = &found[2];
    assert_eq!((actions.len(), claim), (0, &None));
    for (actions, _) in &found[..2] {
        assert!(actions.iter().all(|action| action.contains("nondet")), "{actions:?}");
    }
}

#[test]
fn what_follows_the_check_in_correct_traces_is_said_to() {
    let program = "int x, y;
int main(void) {
    if (__VERIFIER_nondet_bool())
        y = 1;
    x = y;
    assert(x == 0);
    y = 1;
    return 0;
}
";
    let claim = " before the check; whenever one of them is taken and the check is reached after it, `assert(x == 0)` fails in line 11";
    assert_blamed(program, &["if (__VERIFIER_nondet_bool()): true", "y = 1"], claim);
}

#[test]
fn without_any_correct_trace_nobody_is_blamed() {
    let program = "int main(void) {
    int x = __VERIFIER_nondet_bool();
    x++;
    if (x > 0)
        reach_error();
    return 0;
}
";
    for (actions, claim) in blamed(program) {
        assert_eq!((actions.len(), claim), (0, None));
    }
}
