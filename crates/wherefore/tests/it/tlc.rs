//! State graphs of TLC, the model checker of TLA+: dumps of public examples where they are at hand, and
//! one that the real TLC makes here and now.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{assert_honest, json, run, stderr, stdout};

/// Two workers that take two locks in opposite order: they deadlock when each holds one.
const LOCKS: &str = r#"
---- MODULE Locks ----
VARIABLES first, second, done

Init == first = "free" /\ second = "free" /\ done = {}

AliceTakesFirst == "alice" \notin done /\ first = "free" /\ first' = "alice" /\ UNCHANGED <<second, done>>
AliceTakesSecond == first = "alice" /\ second = "free" /\ second' = "alice" /\ UNCHANGED <<first, done>>
AliceLeaves == first = "alice" /\ second = "alice" /\ first' = "free" /\ second' = "free"
               /\ done' = done \cup {"alice"}
BobTakesSecond == "bob" \notin done /\ second = "free" /\ second' = "bob" /\ UNCHANGED <<first, done>>
BobTakesFirst == second = "bob" /\ first = "free" /\ first' = "bob" /\ UNCHANGED <<second, done>>
BobLeaves == first = "bob" /\ second = "bob" /\ first' = "free" /\ second' = "free"
             /\ done' = done \cup {"bob"}
Rest == done = {"alice", "bob"} /\ UNCHANGED <<first, second, done>>

Next == AliceTakesFirst \/ AliceTakesSecond \/ AliceLeaves
        \/ BobTakesSecond \/ BobTakesFirst \/ BobLeaves \/ Rest
====
"#;

/// What `-dumpTrace json` writes of a deadlock of the locks.
const TRACE: &str = r#"{"action": [
  [[1, {"first": "free", "second": "free", "done": []}], {"name": "BobTakesSecond"},
   [2, {"first": "free", "second": "bob", "done": []}]],
  [[2, {"first": "free", "second": "bob", "done": []}], {"name": "AliceTakesFirst"},
   [3, {"first": "alice", "second": "bob", "done": []}]]],
 "state": [[1, {"first": "free", "second": "free", "done": []}], [2, {"first": "free", "second": "bob", "done": []}],
           [3, {"first": "alice", "second": "bob", "done": []}]]}"#;

/// TLC's jar, from the environment variable `WHEREFORE_TLC_JAR`, which the test script sets.
fn tlc() -> Option<PathBuf> {
    let jar = std::env::var_os("WHEREFORE_TLC_JAR").map(PathBuf::from);
    if jar.is_none() {
        eprintln!("skipped: WHEREFORE_TLC_JAR names no jar of TLC");
    }
    jar
}

fn dump(jar: &Path, folder: &Path) {
    std::fs::write(folder.join("Locks.tla"), LOCKS).unwrap();
    std::fs::write(folder.join("Locks.cfg"), "INIT Init\nNEXT Next\n").unwrap();
    let made = Command::new("java")
        .current_dir(folder)
        .arg("-cp")
        .arg(jar)
        .args(["tlc2.TLC", "-deadlock", "-workers", "1", "-dump", "dot,actionlabels", "Locks.dot", "Locks"])
        .output()
        .expect("java is installed");
    assert!(folder.join("Locks.dot").exists(), "{}", stdout(&made));
}

#[test]
fn a_dump_by_the_real_tlc_is_explained_with_values() {
    let Some(jar) = tlc() else { return };
    let folder = tempfile::tempdir().unwrap();
    dump(&jar, folder.path());
    let output = run(folder.path(), &["Locks.dot", "-f", "json"]);
    let report = json(&output);
    assert_honest(&report);
    assert_eq!(report["verdict"], "violated", "{}", stderr(&output));
    assert_eq!(report["property"]["kind"], "deadlock");
    let trace = &report["counterexample"];
    assert_eq!(trace["length"], 2);
    assert_eq!(trace["initial"]["first"], "\"free\"");
    let actions: Vec<&str> =
        trace["steps"].as_array().unwrap().iter().map(|step| step["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["AliceTakesFirst", "BobTakesSecond"]);
    let last = &trace["steps"][1];
    assert_eq!(last["point_of_no_return"], true);
    assert_eq!(last["changes"], serde_json::json!({ "second": ["\"free\"", "\"bob\""] }));
    assert_eq!(report["causes"][0]["recheck"]["result"], "confirmed");

    // A trace as newer versions of TLC write it: the other order, told apart by its values.
    std::fs::write(folder.path().join("trace.json"), TRACE).unwrap();
    let output = run(folder.path(), &["Locks.dot", "--trail", "trace.json", "-f", "json"]);
    let report = json(&output);
    assert_eq!(report["counterexample"]["chosen"], "the given trace", "{}", stderr(&output));
    assert_eq!(report["counterexample"]["steps"][0]["action"], "BobTakesSecond");
    let output = run(folder.path(), &["replay", "Locks.dot", "--trail", "trace.json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));

    // A forbidden sequence of actions, and the way round: after both are done all is well.
    let forbidden = r#"[ true* . "AliceLeaves" . true* . "BobLeaves" . true* ] false"#;
    let output = run(folder.path(), &["Locks.dot", "-p", forbidden]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("first: \"free\" -> \"alice\""), "{}", stdout(&output));
}

#[test]
fn dumps_of_public_examples() {
    let Some(folder) = testkit::data_folder("tlc") else { return };
    // Reaching four gallons by this way of pouring; found by hand.
    let pouring = r#"[ true* . "FillBigJug" . "BigToSmall" . "EmptySmallJug" . "BigToSmall" . "FillBigJug"
        . "BigToSmall" ] false"#;
    let output = run(&folder, &["DieHard.dot", "-p", pouring, "-f", "json"]);
    let report = json(&output);
    assert_honest(&report);
    assert_eq!(report["input"]["size"], serde_json::json!({ "states": 16, "transitions": 96, "labels": 6 }));
    assert_eq!(report["counterexample"]["length"], 6);
    assert_eq!(report["counterexample"]["steps"][5]["changes"]["big"], serde_json::json!(["5", "4"]));
    for (name, states) in
        [("DieHard.dot", 16), ("DiningPhilosophers.dot", 67), ("SingleLaneBridge.dot", 3605)]
    {
        let output = run(&folder, &[name, "-f", "json"]);
        let report = json(&output);
        assert_eq!(
            (&report["verdict"], &report["statistics"]["states"]),
            (&"holds".into(), &states.into()),
            "{name}"
        );
    }
    let forbidden = r#"[ true* . "EnterBridge" . true* . "MoveInsideBridge" . true* ] false"#;
    let output = run(&folder, &["SingleLaneBridge.dot", "-p", forbidden]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("Location: "), "{}", stdout(&output));
}
