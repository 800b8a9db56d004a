//! What made the property false: a formula step by step, an assertion part by part.

use super::{Detail, Page};
use crate::wording::shown;
use crate::{ConditionPart, PartValue, Report};

impl Page {
    pub(super) fn evaluation(&mut self, report: &Report) {
        if self.detail != Detail::Verbose {
            return;
        }
        if let Some(found) = report.evaluation.as_ref().filter(|found| !found.failing.is_empty()) {
            self.line("");
            self.line("how the property became false:");
            for one in &found.failing {
                self.sentence("  ", 4, &shown(&one.words));
            }
        }
        if let Some(counterexample) = &report.counterexample {
            self.condition(&counterexample.condition);
        }
    }

    /// Only where there is more to tell than that the whole is false.
    fn condition(&mut self, parts: &[ConditionPart]) {
        if parts.len() < 2 {
            return;
        }
        self.line("");
        self.line("the assertion, part by part:");
        for part in parts.iter().rev() {
            let value = match &part.value {
                PartValue::Truth(truth) => truth.to_string(),
                PartValue::Value(value) => value.clone(),
                PartValue::Unasked => "not asked".to_owned(),
            };
            let indent = 2 * (depth(parts, part) + 1);
            self.sentence(&" ".repeat(indent), indent + 2, &shown(&format!("`{}` is {value}", part.text)));
        }
    }
}

/// How many parts a part is inside of. What a part belongs to comes after it, so this ends.
fn depth(parts: &[ConditionPart], part: &ConditionPart) -> usize {
    let above = |part: &ConditionPart| part.parent.and_then(|at| parts.get(at as usize));
    std::iter::successors(above(part), |part| above(part)).count()
}
