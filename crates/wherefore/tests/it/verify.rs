//! `wherefore verify`: reports that were just made hold, and false claims that are planted into them are refuted.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

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

/// How many states of an example are looked at, and of a model that comes with SPIN. Where that is too few for a report to
/// say much, there is little to test.
const MOST_STATES: &str = "20000";
const MOST_STATES_OF_OTHERS: &str = "5000";

/// Examples that take more than a few seconds.
const SLOW: [(&str, &str); 4] = [
    ("examples/c/folder_walk.c", "its repairs take a minute"),
    ("examples/c/disk_driver.c", "its repairs take half a minute"),
    ("examples/c/search_tree.c", "its repairs take ten seconds"),
    ("life.pml", "its report takes ten seconds"),
];

/// What is refuted in the reports on many inputs, with both processors.
fn refuted_in_all(inputs: Vec<String>, most_states: &str) -> Vec<String> {
    let waiting = std::sync::Mutex::new(inputs);
    let found = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(input) = waiting.lock().unwrap().pop() else { break };
                    if let Some((_, why)) = SLOW.iter().find(|(name, _)| input.ends_with(name)) {
                        println!("skipped: {input}: {why}");
                        continue;
                    }
                    let output = tempfile::tempdir().unwrap();
                    let path = output.path().join("report.json").display().to_string();
                    let asked = [&input, "--max-states", most_states, "-f", "json", "-o", &path];
                    let explained = run(&workspace(), &asked);
                    if explained.status.code() == Some(2) {
                        println!("skipped: {input}: {}", super::support::stderr(&explained));
                        continue;
                    }
                    let tested = run(&workspace(), &["verify", &path, "--max-states", most_states]);
                    let text = stdout(&tested);
                    println!("{input}: {}", text.lines().last().unwrap_or_default());
                    if tested.status.code() == Some(1) || tested.status.code() == Some(2) {
                        found.lock().unwrap().push(format!("{input}: {text}"));
                    }
                }
            });
        }
    });
    found.into_inner().unwrap()
}

#[test]
fn reports_of_all_examples_hold() {
    let in_folder = |folder: &str, extension: &str| {
        super::support::documents::files(&workspace().join(folder), extension)
    };
    let mut files = in_folder("examples/promela", "pml");
    files.extend(in_folder("examples/c", "c").into_iter().filter(|file| !file.ends_with("inputs.c")));
    files.extend(in_folder("examples/diagnosis", "c"));
    let name =
        |file: std::path::PathBuf| file.strip_prefix(workspace()).unwrap_or(&file).display().to_string();
    let refuted = refuted_in_all(files.into_iter().map(name).collect(), MOST_STATES);
    assert!(refuted.is_empty(), "{refuted:#?}");
}

#[test]
fn reports_of_packaged_models_hold() {
    let models = testkit::packaged_models::packaged_models().into_iter();
    let inputs = models.map(|model| model.path.display().to_string()).collect();
    let refuted = refuted_in_all(inputs, MOST_STATES_OF_OTHERS);
    assert!(refuted.is_empty(), "{refuted:#?}");
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
    found.extend(["/properties/0/verdict", "/properties/1/verdict", "/only_unfair"].map(str::to_owned));
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
        "separates-variations" => &["failing", "passing", "step/statement"],
        "only-failing" => &["step/statement", "traces/reaching"],
        "unmet" => {
            &["is_loop", "atoms", "atoms/0/0", "atoms/0/1", "passed_over/0/0", "passed_over/0/1", "waiting"]
        }
        "replaced" => &["failing/0", "passing/0"],
        _ => &[],
    };
    let pointers = members.iter().map(|member| format!("{at}/{member}"));
    // How many violations need it is tested of some patterns only.
    pointers.filter(|at| !at.contains("/coverage/need") || is_window(says)).collect()
}

fn is_window(says: &Value) -> bool {
    let tested =
        ["lost-update", "check-then-act", "missed-signal", "double-release", "not-given-back", "untested"];
    tested.iter().any(|name| says["pattern"].get(name).is_some())
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
    let mut told = report(&["examples/promela/philosophers.pml"]);
    let text = std::fs::read_to_string(workspace().join("examples/promela/philosophers.pml")).unwrap();
    let remark = text.lines().nth(1).unwrap();
    assert!(remark.starts_with(" * "), "the second line is a remark: {remark}");
    let patch = format!("--- a/x\n+++ b/x\n@@ -2,1 +2,1 @@\n-{remark}\n+ * Another remark\n");
    *told.pointer_mut("/repairs/0/patch").expect("a repair is found") = json!(patch);
    let (text, code) = verified(&folder, &told);
    assert_eq!(code, Some(1), "{text}");
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(words.join(" ").contains("whether the violation is left"), "{text}");
}

/// A process asks and never gets an answer; one could always move and is passed over, one waits all the time.
const UNANSWERED: &str = "
bool asked, served;
byte turn;
active proctype Client() { do :: asked = true :: asked -> served = true; served = false; asked = false od }
active proctype Waits() { turn == 9 -> turn = 8 }
active proctype Able() { turn = 3; turn = 0 }
ltl answered { [] (asked -> <> served) }
ltl calm { [] (turn < 9) }
";

/// After the first choice nothing can be answered any more.
const DECIDED: &str = "
bool gone, served;
active proctype Server() { do :: !gone -> served = true; served = false :: true -> gone = true; break od; do :: gone -> skip od }
ltl again { [] <> served }
";

/// Member of a claim and what it is changed to.
type Change<'a> = (&'a str, Value);

/// Plants each change into the first claim of a kind that has the member; all have to be refuted there.
fn planted_into(told: &Value, kind: &str, changes: &[Change<'_>]) {
    let folder = tempfile::tempdir().unwrap();
    let causes = told["causes"].as_array().unwrap();
    let places = (0..causes.len()).flat_map(|cause| {
        let evidence = causes[cause]["evidence"].as_array().map_or(0, Vec::len);
        let inner = (0..evidence).map(move |number| format!("/causes/{cause}/evidence/{number}"));
        std::iter::once(format!("/causes/{cause}")).chain(inner)
    });
    let places: Vec<String> = places
        .filter(|at| told.pointer(&format!("{at}/says/kind")).is_some_and(|found| found == kind))
        .collect();
    assert!(!places.is_empty(), "there is a claim `{kind}`");
    for (member, value) in changes {
        let has_it = |at: &&String| told.pointer(&format!("{at}/says/{member}")).is_some();
        let at = places.iter().find(has_it).unwrap_or_else(|| panic!("a claim `{kind}` has `{member}`"));
        let mut changed = told.clone();
        *changed.pointer_mut(&format!("{at}/says/{member}")).unwrap() = value.clone();
        let (text, code) = verified(&folder, &changed);
        let is_named = refuted(&text).iter().any(|line| line.starts_with(&format!("refuted: {at}")));
        assert!(code == Some(1) && is_named, "{at}/says/{member} as {value}: {text}");
    }
}

/// The report on a text in a file of its own, which has to stay there.
fn report_on(folder: &TempDir, file: &str, text: &str, arguments: &[&str]) -> Value {
    let path = folder.path().join(file);
    std::fs::write(&path, text).unwrap();
    report(&[&[path.to_str().unwrap()], arguments].concat())
}

#[test]
fn reports_on_endless_traces_hold_and_false_ones_are_refuted() {
    let folder = tempfile::tempdir().unwrap();
    // Without changes of the text, which would come first.
    let told = report_on(&folder, "unanswered.pml", UNANSWERED, &["-m", "neighbourhoods"]);
    let (text, code) = verified(&folder, &told);
    assert!(code != Some(1) && refuted(&text).is_empty(), "{text}");
    assert!(text.contains("holds: /causes/0, unmet") && text.contains("holds: /evaluation"), "{text}");
    planted_into(
        &told,
        "unmet",
        &[
            ("is_loop", json!(false)),
            ("holds_if_fair", json!(true)),
            ("atoms", json!([])),
            ("atoms/0/1", json!(told.pointer("/causes/0/says/atoms/0/1") != Some(&json!(true)))),
            ("passed_over", json!([])),
            ("passed_over/0/0", json!("Waits:1 turn == 9")),
            ("passed_over/0/1", json!(false)),
            ("waiting", json!([])),
            ("waiting/0/action", json!("turn == 8")),
        ],
    );
    let decided = report_on(&folder, "decided.pml", DECIDED, &[]);
    let (text, code) = verified(&folder, &decided);
    assert!(code != Some(1) && refuted(&text).is_empty(), "{text}");
    let step = decided["counterexample"]["steps"].as_array().unwrap().len();
    planted_into(
        &decided,
        "point-of-no-return",
        &[("step", json!(step)), ("event", json!("Server:0 !gone")), ("escapes", json!(["nobody"]))],
    );
    for (at, value) in [
        ("/verdict", json!("holds")),
        ("/properties/1/verdict", json!("holds")),
        ("/properties/2/verdict", json!("violated")),
        ("/violations/0/count", json!(2)),
        ("/statistics/states", json!(1)),
        ("/counterexample/loop_start", json!(1)),
        ("/counterexample/steps/0/fate", json!("safe")),
        ("/evaluation/parts/0/values", json!("TFTFTFTFTFTFTFTFTF")),
        ("/only_unfair", json!(true)),
    ] {
        let mut changed = told.clone();
        let (parent, member) = at.rsplit_once('/').unwrap();
        let parent = if parent.is_empty() { &mut changed } else { changed.pointer_mut(parent).unwrap() };
        match parent {
            Value::Array(list) => list[member.parse::<usize>().unwrap()] = value.clone(),
            parent => parent[member] = value.clone(),
        }
        let (text, code) = verified(&folder, &changed);
        assert!(code == Some(1) && !refuted(&text).is_empty(), "{at} as {value}: {text}");
    }
}

/// Both test before either of them says so.
const BOTH_INSIDE: &str = "
byte inside;
active [2] proctype P() { do :: inside == 0 -> inside++; inside-- od }
ltl exclusive { [] (inside < 2) }
";

#[test]
fn a_formula_about_single_states_is_tested_like_an_assertion() {
    let folder = tempfile::tempdir().unwrap();
    let told = report_on(&folder, "inside.pml", BOTH_INSIDE, &[]);
    let (text, code) = verified(&folder, &told);
    assert!(code != Some(1) && refuted(&text).is_empty(), "{text}");
    assert!(text.contains("holds: /fates") && text.contains("holds: /causes/0"), "{text}");
    for (at, value) in [
        ("/violations/0/count", json!(77)),
        ("/violations/0/shortest", json!(77)),
        ("/fates/free", json!(77)),
        ("/counterexample/steps/0/fate", json!("safe")),
        ("/counterexample/steps/0/changes", json!({ "inside": ["0", "9"] })),
        ("/verdict", json!("holds")),
    ] {
        let mut changed = told.clone();
        *changed.pointer_mut(at).unwrap() = value.clone();
        let (text, code) = verified(&folder, &changed);
        assert!(code == Some(1) && !refuted(&text).is_empty(), "{at} as {value}: {text}");
    }
}

#[test]
fn false_claims_about_variations_and_diagnoses_are_refuted() {
    let told = report(&["examples/c/lock_loop.c"]);
    let nobody = json!("nobody does this");
    let step = json!({ "statement": "LOCK = 1", "given": null });
    planted_into(
        &told,
        "separates-variations",
        &[("failing", json!(7)), ("passing", json!(9)), ("step/statement", nobody.clone()), ("step", step)],
    );
    planted_into(
        &told,
        "only-failing",
        &[("step/statement", nobody.clone()), ("step/statement", json!("LOCK = 1"))],
    );
    let told = report(&["examples/c/bank_account.c"]);
    let reaching = |event: Value| json!({ "reaching": event });
    planted_into(
        &told,
        "only-failing",
        &[("traces", reaching(nobody.clone())), ("step/statement", json!("return from main"))],
    );
    let told = report(&["examples/promela/counter.pml"]);
    planted_into(
        &told,
        "diagnosis",
        &[("lines", json!([9999])), ("lines", json!([1])), ("lines/0", json!(2)), ("statements", json!(7))],
    );
}

#[test]
fn how_much_a_pattern_explains_is_tested_where_it_is_no_window() {
    for (input, changes) in [
        (
            "examples/c/lock_loop.c",
            [
                ("coverage/violating", json!(99)),
                ("coverage/need", json!(0)),
                ("coverage/passes", json!(false)),
            ],
        ),
        (
            "examples/c/stack_machine.c",
            [
                ("coverage/violating", json!(0)),
                ("coverage/need", json!(1)),
                ("coverage/passes", json!(false)),
            ],
        ),
    ] {
        planted_into(&report(&[input]), "pattern", &changes);
    }
}

#[test]
fn a_report_that_saw_a_part_is_refuted_where_it_can_be() {
    let folder = tempfile::tempdir().unwrap();
    let told = report(&["examples/promela/brp.pml", "-p", "safety", "--max-states", "20000"]);
    assert_eq!((&told["verdict"], &told["statistics"]["complete"]), (&json!("violated"), &json!(false)));
    let (text, code) = verified(&folder, &told);
    assert!(refuted(&text).is_empty() && code == Some(3), "{text}");
    for (at, value) in [
        ("/verdict", json!("holds")),
        ("/violations/0/kind", json!("fault")),
        ("/counterexample/length", json!(1)),
        ("/counterexample/steps/0/event", json!("nobody does this")),
    ] {
        let mut changed = told.clone();
        *changed.pointer_mut(at).unwrap() = value;
        let (text, code) = verified(&folder, &changed);
        assert!(code == Some(1), "{at}: {text}");
    }
}

#[test]
fn a_pattern_whose_steps_do_something_else_is_refuted() {
    let folder = tempfile::tempdir().expect("a folder");
    let exchanged = [
        ("examples/c/publish.c", "used", "seen"),
        ("examples/c/publish.c", "data", "flag"),
        ("examples/c/missed_signal.c", "given", "sleep"),
        ("examples/c/autopilot.c", "used", "renewed"),
        ("examples/c/autopilot.c", "set", "renewed"),
    ];
    for (file, member, other) in exchanged {
        let mut told = report(&[file]);
        let causes = told["causes"].as_array().expect("causes");
        let rank = causes.iter().position(|cause| cause["pattern"].is_string()).expect("a name");
        let pattern = &mut told["causes"][rank]["says"]["pattern"];
        let cast = pattern.as_object_mut().and_then(|only| only.values_mut().next()).expect("a cast");
        cast[member] = cast[other].clone();
        let (text, code) = verified(&folder, &told);
        assert!(code == Some(1) && !refuted(&text).is_empty(), "{member} of {file}: {text}");
    }
}
