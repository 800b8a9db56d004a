//! Fixtures: a system, a property and the expected explanation in one readable document.
//!
//! Every `.md` file in `fixtures/` is run. A fenced block with a file name after its language becomes
//! that file; in a `console` block each line that starts with `$ wherefore` is run, and what it prints
//! (standard output, then standard error) must be what follows, the exit code, unless 0, on a line
//! `[exit N]`. Reports are asked for once more as JSON, which must fit the schema and the honesty
//! matrix. The first example in the README is run as well. `WHEREFORE_UPDATE=1` writes what was printed into the documents, to be read before it is
//! committed.

#![allow(clippy::unwrap_used)]

mod support;

use std::path::{Path, PathBuf};

use support::{assert_honest, json, stderr, stdout, wherefore, workspace};

#[test]
fn every_fixture_is_explained_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "md"));
    files.sort();
    assert!(files.len() >= 4, "the fixtures are missing");
    files.push(workspace().join("README.md"));
    let update = std::env::var_os("WHEREFORE_UPDATE").is_some();
    let mut different = Vec::new();
    for file in files {
        let expected = std::fs::read_to_string(&file).unwrap();
        let found = replay(&expected);
        if found == expected {
            continue;
        }
        if update {
            std::fs::write(&file, found).unwrap();
        } else {
            different.push(format!("{}:\n{}", file.display(), difference(&expected, &found)));
        }
    }
    assert!(different.is_empty(), "{}\nset WHEREFORE_UPDATE=1 to accept", different.join("\n"));
}

/// The document with what its commands print now.
fn replay(document: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(workspace().join("examples"), folder.path().join("examples")).unwrap();
    let mut out = String::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        push(&mut out, line);
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match info.split_once(' ') {
            Some((_, name)) => std::fs::write(folder.path().join(name), block.join("\n") + "\n").unwrap(),
            None if info == "console" => {
                let prefixes = ["$ wherefore ", "$ cargo run --release -- "];
                let commands: Vec<(&str, &str)> = block
                    .iter()
                    .filter_map(|line| {
                        prefixes.iter().find_map(|prefix| Some((*prefix, line.strip_prefix(prefix)?)))
                    })
                    .collect();
                // A block of commands alone is a list of what one could type.
                if !commands.is_empty() && (commands.len() < block.len() || block.len() == 1) {
                    for (prefix, command) in commands {
                        push(&mut out, &format!("{prefix}{command}"));
                        out.push_str(&run(folder.path(), command, prefix == prefixes[0]));
                    }
                    push(&mut out, "```");
                    continue;
                }
            }
            None => {}
        }
        block.iter().for_each(|line| push(&mut out, line));
        push(&mut out, "```");
    }
    out
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

fn run(folder: &Path, command: &str, tell_exit: bool) -> String {
    let arguments = words(command);
    let output = wherefore(folder).args(&arguments).output().unwrap();
    let mut text = stdout(&output) + &stderr(&output);
    let code = output.status.code().unwrap();
    if code != 0 && tell_exit {
        push(&mut text, &format!("[exit {code}]"));
    }
    let reports = !["convert", "reduce", "completions", "man"].contains(&arguments[0].as_str());
    if reports && code != 2 {
        let again = wherefore(folder).args(&arguments).args(["-f", "json"]).output().unwrap();
        assert_eq!(again.status.code(), Some(code), "{command}");
        let report = json(&again);
        if !["check", "replay"].contains(&arguments[0].as_str()) {
            assert_honest(&report);
        }
    }
    text
}

/// Splits a command line at blanks outside single quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in command.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The first lines that differ.
fn difference(expected: &str, found: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let show = |mark: &str, lines: &[&str]| {
        lines.iter().skip(same).take(12).map(|line| format!("{mark} {line}\n")).collect::<String>()
    };
    format!("from line {}:\n{}{}", same + 1, show("-", &old), show("+", &new))
}
