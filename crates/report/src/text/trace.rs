//! The counterexample: its steps in lanes with what matters marked and the rest folded, what nobody can do at its end, and
//! where another choice would have escaped.

use anstyle::AnsiColor;

use super::{Detail, MOST_ALTERNATIVES, Page, escaped};
use crate::lanes::Lanes;
use crate::story::matter;
use crate::wording::{count, grouped, instead_of, shown};
use crate::{Counterexample, Location, Outcome, Report, Step};

const POINT_OF_NO_RETURN: &str = "point of no return";
/// The column in which the notes on steps start, where the actions leave room.
const NOTES_AT: usize = 34;
/// How many calls around a step are drawn.
const MOST_DEPTH: u64 = 20;
/// How many steps of a trace of which nothing is left out are shown without `-v`.
const MOST_STEPS: u64 = 60;
/// Traces of processes that are not longer than this are shown whole, and of longer ones the steps that led to the
/// violation if there are no more of them than that.
const MOST_SHORT: u64 = 16;
const MOST_LEADING: usize = 14;
/// How many ways out are listed without `-v`.
const MOST_CHOICES: usize = 3;

impl Page {
    pub(super) fn counterexample(&mut self, report: &Report, counterexample: &Counterexample) {
        let length = counterexample.length;
        let matter = matter(counterexample).map_or_else(String::new, |kept| {
            let verb = if kept.len() == 1 { "matters" } else { "matter" };
            format!(", of which {} {verb}", grouped(kept.len() as u64))
        });
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
                self.line("          -- repeated forever from here --");
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
        let title = self.paint(AnsiColor::Cyan, "no process can move");
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
        self.shown_steps.insert(step.n);
        let mut notes = Vec::new();
        // The violation itself is always one; that says nothing.
        if step.point_of_no_return && !last {
            notes.push(POINT_OF_NO_RETURN.to_owned());
        }
        if !step.escapes.is_empty() {
            notes.push(format!("{} would have avoided the failure", instead(step, &step.escapes)));
        } else if step.point_of_no_return && !step.still_free.is_empty() {
            notes.push(format!("after {} instead, it could still pass", instead(step, &step.still_free)));
        }
        if last {
            notes.push("the violation".to_owned());
        }
        let mark = if step.kept && self.marks_kept { '>' } else { ' ' };
        let head = format!("  {mark} {:>4}  {}", step.n, self.action(step));
        let note = notes.join("; ");
        if note.is_empty() {
            self.line(&head);
        } else if head.chars().count().max(NOTES_AT) + note.chars().count() + 5 <= self.width {
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

    /// Where something else could have been done that would have escaped, if no row of the trace says so.
    pub(super) fn choices(&mut self, counterexample: &Counterexample) {
        let shown_steps = std::mem::take(&mut self.shown_steps);
        let choices = counterexample.steps.iter();
        let choices = choices.filter(|step| !step.escapes.is_empty() && !step.point_of_no_return);
        let choices = choices.filter(|step| !shown_steps.contains(&step.n));
        let most = self.most(MOST_CHOICES);
        for (at, step) in choices.take(most).enumerate() {
            if at == 0 {
                self.line("");
                let title = self.paint(AnsiColor::Cyan, "ways out");
                self.line(&title);
            }
            let escapes = instead(step, &step.escapes);
            let action = shown(&step.event);
            let text = format!(
                "at step {} there was a choice: {escapes} instead of `{action}` would have avoided the failure",
                step.n
            );
            self.sentence(" -", 3, &text);
        }
    }
}

/// What could have been done in place of a step.
fn instead(step: &Step, labels: &[String]) -> String {
    instead_of(&shown(&step.event), &escaped(labels), MOST_ALTERNATIVES)
}
