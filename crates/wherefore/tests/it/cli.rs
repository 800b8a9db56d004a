//! The command line as scripts and people meet it: exit codes, limits, signals, bad input.

#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::support::{assert_honest, json, run, stderr, stdout, wherefore, workspace};

const FORBIDDEN: &str = r#"[ true* . "b" ] false"#;

/// A folder with a small system that can do `b` after any number of `a`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "model.aut", "des (0, 3, 3)\n(0, \"a\", 0)\n(0, \"b\", 1)\n(0, \"c\", 2)\n");
    folder
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    std::fs::write(folder.join(name), text).unwrap();
}

/// A ring of `states` states whose last step but one is `b`.
fn ring(states: u32) -> String {
    let mut text = format!("des (0, {states}, {states})\n");
    for state in 0..states {
        let label = if state + 2 == states { "b" } else { "a" };
        text.push_str(&format!("({state}, \"{label}\", {})\n", (state + 1) % states));
    }
    text
}

#[test]
fn exit_codes() {
    let folder = folder();
    let code = |arguments: &[&str]| run(folder.path(), arguments).status.code().unwrap();
    assert_eq!(code(&["check", "model.aut", "-p", r#"[ true* . "d" ] false"#, "--allow-unknown"]), 0);
    assert_eq!(code(&["check", "model.aut", "-p", FORBIDDEN]), 1);
    assert_eq!(code(&["model.aut", "-p", FORBIDDEN]), 1);
    assert_eq!(code(&["check", "model.aut", "--no-such-flag"]), 2);
    assert_eq!(code(&["check", "absent.aut"]), 2);
    assert_eq!(code(&[]), 2);
    assert_eq!(code(&["--help"]), 0);
    write(folder.path(), "ring.aut", ring(1000));
    assert_eq!(code(&["check", "ring.aut", "-p", FORBIDDEN, "--max-states", "10"]), 3);
    assert_eq!(code(&["convert", "model.aut", "out.csv"]), 0);
}

#[test]
fn a_state_limit_ends_in_a_labelled_partial_answer() {
    let folder = folder();
    write(folder.path(), "ring.aut", ring(1000));
    let output = run(folder.path(), &["ring.aut", "-p", FORBIDDEN, "--max-states", "10", "-f", "json"]);
    let report = json(&output);
    assert_honest(&report);
    assert_eq!(report["verdict"], "unknown");
    assert_eq!(report["statistics"]["complete"], false);
    assert!(report["reason"].as_str().unwrap().contains("10 states"), "{}", report["reason"]);

    // A violation found before the limit is told, and what was not explored stays unknown.
    write(folder.path(), "near.aut", "des (0, 4, 5)\n(0, b, 1)\n(0, a, 2)\n(2, a, 3)\n(3, a, 4)\n");
    let output = run(folder.path(), &["near.aut", "-p", FORBIDDEN, "--max-states", "3", "-f", "json"]);
    let report = json(&output);
    assert_honest(&report);
    assert_eq!((&report["verdict"], output.status.code()), (&"violated".into(), Some(1)));
    assert_eq!(report["methods"]["neighbourhoods"]["exactness"], "bounded");
    assert!(report["fates"]["unknown"].as_u64().unwrap() > 0, "{}", report["fates"]);
}

#[test]
fn time_and_memory_limits_end_with_exit_3() {
    let folder = folder();
    write(folder.path(), "ring.aut", ring(400_000));
    for limit in [["--timeout", "1ms"], ["--max-memory", "1K"]] {
        let output = run(folder.path(), &["ring.aut", "-p", FORBIDDEN, limit[0], limit[1], "-f", "json"]);
        let report = json(&output);
        assert_eq!((&report["verdict"], output.status.code()), (&"unknown".into(), Some(3)), "{limit:?}");
        assert!(report["reason"].as_str().unwrap().contains("limit was reached"), "{}", report["reason"]);
    }
    let output = run(folder.path(), &["reduce", "ring.aut", "out.aut", "--timeout", "1ms"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(!folder.path().join("out.aut").exists());
}

/// Ctrl-C ends a run with what is known so far and exit code 3.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_what_is_known() {
    let folder = folder();
    let child = wherefore(folder.path())
        .args(["-", "--lang", "aut", "-p", FORBIDDEN, "-f", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut child = child;
    let mut stdin = child.stdin.take().unwrap();
    // The program is up and listening once it has taken more than a pipe holds.
    stdin.write_all(ring(400_000).as_bytes()).unwrap();
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    // The signal must have been seen before the input ends and the work begins.
    std::thread::sleep(std::time::Duration::from_millis(200));
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let report = json(&output);
    assert_eq!(report["verdict"], "unknown");
    assert!(report["reason"].as_str().unwrap().contains("interrupted"), "{}", report["reason"]);
}

#[test]
fn bad_input_is_exit_2_with_a_place_and_never_a_panic() {
    let folder = folder();
    let cases: [(&str, &str, &[u8]); 12] = [
        ("empty.aut", ":1:1:", b""),
        ("garbage.aut", ":1:1:", &[0x7f, b'E', b'L', b'F', 0, 1, 2, 3, 0xff]),
        ("truncated.aut", ":2:", b"des (0, 1, 2)\n(0, \"a\""),
        ("quotes.aut", ":2:", b"des (0, 1, 2)\n(0, \"a, 1)\n(1, b\", \n"),
        ("negative.aut", ":2:", b"des (0, 1, 2)\n(-1, a, 1)\n"),
        ("huge.aut", ":2:", b"des (0, 1, 2)\n(99999999999999999999999999, a, 1)\n"),
        ("initial.aut", ":1:", b"des (, 1, 2)\n(0, a, 1)\n"),
        ("probabilistic.aut", ":2:", b"des (0, 1, 2)\n(0, a, 0 1/2 1)\n"),
        ("broken.dot", ":1:", b"digraph {"),
        ("broken.json", ":1:", b"{\"format\":\"wherefore-lts/1\",\"initial\":[0"),
        ("broken.fsm", ":1:", b"x(2\n"),
        ("broken.csv", ":2:", b"src,dst,label\n0,1\n"),
    ];
    for (name, place, bytes) in cases {
        write(folder.path(), name, bytes);
        let output = run(folder.path(), &[name]);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{name}: {message}");
        assert!(message.starts_with(&format!("error: {name}{place}")), "{name}: {message}");
        assert!(!message.contains("panicked"), "{name}: {message}");
        assert!(output.stdout.is_empty(), "{name}");
    }
    for formula in [
        "",
        "[",
        "[ true* . ] false",
        "[ \"unclosed ] false",
        "[ 'a[' ] false",
        "\u{1}\u{1f600}",
        "<\"a\"> true",
    ] {
        let output = run(folder.path(), &["model.aut", "-p", formula]);
        assert_eq!(output.status.code(), Some(2), "{formula}: {}", stderr(&output));
        assert!(stderr(&output).contains("the property:1:"), "{formula}: {}", stderr(&output));
    }
    let deep = "(".repeat(200_000);
    write(folder.path(), "deep.mcl", &deep);
    let output = run(folder.path(), &["model.aut", "--property-file", "deep.mcl"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn standard_input_and_output_are_files_too() {
    let folder = folder();
    let mut child = wherefore(folder.path())
        .args(["convert", "-", "-", "--to", "csv"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"des (0, 1, 2)\n(0, \"a\", 1)\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).lines().any(|line| line.starts_with("0,1,")), "{}", stdout(&output));
}

#[test]
fn every_format_converts_to_every_other_and_back() {
    let folder = folder();
    let formats = ["aut", "dot", "csv", "fsm", "json"];
    for first in formats {
        for second in formats {
            let (one, two) = (format!("one.{first}"), format!("two.{second}"));
            for step in [["model.aut", &one], [&one, &two], [&two, "back.aut"]] {
                let output = run(folder.path(), &["convert", step[0], step[1]]);
                assert_eq!(output.status.code(), Some(0), "{step:?}: {}", stderr(&output));
            }
            let back = std::fs::read_to_string(folder.path().join("back.aut")).unwrap();
            let original = std::fs::read_to_string(folder.path().join("model.aut")).unwrap();
            assert_eq!(back, original, "{first} {second}");
        }
    }
}

#[test]
fn a_report_of_ours_is_a_trail() {
    let folder = folder();
    let output = run(folder.path(), &["model.aut", "-p", FORBIDDEN, "-f", "json", "-o", "report.json"]);
    assert_eq!(output.status.code(), Some(1));
    let replayed =
        run(folder.path(), &["replay", "model.aut", "-p", FORBIDDEN, "--trail", "report.json", "-f", "json"]);
    assert_eq!(replayed.status.code(), Some(1));
    assert_eq!(json(&replayed)["replays"][0]["result"], "fails");
    // The report brings its property.
    let replayed = run(folder.path(), &["replay", "model.aut", "--trail", "report.json"]);
    assert_eq!(replayed.status.code(), Some(1), "{}{}", stdout(&replayed), stderr(&replayed));
    let explained = run(folder.path(), &["model.aut", "--trail", "report.json", "-f", "json"]);
    assert_eq!(json(&explained)["property"]["kind"], "safety");
    // After a fix it fails no more.
    write(folder.path(), "fixed.aut", "des (0, 2, 3)\n(0, \"a\", 0)\n(0, \"c\", 2)\n");
    let replayed = run(folder.path(), &["replay", "fixed.aut", "-p", FORBIDDEN, "--trail", "report.json"]);
    assert_eq!(replayed.status.code(), Some(3), "{}", stdout(&replayed));
    // A folder means every file in it.
    std::fs::create_dir(folder.path().join("trails")).unwrap();
    write(folder.path(), "trails/one.seq", "b\n");
    write(folder.path(), "trails/two.seq", "a\n");
    let replayed =
        run(folder.path(), &["replay", "model.aut", "-p", FORBIDDEN, "--trail", "trails", "-f", "json"]);
    let results: Vec<_> =
        json(&replayed)["replays"].as_array().unwrap().iter().map(|one| one["result"].clone()).collect();
    assert_eq!(results, ["fails", "passes"]);
    // One that cannot be read does not hide the others.
    write(folder.path(), "trails/three.seq", "");
    let replayed =
        run(folder.path(), &["replay", "model.aut", "-p", FORBIDDEN, "--trail", "trails", "-f", "json"]);
    assert_eq!(replayed.status.code(), Some(2));
    assert_eq!(json(&replayed)["replays"].as_array().unwrap().len(), 3);
}

#[test]
fn a_file_is_replaced_only_by_a_whole_one() {
    let folder = folder();
    write(folder.path(), "keep.fsm", "precious");
    write(folder.path(), "quote.aut", "des (0, 1, 2)\n(0, \"say \"x\" now\", 1)\n");
    let output = run(folder.path(), &["convert", "quote.aut", "keep.fsm"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(folder.path().join("keep.fsm")).unwrap(), "precious");
    let output = run(folder.path(), &["model.aut", "-o", "model.aut"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "nothing is left behind");
}

/// Issue 2: what a counterexample LTS from elsewhere says must be true of the system.
#[test]
fn a_given_counterexample_lts_makes_no_false_claims() {
    let folder = folder();
    write(folder.path(), "nd.aut", "des (0,5,6)\n(0,a,1)\n(0,a,2)\n(1,b,3)\n(2,b,4)\n(2,c,5)\n");
    write(
        folder.path(),
        "all.aut",
        "des (0,8,7)\n(0,a,1)\n(0,a,2)\n(1,b,3)\n(2,b,4)\n(2,c,5)\n(3,END,6)\n(4,END,6)\n(5,END,6)\n",
    );
    let arguments = ["nd.aut", "--counterexample-lts", "all.aut", "--end-label", "END", "-f", "json"];
    let report = json(&run(folder.path(), &arguments));
    assert_honest(&report);
    assert_eq!(report["fates"]["free"], 0);
    assert_eq!(report["methods"]["neighbourhoods"]["count"], 0);
    assert!(report["causes"][0]["claim"].as_str().unwrap().starts_with("no trace"), "{}", report["causes"]);
}

#[test]
fn edges_are_listed_on_request() {
    let folder = folder();
    let output = run(folder.path(), &["model.aut", "-p", FORBIDDEN, "-f", "json", "--edges"]);
    let report = json(&output);
    let edges = report["methods"]["neighbourhoods"]["edges"].as_array().unwrap();
    let found: Vec<String> = edges
        .iter()
        .map(|edge| format!("{} {} {} {}", edge["from"], edge["label"], edge["to"], edge["colour"]))
        .collect();
    assert_eq!(found, [r#"0 "a" 0 "black""#, r#"0 "b" 1 "red""#, r#"0 "c" null "green""#]);
}

#[test]
fn the_help_teaches_and_pages_are_made_from_it() {
    let folder = folder();
    let help = stdout(&run(folder.path(), &["--help"]));
    for word in ["explain", "check", "convert", "reduce", "replay", "Examples:", "Exit status"] {
        assert!(help.contains(word), "{word}: {help}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&run(folder.path(), &["completions", shell]));
        assert!(script.contains("counterexample-lts"), "{shell}");
    }
    assert!(stdout(&run(folder.path(), &["man"])).contains(".TH wherefore"));
    assert_eq!(run(folder.path(), &["man", "pages"]).status.code(), Some(0));
    assert!(folder.path().join("pages/wherefore-explain.1").exists());
}

#[test]
fn nothing_but_the_report_goes_to_standard_output() {
    let folder = folder();
    write(folder.path(), "odd.aut", "des (0, 0, 9)\n(0, b, 1)\n");
    let output = run(folder.path(), &["odd.aut", "-p", FORBIDDEN, "-f", "json"]);
    json(&output);
    assert!(stderr(&output).starts_with("warning: odd.aut:1:"), "{}", stderr(&output));
    let quiet = run(folder.path(), &["odd.aut", "-p", FORBIDDEN, "-q"]);
    assert_eq!(stderr(&quiet), "");
    assert_eq!(stdout(&quiet).lines().count(), 2, "{}", stdout(&quiet));
}

#[test]
fn colour_only_where_it_is_wanted() {
    let folder = folder();
    let plain = stdout(&run(folder.path(), &["model.aut", "-p", FORBIDDEN]));
    assert!(!plain.contains('\u{1b}'));
    let coloured = stdout(&run(folder.path(), &["model.aut", "-p", FORBIDDEN, "--color", "always"]));
    assert!(coloured.contains('\u{1b}'));
    assert!(plain.is_ascii());
    assert!(plain.lines().all(|line| line.chars().count() <= 100), "{plain}");
}

#[test]
fn labels_cannot_write_to_the_terminal() {
    let folder = folder();
    write(folder.path(), "hostile.aut", "des (0, 1, 2)\n(0, \"\u{1b}[2J\u{202e}boom\", 1)\n");
    let text = stdout(&run(folder.path(), &["hostile.aut"]));
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
}

#[test]
fn the_shipped_examples_are_explained() {
    let examples = workspace().join("examples/lts");
    for (model, formula) in [("web_shop.aut", "web_shop.mcl"), ("send_recv.aut", "no_second_send.mcl")] {
        let output = run(&examples, &[model, "--property-file", formula, "-f", "json"]);
        assert_eq!(output.status.code(), Some(1), "{model}: {}", stderr(&output));
        let report = json(&output);
        assert_honest(&report);
        assert_eq!(report["causes"][0]["recheck"]["result"], "confirmed", "{model}");
    }
}
