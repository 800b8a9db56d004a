//! Diagnoses of traces of Promela models: against brute force on small random models, and on examples.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use serde_json::Value;
use testkit::naive_course::SmallModel;
use testkit::random::{Random, for_random_inputs};

use crate::support::{assert_honest, library};

fn lines(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect()
}

fn diagnosed(text: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.pml"), text).unwrap();
    let asked = ["explain", "-m", "diagnosis", "-p", "assertion", "m.pml"];
    let report = library::report(folder.path(), &asked);
    assert_honest(&report);
    report
}

/// The lines of the steps of a trace, those of both sides of a rendezvous one after the other.
fn trace(report: &Value) -> Vec<usize> {
    let line = |deed: &Value| deed["location"]["line"].as_u64().map(|line| line as usize);
    let steps = report["counterexample"]["steps"].as_array().unwrap();
    steps.iter().flat_map(|step| line(step).into_iter().chain(line(&step["partner"]))).collect()
}

/// How many random models are compared.
const MODELS: u64 = 150;

#[test]
fn all_smallest_sets_of_a_trace_are_found_and_no_others() {
    let (mut compared, mut sizes) = (0, [0; 4]);
    let mut one = |random: &mut Random| {
        let model = SmallModel::random(random);
        let report = diagnosed(&model.text);
        if report["verdict"] != "violated" {
            return;
        }
        let trace = trace(&report);
        let found = &report["methods"]["diagnosis"];
        let expected = model.diagnoses(&trace, 3);
        if expected.is_empty() {
            assert!(found["skipped"].is_string(), "{trace:?} {}", model.text);
            return;
        }
        assert_eq!(found["exactness"], "exact", "{}\n{found}", model.text);
        let all = found["diagnoses"].as_array().unwrap();
        let told: BTreeSet<Vec<u64>> = all.iter().map(|one| lines(&one["lines"])).collect();
        assert_eq!(told, expected, "{trace:?}\n{}", model.text);
        // The evaluator goes along with all of them.
        assert!(all.iter().all(|one| one["explains"] == 1), "{}\n{found}", model.text);
        compared += 1;
        all.iter().for_each(|one| sizes[lines(&one["lines"]).len()] += 1);
    };
    match std::env::var("WHEREFORE_PROGRAMS").ok().and_then(|text| text.parse().ok()) {
        Some(count) => for_random_inputs(count, &mut one),
        None => (0..MODELS).for_each(|seed| one(&mut Random::new(seed))),
    }
    assert!(compared > MODELS / 10 && sizes[1] > 0 && sizes[2] > 0, "{compared} {sizes:?} say little");
}

#[test]
fn a_process_that_waits_for_what_was_written_wrong_is_diagnosed() {
    let text = "byte turn = 1;\nbyte seen;\nactive proctype A() {\n  turn = 3;\n  seen = turn\n}\n\
                active proctype B() {\n  turn == 2\n}\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.pml"), text).unwrap();
    let report = library::report(folder.path(), &["explain", "-m", "diagnosis", "-f", "json", "m.pml"]);
    assert_honest(&report);
    let found = &report["methods"]["diagnosis"];
    let told: Vec<Vec<u64>> =
        found["diagnoses"].as_array().unwrap().iter().map(|one| lines(&one["lines"])).collect();
    assert_eq!(told, [vec![8], vec![4]]);
    assert_eq!(found["constraints"][0]["text"], "a process that has not ended can go on");
    let value = &found["diagnoses"][1]["values"][0];
    assert_eq!(
        (&value["what"], &value["failing"], &value["right"]),
        (&"`turn`".into(), &"3".into(), &"2".into())
    );
}

#[test]
fn trusted_processes_are_not_blamed_and_mtypes_keep_their_names() {
    let text = "mtype = { red, green };\nmtype light = red;\nactive proctype P() {\n  light = red;\n  \
                assert(light == green)\n}\n";
    let report = diagnosed(text);
    let value = &report["methods"]["diagnosis"]["diagnoses"][0]["values"][0];
    assert_eq!((&value["failing"], &value["right"]), (&"red".into(), &"green".into()));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.pml"), text).unwrap();
    let asked = ["explain", "-m", "diagnosis", "--trust", "P", "-f", "json", "m.pml"];
    let found = &library::report(folder.path(), &asked)["methods"]["diagnosis"];
    assert_eq!(found["skipped"], "nothing on the trace decides whether it fails");
}
