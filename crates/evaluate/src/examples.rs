//! Every example of the repository, explained as a user would who knows no option: what is told of it first, whether that
//! is where its header has the fault, and how long it takes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::bases::{files, header};
use crate::ranking;
use crate::tool::{Run, Tool};

/// How often the limit is waited for before the tool is ended, for the sake of busy machines.
const PATIENCE: u64 = 30;

/// One call of the tool.
#[derive(Debug)]
struct Example {
    /// Seen from the root of the repository.
    path: PathBuf,
    options: Vec<String>,
    /// The verdict that is known; nothing where nobody wrote it down.
    verdict: Option<&'static str>,
    /// Lines with the fault, each with the end of its file's name.
    faults: Vec<(String, u64)>,
}

impl Example {
    fn name(&self) -> String {
        let mut name = self.path.display().to_string();
        for option in &self.options {
            name.push(' ');
            name.push_str(option);
        }
        name
    }

    fn file(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// Explains all examples and prints a table; whether nothing is to be complained about.
pub(crate) fn table(root: &Path, tool: &Tool, limit: u64, only: &[String]) -> Result<bool> {
    let mut all = examples(root)?;
    all.retain(|example| only.is_empty() || only.iter().any(|part| example.name().contains(part)));
    println!("| example | verdict | line | first cause | recheck | fault | seconds | of the processor |");
    println!("|---|---|--:|---|---|---|--:|--:|");
    let mut slow = 0;
    let mut complaints = Vec::new();
    let mut seconds: Vec<f64> = Vec::new();
    for example in &all {
        let arguments: Vec<OsString> = std::iter::once(example.path.as_os_str())
            .chain(["-q", "-f", "json"].map(AsRef::as_ref))
            .chain(example.options.iter().map(AsRef::as_ref))
            .map(OsString::from)
            .collect();
        let run = tool.launch(root, &arguments, Duration::from_secs(limit * PATIENCE))?;
        println!("{}", row(example, &run));
        slow += usize::from(took(&run) > limit as f64);
        complaints
            .extend(complaint(example, &run).into_iter().map(|what| format!("{}: {what}", example.name())));
        seconds.push(took(&run));
    }
    seconds.sort_by(f64::total_cmp);
    let median = seconds.get(seconds.len() / 2).copied().unwrap_or_default();
    let slowest = seconds.last().copied().unwrap_or_default();
    println!();
    for complaint in &complaints {
        println!("{complaint}");
    }
    println!(
        "{} examples, {median:.1} s in the middle and {slowest:.1} s at most; over {limit} s: {slow}",
        all.len()
    );
    Ok(slow == 0 && complaints.is_empty())
}

/// How long it took: by the clock, but on a busy machine the clock counts the work of others as well.
fn took(run: &Run) -> f64 {
    run.worked.map_or(run.seconds, |worked| worked.min(run.seconds))
}

/// What must not happen, if it did.
fn complaint(example: &Example, run: &Run) -> Option<String> {
    if run.has_panicked() {
        return Some(format!("panicked: {}", run.complaints.trim()));
    }
    let Some(report) = &run.report else {
        return Some(format!("no report: {}", run.complaints.trim()));
    };
    let verdict = report["verdict"].as_str().unwrap_or_default();
    if let Some(expected) = example.verdict.filter(|expected| *expected != verdict) {
        return Some(format!("{verdict}, and {expected} is what is known of it"));
    }
    let unexplained = verdict == "violated" && report["causes"].as_array().is_none_or(Vec::is_empty);
    unexplained.then(|| "violated, and no cause is told".to_owned())
}

fn row(example: &Example, run: &Run) -> String {
    let report = run.report.as_ref().unwrap_or(&Value::Null);
    let verdict = report["verdict"].as_str().unwrap_or("no report");
    let what = report["counterexample"]["kind"].as_str().map_or(verdict.to_owned(), str::to_owned);
    let cause = &report["causes"][0];
    let line = cause["locations"][0]["line"].as_u64().map_or(String::new(), |line| line.to_string());
    let summary = cause["summary"].as_str().unwrap_or_default().replace('|', "\\|").replace('\n', " ");
    let recheck = cause["recheck"]["result"].as_str().unwrap_or_default();
    format!(
        "| `{}` | {what} | {line} | {summary} | {recheck} | {} | {:.1} | {} |",
        example.name(),
        place(example, report),
        run.seconds,
        run.worked.map_or(String::new(), |worked| format!("{worked:.1}"))
    )
}

/// Whether the first cause is in a line with the fault, or which one is.
fn place(example: &Example, report: &Value) -> String {
    if example.faults.is_empty() || report["verdict"] != "violated" {
        return String::new();
    }
    let causes = report["causes"].as_array().map_or(&[][..], Vec::as_slice);
    let names = |cause: &Value| {
        let alone = serde_json::json!({ "causes": [cause] });
        example.faults.iter().any(|(file, line)| ranking::lines(&alone, "combined", file).contains(line))
    };
    match causes.iter().position(names) {
        Some(0) => "yes".to_owned(),
        Some(at) => format!("cause {}", at + 1),
        None => "no".to_owned(),
    }
}

fn examples(root: &Path) -> Result<Vec<Example>> {
    let mut found = Vec::new();
    for path in files(&root.join("examples/promela"), "pml")? {
        let text = std::fs::read_to_string(&path)?;
        let example = headed(root, &path, &text)?;
        for formula in header(&text, "ltl") {
            let (name, verdict) = formula.split_once(' ').with_context(|| format!("`ltl: {formula}`"))?;
            found.push(Example {
                path: example.path.clone(),
                options: ["-p", name, "--fairness", "weak"].map(str::to_owned).to_vec(),
                verdict: Some(if verdict == "holds" { "holds" } else { "violated" }),
                faults: Vec::new(),
            });
        }
        found.push(example);
    }
    for path in files(&root.join("examples/c"), "c")? {
        if !path.ends_with("inputs.c") {
            found.push(headed(root, &path, &std::fs::read_to_string(&path)?)?);
        }
    }
    for path in files(&root.join("examples/diagnosis"), "c")? {
        let text = std::fs::read_to_string(&path)?;
        let mut example = headed(root, &path, &text)?;
        let lines = (1..).zip(text.lines()).filter(|(_, line)| line.contains("/* the fault"));
        example.faults = lines.map(|(number, _)| (example.file(), number)).collect();
        example.verdict = Some("violated");
        found.push(example);
    }
    // Which formula is about which system is nowhere written but here.
    for (system, formula) in [("send_recv.aut", "no_second_send.mcl"), ("web_shop.aut", "web_shop.mcl")] {
        found.push(Example {
            path: Path::new("examples/lts").join(system),
            options: vec!["--property-file".to_owned(), format!("examples/lts/{formula}")],
            verdict: Some("violated"),
            faults: Vec::new(),
        });
    }
    found.sort_by(|a, b| (&a.path, &a.options).cmp(&(&b.path, &b.options)));
    Ok(found)
}

/// An example as its header tells it.
fn headed(root: &Path, path: &Path, text: &str) -> Result<Example> {
    let mut example = Example {
        path: path.strip_prefix(root)?.to_owned(),
        options: header(text, "options")
            .iter()
            .flat_map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect(),
        verdict: header(text, "expect").first().map(|expected| match expected.as_str() {
            "none" | "holds" => "holds",
            _ => "violated",
        }),
        faults: Vec::new(),
    };
    for fault in header(text, "fault").iter().chain(&header(text, "also")) {
        example.faults.extend(faulty_lines(fault, &example.file()));
    }
    Ok(example)
}

/// The lines that a field of a header names: `[FILE] line N "..."`, perhaps `first seen in line N "..."`.
fn faulty_lines(field: &str, own: &str) -> Vec<(String, u64)> {
    let number = |rest: &str| rest.split(' ').next().and_then(|word| word.parse().ok());
    let mut found = Vec::new();
    if let Some((before, rest)) = field.split_once("line ") {
        let file = if before.is_empty() { own } else { before.trim() };
        found.extend(number(rest).map(|line| (file.to_owned(), line)));
    }
    if let Some((_, rest)) = field.split_once("first seen in line ") {
        found.extend(number(rest).map(|line| (own.to_owned(), line)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{examples, faulty_lines};

    #[test]
    fn fields_of_headers_name_lines() {
        let one = |field| faulty_lines(field, "a.pml");
        assert_eq!(one("line 27 \"x = 1\": wrong"), [("a.pml".to_owned(), 27)]);
        assert_eq!(one("lock.h line 13 \"x\": wrong"), [("lock.h".to_owned(), 13)]);
        assert_eq!(
            one("line 86 \"x\": nothing; first seen in line 80 \"y\""),
            [("a.pml".to_owned(), 86), ("a.pml".to_owned(), 80)]
        );
        assert!(one("nowhere").is_empty());
    }

    #[test]
    fn every_example_that_fails_says_where_its_fault_is() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let root = root.canonicalize().unwrap_or_default();
        let all = examples(&root).unwrap_or_default();
        assert!(all.len() > 110, "{} examples", all.len());
        for example in &all {
            assert!(example.verdict.is_some(), "{}", example.name());
            let is_text = !example.path.starts_with("examples/lts");
            if is_text && example.verdict == Some("violated") {
                assert!(!example.faults.is_empty(), "{}", example.name());
            }
        }
    }
}
