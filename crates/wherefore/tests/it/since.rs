//! Before and after: what `--since` says of an earlier report.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{assert_honest, json as report_of, run, stderr, stdout};

/// Two counters without a lock, and a check of each.
const FAULTY: &str = "byte x, y, done;
active [2] proctype Counter() {
    byte seen;
    seen = x; x = seen + 1;
    seen = y; y = seen + 1;
    done++;
    if
    :: done == 2 -> assert(x == 2); assert(y == 2)
    :: else
    fi
}
";

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

fn explained(folder: &Path, arguments: &[&str]) -> Value {
    let report = report_of(&run(folder, &[arguments, &["-f", "json"]].concat()));
    assert_honest(&report);
    report
}

#[test]
fn what_is_gone_left_and_new_is_told() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    write(folder, "model.pml", FAULTY);
    let before = explained(folder, &["model.pml"]);
    assert_eq!(before["since"], Value::Null);
    write(folder, "before.json", &before.to_string());
    let counted = |report: &Value, line: &str| -> u64 {
        let violations = report["violations"].as_array().unwrap().iter();
        let there = violations.filter(|one| one["location"]["text"].as_str().unwrap().contains(line));
        there.map(|one| one["count"].as_u64().unwrap()).sum()
    };

    // One counter is mended, one check is added, and all lines move.
    let mended = FAULTY
        .replace(
            "    seen = x; x = seen + 1;\n",
            "    /* at once */\n    atomic { seen = x; x = seen + 1 }\n",
        )
        .replace("    fi\n", "    fi;\n    assert(done == 1)\n");
    write(folder, "model.pml", &mended);
    let after = explained(folder, &["model.pml", "--since", "before.json"]);
    let since = &after["since"];
    assert_eq!((&since["path"], &since["verdict"]), (&json!("before.json"), &json!("violated")));
    assert_eq!((&since["same_property"], &since["complete"]), (&json!(true), &json!(true)));
    let total = |report: &Value| report["statistics"]["violations"].clone();
    assert_eq!(since["counterexamples"], json!({ "before": total(&before), "after": total(&after) }));
    let told: Vec<(String, String, Value)> = since["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let word = |name: &str| one[name].as_str().unwrap().to_owned();
            (word("state"), word("text"), one["count"].clone())
        })
        .collect();
    let line = "done == 2";
    assert!(counted(&before, line) > counted(&after, line) && counted(&after, line) > 0);
    let of = |state: &str, text: &str| {
        let found = told.iter().find(|one| one.0 == state && one.1.contains(text));
        found.unwrap_or_else(|| panic!("{state} {text}: {told:?}")).2.clone()
    };
    assert_eq!(of("gone", "x == 2")["after"], 0);
    assert!(of("left", "y == 2")["before"].as_u64() > Some(0));
    assert_eq!(of("new", "done == 1")["before"], 0);
    assert_eq!(told.len(), 3);

    let text = stdout(&run(folder, &["model.pml", "--since", "before.json"]));
    for part in [
        "since: before.json, when it was violated",
        "- new: assertion",
        "- left: assertion",
        "- gone: assertion at line 8",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // With nothing changed everything is left, anomalies included.
    write(folder, "model.pml", FAULTY);
    let same = explained(folder, &["model.pml", "--since", "before.json"]);
    let states = same["since"]["violations"].as_array().unwrap();
    assert!(
        states.iter().all(|one| one["state"] == "left" && one["count"]["before"] == one["count"]["after"])
    );
    let anomalies = &same["since"]["anomalies"];
    assert_eq!(anomalies["left"], before["methods"]["anomalies"]["count"]);
    assert_eq!((&anomalies["new"], &anomalies["gone"]), (&json!(0), &json!(0)));
    // A verdict alone can be compared as well.
    let arguments = ["check", "model.pml", "--since", "before.json", "-p", "deadlock", "-f", "json"];
    let checked = report_of(&run(folder, &arguments));
    assert_eq!((&checked["verdict"], &checked["since"]["same_property"]), (&json!("holds"), &json!(false)));
    assert_eq!(checked["since"]["anomalies"], Value::Null);
}

#[test]
fn what_is_no_report_is_refused_by_name() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    write(folder, "model.pml", FAULTY);
    write(folder, "broken.json", "{ \"schema\": ");
    write(folder, "other.json", "{ \"schema\": \"wherefore-replay/1\" }");
    write(folder, "unmarked.json", "{}");
    write(folder, "part.json", "{ \"schema\": \"wherefore/1\" }");
    for (file, problem) in [
        ("missing.json", "missing.json"),
        ("broken.json", "not a JSON report of wherefore"),
        ("other.json", "`wherefore-replay/1`, not of `wherefore/1`"),
        ("unmarked.json", "not of `wherefore/1`"),
        ("part.json", "missing field"),
        ("model.pml", "not a JSON report of wherefore"),
    ] {
        let output = run(folder, &["check", "model.pml", "--since", file]);
        assert_eq!(output.status.code(), Some(2), "{file}");
        let told = stderr(&output);
        assert!(told.contains(file) && told.contains(problem), "{file}: {told}");
        assert!(stdout(&output).is_empty());
    }
}
