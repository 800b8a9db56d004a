//! SARIF: logs are valid against the official schema, say what the JSON report says, and their fingerprints outlive
//! the moving of lines.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::support::{assert_valid_sarif, list, run, stderr, stdout, workspace};

/// Runs a command with `-f sarif`, and with `-f json`.
fn both(folder: &Path, arguments: &[&str]) -> (Value, Value) {
    let [log, report] = ["sarif", "json"].map(|format| {
        let output = run(folder, &[arguments, &["-f", format]].concat());
        serde_json::from_str::<Value>(&stdout(&output))
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", stderr(&output)))
    });
    assert_valid_sarif(&log, &arguments.join(" "));
    assert_agrees(&log, &report);
    (log, report)
}

/// Holds a log against the report in JSON.
fn assert_agrees(log: &Value, report: &Value) {
    let run = &log["runs"][0];
    let results = list(&run["results"]);
    // What each result is about: a cause, if any is known, and the trace that shows it.
    let mut failures = vec![(&report["causes"], &report["counterexample"])];
    let others = list(&report["others"]).iter().filter(|other| other["same_cause"] == false);
    failures.extend(others.map(|other| (&other["causes"], &other["counterexample"])));
    if report["verdict"] != "violated" {
        failures.clear();
    }
    let mut told: Vec<(Option<&Value>, &Value)> = Vec::new();
    for (causes, trace) in failures {
        let count = list(causes).len().max(1);
        told.extend((0..count).map(|at| (list(causes).get(at), trace)));
    }
    assert_eq!(results.len(), told.len());
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    let notes = list(&run["invocations"][0]["toolExecutionNotifications"]);
    let is_undecided = |note: &Value| note["message"]["text"].as_str().unwrap().starts_with("undecided: ");
    assert_eq!(notes.iter().any(is_undecided), report["verdict"] == "unknown");
    let rules = list(&run["tool"]["driver"]["rules"]);
    let artifacts = list(&run["artifacts"]);
    for (result, (cause, trace)) in results.iter().zip(told) {
        assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        let artifact = &artifacts[place["artifactLocation"]["index"].as_u64().unwrap() as usize];
        assert_eq!(artifact["location"], place["artifactLocation"]);
        if let Some(cause) = cause {
            let rank = result["rank"].as_f64().unwrap();
            assert!((rank - 100.0 * cause["score"].as_f64().unwrap()).abs() <= 0.05, "{rank}");
            let level = match cause["recheck"]["result"].as_str().unwrap() {
                "confirmed" => "error",
                "refuted" => "note",
                _ => "warning",
            };
            assert_eq!(result["level"], level);
            if let Some(first) = list(&cause["locations"]).first() {
                assert_eq!(place["region"]["startLine"], first["line"]);
                assert_eq!(place["region"]["startColumn"], first["column"]);
            }
            assert_eq!(list(&result["fixes"]).len(), usize::from(!cause["repair"].is_null()));
        }
        let blamed = cause.map_or(&[][..], |cause| list(&cause["steps"]));
        assert_flows(&result["codeFlows"], trace, blamed);
    }
}

#[test]
fn violations_with_causes_of_their_own_have_results_of_their_own() {
    let (log, report) = both(&workspace(), &["examples/promela/lock_loop.pml"]);
    let own = list(&report["others"]).iter().filter(|other| other["same_cause"] == false).count();
    assert!(own > 0);
    let rules: Vec<&Value> =
        list(&log["runs"][0]["results"]).iter().map(|result| &result["ruleId"]).collect();
    assert!(rules.len() > list(&report["causes"]).len(), "{rules:?}");
    let notes = log["runs"][0]["invocations"][0]["toolExecutionNotifications"].to_string();
    assert!(notes.contains("explained by results of its own"), "{notes}");
}

/// The first flow is the whole counterexample; those of the processes together are it as well.
fn assert_flows(flows: &Value, trace: &Value, blamed: &[Value]) {
    let steps = list(&trace["steps"]);
    let whole = list(&flows[0]["threadFlows"][0]["locations"]);
    assert_eq!(whole.len(), steps.len());
    let abstracted = steps.iter().any(|step| step["kept"] == true);
    for (step, told) in steps.iter().zip(whole) {
        assert_eq!(told["executionOrder"], step["n"]);
        assert_eq!(told["location"]["physicalLocation"]["region"]["startLine"], step["location"]["line"]);
        let matters = step["kept"] == true || blamed.contains(&step["n"]) || step["n"] == trace["length"];
        let importance = match (matters, abstracted) {
            (true, _) => "essential",
            (false, true) => "unimportant",
            (false, false) => "important",
        };
        assert_eq!(told["importance"], importance, "{step}");
        let changes = step["changes"].as_object().unwrap();
        let state = told["state"].as_object();
        assert_eq!(changes.len(), state.map_or(0, serde_json::Map::len));
        for (name, change) in changes {
            let value = told["state"][name]["text"].as_str().unwrap();
            assert_eq!(value, change[1].as_str().unwrap_or("(no value)"));
        }
    }
    let by_process = list(&flows[1]["threadFlows"]);
    if !by_process.is_empty() {
        let told = by_process.iter().flat_map(|flow| list(&flow["locations"]));
        let mut orders: Vec<u64> = told.map(|told| told["executionOrder"].as_u64().unwrap()).collect();
        let rendezvous = steps.iter().filter(|step| !step["partner"].is_null()).count();
        assert_eq!(orders.len(), steps.len() + rendezvous);
        orders.sort_unstable();
        orders.dedup();
        assert_eq!(orders.len(), steps.len());
    }
}

#[test]
fn logs_say_what_the_report_says() {
    let cases: [&[&str]; 9] = [
        &["lts/web_shop.aut", "--property-file", "lts/web_shop.mcl"],
        &["lts/send_recv.aut"],
        &["promela/counter.pml"],
        &["promela/philosophers.pml"],
        &["promela/trylock.pml"],
        &["check", "promela/traffic_light.pml"],
        &["c/average.c"],
        &["c/lock_loop.c", "-m", "correct-transitions"],
        &["check", "c/peterson.c"],
    ];
    for arguments in cases {
        both(&workspace().join("examples"), arguments);
    }
}

/// Every example, within so few states that some are left undecided.
#[test]
fn logs_of_all_examples_are_valid() {
    let mut verdicts = BTreeMap::new();
    for (language, ending) in [("c", "c"), ("promela", "pml")] {
        let folder = workspace().join("examples").join(language);
        let mut files: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|end| end == ending) && !file.ends_with("inputs.c"));
        files.sort();
        for file in files {
            let name = file.file_name().unwrap().to_str().unwrap();
            let output = run(&folder, &[name, "-f", "sarif", "--max-states", "3000", "--engine", "explicit"]);
            let log: Value =
                serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_valid_sarif(&log, name);
            let run = &log["runs"][0];
            let verdict = run["properties"]["verdict"].as_str().unwrap();
            assert_eq!(verdict == "violated", !list(&run["results"]).is_empty(), "{name}");
            *verdicts.entry(verdict.to_owned()).or_insert(0) += 1;
        }
    }
    assert_eq!(verdicts.keys().collect::<Vec<_>>(), ["holds", "unknown", "violated"]);
    assert!(verdicts["violated"] >= 40, "{verdicts:?}");
}

#[test]
fn an_endless_trace_says_where_its_loop_begins() {
    let folder = tempfile::tempdir().unwrap();
    let model = "bool on;\nactive proctype P() { do :: on = true; on = false od }\nltl stays { <>[] on }\n";
    std::fs::write(folder.path().join("m.pml"), model).unwrap();
    let (log, _) = both(folder.path(), &["m.pml", "-p", "stays"]);
    let told = list(&log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]);
    let text = |told: &Value| told["location"]["message"]["text"].as_str().unwrap().to_owned();
    assert_eq!(told.iter().filter(|told| text(told).contains("the loop begins")).count(), 1);
}

#[test]
fn fingerprints_outlive_the_moving_of_lines() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(workspace().join("examples/promela/counter.pml")).unwrap();
    let fingerprints = |text: &str| {
        std::fs::write(folder.path().join("m.pml"), text).unwrap();
        let (log, _) = both(folder.path(), &["m.pml"]);
        let results = list(&log["runs"][0]["results"]);
        let prints = results.iter().map(|result| result["partialFingerprints"].clone());
        let lines = results.iter().map(|result| {
            let region = &result["locations"][0]["physicalLocation"]["region"];
            region["startLine"].as_u64().unwrap()
        });
        (prints.collect::<Vec<Value>>(), lines.collect::<Vec<u64>>())
    };
    let (before, lines) = fingerprints(&text);
    let (after, moved) = fingerprints(&format!("/* a remark\n * of three\n * lines */\n{text}"));
    assert_eq!(before, after);
    assert_eq!(moved, lines.iter().map(|line| line + 3).collect::<Vec<_>>());
    let changed = text.replace("server!fetch(me, 0)", "server!fetch(me, 1 - 1)");
    assert_ne!(changed, text);
    assert_ne!(fingerprints(&changed).0, before);
}

#[test]
fn verdicts_without_a_violation_have_no_results() {
    let folder = workspace().join("examples");
    let (log, _) = both(&folder, &["promela/philosophers_ordered.pml"]);
    assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], 0);
    let (log, _) = both(&folder, &["promela/philosophers_ordered.pml", "--max-states", "10"]);
    assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], 3);
}

#[test]
fn files_are_told_from_the_folder_and_encoded() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().canonicalize().unwrap();
    let inside = here.join("my models");
    std::fs::create_dir(&inside).unwrap();
    let whole = inside.join("50%#ü.pml");
    std::fs::write(&whole, "init { assert(false) }").unwrap();
    for name in ["my models/50%#ü.pml", whole.to_str().unwrap()] {
        let (log, _) = both(&here, &[name]);
        let artifact = &log["runs"][0]["artifacts"][0]["location"];
        assert_eq!(artifact["uri"], "my%20models/50%25%23%C3%BC.pml");
        assert_eq!(artifact["uriBaseId"], "%SRCROOT%");
    }
    let (log, _) = both(&inside, &["../my models/50%#ü.pml"]);
    assert_eq!(log["runs"][0]["artifacts"][0]["location"]["uri"], "../my%20models/50%25%23%C3%BC.pml");
}

#[test]
fn commands_without_causes_refuse() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.pml"), "init { assert(false) }").unwrap();
    for arguments in [
        &["contrast", "--good", "m.pml", "--bad", "m.pml", "-f", "sarif"][..],
        &["replay", "m.pml", "--trail", "m.pml", "-f", "sarif"],
    ] {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("has no report in SARIF"), "{}", stderr(&output));
    }
}
