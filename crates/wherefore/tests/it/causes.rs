//! The combined causes: what is put together, what is looked at again, and what other violations have in common.

use serde_json::Value;

use crate::support::library::report;
use crate::support::{run, stdout, workspace};

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

/// Two processes that lose an update, a third check that fails for a reason of its own.
const TWO_CAUSES: &str = "byte x, y, done;
active proctype A() {
    byte seen;
    seen = x;
    x = seen + 1;
    done++
}
active proctype B() {
    byte seen;
    seen = x;
    x = seen + 1;
    done++
}
active proctype Checks() {
    done == 2;
    assert(x == 2);
    assert(x > 1)
}
active proctype C() {
    if
    :: y = 1
    :: y = 2
    fi;
    assert(y == 1)
}
";

#[test]
fn violations_of_one_cause_are_told_together() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.pml"), TWO_CAUSES).unwrap();
    let report = report(folder.path(), &["m.pml"]);
    assert_eq!(report["causes"][0]["locations"][0]["line"], 22, "the nearest is the choice of y");
    let of = |line: u64| {
        let violation =
            list(&report["violations"]).iter().find(|one| one["location"]["line"] == line).unwrap();
        list(&report["others"]).iter().find(|other| other["violation"] == violation["id"])
    };
    let lost = of(16).expect("another failure");
    assert_eq!(lost["same_cause"], false);
    let line = lost["causes"][0]["locations"][0]["line"].as_u64().unwrap();
    assert!([4, 5, 10, 11].contains(&line), "the lost update, not line {line}");
    assert!(of(17).is_none(), "it comes only after the other one");
}

#[test]
fn violations_that_are_decided_at_the_same_points_have_the_same_cause() {
    let folder = tempfile::tempdir().unwrap();
    let (first, _) = TWO_CAUSES.split_once("active proctype C()").unwrap();
    let another = "active proctype Another() {\n    done == 2;\n    assert(x != 1)\n}\n";
    std::fs::write(folder.path().join("m.pml"), format!("{first}{another}")).unwrap();
    let report = report(folder.path(), &["m.pml"]);
    let others = list(&report["others"]);
    assert!(others.iter().any(|other| other["same_cause"] == true), "{others:?}");
    let text = stdout(&run(folder.path(), &["m.pml"]));
    assert!(text.contains(", same cause: "), "{text}");
}

#[test]
fn every_cause_has_a_place_a_claim_and_a_recheck() {
    let folder = workspace().join("examples");
    for file in ["promela/trylock.pml", "promela/train_gate.pml", "c/publish.c", "c/transfer.c"] {
        let report = report(&folder, &[file]);
        let causes = list(&report["causes"]);
        assert_eq!(causes[0]["recheck"]["result"], "confirmed", "{file}");
        let agreed = causes.iter().filter(|cause| list(&cause["methods"]).len() > 1);
        assert!(agreed.count() > 0, "methods agree: {file}");
        let scores: Vec<f64> = causes.iter().map(|cause| cause["score"].as_f64().unwrap()).collect();
        assert!(scores.is_sorted_by(|one, other| one >= other), "{file}: {scores:?}");
        for (cause, rank) in causes.iter().zip(1..) {
            assert_eq!(cause["rank"], rank);
            let is_placed = !list(&cause["locations"]).is_empty() || !list(&cause["steps"]).is_empty();
            assert!(is_placed || cause["score"] == 0.0, "{file}: {cause}");
        }
        let without = list(&report["without"]);
        assert!(
            !without.is_empty()
                && without.iter().all(|one| one["still_violating"].as_u64() <= one["violating"].as_u64())
        );
    }
}

#[test]
fn the_first_cause_is_drawn_in_its_file() {
    let folder = workspace().join("examples");
    let text = stdout(&run(&folder, &["promela/train_gate.pml", "-m", "neighbourhoods"]));
    assert!(text.contains("\n63 |         queue!id;\n   |         ^^^^^^^^\n"), "{text}");
    let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 100, "{widest} columns");
    assert!(text.is_ascii(), "no terminal is asked for more");
    // Two screens.
    assert!(text.lines().count() <= 100, "{} lines", text.lines().count());
}

#[test]
fn statements_that_are_not_needed_are_seen_through() {
    // Blocking the extra step of `Idle` changes nothing; blocking the violating statement's own process removes
    // everything, so what is left must still pass.
    let folder = tempfile::tempdir().unwrap();
    let model = "byte x;\nactive proctype Idle() { byte n; n = 1 }\nactive proctype P() { if :: x = 1 :: x = 2 fi; assert(x == 1) }\n";
    std::fs::write(folder.path().join("m.pml"), model).unwrap();
    let trail = "x = 2";
    let report = report(folder.path(), &["m.pml"]);
    let steps = list(&report["counterexample"]["steps"]);
    assert!(steps.iter().any(|step| step["action"] == trail));
    for without in list(&report["without"]) {
        let is_needed = without["still_violating"] == 0;
        assert_eq!(is_needed, without["location"]["line"] == 3, "{without}");
    }
    assert_eq!(report["causes"][0]["locations"][0]["line"], 3);
}
