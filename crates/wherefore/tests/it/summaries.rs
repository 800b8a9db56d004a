//! Programs searched by summaries: the same verdicts as with all states, and recursion without a bound.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{assert_honest, json, library, run, stderr, stdout, workspace};

fn examples() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(workspace().join("examples/c")).unwrap();
    let paths = folder.map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect();
    paths.retain(|path| !path.ends_with("inputs.c"));
    paths.sort();
    paths
}

/// The options that the header of a program names.
fn options(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let fields = text.lines().filter_map(|line| line.strip_prefix(" * options: "));
    fields.flat_map(str::split_whitespace).map(str::to_owned).collect()
}

fn checked(path: &Path, engine: &str) -> Value {
    let options = options(path);
    let mut arguments = vec!["check", path.to_str().unwrap(), "-f", "json", "--engine", engine];
    arguments.extend(options.iter().map(String::as_str));
    let output = run(&workspace(), &arguments);
    assert_ne!(output.status.code(), Some(2), "{}", stderr(&output));
    json(&output)
}

/// What is wrong, where and how near.
fn wrongs(report: &Value) -> Vec<(String, String, u64)> {
    let list = report["violations"].as_array().unwrap().iter();
    let told = list.map(|violation| {
        let place = violation["location"]["line"].to_string();
        (violation["text"].as_str().unwrap().to_owned(), place, violation["shortest"].as_u64().unwrap())
    });
    let mut told: Vec<_> = told.collect();
    told.sort();
    told
}

#[test]
fn summaries_and_states_agree_on_all_examples() {
    let mut compared = 0;
    // Stacks without a bound are for summaries only.
    for path in examples().iter().filter(|path| !path.ends_with("folder_walk.c")) {
        let by_summaries = checked(path, "summary");
        if by_summaries["engine"] == "explicit" {
            continue;
        }
        compared += 1;
        let by_states = checked(path, "explicit");
        assert_eq!(by_summaries["verdict"], by_states["verdict"], "{}", path.display());
        assert_eq!(wrongs(&by_summaries), wrongs(&by_states), "{}", path.display());
        let length = |report: &Value| report["counterexample"]["length"].clone();
        assert_eq!(length(&by_summaries), length(&by_states), "{}", path.display());
    }
    assert!(compared >= 20, "{compared}");
}

#[test]
fn recursion_without_a_bound_is_decided() {
    let path = workspace().join("examples/c/folder_walk.c");
    let report = library::report(&workspace(), &["explain", path.to_str().unwrap(), "-f", "json"]);
    assert_eq!((&report["engine"], &report["verdict"]), (&"summary".into(), &"violated".into()));
    assert_eq!(report["violations"][0]["location"]["line"], 25);
    assert_honest(&report);
    let depths: Vec<u64> = report["counterexample"]["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["depth"].as_u64().unwrap())
        .collect();
    assert_eq!(depths, [0, 1, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 3, 4]);
    let text = stdout(&run(&workspace(), &["check", path.to_str().unwrap()]));
    assert!(text.contains("line 44   | | visit_folder()\n"), "{text}");
    assert!(text.contains("line 49   | | | acquire()\n"), "{text}");
    // Mended, it holds at every depth.
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(workspace().join("examples/c/verifier.h"), folder.path().join("verifier.h")).unwrap();
    let source = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = source.lines().collect();
    lines[43] = "        release(), visit_folder(), acquire();";
    std::fs::write(folder.path().join("mended.c"), lines.join("\n") + "\n").unwrap();
    let mended = run(folder.path(), &["check", "mended.c", "-f", "json"]);
    assert_eq!(mended.status.code(), Some(0));
    let mended = json(&mended);
    assert_eq!((&mended["engine"], &mended["verdict"]), (&"summary".into(), &"holds".into()));
}

#[test]
fn where_summaries_do_not_apply_they_say_so_and_hand_over() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <assert.h>\nvoid f(int *p) { *p = 1; }\n\
                int main(void) { int x = 0; f(&x); assert(x == 0); return 0; }\n";
    std::fs::write(folder.path().join("t.c"), text).unwrap();
    let output = run(folder.path(), &["check", "t.c", "--engine", "summary", "-f", "json"]);
    let said = stderr(&output);
    assert!(said.contains("the address of a local variable leaves its function"), "{said}");
    let report = json(&output);
    assert_eq!((&report["engine"], &report["verdict"]), (&"explicit".into(), &"violated".into()));
    std::fs::write(folder.path().join("m.pml"), "init { assert(false) }\n").unwrap();
    let output = run(folder.path(), &["check", "m.pml", "--engine", "summary"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("for C programs"), "{}", stderr(&output));
}
