//! Everything that a file states is checked, and every verdict is told.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{assert_honest, library, run, stderr, stdout};

/// A model without anything wrong at the end of a trace: `x` goes 0, 1, 2, 0, ... forever.
const ROUND: &str = "byte x;
active proctype P() {
    do
    :: x = 1; x = 2; x = 0
    od
}
ltl small { [] (x < 3) }
ltl never_two { [] (x != 2) }
ltl returns { [] <> (x == 0) }
ltl stays { <> [] (x == 1) }
";

fn scratch(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), text);
    folder
}

fn write(folder: &Path, text: &str) {
    std::fs::write(folder.join("model.pml"), text).unwrap();
}

/// The names of the properties with their verdicts and violations.
fn verdicts(report: &Value) -> Vec<(String, String, Vec<u64>)> {
    let list = report["properties"].as_array().unwrap().iter();
    let told = list.map(|one| {
        let ids = one["violations"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap());
        let ask = one["ask"].as_str().unwrap_or_default().to_owned();
        (ask, one["verdict"].as_str().unwrap().to_owned(), ids.collect())
    });
    told.collect()
}

fn verdict(name: &str, verdict: &str, ids: &[u64]) -> (String, String, Vec<u64>) {
    (name.to_owned(), verdict.to_owned(), ids.to_vec())
}

#[test]
fn all_formulas_of_a_file_are_checked_and_the_first_violated_one_is_explained() {
    let folder = scratch(ROUND);
    let expected = [
        verdict("safety", "holds", &[]),
        verdict("small", "holds", &[]),
        verdict("never_two", "violated", &[1]),
        verdict("returns", "holds", &[]),
        verdict("stays", "violated", &[2]),
    ];
    for command in ["explain", "check"] {
        let report = library::report(folder.path(), &[command, "model.pml"]);
        assert_honest(&report);
        assert_eq!(verdicts(&report), expected, "{command}");
        assert_eq!(report["verdict"], "violated");
        assert_eq!(report["property"]["text"], "never_two { [] (x != 2) }");
        assert_eq!(report["explained"], 1);
        let kinds: Vec<&Value> =
            report["violations"].as_array().unwrap().iter().map(|one| &one["kind"]).collect();
        assert_eq!(kinds, ["ltl", "ltl"]);
    }
}

#[test]
fn what_is_wrong_at_the_end_of_a_trace_comes_first_and_numbers_run_through_all() {
    let text = ROUND.replace("x = 2;", "x = 2; assert(x == 1);");
    let folder = scratch(&text);
    let report = library::report(folder.path(), &["model.pml"]);
    assert_eq!(report["explained"], 1);
    assert_eq!(report["counterexample"]["kind"], "assertion");
    assert_eq!(verdicts(&report)[0], verdict("safety", "violated", &[1]));
    assert_eq!(verdicts(&report)[2], verdict("never_two", "violated", &[2]));
    let other = library::report(folder.path(), &["model.pml", "--violation", "3"]);
    assert_eq!(other["explained"], 3);
    assert_eq!(other["property"]["text"], "stays { <> [] (x == 1) }");
    assert_eq!(verdicts(&other), verdicts(&report));
    let none = library::explained(folder.path(), &["model.pml", "--violation", "4"]);
    assert_eq!(none.unwrap_err().to_string(), "there is no violation 4: the report lists 3");
}

#[test]
fn several_properties_can_be_asked_for() {
    let folder = scratch(ROUND);
    let report =
        library::report(folder.path(), &["model.pml", "-p", "returns", "-p", "[] (x < 2)", "-p", "safety"]);
    let expected = [
        verdict("returns", "holds", &[]),
        verdict("[] (x < 2)", "violated", &[1]),
        verdict("safety", "holds", &[]),
    ];
    assert_eq!(verdicts(&report), expected);
    assert_eq!(report["property"]["text"], "[] (x < 2)");
    let only = library::report(folder.path(), &["model.pml", "-p", "safety"]);
    assert_eq!((verdicts(&only).len(), &only["verdict"]), (1, &json!("holds")));
    let system = "des (0, 3, 3)\n(0, \"GO\", 1)\n(1, \"STOP\", 2)\n(2, \"GO\", 0)\n";
    std::fs::write(folder.path().join("round.aut"), system).unwrap();
    let asked = ["round.aut", "-p", "deadlock", "-p", "[ true* . \"STOP\" ] false"];
    let report = library::report(folder.path(), &asked);
    let found: Vec<String> = verdicts(&report).into_iter().map(|(_, verdict, _)| verdict).collect();
    assert_eq!(found, ["holds", "violated"]);
    assert_eq!(report["counterexample"]["length"], 2);
    let program =
        "#include <assert.h>\nint main(void) { int x = 1; assert(x == 1); assert(x == 2); return 0; }\n";
    std::fs::write(folder.path().join("program.c"), program).unwrap();
    let report = library::report(folder.path(), &["program.c", "-p", "deadlock", "-p", "assertion"]);
    assert_eq!(verdicts(&report)[1], verdict("assertion", "violated", &[1]));
    assert_eq!(report["explained"], 1);
}

#[test]
fn never_claims_and_accept_labels_are_checked_progress_labels_on_request() {
    let claim = "byte x; active proctype P() { do :: x = 1 - x od }
        never { do :: x == 0 :: x == 1 -> break od }\n";
    let report = library::report(scratch(claim).path(), &["check", "model.pml"]);
    assert_eq!(verdicts(&report)[1], verdict("never_0", "violated", &[1]));
    let labels = "byte x; active proctype P() { progress: do :: x = 1; accept_here: x = 0 od }\n";
    let report = library::report(scratch(labels).path(), &["check", "model.pml"]);
    assert_eq!(verdicts(&report), [verdict("safety", "holds", &[]), verdict("acceptance", "violated", &[1])]);
}

#[test]
fn what_could_not_be_decided_is_in_the_verdict() {
    let folder = scratch(ROUND);
    let report = library::report(folder.path(), &["check", "model.pml", "--max-states", "1"]);
    assert_eq!(report["verdict"], "unknown");
    assert!(verdicts(&report).iter().all(|(_, verdict, _)| verdict == "unknown"), "{report:#}");
    // An error in a formula concerns only who asks for it.
    let broken = ROUND.replace("x != 2", "z != 2").replace("[] <> (x == 0)", "[] <> (x == 0");
    write(folder.path(), &broken);
    let output = run(folder.path(), &["model.pml"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.starts_with("violated: stays { <> [] (x == 1) }"), "{text}");
    assert!(
        text.contains("  undecided: never_two { [] (z != 2) }: the formula has an error: model.pml:8:"),
        "{text}"
    );
    assert!(text.contains("  undecided: returns"), "{text}");
    assert!(text.contains("  holds: no invalid end state, no failed assertion, no fault; small"), "{text}");
    let asked = run(folder.path(), &["model.pml", "-p", "never_two"]);
    assert_eq!(asked.status.code(), Some(2));
    write(folder.path(), &broken.replace("<> [] (x == 1)", "<> (x == 1)"));
    let output = run(folder.path(), &["model.pml", "-q"]);
    assert_eq!(output.status.code(), Some(3), "a formula that nobody looked at does not hold");
    assert!(stdout(&output).starts_with("undecided: never_two"), "{}", stdout(&output));
}

#[test]
fn the_text_names_every_verdict() {
    let folder = scratch(ROUND);
    let text = stdout(&run(folder.path(), &["model.pml", "-q"]));
    let expected = "violated: never_two { [] (x != 2) }: violated after step 2: x is 2
  also violated: stays { <> [] (x == 1) } (-p stays)
  holds: no invalid end state, no failed assertion, no fault; small { [] (x < 3) }; returns { [] <>
    (x == 0) }
";
    assert_eq!(text, expected);
    let holding =
        ROUND.replace("ltl never_two { [] (x != 2) }\n", "").replace("ltl stays { <> [] (x == 1) }\n", "");
    write(folder.path(), &holding);
    let output = run(folder.path(), &["model.pml", "-q"]);
    assert_eq!(output.status.code(), Some(0));
    let expected = "holds: all 3 properties
  - no invalid end state, no failed assertion, no fault
  - small { [] (x < 3) }
  - returns { [] <> (x == 0) }
  all reachable states were checked
";
    assert_eq!(stdout(&output), expected);
}

#[test]
fn a_trail_says_what_is_explained() {
    let folder = scratch(ROUND);
    let explained = run(folder.path(), &["model.pml", "-p", "stays", "-f", "json", "-o", "stays.json"]);
    assert_eq!(explained.status.code(), Some(1));
    let report = library::report(folder.path(), &["model.pml", "--trail", "stays.json"]);
    assert_eq!(report["property"]["text"], "stays { <> [] (x == 1) }");
    assert_eq!((&report["explained"], verdicts(&report).len()), (&json!(2), 5));
    let replayed = run(folder.path(), &["replay", "model.pml", "--trail", "stays.json"]);
    assert_eq!(replayed.status.code(), Some(1), "{}", stdout(&replayed));
}

#[test]
fn a_library_tells_all_properties() {
    let explained = library::explained(scratch(ROUND).path(), &["model.pml"]).unwrap();
    let told: Vec<_> =
        explained.properties().map(|one| (one.ask(), one.verdict(), one.violations())).collect();
    assert_eq!(told.len(), 5);
    assert_eq!(told[4], (Some("stays"), wherefore::Verdict::Violated, &[2][..]));
    let sarif: Value = serde_json::from_str(&explained.to_sarif().unwrap()).unwrap();
    assert_eq!(sarif["runs"][0]["properties"]["properties"][4]["verdict"], "violated");
    assert!(explained.to_html(|_| None).unwrap().contains("never_two { [] (x != 2) }"));
}

#[test]
fn a_repair_leaves_every_other_property_as_it_is() {
    let folder = scratch(ROUND);
    let report = library::report(folder.path(), &["model.pml", "-p", "never_two", "--repair"]);
    assert_eq!(report["property"]["text"], "never_two { [] (x != 2) }");
    let changes: Vec<&str> = report["repairs"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| one["change"].as_str().unwrap())
        .collect();
    // Three is not two, but it is not small.
    assert!(!changes.contains(&"`3` instead of `2`"), "{changes:?}");
    let checked: Vec<&str> =
        report["repairs_checked"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    let all = ["no invalid", "small", "never_two", "returns", "stays"];
    assert_eq!(checked.len(), all.len(), "{checked:?}");
    assert!(checked.iter().zip(all).all(|(text, name)| text.starts_with(name)), "{checked:?}");
    for repair in report["repairs"].as_array().into_iter().flatten() {
        assert_eq!(repair["leaves"], "`stays { <> [] (x == 1) }` is still violated");
    }
}

#[test]
fn a_formula_that_holds_for_nothing_is_not_repaired() {
    let text = "bit req, ack;
active proctype Client() {
end:
    do
    :: req = 1; end_wait: ack == 1; ack = 0
    od
}
active proctype Server() {
end:
    do
    :: req == 1 -> req = 0
    od
}
ltl answered { [] (req == 1 -> <> (ack == 1)) }
";
    let report = library::report(scratch(text).path(), &["model.pml", "--repair"]);
    assert_eq!(report["explained"], 1);
    let repairs = report["repairs"].as_array().map_or(&[][..], Vec::as_slice);
    // Without requests all of them are answered.
    let is_silent = |one: &Value| one["patch"].as_str().unwrap().contains("+    :: req = 0;");
    assert!(!repairs.iter().any(is_silent), "{repairs:#?}");
    assert!(report["repairs_tried"].as_u64().unwrap() > 0);
}

#[test]
fn a_change_is_no_cause() {
    let text = "byte stock;
active [2] proctype Clerk() { byte read; read = stock; stock = read + 1 }
active proctype Boss() { timeout -> assert(stock == 2) }
";
    for text in [text, ROUND] {
        let report = library::report(scratch(text).path(), &["model.pml", "--repair"]);
        let kinds = report["causes"].as_array().unwrap().iter().map(|cause| cause["kind"].as_str().unwrap());
        let changes: Vec<&str> = kinds.filter(|kind| matches!(*kind, "repair" | "insertion")).collect();
        assert!(changes.is_empty(), "{changes:?}");
        assert!(report["repairs_tried"].as_u64().unwrap() > 0);
    }
}

#[test]
fn a_formula_about_the_first_state_alone_is_warned_of() {
    let folder = scratch("byte x;\nactive proctype P() { x = 1 }\n");
    let told = |formula: &str| stderr(&run(folder.path(), &["check", "model.pml", "-p", formula]));
    assert!(told("x == 0").contains("has no temporal operator"), "{}", told("x == 0"));
    assert!(!told("[] (x < 2)").contains("temporal operator"));
}
