//! What everybody can do to the program: names that act on a terminal, files that lead elsewhere, devices without an
//! end, pipes without a writer, little memory, signals.
#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::support::{json, run, stderr, stdout, wherefore};

const MODEL: &str = "byte x;\nactive proctype P() { x = 1; assert(x == 0) }\n";

/// ESC, BEL, a control character of C1, one that turns the direction, and a separator of lines.
const HOSTILE: &str = "a\u{1b}[31m\u{7}\u{9b}2J\u{202e}\u{2028}b";

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    std::fs::write(folder.join(name), text).unwrap();
}

fn is_tame(output: &Output) -> bool {
    let active = |letter: char| {
        letter.is_control() && letter != '\n' || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2028}')
    };
    !stdout(output).contains(active) && !stderr(output).contains(active)
}

/// The exit code, and how long it took.
fn timed(folder: &Path, arguments: &[&str]) -> (Option<i32>, Duration, String) {
    let started = Instant::now();
    let output = run(folder, arguments);
    (output.status.code(), started.elapsed(), stderr(&output))
}

#[test]
fn names_and_texts_do_nothing_to_a_terminal() {
    let folder = folder();
    let name = format!("{HOSTILE}.pml");
    write(folder.path(), &name, MODEL);
    write(folder.path(), "wrong.pml", format!("byte {HOSTILE} y;\n#include \"{HOSTILE}\"\n"));
    write(folder.path(), "wrong.aut", format!("des (0, 1, 2)\n(0, \"{HOSTILE}\", {HOSTILE})\n"));
    write(folder.path(), "label.aut", format!("des (0, 1, 2)\n(0, \"{HOSTILE}\", 1)\n"));
    write(folder.path(), "fine.pml", MODEL);
    let missing = format!("{HOSTILE}*");
    for arguments in [
        &["check", &name][..],
        &[&name],
        &["check", "wrong.pml"],
        &["check", "wrong.aut"],
        &["label.aut"],
        &["check", &missing],
        &["check", "fine.pml", "-p", HOSTILE],
        &["check", "fine.pml", "--engine", HOSTILE],
        &["check", "fine.pml", &format!("--{HOSTILE}")],
        &["check", "fine.pml", "-o", &format!("none/{HOSTILE}")],
        &["fine.pml", "--trail", &missing],
        &["fine.pml", "--since", &missing],
        &["contrast", "--good", &missing, "--bad", "fine.pml"],
    ] {
        let output = run(folder.path(), arguments);
        assert!(is_tame(&output), "{arguments:?}: {:?} {:?}", stdout(&output), stderr(&output));
        assert!(output.status.code().is_some_and(|code| code <= 2), "{arguments:?}");
    }
}

#[test]
fn reports_are_written_through_links_and_keep_what_a_file_allows() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    write(folder.path(), "m.pml", MODEL);
    write(folder.path(), "target.txt", "old");
    std::fs::set_permissions(path("target.txt"), std::fs::Permissions::from_mode(0o600)).unwrap();
    symlink("target.txt", path("link")).unwrap();
    symlink("link", path("link to link")).unwrap();
    symlink("new.txt", path("dangling")).unwrap();
    symlink("loop", path("loop")).unwrap();
    symlink("/dev/stdout", path("out")).unwrap();
    for (given, written) in [("link to link", "target.txt"), ("dangling", "new.txt")] {
        let output = run(folder.path(), &["check", "m.pml", "-o", given]);
        assert_eq!((output.status.code(), stderr(&output)), (Some(1), String::new()), "{given}");
        assert!(path(given).is_symlink(), "{given}");
        assert!(std::fs::read_to_string(path(written)).unwrap().starts_with("violated"), "{given}");
    }
    assert_eq!(path("target.txt").metadata().unwrap().permissions().mode() & 0o777, 0o600);
    for given in ["out", "/dev/stdout"] {
        let output = run(folder.path(), &["check", "m.pml", "-o", given]);
        assert!(stdout(&output).starts_with("violated"), "{given}: {}", stderr(&output));
    }
    assert!(path("out").is_symlink());
    // What a shell writes to a file before and after stays.
    let program = env!("CARGO_BIN_EXE_wherefore");
    let script = format!("{{ echo before; {program} check m.pml -o /dev/stdout; echo after; }} > all.txt");
    let shell = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).status().unwrap();
    assert!(shell.success());
    let all = std::fs::read_to_string(path("all.txt")).unwrap();
    assert!(all.starts_with("before\nviolated") && all.ends_with("\nafter\n"), "{all}");
    let output = run(folder.path(), &["check", "m.pml", "-o", "loop"]);
    assert_eq!(stderr(&output), "error: loop cannot be written: too many symbolic links lead to it\n");
    if Path::new("/dev/full").exists() {
        let output = run(folder.path(), &["check", "m.pml", "-f", "json", "-o", "/dev/full"]);
        assert!(
            stderr(&output).starts_with("error: /dev/full cannot be written: No space left"),
            "{output:?}"
        );
    }
    // Nothing is left beside what was asked for.
    let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().contains(".part")));
}

#[test]
fn nothing_that_is_read_is_written_over() {
    let folder = folder();
    write(folder.path(), "m.pml", "#include \"part.h\"\nactive proctype P() { x = 1; assert(x == 0) }\n");
    write(folder.path(), "part.h", "byte x;\n");
    write(folder.path(), "a.aut", "des (0, 1, 2)\n(0, \"a\", 1)\n");
    write(folder.path(), "p.mcl", "deadlock\n");
    run(folder.path(), &["m.pml", "-f", "json", "-o", "t.json"]);
    std::fs::hard_link(folder.path().join("m.pml"), folder.path().join("same.pml")).unwrap();
    for (arguments, over) in [
        (&["check", "m.pml", "-o", "m.pml"][..], "m.pml"),
        (&["check", "m.pml", "-o", "same.pml"], "m.pml"),
        (&["check", "m.pml", "-o", "part.h"], "part.h"),
        (&["m.pml", "--trail", "t.json", "-o", "t.json"], "t.json"),
        (&["m.pml", "--since", "t.json", "-f", "json", "-o", "t.json"], "t.json"),
        (&["check", "a.aut", "--property-file", "p.mcl", "-o", "p.mcl"], "p.mcl"),
        (&["replay", "m.pml", "--trail", "t.json", "-o", "t.json"], "t.json"),
        (&["verify", "t.json", "-o", "t.json"], "t.json"),
    ] {
        let before = std::fs::read(folder.path().join(over)).unwrap();
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(stderr(&output), format!("error: the report would overwrite {over}\n"), "{arguments:?}");
        assert_eq!(std::fs::read(folder.path().join(over)).unwrap(), before, "{arguments:?}");
    }
}

#[test]
fn a_line_directive_shows_no_file_that_was_not_read() {
    let folder = folder();
    write(folder.path(), "secret.txt", "the secret word\n");
    write(folder.path(), "own.h", "#define START /* of our own */ 1\n");
    write(folder.path(), "m.pml", format!("#include \"own.h\"\n#line 1 \"secret.txt\"\n{MODEL}"));
    write(
        folder.path(),
        "p.c",
        "#include <assert.h>\n#line 1 \"secret.txt\"\nint main(void) { int x = 1; assert(x == 0); return 0; }\n",
    );
    for file in ["m.pml", "p.c"] {
        let output = run(folder.path(), &[file, "-f", "html"]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(!stdout(&output).contains("secret word"), "{file}");
    }
    let output = run(folder.path(), &[&write_plain(folder.path()), "-f", "html"]);
    assert!(stdout(&output).contains("a comment to be shown"));
}

fn write_plain(folder: &Path) -> String {
    write(folder, "plain.pml", format!("/* a comment to be shown */ {MODEL}"));
    "plain.pml".to_owned()
}

#[test]
fn limits_end_what_has_no_end() {
    let folder = folder();
    write(folder.path(), "m.pml", MODEL);
    write(folder.path(), "includes.c", "#include \"pipe\"\nint main(void) { return 0; }\n");
    // A state of 120 kB for each of 30,000 steps.
    let locals = (0..30_000).map(|number| format!("int v{number} = {number};\n")).collect::<String>();
    write(folder.path(), "long.c", format!("int main(void) {{\n{}return 0; }}\n", locals));
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    for arguments in [
        &["check", "pipe"][..],
        &["check", "m.pml", "-o", "pipe"],
        &["m.pml", "--trail", "pipe"],
        &["check", "includes.c"],
        &["check", "long.c"],
    ] {
        let (code, time, told) = timed(folder.path(), &[arguments, &["--timeout", "300ms"]].concat());
        assert_eq!(code, Some(3), "{arguments:?}: {told}");
        assert!(told.contains("the time limit was reached"), "{arguments:?}: {told}");
        // The limit and half a second, and room for a machine that has other things to do.
        assert!(time < Duration::from_millis(2500), "{arguments:?}: {time:?}");
    }
    let (code, _, told) = timed(folder.path(), &["check", "/dev/zero", "--max-memory", "30M"]);
    assert_eq!(
        (code, &*told),
        (Some(3), "stopped: the memory limit was reached before there was anything more to tell\n")
    );
}

#[test]
fn one_signal_is_enough() {
    let folder = folder();
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    for signal in ["INT", "TERM", "HUP"] {
        let child = wherefore(folder.path()).args(["check", "pipe"]).stderr(Stdio::piped()).spawn().unwrap();
        // It listens from its first milliseconds on.
        std::thread::sleep(Duration::from_millis(300));
        let sent = Instant::now();
        let kill = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{signal}: {}", stderr(&output));
        assert!(sent.elapsed() < Duration::from_millis(2500), "{signal}: {:?}", sent.elapsed());
    }
}

/// However little memory there is: a partial answer, or a sentence. The smallest size is what the program itself needs.
#[test]
fn little_memory_ends_in_a_sentence() {
    const LARGE: &str = "byte n; bool b[22];
        active proctype P() { byte i; do :: b[i % 22] = 1 :: b[(i * 7) % 22] = 0 :: i++ :: i = i ^ 5 :: n++ od }
        active proctype M() { do :: atomic { b[0] && b[1] && b[2] && b[3] && b[4] && b[5] && n == 200 -> assert(0) } od }";
    let folder = folder();
    write(folder.path(), "large.pml", LARGE);
    for megabytes in [90, 100, 120, 150, 200, 250, 300, 400, 600, 1000] {
        for command in ["check", "explain"] {
            let program = env!("CARGO_BIN_EXE_wherefore");
            let limited = format!(
                "ulimit -v {}; exec {program} {command} large.pml --timeout 1 --threads 4 -f json",
                megabytes << 10
            );
            let output =
                Command::new("sh").args(["-c", &limited]).current_dir(folder.path()).output().unwrap();
            let told = stderr(&output);
            assert_eq!(output.status.code(), Some(3), "{command} with {megabytes} MB: {told}");
            if stdout(&output).is_empty() {
                assert!(told.starts_with("stopped: ") && told.lines().count() == 1, "{command}: {told}");
            } else {
                assert_eq!(json(&output)["verdict"], "unknown", "{command} with {megabytes} MB");
            }
        }
    }
}

#[test]
fn more_threads_than_there_are_do_not_hurt() {
    let folder = folder();
    write(folder.path(), "m.pml", MODEL);
    let output = run(folder.path(), &["check", "m.pml", "--threads", "100000"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
}

#[test]
fn a_reader_that_goes_away_is_no_reason_to_complain() {
    let folder = folder();
    let states = (0..20_000).map(|state| format!("({state}, \"step\", {})\n", state + 1)).collect::<String>();
    write(folder.path(), "long.aut", format!("des (0, 20000, 20001)\n{states}"));
    let mut child = wherefore(folder.path())
        .args(["convert", "long.aut", "-", "--to", "aut"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
}

#[test]
fn a_report_of_another_generation_is_no_trail() {
    let folder = folder();
    write(folder.path(), "m.pml", MODEL);
    run(folder.path(), &["m.pml", "-f", "json", "-o", "t.json"]);
    let report = std::fs::read_to_string(folder.path().join("t.json")).unwrap();
    write(folder.path(), "t2.json", report.replace("wherefore/1", "wherefore/2"));
    let output = run(folder.path(), &["m.pml", "--trail", "t2.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("a report of `wherefore/2`"), "{}", stderr(&output));
}

#[test]
fn no_other_program_is_started_if_that_is_forbidden() {
    let folder = folder();
    write(folder.path(), "p.c", "#include <no/such/header.h>\nint main(void) { return 0; }\n");
    write(folder.path(), "Main.java", "class Main { public static void main(String[] a) { } }\n");
    // Whoever is started would leave a trace.
    for name in ["cc", "javac"] {
        write(folder.path(), name, "#!/bin/sh\ntouch started\nexit 1\n");
        std::fs::set_permissions(folder.path().join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    for arguments in [&["check", "p.c"][..], &["check", "p.c", "--cc"], &["check", "Main.java"]] {
        let output = wherefore(folder.path())
            .args(arguments)
            .arg("--no-external")
            .env("PATH", folder.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!folder.path().join("started").exists(), "{arguments:?}");
    }
    let output = run(folder.path(), &["check", "p.c", "--open", "--no-external"]);
    assert!(stderr(&output).starts_with("error: --open starts a browser"), "{}", stderr(&output));
}
