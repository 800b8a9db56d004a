//! The texts of C programs and Promela models, for the method "diagnosis".

use cfront::Model;
use encode::ssa::Happening;
use findings::{Explanation, ViolationKind};
use graph::Story;
use model::{Place, Program, TraceStep};
use pipeline::request::DiagnosisRequest;
use promela::Narrator;
use promela::machine::{Account, NOBODYS};
use wherefore::diagnosis::{self, Course, Text, Words};

use super::host::Terminal;

struct OfModel<'m>(&'m Model);

impl Text for OfModel<'_> {
    fn program(&self) -> &Program {
        self.0.program()
    }

    fn location(&self, statement: u32) -> Option<source::Location> {
        self.0.location(self.0.program().statements.get(statement as usize)?.span)
    }

    fn in_scope(&self, statement: u32) -> Vec<(String, Place)> {
        self.0.variables_at(statement)
    }
}

/// Puts the diagnosis of a report's counterexample into it.
pub(crate) fn diagnose(
    explanation: &mut Explanation,
    model: &Model,
    request: Option<&DiagnosisRequest>,
    host: &Terminal,
) {
    diagnosis::diagnose(explanation, &OfModel(model), request, host);
    host.clear();
}

/// A trace of a Promela model.
struct OfTrace<'m> {
    narrator: &'m Narrator<'m>,
    account: Account,
    steps: Vec<TraceStep>,
    events: usize,
    deadlock: bool,
}

impl Course for OfTrace<'_> {
    fn frames(&self) -> &[Vec<u8>] {
        &self.account.frames
    }

    fn steps(&self) -> &[TraceStep] {
        &self.steps
    }

    fn is_last(&self, step: usize) -> bool {
        self.account.steps[step].event.is_some_and(|event| event + 1 >= self.events)
    }

    fn words(&self, statement: u32) -> Option<Words> {
        if statement == NOBODYS {
            return None;
        }
        let (process, text, location) = self.narrator.accountable(statement);
        Some(Words { process, text, location })
    }

    fn made(&self, step: usize, effect: usize, value: Happening) -> (String, String) {
        let made = &self.account.steps[step].made[effect];
        // Whether somebody can go on at the end is a condition that is kept.
        let is_condition = self.deadlock && self.account.steps[step].event == Some(self.events);
        let value = match value {
            Happening::Condition(holds) => (holds != made.negated).to_string(),
            Happening::Stored { value, .. } if is_condition => (value != 0).to_string(),
            Happening::Stored { value, .. } => self.narrator.value_text(made.ty, value),
            Happening::Nowhere => "nowhere".to_owned(),
        };
        (made.what.clone(), value)
    }

    fn goal(&self) -> Option<String> {
        self.deadlock.then(|| "a process that has not ended can go on".to_owned())
    }

    fn statements(&self) -> usize {
        self.narrator.accountable_statements()
    }
}

/// Puts the diagnosis of the counterexample of a model into its report.
pub(crate) fn diagnose_trace(
    explanation: &mut Explanation,
    model: &promela::Model,
    narrator: &Narrator<'_>,
    request: Option<&DiagnosisRequest>,
    host: &Terminal,
) {
    let Some(counterexample) = explanation.counterexample.clone() else { return };
    let course = || {
        let deadlock = counterexample.kind == ViolationKind::Deadlock;
        if !deadlock && !matches!(counterexample.kind, ViolationKind::Assertion | ViolationKind::Fault) {
            return Err(format!("a {} has no check that should hold", counterexample.kind));
        }
        let steps = &counterexample.steps;
        let trace = search::replay(model, steps.len(), |n, event| narrator.label(event) == steps[n].event);
        let account = narrator.account(&trace.states, &trace.events, deadlock);
        let account = account.ok_or("the steps of the trace are no matter of values")?;
        let steps: Vec<TraceStep> = account.steps.iter().map(|step| step.step.clone()).collect();
        Ok(OfTrace { narrator, account, steps, events: trace.events.len(), deadlock })
    };
    diagnosis::diagnose_course(explanation, course, request, host);
    host.clear();
}
