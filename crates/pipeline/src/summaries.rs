//! Reports on programs that were searched by summaries.
//!
//! A trace that was found call by call is gone again with all its frames before it is told, so what is told
//! is a trace of the program itself.

use findings::{Chosen, Explanation, Note, Skip};
use graph::{BitSet, Interrupt, NestedTrace, Shortest, Story, System, Taken, Wrong};
use search::{Ending, Replayed, Summaries, replay};

use crate::as_findings;
use crate::call_violations::violations;
use crate::method::{CallCase, on_calls, skip_methods};
use crate::model_system::{deadlock, explained};
use crate::named_patterns;
use crate::registry::Standard;
use crate::request::{Host, ModelError, Request};

/// Nobody reads a longer trace, and it could be longer than any memory.
pub(crate) const LONGEST_TRACE: usize = 1 << 16;

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
    let mut explanation = as_findings::blank(&request);
    let max_depth = shortest.map_or(0, farthest);
    explanation.statistics.search_seconds = Some(searched);
    as_findings::summaries(&mut explanation, found, interrupt, max_depth, &classes, &asked);
    if request.unreached && interrupt.is_none() {
        explanation.unreached =
            Some(story.unreached(&found.events).into_iter().map(as_findings::deed).collect());
    }
    skip_methods::<Standard>(&mut explanation, &request, &Skip::NothingToExplain);
    let Some(target) = request.target(&asked)? else {
        as_findings::cost(&mut explanation, host);
        return Ok(explanation);
    };
    as_findings::explained(&mut explanation, &asked, &classes, target);
    let nearest = shortest.and_then(|shortest| {
        let of_class = list.iter().filter(|found| found.class == target);
        let nearest = of_class.min_by_key(|found| shortest.to(found.node))?;
        shortest.trace(nearest.node, nearest.label, LONGEST_TRACE)
    });
    let told = nearest.as_ref().and_then(|trace| counterexample(system, found, story, &request, trace));
    match told {
        None => explanation.reason.notes.push(Note::NoShortTrace),
        Some((told, gone, wrong)) => {
            explanation.counterexample = Some(told);
            if request.explains() {
                explanation.findings.extend(named_patterns::in_run(story, &gone, &wrong));
            }
        }
    }
    let case = CallCase {
        found,
        story,
        classes: &classes,
        list: &list,
        asked: &asked,
        target,
        first: nearest.as_ref(),
        is_complete: interrupt.is_none(),
        request: &request,
        host,
    };
    on_calls::<Standard, _>(&mut explanation, &case);
    as_findings::cost(&mut explanation, host);
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
) -> Option<(findings::Counterexample, Replayed, Wrong)> {
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
    let mut told = as_findings::replayed_counterexample(story, request, &wrong, &gone, Chosen::Shortest);
    let mut depth = 0;
    for (step, taken) in told.steps.iter_mut().zip(&trace.steps) {
        step.depth = Some(depth);
        match taken.taken {
            Taken::Call => depth += 1,
            Taken::Return => depth = depth.saturating_sub(1),
            Taken::Onward | Taken::Wrong => {}
        }
    }
    Some((told, gone, wrong))
}
