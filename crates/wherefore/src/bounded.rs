//! What a bounded search found, told as a report.
//!
//! The solver's inputs are never believed: the program was run with them, and the run is the counterexample.

use graph::{End, Interrupt, Progress, Story, System, Watch, Worker, Wrong};
use report::{Report, Verdict};
use search::{Ending, Replayed};

use crate::analysis::{Host, ModelRequest, NOTHING_TO_EXPLAIN, Request, skip_methods, skipped};
use crate::model_system::{detailed, explained};
use crate::sat_answers::{Runnable, SatAnswers};
use crate::{correct_transitions, telling, variations};

/// Why the methods are not run.
const NO_GRAPH: &str = "the SAT engine has no graph of the program's states";

/// What came of a bounded search.
#[derive(Debug)]
pub enum Finding {
    /// A run that ends in a violation.
    Trace(Replayed),
    /// One that a counterexample from elsewhere led to.
    Given(Replayed),
    Holds,
    /// Why nothing is known.
    Unknown(String),
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
    (finding, bound): (Finding, u64),
    answers: Option<SatAnswers<'_, '_, '_, R>>,
    wanted: &ModelRequest,
    request: &Request,
    host: &dyn Host,
) -> Report {
    let mut report = telling::blank(request);
    report.engine = "sat";
    report.bound = Some(bound);
    skip_methods(&mut report, request, NOTHING_TO_EXPLAIN);
    let (trace, choice) = match finding {
        Finding::Holds => {
            report.verdict = Verdict::Holds;
            report.statistics.complete = true;
            report.reason = format!("no run violates it, and none goes beyond the bound of {bound}");
            (None, telling::Choice::Solved)
        }
        Finding::Unknown(why) => {
            report.reason = why;
            (None, telling::Choice::Solved)
        }
        Finding::Trace(trace) => (Some(trace), telling::Choice::Solved),
        Finding::Given(trace) => (Some(trace), telling::Choice::Given),
    };
    if let Some(trace) = trace {
        skip_methods(&mut report, request, NO_GRAPH);
        tell_trace(&mut report, story, &trace, choice, wanted, request);
        if report.verdict == Verdict::Violated {
            host.known(&report);
        }
        if let Some(mut answers) = answers.filter(|_| report.counterexample.is_some()) {
            explain(&mut report, story, &trace, &mut answers, request, host);
        }
    }
    telling::cost(&mut report, host);
    report
}

/// What the methods make of a counterexample by asking the solver; each replaces why it was skipped.
fn explain<R: Runnable>(
    report: &mut Report,
    story: &impl Story,
    trace: &Replayed,
    answers: &mut SatAnswers<'_, '_, '_, R>,
    request: &Request,
    host: &dyn Host,
) {
    let wrong = wrong_at_end(story, trace);
    if let Some((trust, wrong)) = request.correct_transitions.as_ref().zip(wrong) {
        let started = host.seconds();
        let about = (&wrong, trace.events.len());
        match correct_transitions::of_runs(story, about, answers, trust, host) {
            Ok(found) => {
                let seconds = host.seconds() - started;
                let (is_whole, is_all) = (found.is_whole, found.is_all);
                correct_transitions::tell(report, vec![Ok(found.answer)], is_whole, is_all, seconds);
            }
            Err(stop) => report.methods.correct_transitions = skipped(stop.to_string()),
        }
    }
    if let Some(wanted) = &request.variations {
        let started = host.seconds();
        let found = variations::of_runs(story, trace, answers, (wanted, request), host);
        variations::put(report, found, host.seconds() - started);
    }
}

fn tell_trace(
    report: &mut Report,
    story: &impl Story,
    trace: &Replayed,
    choice: telling::Choice,
    wanted: &ModelRequest,
    request: &Request,
) {
    let Some(wrong) = wrong_at_end(story, trace).filter(|wrong| wanted.asked.covers(wrong)) else { return };
    let last = trace.events.last().zip(trace.states.iter().rev().nth(1));
    let told = match last {
        Some((event, state)) => explained(wrong.clone(), story, state, *event).text,
        None => wrong.text.clone(),
    };
    let location = wrong.location.map(telling::location);
    report.verdict = Verdict::Violated;
    report.reason = match &location {
        None => told.clone(),
        Some(location) => format!("{}:{}: {told}", location.file, location.line),
    };
    let length = trace.events.len() as u64;
    report.statistics.violations = 1;
    report.statistics.max_depth = length;
    report.explained = Some(1);
    report.violations = vec![report::Violation {
        id: 1,
        kind: wrong.kind.to_owned(),
        text: wrong.text,
        location,
        count: 1,
        shortest: length,
    }];
    let about = (wrong.kind, told);
    report.counterexample = Some(telling::replayed_counterexample(story, request, about, trace, choice));
}
