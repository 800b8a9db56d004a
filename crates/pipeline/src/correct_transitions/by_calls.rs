//! The queries of a program that was searched call by call.

use std::collections::BTreeMap;

use explain::correct_transitions::ByCalls;
use findings::Correct;
use graph::{BitSet, Interrupt, Outline, Story, Target};
use search::Summaries;

use super::{Names, OfQuery, Places, Question, answer};
use crate::as_findings;
use crate::method::CallCase;
use crate::naming::parts_of;

/// The names of events, and the values of variables in one call.
struct OfCalls<'a, S> {
    found: &'a Summaries,
    story: &'a S,
}

impl<S: Story> Names for OfCalls<'_, S> {
    fn event(&self, label: u32) -> findings::Event {
        let event = self.found.events[label as usize];
        let told = self.story.event(event);
        as_findings::told_event(self.story.label(event), Some(told))
    }

    fn steers(&self, label: u32) -> bool {
        self.story.steers(self.found.events[label as usize])
    }

    fn values(&self, place: u32) -> BTreeMap<String, String> {
        self.story.values(self.found.state(place)).into_iter().collect()
    }

    fn bytes(&self, place: u32) -> Option<&[u8]> {
        Some(self.found.state(place))
    }

    fn outline(&self, state: &[u8]) -> Outline {
        self.story.outline(state)
    }
}

/// Answers the queries of a program one by one. For a deadlock, and for a check that nothing meets, a correct trace is
/// one that passes.
pub(super) fn of_calls<S: Story>(case: &CallCase<'_, S>) -> Vec<Result<OfQuery, Interrupt>> {
    let CallCase { found, story, classes, asked, target, .. } = *case;
    let names = OfCalls { found, story };
    let labels = found.events.len();
    let parts = |label: u32| {
        let event = found.events[label as usize];
        let mut parts = parts_of(story.event(event), story.function(event));
        parts.push(story.label(event));
        parts
    };
    let trusted = case.request.trust.labels(labels, parts);
    let others = asked.iter().copied().filter(|class| *class != target);
    let places = Places::new(labels, |label| Some(story.event(found.events[label as usize])));
    let mut answers = Vec::new();
    for class in std::iter::once(target).chain(others) {
        let wrong = &classes.list[class].wrong;
        let met = wrong.location.as_ref().map(|place| meeting(found, &places.labels_at(place)));
        let (correct, ends) = match met.filter(|ends| ends.iter().next().is_some()) {
            Some(ends) => (Correct::MeetsCheck, ends),
            None => (Correct::Passes, passing(found)),
        };
        let errors = case.list.iter().filter(|found| found.class == class);
        let errors = errors.map(|found| (found.node, found.label)).collect();
        let question = Question {
            query: findings::Query {
                location: wrong.location.clone(),
                check: as_findings::what(wrong).into(),
            },
            correct,
            first: case.first.filter(|_| class == target).cloned(),
            trusted: &trusted,
        };
        let engine = ByCalls::new(&found.graph, errors, ends, case.host);
        answers.push(engine.and_then(|mut engine| answer(&mut engine, &names, question)));
    }
    answers
}

/// The nodes from which a step with one of these labels violates nothing.
fn meeting(found: &Summaries, checks: &BitSet) -> BitSet {
    let mut ends = BitSet::new(found.graph.node_count());
    for node in 0..found.graph.node_count() as u32 {
        let meets = found.graph.edges(node).iter().any(|edge| {
            checks.contains(edge.label) && !matches!(edge.target, Target::Wrong(_) | Target::Over { .. })
        });
        if meets {
            ends.insert(node);
        }
    }
    ends
}

/// The nodes where the program ends properly, or from which it can go on for ever: those are left when nodes without
/// a step to another one are thrown out until none is without.
fn passing(found: &Summaries) -> BitSet {
    let graph = &found.graph;
    let nodes = graph.node_count() as u32;
    let mut ends = BitSet::new(graph.node_count());
    let leads = |target: &Target| !matches!(target, Target::Exit(_) | Target::Wrong(_));
    let mut left: Vec<u32> = Vec::new();
    let mut stuck: Vec<u32> = Vec::new();
    for node in 0..nodes {
        let onward = graph.edges(node).iter().filter(|edge| leads(&edge.target)).count() as u32;
        left.push(onward);
        if onward == 0 {
            stuck.push(node);
        }
        let leaves_program = |target: &Target| matches!(target, Target::Exit(_)) && graph.entry_of(node) == 0;
        let is_over = graph.edges(node).is_empty() && found.deadlocks.binary_search(&node).is_err();
        if is_over || graph.edges(node).iter().any(|edge| leaves_program(&edge.target)) {
            ends.insert(node);
        }
    }
    while let Some(node) = stuck.pop() {
        let entry = graph.entry_of(node);
        let callers = if graph.start(entry) == node { graph.callers(entry) } else { &[] };
        for arrival in graph.arrivals(node).iter().chain(callers) {
            let left = &mut left[arrival.source as usize];
            *left -= 1;
            if *left == 0 {
                stuck.push(arrival.source);
            }
        }
    }
    for node in (0..nodes).filter(|node| left[*node as usize] > 0) {
        ends.insert(node);
    }
    ends
}
