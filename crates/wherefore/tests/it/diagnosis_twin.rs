//! Diagnoses, conflicts, small changes and what explains the counterexample, against brute force on small random
//! programs.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use serde_json::Value;
use testkit::naive_diagnosis::SmallProgram;
use testkit::random::{Random, for_random_inputs};

use crate::support::library;

fn lines(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect()
}

/// Programs that the twin is quick with, some of which fail.
const QUICK: std::ops::Range<u64> = 0..44;

#[test]
fn all_smallest_sets_are_found_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let (mut diagnosed, mut absent, mut joint) = (0u64, 0u64, 0u64);
    let mut compared = 0u64;
    let mut one = |random: &mut Random| {
        let program = SmallProgram::random(random);
        if !program.can_fail() {
            return;
        }
        let text = &program.text;
        std::fs::write(folder.path().join("p.c"), text).unwrap();
        let report = library::report(folder.path(), &["explain", "-m", "diagnosis", "p.c"]);
        let steps = report["counterexample"]["steps"].as_array().unwrap();
        let inputs: Vec<u8> = steps
            .iter()
            .flat_map(|step| step["inputs"].as_array().cloned().unwrap_or_default())
            .map(|input| input.as_u64().unwrap() as u8)
            .collect();
        let inputs: [u8; 2] = inputs.try_into().unwrap();
        let found = &report["methods"]["diagnosis"];
        assert_eq!(found["exactness"], "exact", "{text}");
        let all = found["diagnoses"].as_array().unwrap();
        let on_trace: BTreeSet<Vec<u64>> =
            all.iter().filter(|one| one["scope"] == "trace").map(|one| lines(&one["lines"])).collect();
        let mut expected = program.diagnoses(inputs, 3);
        // That nothing need be wrong is told in another way.
        assert_eq!(expected.remove(&Vec::new()), !found["absence_of_function"].is_null(), "{text}");
        assert_eq!(on_trace, expected, "{inputs:?} {text}");
        absent += u64::from(!found["absence_of_function"].is_null());
        diagnosed += u64::from(!on_trace.is_empty());
        for conflict in found["conflicts"].as_array().unwrap() {
            let conflict: BTreeSet<u64> = lines(conflict).into_iter().collect();
            assert!(program.is_smallest_conflict(inputs, &conflict), "{conflict:?} {inputs:?} {text}");
        }
        let explains: BTreeSet<u64> = all
            .iter()
            .filter(|one| one["explains"].as_u64().unwrap() > 0)
            .map(|one| lines(&one["lines"]))
            .filter(|lines| lines.len() == 1)
            .flatten()
            .collect();
        if let Some(runs) = found["across"]["runs"].as_array() {
            let run = |run: &Value| {
                <[u8; 2]>::try_from(lines(run).iter().map(|one| *one as u8).collect::<Vec<_>>())
            };
            let runs: Vec<[u8; 2]> = runs.iter().map(|one| run(one).unwrap()).collect();
            let told = found["across"]["diagnoses"].as_array().unwrap();
            let told: BTreeSet<Vec<u64>> = told.iter().map(|one| lines(&one["lines"])).collect();
            // Little is done for it where small changes tell who is likely.
            if found["across"]["exactness"] == "exact" {
                assert_eq!(told, program.joint_diagnoses(&runs, 3), "{runs:?} {text}");
                joint += u64::from(!told.is_empty());
            }
        }
        let expected: BTreeSet<u64> = program
            .lines(inputs)
            .into_iter()
            .filter(|line| program.can_pass(inputs, &[*line].into()))
            .collect();
        assert_eq!(explains, expected, "{inputs:?} {text}");
        let mended: Vec<&Value> = all.iter().filter(|one| !one["small_change"].is_null()).collect();
        for one in &mended {
            let wrong: BTreeSet<u64> = lines(&one["lines"]).into_iter().collect();
            // What another statement would do is not asked of the twin.
            let change = one["small_change"].as_str().unwrap();
            let is_other =
                change.contains("another target") || change.contains("an assignment before or after it");
            assert!(is_other || program.can_pass(inputs, &wrong), "{one} {inputs:?} {text}");
        }
        let on_way = program.lines(inputs);
        for line in program.mended_by_comparison().into_iter().filter(|line| on_way.contains(line)) {
            let told = |one: &&Value| {
                let change = one["small_change"].as_str().unwrap();
                lines(&one["lines"]) == [line] && change.starts_with("another operator")
            };
            assert!(mended.iter().any(told), "{line} {inputs:?} {text}");
            compared += 1;
        }
    };
    // The twin is slow on some programs; any at all are compared on request, so many of them.
    match std::env::var("WHEREFORE_PROGRAMS").ok().and_then(|text| text.parse().ok()) {
        Some(count) => for_random_inputs(count, &mut one),
        None => QUICK.for_each(|seed| {
            one(&mut Random::new(seed));
        }),
    }
    assert!(diagnosed > 0 && absent > 0 && joint > 0, "{diagnosed}, {absent} and {joint} say little");
    assert!(compared > 0, "no small change was compared");
}
