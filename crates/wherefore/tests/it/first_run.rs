//! What a new user meets first: names that do not occur, files of any name, options that do not go together, errors that
//! point somewhere (issue 21).
#![allow(clippy::unwrap_used)]

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use crate::support::{json, library, run, stderr, stdout, wherefore};

const MODEL: &str = "/* one counter */ byte count, limit, other;
active proctype P() { count = 1; assert(count == 1) }
ltl bounded { [] (count < 3) }
";
const SYSTEM: &str = "des (0, 2, 3)\n(0, \"SEND\", 1)\n(1, \"RECEIVE\", 2)\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "model.pml", MODEL);
    write(folder.path(), "system.aut", SYSTEM);
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

/// The message of a command that is refused.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
    assert_eq!(stdout(&output), "", "{arguments:?}");
    stderr(&output)
}

#[test]
fn a_label_that_does_not_occur_is_an_error_unless_it_is_meant() {
    let folder = folder();
    let formula = ["system.aut", "-p", "[ true* . \"RECIEVE\" ] false"];
    let told = refused(folder.path(), &formula);
    assert!(told.contains("error: no label matches \"RECIEVE\""), "{told}");
    assert!(told.contains("did you mean"), "{told}");
    assert!(told.contains("the labels are `SEND`, `RECEIVE`"), "{told}");
    assert!(told.contains("--allow-unknown"), "{told}");
    let meant = run(folder.path(), &[&formula[..], &["--allow-unknown"]].concat());
    assert_eq!(meant.status.code(), Some(0));
    assert!(stderr(&meant).contains("warning: no label matches"), "{}", stderr(&meant));
}

#[test]
fn a_name_that_does_not_occur_comes_with_a_guess_and_a_list() {
    let folder = folder();
    let told = refused(folder.path(), &["model.pml", "-p", "bonded"]);
    let expected = "`bonded` is no formula of the file, and no variable: did you mean `bounded`? the formulas and \
                    claims of the file are `bounded`";
    assert!(told.contains(expected), "{told}");
    let told = refused(folder.path(), &["model.pml", "-p", "[] (cuont < 3)"]);
    assert!(told.contains("`cuont` is not declared"), "{told}");
    let told = refused(folder.path(), &["model.pml", "-p", "99"]);
    assert!(told.contains("there is no line 99: the file has 3"), "{told}");
    write(folder.path(), "program.c", "void fail(void) {}\nint main(void) { fail(); return 0; }\n");
    let told = refused(folder.path(), &["program.c", "-p", "fial"]);
    assert!(told.contains("`fial` is not a function that `main` can reach: did you mean `fail`?"), "{told}");
    let told = refused(folder.path(), &["program.c", "-p", "77"]);
    assert!(told.contains("there is no line 77: the file has 2"), "{told}");
}

#[test]
fn misspelt_words_come_with_a_guess_and_errors_with_the_place_in_the_own_file() {
    let folder = folder();
    write(folder.path(), "program.c", "#include <assert.h>\nint main(void) { assert(1); return 0; }\n\n");
    let told = refused(folder.path(), &["program.c", "-p", "deadlok"]);
    assert!(told.contains("did you mean `deadlock`?"), "{told}");
    assert!(told.contains("properties are `deadlock`, `assertion`, `fault`, `overflow`, `race`"), "{told}");
    assert!(!told.contains("__WHEREFORE"), "names of our own are not listed: {told}");
    let told = refused(folder.path(), &["program.c", "-p", "3"]);
    assert!(told.contains("there is no statement in line 3"), "{told}");
    let told = refused(folder.path(), &["model.pml", "-p", "fualt"]);
    assert!(told.contains("did you mean `fault`?"), "{told}");
    let told = refused(folder.path(), &["model.pml", "-p", "[] count < 3 &&"]);
    assert!(!told.contains('}'), "a brace that nobody typed: {told}");
    let told = refused(folder.path(), &["chek", "model.pml"]);
    assert!(told.contains("'check'"), "{told}");
    let told = refused(folder.path(), &["model.pml", "--violation", "two"]);
    assert!(told.contains("`two` is not a number"), "{told}");
    let told = refused(folder.path(), &["model.pml", "--trail", "none.trail"]);
    assert_eq!(told.matches("none.trail").count(), 1, "{told}");
    write(folder.path(), "library.c", "#include <assert.h>\nint f(void) { return 0; }\n");
    let told = refused(folder.path(), &["library.c"]);
    assert!(told.contains("library.c:2:"), "{told}");
    run(folder.path(), &["model.pml", "-o", "report.json"]);
    let report = std::fs::read_to_string(folder.path().join("report.json")).unwrap();
    assert!(report.starts_with('{'), "the ending of the name says the format: {report}");
}

#[test]
fn the_content_tells_where_the_name_does_not() {
    let folder = folder();
    for name in ["model.xyz", "model", "model.spin"] {
        write(folder.path(), name, MODEL);
        let report = json(&run(folder.path(), &["check", name, "-f", "json"]));
        assert_eq!(
            (report["input"]["kind"].as_str(), report["verdict"].as_str()),
            (Some("promela"), Some("holds"))
        );
    }
    let mut child = wherefore(folder.path())
        .args(["check", "-", "-f", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(MODEL.as_bytes()).unwrap();
    let report = json(&child.wait_with_output().unwrap());
    assert_eq!(report["input"]["kind"], "promela");
    std::fs::write(folder.path().join("tool"), b"\x7fELF\x02\x01\x01\0").unwrap();
    let told = refused(folder.path(), &["tool"]);
    assert!(told.contains("tool is a binary file (an executable or object file)"), "{told}");
}

#[test]
fn what_could_only_be_ignored_is_refused() {
    let folder = folder();
    let cases: [(&[&str], &str); 10] = [
        (
            &["model.pml", "-f", "json", "--open"],
            "--open shows the HTML report, and -f json asks for another one",
        ),
        (
            &["model.pml", "-f", "html", "--emit", "trail"],
            "--emit trail writes the counterexample instead of a report",
        ),
        (&["model.pml", "--open", "--emit", "trail"], "leave --open out"),
        (&["model.pml", "-m", "diagnosis", "--length", "3"], "--length is for the method anomalies"),
        (&["model.pml", "-m", "anomalies", "--vars", "x"], "--vars is for the method variations"),
        (&["model.pml", "--edges"], "--edges lists edges in the JSON report"),
        (&["model.pml", "--entry", "f"], "--entry is for C programs, not for models"),
        (
            &["system.aut", "--unreached"],
            "--unreached is for models and programs, not for transition systems",
        ),
        (&["model.pml", "-o", "missing/report.json"], "there is no folder missing"),
        (&["convert", "model.pml", "missing/model.aut"], "there is no folder missing"),
    ];
    for (arguments, expected) in cases {
        let told = refused(folder.path(), arguments);
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
}

#[test]
fn errors_of_replay_go_where_errors_go() {
    let folder = folder();
    write(folder.path(), "empty.json", "");
    let output = run(folder.path(), &["replay", "model.pml", "--trail", "empty.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains("empty.json: the trail is empty"), "{}", stderr(&output));
}

#[test]
fn colours_are_forced_and_refused_by_the_environment() {
    let folder = folder();
    let text = |variables: &[(&str, &str)]| {
        let mut command = wherefore(folder.path());
        command.args(["check", "model.pml"]).envs(variables.iter().copied());
        stdout(&command.output().unwrap())
    };
    assert!(!text(&[]).contains('\u{1b}'));
    assert!(text(&[("CLICOLOR_FORCE", "1")]).contains('\u{1b}'));
    assert!(!text(&[("CLICOLOR_FORCE", "0")]).contains('\u{1b}'));
    assert!(!text(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).contains('\u{1b}'));
}

#[test]
fn an_error_of_a_preprocessed_program_points_into_the_users_file() {
    let folder = folder();
    write(
        folder.path(),
        "program.c",
        "#include <limits.h>\nint main(void) {\n    int x = y + 1;\n    return x;\n}\n",
    );
    let output = run(folder.path(), &["program.c", "--cc"]);
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    if told.contains("cannot be run") {
        return;
    }
    assert!(told.contains("program.c:3:13"), "{told}");
    assert!(!told.contains("program.i:"), "{told}");
}

#[test]
fn a_missing_parenthesis_is_missed_where_it_belongs() {
    let folder = folder();
    let told = refused(folder.path(), &["system.aut", "-p", "[ true* . (\"SEND\" | \"RECEIVE\" ] false"]);
    // Before the bracket that closes what is around it: column 31.
    assert!(told.contains("1:31"), "{told}");
    let told = refused(folder.path(), &["model.pml", "-p", "[] (count < 3"]);
    assert!(told.contains("1:14") && told.contains("expected `)`"), "{told}");
}

#[test]
fn the_time_is_that_of_the_whole_run() {
    let folder = folder();
    let wrong = MODEL.replace("count = 1; assert(count == 1)", "count = limit + 1; assert(count == 2)");
    write(folder.path(), "wrong.pml", &wrong);
    let before = std::time::Instant::now();
    let report = library::report(folder.path(), &["wrong.pml", "--repair"]);
    let all = before.elapsed().as_secs_f64();
    let told = report["statistics"]["seconds"].as_f64().unwrap();
    let searched = report["statistics"]["search_seconds"].as_f64().unwrap();
    assert!(searched < told && told <= all, "{searched} {told} {all}");
    assert!(report["repairs_tried"].as_u64().unwrap() > 0);
}
