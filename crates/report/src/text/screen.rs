//! The first screen: what a reader needs in ten seconds.
//!
//! The verdict with the values that make the property false; the cause in a sentence or two, with the line that is wrong;
//! how it came about, in the few steps without which the story cannot be told; one repair; other violations in a line
//! each. Everything else is there on request (`-v`, `-m`, HTML).

use anstyle::AnsiColor;
use source::LineChange;

use super::{MOST_ALTERNATIVES, Page, is_placed};
use crate::wording::{count, instead_of, shown, shown_line};
use crate::{Blocked, Cause, CauseKind, Counterexample, RecheckResult, Repair, Report, Step};

/// How many rows of a story, blocked processes, lines of a repair and other violations are shown.
const MOST_STEPS: usize = 10;
/// Traces and loops that are not longer than this are shown whole.
const FEW_STEPS: u64 = 8;
const MOST_BLOCKED: usize = 5;
const MOST_CHANGED: usize = 6;
const MOST_OTHERS: usize = 3;
/// How many changes of one step are shown.
const MOST_CHANGES: usize = 3;

impl Page {
    pub(super) fn screen(&mut self, report: &Report) {
        self.main_file.clone_from(&report.input.path);
        self.first_cause(report);
        if let Some(counterexample) = &report.counterexample {
            self.story(counterexample);
            self.who_is_blocked(counterexample);
        }
        self.first_repair(report);
        self.other_violations(report);
        if report.causes.is_empty() {
            self.skipped(report);
        }
    }

    fn first_cause(&mut self, report: &Report) {
        let Some(cause) = told_first(report) else {
            for cause in report.causes.iter().filter(|cause| cause.kind == CauseKind::Doomed) {
                self.line("");
                let title = self.paint(AnsiColor::Red, "cause");
                self.sentence(&format!("{title}: "), 2, &shown(&cause.claim));
                self.confirmation(0, cause);
            }
            return;
        };
        self.line("");
        let title = self.paint(AnsiColor::Red, "cause");
        self.sentence(&format!("{title}: "), 2, &shown(&cause.summary));
        let mut gutter = 1;
        if let Some(location) = cause.locations.first() {
            // Where a macro or an inline is used, that is what its author reads first.
            let outermost = location.calls.last().unwrap_or(location);
            gutter = outermost.line.to_string().len();
            self.excerpt(outermost, true, label(cause));
        }
        // The story below shows a point of no return with what could have been done instead.
        if !matches!(cause.kind, CauseKind::PointOfNoReturn | CauseKind::OnlyTheViolation)
            && cause.claim != cause.summary
        {
            self.sentence(&format!("{:gutter$} =", ""), gutter + 3, &shown(&cause.claim));
        }
        self.confirmation(gutter, cause);
    }

    /// That the very claim was tested again.
    fn confirmation(&mut self, gutter: usize, cause: &Cause) {
        if cause.recheck.result == RecheckResult::Confirmed {
            let text = format!("confirmed: {}", cause.recheck.how);
            self.sentence(&format!("{:gutter$} =", ""), gutter + 3, &shown(&text));
        }
    }

    /// The steps that matter, one a row.
    fn story(&mut self, counterexample: &Counterexample) {
        let length = counterexample.length;
        if length == 0 {
            self.line("");
            self.line("the initial state itself is the violation");
            return;
        }
        let told = told_steps(counterexample);
        let title = self.paint(AnsiColor::Cyan, "how it came about");
        let some = if (told.len() as u64) < length {
            format!("{} of {}", told.len(), count(length, "step"))
        } else {
            count(length, "step")
        };
        self.line("");
        self.line(&format!("{title} ({some})"));
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

    fn told_row(&mut self, step: &Step, row: &Row, [who, place, action]: [usize; 3]) {
        let lead = [(&row.who, who), (&row.place, place)];
        let lead: String = lead
            .iter()
            .filter(|(_, width)| *width > 0)
            .map(|(cell, width)| format!("{cell:<width$}  "))
            .collect();
        let head = format!("{:>6}  {lead}", step.n);
        let indent = head.chars().count();
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
            self.sentence("", indent + 2, note);
        }
    }

    fn story_row(&self, counterexample: &Counterexample, step: &Step) -> Row {
        let is_last = step.n == counterexample.length && counterexample.loop_start.is_none();
        let mut notes: Vec<String> = Vec::new();
        for (name, change) in step.changes.iter().take(MOST_CHANGES) {
            match change {
                [Some(old), Some(new)] => notes.push(shown(&format!("{name}: {old} -> {new}"))),
                [None, Some(new)] => notes.push(shown(&format!("{name} = {new}"))),
                // That a variable ceases to exist says nothing.
                [_, None] => {}
            }
        }
        if step.point_of_no_return && !is_last {
            notes.push("<- point of no return".to_owned());
        }
        if is_last && counterexample.blocked.is_empty() {
            notes.push("<- fails".to_owned());
        }
        if step.point_of_no_return {
            notes.extend(instead(counterexample, step));
        }
        let mut action = shown(&step.action);
        if let Some(with) = &step.partner {
            let receiver = named_process(counterexample, Some(&with.process), with.pid);
            action.push_str(&shown(&format!("  ->  {receiver} {}", with.action)));
        }
        Row {
            who: shown(&named_process(counterexample, step.process.as_deref(), step.pid)),
            place: self.outermost(step.location.as_ref()),
            action,
            notes,
        }
    }

    /// For a deadlock, what each process waits for.
    fn who_is_blocked(&mut self, counterexample: &Counterexample) {
        let is_stuck = |blocked: &&Blocked| !(blocked.may_end && blocked.needs.is_empty());
        let stuck: Vec<&Blocked> = counterexample.blocked.iter().filter(is_stuck).collect();
        if stuck.is_empty() {
            return;
        }
        let title = self.paint(AnsiColor::Cyan, "no process can move");
        self.line("");
        self.line(&title);
        for blocked in stuck.iter().take(MOST_BLOCKED) {
            let who = named_process(counterexample, blocked.process.as_deref(), blocked.pid);
            let may_end = if blocked.may_end { " (it may end here)" } else { "" };
            let needs: Vec<String> = blocked
                .needs
                .iter()
                .map(|need| {
                    // The statement is named; what is wrong with it is enough.
                    let known = format!("`{}` is false: ", need.action);
                    let reason = need.reason.strip_prefix(&known).unwrap_or(&need.reason);
                    format!("{} `{}`: {reason}", self.outermost(need.location.as_ref()), need.action)
                })
                .collect();
            let text = if needs.is_empty() { blocked.waits_for.clone() } else { needs.join("; or ") };
            self.sentence("  ", 4, &shown(&format!("{who} waits at {}{may_end}", text.trim_start())));
        }
        if stuck.len() > MOST_BLOCKED {
            self.line(&format!("  ... and {} more", count((stuck.len() - MOST_BLOCKED) as u64, "process")));
        }
    }

    /// One repair: that of the first cause, or else the likeliest.
    fn first_repair(&mut self, report: &Report) {
        if report.only_unfair && self.options {
            self.line("");
            self.sentence("note: ", 2, "no weakly fair trace does this; check with --fairness weak");
        }
        let of_cause = told_first(report).and_then(|cause| cause.repair.as_ref());
        let Some(repair) = of_cause.or_else(|| report.repairs.first().map(|found| &found.repair)) else {
            return;
        };
        if !repair.verified {
            return;
        }
        let title = self.paint(AnsiColor::Cyan, "try");
        self.line("");
        self.sentence(
            &format!("{title} "),
            2,
            &format!("({})", shown(&outcome(repair, &report.repairs_checked))),
        );
        let mut shown_lines = 0;
        for hunk in &repair.patch.hunks {
            let (mut old, mut new) = (hunk.old_start, hunk.new_start);
            for line in &hunk.lines {
                let number = if line.change == LineChange::Added { new } else { old };
                old += u64::from(line.change != LineChange::Added);
                new += u64::from(line.change != LineChange::Removed);
                let colour = match line.change {
                    LineChange::Kept => continue,
                    LineChange::Added => AnsiColor::Green,
                    LineChange::Removed => AnsiColor::Red,
                };
                shown_lines += 1;
                if shown_lines <= MOST_CHANGED {
                    let text = self.paint(colour, &shown_line(&line.to_string()));
                    self.line(&format!("{number:>6} | {text}"));
                }
            }
        }
        if shown_lines > MOST_CHANGED {
            let left = count((shown_lines - MOST_CHANGED) as u64, "more changed line");
            self.line(&format!("       | ... {left} (-v shows the patch)"));
        }
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
        self.line("");
        for violation in others.iter().take(MOST_OTHERS) {
            let place = self.outermost(violation.location.as_ref());
            let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
            let same = report.others.iter().any(|other| other.violation == violation.id && other.same_cause);
            let cause = if same { ", same cause" } else { "" };
            let how = if self.options { format!(" (--violation {})", violation.id) } else { String::new() };
            let after = count(violation.shortest, "step");
            let text = format!("{}{at} after {after}{cause}: {}{how}", violation.kind, violation.text);
            let title = self.paint(AnsiColor::Red, "also");
            self.sentence(&format!("{title}: "), 6, &shown(&text));
        }
        if others.len() > MOST_OTHERS {
            self.line(&format!("... and {}", count((others.len() - MOST_OTHERS) as u64, "more violation")));
        }
    }
}

/// The first cause that has a place.
fn told_first(report: &Report) -> Option<&Cause> {
    report.causes.iter().find(|cause| is_placed(cause))
}

/// What is said of the line that is underlined.
fn label(cause: &Cause) -> &'static str {
    match cause.kind {
        CauseKind::PointOfNoReturn | CauseKind::OnlyTheViolation => "point of no return",
        CauseKind::Crossing => "fatal",
        CauseKind::Diagnosis => "may be wrong",
        CauseKind::ErrorEdge | CauseKind::Values => "only failing traces do this",
        _ => "",
    }
}

/// What could have been done in place of a step.
fn instead(counterexample: &Counterexample, step: &Step) -> Option<String> {
    // Where there is one process only, its name is left out everywhere.
    let alone = named_process(counterexample, step.process.as_deref(), step.pid).is_empty();
    let own = format!("{}:{} ", step.process.as_deref().unwrap_or_default(), step.pid.unwrap_or_default());
    let own = if alone { own.as_str() } else { "" };
    let named = |label: &String| shown(label.strip_prefix(own).unwrap_or(label));
    let event = named(&step.event);
    let quoted = |labels: &[String]| {
        let labels: Vec<String> = labels.iter().map(named).collect();
        instead_of(&event, &labels, MOST_ALTERNATIVES)
    };
    match (step.escapes.is_empty(), step.still_free.is_empty()) {
        (false, _) => Some(format!("{} instead would have avoided the failure", quoted(&step.escapes))),
        (true, false) => Some(format!("after {} instead, it could still pass", quoted(&step.still_free))),
        (true, true) => None,
    }
}

/// The cells of a row of the story.
struct Row {
    who: String,
    place: String,
    action: String,
    notes: Vec<String>,
}

/// The steps to show: those that are kept, the loop of an endless trace, or all where there are few.
fn told_steps(counterexample: &Counterexample) -> Vec<&Step> {
    let Counterexample { length, loop_start, .. } = counterexample;
    let shown_loop = loop_start.filter(|first| length + 1 - first <= FEW_STEPS);
    let is_kept = |step: &&Step| {
        let is_in_loop = shown_loop.is_some_and(|first| step.n >= first);
        step.kept || step.point_of_no_return || step.n == *length || is_in_loop || *length <= FEW_STEPS
    };
    let kept: Vec<&Step> = counterexample.steps.iter().filter(is_kept).collect();
    // A condition that its process acts on at once, in the same line, is told with what it does.
    let acted_on = |at: usize| {
        let (step, next) = (kept[at], kept.get(at + 1));
        let line = |step: &Step| step.location.as_ref().map(|at| (at.file.clone(), at.line));
        let is_bare = step.changes.is_empty() && step.inputs.is_empty() && step.partner.is_none();
        let is_followed = next.is_some_and(|next| {
            next.n == step.n + 1
                && next.pid == step.pid
                && line(next) == line(step)
                && !next.changes.is_empty()
        });
        is_bare && is_followed && line(step).is_some() && !step.point_of_no_return
    };
    let told: Vec<&Step> = (0..kept.len()).filter(|at| !acted_on(*at)).map(|at| kept[at]).collect();
    told[told.len().saturating_sub(MOST_STEPS)..].to_vec()
}

/// What a process is called: its number is told only where several have its name, its name only where there is more than
/// one process.
fn named_process(counterexample: &Counterexample, name: Option<&str>, pid: Option<u64>) -> String {
    let Some(name) = name else { return String::new() };
    let partners = counterexample.steps.iter().filter_map(|step| step.partner.as_ref());
    let all = counterexample.steps.iter().map(|step| (step.process.as_deref(), step.pid));
    let all = all.chain(partners.map(|with| (Some(with.process.as_str()), with.pid)));
    let mut all =
        all.chain(counterexample.blocked.iter().map(|blocked| (blocked.process.as_deref(), blocked.pid)));
    let has_namesake = all.clone().any(|(other, number)| other == Some(name) && number != pid);
    let is_alone = all.all(|(other, number)| other == Some(name) && number == pid);
    match (is_alone, has_namesake, pid) {
        (true, ..) => String::new(),
        (false, true, Some(pid)) => format!("{name}:{pid}"),
        _ => name.to_owned(),
    }
}

/// What came of trying a repair.
pub(super) fn outcome(repair: &Repair, checked: &[String]) -> String {
    // Of a formula its name is enough.
    let names: Vec<&str> =
        checked.iter().map(|text| text.split_once(" {").map_or(text.as_str(), |(name, _)| name)).collect();
    let what = match &repair.leaves {
        None => match names.len() {
            0 => "no violation is left with this change".to_owned(),
            1 => format!("with this change it holds: {}", names[0]),
            2 => format!("with this change both properties hold: {}", names.join("; ")),
            many => format!("with this change all {many} properties hold: {}", names.join("; ")),
        },
        Some(rest) => format!("this violation is gone with this change, but {rest}"),
    };
    match (repair.verified, repair.bound) {
        (true, None) => format!("verified: {what}"),
        (true, Some(bound)) => format!("verified up to bound {bound}: {what}"),
        (false, _) => "not verified".to_owned(),
    }
}
