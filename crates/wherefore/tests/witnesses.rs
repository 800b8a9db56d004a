//! Counterexamples of other verifiers of C programs: followed, completed, refused with their place, and written.

#![allow(clippy::unwrap_used)]

mod support;

use std::path::Path;

use serde_json::Value;
use support::{json, run, stderr, stdout};

const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (x > 10) {
    if (y < x)
      reach_error();
  } else if (x == 3 && y == 77) {
    reach_error();
  }
  return 0;
}
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.c"), PROGRAM).unwrap();
    folder
}

fn yaml(waypoints: &[(&str, u64, &str)]) -> String {
    let mut text =
        "- entry_type: violation_sequence\n  metadata:\n    format_version: '2.0'\n  content:\n".to_owned();
    for (kind, line, constraint) in waypoints {
        text.push_str(&format!(
            "  - segment:\n    - waypoint:\n        type: {kind}\n        action: follow\n        location:\n          file_name: t.c\n          line: {line}\n"
        ));
        if !constraint.is_empty() {
            text.push_str(&format!("        constraint:\n          value: '{constraint}'\n"));
        }
    }
    text
}

fn inputs(report: &Value) -> Vec<i64> {
    let steps = report["counterexample"]["steps"].as_array().unwrap();
    let inputs = steps.iter().filter_map(|step| step["inputs"].as_array()).flatten();
    inputs.filter_map(Value::as_i64).collect()
}

/// The report on the program with a witness.
fn explained(folder: &Path, witness: &str) -> Value {
    std::fs::write(folder.join("w"), witness).unwrap();
    let output = run(folder, &["explain", "t.c", "--trail", "w", "-f", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
    json(&output)
}

#[test]
fn what_a_witness_leaves_open_is_found() {
    let folder = folder();
    let witness = yaml(&[("function_return", 4, "\\result == 500"), ("target", 8, "")]);
    let report = explained(folder.path(), &witness);
    let found = inputs(&report);
    assert_eq!(found[0], 500);
    assert!(found[1] < 500, "{found:?}");
    assert_eq!(report["counterexample"]["chosen"], "the one given");
    // Branches alone lead to the other error, which has one pair of inputs.
    let witness = yaml(&[("branching", 6, "false"), ("target", 10, "")]);
    assert_eq!(inputs(&explained(folder.path(), &witness)), [3, 77]);
    // And so does what holds of variables.
    let witness = yaml(&[("assumption", 6, "x <= 5 && y > 70"), ("target", 10, "")]);
    assert_eq!(inputs(&explained(folder.path(), &witness)), [3, 77]);
}

#[test]
fn older_witnesses_and_traces_of_cbmc_are_followed() {
    let folder = folder();
    let graphml = "<graphml><graph>
      <node id=\"a\"><data key=\"entry\">true</data></node><node id=\"b\"/>
      <node id=\"v\"><data key=\"violation\">true</data></node>
      <edge source=\"a\" target=\"b\"><data key=\"startline\">5</data><data key=\"assumption\">\\result == 77;</data></edge>
      <edge source=\"b\" target=\"v\"><data key=\"startline\">6</data><data key=\"control\">condition-false</data></edge>
      </graph></graphml>";
    assert_eq!(inputs(&explained(folder.path(), graphml)), [3, 77]);
    let cbmc = r#"[{"program": "CBMC 6.0"}, {"result": [{"property": "p", "trace": [
      {"stepType": "assignment", "lhs": "x", "value": {"data": "40"}, "sourceLocation": {"line": "4"}},
      {"stepType": "assignment", "lhs": "y", "value": {"data": "-2"}, "sourceLocation": {"line": "5"}},
      {"stepType": "failure", "sourceLocation": {"line": "8"}}]}]}]"#;
    assert_eq!(inputs(&explained(folder.path(), cbmc)), [40, -2]);
}

#[test]
fn a_witness_that_no_run_meets_is_refused_where_it_parts() {
    let folder = folder();
    let witness =
        yaml(&[("function_return", 4, "\\result == 500"), ("branching", 6, "false"), ("target", 10, "")]);
    std::fs::write(folder.path().join("w.yml"), witness).unwrap();
    let output = run(folder.path(), &["explain", "t.c", "--trail", "w.yml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("line 6"), "{}", stderr(&output));
    let output = run(folder.path(), &["replay", "t.c", "--trail", "w.yml", "-f", "json"]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    let replay = &json(&output)["replays"][0];
    assert_eq!((&replay["result"], &replay["divergence"]["n"]), (&"diverges".into(), &2.into()));
    // Nothing is wrong where this one ends.
    std::fs::write(folder.path().join("w.yml"), yaml(&[("target", 12, "")])).unwrap();
    let output = run(folder.path(), &["explain", "t.c", "--trail", "w.yml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("line 12"), "{}", stderr(&output));
}

#[test]
fn what_is_broken_has_a_place() {
    let folder = folder();
    for (text, place) in [
        (yaml(&[("finish", 4, "")]), "7:"),
        (yaml(&[("target", 8, "")]).replace("line: 8", "line: x"), "11:17"),
        (yaml(&[("target", 8, "")]).replace("content:\n", "content: &a\n"), "4:12"),
        ("<graphml><edge source='a'/></graphml>".to_owned(), "1:10"),
    ] {
        std::fs::write(folder.path().join("w"), &text).unwrap();
        let output = run(folder.path(), &["explain", "t.c", "--trail", "w"]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(stderr(&output).contains(place), "{}\n{text}", stderr(&output));
    }
}

#[test]
fn a_witness_of_our_own_is_followed_again() {
    let folder = folder();
    let output = run(folder.path(), &["check", "t.c", "--emit", "witness", "-o", "w.yml"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let output = run(folder.path(), &["replay", "t.c", "--trail", "w.yml", "-f", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert_eq!(json(&output)["replays"][0]["result"], "fails");
}
