//! Neighbourhoods, by Definitions 6 to 9 of Barbon, Leroy and Salaün (FSEN 2017), with the colours of their tool CLEAR.
//!
//! The counterexample LTS has the states from which the violation can come. A step that leaves it to where a trace can pass
//! is green; a state with a green step is on the frontier. What leads to another violation has no colour. A step inside of it is black if the frontier can still be reached after it, else red.
//! The kind of a neighbourhood is which colours leave its state; of kind R is a state without green steps, with red ones,
//! and without red ones that come in. States behind a violation count as well, as in the paper.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

use crate::case::{Case, Tested, same};
use crate::net::Net;

#[derive(Clone, Debug, Deserialize)]
struct Told {
    counterexample_lts: Size,
    count: u64,
    kinds: BTreeMap<String, u64>,
    counterexample_length: u64,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
struct Size {
    states: u64,
    transitions: u64,
    labels: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colour {
    Green,
    Black,
    Red,
    None,
}

pub(crate) fn counts(case: &Case<'_>, told: &Value) -> Option<Tested> {
    let told: Told = serde_json::from_value(told.clone()).ok()?;
    let net = case.net;
    let reached = reached(net);
    let kept = before(net, |node| net.is_target(node));
    let is_green = |to: usize| !kept[to] && case.fates.can_pass[to];
    let frontier = |node: usize| kept[node] && net.nodes[node].edges.iter().any(|edge| is_green(edge.to));
    let near = before(net, frontier);
    let colour = |to: usize| match (kept[to], near[to]) {
        (false, _) if is_green(to) => Colour::Green,
        (false, _) => Colour::None,
        (true, true) => Colour::Black,
        (true, false) => Colour::Red,
    };
    let states: Vec<usize> = (0..net.nodes.len()).filter(|node| reached[*node] && kept[*node]).collect();
    let inside = || {
        let edges = states.iter().flat_map(|node| net.nodes[*node].edges.iter());
        edges.filter(|edge| kept[edge.to])
    };
    let size = Size {
        states: states.len() as u64,
        transitions: inside().count() as u64,
        labels: inside().map(|edge| edge.event).collect::<BTreeSet<_>>().len() as u64,
    };
    let red_comes_in: BTreeSet<usize> =
        inside().filter(|edge| colour(edge.to) == Colour::Red).map(|edge| edge.to).collect();
    let mut kinds: BTreeMap<String, u64> = ["G", "GR", "GRB", "R"].map(|kind| (kind.to_owned(), 0)).into();
    for node in &states {
        let has = |wanted: Colour| net.nodes[*node].edges.iter().any(|edge| colour(edge.to) == wanted);
        let kind = match (has(Colour::Green), has(Colour::Red), has(Colour::Black)) {
            (true, true, true) => "GRB",
            (true, true, false) => "GR",
            (true, false, _) => "G",
            (false, true, _) if !red_comes_in.contains(node) => "R",
            _ => continue,
        };
        *kinds.entry(kind.to_owned()).or_default() += 1;
    }
    let count = kinds.iter().filter(|(kind, _)| *kind != "R").map(|(_, count)| count).sum();
    Some((|| {
        same("counterexample_lts", &told.counterexample_lts, &size)?;
        same("kinds", &told.kinds, &kinds)?;
        same("count", &told.count, &count)?;
        let length = case.trace()?.events.len() as u64;
        same("counterexample_length", &told.counterexample_length, &length)
    })())
}

/// All nodes that can be reached at all, past violations too.
fn reached(net: &Net) -> Vec<bool> {
    let mut seen = vec![false; net.nodes.len()];
    let mut waiting = net.initial.clone();
    while let Some(node) = waiting.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            waiting.extend(net.nodes[node].edges.iter().map(|edge| edge.to));
        }
    }
    seen
}

/// All nodes from which one that is wanted can be reached, past violations too.
fn before(net: &Net, is_wanted: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut found: Vec<bool> = (0..net.nodes.len()).map(is_wanted).collect();
    let mut before = vec![Vec::new(); net.nodes.len()];
    for (from, node) in net.nodes.iter().enumerate() {
        node.edges.iter().for_each(|edge| before[edge.to].push(from));
    }
    let mut waiting: Vec<usize> = (0..net.nodes.len()).filter(|node| found[*node]).collect();
    while let Some(node) = waiting.pop() {
        for from in &before[node] {
            if !std::mem::replace(&mut found[*from], true) {
                waiting.push(*from);
            }
        }
    }
    found
}
