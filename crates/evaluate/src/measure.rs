//! Explaining cases, and comparing what comes out with what was changed.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::baselines::{BASELINES, ranking as baseline};
use crate::cases::Case;
use crate::ranking::{self, Abstracted, METHODS};
use crate::tool::Tool;
use crate::walks::{Spectrum, sample};

/// How cases are explained.
#[derive(Debug)]
pub(crate) struct Plan<'p> {
    pub(crate) limit: u64,
    pub(crate) methods: Option<&'p str>,
    pub(crate) options: &'p [String],
    /// Where reports are written, if anywhere.
    pub(crate) reports: Option<&'p Path>,
}

/// How well one way to rank lines does on one case.
#[derive(Clone, Debug)]
pub(crate) struct Score {
    pub(crate) way: &'static str,
    /// Whether it names any line.
    pub(crate) explained: bool,
    /// The place of the first true line, counted from 1; lines that are equally suspect share a place.
    pub(crate) position: Option<f64>,
    pub(crate) exam: f64,
    pub(crate) ranking: Vec<u64>,
    pub(crate) seconds: Option<f64>,
}

#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) scores: Vec<Score>,
    pub(crate) abstracted: Option<Abstracted>,
    pub(crate) seconds: f64,
    /// What the report says is wrong; nothing if there is no report.
    pub(crate) verdict: Option<String>,
    /// The sentences of the causes.
    pub(crate) causes: Vec<String>,
    /// How many failing and passing traces were sampled.
    pub(crate) sampled: (usize, usize),
    /// Whether a repair was verified, and whether it changes a true line.
    pub(crate) repaired: Option<bool>,
}

pub(crate) fn measure(cases: &[Case], tool: &Tool, plan: &Plan<'_>, jobs: usize) -> Vec<Measured> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Measured)>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(at) else { return };
                    let measured = one(case, tool, plan);
                    if let Ok(mut done) = done.lock() {
                        done.push((at, measured));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, measured)| measured).collect()
}

fn one(case: &Case, tool: &Tool, plan: &Plan<'_>) -> Measured {
    let mut options = case.options.clone();
    options.extend(plan.methods.iter().flat_map(|list| ["-m".to_owned(), (*list).to_owned()]));
    options.extend(plan.options.iter().cloned());
    let (report, seconds) = match tool.run("explain", &case.path, &options, plan.limit) {
        Ok(run) => (run.report.unwrap_or(Value::Null), run.seconds),
        Err(_) => (Value::Null, 0.0),
    };
    if let Some(folder) = plan.reports {
        let kept = serde_json::json!({ "case": case.name, "true_lines": case.lines, "report": report });
        // Reports are kept for people to look at; figures do not need them.
        let _ = std::fs::write(folder.join(format!("{}.json", case.name)), kept.to_string());
    }
    let file = case.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let code = edits::statement_lines(&case.text, case.language);
    let mut scores: Vec<Score> = METHODS
        .into_iter()
        .map(|way| {
            let ranking = ranking::lines(&report, way, &file);
            Score {
                way,
                explained: !ranking.is_empty(),
                position: ranking::position(&ranking, &case.lines).map(|at| at as f64),
                exam: ranking::exam(&ranking, &case.lines, &code),
                seconds: report["methods"][way]["seconds"].as_f64(),
                ranking,
            }
        })
        .collect();
    let mut spectrum = sample(case, &ranking::inputs(&report));
    let failing = ranking::executed(&report, &file);
    if !failing.is_empty() {
        spectrum.failing.push(failing.into_iter().collect());
    }
    scores.extend(BASELINES.into_iter().map(|way| baseline_score(way, case, &spectrum, &code)));
    let causes = report["causes"].as_array().map_or(&[][..], Vec::as_slice);
    let told = |cause: &Value| cause["summary"].as_str().unwrap_or_default().to_owned();
    let repairs = report["repairs"].as_array().map_or(&[][..], Vec::as_slice);
    let mends =
        |repair: &Value| repair["location"]["line"].as_u64().is_some_and(|line| case.lines.contains(&line));
    Measured {
        scores,
        abstracted: ranking::abstracted(&report, &file, &case.lines),
        seconds,
        verdict: report["reason"].as_str().map(str::to_owned),
        causes: causes.iter().map(told).collect(),
        sampled: (spectrum.failing.len(), spectrum.passing.len()),
        repaired: (!repairs.is_empty()).then(|| repairs.iter().any(mends)),
    }
}

fn baseline_score(way: &'static str, case: &Case, spectrum: &Spectrum, code: &[u64]) -> Score {
    let ranked = baseline(way, spectrum);
    let position = ranked.iter().find(|(line, _)| case.lines.contains(line)).map(|(_, place)| *place);
    let ranking: Vec<u64> = ranked.iter().map(|(line, _)| *line).collect();
    let exam = match position {
        Some(place) => (place / code.len().max(1) as f64).min(1.0),
        None => ranking::exam(&ranking, &case.lines, code),
    };
    Score { way, explained: !ranking.is_empty(), position, exam, ranking, seconds: None }
}
