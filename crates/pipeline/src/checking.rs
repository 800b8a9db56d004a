//! Checking a model without explaining it: verdict, figures, and a counterexample, from a search that kept
//! no steps.

use findings::{Chosen, Explanation, Note, Skip, ViolationKind};
use graph::{End, Interrupt, Step, Story, System, Watch, Worker};
use rustc_hash::FxHashMap;
use search::{Checked, Ending, Plan, Replayed, check, shorten};

use crate::as_findings;
use crate::method::skip_methods;
use crate::model_system::{Class, Classes, deadlock, explained};
use crate::registry::Standard;
use crate::request::{Host, ModelError, Request};

/// How many states may be looked at to leave steps out of all traces, a second's work; the nearest come first.
const SHORTENING: u64 = 1 << 20;

/// Who may end what.
#[derive(Clone, Copy)]
pub struct Watches<'a> {
    pub host: &'a dyn Host,
    /// Ends the search.
    pub search: &'a dyn Watch,
    /// Ends looking for a trace to what the search has found.
    pub tracing: &'a dyn Watch,
}

impl std::fmt::Debug for Watches<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watches").finish_non_exhaustive()
    }
}

/// Searches a model and reports on it. `obstacle` tells what keeps the system from knowing what comes after
/// a state.
pub fn analyse_check(
    system: &(impl System + Sync),
    story: &impl Story,
    plan: Plan,
    mut request: Request,
    watches: Watches<'_>,
    obstacle: impl Fn(&[u8]) -> Option<Interrupt>,
) -> Result<Explanation, ModelError> {
    let mut found = check(system, plan, watches.search);
    if let Some(state) = &found.obstacle {
        found.interrupt = found.interrupt.or_else(|| obstacle(state));
    }
    let traces = known_traces(system, &mut found, watches.tracing);
    request.input.size = Some(findings::GraphSize {
        states: found.states,
        transitions: found.transitions,
        labels: found.events.len() as u64,
    });
    let (classes, nearest) = Classes::of_check(&found, story);
    let asked = classes.asked(&request.asked);
    let mut explanation = as_findings::blank(&request);
    as_findings::check(&mut explanation, &found, &classes, &asked);
    let broken = (0..u64::BITS).filter(|promise| found.broken >> promise & 1 != 0);
    for words in broken.filter_map(|promise| story.broken(promise)) {
        explanation.reason.notes.push(Note::BrokenPromise(words));
    }
    if request.unreached && found.interrupt.is_none() {
        explanation.unreached =
            Some(story.unreached(&found.events).into_iter().map(as_findings::deed).collect());
    }
    skip_methods::<Standard>(&mut explanation, &request, &Skip::NothingToExplain);
    if let Some(target) = request.target(&asked)? {
        as_findings::explained(&mut explanation, &asked, &classes, target);
        let matters = |class: usize| {
            asked.contains(&class) || classes.list[class].wrong.kind != ViolationKind::Assertion
        };
        let search =
            Search { system, plan, found: &found, classes: &classes, nearest: &nearest, traces: &traces };
        match search.trace(target, matters, watches) {
            Ok((trace, past_others)) => {
                request.past_others = past_others;
                let class = &classes.list[target];
                explanation.counterexample = Some(counterexample(story, &request, class, &trace, &found));
            }
            Err(limit) => {
                explanation.reason.notes.push(Note::NoTraceBefore(limit));
            }
        }
    }
    as_findings::cost(&mut explanation, watches.host);
    Ok(explanation)
}

/// A search that is over, and what it was a search of.
struct Search<'a, S> {
    system: &'a S,
    plan: Plan,
    found: &'a Checked,
    classes: &'a Classes,
    /// For each class in `classes` those of the search, the nearest one first.
    nearest: &'a [usize],
    /// A trace for each class of the search, where that is known already.
    traces: &'a [Replayed],
}

/// Where steps were left out, how far away a violation is shows only in a trace to it.
fn known_traces(system: &impl System, found: &mut Checked, watch: &dyn Watch) -> Vec<Replayed> {
    if !found.is_reduced() {
        return Vec::new();
    }
    let mut budget = SHORTENING;
    let wanted: Vec<&search::Class> = found.violations.iter().collect();
    let traces = found.traces(system, &wanted, watch);
    let Ok(traces) = traces.and_then(|traces| {
        traces
            .into_iter()
            .map(|trace| shorten(system, trace, &mut budget, watch))
            .collect::<Result<Vec<_>, _>>()
    }) else {
        return Vec::new();
    };
    for (class, trace) in found.violations.iter_mut().zip(&traces) {
        class.shortest = trace.events.len() as u32;
    }
    traces
}

impl<S: System + Sync> Search<'_, S> {
    /// A shortest trace to violations of a class that passes no others that matter, if there is one;
    /// otherwise a shortest trace, which passes others.
    fn trace(
        &self,
        target: usize,
        matters: impl Fn(usize) -> bool + Sync,
        watches: Watches<'_>,
    ) -> Result<(Replayed, bool), Interrupt> {
        let of: FxHashMap<search::Wrong, usize> = self
            .found
            .violations
            .iter()
            .map(|class| class.wrong)
            .zip(self.classes.of.iter().copied())
            .collect();
        let ends_elsewhere = |event: u64, what: u32| {
            let class = of.get(&search::Wrong::Step { event, what });
            class.is_some_and(|class| *class != target && matters(*class))
        };
        let nearest = self.nearest[target];
        let trace = match self.traces.get(nearest) {
            Some(trace) => trace.clone(),
            None => {
                one(self.found.traces(self.system, &[&self.found.violations[nearest]], watches.tracing)?)?
            }
        };
        if !passes(self.system, &trace, &ends_elsewhere) {
            return Ok((trace, false));
        }
        let barred = Barred { system: self.system, is_barred: &ends_elsewhere };
        let found = check(&barred, Plan { reduce: false, ..self.plan }, watches.search);
        let wanted = found.violations.iter().find(|class| of.get(&class.wrong) == Some(&target));
        match wanted {
            Some(class) => Ok((one(found.traces(&barred, &[class], watches.tracing)?)?, false)),
            None => Ok((trace, true)),
        }
    }
}

fn one(traces: Vec<Replayed>) -> Result<Replayed, Interrupt> {
    traces.into_iter().next().ok_or(Interrupt::Cancelled)
}

/// Whether some step of a trace but its last is barred.
fn passes(system: &impl System, trace: &Replayed, is_barred: &impl Fn(u64, u32) -> bool) -> bool {
    let mut worker = system.worker();
    let inner = trace.events.len().saturating_sub(usize::from(trace.ending != Ending::Deadlock));
    let mut found = false;
    for (event, states) in trace.events.iter().zip(trace.states.windows(2)).take(inner) {
        worker.steps(&states[0], |step| {
            let same = step.event == *event && step.state == states[1];
            found |= same && step.violation.is_some_and(|what| is_barred(step.event, what));
        });
    }
    found
}

/// A system in which some violations lead nowhere.
struct Barred<'a, S, F> {
    system: &'a S,
    is_barred: &'a F,
}

struct BarredWorker<'a, W, F> {
    worker: W,
    is_barred: &'a F,
}

impl<S: System, F: Fn(u64, u32) -> bool> System for Barred<'_, S, F> {
    type Worker<'a>
        = BarredWorker<'a, S::Worker<'a>, F>
    where
        Self: 'a;

    fn worker(&self) -> Self::Worker<'_> {
        BarredWorker { worker: self.system.worker(), is_barred: self.is_barred }
    }
}

impl<W: Worker, F: Fn(u64, u32) -> bool> Worker for BarredWorker<'_, W, F> {
    fn initial(&mut self, visit: impl FnMut(&[u8])) {
        self.worker.initial(visit);
    }

    fn steps(&mut self, state: &[u8], mut visit: impl FnMut(Step<'_>)) {
        let is_barred = self.is_barred;
        self.worker.steps(state, |step| match step.violation {
            // It stays where it is, so that the state is no end.
            Some(what) if is_barred(step.event, what) => visit(Step { state, violation: None, ..step }),
            _ => visit(step),
        });
    }

    fn end(&mut self, state: &[u8]) -> End {
        self.worker.end(state)
    }

    fn is_passing(&self, state: &[u8]) -> bool {
        self.worker.is_passing(state)
    }
}

fn counterexample(
    story: &impl Story,
    request: &Request,
    class: &Class,
    trace: &Replayed,
    found: &Checked,
) -> findings::Counterexample {
    let is_deadlock = trace.ending == Ending::Deadlock;
    let last = trace.events.last().zip(trace.states.iter().rev().nth(1));
    let wrong = match last {
        Some((event, state)) if !is_deadlock => explained(class.wrong.clone(), story, state, *event),
        _ => deadlock(),
    };
    let choice = if found.is_reduced() { Chosen::Short } else { Chosen::Shortest };
    as_findings::replayed_counterexample(story, request, &wrong, trace, choice)
}
