//! `contrast` as scripts and people meet it: exit codes, formats, compression, bad input.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use crate::support::{assert_honest, json, run, stderr, stdout};

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Two passing runs and a failing one that does the same in another order.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "good/1.log", "open 1\nwrite 22\nclose 1\n");
    write(folder.path(), "good/2.log", "open 2\nwrite 23\nwrite 24\nclose 2\n");
    write(folder.path(), "bad/1.log", "open 3\nclose 3\nwrite 25\n");
    folder
}

const SETS: [&str; 5] = ["contrast", "--good", "good", "--bad", "bad"];

#[test]
fn exit_codes_and_honest_reports() {
    let folder = folder();
    let output = run(folder.path(), &[&SETS[..], &["-f", "json"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let report = json(&output);
    assert_honest(&report);
    assert_eq!(report["verdict"], "violated");
    let anomalies = &report["methods"]["anomalies"];
    assert_eq!((&anomalies["count"], &anomalies["length"]), (&2.into(), &2.into()));
    assert_eq!(anomalies["anomalies"][0]["events"][1]["action"], "close #");
    assert_eq!(anomalies["anomalies"][0]["line"], 1);

    write(folder.path(), "bad/1.log", "open 3\nwrite 25\nclose 3\n");
    let output = run(folder.path(), &[&SETS[..], &["-f", "json"]].concat());
    assert_eq!(output.status.code(), Some(0));
    let report = json(&output);
    assert_honest(&report);
    assert_eq!((&report["verdict"], &report["methods"]["anomalies"]["length"]), (&"holds".into(), &3.into()));

    let output = run(folder.path(), &[&SETS[..], &["--timeout", "0s", "-f", "json"]].concat());
    assert_eq!(output.status.code(), Some(3));
    let report = json(&output);
    assert_eq!((&report["verdict"], &report["statistics"]["complete"]), (&"unknown".into(), &false.into()));
}

#[test]
fn bad_sets_are_exit_2_with_a_reason() {
    let folder = folder();
    let path = folder.path();
    std::fs::create_dir(path.join("none")).unwrap();
    write(path, "empty.log", "");
    write(path, "blank.log", "\n  \n\r\n");
    write(path, "packed.log", b"\xfd7zXZ\0\x00\x04more");
    write(path, "wide.log", b"\xff\xfea\0b\0\n\0");
    write(path, "binary.log", b"\x7fELF\0\0\0");
    write(path, "list.json", "[{\"event\":1}]\n");
    write(path, "odd.jsonl", "{\"x\":1}\n");
    write(path, "x.csv", "time,what\n1,a\n");
    write(path, "log.gz", b"\x1f\x8b\x08\x00");
    let cases: [(&[&str], &str); 20] = [
        (&["--good", "good"], "--bad"),
        (&["--good", "good", "--bad", "none"], "--bad none: the folder contains no files"),
        (&["--good", "good", "--bad", "absent.log"], "absent.log cannot be opened"),
        (&["--good", "good", "--bad", "*.nothing"], "no file matches the pattern"),
        (&["--good", "good", "--bad", "[.log"], "not a pattern"),
        (&["--good", "good", "--bad", "-"], "standard input cannot be used"),
        (&["--good", "good", "--bad", "/dev/null"], "not a regular file"),
        (&["--good", "good", "--bad", "empty.log"], "the failing traces have no events"),
        (&["--good", "blank.log", "--bad", "bad"], "the passing traces have no events"),
        (
            &["--good", "good", "--bad", "bad", "good/1.log"],
            "given as a log of failing runs and of passing ones",
        ),
        (&["--good", "good", "--bad", "packed.log"], "compressed with xz, which is not read; `xz -d`"),
        (&["--good", "good", "--bad", "wide.log"], "wide.log:1:1: this is UTF-16"),
        (&["--good", "good", "--bad", "binary.log"], "binary.log:1:1: this is not text"),
        (&["--good", "good", "--bad", "list.json"], "jq -c"),
        (&["--good", "good", "--bad", "odd.jsonl"], "which member has the event? There are `x`"),
        (&["--good", "good", "--bad", "x.csv"], "which column has the event? There are `time`, `what`"),
        (&["--good", "good", "--bad", "bad", "--trace-field", "id"], "plain text has no field `id`"),
        (&["--good", "good", "--bad", "bad", "--order", "process"], "--process-field"),
        (&["--good", "good", "--bad", "bad", "--mask", "("], "--mask"),
        (&["--good", "good", "--bad", "log.gz"], "no events: log.gz: the compressed data is damaged"),
    ];
    for (arguments, why) in cases {
        let output = run(path, &[&["contrast"], arguments].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(why), "{arguments:?}: {said}");
        assert!(!said.contains("panicked"), "{said}");
    }
    let line = run(path, &[&SETS[..], &["--line", "(?<trace>x)"]].concat());
    assert!(stderr(&line).contains("no group (?<event>..)"), "{}", stderr(&line));
    let over = run(path, &[&SETS[..], &["-o", "bad/1.log"]].concat());
    assert!(stderr(&over).contains("would overwrite"), "{}", stderr(&over));
}

#[test]
fn broken_lines_are_counted_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "good.jsonl", "{\"event\":\"a\"}\n{\"event\":\"b\"}\n");
    write(folder.path(), "bad.jsonl", "{\"event\":\"b\"}\n{\"event\":\n\n[]\n{\"x\":1}\n{\"event\":\"a\"}\n");
    let arguments = ["contrast", "--good", "good.jsonl", "--bad", "bad.jsonl"];
    let text = stdout(&run(folder.path(), &arguments));
    assert!(text.contains("3 of 6 lines of the failing logs are not records"), "{text}");
    for line in ["bad.jsonl:2: not JSON", "bad.jsonl:4: ", "bad.jsonl:5: no member `event`"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(text.contains("only one failing trace") && text.contains("only one passing trace"), "{text}");
    let report = json(&run(folder.path(), &[&arguments[..], &["-f", "json"]].concat()));
    assert_eq!(report["statistics"]["bad"]["broken_lines"], 3);
    assert_eq!(report["statistics"]["bad"]["broken"][0]["line"], 2);
    // Broken lines do not make neighbours of what they stood between, nor hide it: `b` and then `a`.
    assert_eq!(report["methods"]["anomalies"]["count"], 1);
}

#[test]
fn other_encodings_and_damaged_archives_are_told() {
    let folder = folder();
    write(folder.path(), "good/1.log", b"open 1\nna\xefve 22\nclose 1\n");
    write(folder.path(), "bad/2.log", "naïve 3\nopen 3\n");
    let text = stdout(&run(folder.path(), &SETS));
    assert!(
        text.contains("1 of 3 lines of the passing logs are not UTF-8 and were read as Latin-1")
            || text.contains("1 of 7 lines"),
        "{text}"
    );
    assert!(!text.contains("naïve #   <- in no passing trace"), "{text}");

    let lines: String = (0..20_000).map(|n| format!("open {n}\nwrite {n} {}\n", n * 7919 % 1000)).collect();
    write(folder.path(), "bad/3.log", lines);
    let packed = Command::new("gzip").arg("bad/3.log").current_dir(folder.path()).status().unwrap();
    assert!(packed.success());
    let path = folder.path().join("bad/3.log.gz");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let report = json(&run(folder.path(), &[&SETS[..], &["-f", "json"]].concat()));
    let notes = report["notes"].to_string();
    assert!(notes.contains("bad/3.log.gz: the compressed data is damaged: it ends early"), "{notes}");
    assert!(report["statistics"]["bad"]["events"].as_u64().unwrap() > 1_000);
}

#[test]
fn rows_and_plain_lines_with_parts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(path, "good.csv", "id;who;what\n1;p;\"a; b\"\n1;p;\"c\nd\"\n2;p;x\n");
    write(path, "bad.csv", "\u{feff}id;who;what\n7;p;\"c\nd\"\n7;p;\"a; b\"\n8;q\n");
    let arguments =
        "contrast --good good.csv --bad bad.csv --trace-field id --process-field who --event-field what";
    let arguments: Vec<&str> = arguments.split(' ').chain(["-f", "json"]).collect();
    let report = json(&run(path, &arguments));
    let found = &report["methods"]["anomalies"];
    assert_eq!((&found["count"], &found["counterexamples"][0]["trace"]), (&1.into(), &"7".into()));
    assert_eq!(found["anomalies"][0]["events"][0]["action"], "c\nd");
    assert_eq!(found["anomalies"][0]["events"][0]["process"], "p");
    assert_eq!(found["anomalies"][0]["line"], 2);
    assert_eq!(report["statistics"]["bad"]["broken"][0]["line"], 5);

    write(path, "good.log", "[r1] open 7\n[r2] open 8\n[r1] close\n[r2] close\n");
    write(path, "bad.log", "[r3] open 9\n[r4] close\n[r4] open 9\n[r3] close\nnoise\n");
    let line = r"^\[(?<trace>\w+)\] (?<event>.*)$";
    let sets = ["contrast", "--good", "good.log", "--bad", "bad.log"];
    let report = json(&run(path, &[&sets[..], &["--line", line, "-f", "json"]].concat()));
    let found = &report["methods"]["anomalies"];
    assert_eq!((&found["count"], &found["counterexamples"][0]["trace"]), (&1.into(), &"r4".into()));
    assert_eq!(report["statistics"]["bad"]["broken"][0]["reason"], "the line does not match the pattern");
    // Own masks, and more tolerance than there are differences.
    let masked = run(path, &[&sets[..], &["--mask", "open.*|close", "--line", line]].concat());
    assert_eq!(masked.status.code(), Some(0), "{}", stdout(&masked));
    let tolerant = run(path, &[&sets[..], &["--tolerance", "100", "--line", line, "-f", "json"]].concat());
    assert_eq!(json(&tolerant)["methods"]["anomalies"]["count"], 2);
}

#[test]
fn a_file_given_twice_is_read_once() {
    let folder = folder();
    let output =
        run(folder.path(), &["contrast", "--good", "good", "good/*.log", "--bad", "bad", "-f", "json"]);
    assert!(stderr(&output).contains("given twice"), "{}", stderr(&output));
    assert_eq!(json(&output)["methods"]["anomalies"]["good"]["traces"], 2);
}
