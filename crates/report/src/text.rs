//! The report for people at a terminal.
//!
//! First the verdict, then the counterexample with its unimportant stretches folded, then what it
//! means: where there was a choice, what decided, what would have escaped. Plain ASCII, at most
//! [`WIDTH`] columns where labels allow it; colour only underlines what the words already say.

mod anomalies;
mod beside;
mod causes;
mod correct_transitions;
mod diagnosis;
mod doom;
mod evaluation;
mod others;
mod repairs;
mod since;
mod underlined;
mod variations;

use std::io;

use anstyle::{AnsiColor, Style};

use crate::lanes::Lanes;
use crate::wording::{alternatives, count, grouped, instead_of, shown};
use crate::{Counterexample, Location, Neighbourhoods, Outcome, Report, StateId, Step, Verdict};

const WIDTH: usize = 100;
/// Why a method that the user did not ask for was skipped: nothing to tell the user.
const NOT_ASKED: &str = "not asked for";
const POINT_OF_NO_RETURN: &str = "point of no return";
/// The column in which the notes on steps start, where the actions leave room.
const NOTES_AT: usize = 34;
/// How many alternatives a line names before it says "and more".
const MOST_ALTERNATIVES: usize = 4;
/// How many calls around a step are drawn.
const MOST_DEPTH: u64 = 20;
/// How many steps of a trace of which nothing is left out are shown without `-v`.
const MOST_STEPS: u64 = 60;
/// Traces of processes that are not longer than this are shown whole, and of longer ones the steps that led to the
/// violation if there are no more of them than that.
const MOST_SHORT: u64 = 16;
const MOST_LEADING: usize = 14;
/// How many neighbourhoods are listed without `-v`.
const MOST_NEIGHBOURHOODS: usize = 5;

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
}

pub fn render(report: &Report, telling: Telling, out: &mut dyn io::Write) -> io::Result<()> {
    let mut page = Page::new(telling.detail, telling.colour);
    page.options = telling.options;
    page.verdict(report);
    if telling.detail != Detail::Quiet {
        page.size(report);
        page.causes(report);
        if let Some(counterexample) = &report.counterexample {
            page.counterexample(report, counterexample);
            page.choices(counterexample);
        }
        page.passing_relative(report);
        page.evaluation(report);
        page.repairs(report);
        page.methods(report, telling.by_method || telling.detail == Detail::Verbose);
        page.others(report);
        page.violations(report);
        page.since(report);
        page.unreached(report);
        page.definitions(report);
    }
    out.write_all(page.text.as_bytes())
}

/// Text under construction.
#[derive(Debug)]
pub(crate) struct Page {
    text: String,
    colour: bool,
    detail: Detail,
    /// Whether options of the command line are pointed to.
    options: bool,
    /// Whether steps that are kept are marked: not where all are.
    marks_kept: bool,
    /// Those of the trace that is shown.
    lanes: Option<Lanes>,
    /// Lines without a file are lines of this one.
    main_file: String,
}

impl Page {
    pub(crate) fn new(detail: Detail, colour: bool) -> Self {
        Self {
            text: String::new(),
            colour,
            detail,
            options: true,
            marks_kept: false,
            lanes: None,
            main_file: String::new(),
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
            if started && line.chars().count() + 1 + word.chars().count() > WIDTH {
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
        if let (Verdict::Violated, Some(nearest)) = (report.verdict, report.explained_violation()) {
            self.main_file.clone_from(&report.input.path);
            let place = self.place(nearest.location.as_ref());
            let at = if place.is_empty() { String::new() } else { format!("at {place}") };
            // A counterexample that was given need not be a shortest one.
            let steps = report.counterexample.as_ref().map_or(nearest.shortest, |trace| trace.length);
            let text = format!("{} {at}after {}", nearest.kind, count(steps, "step"));
            self.sentence(&format!("{word}: "), 2, &shown(&text));
            self.sentence("", 2, &shown(&nearest.text));
            return;
        }
        let property = if report.property.text == "deadlock" { "no deadlock" } else { &report.property.text };
        self.sentence(&format!("{word}: "), 2, &shown(property));
        self.sentence("", 2, &report.reason);
    }

    fn size(&mut self, report: &Report) {
        let mut text = shown(&report.input.path);
        if let Some(size) = &report.input.size {
            text.push_str(&format!(
                ": {}, {}, {}",
                count(size.states, "state"),
                count(size.transitions, "transition"),
                count(size.labels, "label")
            ));
        }
        let statistics = &report.statistics;
        if report.engine == "sat" {
            let bound = report.bound.unwrap_or(0);
            text.push_str(&format!(": as a formula (SAT engine), loops and recursion unwound up to {bound}"));
        } else if !statistics.complete {
            text.push_str(&format!("; explored in part: {}", count(statistics.states, "state")));
        } else if self.detail == Detail::Verbose && statistics.state_bytes.is_none() {
            text.push_str(&format!(
                "; explored: {} of system and property together",
                count(statistics.states, "state")
            ));
        }
        let methods = &report.methods;
        let explains = matches!(methods.neighbourhoods, Some(Outcome::Found(_)))
            || matches!(methods.anomalies, Some(Outcome::Found(_)));
        if statistics.reduction == "por" {
            text.push_str("; after partial-order reduction");
        } else if explains && statistics.state_bytes.is_some() {
            text.push_str("; without reduction");
        }
        if report.engine == "summary" {
            text.push_str("; searched by summaries, call by call");
        }
        self.sentence("", 2, &text);
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
            self.line(&format!("{title}: nothing; every statement occurs in some trace (a d_step is one)"));
            return;
        }
        self.line(&title);
        for deed in unreached {
            let text = format!("{}, {}`{}`", deed.process, self.place(deed.location.as_ref()), deed.action);
            self.sentence(" -", 3, &shown(&text));
        }
    }

    fn counterexample(&mut self, report: &Report, counterexample: &Counterexample) {
        let length = counterexample.length;
        let kept = counterexample.steps.iter().filter(|step| step.kept).count() as u64;
        let matter = if kept < length && kept > 0 {
            format!(", of which {} {}", grouped(kept), if kept == 1 { "matters" } else { "matter" })
        } else {
            String::new()
        };
        self.marks_kept = !matter.is_empty();
        let title = self.paint(AnsiColor::Cyan, "counterexample");
        self.line("");
        // What the verdict says already is not said again.
        let known = report.explained_violation().map_or("", |known| known.text.as_str());
        let what = counterexample.text.as_deref().filter(|text| *text != known);
        let what = what
            .map(|text| text.strip_prefix(known).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(text));
        let what = what.map_or_else(String::new, |text| format!("; {}", shown(text)));
        self.sentence(
            &format!("{title}: "),
            0,
            &format!("{}{matter} ({}){what}", count(length, "step"), counterexample.chosen),
        );
        self.line("");
        self.lanes = Lanes::of(counterexample);
        // Variables of a program start with nothing in them; only what differs is news.
        let is_news = |value: &str| self.lanes.is_none() || !matches!(value, "0" | "false" | "[]");
        let values = counterexample.initial.iter().filter(|(_, value)| is_news(value));
        let values: Vec<String> =
            values.map(|(name, value)| format!("{} = {}", shown(name), shown(value))).collect();
        if !values.is_empty() {
            self.sentence("", 10, &format!("start: {}", values.join(", ")));
        }
        self.lane_head(report);
        // What the violation came of is shown where it is not too much.
        let sequence: &[u64] = match &report.methods.anomalies {
            Some(Outcome::Found(found)) if found.explanatory_sequence.len() <= MOST_LEADING => {
                &found.explanatory_sequence
            }
            _ => &[],
        };
        let led_there = |n: u64| sequence.contains(&n);
        let mut folded: Vec<&Step> = Vec::new();
        for step in &counterexample.steps {
            // Where every step matters, a long trace is still cut in the middle.
            let unimportant = if matter.is_empty() {
                step.n > MOST_STEPS / 2 && step.n + MOST_STEPS / 2 <= length
            } else {
                !(step.kept || led_there(step.n) || length <= MOST_SHORT && self.lanes.is_some())
            };
            let fold = self.detail != Detail::Verbose
                && unimportant
                && !step.point_of_no_return
                && step.n != length
                && counterexample.loop_start.is_none_or(|first| step.n < first);
            if fold {
                folded.push(step);
                continue;
            }
            self.fold(&folded);
            folded.clear();
            if counterexample.loop_start == Some(step.n) {
                self.line("          -- from here on for ever --");
            }
            self.step(step, step.n == length && counterexample.loop_start.is_none());
        }
        self.fold(&folded);
        if let Some(first) = counterexample.loop_start {
            self.line(&format!("          -- back to step {first} --"));
        }
        if length == 0 {
            self.line("          the initial state itself is the violation");
        }
        self.doom(report);
        self.blocked(counterexample);
    }

    fn lane_head(&mut self, report: &Report) {
        let Some(lanes) = &self.lanes else { return };
        let (head, legend) = (lanes.head(), lanes.legend());
        self.main_file = report.input.path.clone();
        self.sentence("", 10, &format!("processes: {legend}"));
        self.line(&format!("          {head}"));
    }

    /// For a deadlock, what keeps everybody.
    fn blocked(&mut self, counterexample: &Counterexample) {
        if counterexample.blocked.is_empty() {
            return;
        }
        let title = self.paint(AnsiColor::Cyan, "nothing can move");
        self.line("");
        self.line(&title);
        for blocked in &counterexample.blocked {
            let who = format!(
                "{}:{}",
                blocked.process.as_deref().unwrap_or_default(),
                blocked.pid.unwrap_or_default()
            );
            if blocked.needs.is_empty() {
                self.sentence(" -", 3, &shown(&format!("{who} {}", blocked.waits_for)));
                continue;
            }
            let may_end = if blocked.may_end { ", where it may end," } else { "" };
            for (at, need) in blocked.needs.iter().enumerate() {
                let place = self.place(need.location.as_ref());
                let intro = if at == 0 { format!("{who}{may_end} waits at") } else { "or at".to_owned() };
                // The statement was just named; what is wrong with it is enough.
                let known = format!("`{}` is false: ", need.action);
                let reason = need.reason.strip_prefix(&known).unwrap_or(&need.reason);
                let text = format!("{intro} {place}`{}`: {reason}", need.action);
                self.sentence(if at == 0 { " -" } else { "" }, if at == 0 { 3 } else { 5 }, &shown(&text));
            }
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

    /// Steps that do not matter, named in one go.
    fn fold(&mut self, steps: &[&Step]) {
        let [first, .., last] = steps else {
            if let [step] = steps {
                self.step(step, false);
            }
            return;
        };
        let names: Vec<String> = steps.iter().map(|step| shown(&step.event)).collect();
        let shown_names = if names.len() > 8 {
            format!("{} ... {}", names[..4].join(", "), names[names.len() - 3..].join(", "))
        } else {
            names.join(", ")
        };
        let range = format!("{}-{}", first.n, last.n);
        self.sentence(
            &format!("  {range:>6}"),
            10,
            &format!("({} left out: {shown_names})", count(steps.len() as u64, "step")),
        );
    }

    pub(crate) fn step(&mut self, step: &Step, last: bool) {
        let mut notes = Vec::new();
        // The violation itself is always one; that says nothing.
        if step.point_of_no_return && !last {
            notes.push(POINT_OF_NO_RETURN.to_owned());
        }
        if !step.escapes.is_empty() {
            notes.push(format!("{} would have escaped", instead(step, &step.escapes)));
        } else if step.point_of_no_return && !step.still_free.is_empty() {
            notes.push(format!("after {} passing was still possible", instead(step, &step.still_free)));
        }
        if last {
            notes.push("the violation".to_owned());
        }
        let mark = if step.kept && self.marks_kept { '>' } else { ' ' };
        let head = format!("  {mark} {:>4}  {}", step.n, self.action(step));
        let note = notes.join("; ");
        if note.is_empty() {
            self.line(&head);
        } else if head.chars().count().max(NOTES_AT) + note.chars().count() + 5 <= WIDTH {
            let note = note.replacen(POINT_OF_NO_RETURN, &self.paint(AnsiColor::Red, POINT_OF_NO_RETURN), 1);
            self.line(&format!("{head:NOTES_AT$}  <- {note}"));
        } else {
            self.line(&head);
            self.sentence("              <-", 17, &note);
        }
        let indent = self.lanes.as_ref().map_or(14, |lanes| 11 + lanes.width());
        for (name, [old, new]) in &step.changes {
            let value =
                |value: &Option<String>| value.as_ref().map_or("(none)".to_owned(), |text| shown(text));
            self.sentence("", indent, &format!("{}: {} -> {}", shown(name), value(old), value(new)));
        }
    }

    /// What is done in a step; where processes are known, by whom and in which line.
    fn action(&self, step: &Step) -> String {
        let Some(process) = &step.process else { return shown(&step.action) };
        let lanes = self.lanes.as_ref().map_or_else(String::new, |lanes| lanes.row(step) + " ");
        let deed = |name: &str, pid: Option<u64>, action: &str, location: Option<&Location>| {
            let who = format!("{name}:{}", pid.unwrap_or_default());
            let width = self.lanes.as_ref().map_or(0, Lanes::name_width);
            format!("{who:<width$}  {:<9} {action}", self.place(location))
        };
        let inside = "| ".repeat(step.depth.unwrap_or_default().min(MOST_DEPTH) as usize);
        let own = deed(process, step.pid, &format!("{inside}{}", step.action), step.location.as_ref());
        let text = match &step.partner {
            None => own,
            Some(with) => {
                let place = self.place(with.location.as_ref());
                let pid = with.pid.unwrap_or_default();
                format!("{own}  ->  {}:{pid} {place}{}", with.process, with.action)
            }
        };
        format!("{lanes}{}", shown(&text))
    }

    /// Where something else could have been done that would have escaped.
    fn choices(&mut self, counterexample: &Counterexample) {
        let choices = counterexample.steps.iter();
        let choices = choices.filter(|step| !step.escapes.is_empty() && !step.point_of_no_return);
        let most = if self.detail == Detail::Verbose { usize::MAX } else { MOST_NEIGHBOURHOODS };
        for (at, step) in choices.take(most).enumerate() {
            if at == 0 {
                self.line("");
                let title = self.paint(AnsiColor::Cyan, "ways out");
                self.line(&title);
            }
            let escapes = instead(step, &step.escapes);
            let action = shown(&step.event);
            let text = format!(
                "at step {} there was a choice: {escapes} instead of `{action}` would have escaped",
                step.n
            );
            self.sentence(" -", 3, &text);
        }
    }

    /// What each method found by itself; where that is not asked for, only why one found nothing.
    fn methods(&mut self, report: &Report, in_full: bool) {
        self.skipped(report);
        let methods = &report.methods;
        let found = [
            methods.neighbourhoods.as_ref().is_some_and(|outcome| outcome.found().is_some()),
            methods.anomalies.as_ref().is_some_and(|outcome| outcome.found().is_some()),
            methods.correct_transitions.as_ref().is_some_and(|outcome| outcome.found().is_some()),
            methods.variations.as_ref().is_some_and(|outcome| outcome.found().is_some()),
            methods.diagnosis.as_ref().is_some_and(|outcome| outcome.found().is_some()),
        ];
        if !in_full {
            if found.contains(&true) && self.options {
                self.line("");
                self.sentence(
                    "more: ",
                    0,
                    "-v tells what each method found by itself, -m METHOD what one did",
                );
            }
            return;
        }
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

    /// Says of methods that found nothing why, those with the same reason together.
    fn skipped(&mut self, report: &Report) {
        let methods = &report.methods;
        let why = |name: &'static str, reason: Option<&String>| reason.map(|reason| (name, reason.clone()));
        let all = [
            why("neighbourhoods", methods.neighbourhoods.as_ref().and_then(Outcome::skipped)),
            why("anomalies", methods.anomalies.as_ref().and_then(Outcome::skipped)),
            why("correct transitions", methods.correct_transitions.as_ref().and_then(Outcome::skipped)),
            why("variations", methods.variations.as_ref().and_then(Outcome::skipped)),
            why("diagnosis", methods.diagnosis.as_ref().and_then(Outcome::skipped)),
        ];
        let mut by_reason: Vec<(String, Vec<&str>)> = Vec::new();
        for (name, reason) in all.into_iter().flatten().filter(|(_, reason)| reason != NOT_ASKED) {
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

    fn untouched(&mut self, found: &Neighbourhoods) {
        if let Some(reason) = &found.untouched
            && (self.lanes.is_none() || self.detail == Detail::Verbose)
        {
            self.line("");
            self.sentence("", 0, &format!("nothing could be left out of the trace: {reason}"));
        }
    }

    fn neighbourhoods(&mut self, found: &Neighbourhoods) {
        let is_none = found.count == 0 && found.exactness == "exact";
        // On models this is the rule, and says little beside the point of no return.
        if is_none && self.lanes.is_some() && self.detail != Detail::Verbose {
            return;
        }
        let title = self.paint(AnsiColor::Cyan, "neighbourhoods");
        self.line("");
        let of = &found.counterexample_lts;
        if is_none {
            let text = format!(
                "none: from no state on a failing trace does a step lead to where nothing can fail any more. The \
                 counterexample LTS has {} and {}.",
                count(of.states, "state"),
                count(of.transitions, "transition"),
            );
            self.sentence(&format!("{title}: "), 0, &text);
            return;
        }
        let text = format!(
            "{} {}, where failing and passing traces part; {} of them on this trace. The counterexample LTS has {} and {}{}.",
            grouped(found.count),
            if found.exactness == "exact" { "in all" } else { "so far" },
            grouped(found.touched),
            count(of.states, "state"),
            count(of.transitions, "transition"),
            if found.exactness == "exact" { "" } else { " as far as explored" },
        );
        self.sentence(&format!("{title}: "), 0, &text);
        let most = if self.detail == Detail::Verbose { usize::MAX } else { MOST_NEIGHBOURHOODS };
        let real: Vec<_> = found.neighbourhoods.iter().filter(|hood| hood.kind != "R").collect();
        for hood in real.iter().take(most) {
            let several = if hood.full_states.is_empty() {
                std::slice::from_ref(&hood.full_state)
            } else {
                &hood.full_states
            };
            let mut names: Vec<String> = several.iter().take(MOST_ALTERNATIVES).map(state_name).collect();
            if several.len() > MOST_ALTERNATIVES {
                names.push("...".to_owned());
            }
            let state = names.join("/");
            let text = format!(
                "{} escapes, {} goes on towards failing",
                alternatives(&escaped(&hood.correct), MOST_ALTERNATIVES),
                if hood.failing.is_empty() {
                    "nothing".to_owned()
                } else {
                    alternatives(&escaped(&hood.failing), MOST_ALTERNATIVES)
                },
            );
            self.sentence(&format!("  state {state:<6} {:<4}", hood.kind), 20, &text);
        }
        let left = found.count.saturating_sub(real.len().min(most) as u64);
        if left > 0 {
            self.line(&format!("  ... and {} (-v lists all)", grouped(left)));
        }
    }

    /// What "passing" meant; with it, what became of the states.
    fn definitions(&mut self, report: &Report) {
        let is_verbose = self.detail == Detail::Verbose;
        // Where there are processes, what is said above depends on fairness.
        if is_verbose || (self.lanes.is_some() && !report.causes.is_empty()) {
            self.line("");
            self.sentence("passing: ", 0, &report.passing_definition);
        }
        if !is_verbose {
            return;
        }
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

/// What could have been done in place of a step.
fn instead(step: &Step, labels: &[String]) -> String {
    instead_of(&shown(&step.event), &escaped(labels), MOST_ALTERNATIVES)
}

fn state_name(state: &StateId) -> String {
    match state {
        StateId::Number(number) => number.to_string(),
        StateId::Text(text) => shown(text),
    }
}

fn escaped(labels: &[String]) -> Vec<String> {
    labels.iter().map(|label| shown(label)).collect()
}
