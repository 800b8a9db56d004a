//! The lines that a report points to, method by method, the most suspect first.

use serde_json::Value;

/// What is ranked: the answer of the whole report, and of each method alone.
pub(crate) const METHODS: [&str; 6] =
    ["combined", "neighbourhoods", "anomalies", "correct_transitions", "variations", "diagnosis"];

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Lines of one file, each once, in the order in which they are named.
#[derive(Debug, Default)]
struct Lines<'f> {
    file: &'f str,
    lines: Vec<u64>,
}

impl Lines<'_> {
    fn line(&mut self, line: u64) {
        if !self.lines.contains(&line) {
            self.lines.push(line);
        }
    }

    /// A place, and the places from which it is called.
    fn location(&mut self, location: &Value) {
        let here = |at: &Value| at["file"].as_str().is_some_and(|file| file.ends_with(self.file));
        let places = std::iter::once(location).chain(list(&location["calls"]));
        let lines: Vec<u64> = places.filter(|at| here(at)).filter_map(|at| at["line"].as_u64()).collect();
        lines.into_iter().for_each(|line| self.line(line));
    }

    fn event(&mut self, event: &Value) {
        self.location(&event["location"]);
        self.location(&event["partner"]["location"]);
    }
}

/// The lines of `file` that a method of a report suspects; none if it was not run or found nothing.
pub(crate) fn lines(report: &Value, method: &str, file: &str) -> Vec<u64> {
    let mut found = Lines { file, lines: Vec::new() };
    let told = &report["methods"][method];
    let steps = list(&report["counterexample"]["steps"]);
    if method != "combined" && (told.is_null() || !told["skipped"].is_null()) {
        return Vec::new();
    }
    match method {
        "combined" => {
            for location in list(&report["causes"]).iter().flat_map(|cause| list(&cause["locations"])) {
                found.location(location);
            }
        }
        "neighbourhoods" => {
            // Which steps the method keeps by itself; the report keeps those of the causes.
            let kept = |step: &&Value| {
                let within = |run: &Value| {
                    run["first"].as_u64() <= step["n"].as_u64() && step["n"].as_u64() <= run["last"].as_u64()
                };
                list(&told["abstracted"]).iter().any(within)
            };
            let decides = |step: &&Value| step["point_of_no_return"] == true;
            steps.iter().filter(decides).for_each(|step| found.event(step));
            steps.iter().rev().filter(kept).for_each(|step| found.event(step));
        }
        "anomalies" => {
            for event in list(&told["anomalies"]).iter().flat_map(|anomaly| list(&anomaly["events"])) {
                found.event(event);
            }
        }
        "correct_transitions" => {
            for trace in list(&told["traces"]) {
                for cause in list(&trace["causes"]) {
                    found.location(&cause["from"]);
                }
                found.location(&trace["point_of_interest"]);
            }
        }
        "variations" => {
            for sets in [&told["all"]["transitions"], &told["transitions"]] {
                for set in ["cause_neg", "only_neg"] {
                    list(&sets[set]).iter().for_each(|element| found.location(&element["location"]));
                }
            }
            list(&told["transitions"]["all_neg"])
                .iter()
                .for_each(|element| found.location(&element["location"]));
        }
        "diagnosis" => {
            for diagnosis in list(&told["diagnoses"]) {
                for line in list(&diagnosis["lines"]) {
                    match line.as_u64() {
                        Some(line) => found.line(line),
                        None => found.location(line),
                    }
                }
            }
        }
        _ => {}
    }
    found.lines
}

/// What became of a counterexample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Abstracted {
    pub(crate) length: usize,
    pub(crate) kept: usize,
    /// Whether any step is in one of the true lines: what was left out is not executed, nor what should have been.
    pub(crate) has_cause: bool,
    /// Whether such a step is among those that are kept.
    pub(crate) keeps_cause: bool,
}

pub(crate) fn abstracted(report: &Value, file: &str, lines: &[u64]) -> Option<Abstracted> {
    let steps = report["counterexample"]["steps"].as_array().filter(|steps| !steps.is_empty())?;
    let kept: Vec<&Value> = steps.iter().filter(|step| step["kept"] == true).collect();
    let is_true = |steps: &mut dyn Iterator<Item = &Value>| {
        let mut found = Lines { file, lines: Vec::new() };
        steps.for_each(|step| found.event(step));
        found.lines.iter().any(|line| lines.contains(line))
    };
    Some(Abstracted {
        length: steps.len(),
        kept: kept.len(),
        has_cause: is_true(&mut steps.iter()),
        keeps_cause: is_true(&mut kept.iter().copied()),
    })
}

/// The values that the counterexample took from outside.
pub(crate) fn inputs(report: &Value) -> Vec<i64> {
    let steps = list(&report["counterexample"]["steps"]);
    steps.iter().flat_map(|step| list(&step["inputs"])).filter_map(Value::as_i64).collect()
}

/// The lines that the counterexample executes.
pub(crate) fn executed(report: &Value, file: &str) -> Vec<u64> {
    let mut found = Lines { file, lines: Vec::new() };
    list(&report["counterexample"]["steps"]).iter().for_each(|step| found.event(step));
    found.lines
}

/// Where the first of the true lines stands in a ranking, counted from 1.
pub(crate) fn position(ranking: &[u64], lines: &[u64]) -> Option<usize> {
    ranking.iter().position(|line| lines.contains(line)).map(|at| at + 1)
}

/// How much of the code is read until a true line is met: the ranked lines first, then the others in any order, of
/// which one half is read on average.
pub(crate) fn exam(ranking: &[u64], lines: &[u64], code: &[u64]) -> f64 {
    let all = code.len().max(1) as f64;
    match position(ranking, lines) {
        Some(at) => (at as f64 / all).min(1.0),
        None => {
            let ranked = ranking.iter().filter(|line| code.contains(line)).count() as f64;
            ((ranked + (all - ranked) / 2.0) / all).min(1.0)
        }
    }
}
