//! Variations of counterexamples, on the examples of Groce and Visser (2003) and on models in the spirit of theirs.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use serde_json::Value;
use testkit::packaged_models::{FAULTY, packaged_models};

use crate::support::{assert_honest, json, library, run, stdout, workspace};

fn report_in(folder: &Path, arguments: &[&str]) -> Value {
    let report = library::report(folder, &[&["explain", "-m", "variations"], arguments].concat());
    assert_honest(&report);
    report
}

fn report(file: &str, arguments: &[&str]) -> Value {
    report_in(&workspace().join("examples"), &[&[file], arguments].concat())
}

/// The same where the program writes files.
fn by_program(file: &str, arguments: &[&str]) -> Value {
    let arguments = [&["explain", file, "-m", "variations", "-f", "json"], arguments].concat();
    json(&run(&workspace().join("examples"), &arguments))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The lines of the paper's Figure 4 in the examples, and what stands there.
struct Figure {
    /// The line of the example for each line of the figure.
    lines: Vec<(u64, u64)>,
}

impl Figure {
    /// Finds each line by its text, from a line on.
    fn of(file: &str, lines: &[(u64, &str)]) -> Self {
        let text = std::fs::read_to_string(workspace().join("examples").join(file)).unwrap();
        let mut at = 0;
        let mut found = Vec::new();
        for (number, wanted) in lines {
            let rest = text.lines().enumerate().skip(at);
            let (line, _) = rest.clone().find(|(_, line)| line.trim().starts_with(wanted)).unwrap();
            found.push((line as u64 + 1, *number));
            at = line + 1;
        }
        Self { lines: found }
    }

    /// A step as the paper writes it; nothing for steps outside of the figure.
    fn line(&self, location: &Value) -> Option<u64> {
        let line = location["line"].as_u64()?;
        self.lines.iter().find(|(own, _)| *own == line).map(|(_, figure)| *figure)
    }

    fn set(&self, set: &Value) -> Vec<String> {
        let elements = list(set).iter().filter_map(|element| {
            let line = self.line(&element["location"])?;
            Some(match element["choice"].as_str() {
                Some("0") => format!("{line}F"),
                Some("1") => format!("{line}T"),
                _ => line.to_string(),
            })
        });
        let mut elements: Vec<String> = elements.collect();
        elements.sort_by_key(|element| element.trim_end_matches(['T', 'F']).parse::<u64>().unwrap());
        elements.dedup();
        elements
    }

    /// The lines of some steps one after the other.
    fn steps(&self, steps: &Value) -> Vec<u64> {
        list(steps).iter().filter_map(|step| self.line(&step["location"])).collect()
    }
}

const FIRST: [u64; 6] = [3, 7, 10, 11, 3, 7];
const SECOND: [u64; 17] = [3, 7, 10, 11, 3, 4, 5, 7, 10, 11, 3, 7, 8, 10, 11, 3, 7];

/// The transformations in the paper's notation: the lines from which steps are taken, and then that at which both
/// meet again.
fn transformations(figure: &Figure, told: &Value) -> Vec<(Vec<u64>, Vec<u64>)> {
    let side = |change: &Value, side: &str| {
        let mut lines = figure.steps(&change[side]);
        lines.extend(figure.line(&change["rejoins"]["location"]));
        lines
    };
    list(&told["transformations"])
        .iter()
        .map(|change| (side(change, "positive"), side(change, "negative")))
        .collect()
}

fn check_transformations(figure: &Figure, told: &Value) {
    let positive = vec![3, 4, 5, 7];
    let expected = [(positive.clone(), FIRST.to_vec()), (positive, SECOND.to_vec())];
    assert_eq!(transformations(figure, told), expected);
    for change in list(&told["transformations"]) {
        assert_eq!((change["class"].as_str(), change["pairs"].as_u64()), (Some("input"), Some(1)));
    }
    assert_eq!((told["pairs"].as_u64(), told["transformation_count"].as_u64()), (Some(2), Some(2)));
}

/// What is true of all traces: none is a positive for good, so nothing can be compared.
fn check_all(figure: &Figure, told: &Value) {
    let all = &told["all"];
    assert_eq!(all["has_positives"], false);
    for set in ["trans_pos", "all_pos", "only_neg", "only_pos", "cause_neg", "cause_pos"] {
        assert!(all["transitions"][set].is_null(), "{set}");
    }
    assert_eq!(figure.set(&all["transitions"]["all_neg"]).len(), 7);
}

/// Table 2 and both transformations.
#[test]
fn the_lock_program_in_c() {
    let figure = Figure::of(
        "c/lock_loop.c",
        &[
            (1, "int got_lock = 0;"),
            (2, "LOCK = 0; do {"),
            (3, "if (__VERIFIER_nondet_bool())"),
            (4, "lock();"),
            (5, "got_lock++"),
            (7, "if (got_lock != 0)"),
            (8, "unlock();"),
            (10, "got_lock--"),
            (11, "} while"),
        ],
    );
    for walk in ["bfs", "dfs", "heuristic"] {
        for depth in ["25", "30", "60"] {
            let report = report("c/lock_loop.c", &["--depth", depth, "--walk", walk]);
            let told = &report["methods"]["variations"];
            assert_eq!((told["negatives"].as_u64(), told["positives"].as_u64()), (Some(2), Some(1)));
            let sets = &told["transitions"];
            assert_eq!(figure.set(&sets["all_neg"]), ["1", "2", "3F", "7", "8", "10", "11T"]);
            assert_eq!(figure.set(&sets["all_pos"]), ["1", "2", "3T", "4", "5", "7", "8"]);
            assert_eq!(figure.set(&sets["only_neg"]), ["3F", "10", "11T"]);
            assert_eq!(sets["only_pos"], Value::Array(vec![]));
            assert_eq!(figure.set(&sets["cause_neg"]), ["3F", "10", "11T"]);
            assert_eq!(sets["cause_pos"], Value::Array(vec![]));
            check_transformations(&figure, told);
            check_all(&figure, told);
        }
    }
}

/// The same where choices are options that stand in lines of their own.
#[test]
fn the_lock_program_in_promela() {
    let lines = [
        (1, "got_lock = 0;"),
        (2, "LOCK = 0;"),
        (31, ":: true ->"),
        (4, "lock();"),
        (5, "got_lock++"),
        (30, ":: true"),
        (7, ":: got_lock != 0 ->"),
        (8, "unlock()"),
        (71, ":: else"),
        (10, "got_lock--"),
        (11, ":: goto again"),
    ];
    let figure = Figure::of("promela/lock_loop.pml", &lines);
    let report = report("promela/lock_loop.pml", &[]);
    let told = &report["methods"]["variations"];
    assert_eq!((told["negatives"].as_u64(), told["positives"].as_u64()), (Some(2), Some(1)));
    let sets = &told["transitions"];
    assert_eq!(figure.set(&sets["all_neg"]), ["1", "2", "7", "8", "10", "11", "30"]);
    assert_eq!(figure.set(&sets["all_pos"]), ["1", "2", "4", "5", "7", "8", "31"]);
    assert_eq!(figure.set(&sets["only_neg"]), ["10", "11", "30"]);
    assert_eq!(figure.set(&sets["cause_neg"]), ["10", "11", "30"]);
    assert_eq!((&sets["only_pos"], &sets["cause_pos"]), (&Value::Array(vec![]), &Value::Array(vec![])));
    // The options of line 3 and line 7 as one line each, as in the figure.
    let merged = lines.map(|(number, text)| (if number > 11 { number / 10 } else { number }, text));
    let merged = Figure::of("promela/lock_loop.pml", &merged);
    check_transformations(&merged, told);
    check_all(&figure, told);
}

#[test]
fn steps_are_compared_by_what_is_asked_for() {
    let sets = |project: &str| {
        let report = report("c/lock_loop.c", &["--project", project]);
        report["methods"]["variations"]["transitions"].clone()
    };
    // Without choices, what is chosen in line 3 makes no difference.
    let by_place = sets("location");
    let lines = |set: &Value| -> Vec<u64> {
        list(set).iter().map(|element| element["location"]["line"].as_u64().unwrap()).collect()
    };
    assert_eq!(lines(&by_place["cause_neg"]), [39, 40]);
    assert!(
        list(&by_place["cause_neg"])
            .iter()
            .all(|element| element["choice"].is_null() && element["thread"].is_null())
    );
    let by_thread = sets("thread");
    assert_eq!(list(&by_thread["all_neg"]).len(), 1);
    assert_eq!(by_thread["all_neg"][0]["thread"], "main:0");
    let by_action = sets("action,choice");
    let causes: Vec<&str> =
        list(&by_action["cause_neg"]).iter().map(|element| element["action"].as_str().unwrap()).collect();
    assert_eq!(causes, ["got_lock--", "if (__VERIFIER_nondet_bool())", "while (__VERIFIER_nondet_bool())"]);
}

/// Of a transition system only labels are known: nobody can say who moves.
#[test]
fn a_transition_system_has_variations_without_classes() {
    let report = report("lts/send_recv.aut", &["--property-file", "lts/no_second_send.mcl"]);
    let told = &report["methods"]["variations"];
    assert!(told["negatives"].as_u64().unwrap() > 0, "{told}");
    assert!(list(&told["transformations"]).iter().all(|change| change["class"].is_null()));
    for element in list(&told["transitions"]["trans_neg"]) {
        assert!(element["location"].is_null() && element["action"].is_string());
    }
}

fn facts(told: &Value, point: &str, kind: &str) -> Vec<String> {
    let points = list(&told["invariants"]);
    let point = points.iter().find(|known| known["point"] == point).unwrap();
    assert_eq!(point["exhaustive"], true);
    list(&point[kind]).iter().map(|fact| fact["fact"].as_str().unwrap().to_owned()).collect()
}

/// What truly differs at the points of the four-number sorter, over all 625 inputs.
#[test]
fn the_sorter_with_four_numbers() {
    let report = report("c/sort_four.c", &["--vars", "main.*"]);
    let told = &report["methods"]["variations"];
    let before = &told["invariants"][0];
    assert_eq!(
        (before["positive_samples"].as_u64(), before["negative_samples"].as_u64()),
        (Some(395), Some(230))
    );
    assert!(facts(told, "pre-sort", "negative").contains(&"main.a >= 1".to_owned()));
    let negative = facts(told, "post-sort", "negative");
    for fact in ["main.b < main.a", "main.b < main.d", "main.temp < main.d", "main.a >= 1"] {
        assert!(negative.contains(&fact.to_owned()), "{fact}: {negative:?}");
    }
    let positive = facts(told, "post-sort", "positive");
    assert!(positive.contains(&"main.a <= main.b".to_owned()), "{positive:?}");
    // The paper's table has these of one counterexample; over all inputs they do not hold.
    let all = [facts(told, "pre-sort", "negative"), facts(told, "pre-sort", "both")].concat();
    for fact in ["main.a <= main.b", "main.c < main.a", "main.c < main.b"] {
        assert!(!all.contains(&fact.to_owned()), "{fact}: {all:?}");
    }
}

/// With the comparison of a and b, the one of b and c is still missing.
#[test]
fn the_sorter_after_its_first_repair() {
    let folder = tempfile::tempdir().unwrap();
    let example = workspace().join("examples/c");
    let text = std::fs::read_to_string(example.join("sort_four.c")).unwrap();
    let (before, after) = text.split_once("    __WHEREFORE_point(\"post-sort\");").unwrap();
    let more = "    if (a > b) { temp = b; b = a; a = temp; }\n    __WHEREFORE_point(\"post-sort\");";
    std::fs::write(folder.path().join("again.c"), format!("{before}{more}{after}")).unwrap();
    std::fs::copy(example.join("verifier.h"), folder.path().join("verifier.h")).unwrap();
    let report = report_in(folder.path(), &["again.c"]);
    let told = &report["methods"]["variations"];
    let (negative, positive) = (facts(told, "post-sort", "negative"), facts(told, "post-sort", "positive"));
    assert!(negative.contains(&"main.c < main.b".to_owned()), "{negative:?}");
    assert!(positive.contains(&"main.b <= main.c".to_owned()), "{positive:?}");
}

/// Points can be lines, and samples can be written for Daikon.
#[test]
fn values_at_lines_and_for_daikon() {
    let folder = tempfile::tempdir().unwrap();
    let files = folder.path().join("daikon");
    let report = by_program(
        "c/sort_four.c",
        &["--points", "34", "--vars", "main.a,main.b", "--daikon", files.to_str().unwrap()],
    );
    let told = &report["methods"]["variations"];
    assert_eq!(list(&told["invariants"]).len(), 1);
    assert_eq!(facts(told, "34", "positive"), ["main.a <= main.b"]);
    let read = |name: &str| std::fs::read_to_string(files.join(name)).unwrap();
    assert!(
        read("negative.decls").contains("ppt 34:::POINT")
            && read("negative.decls").contains("variable main.a")
    );
    let samples = told["invariants"][0]["positive_samples"].as_u64().unwrap();
    assert_eq!(read("positive.dtrace").matches("34:::POINT").count() as u64, samples);
}

/// The words of `printf` in the events of the kernel, without its scheduler.
fn calls(steps: &Value) -> Vec<&str> {
    let word = |step: &Value| {
        let names = ["TimerInterrupt", "WaitUntilNextPeriod", "Delete", "SystemTick"];
        let action = step["action"].as_str().or_else(|| step["statement"].as_str()).unwrap().to_owned();
        names.into_iter().find(|name| action.contains(name))
    };
    list(steps).iter().filter_map(word).collect()
}

/// As the paper tells of DEOS: deleting is essential, but not enough; the shortest changes are one for waiting, and
/// a timer interrupt and a system tick before it.
#[test]
fn a_scheduler_with_time_partitions() {
    let report = report("promela/time_partition.pml", &[]);
    let told = &report["methods"]["variations"];
    for sets in [&told["transitions"], &told["all"]["transitions"]] {
        assert!(calls(&sets["all_neg"]).contains(&"Delete"));
        assert!(calls(&sets["trans_pos"]).contains(&"Delete"));
    }
    assert!(!calls(&told["transitions"]["all_pos"]).contains(&"Delete"));
    let changes: Vec<(Vec<&str>, Vec<&str>)> = list(&told["transformations"])
        .iter()
        .map(|change| (calls(&change["positive"]), calls(&change["negative"])))
        .collect();
    assert_eq!(changes[0], (vec!["WaitUntilNextPeriod"], vec!["Delete"]));
    let inserted = changes.iter().find(|(positive, _)| positive.is_empty()).unwrap();
    assert_eq!(inserted.1, ["TimerInterrupt", "SystemTick"]);
    assert!(changes.iter().position(|change| change == inserted).unwrap() < 4);
}

/// Errors that only another schedule makes.
#[test]
fn concurrency_errors_are_classified() {
    for (file, words) in [("promela/capture.pml", "mode = speed"), ("promela/planner.pml", "asleep[1] = ")] {
        let report = report(file, &[]);
        let changes = list(&report["methods"]["variations"]["transformations"]).to_vec();
        assert!(!changes.is_empty() && changes.iter().all(|change| change["class"] == "schedule"), "{file}");
        let first = &changes[0];
        assert_eq!(list(&first["positive"]).len(), 0, "{file}");
        let added: Vec<&str> =
            list(&first["negative"]).iter().map(|step| step["action"].as_str().unwrap()).collect();
        assert!(matches!(added[..], [only] if only.starts_with(words)), "{file}: {added:?}");
    }
    let threads = report("c/missed_signal.c", &[]);
    let changes = list(&threads["methods"]["variations"]["transformations"]).to_vec();
    assert!(!changes.is_empty() && changes.iter().all(|change| change["class"] == "schedule"));
}

/// Negatives are a suite: all fail, and with the fault mended none does.
#[test]
fn negatives_are_kept_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept");
    let report = by_program("c/lock_loop.c", &["--save-negatives", kept.to_str().unwrap()]);
    let count = report["methods"]["variations"]["negatives"].as_u64().unwrap();
    assert_eq!(std::fs::read_dir(&kept).unwrap().count() as u64, count);
    let example = workspace().join("examples/c");
    let text = std::fs::read_to_string(example.join("lock_loop.c")).unwrap();
    std::fs::copy(example.join("verifier.h"), folder.path().join("verifier.h")).unwrap();
    let mended = text.replace("            unlock();", "            unlock(); got_lock--;");
    let mended = mended.replace("        got_lock--;\n    } while", "        ;\n    } while");
    std::fs::write(folder.path().join("lock_loop.c"), &text).unwrap();
    std::fs::write(folder.path().join("mended.c"), mended).unwrap();
    let replayed = |file: &str| {
        let arguments = ["replay", file, "--trail", kept.to_str().unwrap(), "-f", "json"];
        let replays = json(&run(folder.path(), &arguments))["replays"].clone();
        list(&replays).iter().map(|replay| replay["result"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(replayed("lock_loop.c"), vec!["fails"; count as usize]);
    assert!(replayed("mended.c").iter().all(|result| result != "fails"));
}

/// The reports on faulty models of SPIN's package stand in the manual as they are printed.
#[test]
fn the_manual_has_the_reports_on_packaged_models() {
    let models = packaged_models();
    if models.is_empty() {
        return;
    }
    let mut text = String::new();
    for name in FAULTY {
        let model = models.iter().find(|model| model.name == *name).unwrap();
        let folder = model.path.parent().unwrap();
        let file = model.path.file_name().unwrap().to_str().unwrap();
        let printed = stdout(&run(folder, &["-m", "variations", file]));
        let begin = printed.find("\nvariations: ").unwrap_or_else(|| panic!("{name}: {printed}"));
        let section = printed[begin + 1..].split("\n\n").next().unwrap().trim_end();
        text.push_str(&format!("\n### `{name}`\n\n```text\n{section}\n```\n"));
    }
    let path = workspace().join("docs/variations.md");
    let manual = std::fs::read_to_string(&path).unwrap();
    let begin = manual.find("writes it anew).\n").unwrap() + "writes it anew).\n".len();
    if std::env::var("WHEREFORE_UPDATE").is_ok_and(|value| value == "1") {
        std::fs::write(&path, format!("{}{text}", &manual[..begin])).unwrap();
    } else {
        assert_eq!(&manual[begin..], text, "docs/variations.md is out of date");
    }
}

/// Where the failing step is taken by failing traces only, the nearest passing trace anywhere is told.
#[test]
fn without_positives_the_nearest_passing_trace_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "active proctype p() {\n  if\n  :: true -> skip; assert(false)\n  :: true -> skip; skip\n  fi\n}\n";
    std::fs::write(folder.path().join("split.pml"), text).unwrap();
    let report = report_in(folder.path(), &["split.pml"]);
    let told = &report["methods"]["variations"];
    assert_eq!((told["positives"].as_u64(), told["all"]["has_positives"].as_bool()), (Some(0), Some(false)));
    let nearest = &told["nearest_passing"];
    assert_eq!((nearest["common"].as_u64(), nearest["ending"].as_str()), (Some(0), Some("safe")));
    assert_eq!(nearest["steps"][0]["location"]["line"], 4);
}

/// A data race is the seed of a search that finds what it leads to, without exploring everything.
#[test]
fn a_search_near_a_data_race_finds_the_failure() {
    let folder = workspace().join("examples/c");
    let scratch = tempfile::tempdir().unwrap();
    let seed = scratch.path().join("race.json");
    let race = run(&folder, &["check", "hit_counter.c", "-p", "race", "-f", "json"]);
    assert_eq!(json(&race)["verdict"], "violated");
    std::fs::write(&seed, &race.stdout).unwrap();
    let near = ["hit_counter.c", "--near", seed.to_str().unwrap(), "--depth", "20"];
    let report = report_in(&folder, &near);
    assert_eq!(report["verdict"], "violated");
    assert_eq!(report["counterexample"]["kind"], "assertion");
    assert_eq!(report["statistics"]["complete"], false);
    let whole = report_in(&folder, &["hit_counter.c"]);
    assert!(report["statistics"]["states"].as_u64() < whole["statistics"]["states"].as_u64());
    let too_near = ["hit_counter.c", "--near", seed.to_str().unwrap(), "--depth", "1"];
    let report = report_in(&folder, &too_near);
    assert_eq!(report["verdict"], "unknown");
}

/// A missed wake-up between deciding to sleep and sleeping, as a transition system whose only label says nothing; where
/// the two processes stand is a variable.
const COUNTED: &str = r#"{"format": "wherefore-lts/1", "initial": [0], "states": 8,
"transitions": [[0, "step", 1], [0, "step", 2], [1, "step", 3], [3, "step", 4], [1, "step", 5], [5, "step", 6],
                [2, "step", 4], [4, "rest", 7], [7, "rest", 4]],
"variables": {"names": ["pc"], "values": [["<<\"check\", \"set\">>"], ["<<\"decided\", \"set\">>"],
              ["<<\"check\", \"done\">>"], ["<<\"wait\", \"set\">>"], ["<<\"done\", \"done\">>"],
              ["<<\"decided\", \"done\">>"], ["<<\"wait\", \"done\">>"], ["<<\"done\", \"done\">>"]]}}
"#;

#[test]
fn a_program_counter_tells_steps_of_a_transition_system_apart() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.json"), COUNTED).unwrap();
    let found = &report_in(folder.path(), &["t.json"])["methods"]["variations"];
    assert_eq!((found["negatives"].as_u64(), found["positives"].as_u64()), (Some(1), Some(1)), "{found}");
    let steps = |set: &Value| -> Vec<String> {
        list(set).iter().map(|step| step["statement"].as_str().unwrap().to_owned()).collect()
    };
    let transitions = &found["transitions"];
    assert_eq!(steps(&transitions["cause_neg"]), ["step (at pc[1] = \"set\")"]);
    let all = ["step (at pc[0] = \"check\")", "step (at pc[0] = \"decided\")", "step (at pc[1] = \"set\")"];
    assert_eq!(steps(&transitions["all_neg"]), all);
    // Without places there is one kind of step, and nothing separates traces.
    let bare = &report_in(folder.path(), &["t.json", "--project", "action"])["methods"]["variations"];
    assert_eq!(steps(&bare["transitions"]["all_neg"]), ["step"]);
    assert_eq!(steps(&bare["transitions"]["cause_neg"]), [""; 0]);
}
