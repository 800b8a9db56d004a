//! Correct transitions found call by call are those of the states with all their calls, on random programs.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cfront::{Model, Narrator, Options};
use explain::correct_transitions::{ByCalls, Correct, Coverage, Engine, Explicit, Query, localise};
use explain::recheck::{Goal, Recheck, RecheckLimits};
use graph::{
    BitSet, Checked, Exploration, Fairness, Followed, Marks, OUTSIDE, Story, Target, Transitions, Unwatched,
    WrongStep, follow,
};
use preprocess::NoFiles;
use search::{Explored, Limits, Summaries, Violation, summarise};
use testkit::random::{Random, for_random_inputs};
use testkit::random_calls::random_calls;

/// The statement of an event, whatever its inputs were.
type Place = (String, u64, u64);

fn place(story: &Narrator<'_>, event: u64) -> Place {
    let location = story.event(event).deed.location.unwrap();
    (location.file, location.line, location.column)
}

/// What was found of one program, both ways.
struct Both<'a> {
    story: &'a Narrator<'a>,
    summaries: &'a Summaries,
    explored_events: &'a [u64],
    checked: &'a Checked,
}

/// What a comparison came to.
#[derive(Default)]
struct Tally {
    queries: u32,
    causes: u32,
    unexplained: u32,
    inside: u32,
}

impl Both<'_> {
    /// The states from which the check passes.
    fn state_ends(&self, check: &Place) -> BitSet {
        let mut ends = BitSet::new(self.checked.bound());
        for state in 0..self.checked.bound() as u32 {
            self.checked.successors(state, |label, target| {
                let passes = target != OUTSIDE && !self.checked.is_violating(target);
                if passes && place(self.story, self.explored_events[label as usize]) == *check {
                    ends.insert(state);
                }
            });
        }
        ends
    }

    fn node_ends(&self, check: &Place) -> BitSet {
        let graph = &self.summaries.graph;
        let mut ends = BitSet::new(graph.node_count());
        for node in 0..graph.node_count() as u32 {
            let passes = |target| !matches!(target, Target::Wrong(_));
            let is_check = |label: u32| place(self.story, self.summaries.events[label as usize]) == *check;
            if graph.edges(node).iter().any(|edge| passes(edge.target) && is_check(edge.label)) {
                ends.insert(node);
            }
        }
        ends
    }

    fn compare(
        &self,
        class: u32,
        check: &Place,
        errors: Vec<(u32, Option<u32>)>,
        random: &mut Random,
    ) -> Tally {
        let explored = Exploration::new(self.checked, u64::MAX, &Unwatched);
        if explored.violating().is_empty() {
            return Tally::default();
        }
        let labels = self.explored_events.len();
        let ends = self.state_ends(check);
        let correct = Correct::new(self.checked, labels, &explored, &ends, &Unwatched).unwrap();
        let look = RecheckLimits { fairness: Fairness::None, max_states: usize::MAX, watch: &Unwatched };
        let is_end = |state| ends.contains(state);
        let mut whole = Explicit::new(self.checked, &explored, &correct, &ends, Goal::State(&is_end), look);
        let graph = &self.summaries.graph;
        let mut calls = ByCalls::new(graph, errors, self.node_ends(check), &Unwatched).unwrap();
        let number: BTreeMap<u64, u32> = self.explored_events.iter().copied().zip(0..).collect();
        let other = |label: u32| number[&self.summaries.events[label as usize]];

        // The labels of correct transitions, and those of rechecks.
        let all: Vec<u32> = (0..self.summaries.events.len() as u32).collect();
        for label in &all {
            assert_eq!(calls.takes(*label), whole.takes(other(*label)), "class {class}");
        }
        let mut visited = BTreeSet::new();
        calls.visits(&mut |label, _| _ = visited.insert(label));
        assert_eq!(visited, all.iter().copied().filter(|label| calls.takes(*label)).collect());
        for label in all.iter().filter(|_| random.percent(30)) {
            let again = calls.recheck(&|_, taken| taken == *label);
            assert_eq!(again, whole.recheck(&|_, taken| taken == other(*label)));
            assert!(again == Recheck::Refuted || !calls.takes(*label));
        }

        // The same traces, told both ways.
        let trusted = BitSet::new(labels);
        let guards = |_, _| false;
        let query =
            Query { last_step_checks: true, guards: &guards, first: None, trusted: &trusted, max_traces: 20 };
        let found = localise(&mut calls, query).unwrap();
        let mut halted = BitSet::new(labels);
        let mut tally = Tally { queries: 1, ..Tally::default() };
        for error in &found.traces {
            let shortest = whole.error_trace(&halted).unwrap().expect("an error trace");
            assert_eq!(shortest.steps.len(), error.labels.len());
            let same: Vec<u32> = error.labels.iter().map(|label| other(*label)).collect();
            let Followed::Violating(trace) = follow(self.checked, &same, |_| false) else {
                panic!("no trace of the program")
            };
            assert_eq!(error.common, whole.led_on(&trace));
            if let Some(common) = error.common {
                let way = calls.way_on(&error.trace, common, None).unwrap();
                assert_eq!(Some(way.len()), whole.way_on(&trace, common, None).map(|way| way.len()));
                for label in &way {
                    let one = calls.way_on(&error.trace, common, Some(*label));
                    let two = whole.way_on(&trace, common, Some(other(*label)));
                    assert_eq!(one.map(|way| way.len()), two.map(|way| way.len()));
                }
            }
            for step in &error.causes {
                halted.insert(same[*step]);
                tally.causes += 1;
            }
            tally.inside +=
                u32::from(error.trace.steps.iter().any(|step| step.taken == graph::Taken::Return));
        }
        match found.coverage {
            Coverage::All => assert!(whole.error_trace(&halted).unwrap().is_none()),
            Coverage::Unexplained => tally.unexplained += 1,
            Coverage::Limited => {}
        }
        tally
    }
}

/// The graph of all states, with the violations of one statement as targets.
fn checked(
    story: &Narrator<'_>,
    found: &Explored,
    graph: graph::StateGraph,
    classes: &[(Place, u32)],
) -> Checked {
    let wrong = found.violations.iter().map(|violation| {
        let Violation::Step { state, edge, what } = violation else { panic!("a deadlock") };
        let class = (place(story, found.events[edge.label as usize]), *what);
        let class = classes.iter().position(|known| *known == class).unwrap() as u32;
        WrongStep { source: *state, edge: *edge, class }
    });
    let marks = Marks { classes: classes.len() as u32, wrong: wrong.collect(), ..Marks::default() };
    Checked::new(graph, marks)
}

#[test]
fn call_by_call_is_as_with_all_calls() {
    let mut sum = Tally::default();
    for_random_inputs(400, |random| {
        let fuel = random.between(1, 3);
        let text = random_calls(random, Some(fuel));
        let reading = Model::read(&NoFiles, Path::new("t.c"), &text, &Options::default(), None);
        let model = reading.model.expect("a program");
        let story = Narrator::new(&model);
        let summaries = summarise(&model, u64::MAX, &Unwatched);
        let limits = Limits { max_states: 3_000, ..Limits::default() };
        let mut found = search::explore(&model, limits, &Unwatched).unwrap();
        if found.interrupt.is_some() || found.violations.is_empty() {
            return;
        }
        let mut classes: Vec<(Place, u32)> = Vec::new();
        for violation in &found.violations {
            let Violation::Step { edge, what, .. } = violation else { panic!("a deadlock") };
            let class = (place(&story, found.events[edge.label as usize]), *what);
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        let graph = std::mem::take(&mut found.graph);
        let mut whole = checked(&story, &found, graph, &classes);
        for (class, (check, what)) in classes.iter().enumerate() {
            whole.aim(|aimed| aimed == Some(class as u32));
            let mut errors = Vec::new();
            for node in 0..summaries.graph.node_count() as u32 {
                errors.extend(summaries.graph.edges(node).iter().filter_map(|edge| {
                    let is_it = edge.target == Target::Wrong(*what)
                        && place(&story, summaries.events[edge.label as usize]) == *check;
                    is_it.then_some((node, Some(edge.label)))
                }));
            }
            let both = Both {
                story: &story,
                summaries: &summaries,
                explored_events: &found.events,
                checked: &whole,
            };
            let tally = both.compare(class as u32, check, errors, random);
            sum.queries += tally.queries;
            sum.causes += tally.causes;
            sum.unexplained += tally.unexplained;
            sum.inside += tally.inside;
        }
    });
    let Tally { queries, causes, unexplained, inside } = sum;
    assert!(
        queries > 40 && causes > 30 && unexplained > 10 && inside > 20,
        "{queries} {causes} {unexplained} {inside}"
    );
}
