//! The queries of a program that was searched call by call.

use std::collections::BTreeMap;

use explain::correct_transitions::ByCalls;
use graph::{BitSet, Interrupt, NestedTrace, Story, Target};
use search::Summaries;

use super::{Answer, Names, Question, answer, labels_of_place};
use crate::analysis::Host;
use crate::model_system::Classes;
use crate::naming::parts_of;
use crate::summaries::Found;
use crate::telling;
use crate::trust::Trust;

/// The names of events, and the values of variables in one call.
struct OfCalls<'a, S> {
    found: &'a Summaries,
    story: &'a S,
}

impl<S: Story> Names for OfCalls<'_, S> {
    fn event(&self, label: u32) -> report::Event {
        let event = self.found.events[label as usize];
        let told = self.story.event(event);
        telling::told_event(self.story.label(event), Some(told))
    }

    fn values(&self, place: u32) -> BTreeMap<String, String> {
        self.story.values(self.found.state(place)).into_iter().collect()
    }
}

/// The queries of a program: what each class of violations checks, the one that is explained first.
pub(crate) struct CallQueries<'a> {
    pub(crate) classes: &'a Classes,
    /// All that is wrong.
    pub(crate) list: &'a [Found],
    pub(crate) asked: &'a [usize],
    pub(crate) target: usize,
    /// The counterexample of the class that is explained.
    pub(crate) first: Option<NestedTrace>,
    pub(crate) trust: &'a Trust,
}

/// Answers the queries of a program one by one. A deadlock has no check and no answer.
pub(crate) fn of_calls(
    found: &Summaries,
    story: &impl Story,
    queries: &CallQueries<'_>,
    host: &dyn Host,
) -> Vec<Result<Answer, Interrupt>> {
    let names = OfCalls { found, story };
    let labels = found.events.len();
    let parts = |label: u32| {
        let event = found.events[label as usize];
        let mut parts = parts_of(story.event(event), story.function(event));
        parts.push(story.label(event));
        parts
    };
    let trusted = queries.trust.labels(labels, parts);
    let others = queries.asked.iter().copied().filter(|class| *class != queries.target);
    let mut answers = Vec::new();
    for class in std::iter::once(queries.target).chain(others) {
        let wrong = &queries.classes.list[class].wrong;
        let Some(place) = &wrong.location else { continue };
        let told = |label: u32| Some(story.event(found.events[label as usize]));
        let ends = meeting(found, &labels_of_place(labels, place, told));
        let errors = queries.list.iter().filter(|found| found.class == class);
        let errors = errors.map(|found| (found.node, found.label)).collect();
        let question = Question {
            query: report::Query {
                location: Some(telling::location(place.clone())),
                check: wrong.text.clone(),
            },
            checks: true,
            first: queries.first.clone().filter(|_| class == queries.target),
            trusted: &trusted,
        };
        let engine = ByCalls::new(&found.graph, errors, ends, host);
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
