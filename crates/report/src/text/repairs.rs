//! Changes that were tried and help.

use anstyle::AnsiColor;

use super::{Detail, Page};
use crate::Report;
use crate::wording::count;

impl Page {
    /// All of them with `-v`, otherwise the likeliest with its lines, and the sentences of the others.
    pub(super) fn repairs(&mut self, report: &Report) {
        let Some(tried) = report.repairs_tried else { return };
        let title = self.paint(AnsiColor::Cyan, "repairs");
        self.line("");
        if report.repairs.is_empty() {
            self.line(&format!("{title}: none of {} helps", count(tried, "change")));
            return;
        }
        self.line(&format!("{title}: {} tried", count(tried, "change")));
        for (number, found) in report.repairs.iter().enumerate() {
            self.sentence(&format!("  {}. ", number + 1), 5, &found.summary);
            if number > 0 && self.detail != Detail::Verbose {
                continue;
            }
            let is_change = |line: &&str| {
                (line.starts_with('+') || line.starts_with('-'))
                    && !line.starts_with("+++")
                    && !line.starts_with("---")
            };
            for line in found.repair.patch.lines().filter(is_change) {
                let colour = if line.starts_with('+') { AnsiColor::Green } else { AnsiColor::Red };
                let shown = self.paint(colour, line);
                self.line(&format!("     {shown}"));
            }
        }
    }
}
