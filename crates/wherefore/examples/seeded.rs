//! How well the method "diagnosis" finds faults that were seeded into programs: runs `wherefore` on every version that
//! `examples/faults/versions.txt` lists, and prints a table.
//!
//! The set that is reported are the lines of all diagnoses that the report does not call less likely (`likely` in JSON).
//! Where a statement is missing, the lines next to it count as the true ones. A version that takes longer than two minutes
//! counts as missed.

#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use clap::Parser;
use serde_json::Value;

/// How many seconds a version may take where repairs are looked for.
const TIME_FOR_REPAIRS: &str = "60";
/// How long one version may take.
const MOST_TIME: Duration = Duration::from_secs(120);
/// Programs with at least so many lines are told apart from the others.
const LONG: usize = 150;

/// Runs `wherefore` on faults that were seeded into programs, and prints how well they are found.
#[derive(Parser)]
struct Arguments {
    /// Looks for repairs, too, for a minute each.
    #[arg(long)]
    repair: bool,
    /// Writes the programs with their faults into a folder, and runs nothing.
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
    /// The programs to look at; all, unless some are named.
    programs: Vec<String>,
}

/// A program with a fault.
struct Version {
    program: String,
    name: String,
    kind: String,
    trust: Option<String>,
    /// What stands in which line instead.
    changes: Vec<(usize, String)>,
}

fn versions(text: &str) -> Result<Vec<Version>> {
    let mut found = Vec::new();
    let (mut program, mut trust) = (None, None);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => {}
            _ if word.starts_with('#') => {}
            "program" => (program, trust) = (Some(rest.to_owned()), None),
            "trust" => trust = Some(rest.to_owned()),
            "version" => {
                let fields: Vec<&str> = rest.split(" | ").map(str::trim).collect();
                let [name, kind, changes @ ..] = &fields[..] else { bail!("line {number}: too few fields") };
                let changes: Option<Vec<(usize, String)>> = changes
                    .chunks(2)
                    .map(|change| Some((change.first()?.parse().ok()?, (*change.get(1)?).to_owned())))
                    .collect();
                found.push(Version {
                    program: program.clone().ok_or_else(|| anyhow!("line {number}: no program"))?,
                    name: (*name).to_owned(),
                    kind: (*kind).to_owned(),
                    trust: trust.clone(),
                    changes: changes.ok_or_else(|| anyhow!("line {number}: no line and text"))?,
                });
            }
            _ => bail!("line {number}: `{word}` is not known"),
        }
    }
    Ok(found)
}

/// A text with some lines replaced, each as far to the right as it was.
fn replaced(text: &str, changes: &[(usize, String)]) -> String {
    let lines = (1..).zip(text.lines()).map(|(number, line)| {
        match changes.iter().rfind(|(changed, _)| *changed == number) {
            None => line.to_owned(),
            Some((_, new)) => {
                let blanks = line.len() - line.trim_start().len();
                format!("{}{new}", &line[..blanks])
            }
        }
    });
    lines.map(|line| line + "\n").collect()
}

/// The text of a program without the faults that its header tells of.
fn mended(text: &str) -> String {
    let mends = text.lines().take_while(|line| !line.contains("*/")).filter_map(|line| {
        let mend = line.trim_start().trim_start_matches('*').trim_start().strip_prefix("mend: line ")?;
        let (number, new) = mend.split_once(": ")?;
        Some((number.parse().ok()?, new.to_owned()))
    });
    replaced(text, &mends.collect::<Vec<_>>())
}

/// What was reported of a version.
#[derive(Default)]
struct Outcome {
    rank: Option<usize>,
    is_reported: bool,
    size: usize,
    statements: u64,
    /// The lines of its verified repairs, the likeliest first, and whether each is a true one.
    repairs: Vec<(u64, bool)>,
    seconds: f64,
    /// How many lines the program has.
    lines: usize,
    note: String,
}

fn lines(diagnosis: &Value) -> BTreeSet<u64> {
    diagnosis["lines"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
}

fn outcome(binary: &Path, folder: &Path, version: &Version, repairs: bool) -> Result<Outcome> {
    let mut command = Command::new(binary);
    command.args(["explain", "-m", "diagnosis", "-f", "json", "p.c"]);
    command.current_dir(folder);
    if repairs {
        command.args(["--repair", "--timeout", TIME_FOR_REPAIRS]);
    }
    if let Some(trust) = &version.trust {
        command.args(["--trust", trust]);
    }
    let answer = folder.join("answer.json");
    command.stdout(fs::File::create(&answer)?).stderr(Stdio::null());
    let started = Instant::now();
    let mut child = command.spawn().with_context(|| binary.display().to_string())?;
    while child.try_wait()?.is_none() && started.elapsed() < MOST_TIME {
        std::thread::sleep(Duration::from_millis(5));
    }
    let seconds = started.elapsed().as_secs_f64();
    let mut outcome = Outcome { seconds, ..Outcome::default() };
    if child.try_wait()?.is_none() {
        child.kill()?;
        child.wait()?;
        "no answer in time".clone_into(&mut outcome.note);
        return Ok(outcome);
    }
    let Ok(report) = serde_json::from_slice::<Value>(&fs::read(&answer)?) else {
        bail!("{}: no report", version.name);
    };
    if report["verdict"] != "violated" {
        outcome.note = format!("verdict {}", report["verdict"]);
        return Ok(outcome);
    }
    let found = &report["methods"]["diagnosis"];
    if let Some(skipped) = found["skipped"].as_str() {
        skipped.clone_into(&mut outcome.note);
        return Ok(outcome);
    }
    let around = if version.kind == "missing" { 1 } else { 0 };
    let changed = version.changes.iter().map(|(line, _)| *line as u64);
    let faults: BTreeSet<u64> =
        changed.flat_map(|line| line.saturating_sub(around)..=line + around).collect();
    let all: Vec<&Value> = found["diagnoses"].as_array().into_iter().flatten().collect();
    let likely = all.iter().filter(|one| one["likely"] == true);
    let reported: BTreeSet<u64> = likely.flat_map(|one| lines(one)).collect();
    let blames = |one: &&Value| !lines(one).is_disjoint(&faults);
    outcome.rank = all.iter().position(blames).map(|at| at + 1);
    outcome.is_reported = !reported.is_disjoint(&faults);
    outcome.size = reported.len();
    outcome.statements = found["statements"].as_u64().unwrap_or(0);
    let repairs = report["repairs"].as_array().into_iter().flatten();
    let places = repairs.filter_map(|one| one["location"]["line"].as_u64());
    outcome.repairs = places.map(|line| (line, faults.contains(&line))).collect();
    if !found["absence_of_function"].is_null() {
        outcome.note = format!("missing: {}", found["absence_of_function"]["unimplied"]);
    }
    Ok(outcome)
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let list = examples.join("faults/versions.txt");
    let mut versions = versions(&fs::read_to_string(&list)?).with_context(|| list.display().to_string())?;
    versions.retain(|one| arguments.programs.is_empty() || arguments.programs.contains(&one.program));
    match &arguments.write {
        Some(folder) => write(&examples, &versions, folder),
        None => measure(&examples, &versions, arguments.repair),
    }
}

/// The text of the program that a version is made from.
fn original(examples: &Path, version: &Version) -> Result<String> {
    let own = examples.join("faults").join(&version.program);
    let path = if own.exists() { own } else { examples.join("c").join(&version.program) };
    fs::read_to_string(&path).with_context(|| path.display().to_string())
}

/// Puts the header that programs include next to them.
fn add_header(examples: &Path, folder: &Path) -> Result<()> {
    let header = "verifier.h";
    fs::copy(examples.join("c").join(header), folder.join(header)).with_context(|| header.to_owned())?;
    Ok(())
}

/// Writes the versions into a folder, each with its own name.
fn write(examples: &Path, versions: &[Version], folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    add_header(examples, folder)?;
    for version in versions {
        let text = replaced(&mended(&original(examples, version)?), &version.changes);
        let file = format!("{}-{}.c", version.program.trim_end_matches(".c"), version.name);
        fs::write(folder.join(&file), text)?;
        let lines: Vec<String> = version.changes.iter().map(|(line, _)| line.to_string()).collect();
        println!("{file} ({}, line {})", version.kind, lines.join(" and "));
    }
    Ok(())
}

/// Runs the tool on every version, and prints what comes of it.
fn measure(examples: &Path, versions: &[Version], repairs: bool) -> Result<()> {
    let binary: PathBuf = std::env::current_exe()?
        .parent()
        .and_then(Path::parent)
        .map(|folder| folder.join("wherefore"))
        .filter(|binary| binary.exists())
        .ok_or_else(|| anyhow!("build the program first: cargo build -p wherefore, with the same profile"))?;
    let folder = tempfile::tempdir()?;
    add_header(examples, folder.path())?;
    println!(
        "{:<24} {:<20} {:<14} {:>4} {:>8} {:>9} {:>7}",
        "program", "version", "fault", "rank", "reported", "of", "seconds"
    );
    let (mut single, mut counted) = (Vec::new(), 0);
    for version in versions {
        let text = original(examples, version)?;
        fs::write(folder.path().join("p.c"), replaced(&mended(&text), &version.changes))?;
        let mut found = outcome(&binary, folder.path(), version, repairs)?;
        found.lines = text.lines().count();
        counted += 1;
        let rank = found.rank.map_or_else(|| "-".to_owned(), |rank| rank.to_string());
        let missed = if found.is_reported { "" } else { " missed" };
        let repaired = match found.repairs.first() {
            Some((line, true)) => format!(" repaired in line {line}"),
            Some((line, false)) if found.repairs.iter().any(|(_, is_true)| *is_true) => {
                format!(" repaired in line {line} first")
            }
            Some((line, false)) => format!(" repaired elsewhere: line {line}"),
            None => String::new(),
        };
        println!(
            "{:<24} {:<20} {:<14} {:>4} {:>8} {:>9} {:>7.2}{missed}{repaired} {}",
            version.program,
            version.name,
            version.kind,
            rank,
            found.size,
            found.statements,
            found.seconds,
            found.note
        );
        if version.kind != "two" {
            single.push(found);
        }
    }
    println!("\n{counted} versions, {} with a single fault", single.len());
    let (long, short): (Vec<Outcome>, Vec<Outcome>) = single.into_iter().partition(|one| one.lines >= LONG);
    told(&format!("{} of programs shorter than {LONG} lines", short.len()), &short, repairs);
    told(&format!("{} of longer ones", long.len()), &long, repairs);
    let all: Vec<Outcome> = short.into_iter().chain(long).collect();
    told("all", &all, repairs);
    Ok(())
}

/// Prints the figures of some versions.
fn told(which: &str, versions: &[Outcome], repairs: bool) {
    let count = versions.len().max(1) as f64;
    let share = |wanted: &dyn Fn(&Outcome) -> bool| {
        100.0 * versions.iter().filter(|one| wanted(one)).count() as f64 / count
    };
    let part = |one: &Outcome| 100.0 * one.size as f64 / one.statements.max(1) as f64;
    let mean = versions.iter().map(part).sum::<f64>() / count;
    let slowest = versions.iter().map(|one| one.seconds).fold(0.0, f64::max);
    let slow = versions.iter().filter(|one| one.seconds > 2.0).count();
    println!("\nof versions with a single fault, {which}:");
    println!("  the true statement is in the reported set   {:5.1} %", share(&|one| one.is_reported));
    println!("  is told at all                              {:5.1} %", share(&|one| one.rank.is_some()));
    println!(
        "  in the first three                          {:5.1} %",
        share(&|one| one.rank.is_some_and(|rank| rank <= 3))
    );
    println!("  is the first                                {:5.1} %", share(&|one| one.rank == Some(1)));
    println!("  mean size of the reported set               {mean:5.1} % of the statements");
    if repairs {
        let is_true = |repair: &(u64, bool)| repair.1;
        println!(
            "  a verified repair                           {:5.1} %",
            share(&|one| !one.repairs.is_empty())
        );
        println!(
            "    one of them in a true line                {:5.1} %",
            share(&|one| one.repairs.iter().any(is_true))
        );
        println!(
            "    the first of them in a true line          {:5.1} %",
            share(&|one| one.repairs.first().is_some_and(is_true))
        );
    }
    println!("  the slowest took                            {slowest:5.1} s, {slow} more than 2 s");
}
