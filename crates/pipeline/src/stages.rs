//! What the methods make of one violation in a graph that was explored: fates first, then each method under its budget.

use std::cell::Cell;

use explain::neighbourhoods::Neighbourhoods;
use explain::{Counterexample, Matched};
use findings::{Explanation, Skip};
use graph::{
    Chances, Exploration, Fairness, Fates, Followed, Interrupt, Trace, Transitions, calmest_shortest, follow,
};

use crate::as_findings;
use crate::causes::causes;
use crate::combine::blocked_in_turn;
use crate::method::{GraphCase, Registry, on_graph, skip_methods};
use crate::naming::Naming;
use crate::request::{Host, Request};
use crate::surroundings::surroundings;

/// Fates that were worked out, and how long that took.
pub(crate) struct Known {
    pub(crate) fates: Fates,
    pub(crate) seconds: f64,
}

/// What the methods compute on a system.
struct Weighed<'a, T> {
    system: &'a T,
    explored: &'a Exploration,
    fates: Fates,
    /// How long it took to find them.
    seconds: f64,
    found: Neighbourhoods,
}

impl<'a, T: Transitions + Naming> Weighed<'a, T> {
    fn new(
        system: &'a T,
        explored: &'a Exploration,
        fairness: Fairness,
        host: &dyn Host,
    ) -> Result<Self, Interrupt> {
        let started = host.seconds();
        let fates = Fates::new(system, explored, fairness, host)?;
        let seconds = host.seconds() - started;
        let found = Neighbourhoods::new(system, system.labels().len(), explored, &fates, host)?;
        Ok(Self { system, explored, fates, seconds, found })
    }

    fn calmest(&self) -> Option<Trace> {
        calmest_shortest(self.system, self.explored, |state| self.found.is_frontier(state))
    }

    fn counterexample(&self, trace: Trace) -> Counterexample {
        Counterexample::new(self.system, self.explored, &self.fates, &self.found, trace)
    }

    fn told(&self, request: &Request, counterexample: &Counterexample) -> findings::Neighbourhoods {
        as_findings::neighbourhoods(
            self.system,
            self.explored,
            request,
            &self.fates,
            &self.found,
            counterexample,
        )
    }
}

pub(crate) fn explain<L: Registry, T: Transitions + Naming>(
    system: &T,
    matched: Option<&Matched<'_>>,
    is_of_model: bool,
    explored: &mut Exploration,
    request: &Request,
    explanation: &mut Explanation,
    host: &dyn Host,
) -> Option<(Trace, Known)> {
    let started = host.seconds();
    explored.go_beyond(system, request.max_states, host);
    let weighed = match Weighed::new(system, explored, request.fairness, host) {
        Ok(weighed) => weighed,
        Err(interrupt) => {
            explanation.counterexample = unexplained(system, explored, request);
            skip_methods::<L>(explanation, request, &Skip::Interrupted(interrupt));
            return None;
        }
    };
    explanation.statistics.complete = weighed.explored.is_complete();
    explanation.fates = Some(as_findings::fates(weighed.fates.count(system, weighed.explored)));
    let (counterexample, told) = match matched {
        None => {
            let trace = request.trace.clone().or_else(|| weighed.calmest())?;
            let counterexample = weighed.counterexample(trace);
            let told = weighed.told(request, &counterexample);
            (counterexample, told)
        }
        Some(matched) => {
            let mut of_matched = Exploration::new(matched, request.max_states, host);
            of_matched.go_beyond(matched, request.max_states, host);
            let by_matching = match Weighed::new(matched, &of_matched, request.fairness, host) {
                Ok(by_matching) => by_matching,
                Err(interrupt) => {
                    explanation.counterexample = unexplained(system, explored, request);
                    skip_methods::<L>(explanation, request, &Skip::Interrupted(interrupt));
                    return None;
                }
            };
            let counterexample = matched_counterexample(&weighed, &by_matching)?;
            let told = by_matching.told(request, &counterexample);
            (counterexample, told)
        }
    };
    explanation.findings = causes(system, &counterexample, request.fairness, host);
    explanation.counterexample = Some(as_findings::counterexample(system, request, &counterexample));
    // Where not all was searched, it may be searched again.
    if explanation.statistics.complete {
        host.known(explanation);
    }
    doom(system, weighed.explored, &counterexample.trace, explanation, host);
    if request.picture {
        let near = surroundings(system, weighed.explored, &weighed.fates, &counterexample);
        explanation.surroundings = Some(near);
    }
    let steps = explanation.counterexample.as_ref().map_or_else(Vec::new, |told| told.steps.clone());
    let case = GraphCase {
        system,
        explored: weighed.explored,
        fates: &weighed.fates,
        fate_seconds: weighed.seconds,
        counterexample: &counterexample,
        steps: &steps,
        neighbourhoods: Cell::new(Some(told)),
        is_given: matched.is_some(),
        is_of_model,
        request,
        host,
        started,
    };
    on_graph::<L, T>(explanation, &case);
    let within = case.budget();
    explanation.without =
        blocked_in_turn(system, weighed.explored, &counterexample.trace, request.fairness, &within);
    Some((counterexample.trace, Known { fates: weighed.fates, seconds: weighed.seconds }))
}

/// Tells the chance to fail along a trace.
fn doom<T: Transitions>(
    system: &T,
    explored: &Exploration,
    trace: &Trace,
    explanation: &mut Explanation,
    host: &dyn Host,
) {
    /// How often chances are worked out, how many edges are looked at for those of failing soon, and how
    /// close bounds must be to be told.
    const WORK: u64 = 20_000_000;
    const EDGES: u64 = 200_000_000;
    const CLOSE: f64 = 1e-6;
    let Ok(chances) = Chances::new(system, explored, WORK, host) else { return };
    let told = trace.states().map(|state| {
        let [low, high] = if explored.is_live(state) { chances.of(state) } else { [0.0, 1.0] };
        (high - low <= CLOSE).then_some(low.midpoint(high))
    });
    explanation.doom = told.collect();
    let steps = trace.steps.len() as u64;
    if explored.is_complete() && explored.live_edges().saturating_mul(steps) <= EDGES {
        let soon = Chances::within(system, explored, steps, host).unwrap_or_default();
        explanation.doom_soon =
            trace.states().filter_map(|state| soon.get(state as usize).copied()).collect();
    }
}

/// The calmest trace of a given counterexample LTS, with the fates of the model along it.
fn matched_counterexample<T: Transitions + Naming>(
    model: &Weighed<'_, T>,
    given: &Weighed<'_, Matched<'_>>,
) -> Option<Counterexample> {
    let trace = given.calmest()?;
    let labels: Vec<u32> = trace.steps.iter().map(|step| step.label).collect();
    // Of the ways the model can do it, the one along which most can still be decided.
    let settled = |state| !model.found.is_frontier(state);
    let Followed::Violating(in_model) = follow(model.system, &labels, settled) else { return None };
    let mut counterexample = model.counterexample(in_model);
    counterexample.abstraction = given.found.abstraction(&trace);
    if counterexample.abstraction.touched > 0 {
        counterexample.untouched = None;
    }
    Some(counterexample)
}

/// A counterexample of which only the steps are known.
pub(crate) fn unexplained<T: Transitions + Naming>(
    system: &T,
    explored: &Exploration,
    request: &Request,
) -> Option<findings::Counterexample> {
    let trace = request.trace.clone().or_else(|| calmest_shortest(system, explored, |_| false))?;
    Some(as_findings::bare_counterexample(system, request, &trace))
}
