//! Promela models on the command line: our own examples and those that come with SPIN.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::{Path, PathBuf};

use serde_json::Value;
use testkit::packaged_models::packaged_models;

use crate::support::{assert_honest, json, library, run, stderr, stdout, workspace};

fn examples() -> PathBuf {
    workspace().join("examples/promela")
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

/// A row of the tables in the examples' README: file, states, transitions, errors, verdict.
fn figures() -> Vec<(String, u64, u64, u64, String)> {
    let readme = std::fs::read_to_string(examples().join("README.md")).unwrap();
    let rows = readme.lines().filter(|line| line.starts_with("| `") && line.contains(".pml`"));
    let rows = rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let number = |at: usize| cells[at].parse().unwrap();
        (cells[1].trim_matches('`').to_owned(), number(4), number(5), number(6), cells[7].to_owned())
    });
    rows.collect()
}

#[test]
fn the_examples_have_the_figures_that_spin_found() {
    let figures = figures();
    assert!(figures.len() >= 30, "the tables are missing");
    for (file, states, transitions, errors, verdict) in figures {
        let output = run(&examples(), &["check", &file, "-p", "safety", "--reduction", "none", "-f", "json"]);
        let report = json(&output);
        let statistics = &report["statistics"];
        let found = ["states", "transitions", "violations"].map(|name| statistics[name].as_u64().unwrap());
        assert_eq!(found, [states, transitions, errors], "{file}");
        let kinds: Vec<&Value> =
            report["violations"].as_array().unwrap().iter().map(|violation| &violation["kind"]).collect();
        match verdict.as_str() {
            "none" => assert_eq!((report["verdict"].as_str(), kinds.len()), (Some("holds"), 0), "{file}"),
            kind => assert!(!kinds.is_empty() && kinds.iter().all(|found| **found == kind), "{file}"),
        }
    }
}

/// A report without what differs from run to run.
fn timeless(output: &std::process::Output) -> Value {
    let mut report = json(output);
    for field in ["seconds", "peak_bytes", "state_bytes"] {
        report["statistics"][field] = Value::Null;
    }
    report
}

#[test]
fn checks_say_the_same_with_and_without_reduction_and_for_any_number_of_threads() {
    let mut smaller = 0;
    for (file, states, _, errors, _) in figures().into_iter().filter(|row| row.1 <= 100_000) {
        let check = |options: &[&str]| {
            let output =
                run(&examples(), &[&["check", &file, "-f", "json", "--unreached"], options].concat());
            timeless(&output)
        };
        let kinds = |report: &Value| {
            let listed = report["violations"].as_array().unwrap().iter();
            let mut kinds: Vec<String> =
                listed.map(|one| format!("{} {}", one["kind"], one["location"])).collect();
            kinds.sort();
            kinds
        };
        let (all, reduced) = (check(&["--reduction", "none"]), check(&[]));
        assert_eq!((&all["verdict"], kinds(&all)), (&reduced["verdict"], kinds(&reduced)), "{file}");
        assert_eq!(all["unreached"], reduced["unreached"], "{file}");
        assert_eq!(all["statistics"]["reduction"], "none", "{file}");
        let left = reduced["statistics"]["states"].as_u64().unwrap();
        assert!(left <= states, "{file}");
        smaller += u32::from(left < states);
        for threads in ["1", "3"] {
            assert_eq!(check(&["--threads", threads]), reduced, "{file}");
            assert_eq!(check(&["--threads", threads, "--reduction", "none"]), all, "{file}");
        }
        // What is shown first is as near as what an explanation shows.
        if errors > 0 {
            let explained = library::report(&examples(), &[&file, "-m", "neighbourhoods"]);
            let length = |report: &Value| report["counterexample"]["length"].as_u64().unwrap();
            assert_eq!(length(&all), length(&explained), "{file}");
            assert!(length(&reduced) >= length(&all), "{file}");
            goes_again(&examples(), &file, &reduced);
        }
    }
    assert!(smaller > 10, "{smaller} examples are smaller");
}

/// Explains a model, if that takes no longer than `max_states`, and goes its counterexample again.
/// A report with fates, and with what no other method makes of them.
fn explained(folder: &Path, file: &str, max_states: &str) -> Option<Value> {
    let output = run(folder, &[file, "--max-states", max_states, "-m", "neighbourhoods", "-f", "json"]);
    let code = output.status.code().unwrap();
    assert!(code != 2 || stderr(&output).contains("error"), "{file}: {}", stderr(&output));
    if code == 2 {
        return None;
    }
    let report = json(&output);
    assert_honest(&report);
    Some(report)
}

/// Both sides of a trail without SPIN: what we write we read, as numbers or as a listing, and what does not fit
/// is told with its line.
#[test]
fn trails_of_spin_are_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let model =
        "byte x;\nactive proctype A() { x = 1; x = 2 }\nactive proctype B() { x == 1; assert(x == 2) }\n";
    write(folder.path(), "m.pml", model);
    let emit = ["check", "m.pml", "-p", "assertion", "--emit", "trail", "-o", "m.trail"];
    assert_eq!(run(folder.path(), &emit).status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(folder.path().join("m.trail")).unwrap(), "1:0:0\n2:1:3\n3:1:4\n");
    let listing = "  1:	proc  0 (A:1) m.pml:2 (state 1)	[x = 1]\n  2:	proc  1 (B:1) m.pml:3 (state 1)	[((x==1))]\n\
                   \n  3:	proc  1 (B:1) m.pml:3 (state 2)	[assert((x==2))]\nspin: trail ends after 3 steps\n";
    write(folder.path(), "m.txt", listing);
    write(folder.path(), "merged.trail", "-4:-4:-4\n1:0:0\n2:1:3\n");
    for trail in ["m.trail", "m.txt", "merged.trail"] {
        let output = run(folder.path(), &["replay", "m.pml", "--trail", trail, "-f", "json"]);
        assert_eq!(output.status.code(), Some(1), "{trail}");
        assert_eq!(json(&output)["replays"][0]["violation"]["kind"], "assertion", "{trail}");
        let report = library::report(folder.path(), &["m.pml", "--trail", trail, "-f", "json"]);
        assert_eq!(report["counterexample"]["chosen"], "the given trace", "{trail}");
        assert_honest(&report);
    }
    write(folder.path(), "other.trail", "1:0:0\n2:0:1\n3:1:3\n");
    let output = run(folder.path(), &["replay", "m.pml", "--trail", "other.trail"]);
    assert_eq!(output.status.code(), Some(3));
    let told = stdout(&output);
    assert!(told.contains("line 3 of the trail") && told.contains("`x == 1`"), "{told}");
    write(folder.path(), "bad.trail", "1:0:0\n1:0\n");
    let output = run(folder.path(), &["m.pml", "--trail", "bad.trail"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("bad.trail: line 2, column 1"), "{}", stderr(&output));
}

/// A lasso travels as a report, as a trail, and to the explanation.
#[test]
fn trails_of_endless_traces_are_held_against_their_property() {
    let folder = tempfile::tempdir().unwrap();
    let model = |value: u8| {
        format!(
            "byte x;\nactive proctype A() {{ do :: x = 1 :: x = {value} od }}\nltl always {{ []<> (x == 2) }}\n\
             never stays {{ T: do :: true :: x == 1 -> goto accept od; accept: do :: x == 1 od }}\n"
        )
    };
    write(folder.path(), "m.pml", &model(2));
    for property in ["always", "stays", "[]<> (x == 2)"] {
        let report = run(folder.path(), &["check", "m.pml", "-p", property, "-f", "json"]);
        assert_eq!(report.status.code(), Some(1), "{property}");
        write(folder.path(), "report.json", &stdout(&report));
        let emit = ["check", "m.pml", "-p", property, "--emit", "trail", "-o", "m.trail"];
        run(folder.path(), &emit);
        assert!(std::fs::read_to_string(folder.path().join("m.trail")).unwrap().contains("-1:-1:-1"));
        // A report says what it is about; a trail without a claim does not.
        let known = run(folder.path(), &["replay", "m.pml", "--trail", "report.json"]);
        assert_eq!(known.status.code(), Some(1), "{property}: {}", stdout(&known));
        for trail in ["report.json", "m.trail"] {
            let output = run(folder.path(), &["replay", "m.pml", "--trail", trail, "-p", property]);
            assert_eq!(output.status.code(), Some(1), "{property} {trail}: {}", stdout(&output));
            let report =
                library::report(folder.path(), &["m.pml", "--trail", trail, "-p", property, "-f", "json"]);
            assert_eq!(report["counterexample"]["chosen"], "the given trace", "{property} {trail}");
            assert!(report["counterexample"]["loop_start"].is_u64(), "{property} {trail}");
        }
    }
    // It goes round in x = 1, which satisfies this.
    let output = run(folder.path(), &["replay", "m.pml", "--trail", "m.trail", "-p", "<> (x == 1)"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
}

/// The same property as a formula and as a never claim decides at the same steps of the same trace.
#[test]
fn claims_are_explained_as_formulas_are() {
    let folder = tempfile::tempdir().unwrap();
    let model = "byte x, y;
active proctype A() { do :: x < 3 -> x++ :: x > 0 -> x-- :: y = 1; break od; do :: x = 1 :: x = 2; break od }
active proctype B() { do :: y == 1 -> y = 2; break :: x == 2 -> y = 3; break od }
ltl eventually { <> (y == 2) }
never not_eventually { accept: do :: !(y == 2) od }
ltl small { [] (x < 3) }
never not_small { T: do :: x < 3 :: x >= 3 -> break od }
ltl infinitely { []<> (x == 1) }
never not_infinitely { T: do :: true :: !(x == 1) -> goto accept od; accept: do :: !(x == 1) od }
ltl settles { <>[] (x != 1) }
never not_settles { T: do :: x == 1 -> goto accept :: else od; accept: do :: x == 1 :: else -> goto T od }
";
    write(folder.path(), "m.pml", model);
    let mut decided = 0;
    for formula in ["eventually", "small", "infinitely", "settles"] {
        let given = run(folder.path(), &["check", "m.pml", "-p", formula, "-f", "json"]);
        assert_eq!(given.status.code(), Some(1), "{formula}");
        write(folder.path(), "given.json", &stdout(&given));
        let claim = format!("not_{formula}");
        let [as_formula, as_claim] = [formula, &claim].map(|property| {
            let report = library::report(
                folder.path(),
                &["m.pml", "-p", property, "--trail", "given.json", "-f", "json"],
            );
            assert_honest(&report);
            let steps =
                report["counterexample"]["steps"].as_array().unwrap_or_else(|| panic!("{report:#}")).clone();
            let fates = steps.iter().map(|step| (step["fate"].clone(), step["point_of_no_return"].clone()));
            fates.collect::<Vec<_>>()
        });
        assert_eq!(as_formula, as_claim, "{formula}");
        assert!(as_formula.iter().all(|(fate, _)| fate != "unknown"), "{formula}: {as_formula:?}");
        decided += as_formula.iter().filter(|(_, decides)| decides == true).count();
    }
    assert!(decided > 0);
}

fn goes_again(folder: &Path, file: &str, report: &Value) {
    let scratch = tempfile::tempdir().unwrap();
    let trail = scratch.path().join("trail.json");
    std::fs::write(&trail, report.to_string()).unwrap();
    let trail = trail.to_str().unwrap();
    let output = run(folder, &["replay", file, "--trail", trail, "-f", "json"]);
    assert_eq!(output.status.code(), Some(1), "{file}: {}", stderr(&output));
    let replayed = &json(&output)["replays"][0];
    assert_eq!(replayed["result"], "fails", "{file}");
    let steps = report["counterexample"]["steps"].as_array().unwrap();
    let again = replayed["steps"].as_array().unwrap();
    assert_eq!(steps.len(), again.len(), "{file}");
    for (step, again) in steps.iter().zip(again) {
        assert_eq!((&step["event"], &step["location"]), (&again["event"], &again["location"]), "{file}");
        // What a violating step leads to is no state of the graph, so its changes are known only here.
        if step["n"] != steps.len() {
            assert_eq!(step["changes"], again["changes"], "{file}");
        }
    }
    // The trace is what counts here, not what explains it.
    let of_trail = json(&run(folder, &[file, "--trail", trail, "-m", "neighbourhoods", "-f", "json"]));
    assert_eq!(of_trail["counterexample"]["kind"], report["counterexample"]["kind"], "{file}");
    let events = |report: &Value| -> Vec<Value> {
        let steps = report["counterexample"]["steps"].as_array().unwrap();
        steps.iter().map(|step| step["event"].clone()).collect()
    };
    assert_eq!(events(&of_trail), events(report), "{file}");
}

#[test]
fn every_counterexample_goes_again_to_the_same_violation() {
    let mut violated = 0;
    for (file, states, _, errors, _) in figures() {
        if states > 20_000 || errors == 0 {
            continue;
        }
        let report = explained(&examples(), &file, "30000").unwrap();
        goes_again(&examples(), &file, &report);
        violated += 1;
    }
    assert!(violated >= 8, "{violated} examples");
    for model in packaged_models() {
        let (folder, file) = (model.path.parent().unwrap(), model.path.file_name().unwrap());
        let file = file.to_str().unwrap();
        let Some(report) = explained(folder, file, "20000") else { continue };
        // With fewer states a trail might lead to where the search does not come.
        if report["verdict"] == "violated" && report["statistics"]["complete"] == true {
            goes_again(folder, file, &report);
            violated += 1;
        }
    }
    println!("{violated} counterexamples went again");
}

#[test]
fn a_model_as_a_transition_system_has_the_same_verdict() {
    let scratch = tempfile::tempdir().unwrap();
    let out = scratch.path().join("model.aut");
    let out = out.to_str().unwrap();
    let mut verdicts = [0, 0];
    for (file, states, _, errors, _) in figures() {
        if states > 10_000 {
            continue;
        }
        let output = run(&examples(), &["convert", &file, out]);
        assert_eq!(output.status.code(), Some(0), "{file}: {}", stderr(&output));
        let output = run(&examples(), &["check", out, "--final-label", "exit", "-q"]);
        assert_eq!(output.status.code(), Some(i32::from(errors > 0)), "{file}: {}", stdout(&output));
        verdicts[usize::from(errors > 0)] += 1;
    }
    assert!(verdicts.iter().all(|count| *count > 3), "{verdicts:?}");
}

#[test]
fn places_are_in_the_users_own_files() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    std::fs::create_dir(folder.join("inc")).unwrap();
    write(&folder.join("inc"), "check.h", "inline check(e) {\n    assert(e)\n}\n");
    let model = "#include \"check.h\"\n#define START VALUE\nbyte x = START;\nactive proctype P() {\n    x++;\n    check(x == 1)\n}\n";
    write(folder, "m.pml", model);
    let output = run(folder, &["check", "m.pml", "-DVALUE=1", "-I", "inc", "-f", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let report = json(&output);
    let place = &report["violations"][0]["location"];
    assert_eq!((place["file"].as_str(), place["line"].as_u64()), (Some("inc/check.h"), Some(2)));
    assert_eq!(report["counterexample"]["steps"][0]["location"]["line"], 5);
    assert_eq!(report["counterexample"]["steps"][0]["location"]["text"], "    x++;");
    assert_eq!(report["counterexample"]["initial"]["x"], "1");
    assert_eq!(report["counterexample"]["steps"][0]["changes"]["x"], serde_json::json!(["1", "2"]));
    assert_eq!(run(folder, &["check", "m.pml", "-DVALUE=0", "-Iinc"]).status.code(), Some(0));
    let missing = run(folder, &["check", "m.pml", "-DVALUE=0"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(stderr(&missing).contains("m.pml:1:"), "{}", stderr(&missing));
}

#[test]
fn embedded_c_is_refused_with_its_place() {
    let scratch = tempfile::tempdir().unwrap();
    write(
        scratch.path(),
        "c.pml",
        "active proctype P() {\n    byte x;\n    c_code { now.x = 1; };\n    x = 2\n}\n",
    );
    let output = run(scratch.path(), &["check", "c.pml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("c.pml:3:"), "{}", stderr(&output));
    assert!(stderr(&output).contains("c_code"), "{}", stderr(&output));
}

/// Two counters that could go on for a long time; they differ by more than 3 early on.
const LONG: &str = "int a, b;\nactive proctype A() { do :: a < 30000 -> a++ od }\n\
                    active proctype B() { do :: b < 30000 -> b++; assert(b <= a + 3) od }\n";

#[test]
fn limits_end_in_a_partial_labelled_answer() {
    let scratch = tempfile::tempdir().unwrap();
    write(scratch.path(), "long.pml", LONG);
    let few = library::report(scratch.path(), &["long.pml", "--max-states", "5", "-f", "json"]);
    assert_eq!(
        (few["verdict"].as_str(), few["statistics"]["complete"].as_bool()),
        (Some("unknown"), Some(false))
    );
    for search in ["bfs", "dfs"] {
        let limits = ["--max-states", "5000", "-f", "json", "--search", search];
        let output = run(scratch.path(), &[&["long.pml"][..], &limits].concat());
        let report = json(&output);
        assert_honest(&report);
        assert_eq!(report["verdict"], "violated", "{search}");
        assert_eq!(report["statistics"]["complete"], false);
        assert_eq!(report["methods"]["neighbourhoods"]["exactness"], "bounded");
        assert!(report["fates"]["unknown"].as_u64().unwrap() > 0);
        if search == "bfs" {
            assert_eq!(report["counterexample"]["length"], 12);
        }
    }
    let output = run(scratch.path(), &["long.pml", "--max-memory", "60M", "-f", "json"]);
    let report = json(&output);
    assert_honest(&report);
    assert_eq!(report["verdict"], "violated");
    assert_eq!(report["statistics"]["complete"], false);
    let peak = report["statistics"]["peak_bytes"].as_u64().unwrap();
    assert!(peak < 90 << 20, "{peak}");
}

#[test]
fn limits_end_a_check_with_a_counterexample_if_there_is_one() {
    let scratch = tempfile::tempdir().unwrap();
    write(scratch.path(), "long.pml", LONG);
    let few = run(scratch.path(), &["check", "long.pml", "--max-states", "5", "-f", "json"]);
    assert_eq!(few.status.code(), Some(3));
    assert_eq!(json(&few)["verdict"], "unknown");
    for limit in [["--max-states", "5000"], ["--timeout", "300ms"], ["--max-memory", "30M"]] {
        for reduction in ["none", "por"] {
            let options = ["check", "long.pml", "-f", "json", "--reduction", reduction];
            let output = run(scratch.path(), &[&options[..], &limit].concat());
            let report = json(&output);
            assert_eq!(output.status.code(), Some(1), "{limit:?}");
            assert_eq!(report["statistics"]["complete"], false, "{limit:?}");
            assert_eq!(report["counterexample"]["length"], 12, "{limit:?}");
            assert!(report["unreached"].is_null(), "{limit:?}");
        }
    }
}

#[test]
fn promises_that_are_broken_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let model = |other: &str| {
        format!(
            "chan c = [2] of {{ byte }};\nactive proctype a() {{ xs c; c!1; c!2 }}\n\
             active proctype b() {{ {other} }}\nactive proctype r() {{ xr c; byte v; c?v; c?v }}"
        )
    };
    write(folder.path(), "broken.pml", &model("end: c!3"));
    write(folder.path(), "kept.pml", &model("skip"));
    let told =
        |file: &str| library::report(folder.path(), &["check", file, "-f", "json"])["reason"].to_string();
    assert!(told("broken.pml").contains("`xs c` in `a` is not true"), "{}", told("broken.pml"));
    assert!(!told("broken.pml").contains("`xr c`"));
    assert!(!told("kept.pml").contains("is not true"));
}

#[test]
fn options_for_other_inputs_are_refused() {
    let scratch = tempfile::tempdir().unwrap();
    write(scratch.path(), "m.pml", LONG);
    for arguments in [&["--final-label", "x"][..], &["--formula", "mcl"], &["-p", "[true] false"]] {
        let output = run(scratch.path(), &[&["check", "m.pml"][..], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stdout(&output).is_empty());
    }
}

/// The report on a model, and the exit code.
fn checked(model: &str) -> (Value, Option<i32>) {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "m.pml", model);
    let output = run(folder.path(), &["check", "m.pml", "-f", "json"]);
    (json(&output), output.status.code())
}

/// SPIN runs a formula as a claim, which is a process like others.
#[test]
fn a_formula_counts_itself_among_the_processes() {
    let about =
        |bound: &str| checked(&format!("active proctype P() {{ skip }}\nltl p {{ [] (_nr_pr {bound}) }}\n"));
    assert_eq!(about(">= 1").1, Some(0));
    assert_eq!(about("<= 2").1, Some(0));
    let (report, code) = about("<= 1");
    assert_eq!((report["verdict"].as_str(), code), (Some("violated"), Some(1)));
    // In the last state there is only the formula.
    assert_eq!(about(">= 2").1, Some(1));
}

#[test]
fn a_model_that_cannot_begin_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for model in [
        "int i = 1/0;\ninit { skip }\n",
        "int z;\nint i = 1 % z;\ninit { skip }\n",
        "active proctype P() { int z; int i = 1/z; skip }\n",
    ] {
        write(folder.path(), "m.pml", model);
        let output = run(folder.path(), &["check", "m.pml"]);
        assert_eq!(output.status.code(), Some(2), "{model}");
        assert!(stderr(&output).starts_with("error: the model cannot begin: division by zero\n --> m.pml:"));
    }
}

#[test]
fn steps_of_a_circle_inside_of_a_sequence_are_counted_once() {
    let (report, code) = checked("byte x; active proctype P() { atomic { do :: x = 1 - x od } }\n");
    assert_eq!(code, Some(0));
    assert!(report["statistics"]["transitions"].as_u64().unwrap() < 10, "{}", report["statistics"]);
}

/// The automaton of its negation has a few states, its own a thousand.
#[test]
fn a_formula_is_decided_although_its_own_automaton_is_too_large() {
    let parts = (0..10).map(|at| format!("<>d[{at}]")).collect::<Vec<_>>().join(" && ");
    let model = |most: u8| {
        format!(
            "bool d[10];\nactive proctype P() {{ byte i; for (i : 0 .. {most}) {{ d[i] = 1 }} }}\nltl p {{ {parts} }}\n"
        )
    };
    assert_eq!(checked(&model(9)).1, Some(0));
    assert_eq!(checked(&model(8)).1, Some(1));
}
