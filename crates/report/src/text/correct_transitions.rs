//! Error traces beside correct ones, for people at a terminal: for each cause what only the error trace does,
//! and what a correct trace does in its place.

use source::LineChange;

use super::Page;
use crate::wording::{count, shown, shown_line};
use crate::{CorrectTransitions, ErrorTrace, ErrorTraceKind, Event, RecheckResult};

/// How many steps of a cause, or of a correct trace, are shown without `-v`.
const MOST_STEPS: usize = 7;

impl Page {
    pub(super) fn correct_transitions(&mut self, found: &CorrectTransitions) {
        let covered = if found.covered {
            "; every failing trace takes one of them"
        } else {
            "; there may be failing traces that take none of them"
        };
        let causes = found.traces.iter().filter(|trace| trace.kind.is_explained()).count() as u64;
        let trusted = match found.trusted {
            0 => String::new(),
            some => format!("; {} left out, whose causes are trusted", count(some, "trace")),
        };
        self.heading("correct transitions", &format!("{}{covered}{trusted}", count(causes, "cause")));
        for (trace, number) in found.traces.iter().zip(1..) {
            self.error_trace(trace, number);
        }
    }

    fn error_trace(&mut self, trace: &ErrorTrace, number: usize) {
        let query = format!("{}{}", self.place(trace.query.location.as_ref()), trace.query.check.text());
        let has_place = trace.query.location.is_some();
        let what = match trace.kind {
            ErrorTraceKind::Control if has_place => "before the check no correct trace takes",
            ErrorTraceKind::Control => "no correct trace takes",
            ErrorTraceKind::Value if trace.together => {
                "its steps are taken by correct traces, but not with all of these values"
            }
            ErrorTraceKind::Value => "every correct trace that takes its steps has other values",
            ErrorTraceKind::Incomparable => "there is no correct trace to compare it with",
            ErrorTraceKind::Unexplained if has_place => {
                "every step of it before the check is taken by correct traces"
            }
            ErrorTraceKind::Unexplained => "every step of it is taken by correct traces",
        };
        self.sentence(
            &format!("{number:>4}  "),
            6,
            &shown(&format!("{query}: an error after {}; {what}", count(trace.length, "step"))),
        );
        self.underlined(self.shortened(&trace.causes));
        let hidden = trace.causes.len().saturating_sub(self.most(MOST_STEPS));
        if hidden > 0 {
            self.line(&format!("          ... and {} more (-v shows all)", count(hidden as u64, "step")));
        }
        if let Some(step) = trace.step
            && let Some(edge) = trace.causes_by_transition.iter().find(|edge| edge.step == step)
        {
            self.underlined(std::slice::from_ref(edge));
            for value in &trace.values {
                let others = match value.others {
                    0 => String::new(),
                    others => format!(" or one of {} more", count(others, "value")),
                };
                let text = format!(
                    "{} is {}; in correct traces it is {}{others}",
                    value.var,
                    value.failing,
                    value.correct.join(" or ")
                );
                self.sentence("            -", 14, &shown(&text));
            }
        }
        if let (ErrorTraceKind::Unexplained, Some(first)) = (trace.kind, trace.causes_by_transition.first()) {
            self.sentence("", 8, "from here on no correct trace can come of it");
            self.underlined(std::slice::from_ref(first));
        }
        if !trace.lacks.is_empty() {
            self.line(&format!(
                "        every correct trace that goes on after step {} does, and this one does not",
                trace.common
            ));
            for event in self.shortened(&trace.lacks) {
                self.line(&format!("                {}", self.event_line(event)));
            }
            let hidden = trace.lacks.len().saturating_sub(self.most(MOST_STEPS));
            if hidden > 0 {
                self.line(&format!("                ... and {} more", count(hidden as u64, "step")));
            }
        }
        if let Some(told) = &trace.suggestion {
            let text = format!(
                "insert `{}` in line {}: this cause is gone then, and nothing else goes wrong ({} by a new check)",
                told.insert,
                told.line,
                match told.result {
                    RecheckResult::Confirmed => "confirmed",
                    RecheckResult::Refuted => "refuted",
                    RecheckResult::NotRun => "not confirmed",
                }
            );
            self.sentence("        ", 8, &shown(&text));
            let added = told.patch.changed_lines().filter(|line| line.change == LineChange::Added);
            for line in added {
                self.line(&format!("            {}", shown_line(&line.to_string())));
            }
        }
        self.beside(trace);
    }

    fn shortened<'s, S>(&self, all: &'s [S]) -> &'s [S] {
        &all[..all.len().min(self.most(MOST_STEPS))]
    }

    pub(super) fn event_line(&self, event: &Event) -> String {
        let who = match (&event.process, event.pid) {
            (Some(process), Some(pid)) => format!("{process}:{pid}  "),
            _ => String::new(),
        };
        shown(&format!("{who}{}{}", self.place(event.location.as_ref()), event.action))
    }
}
