//! What of a property held when along a counterexample, and what made it false.

#![allow(clippy::unwrap_used)]

use serde_json::Value;

use crate::support;
use crate::support::{library, run, stdout};

const LOST: &str = "
bool done, lost;
active proctype Sender() {
    do
    :: done -> break
    :: lost -> lost = true
    od
}
active proctype Medium() {
    if
    :: done = true
    :: lost = true
    fi
}
";

/// What made a formula of linear temporal logic false: sentences.
fn failing(formula: &str) -> (Value, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("lost.pml"), LOST).unwrap();
    let words = ["explain", "lost.pml", "-p", formula];
    let report = library::report(folder.path(), &[&words[..], &["-f", "json"]].concat());
    let told = report["evaluation"]["failing"].as_array().unwrap().iter();
    let told: Vec<String> = told.map(|one| one["words"].as_str().unwrap().to_owned()).collect();
    let text = stdout(&run(folder.path(), &[&words[..], &["-v"]].concat()));
    assert!(text.contains("how the property became false:"), "{text}");
    (report, told)
}

#[test]
fn a_response_that_never_comes_is_told_from_where_it_was_owed() {
    let (report, told) = failing("[] (lost -> <> done)");
    let expected = [
        "at the start `[](lost -> <>done)` is false",
        "after step 1 `(lost -> <>done)` is false",
        "after step 1 `lost` is true",
        "after step 1 `<>done` is false, and nothing later changes that",
    ];
    assert_eq!(told, expected);
    let parts = report["evaluation"]["parts"].as_array().unwrap();
    let length = report["counterexample"]["length"].as_u64().unwrap() as usize;
    for part in parts {
        assert_eq!(part["values"].as_str().unwrap().len(), length + 1);
    }
    let values = |text: &str| {
        let part = parts.iter().find(|part| part["text"] == text).unwrap();
        part["values"].as_str().unwrap().to_owned()
    };
    assert!(values("lost").starts_with("FT") && !values("done").contains('T'));
    // Before anything is lost, nothing is owed; but the whole is about the whole trace.
    assert!(values("(lost -> <>done)").starts_with("TF"));
    assert!(!values("[](lost -> <>done)")[..2].contains('T'));
}

#[test]
fn what_no_future_mends_is_told_where_it_happens() {
    let (_, told) = failing("[] !lost");
    assert_eq!(told.first().unwrap(), "at the start `[]!(lost)` is false");
    assert_eq!(told.last().unwrap(), "after step 1 `!(lost)` is false");
}

#[test]
fn steps_of_a_forbidden_sequence_are_told() {
    let folder = support::workspace().join("examples/lts");
    let words = ["explain", "web_shop.aut", "--property-file", "web_shop.mcl", "-f", "json"];
    let report = library::report(&folder, &words);
    let steps = report["counterexample"]["steps"].as_array().unwrap();
    let found = &report["evaluation"];
    let told: Vec<(&str, &str)> = found["failing"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let step = &steps[one["step"].as_u64().unwrap() as usize - 1];
            let part = &found["parts"][one["part"].as_u64().unwrap() as usize];
            (step["event"].as_str().unwrap(), part["text"].as_str().unwrap())
        })
        .collect();
    assert_eq!(told, [("CANCEL_SEND", "\"CANCEL_SEND\""), ("PARCEL_SEND", "\"PARCEL_SEND\"")]);
    assert_eq!(found["matched"].as_array().unwrap().len(), steps.len());
    // A deadlock is no formula.
    let report = library::report(&folder, &["explain", "web_shop.aut", "-f", "json"]);
    assert!(report.get("evaluation").is_none());
}
