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

/// Whether a cause is no more than that a change of a line helps, or points nowhere.
fn is_aside(cause: &Value) -> bool {
    let is_change = ["repair", "insertion"].contains(&cause["kind"].as_str().unwrap());
    is_change || list(&cause["locations"]).is_empty() && list(&cause["steps"]).is_empty()
}

/// Holds a log against the report in JSON.
fn assert_agrees(log: &Value, report: &Value) {
    let run = &log["runs"][0];
    let results = list(&run["results"]);
    // What each result is about: the violation that is explained, and then the others, with what is known of them.
    let violations = list(&report["violations"]);
    let is_explained = |violation: &&Value| violation["id"] == report["explained"];
    let explained = violations.iter().find(is_explained).or(violations.first());
    let nothing = serde_json::json!([]);
    let mut told = vec![(explained, &report["causes"], &report["counterexample"])];
    for violation in violations.iter().filter(|one| Some(*one) != explained) {
        let other = list(&report["others"]).iter().find(|other| other["violation"] == violation["id"]);
        let (causes, trace) =
            other.map_or((&nothing, &Value::Null), |other| (&other["causes"], &other["counterexample"]));
        told.push((Some(violation), causes, trace));
    }
    if report["verdict"] != "violated" {
        told.clear();
    }
    assert_eq!(results.len(), told.len(), "one result for each violation");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    let notes = list(&run["invocations"][0]["toolExecutionNotifications"]);
    let is_undecided = |note: &Value| note["message"]["text"].as_str().unwrap().starts_with("undecided: ");
    assert_eq!(notes.iter().any(is_undecided), report["verdict"] == "unknown");
    let rules = list(&run["tool"]["driver"]["rules"]);
    let artifacts = list(&run["artifacts"]);
    let mut prints: Vec<&Value> = results.iter().map(|result| &result["partialFingerprints"]).collect();
    prints.dedup();
    assert_eq!(prints.len(), results.len(), "every alert is another one");
    for (result, (violation, causes, trace)) in results.iter().zip(told) {
        assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        let artifact = &artifacts[place["artifactLocation"]["index"].as_u64().unwrap() as usize];
        assert_eq!(artifact["location"], place["artifactLocation"]);
        let level = if trace.is_null() || report["only_unfair"] == true { "warning" } else { "error" };
        assert_eq!(result["level"], level);
        if let Some(violation) = violation {
            assert_eq!(result["ruleId"], violation["kind"]);
        }
        let causes = list(causes);
        let first = causes.iter().find(|cause| !is_aside(cause)).or(causes.first());
        if let Some(cause) = first {
            let rank = result["rank"].as_f64().unwrap();
            assert!((rank - 100.0 * cause["score"].as_f64().unwrap()).abs() <= 0.05, "{rank}");
            if let Some(first) = list(&cause["locations"]).first() {
                assert_eq!(place["region"]["startLine"], first["line"]);
                assert_eq!(place["region"]["startColumn"], first["column"]);
            }
            let summary = cause["summary"].as_str().unwrap();
            let text = result["message"]["text"].as_str().unwrap();
            assert!(text.contains(summary) || summary.contains(['{', ']']), "{text}");
        }
        // Every other cause is a related location.
        let related = result["relatedLocations"].to_string();
        for cause in causes.iter().filter(|cause| Some(*cause) != first) {
            assert!(related.contains(&format!("\"cause {}: ", cause["rank"])), "{related}");
        }
        assert_eq!(list(&result["properties"]["causes"]).len(), causes.len());
        let repairs = causes.iter().filter(|cause| !cause["repair"].is_null());
        let mut patches: Vec<&Value> = repairs.map(|cause| &cause["repair"]["patch"]).collect();
        if violation == explained {
            patches.extend(list(&report["repairs"]).iter().map(|repair| &repair["patch"]));
        }
        let mut kinds: Vec<String> = patches.iter().map(|patch| patch.to_string()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(list(&result["fixes"]).len(), kinds.len().min(3));
        if !trace.is_null() {
            let blamed = first.map_or(&[][..], |cause| list(&cause["steps"]));
            assert_flows(&result["codeFlows"], trace, blamed);
            let flows = list(&result["codeFlows"]).iter();
            let of_causes =
                flows.filter(|flow| flow["message"]["text"].as_str().unwrap().starts_with("steps of cause "));
            let with_steps = causes.iter().filter(|cause| !list(&cause["steps"]).is_empty()).take(10);
            assert!(of_causes.count() >= with_steps.count().min(10) * usize::from(causes.len() <= 10));
        }
    }
}

#[test]
fn every_violation_is_one_result() {
    let (log, report) = both(&workspace(), &["examples/promela/lock_loop.pml"]);
    let results = list(&log["runs"][0]["results"]);
    assert_eq!(results.len(), list(&report["violations"]).len());
    assert!(results.len() > 1 && list(&report["causes"]).len() > 1);
    let own = list(&report["others"]).iter().filter(|other| other["same_cause"] == false).count();
    assert!(own > 0);
    // The many causes of one violation are one alert.
    let (log, report) = both(&workspace(), &["examples/promela/philosophers.pml"]);
    assert!(list(&report["causes"]).len() > 1);
    assert_eq!(list(&log["runs"][0]["results"]).len(), list(&report["violations"]).len());
    let result = &log["runs"][0]["results"][0];
    assert!(list(&result["relatedLocations"]).len() >= list(&report["causes"]).len() - 1);
}

#[test]
fn what_has_no_trace_is_a_warning() {
    // `check` explains nothing, but the trace to the first violation is known.
    let (log, report) = both(&workspace(), &["check", "examples/promela/lock_loop.pml"]);
    let levels: Vec<&Value> =
        list(&log["runs"][0]["results"]).iter().map(|result| &result["level"]).collect();
    assert_eq!(levels.len(), list(&report["violations"]).len());
    assert_eq!(levels[0], "error");
    assert!(levels[1..].iter().all(|level| *level == "warning"), "{levels:?}");
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
    if flows[1]["message"]["text"] == "the same by process" {
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
    // A violation stays the same one when its causes change, but not when another statement fails.
    let elsewhere = text.replace("server!fetch(me, 0)", "server!fetch(me, 1 - 1)");
    assert_ne!(elsewhere, text);
    assert_eq!(fingerprints(&elsewhere).0, before);
    let changed = text.replace("assert(count ==", "assert(count >=");
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
