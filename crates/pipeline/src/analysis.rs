//! Check, then explain: the stages in their order, each allowed to run into a limit.
//!
//! Whatever a stage found before a limit stopped it is told; what it could not find is said to be
//! missing. So a report always comes out, and never claims more than was computed.

use explain::Matched;
use findings::{Explanation, Method, Skip, Verdict, ViolationKind, What, Why};
use graph::{Exploration, Fates, Interrupt, Product, Story, System, TooManyEdges, Transitions, Watch};
use search::{Explored, Limits};

use crate::budget::Budget;
use crate::correct_transitions;
use crate::model_system::{Classes, ModelSystem};
use crate::naming::Naming;
use crate::others::other_failures;
use crate::request::{Host, ModelError, Request};
use crate::skips::{skip_methods, skipped};
use crate::stages::{explain, unexplained};
use crate::telling;

/// Searches a system for [`analyse_model`], with all its steps; what was found may be partial.
///
/// # Errors
/// If there are more steps than can be numbered.
pub fn explore(system: &impl System, max_states: u64, watch: &dyn Watch) -> Result<Explored, TooManyEdges> {
    search::explore(system, Limits { max_states, ..Limits::default() }, watch)
}

/// Checks a system that is there as a graph, and explains what is found.
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
    mut request: Request,
    host: &dyn Host,
) -> Result<Explanation, ModelError> {
    let searched = host.seconds();
    let classes = Classes::new(&found, story);
    let asked = classes.asked(&request.asked);
    let mut explanation = telling::blank(&request);
    telling::search(&mut explanation, &found, &classes, &asked);
    explanation.statistics.search_seconds = Some(searched);
    if request.unreached && found.interrupt.is_none() {
        explanation.unreached = Some(story.unreached(&found.events).into_iter().map(telling::deed).collect());
    }
    let Some(mut target) = request.target(&asked)? else {
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
    match &request.events {
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
    if request.runs(Method::CorrectTransitions) {
        let trust = &request.trust;
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
    if request.others && request.violation.is_none() && request.events.is_none() && !request.past_others {
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
            if request.runs(Method::CorrectTransitions) && matched.is_some() {
                explanation.methods.correct_transitions = skipped(Skip::GivenLts(Method::CorrectTransitions));
            } else if request.runs(Method::CorrectTransitions) {
                let trust = &request.trust;
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

/// The report on an input that was not even read to its end.
pub fn unread(request: &Request, interrupt: Interrupt, host: &dyn Host) -> Explanation {
    let mut explanation = telling::blank(request);
    explanation.reason = Why::NotRead(interrupt).into();
    telling::cost(&mut explanation, host);
    explanation
}
