//! `wherefore verify`: reports that were just made hold, and false claims that are planted into them are refuted.

use serde_json::{Value, json};
use tempfile::TempDir;

use super::support::{run, stdout, workspace};

/// The report on an input of the repository, which is violated.
fn report(arguments: &[&str]) -> Value {
    let output = run(&workspace(), &[arguments, &["-f", "json"]].concat());
    assert_ne!(output.status.code(), Some(2), "{arguments:?}: {}", super::support::stderr(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// What `verify` says of a report, and its exit status.
fn verified(folder: &TempDir, report: &Value) -> (String, Option<i32>) {
    let path = folder.path().join("report.json");
    std::fs::write(&path, report.to_string()).expect("written");
    let output = run(&workspace(), &["verify", path.to_str().expect("text")]);
    assert!(output.status.code() != Some(2), "{}", super::support::stderr(&output));
    (stdout(&output), output.status.code())
}

fn refuted(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_start).filter(|line| line.starts_with("refuted:")).collect()
}

/// No claim is refuted, and some hold.
fn holds(arguments: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let (text, code) = verified(&folder, &report(arguments));
    assert!(refuted(&text).is_empty() && code != Some(1), "{arguments:?}: {text}");
    assert!(text.contains("  holds: ") || text.contains("  too large to test: "), "{text}");
}

#[test]
fn reports_of_a_dozen_inputs_hold() {
    for input in ["counter", "philosophers", "capture", "planner", "time_partition", "telephone", "dekker"] {
        holds(&[&format!("examples/promela/{input}.pml"), "-p", "safety"]);
    }
    for input in ["bank_account", "lock_nesting", "missed_signal"] {
        holds(&[&format!("examples/c/{input}.c")]);
    }
    holds(&["examples/lts/send_recv.aut"]);
    holds(&["examples/lts/web_shop.aut", "--property-file", "examples/lts/web_shop.mcl"]);
}

#[test]
#[ignore = "takes minutes; ARCHITECTURE.md has the command"]
fn reports_of_all_examples_hold() {
    let in_folder = |folder: &str, extension: &str| {
        super::support::documents::files(&workspace().join(folder), extension)
    };
    let mut files = in_folder("examples/promela", "pml");
    files.extend(in_folder("examples/c", "c"));
    for file in files {
        let name = file.strip_prefix(workspace()).unwrap_or(&file).display().to_string();
        // Properties of endless traces have no test yet.
        let safety: &[&str] = if name.ends_with(".pml") { &["-p", "safety"] } else { &[] };
        holds(&[&[name.as_str(), "--max-states", "200000"], safety].concat());
    }
}

#[test]
#[ignore = "takes minutes; ARCHITECTURE.md has the command"]
fn reports_of_packaged_models_hold() {
    for model in testkit::packaged_models::packaged_models() {
        let path = model.path.display().to_string();
        let methods = "neighbourhoods,anomalies,correct-transitions";
        holds(&[&path, "--max-states", "100000", "-m", methods, "-p", "safety"]);
    }
}

#[test]
fn what_was_not_tested_is_told_and_does_not_count_as_held() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut told = report(&["examples/promela/counter.pml"]);
    told["causes"][0]["says"] = json!({ "kind": "nobody-knows" });
    let (text, code) = verified(&folder, &told);
    assert!(text.contains("not tested by verify: /causes/0, nobody-knows"), "{text}");
    assert_eq!(code, Some(3));
    let path = folder.path().join("report.json");
    let small = run(&workspace(), &["verify", path.to_str().expect("text"), "--max-states", "3", "-q"]);
    assert_eq!(small.status.code(), Some(3));
    assert!(stdout(&small).contains("too large to test"), "{}", stdout(&small));
    std::fs::write(&path, "{}").unwrap();
    assert_eq!(run(&workspace(), &["verify", path.to_str().expect("text")]).status.code(), Some(2));
}

#[test]
fn a_report_of_a_check_holds_completely() {
    let folder = tempfile::tempdir().expect("a folder");
    let (text, code) = verified(
        &folder,
        &report(&["check", "examples/promela/dekker.pml", "-p", "safety", "--reduction", "none"]),
    );
    assert_eq!(code, Some(0), "{text}");
}

/// Makes a value another one of its kind.
fn another(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_u64().unwrap_or(0) + 1),
        Value::Bool(truth) => json!(!truth),
        Value::String(text) => match text.as_str() {
            "safe" => json!("doomed"),
            "doomed" => json!("free"),
            "free" => json!("safe"),
            "violated" => json!("holds"),
            other => json!(format!("{other}~")),
        },
        Value::Array(list) => Value::Array(match list.split_first() {
            Some((_, rest)) => rest.to_vec(),
            None => vec![json!("nobody does this")],
        }),
        Value::Null => json!(1),
        Value::Object(_) => json!({}),
    }
}

/// All places in the report that claim something, as JSON pointers, at most a few of each sort.
fn claims(report: &Value) -> Vec<String> {
    let mut found: Vec<String> =
        ["/verdict", "/statistics/states", "/statistics/violations", "/statistics/max_depth"]
            .map(str::to_owned)
            .to_vec();
    for member in ["count", "shortest", "kind"] {
        found.push(format!("/violations/0/{member}"));
    }
    for member in ["safe", "doomed", "free", "points_of_no_return", "escapes"] {
        found.push(format!("/fates/{member}"));
    }
    found.push("/counterexample/length".to_owned());
    let steps = report["counterexample"]["steps"].as_array().map_or(0, Vec::len);
    for step in [0, steps / 2, steps.saturating_sub(1)] {
        for member in
            ["event", "fate", "action", "process", "pid", "point_of_no_return", "escapes", "still_free"]
        {
            found.push(format!("/counterexample/steps/{step}/{member}"));
        }
        found.push(format!("/counterexample/steps/{step}/location/line"));
    }
    found.push("/methods/neighbourhoods/count".to_owned());
    found.push("/methods/neighbourhoods/counterexample_lts/states".to_owned());
    for member in ["violating", "still_violating", "passes"] {
        found.push(format!("/without/0/{member}"));
    }
    found.push("/repairs/0/patch".to_owned());
    let causes = report["causes"].as_array().cloned().unwrap_or_default();
    for (rank, cause) in causes.iter().enumerate() {
        found.extend(of_claim(&format!("/causes/{rank}/says"), &cause["says"]));
        for (number, evidence) in cause["evidence"].as_array().into_iter().flatten().enumerate() {
            found.extend(of_claim(&format!("/causes/{rank}/evidence/{number}/says"), &evidence["says"]));
        }
    }
    found.retain(|at| report.pointer(at).is_some_and(|value| !value.is_null()));
    found
}

/// The members of a claim that can be false, by its kind.
fn of_claim(at: &str, says: &Value) -> Vec<String> {
    let members: &[&str] = match says["kind"].as_str().unwrap_or_default() {
        "point-of-no-return" | "only-the-violation" => &["step", "event", "escapes", "still_free"],
        "crossing" => &[
            "event",
            "events",
            "crosses",
            "all",
            "harmless",
            "is_violation",
            "when/covered",
            "when/is_exact",
        ],
        "anomaly" => &["events", "steps", "events/0"],
        "deferred" => &["event", "before", "since"],
        "needed" => &["step", "event"],
        "error-edge" => &["events", "events/0", "line"],
        "values" => &["event", "held/0/1"],
        "repair" => &["repair/patch"],
        "pattern" => &["coverage/violating", "coverage/need"],
        "replaced" => &["failing/0", "passing/0"],
        _ => &[],
    };
    let pointers = members.iter().map(|member| format!("{at}/{member}"));
    // How far the whole system agrees is tested of windows only.
    pointers.filter(|at| !at.contains("/coverage/") || is_window(says)).collect()
}

fn is_window(says: &Value) -> bool {
    ["lost-update", "check-then-act", "missed-signal"].iter().any(|name| says["pattern"].get(name).is_some())
}

/// Plants a false claim at each place, one at a time; returns how many, and those that were not refuted.
fn planted(arguments: &[&str], most: usize) -> (usize, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let told = report(arguments);
    let places = claims(&told);
    // Evenly, if there are many.
    let every = places.len().div_ceil(most).max(1);
    let mut missed = Vec::new();
    let mut count = 0;
    for at in places.iter().step_by(every) {
        let mut false_report = told.clone();
        let Some(value) = false_report.pointer_mut(at) else { continue };
        let changed = another(value);
        if changed == *value {
            continue;
        }
        *value = changed;
        count += 1;
        let (text, code) = verified(&folder, &false_report);
        if code != Some(1) || refuted(&text).is_empty() {
            missed.push(format!("{arguments:?} {at}"));
        }
    }
    (count, missed)
}

#[test]
fn false_claims_of_all_kinds_are_refuted() {
    let mut all = 0;
    let mut missed = Vec::new();
    let inputs: [&[&str]; 4] = [
        &["examples/promela/counter.pml"],
        &["examples/promela/capture.pml"],
        &["examples/c/bank_account.c"],
        &["examples/lts/web_shop.aut", "--property-file", "examples/lts/web_shop.mcl"],
    ];
    for arguments in inputs {
        let (count, not_refuted) = planted(arguments, 40);
        all += count;
        missed.extend(not_refuted);
    }
    assert!(missed.is_empty(), "{} of {all} were not refuted: {missed:#?}", missed.len());
    assert!(all >= 50, "only {all} were planted");
}

#[test]
fn a_claim_moved_to_another_step_is_refuted() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = report(&["examples/promela/capture.pml"]);
    let steps = told["counterexample"]["steps"].as_array().unwrap().clone();
    let is_decisive = |at: &String| told.pointer(at).is_some_and(|says| says["kind"] == "point-of-no-return");
    let places = (0..20).flat_map(|cause| {
        let evidence = (0..20).map(move |number| format!("/causes/{cause}/evidence/{number}/says"));
        std::iter::once(format!("/causes/{cause}/says")).chain(evidence)
    });
    let at = places.into_iter().find(is_decisive).expect("a step decides");
    for step in &steps {
        let mut moved = told.clone();
        let says = moved.pointer_mut(&at).unwrap();
        if says["step"] == step["n"] {
            continue;
        }
        says["step"] = step["n"].clone();
        says["event"] = step["event"].clone();
        let (text, code) = verified(&folder, &moved);
        assert_eq!(code, Some(1), "step {}: {text}", step["n"]);
    }
}

#[test]
fn a_patch_that_does_not_help_is_refuted() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut told = report(&["examples/promela/counter.pml"]);
    let text = std::fs::read_to_string(workspace().join("examples/promela/counter.pml")).unwrap();
    let remark = text.lines().nth(1).unwrap();
    assert!(remark.starts_with(" * "), "the second line is a remark: {remark}");
    let patch = format!("--- a/x\n+++ b/x\n@@ -2,1 +2,1 @@\n-{remark}\n+ * Another remark\n");
    *told.pointer_mut("/repairs/0/patch").expect("a repair is found") = json!(patch);
    let (text, code) = verified(&folder, &told);
    assert_eq!(code, Some(1), "{text}");
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(words.join(" ").contains("whether the violation is left"), "{text}");
}
