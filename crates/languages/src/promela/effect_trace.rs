//! The counterexample of a model as a course of effects, for the method "diagnosis".

use diagnosis::{EffectTrace, Words};
use encode::ssa::Happening;
use findings::{Counterexample, Explanation, Undiagnosed, ViolationKind};
use graph::{System, Worker};
use model::TraceStep;
use pipeline::request::{Host, Request};
use promela::machine::{Account, Goal, NOBODYS};
use promela::{Model, Narrator};

/// A trace of a Promela model.
struct OfTrace<'m> {
    narrator: &'m Narrator<'m>,
    account: Account,
    steps: Vec<TraceStep>,
    events: usize,
    goal: Goal,
    /// The property, in the user's words.
    property: String,
}

impl EffectTrace for OfTrace<'_> {
    fn frames(&self) -> &[Vec<u8>] {
        &self.account.frames
    }

    fn steps(&self) -> &[TraceStep] {
        &self.steps
    }

    fn is_last(&self, step: usize) -> bool {
        // A formula is asked behind the last event.
        let last = if matches!(self.goal, Goal::Invariant(_)) { self.events } else { self.events - 1 };
        self.account.steps[step].event.is_some_and(|event| event >= last)
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
        let is_condition = self.is_stuck() && self.account.steps[step].event == Some(self.events);
        let value = match value {
            Happening::Condition(holds) => (holds != made.negated).to_string(),
            Happening::Stored { value, .. } if is_condition => (value != 0).to_string(),
            Happening::Stored { value, .. } => self.narrator.value_text(made.ty, value),
            Happening::Nowhere => "nowhere".to_owned(),
        };
        (made.what.clone(), value)
    }

    fn goal(&self) -> Option<String> {
        match self.goal {
            Goal::Stated => None,
            Goal::Movement => Some("a process that has not ended can go on".to_owned()),
            Goal::Invariant(_) => Some(self.property.clone()),
        }
    }

    fn is_stuck(&self) -> bool {
        self.goal == Goal::Movement
    }

    fn statements(&self) -> usize {
        self.narrator.accountable_statements()
    }
}

/// Puts the diagnosis of the counterexample of a model into its explanation. `formula` is the number of the formula about
/// single states that it violates.
pub(crate) fn diagnose(
    explanation: &mut Explanation,
    model: &Model,
    narrator: &Narrator<'_>,
    formula: Option<usize>,
    request: &Request,
    host: &dyn Host,
) {
    let Some(counterexample) = explanation.counterexample.clone() else { return };
    let property = explanation.property.text.clone();
    let course = || {
        let goal = match (formula, counterexample.kind) {
            (Some(formula), _) => Goal::Invariant(formula),
            (None, ViolationKind::Deadlock) => Goal::Movement,
            (None, ViolationKind::Assertion | ViolationKind::Fault) => Goal::Stated,
            (None, kind) => return Err(Undiagnosed::NoCheck(kind).into()),
        };
        let events = &counterexample.run.events;
        let account = narrator.account(&states(model, &counterexample), events, goal);
        let account = account.ok_or(Undiagnosed::NoValues)?;
        let steps: Vec<TraceStep> = account.steps.iter().map(|step| step.step.clone()).collect();
        Ok(OfTrace { narrator, account, steps, events: events.len(), goal, property })
    };
    diagnosis::diagnose_effects(explanation, course, request, host);
}

/// The states of a counterexample, with the one that a wrong last step leads to.
fn states(model: &Model, counterexample: &Counterexample) -> Vec<Vec<u8>> {
    let mut states = counterexample.run.states.clone();
    let events = &counterexample.run.events;
    if let (Some(event), Some(last)) = (events.get(states.len().saturating_sub(1)), states.last().cloned()) {
        let mut behind = None;
        model.worker().steps(&last, |step| {
            if step.event == *event && step.violation.is_some() && behind.is_none() {
                behind = Some(step.state.to_vec());
            }
        });
        states.extend(behind);
    }
    states
}
