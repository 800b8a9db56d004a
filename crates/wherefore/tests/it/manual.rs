//! The manual shows what is: outputs are those of the commands above them, command lines are understood, and the tables
//! of options have all there are.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;

use crate::support::documents::{Kind, elided, hold, matches, pages, words};
use crate::support::{run, stderr, stdout, wherefore, workspace};

#[test]
fn outputs_in_the_manual_are_those_of_the_program() {
    hold(&pages(), Kind::Manual);
}

#[test]
fn dots_stand_for_any_lines() {
    let found = ["a", "b", "c", "d"];
    assert!(matches(&found, &["a", "...", "d"]));
    assert!(matches(&found, &["a", "b", "...", "c", "d"]));
    assert!(matches(&found, &["..."]));
    assert!(!matches(&found, &["a", "...", "c"]));
    assert!(!matches(&found, &["a", "b", "c"]));
    assert!(!matches(&found, &["x", "..."]));
    assert_eq!(elided(&found, &["x", "b", "...", "d"]), Some(vec!["a", "b", "...", "d"]));
    assert_eq!(elided(&found, &["a", "...", "d", "e"]), Some(vec!["a", "...", "d"]));
    assert_eq!(elided(&found, &["x", "...", "d"]), None);
    assert_eq!(elided(&found, &["...", "c", "e"]), Some(vec!["...", "c", "d"]));
}

/// Command lines that are only listed are tried where their files are missing, which is all that may be wrong with them.
#[test]
fn command_lines_in_the_manual_are_understood() {
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    for page in pages() {
        for line in std::fs::read_to_string(&page).unwrap().lines() {
            let starts = ["$ wherefore ", "    wherefore ", "      wherefore "];
            let Some(command) = starts.iter().find_map(|start| line.strip_prefix(start)) else { continue };
            // What it is good for stands behind it.
            let command = command.split("  ").next().unwrap().split(" # ").next().unwrap();
            let command = command.split(" > ").next().unwrap().split(" || ").next().unwrap();
            let output = wherefore(folder.path()).args(words(command)).output().unwrap();
            let complaint = stderr(&output);
            assert!(!complaint.contains("try '--help'"), "{}: {line}\n{complaint}", page.display());
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}

/// An option as `--help` tells it.
#[derive(Debug)]
struct Flag {
    section: String,
    spelling: String,
    /// Line by line, without the blanks before them.
    help: Vec<String>,
}

impl Flag {
    /// The help as sentences of one line, with the values that are possible at their end.
    fn sentence(&self) -> String {
        let mut out = String::new();
        for line in &self.help {
            let is_open = !out.is_empty() && !out.ends_with(['.', ':', ';']);
            if line.is_empty() {
                out.push_str(if is_open { "." } else { "" });
            } else if line == "Possible values:" {
                out.push_str(if is_open { ". Values:" } else { " Values:" });
            } else if let Some(value) = line.strip_prefix("- ") {
                let (name, what) = value.split_once(':').unwrap_or((value, ""));
                let end = if is_open { ";" } else { "" };
                let what = if what.is_empty() { String::new() } else { format!(" ({})", what.trim()) };
                let _ = write!(out, "{end} `{name}`{what}");
            } else if out.ends_with(')') && out.contains("Values:") && !line.starts_with('[') {
                // A value that is told in several lines.
                out.pop();
                let _ = write!(out, " {line})");
            } else {
                let _ = write!(out, "{}{line}", if out.is_empty() { "" } else { " " });
            }
        }
        out.trim_end_matches('.').replace('|', "\\|").replace('<', "\\<")
    }
}

/// The arguments and options of a command.
fn flags(command: &str) -> Vec<Flag> {
    let help = stdout(&run(&workspace(), &[command, "--help"]));
    let mut flags: Vec<Flag> = Vec::new();
    let mut section = String::new();
    for line in help.lines() {
        let (text, indent) = (line.trim(), line.len() - line.trim_start().len());
        if indent == 0 && text.ends_with(':') {
            section = text.trim_end_matches(':').to_owned();
        } else if (text.starts_with('-') || text.starts_with('<') || text.starts_with('['))
            && (1..8).contains(&indent)
        {
            flags.push(Flag { section: section.clone(), spelling: text.to_owned(), help: Vec::new() });
        } else if let Some(flag) = flags.last_mut() {
            flag.help.push(text.to_owned());
        }
    }
    flags.retain(|flag| !flag.help.first().is_some_and(|first| first.starts_with("Print help")));
    flags
}

/// The tables of a page that is generated from what `--help` prints.
fn tables() -> String {
    let mut out = String::new();
    for command in ["explain", "check", "replay", "contrast", "convert", "reduce"] {
        let _ = writeln!(out, "\n## `wherefore {command}`");
        let mut section = String::new();
        for flag in flags(command) {
            if flag.section != section {
                section.clone_from(&flag.section);
                let _ = write!(out, "\n### {section} of `{command}`\n\n| | |\n|---|---|\n");
            }
            let help = flag.sentence();
            let _ = writeln!(out, "| `{}` | {help} |", flag.spelling.replace('|', "\\|"));
        }
    }
    out
}

#[test]
fn the_page_of_options_has_all_of_them() {
    let path = workspace().join("docs/options.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let mark = "<!-- From here on this page is written by the tests, from what --help prints. -->\n";
    let (head, old) = page.split_once(mark).unwrap();
    let new = tables();
    for option in ["--property", "--trail", "--max-states", "--good", "--equivalence"] {
        assert!(new.contains(option), "{option}");
    }
    if std::env::var_os("WHEREFORE_UPDATE").is_some() {
        std::fs::write(&path, format!("{head}{mark}{new}")).unwrap();
    } else {
        assert!(old == new, "docs/options.md has fallen behind: set WHEREFORE_UPDATE=1 to write it anew");
    }
}
