//! The names that bugs get and the steps that their stories keep, held against the headers of all examples: `pattern`
//! names the bug, or `none`, and `story` the lines of the steps without which nobody can tell it.
//!
//! `WHEREFORE_UPDATE=1 cargo test -p wherefore --test it pattern_headers::` writes the table of `docs/evaluation.md` anew.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use wherefore::Detail;

use crate::support::{library, workspace};

/// An example whose header names its bug.
struct Example {
    /// Seen from the root of the repository.
    path: String,
    options: Vec<String>,
    /// None where the catalogue has no name for it.
    pattern: Option<String>,
    story: Vec<u64>,
}

/// What the tool says of it.
struct Said {
    path: String,
    wanted: Option<String>,
    named: Option<String>,
    kept: usize,
    wanted_lines: usize,
    missing: Vec<u64>,
    steps: usize,
    /// The widths at which the first screen has too many lines, and how many.
    too_long: Vec<(usize, usize)>,
}

/// How many lines a first screen may have, and how wide terminals are.
const MOST_LINES: usize = 25;
const WIDTHS: [usize; 6] = [60, 72, 80, 100, 132, 200];

fn examples() -> Vec<Example> {
    let mut found = Vec::new();
    for folder in ["examples/c", "examples/diagnosis", "examples/promela"] {
        let entries = std::fs::read_dir(workspace().join(folder)).unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let is_source = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "c" || kind == "pml");
        for path in paths.into_iter().filter(is_source) {
            let text = std::fs::read_to_string(&path).unwrap();
            let header = text.split("*/").next().unwrap();
            let field = |name: &str| {
                let start = format!(" * {name}: ");
                header.lines().find_map(|line| line.strip_prefix(&start)).map(str::to_owned)
            };
            let Some(named) = field("pattern") else {
                let fails = field("expect").is_some_and(|expect| expect != "none" && expect != "holds");
                assert!(!fails, "{} fails, and its header names no pattern", path.display());
                continue;
            };
            let (pattern, story) = named.split_once("; story: lines ").unwrap_or((&named, ""));
            let name = path.file_name().unwrap().to_str().unwrap();
            found.push(Example {
                path: format!("{folder}/{name}"),
                options: field("options")
                    .iter()
                    .flat_map(|list| list.split(' '))
                    .map(str::to_owned)
                    .collect(),
                pattern: Some(pattern.trim().to_owned()).filter(|pattern| pattern != "none"),
                story: story.split(", ").filter_map(|line| line.trim().parse().ok()).collect(),
            });
        }
    }
    found
}

fn said(example: &Example) -> Said {
    let mut arguments = vec!["explain", example.path.as_str()];
    arguments.extend(example.options.iter().map(String::as_str));
    let explanation = library::explained(&workspace(), &arguments).unwrap();
    let report: Value = serde_json::from_str(&explanation.to_json()).unwrap();
    let named = report["causes"].as_array().unwrap().iter().find_map(|cause| cause["pattern"].as_str());
    let (lines, steps) = shown(&explanation.to_text(Detail::Normal));
    let lines_at = |width| (width, explanation.to_text_within(Detail::Normal, width).lines().count());
    let too_long = WIDTHS.map(lines_at).into_iter().filter(|(_, lines)| *lines > MOST_LINES).collect();
    let missing: Vec<u64> = example.story.iter().copied().filter(|line| !lines.contains(line)).collect();
    Said {
        path: example.path.clone(),
        wanted: example.pattern.clone(),
        named: named.map(str::to_owned),
        kept: example.story.len() - missing.len(),
        wanted_lines: example.story.len(),
        missing,
        steps,
        too_long,
    }
}

/// The lines of the steps on the first screen, and how many steps there are.
fn shown(text: &str) -> (BTreeSet<u64>, usize) {
    let story = text.lines().skip_while(|line| !line.starts_with("how it came about")).skip(1);
    // Where there is little room, no empty line stands between the steps and what comes next.
    let rows = story.take_while(|line| line.starts_with(' '));
    let is_step = |row: &&str| {
        row.trim_start().split(' ').next().is_some_and(|word| !word.is_empty() && word.parse::<u64>().is_ok())
    };
    let rows: Vec<&str> = rows.filter(is_step).collect();
    let line = |row: &&str| {
        let rest = row.split_once("line ").map(|(_, rest)| rest)?;
        rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok()
    };
    (rows.iter().filter_map(line).collect(), rows.len())
}

fn all() -> Vec<Said> {
    let examples = examples();
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, Said)>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(example) = examples.get(at) else { return };
                    let said = said(example);
                    found.lock().unwrap().push((at, said));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, said)| said).collect()
}

/// How a name compares with the header.
fn judged(said: &Said) -> &'static str {
    match (&said.wanted, &said.named) {
        (None, None) => "rightly none",
        (Some(wanted), Some(named)) if wanted == named => "right",
        (Some(_), None) => "no name",
        _ => "wrong",
    }
}

const BEGINS: &str = "<!-- names of bugs: written by the test `pattern_headers` -->";
const ENDS: &str = "<!-- end of the names -->";

fn table(all: &[Said]) -> String {
    let count = |what: &str| all.iter().filter(|said| judged(said) == what).count();
    let (right, wrong, none) = (count("right"), count("wrong"), count("no name"));
    let named = all.iter().filter(|said| said.wanted.is_some()).count();
    let (kept, wanted): (usize, usize) =
        all.iter().fold((0, 0), |sum, said| (sum.0 + said.kept, sum.1 + said.wanted_lines));
    let mut out = String::new();
    writeln!(
        out,
        "Of {named} examples whose header names a pattern, {right} are named right ({} %), {wrong} wrong, and {none} \
         get no name. Of {} whose header says `none`, {} get none.",
        right * 100 / named.max(1),
        all.len() - named,
        count("rightly none")
    )
    .unwrap();
    writeln!(
        out,
        "Of {wanted} essential steps that headers name, the first screen shows {kept} ({} %).\n",
        kept * 100 / wanted.max(1)
    )
    .unwrap();
    writeln!(out, "| example | header | name found | | steps shown | essential steps left out |").unwrap();
    writeln!(out, "|---|---|---|---|--:|---|").unwrap();
    for said in all {
        let missing: Vec<String> = said.missing.iter().map(|line| format!("line {line}")).collect();
        writeln!(
            out,
            "| `{}` | {} | {} | {} | {} | {} |",
            said.path,
            said.wanted.as_deref().unwrap_or("none"),
            said.named.as_deref().unwrap_or(""),
            judged(said),
            said.steps,
            missing.join(", ")
        )
        .unwrap();
    }
    out
}

#[test]
fn names_and_stories_are_those_of_the_headers() {
    let all = all();
    let table = table(&all);
    println!("{table}");
    for said in &all {
        assert_ne!(judged(said), "wrong", "{}: {:?} for {:?}", said.path, said.named, said.wanted);
        assert!(said.steps <= 10, "{}: {} steps", said.path, said.steps);
        assert!(said.too_long.is_empty(), "{}: width and lines {:?}", said.path, said.too_long);
    }
    let page = workspace().join("docs/evaluation.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once(BEGINS).unwrap();
    let (old, after) = rest.split_once(ENDS).unwrap();
    if std::env::var_os("WHEREFORE_UPDATE").is_some() {
        std::fs::write(&page, format!("{before}{BEGINS}\n\n{table}\n{ENDS}{after}")).unwrap();
    } else {
        assert_eq!(old.trim(), table.trim(), "WHEREFORE_UPDATE=1 writes the table anew");
    }
}
