//! Diagnoses for people at a terminal: which statements, were they wrong, would explain the counterexample, and
//! what they should have made.

use super::Page;
use crate::wording::{count, shown, shown_line};
use crate::{Absence, Across, Diagnosis, Exactness, SuspectSet, Suspicion};

/// How many diagnoses are shown without `-v`, and how many values of each.
const MOST_DIAGNOSES: usize = 5;
const MOST_VALUES: usize = 3;

impl Page {
    pub(super) fn diagnosis(&mut self, found: &Diagnosis) {
        let is_exact = found.exactness == Exactness::Exact;
        let suspects = count(found.suspects, "suspect");
        let heading = match (found.diagnoses.len() as u64, is_exact) {
            (0, true) => format!("none of {suspects} explains it by computing a different value"),
            (0, false) => format!("none of {suspects} was found to explain it"),
            (sets, is_exact) => {
                let sets = count(sets, "smallest set");
                let more = if is_exact { "" } else { "; there may be more" };
                format!("{sets} of wrong statements would explain it, among {suspects}{more}")
            }
        };
        self.heading("diagnosis", &heading);
        for constraint in &found.constraints {
            let place = self.place(constraint.location.as_ref());
            self.sentence("  should hold: ", 4, &shown(&format!("{place}{}", constraint.text)));
        }
        match &found.absence_of_function {
            Some(absence) => self.absence(absence),
            None if found.diagnoses.is_empty() && is_exact => self.sentence(
                "  ",
                4,
                "on this path the trace fails whatever values they compute. A statement may be missing, superfluous, in \
                 the wrong place, or trusted",
            ),
            None => {}
        }
        let listed = found.diagnoses.len().min(self.most(MOST_DIAGNOSES));
        for diagnosis in &found.diagnoses[..listed] {
            self.suspicion(diagnosis, found);
        }
        if listed < found.diagnoses.len() {
            let hidden = count((found.diagnoses.len() - listed) as u64, "more set");
            self.line(&format!("      ... and {hidden} (-v shows all)"));
        }
        if let Some(across) = &found.across {
            self.across(across);
        }
    }

    fn across(&mut self, across: &Across) {
        let runs = across.runs.len();
        let listed = across.diagnoses.len().min(self.most(MOST_DIAGNOSES));
        let named = |set: &SuspectSet| {
            let lines: Vec<String> = set.lines.iter().map(u64::to_string).collect();
            format!("{{{}}}", lines.join(", "))
        };
        let told: Vec<String> = across.diagnoses[..listed].iter().map(named).collect();
        let more = if listed < across.diagnoses.len() { ", ..." } else { "" };
        let text = match told.is_empty() {
            true => format!("no set of lines explains all of {runs} failing runs, each on its own path"),
            false => {
                let told = told.join(", ");
                format!("lines that explain each of {runs} failing runs on its own path: {told}{more}")
            }
        };
        self.sentence("  ", 4, &text);
    }

    fn absence(&mut self, absence: &Absence) {
        let unimplied = absence.unimplied.join("`, `");
        self.sentence(
            "  something is missing: ",
            4,
            &shown(&format!(
                "every statement of the trace may be right, but nothing on it makes sure that `{unimplied}`: the \
                 same trace passes with the inputs {} and fails with {}",
                inputs(&absence.passing_input),
                inputs(&absence.failing_input)
            )),
        );
    }

    fn suspicion(&mut self, diagnosis: &Suspicion, found: &Diagnosis) {
        let mut first = format!("{:>4}  ", diagnosis.rank);
        for statement in &diagnosis.statements {
            let place = self.place(statement.location.as_ref());
            self.sentence(&first, 6, &shown(&format!("{place}`{}`", statement.text)));
            first = "      and ".to_owned();
        }
        for value in diagnosis.values.iter().take(self.most(MOST_VALUES)) {
            let text = format!(
                "line {}: {} is {}, should be {}",
                value.line,
                value.what.text(),
                value.failing,
                value.right
            );
            self.sentence("        - ", 10, &shown(&text));
        }
        if let Some(suggestion) = &diagnosis.suggestion {
            self.sentence("        ", 8, &shown(suggestion.text()));
        }
        if let Some(repair) = diagnosis.repair.as_ref().map(|repair| &repair.data) {
            let bound = repair.bound.map_or_else(String::new, |bound| format!(", K = {bound}"));
            let how = if repair.verified { format!("verified{bound}") } else { "not verified".to_owned() };
            self.line(&format!("        a repair ({how}):"));
            for line in repair.patch.changed_lines() {
                self.line(&format!("            {}", shown_line(&line.to_string())));
            }
        }
        let tried = count(found.tried_on, "run");
        if let Some(change) = &diagnosis.small_change {
            let text = format!("with a small change ({}) none of {tried} fails", change.text());
            self.sentence("        ", 8, &text);
            if !diagnosis.likely {
                self.sentence(
                    "        ",
                    8,
                    "less likely: a smaller change of another statement does the same",
                );
            }
            return;
        }
        if found.diagnoses.iter().any(|one| one.small_change.is_some()) {
            let text =
                format!("less likely: no small change of it was found with which none of {tried} fails");
            self.sentence("        ", 8, &text);
        }
        if diagnosis.redundant {
            self.sentence(
                "        ",
                8,
                "less likely: other runs of the program do what this one should have done",
            );
        }
        if diagnosis.explains < found.runs {
            let runs = count(found.runs, "failing run");
            let text = format!("less likely: {} of {runs} would pass", diagnosis.explains);
            self.sentence("        ", 8, &text);
        }
    }
}

fn inputs(values: &[i64]) -> String {
    let told: Vec<String> = values.iter().map(i64::to_string).collect();
    told.join(", ")
}
