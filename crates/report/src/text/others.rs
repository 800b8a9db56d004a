//! The violations besides the one that the report is about, each with its own cause or with the same.

use anstyle::AnsiColor;

use super::Page;
use crate::lanes::Lanes;
use crate::wording::{count, shown};
use crate::{Counterexample, OtherFailure, Report};

/// How many other violations are told with their causes drawn, and how many reasons each, without `-v`.
const MOST_DRAWN: usize = 2;
const MOST_REASONS: usize = 2;

impl Page {
    pub(super) fn others(&mut self, report: &Report) {
        for (number, other) in report.others.iter().enumerate() {
            let Some(violation) = report.violations.iter().find(|known| known.id == other.violation) else {
                continue;
            };
            self.line("");
            let title = self.paint(AnsiColor::Red, "also violated");
            let place = self.place(violation.location.as_ref());
            let at = if place.is_empty() { String::new() } else { format!("at {place}") };
            let after = count(violation.shortest, "step");
            let text = format!("{} {at}after {after}: {}", violation.kind, violation.text);
            self.sentence(&format!("{title}: "), 2, &shown(&text));
            self.other(other, number < self.most(MOST_DRAWN));
        }
    }

    fn other(&mut self, other: &OtherFailure, is_drawn: bool) {
        if other.same_cause {
            self.sentence("", 2, &format!("same cause as above: {}", shown(&other.how)));
            return;
        }
        let most = self.most(1);
        if !is_drawn {
            for cause in other.causes.iter().take(most) {
                let place = self.place(cause.locations.first());
                self.sentence("  cause: ", 4, &shown(&format!("{place}{}", cause.summary)));
            }
            return;
        }
        for cause in other.causes.iter().take(most) {
            self.told_cause(cause, false, MOST_REASONS);
        }
        if let Some(counterexample) = &other.counterexample {
            self.steps_that_matter(counterexample);
        }
    }

    fn steps_that_matter(&mut self, counterexample: &Counterexample) {
        self.line("");
        let kept = counterexample.steps.iter().filter(|step| step.kept).count() as u64;
        let text = format!("{} of {}", kept, count(counterexample.length, "step"));
        let all = if self.options { " (--violation tells all)" } else { "" };
        self.sentence("  counterexample: ", 2, &format!("{text}{all}"));
        let lanes = std::mem::replace(&mut self.lanes, Lanes::of(counterexample));
        for step in counterexample.steps.iter().filter(|step| step.kept) {
            self.step(step, step.n == counterexample.length);
        }
        self.lanes = lanes;
    }
}
