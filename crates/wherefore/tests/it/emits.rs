//! What `--emit` writes is read again and still fails; what cannot be written is refused with its reason.
//! (Trails are compared with SPIN in `trails.rs`, tests in C with gcc in `c_examples.rs`.)

#![allow(clippy::unwrap_used)]

use std::path::Path;

use serde_json::Value;

use crate::support::{json, run, stderr, stdout, workspace};

/// Writes the counterexample of a system in a form, and goes it again: it fails, and it is the same. The first
/// of the arguments is the file.
fn goes_again(form: &str, arguments: &[&str], rest: &[&str]) {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("written");
    let file = file.to_str().unwrap();
    let folder = workspace().join("examples");
    let first = json(&run(&folder, &[&["check"], arguments, rest, &["-f", "json"]].concat()));
    let output = run(&folder, &[&["check"], arguments, rest, &["--emit", form, "-o", file]].concat());
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", stderr(&output));
    let output = run(&folder, &[&["replay"], arguments, &["--trail", file, "-f", "json"]].concat());
    assert_eq!(output.status.code(), Some(1), "{form} {arguments:?}: {}{}", stdout(&output), stderr(&output));
    let again = &json(&output)["replays"][0];
    assert_eq!(again["result"], "fails");
    let actions = |steps: &Value| -> Vec<Value> {
        steps.as_array().unwrap().iter().map(|step| step["action"].clone()).collect()
    };
    assert_eq!(actions(&again["steps"]), actions(&first["counterexample"]["steps"]), "{arguments:?}");
    let output = run(&folder, &[arguments, rest, &["--trail", file, "-f", "json"]].concat());
    assert_eq!(output.status.code(), Some(1), "{form} {arguments:?}: {}", stderr(&output));
    assert_eq!(json(&output)["counterexample"]["chosen"], "the given trace", "{arguments:?}");
}

#[test]
fn traces_of_models_programs_and_graphs_are_read_again() {
    for form in ["aut", "tlc"] {
        goes_again(form, &["lts/web_shop.aut", "--property-file", "lts/web_shop.mcl"], &[]);
        goes_again(form, &["promela/counter.pml"], &[]);
        goes_again(form, &["promela/philosophers.pml"], &[]);
        goes_again(form, &["c/missed_signal.c"], &[]);
        goes_again(form, &["c/lock_loop.c"], &[]);
    }
}

/// Inputs of 32 bits cannot be looked for; they stand in the labels.
#[test]
fn traces_with_wide_inputs_are_read_again() {
    for form in ["aut", "tlc"] {
        goes_again(form, &["c/average.c"], &[]);
    }
}

const ENDLESS: &str = "bool on; byte n;
active proctype P() { do :: n < 2 -> n++ :: n == 2 -> on = true; on = false od }
ltl stays { <>[] on }
";

#[test]
fn endless_traces_keep_their_loop() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.pml"), ENDLESS).unwrap();
    let of = |arguments: &[&str]| run(folder.path(), arguments);
    let first = json(&of(&["m.pml", "-p", "stays", "-f", "json"]));
    assert!(first["counterexample"]["loop_start"].as_u64().unwrap() > 1);
    for form in ["aut", "tlc"] {
        assert_eq!(of(&["check", "m.pml", "-p", "stays", "--emit", form, "-o", "t"]).status.code(), Some(1));
        let output = of(&["replay", "m.pml", "-p", "stays", "--trail", "t", "-f", "json"]);
        assert_eq!(json(&output)["replays"][0]["result"], "fails", "{form}");
        let again = json(&of(&["m.pml", "-p", "stays", "--trail", "t", "-f", "json"]));
        for member in ["loop_start", "length"] {
            assert_eq!(again["counterexample"][member], first["counterexample"][member], "{form}");
        }
        // Without its loop it is another trace.
        let output = of(&["replay", "m.pml", "-p", "[] (n < 3)", "--trail", "t", "-f", "json"]);
        assert_eq!(json(&output)["replays"][0]["result"], "passes", "{form}");
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("t")).unwrap().matches("\"name\"").count(), {
        first["counterexample"]["steps"].as_array().unwrap().len()
    });
}

/// A chain for CADP: a header that counts right, states from 0 on, one transition a line.
#[test]
fn a_chain_follows_the_rules_of_the_format() {
    let folder = workspace().join("examples");
    let output = run(&folder, &["check", "promela/counter.pml", "--emit", "aut"]);
    let text = stdout(&output);
    let mut lines = text.lines();
    let length = text.lines().count() - 1;
    assert_eq!(lines.next(), Some(&*format!("des (0, {length}, {})", length + 1)));
    for (at, line) in lines.enumerate() {
        assert!(line.starts_with(&format!("({at}, \"")), "{line}");
        assert!(line.ends_with(&format!("\", {})", at + 1)), "{line}");
    }
}

/// The states of a trace for TLC have the values of the report.
#[test]
fn a_trace_for_tlc_has_all_values() {
    let folder = workspace().join("examples");
    let output = run(&folder, &["check", "promela/counter.pml", "--emit", "tlc"]);
    let written: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let report = json(&run(&folder, &["check", "promela/counter.pml", "-f", "json"]));
    let (states, actions) = (&written["counterexample"]["state"], &written["counterexample"]["action"]);
    let steps = report["counterexample"]["steps"].as_array().unwrap();
    assert_eq!(states.as_array().unwrap().len(), steps.len() + 1);
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    for (at, step) in steps.iter().enumerate() {
        assert_eq!(actions[at][0], states[at]);
        assert_eq!(actions[at][2], states[at + 1]);
        assert_eq!(actions[at][1]["name"], step["event"]);
        for (name, change) in step["changes"].as_object().unwrap() {
            let new = &states[at + 1][1][name];
            assert_eq!(change[1].as_str(), (!new.is_null()).then(|| text(new)).as_deref(), "{name}");
        }
    }
}

const ERROR: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void __VERIFIER_assume(int condition);
int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x < 0);
  if (x == -2147483647 - 1)
    reach_error();
  return 0;
}
";

#[test]
fn a_test_says_from_where_the_error_was_reached() {
    if std::process::Command::new("gcc").arg("--version").output().is_err() {
        assert_ne!(std::env::var("WHEREFORE_REQUIRE_TOOLS").as_deref(), Ok("1"), "there is no gcc");
        println!("skipped: there is no gcc");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("program.c"), ERROR).unwrap();
    let output = run(folder.path(), &["check", "program.c", "--emit", "c-test", "-o", "written.c"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let gcc = ["-g", "-Wall", "-Werror", "-fsanitize=address,undefined", "program.c", "written.c"];
    let compiled = std::process::Command::new("gcc").args(gcc).current_dir(folder.path()).output().unwrap();
    assert!(compiled.status.success(), "{}", stderr(&compiled));
    let output = std::process::Command::new(folder.path().join("a.out")).output().unwrap();
    assert!(!output.status.success());
    assert!(stderr(&output).contains("program.c:8"), "{}", stderr(&output));
}

#[test]
fn what_cannot_be_written_is_refused_with_its_reason() {
    let folder = workspace().join("examples");
    for (arguments, reason) in [
        (&["promela/counter.pml", "--emit", "c-test"][..], "--emit c-test is for C programs"),
        (&["promela/counter.pml", "--emit", "inputs"], "--emit inputs is for C programs"),
        (&["lts/web_shop.aut", "--emit", "witness"], "--emit witness is for C programs"),
        (&["lts/web_shop.aut", "--emit", "trail"], "--emit trail is for Promela models"),
        (&["c/average.c", "--emit", "trail"], "--emit trail is for Promela models"),
        (&["c/peterson.c", "--emit", "c-test"], "the program starts threads"),
        (&["c/average.c", "--entry", "average", "--emit", "c-test"], "a test starts with `main`"),
        (&["c/average.c", "-p", "average", "--emit", "c-test"], "does not make a test fail"),
    ] {
        let output = run(&folder, &[&["check"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stdout(&output));
        assert!(stderr(&output).contains(reason), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn nothing_is_written_where_nothing_is_violated() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("written");
    let examples = workspace().join("examples");
    for form in ["trail", "aut", "tlc"] {
        let arguments = ["check", "promela/philosophers_ordered.pml", "--emit", form, "-o"];
        let output = run(&examples, &[&arguments[..], &[file.to_str().unwrap()]].concat());
        assert_eq!(output.status.code(), Some(0));
        assert!(stderr(&output).contains(&format!("no {form} is written")), "{}", stderr(&output));
        assert!(!Path::exists(&file));
    }
}
