//! Correct transitions found by a solver are those of the graph of all states, on random programs.
//!
//! An event of the graph names the inputs of its step, and one of the formula does not; so labels are compared
//! without them.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cfront::{Model, Narrator, Options};
use encode::arrivals::{Arrivals, Asked};
use encode::solver::Solver;
use encode::unwind::{At, Duty, Unwinder};
use explain::correct_transitions::{Coverage, Query, SecondLook, Solved, localise};
use graph::{BitSet, Checked, Marks, OUTSIDE, Story, Transitions, Unwatched, WrongStep};
use model::Fault;
use preprocess::NoFiles;
use search::{Explored, Limits, Violation};
use testkit::random::{Random, for_random_inputs};
use testkit::random_calls::random_calls;

/// Where a statement stands.
type Place = (u64, u64);

fn place(story: &Narrator<'_>, event: u64) -> Place {
    let location = story.event(event).deed.location.unwrap();
    (location.line, location.column)
}

/// An event without its inputs.
fn name(story: &Narrator<'_>, event: u64) -> String {
    let label = story.label(event);
    label.rsplit_once(" gave ").map_or(label.clone(), |(name, _)| name.to_owned())
}

fn number(duty: Duty) -> Option<u32> {
    match duty {
        Duty::Failure(failure) => Some(Model::violation_of(failure)),
        _ => duty.fault().map(Fault::kind),
    }
}

/// A program, all of its states, and what is wrong with it.
struct Whole<'a> {
    model: &'a Model,
    story: &'a Narrator<'a>,
    /// The names of the graph's labels.
    names: Vec<String>,
    events: Vec<u64>,
    checked: Checked,
    classes: Vec<(Place, u32)>,
}

impl<'a> Whole<'a> {
    fn new(model: &'a Model, story: &'a Narrator<'a>, found: Explored) -> Self {
        let Explored { graph, events, violations, .. } = found;
        let mut classes: Vec<(Place, u32)> = Vec::new();
        let mut wrong = Vec::new();
        for violation in &violations {
            let Violation::Step { state, edge, what } = violation else { panic!("a deadlock") };
            let class = (place(story, events[edge.label as usize]), *what);
            let known = classes.iter().position(|known| *known == class);
            let class = known.unwrap_or_else(|| {
                classes.push(class);
                classes.len() - 1
            });
            wrong.push(WrongStep { source: *state, edge: *edge, class: class as u32 });
        }
        let marks = Marks { classes: classes.len() as u32, wrong, ..Marks::default() };
        let names = events.iter().map(|event| name(story, *event)).collect();
        Self { model, story, names, events, checked: Checked::new(graph, marks), classes }
    }

    /// The steps from a state that violate nothing.
    fn steps(&self, state: u32) -> Vec<(u32, u32)> {
        let mut steps = Vec::new();
        if !self.checked.is_violating(state) {
            self.checked.successors(state, |label, target| {
                if target != OUTSIDE && !self.checked.is_violating(target) {
                    steps.push((label, target));
                }
            });
        }
        steps
    }

    /// The states that the place can be passed from, by the definition.
    fn meeting(&self, check: Place) -> BTreeSet<u32> {
        let is_check = |label: u32| place(self.story, self.events[label as usize]) == check;
        let meets = |state: &u32| self.steps(*state).iter().any(|(label, _)| is_check(*label));
        (0..self.checked.bound() as u32).filter(meets).collect()
    }

    /// The states in which the program has ended properly.
    fn over(&self) -> BTreeSet<u32> {
        let is_over = |state: &u32| !self.checked.is_violating(*state) && self.checked.degree(*state) == 0;
        (0..self.checked.bound() as u32).filter(is_over).collect()
    }

    /// All states that lead to ends without violation.
    fn leading(&self, ends: &BTreeSet<u32>) -> BTreeSet<u32> {
        let states = 0..self.checked.bound() as u32;
        let mut leading = ends.clone();
        loop {
            let more: Vec<u32> = states
                .clone()
                .filter(|state| !leading.contains(state))
                .filter(|state| self.steps(*state).iter().any(|(_, target)| leading.contains(target)))
                .collect();
            if more.is_empty() {
                return leading;
            }
            leading.extend(more);
        }
    }

    /// The names of the steps on correct traces.
    fn correct(&self, leading: &BTreeSet<u32>) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        for state in leading.iter().filter(|state| !self.checked.is_violating(**state)) {
            self.checked.successors(*state, |label, target| {
                if leading.contains(&target) {
                    names.insert(self.names[label as usize].as_str());
                }
            });
        }
        names
    }

    /// Where traces can be that do steps of these names, before each of them and at the end.
    fn follow(&self, names: &[&str]) -> Vec<BTreeSet<u32>> {
        let mut at: Vec<BTreeSet<u32>> = vec![self.checked.initial().into_iter().collect()];
        for name in names {
            let mut next = BTreeSet::new();
            for state in at.last().unwrap().iter().filter(|state| !self.checked.is_violating(**state)) {
                self.checked.successors(*state, |label, target| {
                    if self.names[label as usize] == *name {
                        next.insert(target);
                    }
                });
            }
            at.push(next);
        }
        at
    }

    /// Whether the ends can be reached from a state without steps of a name.
    fn reaches(&self, from: u32, ends: &BTreeSet<u32>, without: &str) -> bool {
        let mut seen = BTreeSet::from([from]);
        let mut waiting = vec![from];
        while let Some(state) = waiting.pop() {
            if ends.contains(&state) {
                return true;
            }
            if self.checked.is_violating(state) {
                continue;
            }
            self.checked.successors(state, |label, target| {
                if target != OUTSIDE && self.names[label as usize] != without && seen.insert(target) {
                    waiting.push(target);
                }
            });
        }
        false
    }
}

#[derive(Debug, Default)]
struct Tally {
    queries: u32,
    causes: u32,
    unexplained: u32,
    ways: u32,
    passing: u32,
}

/// Compares what the solver says of one class with the definition on the graph, if the bound is large enough.
fn compare(whole: &Whole<'_>, class: usize, bound: u32, tally: &mut Tally) {
    let (model, story) = (whole.model, whole.story);
    let (check, what) = whole.classes[class];
    let mut events: Vec<u64> = Vec::new();
    let labels: Vec<Vec<u32>> = (0..)
        .zip(&model.program().functions)
        .map(|(function, of)| {
            let edges = (0..of.edges.len() as u32).map(|edge| {
                let event = model.event_at(function, edge).unwrap();
                let known = events.iter().position(|known| *known == event);
                known.unwrap_or_else(|| {
                    events.push(event);
                    events.len() - 1
                }) as u32
            });
            edges.collect()
        })
        .collect();
    let goals: Vec<bool> = events.iter().map(|event| place(story, *event) == check).collect();
    let is_failure = |at: At, duty: Duty| {
        let event = model.event_at(at.function, at.edge).unwrap();
        place(story, event) == check && number(duty) == Some(what)
    };
    let asked = Asked { labels: &labels, goals: Some(&goals), failures: is_failure };
    let mut unwinder = Unwinder::new(model.program(), Solver::new(&Unwatched));
    let unwinding = unwinder.unwind(bound).unwrap();
    let mut arrivals = Arrivals::new(&mut unwinder, &unwinding, &asked);
    if !arrivals.is_whole().unwrap() {
        return;
    }
    let names: Vec<String> = events.iter().map(|event| name(story, *event)).collect();
    let told = |label: u32| names[label as usize].as_str();
    drop(arrivals);
    // Where correct runs are those that pass.
    let mut passing = Arrivals::new(&mut unwinder, &unwinding, &Asked { goals: None, ..asked });
    let on_passing = whole.leading(&whole.over());
    let correct = whole.correct(&on_passing);
    let passes = whole.checked.initial().iter().any(|state| on_passing.contains(state));
    assert_eq!(passing.is_any_correct().unwrap(), passes);
    for label in 0..names.len() as u32 {
        assert_eq!(passing.takes(label).unwrap(), correct.contains(told(label)), "{}", told(label));
        tally.passing += u32::from(correct.contains(told(label)));
    }
    drop(passing);
    let mut arrivals = Arrivals::new(&mut unwinder, &unwinding, &asked);
    let ends = whole.meeting(check);
    let leading = whole.leading(&ends);
    let correct = whole.correct(&leading);
    let is_met = whole.checked.initial().iter().any(|state| leading.contains(state));
    assert_eq!(arrivals.is_any_correct().unwrap(), is_met);
    for label in 0..names.len() as u32 {
        assert_eq!(arrivals.takes(label).unwrap(), correct.contains(told(label)), "{}", told(label));
    }
    // Every error trace is one of the graph, and parts from all correct ones where it does there.
    let (query, again) = (
        Query {
            last_step_checks: true,
            guards: &|_, _| false,
            first: None,
            trusted: &BitSet::new(names.len()),
            max_traces: 20,
        },
        SecondLook { is_taken: true, is_correct: false, is_any_correct: true },
    );
    let mut engine = Solved::new(arrivals, move |_| Ok(again));
    let found = localise(&mut engine, query).unwrap();
    assert_eq!(engine.stopped(), None);
    tally.queries += 1;
    for error in &found.traces {
        let trace: Vec<&str> = error.labels.iter().map(|label| told(*label)).collect();
        let at = whole.follow(&trace);
        let failing =
            at.last().unwrap().iter().filter(|state| whole.checked.class(**state) == Some(class as u32));
        assert!(failing.count() > 0, "no trace of the program: {trace:?}");
        let leads = |states: &&BTreeSet<u32>| states.iter().any(|state| leading.contains(state));
        let possible = at.iter().take_while(leads).count().checked_sub(1);
        let is_certain = at.iter().rev().skip(1).all(|states| states.len() == 1);
        assert!(error.common <= possible);
        tally.causes += error.causes.len() as u32;
        // Other inputs can make other states of the same steps.
        let Some(common) = possible.filter(|_| is_certain) else { continue };
        assert_eq!(error.common, possible, "{trace:?}");
        let from = *at[common].first().unwrap();
        let way = engine_way(&engine, error, common, None).expect("a correct trace");
        for label in way {
            let without = engine_way(&engine, error, common, Some(label));
            assert_eq!(without.is_some(), whole.reaches(from, &ends, told(label)), "{}", told(label));
            assert!(without.is_none_or(|way| !way.contains(&label)));
            tally.ways += 1;
        }
    }
    let halted: BTreeMap<&str, bool> =
        (0..names.len() as u32).map(|label| (told(label), found.halted.contains(label))).collect();
    match found.coverage {
        Coverage::All => {
            let mut seen: BTreeSet<u32> = whole.checked.initial().into_iter().collect();
            let mut waiting: Vec<u32> = seen.iter().copied().collect();
            while let Some(state) = waiting.pop() {
                assert_ne!(whole.checked.class(state), Some(class as u32), "an error trace is left");
                if whole.checked.is_violating(state) {
                    continue;
                }
                whole.checked.successors(state, |label, target| {
                    let name = whole.names[label as usize].as_str();
                    if target != OUTSIDE
                        && !halted.get(name).is_some_and(|halted| *halted)
                        && seen.insert(target)
                    {
                        waiting.push(target);
                    }
                });
            }
        }
        Coverage::Unexplained => tally.unexplained += 1,
        Coverage::Limited => {}
    }
}

fn engine_way(
    engine: &Solved<'_, '_, '_>,
    error: &explain::correct_transitions::ErrorTrace<encode::arrivals::FailingRun>,
    after: usize,
    without: Option<u32>,
) -> Option<Vec<u32>> {
    explain::correct_transitions::Engine::way_on(engine, &error.trace, after, without)
}

/// Programs that fail, and about which the solver answers at once.
const QUICK: std::ops::Range<u64> = 0..700;

#[test]
fn a_solver_answers_as_the_graph_does_on_random_programs() {
    let mut tally = Tally::default();
    let mut one = |random: &mut Random| {
        let fuel = random.between(1, 2);
        let text = random_calls(random, Some(fuel));
        let reading = Model::read(&NoFiles, Path::new("t.c"), &text, &Options::default(), None);
        let model = reading.model.expect("a program");
        let story = Narrator::new(&model);
        let limits = Limits { max_states: 600, ..Limits::default() };
        let found = search::explore(&model, limits, &Unwatched).unwrap();
        if found.interrupt.is_some() || found.violations.is_empty() {
            return;
        }
        let whole = Whole::new(&model, &story, found);
        for class in 0..whole.classes.len() {
            compare(&whole, class, 4, &mut tally);
        }
    };
    // Some programs keep the solver busy for minutes, so any at all are compared only on request.
    let is_slow = std::env::var_os("WHEREFORE_SLOW").is_some();
    if is_slow {
        for_random_inputs(250, &mut one);
    } else {
        for seed in QUICK {
            one(&mut Random::new(seed));
        }
    }
    let Tally { queries, causes, unexplained, ways, passing } = tally;
    let enough = [16, 11, 4, 11, 50];
    let found = [queries, causes, unexplained, ways, passing];
    assert!(found.iter().zip(enough).all(|(found, enough)| *found >= enough), "{found:?}");
}

#[test]
fn a_claim_about_correct_runs_is_refuted_where_there_are_none() {
    let text = "extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    int x = 1;
    if (__VERIFIER_nondet_bool())
        reach_error();
    return x;
}
";
    let reading = Model::read(&NoFiles, Path::new("t.c"), text, &Options::default(), None);
    let model = reading.model.expect("a program");
    let story = Narrator::new(&model);
    let edges = &model.program().functions[model.program().entry.0 as usize].edges;
    let entry = model.program().entry.0;
    let events: Vec<u64> = (0..edges.len() as u32).map(|edge| model.event_at(entry, edge).unwrap()).collect();
    let labels: Vec<Vec<u32>> = (0..)
        .zip(&model.program().functions)
        .map(|(function, of): (u32, _)| {
            let labels = 0..of.edges.len() as u32;
            if function == entry { labels.collect() } else { labels.map(|_| 0).collect() }
        })
        .collect();
    let named = |wanted: &str| events.iter().position(|event| name(&story, *event).contains(wanted)).unwrap();
    let (first, error) = (named("int x = 1") as u32, named("reach_error()"));
    let goals: Vec<bool> = (0..events.len()).map(|label| label == error).collect();
    let is_failure = |at: At, _: Duty| at.function == entry && at.edge as usize == error;
    for (goals, expected) in [(Some(&goals[..]), false), (None, true)] {
        let asked = Asked { labels: &labels, goals, failures: is_failure };
        let mut unwinder = Unwinder::new(model.program(), Solver::new(&Unwatched));
        let unwinding = unwinder.unwind(1).unwrap();
        let mut arrivals = Arrivals::new(&mut unwinder, &unwinding, &asked);
        let look = SecondLook {
            is_taken: arrivals.can_take(|label| label == first).unwrap(),
            is_correct: arrivals.takes(first).unwrap(),
            is_any_correct: arrivals.is_any_correct().unwrap(),
        };
        assert_eq!(look, SecondLook { is_taken: true, is_correct: expected, is_any_correct: expected });
        let engine = Solved::new(arrivals, move |_| Ok(look));
        let again = explain::correct_transitions::Engine::recheck(&engine, &|_, label| label == first);
        assert_eq!(again, explain::recheck::Recheck::Refuted);
    }
}
