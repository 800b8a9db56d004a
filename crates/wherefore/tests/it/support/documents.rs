//! Documents that show the program at work: what stands in them is run, and must print what they say.
//!
//! A fenced block with a file name after its language becomes that file. In a `console` block each line that starts with
//! `$ ` is a command, and what it prints (standard output, then standard error) must be what follows. A line `...`
//! stands for any lines. Commands of other tools are run as well where all tools of their block are at hand.
//! `WHEREFORE_UPDATE=1` writes what was printed into the documents, with the lines left out again where the lines around
//! the dots are still there.

use std::path::{Path, PathBuf};
use std::process::Output;

use super::{assert_honest, json, stderr, stdout, wherefore, workspace};

/// What starts a command of the program.
const OURS: [&str; 2] = ["wherefore ", "cargo run --release -- "];
/// Other programs that documents may run.
const OTHERS: [&str; 6] = ["spin", "gcc", "cp", "./pan", "./a.out", "tlc"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The exit status stands behind the output unless it is 0, and reports are asked for once more as JSON, which must
    /// fit the schema and the honesty matrix. A block of one command alone is run: it prints nothing.
    Fixture,
    /// Blocks of commands alone are a list of what one could type.
    Manual,
}

/// Runs what stands in the documents and compares, or writes it anew.
pub fn hold(files: &[PathBuf], kind: Kind) {
    let update = std::env::var_os("WHEREFORE_UPDATE").is_some();
    let mut different = Vec::new();
    for file in files {
        let expected = std::fs::read_to_string(file).unwrap();
        let found = replay(&expected, kind);
        if found == expected {
            continue;
        }
        if update {
            std::fs::write(file, found).unwrap();
        } else {
            different.push(format!("{}:\n{}", file.display(), difference(&expected, &found)));
        }
    }
    assert!(different.is_empty(), "{}\nset WHEREFORE_UPDATE=1 to accept", different.join("\n"));
}

/// The files of a folder with this ending, by their names.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}

/// The pages of the manual, the README among them.
pub fn pages() -> Vec<PathBuf> {
    let mut pages = files(&workspace().join("docs"), "md");
    pages.push(workspace().join("README.md"));
    pages
}

/// Splits a command line at blanks outside single quotes.
pub fn words(command: &str) -> Vec<String> {
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

/// The document with what its commands print now.
fn replay(document: &str, kind: Kind) -> String {
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
            None if info == "console" && is_run(&block, kind) => {
                for entry in entries(&block) {
                    push(&mut out, &format!("$ {}", entry.command));
                    let found = run(folder.path(), entry.command, kind);
                    kept(&found, &entry.output).iter().for_each(|line| push(&mut out, line));
                }
                push(&mut out, "```");
                continue;
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

/// A command and what a document says that it prints.
#[derive(Debug)]
struct Entry<'d> {
    command: &'d str,
    output: Vec<&'d str>,
}

fn entries<'d>(block: &[&'d str]) -> Vec<Entry<'d>> {
    let mut entries: Vec<Entry<'d>> = Vec::new();
    for line in block {
        match (line.strip_prefix("$ "), entries.last_mut()) {
            (Some(command), _) => entries.push(Entry { command, output: Vec::new() }),
            (None, Some(entry)) => entry.output.push(line),
            (None, None) => panic!("`{line}` is the output of nothing"),
        }
    }
    entries
}

fn is_run(block: &[&str], kind: Kind) -> bool {
    let entries = entries(block);
    let ours = |entry: &Entry<'_>| OURS.iter().any(|start| entry.command.starts_with(start));
    let alone = entries.iter().all(|entry| entry.output.is_empty());
    let listed = alone && (kind == Kind::Manual || entries.len() > 1);
    if listed || !entries.iter().any(ours) {
        return false;
    }
    entries.iter().filter(|entry| !ours(entry)).all(|entry| {
        let tool = entry.command.split(' ').next().unwrap();
        assert!(OTHERS.contains(&tool), "nobody knows how to run `{}`", entry.command);
        is_at_hand(tool)
    })
}

fn is_at_hand(tool: &str) -> bool {
    let found = match tool {
        "tlc" => std::env::var_os("WHEREFORE_TLC_JAR").is_some(),
        _ if tool.starts_with("./") => true,
        _ => std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
            .any(|folder| folder.join(tool).is_file()),
    };
    let required = std::env::var("WHEREFORE_REQUIRE_TOOLS").as_deref() == Ok("1");
    assert!(found || !required, "{tool} is missing");
    found
}

fn run(folder: &Path, command: &str, kind: Kind) -> String {
    let Some(ours) = OURS.iter().find_map(|start| command.strip_prefix(start)) else {
        return foreign(folder, command);
    };
    let arguments = words(ours);
    let output = wherefore(folder).args(&arguments).output().unwrap();
    let mut text = told(&output);
    let code = output.status.code().unwrap();
    if kind == Kind::Manual {
        return text;
    }
    if code != 0 {
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

fn foreign(folder: &Path, command: &str) -> String {
    let jar = std::env::var("WHEREFORE_TLC_JAR").unwrap_or_default();
    let line = match command.strip_prefix("tlc ") {
        Some(rest) => format!("java -XX:+UseSerialGC -cp '{jar}' tlc2.TLC {rest}"),
        None => command.to_owned(),
    };
    let output = std::process::Command::new("sh").args(["-c", &line]).current_dir(folder).output().unwrap();
    told(&output)
}

fn told(output: &Output) -> String {
    stdout(output) + &stderr(output)
}

/// The lines of what was printed that a document shows, given those that it shows already.
fn kept<'t>(found: &'t str, shown: &[&'t str]) -> Vec<&'t str> {
    let found: Vec<&str> = found.lines().collect();
    if matches(&found, shown) {
        return shown.to_vec();
    }
    elided(&found, shown).unwrap_or(found)
}

/// Whether lines are those that are shown, with dots for any others.
pub fn matches(found: &[&str], shown: &[&str]) -> bool {
    match shown.split_first() {
        None => found.is_empty(),
        Some((&"...", rest)) => (0..=found.len()).any(|skipped| matches(&found[skipped..], rest)),
        Some((line, rest)) => found.first() == Some(line) && matches(&found[1..], rest),
    }
}

/// New lines with dots where the old ones had them; nothing if the lines beside some dots are gone.
pub fn elided<'t>(found: &[&'t str], shown: &[&'t str]) -> Option<Vec<&'t str>> {
    let parts: Vec<&[&str]> = shown.split(|line| *line == "...").collect();
    let mut lines = Vec::new();
    let mut at = 0;
    for (number, part) in parts.iter().enumerate() {
        let position =
            |line: &str, from: usize| Some(from + found[from..].iter().position(|one| *one == line)?);
        let start = match part.first() {
            _ if number == 0 => 0,
            Some(first) => position(first, at)?,
            None => found.len(),
        };
        let end = match part.last() {
            _ if number + 1 == parts.len() => found.len(),
            Some(last) => position(last, start)? + 1,
            None => start,
        };
        if number > 0 {
            lines.push("...");
        }
        lines.extend(&found[start..end]);
        at = end;
    }
    Some(lines)
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
