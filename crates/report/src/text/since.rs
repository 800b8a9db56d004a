//! Before and after, for people at a terminal.

use anstyle::AnsiColor;

use super::Page;
use crate::since::{Change, Since};
use crate::wording::{count, grouped, shown};
use crate::{Report, Verdict};

impl Page {
    pub(super) fn since(&mut self, report: &Report) {
        let Some(since) = &report.since else { return };
        let title = self.paint(AnsiColor::Cyan, "since");
        self.line("");
        let before = match since.verdict {
            Verdict::Holds => "it held",
            Verdict::Violated => "it was violated",
            Verdict::Unknown => "it was undecided",
        };
        let counterexamples = since.counterexamples;
        let text = format!(
            "{}, when {before}: {} before, {} now",
            shown(&since.path),
            count(counterexamples.before, "counterexample"),
            grouped(counterexamples.after)
        );
        self.sentence(&format!("{title}: "), 0, &text);
        self.caution(since);
        self.main_file.clone_from(&report.input.path);
        for violation in &since.violations {
            let place = self.place(violation.location.as_ref());
            let at = if place.is_empty() { String::new() } else { format!(" at {}", place.trim_end()) };
            let text = match violation.state {
                Change::New => {
                    format!("new: {}{at}, {}", violation.kind, count(violation.count.after, "time"))
                }
                Change::Left => format!(
                    "left: {}{at}, {} before, {} now",
                    violation.kind,
                    count(violation.count.before, "time"),
                    grouped(violation.count.after)
                ),
                Change::Gone => {
                    format!("gone: {}{at}, {} before", violation.kind, count(violation.count.before, "time"))
                }
            };
            self.sentence(" -", 3, &shown(&format!("{text}; {}", violation.text)));
        }
        if let Some(anomalies) = &since.anomalies {
            let text = format!(
                "anomalies: {} new, {} left, {} gone",
                grouped(anomalies.new),
                grouped(anomalies.left),
                grouped(anomalies.gone)
            );
            self.sentence(" -", 3, &text);
        }
    }

    /// What may make the figures say less than they seem to.
    fn caution(&mut self, since: &Since) {
        if !since.same_property {
            self.sentence("", 2, "the earlier report is about another property");
        }
        if !since.complete {
            self.sentence("", 2, "not everything was explored, so what is not found need not be gone");
        }
    }
}
