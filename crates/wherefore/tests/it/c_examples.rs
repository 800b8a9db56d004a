//! The programs of `examples/c`: each does what its header says, and where it fails, so does the binary that
//! gcc makes of it, in the same line and with the inputs that were found.

#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{assert_honest, json, library, run, stderr, workspace};

/// A program, and what its header says of it.
struct Example {
    path: PathBuf,
    text: String,
    expect: String,
    options: Vec<String>,
    faults: Vec<(usize, String)>,
    mends: Vec<(usize, String)>,
}

impl Example {
    fn name(&self) -> &str {
        self.path.file_name().unwrap().to_str().unwrap()
    }

    fn fails(&self) -> bool {
        self.expect != "holds"
    }

    fn has_threads(&self) -> bool {
        self.text.contains("pthread_create") || self.text.contains("thrd_create")
    }

    /// The program with the documented repair.
    fn mended(&self) -> String {
        let mut lines: Vec<&str> = self.text.lines().collect();
        for (line, text) in &self.mends {
            lines[line - 1] = text;
        }
        lines.join("\n") + "\n"
    }
}

fn folder() -> PathBuf {
    workspace().join("examples/c")
}

fn examples() -> Vec<Example> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .filter(|path| !path.ends_with("inputs.c"))
        .collect();
    paths.sort();
    paths.into_iter().map(read).collect()
}

fn read(path: PathBuf) -> Example {
    let text = std::fs::read_to_string(&path).unwrap();
    let header = text.split("*/").next().unwrap();
    let field = |name: &str| -> Vec<&str> {
        let start = format!(" * {name}: ");
        header.lines().filter_map(|line| line.strip_prefix(&start)).collect()
    };
    let line = |rest: &str| -> (usize, String) {
        let (number, rest) =
            rest.strip_prefix("line ").unwrap().split_at(rest[5..].find([' ', ':']).unwrap());
        (number.parse().unwrap(), rest.trim_start_matches([' ', ':']).to_owned())
    };
    let [expect] = field("expect")[..] else { panic!("{}: one `expect`", path.display()) };
    let faults = field("fault").into_iter().chain(field("also"));
    let quoted = |(number, rest): (usize, String)| {
        let end = rest.find("\": ").or_else(|| rest.rfind('"')).unwrap();
        (number, rest[1..end].to_owned())
    };
    let faults = faults.map(|rest| quoted(line(rest))).collect();
    let mends = field("mend").into_iter().map(line).collect();
    let options = field("options").into_iter().flat_map(str::split_whitespace).map(str::to_owned).collect();
    Example { expect: expect.to_owned(), options, faults, mends, path, text }
}

fn check(folder: &Path, example: &Example) -> (i32, Value) {
    let file = example.name();
    let options = example.options.iter().map(String::as_str);
    let output = run(folder, &["check", file, "-f", "json"].into_iter().chain(options).collect::<Vec<_>>());
    let code = output.status.code().unwrap();
    assert_ne!(code, 2, "{file}: {}", stderr(&output));
    (code, json(&output))
}

/// What was found, in the words of the header; of a race, both sides are equally near.
fn found(report: &Value) -> Vec<String> {
    let violations = report["violations"].as_array().unwrap();
    let nearest = violations.iter().filter_map(|violation| violation["shortest"].as_u64()).min();
    let Some(nearest) = nearest else { return vec![report["verdict"].as_str().unwrap().to_owned()] };
    let at_front = violations.iter().filter(|violation| violation["shortest"] == nearest);
    let told = at_front.map(|violation| match violation["location"]["line"].as_u64() {
        Some(line) => format!("{} line {line}", violation["kind"].as_str().unwrap()),
        None => violation["kind"].as_str().unwrap().to_owned(),
    });
    told.collect()
}

#[test]
fn there_are_sixty_and_half_of_them_fail() {
    let all = examples();
    assert!(all.len() >= 60, "{}", all.len());
    let failing = all.iter().filter(|example| example.fails()).count();
    assert!(failing.abs_diff(all.len() - failing) <= 4, "{failing} of {} fail", all.len());
}

#[test]
fn headers_quote_the_lines_they_blame() {
    for example in examples() {
        let lines: Vec<&str> = example.text.lines().collect();
        assert_eq!(example.fails(), !example.faults.is_empty(), "{}", example.name());
        assert_eq!(example.fails(), !example.mends.is_empty(), "{}", example.name());
        for (line, quoted) in &example.faults {
            assert_eq!(lines[line - 1].trim(), quoted, "{}", example.name());
        }
    }
}

#[test]
fn every_program_does_what_its_header_says() {
    for example in examples() {
        let (code, report) = check(&folder(), &example);
        assert!(found(&report).contains(&example.expect), "{}: {:?}", example.name(), found(&report));
        assert_eq!(code, i32::from(example.fails()), "{}", example.name());
    }
}

#[test]
fn failures_are_explained() {
    for example in examples().iter().filter(|example| example.fails()) {
        let options = example.options.iter().map(String::as_str);
        let arguments: Vec<&str> = [example.name(), "-f", "json"].into_iter().chain(options).collect();
        let report = library::report(&folder(), &arguments);
        assert_honest(&report);
        assert!(found(&report).contains(&example.expect), "{}: {:?}", example.name(), found(&report));
    }
}

#[test]
fn the_readme_lists_them_all() {
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    for example in examples() {
        let row = readme.lines().find(|line| line.starts_with(&format!("| `{}` |", example.name())));
        let row = row.unwrap_or_else(|| panic!("{} is missing", example.name()));
        assert!(row.contains(&format!("| {} |", example.expect)), "{row}");
        for (line, _) in &example.faults {
            assert!(row.contains(&format!("line {line}")), "{row}");
        }
    }
}

#[test]
fn the_documented_repair_makes_every_program_hold() {
    let scratch = tempfile::tempdir().unwrap();
    std::fs::copy(folder().join("verifier.h"), scratch.path().join("verifier.h")).unwrap();
    for example in examples().iter().filter(|example| example.fails()) {
        std::fs::write(scratch.path().join(example.name()), example.mended()).unwrap();
        let (_, report) = check(scratch.path(), example);
        assert_eq!(found(&report), ["holds"], "{}: {}", example.name(), report["reason"]);
    }
}

#[test]
fn the_binary_fails_in_the_same_line_with_the_inputs_that_were_found() {
    if Command::new("gcc").arg("--version").output().is_err() {
        assert_ne!(std::env::var("WHEREFORE_REQUIRE_TOOLS").as_deref(), Ok("1"), "there is no gcc");
        println!("skipped: there is no gcc");
        return;
    }
    let scratch = tempfile::tempdir().unwrap();
    let mut compared = 0;
    for example in examples().iter().filter(|example| example.fails() && !example.has_threads()) {
        let (_, report) = check(&folder(), example);
        let steps = report["counterexample"]["steps"].as_array().unwrap();
        let inputs = steps.iter().filter_map(|step| step["inputs"].as_array()).flatten();
        let inputs: String = inputs.map(|value| format!("{value}\n")).collect();
        let expected = example.expect.rsplit(' ').next().unwrap();
        let told = run_with(&example.path, &folder().join("inputs.c"), &inputs, scratch.path());
        assert_eq!(line_in(&told, example.name()), Some(expected), "{}: {told}", example.name());
        compared += 1;
    }
    assert!(compared >= 20, "{compared}");
}

#[test]
fn the_test_that_is_written_fails_in_the_same_line() {
    if Command::new("gcc").arg("--version").output().is_err() {
        assert_ne!(std::env::var("WHEREFORE_REQUIRE_TOOLS").as_deref(), Ok("1"), "there is no gcc");
        println!("skipped: there is no gcc");
        return;
    }
    let scratch = tempfile::tempdir().unwrap();
    let [test, values] = ["written.c", "values"].map(|name| scratch.path().join(name));
    let (mut compared, mut refused) = (0, 0);
    for example in examples().iter().filter(|example| example.fails()) {
        let emit = |form: &str, path: &Path| {
            let options = example.options.iter().map(String::as_str);
            let emit = ["check", example.name(), "--emit", form, "-o", path.to_str().unwrap()];
            run(&folder(), &emit.into_iter().chain(options).collect::<Vec<_>>())
        };
        let output = emit("c-test", &test);
        if example.has_threads() {
            assert_eq!(output.status.code(), Some(2), "{}", example.name());
            assert!(stderr(&output).contains("in which order they move"), "{}", stderr(&output));
            refused += 1;
            continue;
        }
        assert_eq!(output.status.code(), Some(1), "{}: {}", example.name(), stderr(&output));
        let expected = example.expect.rsplit(' ').next().unwrap();
        let told = run_with(&example.path, &test, "", scratch.path());
        assert_eq!(line_in(&told, example.name()), Some(expected), "{}: {told}", example.name());

        emit("inputs", &values);
        let options = example.options.iter().map(String::as_str);
        let again = ["check", example.name(), "-f", "json", "--inputs", values.to_str().unwrap()];
        let again = json(&run(&folder(), &again.into_iter().chain(options).collect::<Vec<_>>()));
        assert!(found(&again).contains(&example.expect), "{}: {:?}", example.name(), found(&again));
        compared += 1;
    }
    assert!(compared >= 20 && refused >= 5, "{compared} {refused}");
}

/// What the binary says when it is given these inputs.
fn run_with(program: &Path, harness: &Path, inputs: &str, scratch: &Path) -> String {
    let binary = scratch.join("program");
    let flags = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o"];
    let compiled = Command::new("gcc").args(flags).arg(&binary).arg(program).arg(harness).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let mut child = Command::new(&binary)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .spawn()
        .unwrap();
    // A program that fails early does not read them all.
    let _ = child.stdin.take().unwrap().write_all(inputs.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert!(!output.status.success(), "{}: the binary does not fail", program.display());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The first line of the program that a message names.
fn line_in<'a>(told: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = told.split_once(&format!("{name}:"))?;
    rest.split(|c: char| !c.is_ascii_digit()).next()
}
