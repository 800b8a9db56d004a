//! What SPIN says about many models, as a table.

use std::fmt::{self, Display};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::spin::{Ending, Options, Refusal, Source, Spin, Verdict};

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
