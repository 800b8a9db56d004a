//! What a bounded search found, told as a report.
//!
//! The solver's inputs are never believed: the program was run with them, and the run is the counterexample.

use findings::{Chosen, Engine, Explanation, Skip, Verdict, Why};
use graph::{End, Interrupt, Progress, Story, System, Watch, Worker, Wrong};
use search::{Ending, Replayed};

use crate::as_findings;
use crate::method::{FormulaCase, on_formula, skip_methods};
use crate::model_system::{detailed, explained};
use crate::named_patterns;
use crate::registry::Standard;
use crate::request::{Host, Request};
use crate::sat_answers::{Runnable, SatAnswers};

/// What came of a bounded search.
#[derive(Debug)]
pub enum BoundedAnswer {
    /// A run that ends in a violation.
    Trace(Replayed),
    /// One that a counterexample from elsewhere led to.
    Given(Replayed),
    Holds,
    /// It holds on all runs without a fault, but one ends in this one, which nobody asked about.
    FaultBefore(Wrong),
    /// Why nothing is known.
    Unknown(Why),
}

/// How long a single run may be, in bytes of all its states.
const LONGEST: usize = 1 << 30;

/// After how many steps of a run whoever watches is asked.
const STEPS: usize = 1 << 10;

/// Runs a system that has one step at most from every state, to its end.
pub fn run(system: &impl System, watch: &dyn Watch) -> Result<Replayed, Interrupt> {
    run_for(system, usize::MAX, watch)
}

/// Runs such a system to its end, or for so many steps.
pub fn run_for(system: &impl System, most: usize, watch: &dyn Watch) -> Result<Replayed, Interrupt> {
    let mut worker = system.worker();
    let mut trace = Replayed { states: Vec::new(), events: Vec::new(), ending: Ending::Fine };
    worker.initial(|state| trace.states.push(state.to_vec()));
    let mut bytes = 0;
    while let Some(state) = trace.states.last().filter(|_| trace.events.len() < most) {
        let mut next = None;
        worker.steps(state, |step| next = Some((step.event, step.state.to_vec(), step.violation)));
        let Some((event, state, violation)) = next else { break };
        bytes += state.len();
        if bytes > LONGEST {
            return Err(Interrupt::Memory);
        }
        if trace.events.len().is_multiple_of(STEPS) {
            let progress = Progress { phase: "replaying", work: STEPS as u64, ..Progress::default() };
            watch.pulse(progress)?;
        }
        trace.events.push(event);
        trace.states.push(state);
        if let Some(what) = violation {
            trace.ending = Ending::Wrong(what);
            return Ok(trace);
        }
    }
    if let Some(state) = trace.states.last()
        && worker.end(state) == End::Deadlock
    {
        trace.ending = Ending::Deadlock;
    }
    Ok(trace)
}

/// What is wrong at the end of a run, if anything is.
pub fn wrong_at_end(story: &impl Story, trace: &Replayed) -> Option<Wrong> {
    let Ending::Wrong(what) = trace.ending else { return None };
    let (event, state) = trace.events.last().zip(trace.states.iter().rev().nth(1))?;
    Some(detailed(story.wrong(*event, what), story, state, *event))
}

/// Reports on a bounded search; `bound` is how far it is known to have come. Methods ask their questions of
/// `answers`, if something was found.
pub fn analyse_bounded<R: Runnable>(
    story: &impl Story,
    answer: BoundedAnswer,
    bound: u64,
    answers: Option<SatAnswers<'_, '_, '_, R>>,
    request: &Request,
    host: &dyn Host,
) -> Explanation {
    let mut explanation = as_findings::blank(request);
    explanation.engine = Engine::Sat;
    explanation.bound = Some(bound);
    skip_methods::<Standard>(&mut explanation, request, &Skip::NothingToExplain);
    let (trace, choice) = match answer {
        BoundedAnswer::Holds => {
            explanation.verdict = Verdict::Holds;
            explanation.statistics.complete = true;
            explanation.reason = Why::WithinBound(bound).into();
            (None, Chosen::FirstFound)
        }
        BoundedAnswer::FaultBefore(wrong) => {
            explanation.statistics.complete = true;
            let fault = (as_findings::what(&wrong), wrong.location);
            explanation.reason = Why::FaultsBefore(vec![fault]).into();
            (None, Chosen::FirstFound)
        }
        BoundedAnswer::Unknown(why) => {
            explanation.reason = why.into();
            (None, Chosen::FirstFound)
        }
        BoundedAnswer::Trace(trace) => (Some(trace), Chosen::FirstFound),
        BoundedAnswer::Given(trace) => (Some(trace), Chosen::Given),
    };
    if let Some(trace) = trace {
        skip_methods::<Standard>(&mut explanation, request, &Skip::NoGraph);
        tell_trace(&mut explanation, story, &trace, choice, request);
        if explanation.verdict == Verdict::Violated {
            host.known(&explanation);
        }
        if let Some(wrong) = wrong_at_end(story, &trace).filter(|_| explanation.verdict == Verdict::Violated)
        {
            explanation.findings.extend(named_patterns::in_run(story, &trace, &wrong));
        }
        let told = explanation.counterexample.as_ref().map(|told| told.steps.clone());
        if let Some((mut answers, steps)) = answers.zip(told) {
            let wrong = wrong_at_end(story, &trace);
            let mut case = FormulaCase {
                story,
                trace: &trace,
                wrong: wrong.as_ref(),
                steps: &steps,
                answers: &mut answers,
                request,
                host,
            };
            on_formula::<Standard, _, _>(&mut explanation, &mut case);
        }
    }
    as_findings::cost(&mut explanation, host);
    explanation
}

fn tell_trace(
    explanation: &mut Explanation,
    story: &impl Story,
    trace: &Replayed,
    choice: Chosen,
    request: &Request,
) {
    let Some(wrong) = wrong_at_end(story, trace).filter(|wrong| request.asked.covers(wrong)) else { return };
    let last = trace.events.last().zip(trace.states.iter().rev().nth(1));
    let told = match last {
        Some((event, state)) => explained(wrong.clone(), story, state, *event),
        None => wrong.clone(),
    };
    explanation.verdict = Verdict::Violated;
    // The run is one of the program, however far it was unwound to find it.
    explanation.bound = None;
    explanation.reason =
        Why::Wrong { what: as_findings::what(&told), location: wrong.location.clone() }.into();
    let length = trace.events.len() as u64;
    explanation.statistics.violations = 1;
    explanation.statistics.max_depth = length;
    explanation.explained = Some(1);
    explanation.violations = vec![findings::Violation {
        id: 1,
        kind: wrong.kind,
        what: as_findings::what(&wrong),
        can_hold: wrong.can_hold,
        location: wrong.location,
        count: 1,
        shortest: length,
    }];
    explanation.counterexample =
        Some(as_findings::replayed_counterexample(story, request, &told, trace, choice));
}
