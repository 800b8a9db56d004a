//! Changes that were tried and help.

use anstyle::AnsiColor;
use source::LineChange;

use super::{Detail, Page};
use crate::wording::{count, shown_line};
use crate::{FoundRepair, Report};

/// How many are shown.
const MOST_REPAIRS: usize = 3;

impl Page {
    /// All of them with `-v`; otherwise those that are not told as the repair of the first cause.
    pub(super) fn repairs(&mut self, report: &Report) {
        let title = self.paint(AnsiColor::Cyan, "repairs");
        if report.only_unfair {
            self.line("");
            let why =
                "none are looked for, because no weakly fair trace does this; check with --fairness weak";
            return self.sentence(&format!("{title}: "), 2, why);
        }
        let Some(tried) = report.repairs_tried else { return };
        self.line("");
        if report.repairs.is_empty() {
            let text = match (report.repairs_cut_short, tried) {
                (false, _) => format!("none of {} helps", count(tried, "change")),
                (true, 0) => "no change was tried, because a limit came first".to_owned(),
                (true, _) => format!(
                    "none was found; {} were tried, some of them not to the end, and others were left out",
                    count(tried, "change")
                ),
            };
            return self.sentence(&format!("{title}: "), 2, &text);
        }
        let is_verbose = self.detail == Detail::Verbose;
        let known = report.causes.first().and_then(|cause| cause.repair.as_ref()).filter(|_| !is_verbose);
        let is_told = |found: &FoundRepair| known.is_some_and(|known| known.patch == found.repair.patch);
        let others: Vec<&FoundRepair> = report.repairs.iter().filter(|found| !is_told(found)).collect();
        let tried = format!("{title}: {} tried", count(tried, "change"));
        match (others.is_empty(), others.len() < report.repairs.len()) {
            (true, _) => return self.line(&format!("{tried}, the one above helps")),
            (false, true) => self.line(&format!("{tried}; besides the one above these help")),
            (false, false) => self.line(&tried),
        }
        let more = others.len().saturating_sub(MOST_REPAIRS);
        for (number, found) in others.into_iter().take(MOST_REPAIRS).enumerate() {
            self.sentence(&format!("  {}. ", number + 1), 5, &found.summary);
            if !is_verbose && (number > 0 || known.is_some()) {
                continue;
            }
            for line in found.repair.patch.changed_lines() {
                let colour = if line.change == LineChange::Added { AnsiColor::Green } else { AnsiColor::Red };
                let text = self.paint(colour, &shown_line(&line.to_string()));
                self.line(&format!("     {text}"));
            }
        }
        if more > 0 {
            self.line(&format!("  ... and {}", count(more as u64, "more change")));
        }
    }
}
