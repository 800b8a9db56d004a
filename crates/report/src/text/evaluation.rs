//! What made the property false, step by step.

use super::{Detail, Page};
use crate::Report;
use crate::wording::shown;

impl Page {
    pub(super) fn evaluation(&mut self, report: &Report) {
        let Some(found) = report.evaluation.as_ref().filter(|_| self.detail == Detail::Verbose) else {
            return;
        };
        if found.failing.is_empty() {
            return;
        }
        self.line("");
        self.line("how the property became false:");
        for one in &found.failing {
            self.sentence("  ", 4, &shown(&one.words));
        }
    }
}
