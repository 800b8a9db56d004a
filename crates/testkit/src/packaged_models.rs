//! The models that come with SPIN's Debian package, and the table of what SPIN says about them.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::spin::{Ending, Options, Refusal, Source, Spin, Verdict};

/// Models whose exact search by SPIN needs more than 20 seconds or 2 GB; tests leave them out unless asked.
pub const SLOW: &[&str] =
    &["Book_1991/App.F.pftp.pml", "Exercises/ex_6.pml", "LTL/ltl_gen.pml", "LTL/petersonN.pml", "life.pml"];

#[derive(Clone, Debug)]
pub struct PackagedModel {
    /// Its path below the folder of examples, without what all have in common: `LTL/leader.pml`.
    pub name: String,
    pub path: PathBuf,
}

impl PackagedModel {
    pub fn source(&self) -> Source {
        Source::file(&self.path).expect("a file of the package")
    }

    pub fn is_slow(&self) -> bool {
        SLOW.contains(&self.name.as_str())
    }
}

/// The models of the package in the order of their names; files that only serve to be included by others
/// (`.h`) are left out. Nothing, with a word about it, where the package is not installed.
#[allow(clippy::print_stderr)]
pub fn packaged_models() -> Vec<PackagedModel> {
    let root = Path::new("/usr/share/doc/spin/examples/Examples");
    let mut models = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
            let name = name.strip_suffix(".gz").unwrap_or(&name).to_owned();
            if name.ends_with(".pml") {
                models.push(PackagedModel { name, path });
            }
        }
    }
    models.sort_by(|one, other| one.name.cmp(&other.name));
    if models.is_empty() {
        let required = std::env::var("WHEREFORE_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
        assert!(!required, "the models of SPIN's package are required and missing");
        eprintln!("skipped: no models in {}", root.display());
    }
    models
}

/// What SPIN says about one model.
#[derive(Clone, Debug)]
pub struct Row {
    pub name: String,
    pub verdict: Result<Verdict, Refusal>,
}

/// Verifies models, two at a time, in the given order.
pub fn reference_table(spin: &Spin, models: &[(String, Source)], options: &Options) -> Vec<Row> {
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(vec![None; models.len()]);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((index, (_, source))) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    models.get(index).map(|model| (index, model))
                } {
                    let verdict = spin.verify(source, options);
                    verdicts.lock().expect("no verification panicked")[index] = Some(verdict);
                }
            });
        }
    });
    let verdicts = verdicts.into_inner().expect("no verification panicked");
    let rows = models.iter().zip(verdicts);
    rows.map(|((name, _), verdict)| Row { name: name.clone(), verdict: verdict.expect("all are done") })
        .collect()
}

pub const TABLE_HEAD: &str = "| model | accepted | states | transitions | errors | depth | seconds | notes |\n\
                              |---|---|---:|---:|---:|---:|---:|---|";

/// A row in Markdown.
impl Display for Row {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        let verdict = match &self.verdict {
            Ok(verdict) => verdict,
            Err(refusal) => {
                let why = match refusal {
                    Refusal::Spin(text) => format!("SPIN: {}", errors_of(text)),
                    Refusal::Compiler(text) => format!("gcc: {}", errors_of(text)),
                    Refusal::TimedOut => "no translation in time".to_owned(),
                };
                return write!(to, "| {name} | no | | | | | | {} |", why.replace('|', "\\|"));
            }
        };
        let mut notes: Vec<String> =
            verdict.by_text.iter().map(|(text, count)| format!("{count} × {text}")).collect();
        match &verdict.ending {
            Ending::Completed => {}
            Ending::DepthTooSmall => notes.push("max depth too small".to_owned()),
            Ending::OutOfMemory => notes.push("out of memory".to_owned()),
            Ending::GaveUp => notes.push("search not completed".to_owned()),
            Ending::TimedOut => notes.push("timed out".to_owned()),
            Ending::TooMuchOutput => notes.push("too much output".to_owned()),
            Ending::Died(how) => notes.push(format!("the verifier died: {how}")),
        }
        notes.extend(verdict.remarks.iter().cloned());
        notes.extend(verdict.messages.iter().filter(|line| line.contains("rror")).cloned());
        write!(
            to,
            "| {name} | yes | {} | {} | {} | {} | {}.{:03} | {} |",
            verdict.states,
            verdict.transitions,
            verdict.errors,
            verdict.depth,
            verdict.milliseconds / 1000,
            verdict.milliseconds % 1000,
            notes.join("; ").replace('|', "\\|").replace('\t', " "),
        )
    }
}

fn errors_of(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| line.contains("rror")).take(2).collect();
    if !lines.is_empty() {
        return lines.join("; ");
    }
    // Formulas are refused without that word.
    let formulas: Vec<&str> = text.lines().filter(|line| line.starts_with("tl_spin")).take(1).collect();
    formulas.join("; ")
}
