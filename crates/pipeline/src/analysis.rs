//! Check, then explain: the stages in their order, each allowed to run into a limit.
//!
//! Whatever a stage found before a limit stopped it is told; what it could not find is said to be
//! missing. So a report always comes out, and never claims more than was computed.

use explain::anomalies::TooLong;
use explain::neighbourhoods::Neighbourhoods;
use explain::{Counterexample, Matched};
use findings::{Explanation, Method, Outcome, Skip, Verdict, ViolationKind, What, Why};
use graph::{
    Chances, Exploration, Fairness, Fates, Followed, Interrupt, Product, Story, System, Trace, Transitions,
    calmest_shortest, follow,
};
use search::Explored;

use crate::anomalies::anomalies;
use crate::budget::Budget;
use crate::causes::causes;
use crate::combine::blocked_in_turn;
use crate::correct_transitions;
use crate::model_system::{Classes, ModelSystem};
use crate::naming::Naming;
use crate::others::other_failures;
use crate::request::{Host, ModelError, ModelRequest, Request};
use crate::surroundings::surroundings;
use crate::telling;
use crate::variations::{self, variations};

pub fn analyse<T: Transitions + Naming>(system: &T, request: Request, host: &dyn Host) -> Explanation {
    analyse_with(system, None, request, host)
}

/// Analyses a counterexample LTS from elsewhere: `product` is that of the model with it as the property
/// and tells what can become of traces; `matched` has its neighbourhoods.
pub fn analyse_matched(
    product: &Product<'_>,
    matched: &Matched<'_>,
    request: Request,
    host: &dyn Host,
) -> Explanation {
    analyse_with(product, Some(matched), request, host)
}

/// Reports on a model that was searched.
pub fn analyse_model(
    system: &impl System,
    found: Explored,
    story: &impl Story,
    wanted: &ModelRequest,
    mut request: Request,
    host: &dyn Host,
) -> Result<Explanation, ModelError> {
    let searched = host.seconds();
    let classes = Classes::new(&found, story);
    let asked = classes.asked(&wanted.asked);
    let mut explanation = telling::blank(&request);
    telling::search(&mut explanation, &found, &classes, &asked);
    explanation.statistics.search_seconds = Some(searched);
    if wanted.unreached && found.interrupt.is_none() {
        explanation.unreached = Some(story.unreached(&found.events).into_iter().map(telling::deed).collect());
    }
    let Some(mut target) = wanted.target(&asked)? else {
        skip_methods(&mut explanation, &request, &Skip::NothingToExplain);
        telling::cost(&mut explanation, host);
        return Ok(explanation);
    };
    telling::explained(&mut explanation, &asked, &classes, target);
    // A failed assertion that nobody asked about is a step like any other; a fault leaves nothing to go
    // on with, and where a model must not stop, no trace passes.
    let matters =
        |class: usize| asked.contains(&class) || classes.list[class].wrong.kind != ViolationKind::Assertion;
    let mut model = ModelSystem::new(system, found, story, &classes, matters);
    match &wanted.trace {
        None => model.aim(target),
        Some(events) => {
            let trace = model.follow(events).ok_or(ModelError::TrailNotExplored)?;
            target = model.class(trace.last()).unwrap_or(target);
            telling::explained(&mut explanation, &asked, &classes, target);
            model.aim(target);
            request.trace = Some(trace);
        }
    }
    let exploring = host.seconds();
    let mut explored = Exploration::new(&model, u64::MAX, host);
    let exploring = host.seconds() - exploring;
    if explored.violating().is_empty() && explored.is_complete() {
        request.past_others = true;
        model.go_past_all_but(target);
        explored = Exploration::new(&model, u64::MAX, host);
    }
    let mut explained = None;
    let edges = model.graph().edge_count() as u64;
    if request.explains() {
        explained = explain(&model, None, &mut explored, &request, &mut explanation, host);
    } else {
        explanation.counterexample = unexplained(&model, &explored, &request);
        skip_methods(&mut explanation, &request, &Skip::NotAsked);
    }
    if let Some(trust) = &request.correct_transitions {
        // What is shared with other methods is counted as well.
        let is_deadlock = classes.list[target].wrong.location.is_none();
        let weighing = explained.as_ref().filter(|_| is_deadlock).map_or(0.0, |(_, known)| known.seconds);
        let (first, fates) = explained.map(|(trace, known)| (trace, known.fates)).unzip();
        let queries = correct_transitions::Queries { classes: &classes, asked: &asked, target, first };
        let started = host.seconds();
        let within = Budget::new(host, &request, edges);
        let fairness = request.fairness;
        let answers =
            correct_transitions::of_model(&mut model, &explored, fates, &queries, (fairness, trust), &within);
        let seconds = exploring + weighing + host.seconds() - started;
        let complete = explored.is_complete();
        let (outcome, findings) = correct_transitions::all(answers, complete, !request.past_others, seconds);
        explanation.methods.correct_transitions = Some(outcome);
        explanation.findings.extend(findings);
    }
    if request.others && wanted.violation.is_none() && wanted.trace.is_none() && !request.past_others {
        let within = Budget::new(host, &request, edges);
        explanation.others = other_failures(&mut model, &asked, target, &request, &explanation, &within);
    }
    telling::cost(&mut explanation, host);
    Ok(explanation)
}

fn analyse_with<T: Transitions + Naming>(
    system: &T,
    matched: Option<&Matched<'_>>,
    request: Request,
    host: &dyn Host,
) -> Explanation {
    let mut explored = Exploration::new(system, request.max_states, host);
    let mut explanation = telling::blank(&request);
    telling::exploration(&mut explanation, &request, &explored);
    match (explanation.verdict, request.explains()) {
        (Verdict::Violated, true) => {
            let explained = explain(system, matched, &mut explored, &request, &mut explanation, host);
            if request.correct_transitions.is_some() && matched.is_some() {
                explanation.methods.correct_transitions = skipped(Skip::GivenLts(Method::CorrectTransitions));
            } else if let Some(trust) = &request.correct_transitions {
                let weighing = explained.as_ref().map_or(0.0, |(_, known)| known.seconds);
                let (first, fates) = explained.map(|(trace, known)| (trace, known.fates)).unzip();
                let started = host.seconds();
                let query =
                    findings::Query { location: None, check: What::Told(explanation.property.text.clone()) };
                let fates = fates.map_or_else(|| Fates::new(system, &explored, request.fairness, host), Ok);
                let found = fates.and_then(|fates| {
                    let ends = correct_transitions::passing(system, &explored, &fates);
                    let first = first.as_ref();
                    let fairness = request.fairness;
                    let (ends, checks) = (&ends, None);
                    let asked = correct_transitions::Asked { query, ends, checks, first, fairness, trust };
                    correct_transitions::explicit(system, &explored, &asked, host)
                });
                let seconds = weighing + host.seconds() - started;
                let (outcome, findings) =
                    correct_transitions::all(vec![found], explored.is_complete(), true, seconds);
                explanation.methods.correct_transitions = Some(outcome);
                explanation.findings.extend(findings);
            }
        }
        (Verdict::Violated, false) => {
            explanation.counterexample = unexplained(system, &explored, &request);
            skip_methods(&mut explanation, &request, &Skip::NotAsked);
        }
        _ => skip_methods(&mut explanation, &request, &Skip::NothingToExplain),
    }
    telling::cost(&mut explanation, host);
    explanation
}

pub fn skipped<M>(why: Skip) -> Option<Outcome<M>> {
    Some(Outcome::Skipped(why))
}

/// Says of every method why it was not run.
pub(crate) fn skip_methods(explanation: &mut Explanation, request: &Request, why: &Skip) {
    let reason = |asked: bool| if asked { why.clone() } else { Skip::NotAsked };
    explanation.methods.neighbourhoods = skipped(reason(request.neighbourhoods));
    explanation.methods.anomalies = skipped(reason(request.anomalies.is_some()));
    explanation.methods.correct_transitions = skipped(reason(request.correct_transitions.is_some()));
    explanation.methods.variations = skipped(reason(request.variations.is_some()));
    explanation.methods.diagnosis = skipped(reason(request.diagnosis.is_some()));
}

/// Fates that were worked out, and how long that took.
pub(crate) struct Known {
    fates: Fates,
    seconds: f64,
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
        telling::neighbourhoods(self.system, self.explored, request, &self.fates, &self.found, counterexample)
    }
}

pub(crate) fn explain<T: Transitions + Naming>(
    system: &T,
    matched: Option<&Matched<'_>>,
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
            skip_methods(explanation, request, &Skip::Interrupted(interrupt));
            return None;
        }
    };
    explanation.statistics.complete = weighed.explored.is_complete();
    explanation.fates = Some(telling::fates(weighed.fates.count(system, weighed.explored)));
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
                    skip_methods(explanation, request, &Skip::Interrupted(interrupt));
                    return None;
                }
            };
            let counterexample = matched_counterexample(&weighed, &by_matching)?;
            let told = by_matching.told(request, &counterexample);
            (counterexample, told)
        }
    };
    explanation.findings = causes(system, &counterexample, request.fairness, host);
    explanation.counterexample = Some(telling::counterexample(system, request, &counterexample));
    // Where not all was searched, it may be searched again.
    if explanation.statistics.complete {
        host.known(explanation);
    }
    doom(system, weighed.explored, &counterexample.trace, explanation, host);
    if request.picture {
        let known = (weighed.explored, &weighed.fates);
        explanation.surroundings = Some(surroundings(system, known, &counterexample));
    }
    let told = findings::Neighbourhoods { seconds: host.seconds() - started, ..told };
    explanation.methods.neighbourhoods =
        if request.neighbourhoods { Some(Outcome::Found(Box::new(told))) } else { skipped(Skip::NotAsked) };
    let edges = weighed.explored.live_edges();
    let within = || Budget::new(host, request, edges);
    explain_anomalies(&weighed, &counterexample, request, explanation, &within());
    explanation.methods.correct_transitions = skipped(Skip::NotAsked);
    explanation.methods.diagnosis =
        skipped(if request.diagnosis.is_some() { Skip::NoStatements } else { Skip::NotAsked });
    explain_variations(&weighed, matched.is_some(), &counterexample, request, explanation, &within());
    explanation.without =
        blocked_in_turn(system, weighed.explored, &counterexample.trace, request.fairness, &within());
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

fn explain_anomalies<T: Transitions + Naming>(
    weighed: &Weighed<'_, T>,
    counterexample: &Counterexample,
    request: &Request,
    explanation: &mut Explanation,
    host: &dyn Host,
) {
    let Some(wanted) = &request.anomalies else {
        explanation.methods.anomalies = skipped(Skip::NotAsked);
        return;
    };
    let started = host.seconds();
    let Weighed { system, explored, fates, .. } = weighed;
    explanation.methods.anomalies =
        match anomalies(*system, explored, fates, counterexample, request, wanted, host) {
            Err(TooLong::Interrupted(interrupt)) => skipped(Skip::Interrupted(interrupt)),
            Err(why) => skipped(Skip::Told(why.to_string())),
            Ok(found) => {
                explanation.findings.extend(found.findings);
                let told = findings::Anomalies { seconds: host.seconds() - started, ..found.told };
                Some(Outcome::Found(Box::new(told)))
            }
        };
}

fn explain_variations<T: Transitions + Naming>(
    weighed: &Weighed<'_, T>,
    is_matched: bool,
    counterexample: &Counterexample,
    request: &Request,
    explanation: &mut Explanation,
    host: &dyn Host,
) {
    let Some(wanted) = &request.variations else {
        explanation.methods.variations = skipped(Skip::NotAsked);
        return;
    };
    if is_matched {
        explanation.methods.variations = skipped(Skip::GivenLts(Method::Variations));
        return;
    }
    let started = host.seconds();
    let Weighed { system, explored, fates, .. } = weighed;
    let found = variations(*system, (explored, fates), &counterexample.trace, wanted, request, host);
    let steps = explanation.counterexample.as_ref().map_or(&[][..], |found| &found.steps);
    let (outcome, findings) = variations::outcome(found, steps, host.seconds() - started);
    explanation.methods.variations = Some(outcome);
    explanation.findings.extend(findings);
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
fn unexplained<T: Transitions + Naming>(
    system: &T,
    explored: &Exploration,
    request: &Request,
) -> Option<findings::Counterexample> {
    let trace = request.trace.clone().or_else(|| calmest_shortest(system, explored, |_| false))?;
    Some(telling::bare_counterexample(system, request, &trace))
}

/// The report on an input that was not even read to its end.
pub fn unread(request: &Request, interrupt: Interrupt, host: &dyn Host) -> Explanation {
    let mut explanation = telling::blank(request);
    explanation.reason = Why::NotRead(interrupt).into();
    telling::cost(&mut explanation, host);
    explanation
}
