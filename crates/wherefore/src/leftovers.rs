//! What variations leave behind beside a report: samples for Daikon, and failing variations as reports of their own.

use report::{Methods, Outcome, Report};

/// The files for Daikon, by their names; none if nobody asked.
pub fn daikon_files(report: &Report) -> Vec<(&'static str, &str)> {
    let Some(Outcome::Found(found)) = &report.methods.variations else { return Vec::new() };
    let Some(files) = &found.daikon else { return Vec::new() };
    vec![
        ("negative.decls", &files.negative[0]),
        ("negative.dtrace", &files.negative[1]),
        ("positive.decls", &files.positive[0]),
        ("positive.dtrace", &files.positive[1]),
    ]
}

/// The failing variations that were kept, each a report that can be replayed.
pub fn failing_variations(report: &Report) -> Vec<Report> {
    let Some(Outcome::Found(found)) = &report.methods.variations else { return Vec::new() };
    let kept = found.negative_traces.iter().map(|counterexample| Report {
        counterexample: Some(report::tell::counterexample(counterexample)),
        causes: Vec::new(),
        without: Vec::new(),
        others: Vec::new(),
        methods: Methods::default(),
        ..report.clone()
    });
    kept.collect()
}
