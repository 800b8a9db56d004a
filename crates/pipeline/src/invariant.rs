//! Formulas that ask the same of every state: `[] p`.
//!
//! Whoever comes to a state in which the condition is false has violated the formula, whatever follows. So such a
//! state ends a trace as a failed assertion does, and all methods can explain how it was reached; what goes on forever
//! without ever coming to one passes.

use findings::{Explanation, What, Why};
use graph::{ConditionPart, Sort, Story, System, Worker, Wrong};
use liveness::{Counterexample, Ending};
use search::Explored;

use crate::analysis::{Aimed, explain_aimed};
use crate::as_findings;
use crate::evaluation;
use crate::model_system::{Class, Classes, Invariant, ModelSystem, is_end};
use crate::obligation::Obligation;
use crate::request::{Host, Request};

/// The states in which a condition is false that has to hold in all of them.
#[derive(Debug)]
pub(crate) struct Broken {
    pub(crate) states: Vec<u32>,
    /// How many steps lead to the nearest of them.
    pub(crate) step: u64,
}

impl Broken {
    /// Nothing where the property asks something else, or where an initial state breaks it, to which no step leads.
    /// `count` is how many states there are, and `is_passing` says in which of them nobody looks.
    pub(crate) fn new(
        found: &Explored,
        count: usize,
        obligation: &Obligation,
        is_passing: impl Fn(u32) -> bool,
    ) -> Option<Self> {
        let condition = obligation.formula.as_ref()?.invariant()?;
        let letters = &obligation.reading.letters;
        let is_false = |letter: u64| condition.is_true_here(|atom| letter >> atom & 1 != 0) == Some(false);
        let is_broken = |state: &u32| is_false(letters[*state as usize]) && !is_passing(*state);
        let states: Vec<u32> = (0..count as u32).filter(is_broken).collect();
        let step =
            states.iter().map(|state| u64::from(found.depth(*state))).min().filter(|step| *step > 0)?;
        Some(Self { states, step })
    }
}

/// Explains how a state is reached in which the condition is false. `parts` tells what the condition is worth in a state,
/// part by part. Gives the search back where the property asks something else.
///
/// # Errors
/// If that is so.
pub fn analyse_invariant(
    system: &impl System,
    mut found: Explored,
    story: &impl Story,
    obligation: &Obligation,
    parts: &dyn Fn(&[u8]) -> Vec<ConditionPart>,
    request: &Request,
    host: &dyn Host,
) -> Result<Explanation, Box<Explored>> {
    let worker = system.worker();
    let is_passing = |state| worker.is_passing(found.store.get(state));
    let Some(broken) = Broken::new(&found, found.store.len(), obligation, is_passing) else {
        return Err(Box::new(found));
    };
    drop(worker);
    let mut classes = Classes::new(&found, story);
    let target = classes.list.len();
    let wrong = Wrong {
        kind: obligation.kind,
        text: request.property.text.clone(),
        location: None,
        can_hold: true,
        sort: Sort::Other,
    };
    let (count, step) = (broken.states.len() as u64, broken.step);
    classes.list.push(Class { wrong, count, shortest: step as u32 });
    let asked = [target];
    let mut explanation = as_findings::blank(request);
    as_findings::search(&mut explanation, &found, &classes, &asked);
    explanation.statistics.search_seconds = Some(host.seconds());
    as_findings::explained(&mut explanation, &asked, &classes, target);
    let what = What::Broken { property: request.property.text.clone(), step, because: None };
    explanation.violations.iter_mut().for_each(|violation| violation.what = what.clone());
    explanation.reason = Why::Wrong { what, location: None }.into();
    if request.unreached && found.interrupt.is_none() {
        let unreached = story.unreached(&found.events).into_iter();
        explanation.unreached = Some(unreached.map(as_findings::deed).collect());
    }
    let matters = |class| is_end(&classes, class);
    let invariant = Some(Invariant { class: target, broken: broken.states, parts });
    let mut model = ModelSystem::with_invariant(system, &mut found, story, &classes, matters, invariant);
    model.aim(target);
    let aimed = Aimed { model, classes: &classes, asked: &asked, target };
    let (model, trace) = explain_aimed(aimed, request.clone(), &mut explanation, host);
    if let Some(trace) = trace {
        let found = Counterexample { trace, ending: Ending::Decided };
        explanation.evaluation = evaluation::of_obligation(obligation, &model, &found);
    }
    as_findings::cost(&mut explanation, host);
    Ok(explanation)
}
