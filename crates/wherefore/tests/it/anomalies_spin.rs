//! Graph, fates and anomalies of packaged models, compared with what SPIN's own search says.
//!
//! The graph is rebuilt from the log of SPIN's verifier. It is walked along with ours: from states that
//! stand for each other the same processes take as many steps, and which of SPIN's statements is which of
//! our events must be the same everywhere. What can become of a state and what only failing traces do is
//! then read off SPIN's graph in the plainest way, and must be what we report.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use testkit::packaged_models::{PackagedModel, packaged_models};
use testkit::spin::{Options, Spin};
use testkit::spin_graph::{SpinGraph, SpinStep, spin_graph};

use crate::support::{json, run, stderr};

/// A step of one process as SPIN tells it: process, control states before and after, statement.
type Half = (u32, u32, u32, u32);

/// A step as SPIN tells it: of one process, or a rendezvous of two.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Theirs {
    first: Half,
    second: Option<Half>,
}

impl Theirs {
    fn actors(&self) -> Vec<u32> {
        std::iter::once(self.first).chain(self.second).map(|half| half.0).collect()
    }
}

struct TheirEdge {
    label: Theirs,
    target: u32,
    fails: bool,
}

/// SPIN's graph by source, each rendezvous one step.
fn their_edges(graph: &SpinGraph) -> BTreeMap<u32, Vec<TheirEdge>> {
    let half = |step: &SpinStep| (step.process, step.from, step.to, step.statement);
    let mut taken: BTreeMap<u32, Vec<&SpinStep>> = BTreeMap::new();
    for step in &graph.steps {
        taken.entry(step.source).or_default().push(step);
    }
    let offered: BTreeSet<u32> =
        graph.steps.iter().filter(|step| step.offer).map(|step| step.target).collect();
    let mut edges: BTreeMap<u32, Vec<TheirEdge>> = BTreeMap::new();
    for step in graph.steps.iter().filter(|step| !offered.contains(&step.source)) {
        let from = edges.entry(step.source).or_default();
        if !step.offer {
            let label = Theirs { first: half(step), second: None };
            from.push(TheirEdge { label, target: step.target, fails: !step.failed.is_empty() });
            continue;
        }
        for answer in &taken[&step.target] {
            let label = Theirs { first: half(step), second: Some(half(answer)) };
            let fails = !step.failed.is_empty() || !answer.failed.is_empty();
            from.push(TheirEdge { label, target: answer.target, fails });
        }
    }
    edges
}

/// Our graph: by source, labels and targets.
struct Ours {
    edges: Vec<Vec<(String, u32)>>,
}

impl Ours {
    fn of(model: &PackagedModel) -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let out = scratch.path().join("model.aut");
        let folder = model.path.parent().unwrap();
        let output = run(folder, &["convert", model.path.to_str().unwrap(), out.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{}: {}", model.name, stderr(&output));
        let text = std::fs::read_to_string(&out).unwrap();
        let mut lines = text.lines();
        let states = lines.next().unwrap().trim_end_matches(')').rsplit_once(", ").unwrap().1;
        let mut edges = vec![Vec::new(); states.parse().unwrap()];
        for line in lines {
            let (source, rest) = line.trim_start_matches('(').split_once(", \"").unwrap();
            let (label, target) = rest.trim_end_matches(')').rsplit_once("\", ").unwrap();
            let source: usize = source.parse().unwrap();
            edges[source].push((label.to_owned(), target.parse().unwrap()));
        }
        Self { edges }
    }

    /// Nothing moves there, and it is no end.
    fn is_stuck(&self, state: u32) -> bool {
        self.edges[state as usize].is_empty()
    }

    fn is_end(&self, state: u32) -> bool {
        matches!(&self.edges[state as usize][..], [(label, _)] if label == "exit")
    }
}

/// The processes that take part in one of our events.
fn actors(label: &str) -> Vec<u32> {
    let number = |part: &str| part.split(' ').next()?.rsplit_once(':')?.1.parse().ok();
    let receiver = label.rsplit_once(" -> ").and_then(|(_, part)| number(part));
    number(label).into_iter().chain(receiver).collect()
}

/// The two graphs side by side.
struct Aligned {
    /// Our state for each of their nodes that is reached without violation.
    state: BTreeMap<u32, u32>,
    /// Our event for each of their steps.
    event: BTreeMap<Theirs, String>,
}

fn aligned(name: &str, theirs: &BTreeMap<u32, Vec<TheirEdge>>, ours: &Ours) -> Aligned {
    let mut state: BTreeMap<u32, u32> = BTreeMap::from([(0, 0)]);
    let mut event: BTreeMap<Theirs, String> = BTreeMap::new();
    let mut waiting = vec![0];
    let none = Vec::new();
    while let Some(node) = waiting.pop() {
        let here = state[&node];
        let mut left: Vec<&TheirEdge> = theirs.get(&node).unwrap_or(&none).iter().collect();
        if ours.is_end(here) || ours.is_stuck(here) {
            assert!(left.is_empty(), "{name}: steps from node {node}, an end for us");
            continue;
        }
        assert_eq!(left.len(), ours.edges[here as usize].len(), "{name}: steps from node {node}");
        // Known ones first; of the others both tell the alternatives of a process in the order of the text.
        left.sort_by_key(|edge| !event.contains_key(&edge.label));
        let mut free: Vec<&(String, u32)> = ours.edges[here as usize].iter().collect();
        for edge in left {
            let known = event.get(&edge.label);
            let fits = |(label, _): &&(String, u32)| match known {
                Some(known) => known == label,
                None => actors(label) == edge.label.actors() && !event.values().any(|other| other == label),
            };
            let at = free.iter().position(fits);
            let at = at.unwrap_or_else(|| panic!("{name}: {:?} from node {node} is missing", edge.label));
            let (label, target) = free.remove(at);
            event.insert(edge.label.clone(), label.clone());
            if edge.fails {
                assert!(ours.is_stuck(*target), "{name}: `{label}` fails at node {node}");
            } else {
                match state.get(&edge.target) {
                    Some(known) => assert_eq!(known, target, "{name}: `{label}` from node {node}"),
                    None => {
                        state.insert(edge.target, *target);
                        waiting.push(edge.target);
                    }
                }
            }
        }
    }
    Aligned { state, event }
}

/// What can become of SPIN's nodes, without fairness.
struct Fates {
    fail: BTreeSet<u32>,
    pass: BTreeSet<u32>,
}

fn fates(
    nodes: &BTreeSet<u32>,
    theirs: &BTreeMap<u32, Vec<TheirEdge>>,
    deadlocks: &BTreeSet<u32>,
    hits: &dyn Fn(u32, &TheirEdge) -> bool,
    deadlocks_count: bool,
) -> Fates {
    let none = Vec::new();
    let edges = |node: &u32| theirs.get(node).unwrap_or(&none).iter();
    let mut fail: BTreeSet<u32> = deadlocks.iter().copied().filter(|_| deadlocks_count).collect();
    let mut pass: BTreeSet<u32> = nodes.difference(deadlocks).copied().collect();
    loop {
        let fails = |node: &u32| {
            edges(node).any(|edge| if edge.fails { hits(*node, edge) } else { fail.contains(&edge.target) })
        };
        let more: Vec<u32> =
            nodes.iter().copied().filter(|node| !fail.contains(node) && fails(node)).collect();
        let goes_on = |node: &u32| {
            edges(node).next().is_none() || edges(node).any(|edge| !edge.fails && pass.contains(&edge.target))
        };
        let lost: Vec<u32> = pass.iter().copied().filter(|node| !goes_on(node)).collect();
        if more.is_empty() && lost.is_empty() {
            return Fates { fail, pass };
        }
        fail.extend(more);
        lost.iter().for_each(|node| {
            pass.remove(node);
        });
    }
}

/// Compares what we say about a model with its graph as SPIN sees it; nothing if it has no violation.
fn compare(spin: &Spin, model: &PackagedModel) -> Option<String> {
    let name = &model.name;
    let options = Options::quick().uncached();
    let (graph, verdict) = spin_graph(spin, &model.source(), &options).unwrap();
    let ours = Ours::of(model);
    let theirs = their_edges(&graph);
    let aligned = aligned(name, &theirs, &ours);
    let nodes: BTreeSet<u32> = aligned.state.keys().copied().collect();
    let deadlocks: BTreeSet<u32> =
        graph.deadlocks.iter().copied().filter(|node| nodes.contains(node)).collect();
    for (node, state) in &aligned.state {
        assert_eq!(deadlocks.contains(node), ours.is_stuck(*state), "{name}: deadlock at node {node}");
    }
    let stored: BTreeSet<u32> =
        aligned.state.iter().filter(|(node, _)| **node < graph.stored).map(|(_, state)| *state).collect();
    let met = nodes.range(..graph.stored).count();
    assert_eq!(stored.len(), met, "{name}: two of SPIN's states are one of ours");
    if verdict.errors == 0 {
        assert_eq!(met as u64, verdict.states, "{name}");
    }

    let folder = model.path.parent().unwrap();
    let path = model.path.to_str().unwrap();
    let output = run(folder, &[path, "-f", "json", "--fairness", "none", "-p", "safety"]);
    let report = json(&output);
    if report["verdict"] == "holds" {
        assert_eq!(verdict.errors, 0, "{name}");
        return None;
    }
    let steps = report["counterexample"]["steps"].as_array().unwrap();
    let deadlock = report["counterexample"]["kind"] == "deadlock";
    let action = |label: &str| label.split_once(' ').map_or("", |(_, action)| action).to_owned();
    let wrong = steps.last().map(|step| action(step["event"].as_str().unwrap()));
    let hits = |_: u32, edge: &TheirEdge| !deadlock && Some(action(&aligned.event[&edge.label])) == wrong;
    let fates = fates(&nodes, &theirs, &deadlocks, &hits, deadlock);
    let counted = compare_fates(name, &report, &ours, &aligned, &theirs, &fates, &hits);
    let found = anomalies(&nodes, &theirs, &deadlocks, &aligned, &fates, &hits, &report);
    let told = &report["methods"]["anomalies"];
    let listed = told["anomalies"].as_array().unwrap();
    assert_eq!(told["count"].as_u64().unwrap(), found.len() as u64, "anomalies of {name}");
    for anomaly in listed {
        let events = anomaly["events"].as_array().unwrap().iter();
        let events: Vec<String> = events.map(|event| event["event"].as_str().unwrap().to_owned()).collect();
        assert!(found.contains(&events), "{name}: {events:?} is no anomaly");
    }
    Some(format!(
        "{name}: {met} states, {} events; {counted}; {} anomalies of length {}, {} of them listed",
        aligned.event.len(),
        found.len(),
        told["length"],
        listed.len()
    ))
}

fn compare_fates(
    name: &str,
    report: &Value,
    ours: &Ours,
    aligned: &Aligned,
    theirs: &BTreeMap<u32, Vec<TheirEdge>>,
    fates: &Fates,
    hits: &dyn Fn(u32, &TheirEdge) -> bool,
) -> String {
    let kind = |node: u32| match (fates.fail.contains(&node), fates.pass.contains(&node)) {
        (true, true) => "free",
        (true, false) => "doomed",
        (false, true) => "safe",
        (false, false) => "elsewhere",
    };
    // Inside atomic sequences several of SPIN's nodes are one state.
    let mut of_state: BTreeMap<u32, &str> = BTreeMap::new();
    for (node, state) in &aligned.state {
        let known = of_state.entry(*state).or_insert(kind(*node));
        assert_eq!(*known, kind(*node), "{name}: node {node}");
    }
    let mut crossing: BTreeSet<(u32, &str)> = BTreeSet::new();
    let mut escaping: BTreeSet<(u32, &str)> = BTreeSet::new();
    for (node, state) in &aligned.state {
        for edge in theirs.get(node).into_iter().flatten() {
            let event = aligned.event[&edge.label].as_str();
            let mut after = if edge.fails { "elsewhere" } else { kind(edge.target) };
            if edge.fails {
                // Wrong steps lead to states of their own, one for each class.
                if hits(*node, edge) {
                    after = "doomed";
                }
                let led = ours.edges[*state as usize].iter().find(|(label, _)| label == event);
                of_state.insert(led.unwrap().1, after);
            }
            match (kind(*node), after) {
                ("free", "doomed") => crossing.insert((*state, event)),
                ("free", "safe") => escaping.insert((*state, event)),
                _ => false,
            };
        }
    }
    let count = |key: &str| of_state.values().filter(|kind| **kind == key).count() as u64;
    let told = |key: &str| report["fates"][key].as_u64().unwrap();
    for key in ["safe", "free", "doomed", "elsewhere"] {
        assert_eq!(told(key), count(key), "{key} states of {name}");
    }
    assert_eq!(told("points_of_no_return"), crossing.len() as u64, "points of no return of {name}");
    assert_eq!(told("escapes"), escaping.len() as u64, "escapes of {name}");
    format!("{} free, {} doomed, {} safe", count("free"), count("doomed"), count("safe"))
}

/// The sequences of events, of the length that was reported, that only failing traces have.
fn anomalies(
    nodes: &BTreeSet<u32>,
    theirs: &BTreeMap<u32, Vec<TheirEdge>>,
    deadlocks: &BTreeSet<u32>,
    aligned: &Aligned,
    fates: &Fates,
    hits: &dyn Fn(u32, &TheirEdge) -> bool,
    report: &Value,
) -> BTreeSet<Vec<String>> {
    let length = report["methods"]["anomalies"]["length"].as_u64().unwrap() as usize;
    let (mut failing, mut passing) = (BTreeSet::new(), BTreeSet::new());
    for start in nodes.difference(deadlocks) {
        let mut ways: Vec<(u32, Vec<&str>)> = vec![(*start, Vec::new())];
        while let Some((node, events)) = ways.pop() {
            for edge in theirs.get(&node).into_iter().flatten() {
                let mut events = events.clone();
                events.push(&aligned.event[&edge.label]);
                if events.len() < length {
                    if !edge.fails && !deadlocks.contains(&edge.target) {
                        ways.push((edge.target, events));
                    }
                    continue;
                }
                let fails = if edge.fails { hits(node, edge) } else { fates.fail.contains(&edge.target) };
                if fails {
                    failing.insert(events.clone());
                }
                if !edge.fails && fates.pass.contains(&edge.target) {
                    passing.insert(events);
                }
            }
        }
    }
    let only = failing.difference(&passing);
    only.map(|events| events.iter().map(|event| (*event).to_owned()).collect()).collect()
}

#[test]
fn packaged_models_have_the_anomalies_that_spin_shows() {
    let Some(spin) = Spin::find() else { return };
    let names = [
        "Book_1991/p101.pml",
        "Book_1991/p116.pml",
        "Book_1991/p117.pml",
        "Book_1991/p312.pml",
        "Book_1991/p319.pml",
        "Book_1991/p96.1.pml",
        "Exercises/ex_2.pml",
        "Exercises/ex_3c.pml",
        "Exercises/ex_4.pml",
        "LTL/bakery.pml",
        "LTL/salesman1.pml",
        "LTL/salesman2.pml",
        "LTL/zune.pml",
        "loops.pml",
        "pathfinder.pml",
        "sat.pml",
        "test_mtype.pml",
        "werkplaats.pml",
    ];
    let models = packaged_models();
    let mut violated = 0;
    for model in models.iter().filter(|model| names.contains(&model.name.as_str())) {
        match compare(&spin, model) {
            Some(row) => {
                println!("{row}");
                violated += 1;
            }
            None => println!("{}: no violation; the graphs are the same", model.name),
        }
    }
    assert!(models.is_empty() || violated >= 10, "{violated} models with a violation");
}
