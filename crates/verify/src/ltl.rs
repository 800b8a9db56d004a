//! Which traces of a net meet a formula of linear temporal logic, by the definition of its operators.
//!
//! A position of a trace is a state that others can look at; states inside of a sequence that nothing interrupts are
//! passed over. Whether a formula holds at a position follows from the letter there and from which parts hold at the next
//! one. So a position is looked at once for each guess of what holds next, and a step leads to the positions at which the
//! guess is right. Such a walk is right for good if it goes round where nothing is put off forever: for each `U` its right
//! side holds somewhere, or the whole does not. The last state of a trace that ends is repeated.

use std::collections::HashMap;

use crate::components::components;
use crate::net::{Edge, Net, Node};

/// A formula of linear temporal logic; other operators are told by these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ltl {
    Constant(bool),
    Atom(u32),
    Not(Box<Ltl>),
    And(Box<Ltl>, Box<Ltl>),
    Next(Box<Ltl>),
    Until(Box<Ltl>, Box<Ltl>),
}

impl Ltl {
    #[must_use]
    pub fn negated(self) -> Self {
        Self::Not(Box::new(self))
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::And(Box::new(self), Box::new(other))
    }

    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.negated().and(other.negated()).negated()
    }

    #[must_use]
    pub fn next(self) -> Self {
        Self::Next(Box::new(self))
    }

    #[must_use]
    pub fn until(self, other: Self) -> Self {
        Self::Until(Box::new(self), Box::new(other))
    }

    #[must_use]
    pub fn eventually(self) -> Self {
        Self::Constant(true).until(self)
    }

    #[must_use]
    pub fn always(self) -> Self {
        self.negated().eventually().negated()
    }

    /// Collects the parts whose truth at the next position decides.
    fn promises(&self, found: &mut Vec<Self>) {
        let promised = match self {
            Self::Constant(_) | Self::Atom(_) => None,
            Self::Not(part) => {
                part.promises(found);
                None
            }
            Self::And(left, right) => {
                left.promises(found);
                right.promises(found);
                None
            }
            Self::Next(part) => {
                part.promises(found);
                Some(&**part)
            }
            Self::Until(left, right) => {
                left.promises(found);
                right.promises(found);
                Some(self)
            }
        };
        found.extend(promised.filter(|part| !found.contains(part)).cloned());
    }
}

/// More guesses at once are too many.
const MOST_PROMISES: usize = 7;

/// A walk through a net with guesses: which positions there are, and from which some trace goes on as guessed.
pub(crate) struct Walk<'a> {
    net: &'a Net,
    letters: &'a [u64],
    formula: &'a Ltl,
    promises: Vec<Ltl>,
    numbers: HashMap<At, usize>,
    goes_on: Vec<bool>,
}

/// Where a walk is: the node and the guesses of what holds at the position after it, or, where the node is no position,
/// at the next one. At the very start it is guessed whether the formula holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct At {
    node: usize,
    guess: Guess,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Guess {
    Whole(bool),
    Parts(u32),
}

impl<'a> Walk<'a> {
    /// `letters` are the atoms that are true at each node. Nothing if there are more than `most` places to be.
    pub(crate) fn new(
        net: &'a Net,
        letters: &'a [u64],
        formula: &'a Ltl,
        fair: bool,
        most: u64,
    ) -> Option<Self> {
        let mut promises = Vec::new();
        formula.promises(&mut promises);
        if promises.len() > MOST_PROMISES {
            return None;
        }
        let mut walk = Self { net, letters, formula, promises, numbers: HashMap::new(), goes_on: Vec::new() };
        let mut all: Vec<At> = Vec::new();
        for holds in [true, false] {
            all.extend(walk.start(holds).into_iter().filter(|at| !all.contains(at)).collect::<Vec<_>>());
        }
        for (number, at) in all.iter().enumerate() {
            walk.numbers.insert(*at, number);
        }
        let mut graph =
            Net { events: net.events.clone(), has_processes: net.has_processes, ..Net::default() };
        let mut at = 0;
        while at < all.len() {
            if all.len() as u64 > most {
                return None;
            }
            let mut edges = Vec::new();
            for (event, next) in walk.steps(all[at]) {
                let to = *walk.numbers.entry(next).or_insert_with(|| {
                    all.push(next);
                    all.len() - 1
                });
                edges.push(Edge { event, to });
            }
            graph.nodes.push(Node { edges, ..Node::default() });
            at += 1;
        }
        walk.goes_on = walk.leading_to_rounds(&graph, &all, fair);
        Some(walk)
    }

    /// Whether a node is a position; the last one of a trace always is.
    fn is_position(&self, node: usize) -> bool {
        !self.net.nodes[node].is_uninterrupted || self.net.nodes[node].edges.is_empty()
    }

    fn value(&self, part: &Ltl, node: usize, parts: u32) -> bool {
        let promised = |part: &Ltl| {
            let at = self.promises.iter().position(|promise| promise == part);
            at.is_some_and(|at| parts >> at & 1 != 0)
        };
        match part {
            Ltl::Constant(value) => *value,
            Ltl::Atom(atom) => self.letters[node] >> atom & 1 != 0,
            Ltl::Not(part) => !self.value(part, node, parts),
            Ltl::And(left, right) => self.value(left, node, parts) && self.value(right, node, parts),
            Ltl::Next(next) => promised(next),
            Ltl::Until(left, right) => {
                self.value(right, node, parts) || self.value(left, node, parts) && promised(part)
            }
        }
    }

    /// The places at a node at which a guess is right.
    fn arrive(&self, node: usize, guess: Guess) -> Vec<At> {
        if !self.is_position(node) {
            return vec![At { node, guess }];
        }
        let fits = |parts: &u32| match guess {
            Guess::Whole(holds) => self.value(self.formula, node, *parts) == holds,
            Guess::Parts(before) => (0..)
                .zip(&self.promises)
                .all(|(at, promise)| self.value(promise, node, *parts) == (before >> at & 1 != 0)),
        };
        let all = (0..1u32 << self.promises.len()).filter(fits);
        all.map(|parts| At { node, guess: Guess::Parts(parts) }).collect()
    }

    /// The places at the start of traces that meet the formula, or of those that do not.
    fn start(&self, holds: bool) -> Vec<At> {
        self.net.initial.iter().flat_map(|node| self.arrive(*node, Guess::Whole(holds))).collect()
    }

    /// The steps from a place; the last state of a trace is repeated, which is nobody's event.
    fn steps(&self, at: At) -> Vec<(usize, At)> {
        if self.net.is_violating(at.node) {
            return Vec::new();
        }
        let edges = &self.net.nodes[at.node].edges;
        if edges.is_empty() {
            let again = self.arrive(at.node, at.guess).into_iter();
            return again.map(|next| (usize::MAX, next)).collect();
        }
        let next = edges
            .iter()
            .flat_map(|edge| self.arrive(edge.to, at.guess).into_iter().map(move |next| (edge.event, next)));
        next.collect()
    }

    /// The places from which a walk comes to where it can go round for good.
    fn leading_to_rounds(&self, graph: &Net, all: &[At], fair: bool) -> Vec<bool> {
        let mut leading = vec![false; all.len()];
        let mut waiting = Vec::new();
        for members in components(graph, &|_| true) {
            if self.is_right(graph, all, &members) && (!fair || self.is_fair(graph, all, &members)) {
                members.iter().for_each(|at| leading[*at] = true);
                waiting.extend(members);
            }
        }
        let mut before = vec![Vec::new(); all.len()];
        for (from, node) in graph.nodes.iter().enumerate() {
            node.edges.iter().for_each(|edge| before[edge.to].push(from));
        }
        while let Some(at) = waiting.pop() {
            for from in &before[at] {
                if !std::mem::replace(&mut leading[*from], true) {
                    waiting.push(*from);
                }
            }
        }
        leading
    }

    /// Whether going round in a component puts nothing off forever.
    fn is_right(&self, graph: &Net, all: &[At], members: &[usize]) -> bool {
        let inside = |to: usize| members.binary_search(&to).is_ok();
        let positions = || members.iter().map(|at| all[*at]).filter(|at| self.is_position(at.node));
        let goes_round = members.iter().any(|at| graph.nodes[*at].edges.iter().any(|edge| inside(edge.to)));
        let value = |part: &Ltl, at: At| match at.guess {
            Guess::Parts(parts) => self.value(part, at.node, parts),
            Guess::Whole(_) => false,
        };
        goes_round
            && positions().next().is_some()
            && self.promises.iter().all(|promise| match promise {
                Ltl::Until(_, right) => positions().any(|at| value(right, at) || !value(promise, at)),
                _ => true,
            })
    }

    /// Whether every process moves in a component, or cannot move somewhere in it.
    fn is_fair(&self, graph: &Net, all: &[At], members: &[usize]) -> bool {
        let inside = |to: usize| members.binary_search(&to).is_ok();
        let actors = |event: usize| self.net.events.get(event).map_or(&[][..], |event| &event.actors);
        let open = || members.iter().map(|at| all[*at].node).filter(|node| self.is_position(*node));
        let can_move = |process: u8, node: usize| {
            self.net.nodes[node].edges.iter().any(|edge| actors(edge.event).contains(&process))
        };
        let moves = |process: u8| {
            let mut edges = members.iter().flat_map(|at| &graph.nodes[*at].edges);
            edges.any(|edge| inside(edge.to) && actors(edge.event).contains(&process))
        };
        let Some(first) = open().next() else { return true };
        let able = self.net.nodes[first].edges.iter().flat_map(|edge| actors(edge.event));
        able.copied().all(|process| moves(process) || !open().all(|node| can_move(process, node)))
    }

    fn can(&self, at: &At) -> bool {
        self.numbers.get(at).is_some_and(|number| self.goes_on[*number])
    }

    /// Whether some trace meets the formula, or violates it.
    pub(crate) fn is_possible(&self, holds: bool) -> bool {
        self.start(holds).iter().any(|at| self.can(at))
    }

    /// Where traces of one kind can be that go through these nodes.
    pub(crate) fn along(&self, nodes: &[usize], holds: bool) -> Vec<Vec<At>> {
        let mut now = self.start(holds);
        now.retain(|at| nodes.first() == Some(&at.node));
        let mut all = vec![now];
        for node in nodes.iter().skip(1) {
            let before = all.last().map_or(&[][..], Vec::as_slice);
            all.push(self.onward(before, *node));
        }
        all
    }

    /// The places at a node after those.
    pub(crate) fn onward(&self, before: &[At], node: usize) -> Vec<At> {
        let mut next: Vec<At> = Vec::new();
        for at in before.iter().flat_map(|at| self.arrive(node, at.guess)) {
            if !next.contains(&at) {
                next.push(at);
            }
        }
        next
    }

    pub(crate) fn any_goes_on(&self, places: &[At]) -> bool {
        places.iter().any(|at| self.can(at))
    }

    /// Whether the formula holds of a trace that repeats its nodes from a place on, the last of them being the first of
    /// the loop again, or, without a loop, repeats its last one. Nothing where there is no position in the loop.
    pub(crate) fn holds_of(&self, nodes: &[usize], loop_start: Option<usize>) -> Option<bool> {
        let values = self.values(self.formula, nodes, loop_start)?;
        values.first().map(|(_, holds)| *holds)
    }

    /// Where a part holds along such a trace: after how many steps, and whether it does.
    pub(crate) fn values(
        &self,
        part: &Ltl,
        nodes: &[usize],
        loop_start: Option<usize>,
    ) -> Option<Vec<(usize, bool)>> {
        let (last, start) = match loop_start {
            Some(start) => (nodes.len() - 1, start),
            None => (nodes.len(), nodes.len() - 1),
        };
        let seen: Vec<usize> = (0..last).filter(|at| self.is_position(nodes[*at])).collect();
        let word: Vec<usize> = seen.iter().map(|at| nodes[*at]).collect();
        let start = seen.iter().filter(|at| **at < start).count();
        (start < word.len()).then(|| seen.into_iter().zip(self.truth(part, &word, start)).collect())
    }

    /// Whether a part holds at each position of a word that goes on at `start` after its end.
    fn truth(&self, part: &Ltl, word: &[usize], start: usize) -> Vec<bool> {
        let next = |at: usize| if at + 1 < word.len() { at + 1 } else { start };
        match part {
            Ltl::Constant(value) => vec![*value; word.len()],
            Ltl::Atom(atom) => word.iter().map(|node| self.letters[*node] >> atom & 1 != 0).collect(),
            Ltl::Not(part) => self.truth(part, word, start).into_iter().map(|holds| !holds).collect(),
            Ltl::And(left, right) => {
                let (left, right) = (self.truth(left, word, start), self.truth(right, word, start));
                left.into_iter().zip(right).map(|(left, right)| left && right).collect()
            }
            Ltl::Next(part) => {
                let holds = self.truth(part, word, start);
                (0..word.len()).map(|at| holds[next(at)]).collect()
            }
            Ltl::Until(left, right) => {
                let (left, right) = (self.truth(left, word, start), self.truth(right, word, start));
                let comes = |from: usize| {
                    let mut at = from;
                    for _ in 0..2 * word.len() {
                        if right[at] {
                            return true;
                        }
                        if !left[at] {
                            return false;
                        }
                        at = next(at);
                    }
                    false
                };
                (0..word.len()).map(comes).collect()
            }
        }
    }
}
