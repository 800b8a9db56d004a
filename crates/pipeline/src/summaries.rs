//! Reports on programs that were searched by summaries.
//!
//! A trace that was found call by call is gone again with all its frames before it is told, so what is told
//! is a trace of the program itself.

use findings::{Chosen, Explanation, Method, Note, Skip};
use graph::{BitSet, Interrupt, NestedTrace, Shortest, Story, System, Taken, Target};
use search::{Ending, Summaries, replay};

use crate::correct_transitions::{self, CallQueries, of_calls};
use crate::model_system::{Classes, deadlock, explained};
use crate::request::{Host, ModelError, Request};
use crate::skips::{skip_methods, skipped};
use crate::telling;

/// Nobody reads a longer trace, and it could be longer than any memory.
pub(crate) const LONGEST_TRACE: usize = 1 << 16;

/// Something wrong that was found: the node, and the label of the wrong step; none for a deadlock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) node: u32,
    pub(crate) label: Option<u32>,
    pub(crate) class: usize,
}

/// All that is wrong, class by class.
pub(crate) fn violations(
    found: &Summaries,
    shortest: Option<&Shortest<'_>>,
    story: &impl Story,
) -> (Classes, Vec<Found>) {
    let length = |node: u32| shortest.and_then(|shortest| shortest.to(node)).unwrap_or_default();
    let mut places: Vec<(u32, Option<(u32, u32)>)> =
        found.deadlocks.iter().map(|node| (*node, None)).collect();
    for node in 0..found.graph.node_count() as u32 {
        places.extend(found.graph.edges(node).iter().filter_map(|edge| match edge.target {
            Target::Wrong(what) => Some((node, Some((edge.label, what)))),
            _ => None,
        }));
    }
    let parts = places.iter().map(|(node, wrong)| match wrong {
        None => (None, 1, length(*node)),
        Some((label, what)) => (Some((found.events[*label as usize], *what)), 1, length(*node) + 1),
    });
    let classes = Classes::of_parts(parts, story);
    let of = places.iter().zip(&classes.of);
    let list = of.map(|((node, wrong), class)| Found {
        node: *node,
        label: wrong.map(|(label, _)| label),
        class: *class,
    });
    let list = list.collect();
    (classes, list)
}

/// Reports on a program after its search.
pub fn analyse_summaries(
    system: &impl System,
    found: &Summaries,
    story: &impl Story,
    mut request: Request,
    host: &dyn Host,
) -> Result<Explanation, ModelError> {
    let searched = host.seconds();
    request.input.size = Some(findings::GraphSize {
        states: found.graph.node_count() as u64,
        transitions: found.graph.edge_count() as u64,
        labels: found.events.len() as u64,
    });
    let nothing = BitSet::new(found.events.len());
    let shortest = Shortest::new(&found.graph, &nothing, host);
    let shortest = shortest.as_ref().ok();
    let (classes, list) = violations(found, shortest, story);
    let asked = classes.asked(&request.asked);
    let interrupt = found.interrupt.or_else(|| obstacle(found, story));
    let farthest = |shortest: &Shortest<'_>| {
        (0..found.graph.node_count() as u32).filter_map(|node| shortest.to(node)).max().unwrap_or_default()
    };
    let mut explanation = telling::blank(&request);
    let max_depth = shortest.map_or(0, farthest);
    explanation.statistics.search_seconds = Some(searched);
    telling::summaries(&mut explanation, found, interrupt, max_depth, (&classes, &asked));
    if request.unreached && interrupt.is_none() {
        explanation.unreached = Some(story.unreached(&found.events).into_iter().map(telling::deed).collect());
    }
    skip_methods(&mut explanation, &request, &Skip::NothingToExplain);
    let Some(target) = request.target(&asked)? else {
        telling::cost(&mut explanation, host);
        return Ok(explanation);
    };
    telling::explained(&mut explanation, &asked, &classes, target);
    let nearest = shortest.and_then(|shortest| {
        let of_class = list.iter().filter(|found| found.class == target);
        let nearest = of_class.min_by_key(|found| shortest.to(found.node))?;
        shortest.trace(nearest.node, nearest.label, LONGEST_TRACE)
    });
    let told = nearest.as_ref().and_then(|trace| counterexample(system, found, story, &request, trace));
    if told.is_none() {
        explanation.reason.notes.push(Note::NoShortTrace);
    }
    explanation.counterexample = told;
    let reason = |method: Method| if request.runs(method) { Skip::NoStates } else { Skip::NotAsked };
    explanation.methods.neighbourhoods = skipped(reason(Method::Neighbourhoods));
    explanation.methods.anomalies = skipped(reason(Method::Anomalies));
    explanation.methods.correct_transitions = skipped(Skip::NotAsked);
    if request.runs(Method::CorrectTransitions) {
        let trust = &request.trust;
        let queries =
            CallQueries { classes: &classes, list: &list, asked: &asked, target, first: nearest, trust };
        let started = host.seconds();
        let answers = of_calls(found, story, &queries, host);
        let seconds = host.seconds() - started;
        let all_queries = answers.len() == asked.len();
        let (outcome, findings) =
            correct_transitions::all(answers, interrupt.is_none(), all_queries, seconds);
        explanation.methods.correct_transitions = Some(outcome);
        explanation.findings.extend(findings);
    }
    explanation.methods.variations = skipped(reason(Method::Variations));
    telling::cost(&mut explanation, host);
    Ok(explanation)
}

/// What kept the search from being complete.
fn obstacle(found: &Summaries, story: &impl Story) -> Option<Interrupt> {
    let untold = found.untold?;
    let line = story.event(untold.event).deed.location.map_or(0, |location| location.line);
    Some(Interrupt::Stuck(untold.reason, line))
}

/// A trace gone again with all its frames, and told with its calls.
fn counterexample(
    system: &impl System,
    found: &Summaries,
    story: &impl Story,
    request: &Request,
    trace: &NestedTrace,
) -> Option<findings::Counterexample> {
    let events: Vec<u64> = trace.steps.iter().map(|step| found.events[step.label as usize]).collect();
    let gone = replay(system, events.len(), |at, event| events[at] == event);
    let wrong = match (&gone.ending, events.last()) {
        (Ending::Deadlock, _) => deadlock(),
        (Ending::Wrong(what), Some(event)) => {
            let before = gone.states.iter().rev().nth(1)?;
            explained(story.wrong(*event, *what), story, before, *event)
        }
        _ => return None,
    };
    let mut told = telling::replayed_counterexample(story, request, &wrong, &gone, Chosen::Shortest);
    let mut depth = 0;
    for (step, taken) in told.steps.iter_mut().zip(&trace.steps) {
        step.depth = Some(depth);
        match taken.taken {
            Taken::Call => depth += 1,
            Taken::Return => depth = depth.saturating_sub(1),
            Taken::Onward | Taken::Wrong => {}
        }
    }
    Some(told)
}
