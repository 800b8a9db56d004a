//! The first screen: what a reader needs in ten seconds.
//!
//! The verdict with the values that make the property false; the cause in a sentence or two, with the line that is wrong;
//! how it came about, in the few steps without which the story cannot be told; one repair; other violations in a line
//! each. Everything else is there on request (`-v`, `-m`, HTML).

use anstyle::AnsiColor;

use super::Page;
use crate::story::{
    Told, confirmation, counted, first_causes, further_claim, is_placed, label, told_first, told_steps,
};
use crate::wording::{count, shown};
use crate::{Cause, Counterexample, Report, Step};

impl Page {
    pub(super) fn screen(&mut self, report: &Report) {
        self.main_file.clone_from(&report.input.path);
        self.first_cause(report);
        if let Some(counterexample) = &report.counterexample {
            self.story(report, counterexample);
            self.who_is_blocked(report, counterexample);
        }
        self.first_repair(report);
        self.other_violations(report);
        if report.causes.is_empty() {
            self.skipped(report);
        }
    }

    fn first_cause(&mut self, report: &Report) {
        for cause in first_causes(report) {
            self.gap();
            let title = self.paint(AnsiColor::Red, "cause");
            if !is_placed(cause) {
                self.sentence(&format!("{title}: "), 2, &shown(&cause.claim));
                self.confirmation(0, cause);
                continue;
            }
            self.sentence(&format!("{title}: "), 2, &shown(&cause.summary));
            let mut gutter = 1;
            if let Some(location) = cause.locations.first() {
                // Where a macro or an inline is used, that is what its author reads first.
                let outermost = location.calls.last().unwrap_or(location);
                gutter = outermost.line.to_string().len();
                self.excerpt(outermost, true, label(cause));
            }
            if let Some(claim) = further_claim(cause).filter(|_| self.fit.claims > 0) {
                let lines = self.fit.claims;
                self.first_that_fits(&format!("{:gutter$} =", ""), gutter + 3, &[shown(claim)], lines);
            }
            self.confirmation(gutter, cause);
        }
    }

    fn confirmation(&mut self, gutter: usize, cause: &Cause) {
        if let Some(text) = confirmation(&cause.recheck) {
            let told = [shown(&text), "confirmed".to_owned()];
            let lines = self.fit.claims.max(1);
            self.first_that_fits(&format!("{:gutter$} =", ""), gutter + 3, &told, lines);
        }
    }

    /// The steps that matter, one a row.
    fn story(&mut self, report: &Report, counterexample: &Counterexample) {
        let length = counterexample.length;
        if length == 0 {
            self.gap();
            self.line("the initial state itself is the violation");
            return;
        }
        let told = self.fitting(report, told_steps(counterexample), length);
        let title = self.paint(AnsiColor::Cyan, "how it came about");
        self.gap();
        self.line(&format!("{title} ({})", counted(counterexample, told.len())));
        let rows: Vec<Row> = told.iter().map(|step| self.story_row(counterexample, step)).collect();
        let widest = |cell: fn(&Row) -> &str| rows.iter().map(|row| cell(row).chars().count()).max();
        let who = widest(|row| &row.who).unwrap_or(0);
        let place = widest(|row| &row.place).unwrap_or(0);
        let action = widest(|row| &row.action).unwrap_or(0).min(self.width.saturating_sub(44).max(20));
        let mut in_loop = false;
        for (step, row) in told.iter().zip(&rows) {
            if let Some(first) = counterexample.loop_start.filter(|first| !in_loop && step.n >= *first) {
                in_loop = true;
                self.line(&format!("  steps {first} to {length} are repeated forever:"));
            }
            self.told_row(step, row, [who, place, action]);
        }
    }

    /// The steps for which there is room: those that the first cause names, the end, the step that decided, and the last.
    fn fitting<'s>(&self, report: &Report, told: Vec<&'s Step>, length: u64) -> Vec<&'s Step> {
        if told.len() <= self.fit.steps {
            return told;
        }
        let named: &[u64] = told_first(report).map_or(&[], |cause| &cause.steps);
        let mut order: Vec<&Step> = told.into_iter().rev().collect();
        order.sort_by_key(|step| match step {
            _ if step.n == length => 0,
            _ if named.contains(&step.n) => 1,
            _ if step.point_of_no_return => 2,
            _ => 3,
        });
        order.truncate(self.fit.steps);
        order.sort_by_key(|step| step.n);
        order
    }

    fn told_row(&mut self, step: &Step, row: &Row, [who, place, action]: [usize; 3]) {
        let lead = [(&row.who, who), (&row.place, place)];
        let lead: String = lead
            .iter()
            .filter(|(_, width)| *width > 0)
            .map(|(cell, width)| format!("{cell:<width$}  "))
            .collect();
        let head = format!("{:>6}  {lead}", step.n);
        let indent = head.chars().count();
        if self.fit.below == 0 {
            return self.told_in_a_line(&head, row, action);
        }
        let mut line = format!("{head}{:<action$}", row.action);
        // What does not fit goes below the action.
        let mut below: Vec<&String> = Vec::new();
        for note in &row.notes {
            if below.is_empty() && line.chars().count() + 2 + note.chars().count() <= self.width {
                line.push_str("  ");
                line.push_str(note);
            } else {
                below.push(note);
            }
        }
        self.line(&line);
        for note in below {
            self.first_that_fits("", indent + 2, std::slice::from_ref(note), self.fit.below);
        }
    }

    /// The row in one line: the mark, and as many changes as there is room for.
    fn told_in_a_line(&mut self, head: &str, row: &Row, action: usize) {
        let room = self.width.saturating_sub(head.chars().count());
        let mark = row.mark.map_or_else(String::new, |mark| format!("  <- {mark}"));
        let room = room.saturating_sub(mark.chars().count());
        let first = row.notes.first().filter(|note| note.chars().count() + 22 <= room);
        let action = action.min(room.saturating_sub(first.map_or(0, |note| note.chars().count() + 2)));
        let mut line = format!("{head}{:<action$}", Self::clipped(&row.action, action));
        let end = self.width.saturating_sub(mark.chars().count());
        for note in row.notes.iter().filter(|note| !note.starts_with("<- ")) {
            if line.chars().count() + 2 + note.chars().count() > end {
                break;
            }
            line.push_str("  ");
            line.push_str(note);
        }
        self.line(&format!("{line}{mark}"));
    }

    fn story_row(&self, counterexample: &Counterexample, step: &Step) -> Row {
        let Told { who, action, changes, mark, instead, .. } = Told::of(counterexample, step);
        let mut notes = changes;
        notes.extend(mark.map(|mark| format!("<- {mark}")));
        notes.extend(instead);
        Row { who, place: self.outermost(step.location.as_ref()), action, notes, mark }
    }

    /// The other violations, a line each.
    fn other_violations(&mut self, report: &Report) {
        let Some(explained) = report.explained else { return };
        // Those of other properties are part of the verdict.
        let own = report.property_of(explained).map(|property| &property.violations);
        let is_other = |id: u64| id != explained && own.is_none_or(|own| own.contains(&id));
        let others: Vec<_> = report.violations.iter().filter(|violation| is_other(violation.id)).collect();
        if others.is_empty() {
            return;
        }
        self.gap();
        for violation in others.iter().take(self.fit.others) {
            let place = self.outermost(violation.location.as_ref());
            let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
            let same = report.others.iter().any(|other| other.violation == violation.id && other.same_cause);
            let cause = if same { ", same cause" } else { "" };
            let how = if self.options { format!(" (--violation {})", violation.id) } else { String::new() };
            let after = count(violation.shortest, "step");
            let what = format!("{}{at} after {after}{cause}", violation.kind);
            let told = [format!("{what}: {}{how}", violation.text), format!("{what}{how}"), what];
            let title = self.paint(AnsiColor::Red, "also");
            let told = told.map(|text| shown(&text));
            self.first_that_fits(&format!("{title}: "), 6, &told, self.fit.lines);
        }
        if others.len() > self.fit.others {
            let left = (others.len() - self.fit.others) as u64;
            self.line(&format!("... and {}", count(left, "more violation")));
        }
    }
}

/// The cells of a row of the story.
struct Row {
    who: String,
    place: String,
    action: String,
    notes: Vec<String>,
    mark: Option<&'static str>,
}
