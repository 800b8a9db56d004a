//! Counterexamples of other verifiers of C programs: followed, completed, refused with their place, and written.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use serde_json::Value;

use crate::support::{json, run, stderr, stdout};

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
    assert_eq!(report["counterexample"]["chosen"], "the given trace");
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
    // Where it parts in the program, and which line of the witness says so.
    let said = stderr(&output);
    assert!(said.contains("line 16 of the trail (step 2), `line 6, where the branch is false`"), "{said}");
    assert!(said.contains("after line 4; the run with the inputs 500, "), "{said}");
    let output = run(folder.path(), &["replay", "t.c", "--trail", "w.yml", "-f", "json"]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    let replay = &json(&output)["replays"][0];
    assert_eq!((&replay["result"], &replay["divergence"]["n"]), (&"diverges".into(), &2.into()));
    assert_eq!(replay["divergence"]["line"], 16);
    // Nothing is wrong where this one ends.
    std::fs::write(folder.path().join("w.yml"), yaml(&[("target", 12, "")])).unwrap();
    let output = run(folder.path(), &["explain", "t.c", "--trail", "w.yml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("line 12"), "{}", stderr(&output));
}

/// Two ways to the error, by cases of a switch, one of them through a call.
const SWITCHED: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int twice(int x) {
  return 2 * x;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  switch (x) {
    case 4: y = twice(x); break;
    case 8: y = x; break;
    default: y = x - 1; break;
  }
  if (y == 8)
    reach_error();
  return 0;
}
";

#[test]
fn cases_of_a_switch_and_what_is_to_be_avoided_decide() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.c"), SWITCHED).unwrap();
    let found = |waypoints: &[(&str, u64, &str)]| inputs(&explained(folder.path(), &yaml(waypoints)));
    assert_eq!(found(&[("branching", 9, "4"), ("target", 15, "")]), [4]);
    assert_eq!(found(&[("branching", 9, "8"), ("target", 15, "")]), [8]);
    assert_eq!(found(&[("branching", 9, "default"), ("target", 15, "")]), [9]);
    assert_eq!(found(&[("function_enter", 10, ""), ("target", 15, "")]), [4]);
    // Two of the three ways are to be avoided before the violation.
    let avoiding = |ways: [&str; 2]| {
        let mut text = yaml(&[("branching", 9, ways[0]), ("branching", 9, ways[1])]);
        text = text.replace("action: follow", "action: avoid").replacen("  - segment:\n", "SEGMENT", 1);
        text = text.replace("  - segment:\n", "").replace("SEGMENT", "  - segment:\n");
        let target = yaml(&[("target", 15, "")]);
        text + target.split_once("  - segment:\n").unwrap().1
    };
    assert_eq!(inputs(&explained(folder.path(), &avoiding(["4", "8"]))), [9]);
    assert_eq!(inputs(&explained(folder.path(), &avoiding(["8", "default"]))), [4]);
    // What is to be avoided only up to a waypoint may happen behind it.
    let late =
        avoiding(["4", "default"]).replace("type: target", "type: branching").replace("line: 15", "line: 14")
            + "        constraint:\n          value: 'true'\n"
            + yaml(&[("target", 15, "")]).split_once("content:\n").unwrap().1;
    assert_eq!(inputs(&explained(folder.path(), &late)), [8]);
    // A case that never leads there.
    std::fs::write(folder.path().join("w"), yaml(&[("branching", 9, "5"), ("target", 15, "")])).unwrap();
    let output = run(folder.path(), &["explain", "t.c", "--trail", "w"]);
    assert_eq!(output.status.code(), Some(1), "a case that the switch does not have says nothing");
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
    check_format(&std::fs::read_to_string(folder.path().join("w.yml")).unwrap());
    let output = run(folder.path(), &["replay", "t.c", "--trail", "w.yml", "-f", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert_eq!(json(&output)["replays"][0]["result"], "fails");
}

/// What the description of the format 2.0 asks of a violation witness, line by line: which keys there are, in which
/// order we write them, and what their values look like.
fn check_format(text: &str) {
    let mut lines = text.lines().peekable();
    let mut value = |expected: &str| {
        let line = lines.next().unwrap_or_default();
        let found = line.strip_prefix(expected);
        found.unwrap_or_else(|| panic!("`{line}` where `{expected}` is due\n{text}")).trim().to_owned()
    };
    assert_eq!(value("- entry_type:"), "violation_sequence");
    assert_eq!(value("  metadata:"), "");
    assert_eq!(value("    format_version:"), "'2.0'");
    let digits = |text: &str, lengths: &[usize]| {
        let parts: Vec<&str> = text.trim_matches('\'').split('-').collect();
        let is_hex = |part: &&str| part.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c));
        assert!(parts.iter().all(is_hex), "{text}");
        assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), lengths, "{text}");
    };
    digits(&value("    uuid:"), &[8, 4, 4, 4, 12]);
    let time = value("    creation_time:");
    assert!(time.len() == 22 && time.ends_with("Z'") && &time[11..12] == "T", "{time}");
    assert_eq!(value("    producer:"), "");
    assert_eq!(value("      name:"), "Wherefore");
    value("      version:");
    assert_eq!(value("    task:"), "");
    assert_eq!(value("      input_files:"), "");
    assert_eq!(value("      -"), "'t.c'");
    assert_eq!(value("      input_file_hashes:"), "");
    digits(&value("        't.c':"), &[64]);
    assert_eq!(value("      specification:"), "'G ! call(reach_error())'");
    assert_eq!(value("      data_model:"), "LP64");
    assert_eq!(value("      language:"), "C");
    assert_eq!(value("  content:"), "");
    let rest: Vec<&str> = lines.collect();
    let segments: Vec<&[&str]> = rest.split(|line| *line == "  - segment:").skip(1).collect();
    let (last, normal) = segments.split_last().unwrap();
    for segment in normal {
        let text = segment.join("\n");
        assert!(text.contains("type: function_return") && text.contains("action: follow"), "{text}");
        assert!(text.contains("format: acsl_expression") && text.contains("value: '\\result == "), "{text}");
        assert!(
            text.contains("file_name: 't.c'") && text.contains("line: ") && text.contains("column: "),
            "{text}"
        );
    }
    let text = last.join("\n");
    assert!(text.contains("type: target") && text.contains("action: follow"), "{text}");
    assert!(!text.contains("constraint"), "a target has no constraint: {text}");
}

#[test]
fn calls_of_one_line_are_told_apart_by_their_columns() {
    let folder = tempfile::tempdir().unwrap();
    let program = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int() + 2 * __VERIFIER_nondet_int();
  if (x == 77777)
    reach_error();
  return 0;
}
";
    std::fs::write(folder.path().join("t.c"), program).unwrap();
    let output = run(folder.path(), &["check", "t.c", "--emit", "witness", "-o", "w.yml"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = std::fs::read_to_string(folder.path().join("w.yml")).unwrap();
    check_format(&text);
    let columns: Vec<&str> = text.lines().filter_map(|line| line.trim().strip_prefix("column: ")).collect();
    let line = program.lines().nth(3).unwrap();
    let closing: Vec<String> = line.match_indices("()").map(|(at, _)| (at + 2).to_string()).collect();
    assert_eq!(&columns[..2], closing, "{text}");
}
