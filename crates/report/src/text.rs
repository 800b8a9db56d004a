//! The report for people at a terminal.
//!
//! By default one screen ([`screen`]); with `-v` all that is known: every step, every suspect, every method. Plain ASCII,
//! as wide as the terminal where labels allow it; colour only underlines what the words already say.

mod anomalies;
mod beside;
mod causes;
mod correct_transitions;
mod deadlock;
mod diagnosis;
mod doom;
mod evaluation;
mod fitting;
mod headlines;
mod neighbourhoods;
mod others;
mod patch;
mod properties;
mod repairs;
mod screen;
mod since;
mod trace;
mod underlined;
mod variations;

use std::collections::BTreeSet;
use std::io;

use anstyle::{AnsiColor, Style};
use findings::Skip;

pub(crate) use headlines::{Headline, headlines};

use self::fitting::{Fit, ROOMY};
use crate::lanes::Lanes;
use crate::wording::{count, grouped, shown};
use crate::{
    Counterexample, Engine, Location, Outcome, PartValue, Reduction, Report, Verdict, Violation,
    ViolationKind, Worded,
};

/// How wide a report is where nobody knows the terminal, and between which widths it can be.
pub const WIDTH: usize = 100;
const WIDTHS: std::ops::RangeInclusive<usize> = 60..=200;
/// How many entries of a list the report with all its parts has; a method that is asked for has all.
const MOST_IN_FULL: usize = 30;
/// How many alternatives a line names before it says "and more".
const MOST_ALTERNATIVES: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The verdict only.
    Quiet,
    Normal,
    /// Every step, every neighbourhood.
    Verbose,
}

/// How a report is told.
#[derive(Clone, Copy, Debug)]
pub struct Telling {
    pub detail: Detail,
    pub colour: bool,
    /// Whether to tell the results of each method after the causes they came to together.
    pub by_method: bool,
    /// Whether there is a command line whose options can be pointed to.
    pub options: bool,
    /// How many columns the terminal has.
    pub width: usize,
}

pub fn render(report: &Report, telling: Telling, out: &mut dyn io::Write) -> io::Result<()> {
    let mut page = Page::of(telling);
    page.verdict(report);
    if telling.detail != Detail::Quiet {
        page.size(report);
        let explains = !report.causes.is_empty();
        match telling.detail {
            Detail::Normal if explains && !telling.by_method => page.fitted_screen(report),
            Detail::Normal if explains => page.screen(report),
            _ => page.in_full(report),
        }
        page.methods(report, telling.by_method || telling.detail == Detail::Verbose);
        if telling.detail == Detail::Verbose {
            page.others(report);
            page.violations(report);
        }
        page.since(report);
        page.unreached(report);
        page.definitions(report);
    }
    out.write_all(page.text.as_bytes())
}

/// How the text of a report begins, as soon as its verdict and its counterexample are known.
pub fn head(report: &Report, telling: Telling) -> String {
    let mut page = Page::of(telling);
    page.verdict(report);
    page.text
}

/// Text under construction.
#[derive(Debug)]
pub(crate) struct Page {
    text: String,
    colour: bool,
    detail: Detail,
    width: usize,
    /// Whether options of the command line are pointed to.
    options: bool,
    /// Whether results of methods were asked for, and not only their common causes.
    by_method: bool,
    /// Whether steps that are kept are marked: not where all are.
    marks_kept: bool,
    /// Those of the trace that is shown.
    lanes: Option<Lanes>,
    /// The steps of it that have a row.
    shown_steps: BTreeSet<u64>,
    /// Lines without a file are lines of this one.
    main_file: String,
    /// The headings so far, each with its sentence.
    headings: Vec<(String, String)>,
    /// The properties that changes were tried on.
    checked: Vec<String>,
    /// How much room the first screen has.
    fit: Fit,
}

impl Page {
    fn of(telling: Telling) -> Self {
        let width = telling.width.clamp(*WIDTHS.start(), *WIDTHS.end());
        let Telling { options, by_method, .. } = telling;
        Self { options, by_method, width, ..Self::new(telling.detail, telling.colour) }
    }

    pub(crate) fn new(detail: Detail, colour: bool) -> Self {
        Self {
            text: String::new(),
            colour,
            detail,
            width: WIDTH,
            options: true,
            by_method: true,
            marks_kept: false,
            lanes: None,
            shown_steps: BTreeSet::new(),
            main_file: String::new(),
            headings: Vec::new(),
            checked: Vec::new(),
            fit: ROOMY,
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn paint(&self, colour: AnsiColor, text: &str) -> String {
        if self.colour {
            let style = Style::new().fg_color(Some(colour.into())).bold();
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    pub(crate) fn line(&mut self, text: &str) {
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }

    /// A sentence, broken into lines that start with `indent`.
    pub(crate) fn sentence(&mut self, first: &str, indent: usize, text: &str) {
        let mut line = format!("{first:indent$}");
        let mut started = false;
        for word in text.split_whitespace() {
            if started && line.chars().count() + 1 + word.chars().count() > self.width {
                self.line(&line);
                line = " ".repeat(indent);
                started = false;
            }
            if started {
                line.push(' ');
            }
            line.push_str(word);
            started = true;
        }
        self.line(&line);
    }

    fn verdict(&mut self, report: &Report) {
        let word = match report.verdict {
            Verdict::Holds => self.paint(AnsiColor::Green, "holds"),
            Verdict::Violated => self.paint(AnsiColor::Red, "violated"),
            Verdict::Unknown => self.paint(AnsiColor::Yellow, "undecided"),
        };
        self.main_file.clone_from(&report.input.path);
        self.checked.clone_from(&report.repairs_checked);
        if let (Verdict::Violated, Some(nearest)) = (report.verdict, report.explained_violation()) {
            let text = violated(report, nearest);
            self.sentence(&format!("{word}: "), 2, &shown(&text));
            return self.other_properties(report);
        }
        if report.properties.len() > 1 && report.verdict == Verdict::Holds {
            return self.all_hold(&word, report);
        }
        let is_deadlock = report.property.text == "deadlock" && report.verdict == Verdict::Holds;
        let property = if is_deadlock { "no deadlock" } else { &report.property.text };
        self.sentence(&format!("{word}: "), 2, &shown(property));
        self.sentence("", 2, &report.reason);
        self.other_properties(report);
    }

    fn size(&mut self, report: &Report) {
        let mut parts: Vec<String> = Vec::new();
        if let Some(counterexample) = &report.counterexample {
            parts.push(count(counterexample.length, "step"));
        }
        if let Some(size) = &report.input.size {
            parts.push(count(size.states, "state"));
            // Through a sequence that goes round inside of a single step there is no end of ways.
            parts.push(match size.transitions {
                u64::MAX => "transitions without end".to_owned(),
                transitions => count(transitions, "transition"),
            });
            if self.detail == Detail::Verbose {
                parts.push(count(size.labels, "label"));
            }
        }
        let statistics = &report.statistics;
        if report.engine == Engine::Sat {
            parts.push(match report.bound {
                Some(bound) => {
                    format!("as a formula (SAT engine), loops and recursion unwound up to {bound}")
                }
                None => "found by the SAT engine, confirmed by a run".to_owned(),
            });
        }
        let mut text = format!("{}: {}", shown(&report.input.path), parts.join(", "));
        if report.engine != Engine::Sat && !statistics.complete {
            text.push_str(&format!("; explored in part: {}", count(statistics.states, "state")));
        } else if self.detail == Detail::Verbose && statistics.complete && statistics.state_bytes.is_none() {
            text.push_str(&format!(
                "; explored: {} of system and property together",
                count(statistics.states, "state")
            ));
        }
        if statistics.reduction == Reduction::Por {
            text.push_str(" (after partial-order reduction)");
        }
        if report.engine == Engine::Summary {
            text.push_str("; searched by summaries, call by call");
        }
        self.sentence("", 2, &text);
        if let Some(tests) = &report.tests {
            self.sentence("", 2, &crate::tell::tests(tests));
        }
    }

    /// The report with all its parts.
    fn in_full(&mut self, report: &Report) {
        self.causes(report);
        if let Some(counterexample) = &report.counterexample {
            self.counterexample(report, counterexample);
            self.choices(counterexample);
        }
        self.passing_relative(report);
        self.evaluation(report);
        self.repairs(report);
    }

    /// What else is wrong, where there is more than one thing.
    fn violations(&mut self, report: &Report) {
        if report.violations.len() < 2 {
            return;
        }
        let title = self.paint(AnsiColor::Cyan, "violations");
        self.line("");
        let how =
            if self.options { "explain another one with --violation ID" } else { "all that were found" };
        self.sentence(&format!("{title}: "), 0, how);
        self.main_file.clone_from(&report.input.path);
        for violation in &report.violations {
            let place = self.place(violation.location.as_ref());
            let place = place.trim_end();
            let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
            let text = format!(
                "{}{at}: {}; {}, the nearest after {}",
                violation.kind,
                violation.text,
                count(violation.count, "time"),
                count(violation.shortest, "step"),
            );
            self.sentence(&format!("  {:>3} ", violation.id), 6, &shown(&text));
        }
    }

    fn unreached(&mut self, report: &Report) {
        let Some(unreached) = &report.unreached else { return };
        let title = self.paint(AnsiColor::Cyan, "never executed");
        self.line("");
        self.main_file.clone_from(&report.input.path);
        if unreached.is_empty() {
            let note =
                if report.input.kind == "promela" { " (a d_step counts as one statement)" } else { "" };
            self.line(&format!("{title}: nothing; every statement occurs in some trace{note}"));
            return;
        }
        self.line(&title);
        for deed in unreached {
            let text = format!("{}, {}`{}`", deed.process, self.place(deed.location.as_ref()), deed.action);
            self.sentence(" -", 3, &shown(&text));
        }
    }

    /// A line, with its file where it is not the one that was given; of what is called, the line of the
    /// outermost call as well.
    fn place(&self, location: Option<&Location>) -> String {
        let line = |at: &Location| {
            if at.file == self.main_file {
                format!("line {}", at.line)
            } else {
                format!("{}:{}", at.file, at.line)
            }
        };
        match location {
            None => String::new(),
            Some(at) => match at.calls.last() {
                None => line(at) + " ",
                Some(call) => format!("{} ({}) ", line(call), line(at)),
            },
        }
    }

    /// The line where something stands or, inside of a macro or an inline, the line where that is used.
    fn outermost(&self, location: Option<&Location>) -> String {
        let outermost = location.map(|at| at.calls.last().unwrap_or(at)).cloned();
        let outermost = outermost.map(|at| Location { calls: Vec::new(), ..at });
        shown(self.place(outermost.as_ref()).trim_end())
    }

    /// What each method found by itself, where that is asked for.
    fn methods(&mut self, report: &Report, in_full: bool) {
        if in_full {
            self.skipped(report);
            self.methods_in_full(report);
        } else if report.causes.is_empty() {
            self.pointers(report);
        }
    }

    /// How to see more.
    fn pointers(&mut self, report: &Report) {
        let methods = &report.methods;
        let found = [
            methods.neighbourhoods.as_ref().is_some_and(|outcome| outcome.found().is_some()),
            methods.anomalies.as_ref().is_some_and(|outcome| outcome.found().is_some()),
            methods.correct_transitions.as_ref().is_some_and(|outcome| outcome.found().is_some()),
            methods.variations.as_ref().is_some_and(|outcome| outcome.found().is_some()),
            methods.diagnosis.as_ref().is_some_and(|outcome| outcome.found().is_some()),
        ];
        if found.contains(&true) && self.options {
            self.line("");
            let told = [
                "-v shows all steps, suspects and methods, -m METHOD one of them, --open the HTML report",
                "-v (all), -m METHOD, --open (HTML)",
            ];
            self.first_that_fits("more: ", 0, &told.map(str::to_owned), self.fit.lines);
        }
    }

    fn methods_in_full(&mut self, report: &Report) {
        let methods = &report.methods;
        if let Some(found) = methods.neighbourhoods.as_ref().and_then(Outcome::found) {
            self.untouched(found);
            self.neighbourhoods(found);
        }
        if let Some(found) = methods.anomalies.as_ref().and_then(Outcome::found) {
            self.anomalies(found, report.counterexample.as_ref());
        }
        if let Some(found) = methods.correct_transitions.as_ref().and_then(Outcome::found) {
            self.correct_transitions(found);
        }
        if let Some(found) = methods.variations.as_ref().and_then(Outcome::found) {
            self.variations(found);
        }
        if let Some(found) = methods.diagnosis.as_ref().and_then(Outcome::found) {
            self.diagnosis(found);
        }
    }

    /// Says of methods that were asked for and found nothing why, those with the same reason together.
    fn skipped(&mut self, report: &Report) {
        let methods = &report.methods;
        let why = |name: &'static str, reason: Option<&Worded<Skip>>| {
            let reason = reason.filter(|reason| reason.data != Skip::NotAsked)?;
            Some((name, reason.text().to_owned()))
        };
        let all = [
            why("neighbourhoods", methods.neighbourhoods.as_ref().and_then(Outcome::skipped)),
            why("anomalies", methods.anomalies.as_ref().and_then(Outcome::skipped)),
            why("correct transitions", methods.correct_transitions.as_ref().and_then(Outcome::skipped)),
            why("variations", methods.variations.as_ref().and_then(Outcome::skipped)),
            why("diagnosis", methods.diagnosis.as_ref().and_then(Outcome::skipped)),
        ];
        let mut by_reason: Vec<(String, Vec<&str>)> = Vec::new();
        for (name, reason) in all.into_iter().flatten() {
            match by_reason.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, names)) => names.push(name),
                None => by_reason.push((reason, vec![name])),
            }
        }
        if report.verdict == Verdict::Violated && !by_reason.is_empty() {
            self.line("");
            for (reason, names) in by_reason {
                self.sentence(&format!("{}: ", names.join(", ")), 0, &format!("not computed, {reason}"));
            }
        }
    }

    /// What "passing" meant; with it, what became of the states.
    fn definitions(&mut self, report: &Report) {
        let is_verbose = self.detail == Detail::Verbose;
        if !is_verbose {
            return;
        }
        self.line("");
        self.sentence("passing: ", 0, &report.passing_definition);
        if let Some(fates) = &report.fates {
            let text = format!(
                "{} safe, {} free, {} doomed, {} unknown; {} and {}",
                grouped(fates.safe),
                grouped(fates.free),
                grouped(fates.doomed),
                grouped(fates.unknown),
                match fates.points_of_no_return {
                    1 => "1 point of no return".to_owned(),
                    many => format!("{} points of no return", grouped(many)),
                },
                count(fates.escapes, "escape"),
            );
            self.sentence("states: ", 0, &text);
        }
    }
}

/// What is wrong, where, and which values make it so.
pub(crate) fn violated(report: &Report, nearest: &Violation) -> String {
    let counterexample = report.counterexample.as_ref();
    // A counterexample that was given need not be a shortest one.
    let steps = counterexample.map_or(nearest.shortest, |trace| trace.length);
    let after = count(steps, "step");
    if nearest.kind == ViolationKind::Deadlock {
        return format!("deadlock after {after}: {}", nearest.text);
    }
    let place = nearest.location.as_ref().map(|at| at.calls.last().unwrap_or(at));
    let at = place.map_or_else(String::new, |at| format!(" at {}:{}", at.file, at.line));
    let values = counterexample.and_then(|trace| values(nearest, trace));
    let values = values.map_or_else(String::new, |values| format!(": {values}"));
    format!("{}{at}{values}", nearest.text)
}

/// How many values are named.
const MOST_VALUES: usize = 3;

/// The values that make a condition false or, where nothing is asserted, what else is known of the violation.
fn values(nearest: &Violation, counterexample: &Counterexample) -> Option<String> {
    let mut told: Vec<String> = Vec::new();
    for part in &counterexample.condition {
        let is_name = part.text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '*');
        if let (PartValue::Value(value), true) = (&part.value, is_name && told.len() < MOST_VALUES) {
            let text = format!("{} is {value}", part.text);
            if part.text != *value && !told.contains(&text) {
                told.push(text);
            }
        }
    }
    if !told.is_empty() {
        return Some(told.join(", "));
    }
    let detail = counterexample.text.as_deref().filter(|text| *text != nearest.text)?;
    Some(
        detail
            .strip_prefix(&nearest.text)
            .and_then(|rest| rest.strip_prefix(": "))
            .unwrap_or(detail)
            .to_owned(),
    )
}

fn escaped(labels: &[String]) -> Vec<String> {
    labels.iter().map(|label| shown(label)).collect()
}
