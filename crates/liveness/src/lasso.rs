//! Counterexamples: a stem to where the matter is decided, and a loop that keeps it so.
//!
//! The stem is a shortest one, found breadth-first, to a node that decides or from which an accepted
//! trace can go round. The loop is then the shortest one from there that does all that is owed: it comes
//! past an accepting node, and under fairness every process moves on it or cannot move somewhere on it.
//! That is a breadth-first search over nodes with what is still owed. If too many processes are owed
//! something, the nearest debt is paid first, which is short but perhaps not the shortest.

use std::collections::VecDeque;

use graph::{Edge, Fairness, Processes, Trace, Transitions};
use rustc_hash::FxHashMap;

use crate::continuations::Continuations;
use crate::processes::able;
use crate::product::{Product, STAYS};

/// How many pairs of nodes and debts the search for the shortest loop may look at.
const MOST_PAIRS: usize = 1 << 20;

/// What a counterexample does after its stem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The steps from this one on, counted from 0, are repeated for ever.
    Loop(usize),
    /// Nothing moves any more.
    Stops,
    /// Whatever comes, the property is violated already.
    Decided,
}

/// A trace that the automaton accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    pub trace: Trace,
    pub ending: Ending,
}

/// What a loop still has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Debts {
    accepting: bool,
    processes: Processes,
}

impl Debts {
    fn are_paid(self) -> bool {
        !self.accepting && self.processes.is_empty()
    }
}

/// A step of a search: where it came from, by which label.
type Arrivals<K> = FxHashMap<K, Option<(K, u32)>>;

impl Counterexample {
    /// A short one; none if the automaton accepts no trace.
    pub fn new<T: Transitions>(
        product: &Product<'_, T>,
        continuations: &Continuations,
        fairness: Fairness,
    ) -> Option<Self> {
        let turns = |node: u32| {
            product.decides(node)
                || continuations.goes_round(node)
                || continuations.goes_round_uninterrupted(node)
        };
        let stem = stem(product, turns)?;
        let entry = stem.last()?.0;
        let mut trace = Trace::new(product.state(stem[0].0));
        push(product, &mut trace, &stem[1..]);
        if product.decides(entry) {
            return Some(Self { trace, ending: Ending::Decided });
        }
        let search = LoopSearch { product, continuations, fairness, entry };
        let steps = search.shortest()?;
        let loop_start = trace.steps.len();
        push(product, &mut trace, &steps);
        let ending = if trace.steps.len() == loop_start { Ending::Stops } else { Ending::Loop(loop_start) };
        Some(Self { trace, ending })
    }
}

/// Appends the steps that are steps of the system.
fn push<T: Transitions>(product: &Product<'_, T>, trace: &mut Trace, steps: &[(u32, u32)]) {
    let taken = steps.iter().filter(|(_, label)| *label != STAYS);
    trace.steps.extend(taken.map(|(node, label)| Edge { label: *label, state: product.state(*node) }));
}

/// A shortest way from an initial node to one that is wanted: nodes with the labels that led to them.
fn stem<T: Transitions>(product: &Product<'_, T>, wanted: impl Fn(u32) -> bool) -> Option<Vec<(u32, u32)>> {
    const NONE: u32 = u32::MAX;
    let mut before = vec![(NONE, NONE); product.bound()];
    let mut waiting = VecDeque::new();
    for node in product.initial() {
        before[node as usize] = (node, NONE);
        waiting.push_back(node);
    }
    while let Some(node) = waiting.pop_front() {
        if wanted(node) {
            let mut way = Vec::new();
            let mut at = node;
            loop {
                let (source, label) = before[at as usize];
                way.push((at, label));
                if label == NONE && source == at {
                    way.reverse();
                    return Some(way);
                }
                at = source;
            }
        }
        product.successors(node, |label, target| {
            if before[target as usize].0 == NONE {
                before[target as usize] = (node, label);
                waiting.push_back(target);
            }
        });
    }
    None
}

struct LoopSearch<'a, T> {
    product: &'a Product<'a, T>,
    continuations: &'a Continuations,
    fairness: Fairness,
    entry: u32,
}

impl<T: Transitions> LoopSearch<'_, T> {
    fn shortest(&self) -> Option<Vec<(u32, u32)>> {
        let owed = self.owed_at_entry();
        let start = (self.entry, owed);
        let exact = self.search(
            start,
            |(node, debts), (target, label)| {
                let _ = node;
                (target, self.pay(debts, target, label))
            },
            |(node, debts)| node == self.entry && debts.are_paid(),
        );
        exact.or_else(|| self.greedy(owed))
    }

    /// What is owed after having been at the entry.
    fn owed_at_entry(&self) -> Debts {
        let nothing_owed =
            self.fairness == Fairness::None || self.continuations.goes_round_uninterrupted(self.entry);
        let all = if nothing_owed { Processes::NONE } else { Processes::ALL };
        self.pay(Debts { accepting: true, processes: all }, self.entry, STAYS)
    }

    /// What is still owed after a step with this label to this node.
    fn pay(&self, debts: Debts, node: u32, label: u32) -> Debts {
        let system = self.product.system();
        let mut processes = debts.processes;
        if !processes.is_empty() {
            if label != STAYS {
                let mut moved = Processes::NONE;
                moved.add_all(system.actors(label));
                processes = processes.without(moved);
            }
            if !self.product.is_uninterrupted(node) {
                processes = processes.and(able(system, self.product.state(node)));
            }
        }
        Debts { accepting: debts.accepting && !self.product.is_accepting(node), processes }
    }

    /// Whether a loop may come by here.
    fn belongs(&self, node: u32) -> bool {
        if self.continuations.goes_round(self.entry) {
            return self.continuations.are_together(self.entry, node);
        }
        self.continuations.goes_round_uninterrupted(node)
    }

    /// Pays the nearest debt until none is left, and goes back.
    fn greedy(&self, owed: Debts) -> Option<Vec<(u32, u32)>> {
        let mut way: Vec<(u32, u32)> = Vec::new();
        let (mut at, mut debts) = (self.entry, owed);
        loop {
            let home = debts.are_paid();
            // A node with the debts at its arrival; only what is paid first matters.
            let leg = self.search(
                (at, debts),
                |(_, debts), (target, label)| {
                    let paid = self.pay(debts, target, label);
                    (target, if home { debts } else { paid })
                },
                |(node, left)| if home { node == self.entry } else { left != debts },
            )?;
            for (node, label) in &leg {
                debts = self.pay(debts, *node, *label);
                at = *node;
            }
            way.extend(leg);
            if home {
                return Some(way);
            }
        }
    }

    /// A shortest way of at least one step from `start` to where `done` holds.
    fn search(
        &self,
        start: (u32, Debts),
        next: impl Fn((u32, Debts), (u32, u32)) -> (u32, Debts),
        done: impl Fn((u32, Debts)) -> bool,
    ) -> Option<Vec<(u32, u32)>> {
        let mut arrivals: Arrivals<(u32, Debts)> = FxHashMap::default();
        arrivals.insert(start, None);
        let mut waiting = VecDeque::from([start]);
        while let Some(from) = waiting.pop_front() {
            if arrivals.len() > MOST_PAIRS {
                return None;
            }
            let mut last = None;
            self.product.successors(from.0, |label, target| {
                if last.is_some() || !self.belongs(target) {
                    return;
                }
                let to = next(from, (target, label));
                if done(to) {
                    last = Some((target, label));
                } else if let std::collections::hash_map::Entry::Vacant(entry) = arrivals.entry(to) {
                    entry.insert(Some((from, label)));
                    waiting.push_back(to);
                }
            });
            if let Some(last) = last {
                let mut way = vec![last];
                let mut at = from;
                while let Some(Some((before, label))) = arrivals.get(&at) {
                    way.push((at.0, *label));
                    at = *before;
                }
                way.reverse();
                return Some(way);
            }
        }
        None
    }
}
