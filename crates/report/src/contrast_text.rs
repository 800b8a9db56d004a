//! The comparison of logs for people at a terminal: what is wrong first, then where to look, then what
//! else there is, and at the end what to be careful about.

use std::io;

use anstyle::AnsiColor;

use crate::Verdict;
use crate::contrast::{ContrastReport, LogAnomalies, LogAnomaly, LogEvent, LogPatterns, LogSet, TraceSet};
use crate::text::{Detail, Page};
use crate::wording::{count, grouped, shown};

/// How many groups, anomalies and patterns are shown without `-v`.
const MOST: usize = 5;

pub fn render(
    report: &ContrastReport,
    detail: Detail,
    colour: bool,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut page = Page::new(detail, colour);
    let most = if detail == Detail::Verbose { usize::MAX } else { MOST };
    let word = match report.verdict {
        Verdict::Holds => page.paint(AnsiColor::Green, "no anomalies"),
        Verdict::Violated => page.paint(AnsiColor::Red, "anomalies"),
        Verdict::Unknown => page.paint(AnsiColor::Yellow, "unknown"),
    };
    page.sentence(&format!("{word}: "), 2, &report.reason);
    if detail != Detail::Quiet {
        let found = &report.methods.anomalies;
        let statistics = &report.statistics;
        set(&mut page, "failing", &found.bad, &statistics.bad);
        set(&mut page, "passing", &found.good, &statistics.good);
        causes(&mut page, report, most);
        anomalies(&mut page, found, most);
        counterexamples(&mut page, found, most);
        if let Some(found) = &found.patterns {
            patterns(&mut page, found, most);
        }
        notes(&mut page, report);
    }
    out.write_all(page.text().as_bytes())
}

fn set(page: &mut Page, name: &str, traces: &TraceSet, read: &LogSet) {
    let files = if read.files == traces.traces {
        String::new()
    } else {
        format!(" in {}", count(read.files, "file"))
    };
    page.line(&format!(
        "  {name}: {}{files}, {}, on average {:.1} and at most {} a trace",
        count(traces.traces, "trace"),
        count(read.events, "event"),
        traces.average_length,
        grouped(traces.max_length),
    ));
}

fn causes(page: &mut Page, report: &ContrastReport, most: usize) {
    if report.causes.is_empty() {
        return;
    }
    page.line("");
    page.line("because");
    for cause in report.causes.iter().take(most) {
        page.sentence(" - ", 3, &shown(&cause.summary));
        page.sentence("   ", 3, &shown(&cause.claim));
    }
    more(page, " - ", report.causes.len(), most, "more such groups");
}

fn anomalies(page: &mut Page, found: &LogAnomalies, most: usize) {
    if found.anomalies.is_empty() {
        return;
    }
    page.line("");
    page.line(&format!("anomalies, those that occur early first ({} in all)", grouped(found.count)));
    for anomaly in found.anomalies.iter().take(most) {
        place(page, anomaly, found);
        for event in &anomaly.events {
            page.line(&format!("          {}", told(event)));
        }
    }
    more(page, "      ", found.count as usize, most.min(found.anomalies.len()), "more");
}

fn place(page: &mut Page, anomaly: &LogAnomaly, found: &LogAnomalies) {
    let support = anomaly.support;
    let passing = match support.passing {
        0 => String::new(),
        some => format!(" and {} of {} passing ones", grouped(some), grouped(found.good.traces)),
    };
    let score = anomaly.score.map_or_else(String::new, |score| format!("; score {score:.2}"));
    page.line(&format!(
        "  {:>4}  {}:{}, event {}; in {} of {} failing traces{passing}{score}",
        anomaly.rank,
        shown(&anomaly.file),
        anomaly.line,
        grouped(anomaly.position),
        grouped(support.failing),
        grouped(found.bad.traces),
    ));
}

/// An event on a line of its own.
fn told(event: &LogEvent) -> String {
    let process = event.process.as_ref().map(|process| format!("{process}: ")).unwrap_or_default();
    let alone = if event.only_failing == Some(true) { "   <- in no passing trace" } else { "" };
    shown(&format!("{process}{}{alone}", event.action))
}

fn counterexamples(page: &mut Page, found: &LogAnomalies, most: usize) {
    if found.counterexamples.is_empty() {
        return;
    }
    page.line("");
    page.line("failing traces to look at, with their anomalies");
    for trace in found.counterexamples.iter().take(most) {
        let of = if trace.trace == trace.file { String::new() } else { format!(" in {}", trace.file) };
        let ranks = trace.anomalies.iter().take(12).map(u64::to_string).collect::<Vec<_>>().join(", ");
        let others = match trace.anomalies.len() {
            0..=12 => String::new(),
            more => format!(" and {} more", more - 12),
        };
        let length = count(trace.length, "event");
        page.sentence("  ", 4, &shown(&format!("{}{of}, {length}: {ranks}{others}", trace.trace)));
    }
    more(page, "  ", found.counterexamples.len(), most, "more");
}

fn patterns(page: &mut Page, found: &LogPatterns, most: usize) {
    if found.patterns.is_empty() {
        return;
    }
    page.line("");
    let sample = found.sample;
    page.line(&format!(
        "patterns, with other events between ({} in all, of {} failing and {} passing traces)",
        grouped(found.count),
        grouped(sample.failing),
        grouped(sample.passing)
    ));
    for pattern in found.patterns.iter().take(most) {
        let events: Vec<String> = pattern
            .events
            .iter()
            .map(|event| match &event.process {
                Some(process) => format!("`{process}: {}`", event.action),
                None => format!("`{}`", event.action),
            })
            .collect();
        let support = pattern.support;
        let text = format!(
            "{} in {} of {} failing traces and {} of {} passing ones",
            events.join(" .. "),
            grouped(support.failing),
            grouped(sample.failing),
            grouped(support.passing),
            grouped(sample.passing)
        );
        page.sentence(" - ", 3, &shown(&text));
    }
    more(page, " - ", found.count as usize, most.min(found.patterns.len()), "more");
}

fn notes(page: &mut Page, report: &ContrastReport) {
    if report.notes.is_empty() {
        return;
    }
    page.line("");
    page.line("note");
    for note in &report.notes {
        page.sentence(" - ", 3, &shown(note));
    }
    let sets = [&report.statistics.good, &report.statistics.bad];
    for broken in sets.iter().flat_map(|set| &set.broken).take(MOST) {
        page.line(&shown(&format!(
            "     {}:{}: {}: {}",
            broken.file, broken.line, broken.reason, broken.text
        )));
    }
}

fn more(page: &mut Page, indent: &str, all: usize, shown: usize, what: &str) {
    if all > shown {
        page.line(&format!("{indent}({} {what}; -v or -f json shows them)", grouped((all - shown) as u64)));
    }
}
