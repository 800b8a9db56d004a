//! Negatives and positives near a counterexample, within a bound (the paper's Figures 2 and 3).
//!
//! From each state of the counterexample, the last one first, a search goes at most `depth` steps away from it.
//! All searches share what they have visited, so every state is looked at once and is reached by one trace.
//! Where the bound cuts a trace off, it is tried whether it can go on as the counterexample does from some
//! later place on; so the bound is one of how far a trace deviates and not of how long it is.
//!
//! Positives that are the beginning of a negative are left out: nothing is decided yet at their end.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use graph::{BitSet, Edge, Interrupt, OUTSIDE, Trace, Transitions, Watch};
use rustc_hash::FxHashMap;

use super::tree::Tree;
use crate::pulse::Pulse;

/// In which order a search looks at states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    BreadthFirst,
    DepthFirst,
    /// Those first into which a step leads that the counterexample takes late.
    Heuristic,
}

/// What is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    pub counterexample: &'a Trace,
    /// The key of each label.
    pub keys: &'a [u32],
    pub depth: u32,
    pub order: Order,
    /// So many negatives, and as many positives, are enough.
    pub max_traces: usize,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Generated {
    pub tree: Tree,
    /// The last nodes of negatives, shortest first; that of the counterexample is among them.
    pub negatives: Vec<u32>,
    /// The last nodes of positives, shortest first.
    pub positives: Vec<u32>,
    /// How many states were looked at.
    pub states: u64,
    /// Whether there are more than were wanted.
    pub is_limited: bool,
}

/// How many edges are looked at to go on as the counterexample does, in all.
const MOST_FOLLOWED: u64 = 50_000_000;
const NO_NODE: u32 = u32::MAX;

/// Looks for variations of a counterexample, which has at least one step and ends in a target.
pub fn generate<T: Transitions>(
    system: &T,
    plan: &Plan<'_>,
    watch: &dyn Watch,
) -> Result<Generated, Interrupt> {
    let mut search = Search::new(system, plan, watch);
    for start in (0..search.spine.len()).rev() {
        match plan.order {
            Order::BreadthFirst => search.breadth_first(start)?,
            Order::DepthFirst => search.depth_first(start)?,
            Order::Heuristic => search.best_first(start)?,
        }
    }
    Ok(search.finish())
}

/// A step that was found and is yet to be taken.
#[derive(Clone, Copy)]
struct Next {
    step: Edge,
    /// Its node, if it is in the tree.
    node: u32,
}

struct Search<'a, T> {
    system: &'a T,
    plan: &'a Plan<'a>,
    failing: u32,
    tree: Tree,
    /// The nodes of the counterexample's states, without the last.
    spine: Vec<u32>,
    visited: BitSet,
    /// Nodes that are not met by visiting a state for the first time.
    known: FxHashMap<(u32, Edge), u32>,
    negatives: Vec<u32>,
    positives: Vec<u32>,
    /// Where in the counterexample each key comes last, counted from 1; 0 for those it lacks.
    last_place: Vec<u32>,
    nexts: Vec<Next>,
    states: u64,
    followed: u64,
    is_limited: bool,
    pulse: Pulse<'a>,
}

impl<'a, T: Transitions> Search<'a, T> {
    fn new(system: &'a T, plan: &'a Plan<'a>, watch: &'a dyn Watch) -> Self {
        let Trace { start, steps } = plan.counterexample;
        let mut tree = Tree::new(*start);
        let mut spine = vec![Tree::ROOT];
        let mut known = FxHashMap::default();
        let mut last = Tree::ROOT;
        let mut last_place = vec![0; plan.keys.iter().max().map_or(0, |most| *most as usize + 1)];
        for (step, place) in steps.iter().zip(1..) {
            let node = tree.child(last, *step);
            known.insert((last, *step), node);
            spine.push(node);
            last_place[plan.keys[step.label as usize] as usize] = place;
            last = node;
        }
        spine.pop();
        Self {
            system,
            plan,
            failing: steps.last().map_or(u32::MAX, |step| plan.keys[step.label as usize]),
            tree,
            spine,
            visited: BitSet::new(system.bound()),
            known,
            negatives: Vec::new(),
            positives: Vec::new(),
            last_place,
            nexts: Vec::new(),
            states: 0,
            followed: 0,
            is_limited: false,
            pulse: Pulse::new("looking for variations", watch),
        }
    }

    fn key(&self, label: u32) -> u32 {
        self.plan.keys[label as usize]
    }

    /// The node of a step, which may be there already.
    fn known_child(&mut self, parent: u32, step: Edge) -> u32 {
        let Self { known, tree, .. } = self;
        *known.entry((parent, step)).or_insert_with(|| tree.child(parent, step))
    }

    /// Notes a trace that ends with the failing step.
    fn note(&mut self, parent: u32, step: Edge) -> u32 {
        let fails = step.state != OUTSIDE && self.system.is_violating(step.state);
        let list = if fails { &self.negatives } else { &self.positives };
        if (fails && !self.system.is_target(step.state)) || list.len() >= self.plan.max_traces {
            self.is_limited |= list.len() >= self.plan.max_traces;
            return NO_NODE;
        }
        let node = self.known_child(parent, step);
        if fails {
            self.negatives.push(node);
        } else {
            self.positives.push(node);
        }
        node
    }

    /// Appends the steps from the state of a node that lead on to `nexts`, and notes those that fail or pass.
    fn expand(&mut self, node: u32) -> Result<(), Interrupt> {
        let state = self.tree.state(node);
        let mut nexts = std::mem::take(&mut self.nexts);
        if !self.system.is_open(state) {
            self.states += 1;
            let first = nexts.len();
            self.system.successors(state, |label, target| {
                nexts.push(Next { step: Edge { label, state: target }, node: NO_NODE });
            });
            for next in &mut nexts[first..] {
                if self.key(next.step.label) == self.failing {
                    next.node = self.note(node, next.step);
                }
            }
            // What fails or cannot fail any more does not lead on.
            let mut kept = first;
            for at in first..nexts.len() {
                let target = nexts[at].step.state;
                if target != OUTSIDE && !self.system.is_violating(target) {
                    nexts[kept] = nexts[at];
                    kept += 1;
                }
            }
            nexts.truncate(kept);
        }
        self.nexts = nexts;
        self.pulse.beat(self.system.degree(state) + 1)
    }

    /// The node of a step to a state that was not visited before; nothing if it was.
    fn visit(&mut self, parent: u32, next: Next) -> Option<u32> {
        if !self.visited.insert(next.step.state) {
            return None;
        }
        // A step of the counterexample itself leads to where an earlier search began.
        Some(if next.node == NO_NODE { self.tree.child(parent, next.step) } else { next.node })
    }

    fn breadth_first(&mut self, start: usize) -> Result<(), Interrupt> {
        let root = self.spine[start];
        self.visited.insert(self.tree.state(root));
        let mut waiting = VecDeque::from([(root, 0)]);
        while let Some((node, depth)) = waiting.pop_front() {
            if depth == self.plan.depth {
                self.extend(node, start)?;
                continue;
            }
            self.expand(node)?;
            for at in 0..self.nexts.len() {
                if let Some(child) = self.visit(node, self.nexts[at]) {
                    waiting.push_back((child, depth + 1));
                }
            }
            self.nexts.clear();
        }
        Ok(())
    }

    fn best_first(&mut self, start: usize) -> Result<(), Interrupt> {
        let root = self.spine[start];
        self.visited.insert(self.tree.state(root));
        let mut waiting = BinaryHeap::from([(0, Reverse(0), Reverse(root))]);
        while let Some((_, Reverse(depth), Reverse(node))) = waiting.pop() {
            if depth == self.plan.depth {
                self.extend(node, start)?;
                continue;
            }
            self.expand(node)?;
            for at in 0..self.nexts.len() {
                let next = self.nexts[at];
                let place = self.last_place[self.key(next.step.label) as usize];
                if let Some(child) = self.visit(node, next) {
                    waiting.push((place, Reverse(depth + 1), Reverse(child)));
                }
            }
            self.nexts.clear();
        }
        Ok(())
    }

    fn depth_first(&mut self, start: usize) -> Result<(), Interrupt> {
        let root = self.spine[start];
        self.visited.insert(self.tree.state(root));
        // Each node on the way with where its steps begin in `nexts`, those left before the next node's.
        let mut way: Vec<(u32, usize)> = Vec::new();
        let mut entered = Some(root);
        loop {
            if let Some(node) = entered.take() {
                if way.len() as u32 == self.plan.depth {
                    self.extend(node, start)?;
                } else {
                    way.push((node, self.nexts.len()));
                    self.expand(node)?;
                    // The first step is taken first.
                    let first = way.last().map_or(0, |(_, first)| *first);
                    self.nexts[first..].reverse();
                }
            }
            let Some((node, first)) = way.last().copied() else { return Ok(()) };
            if self.nexts.len() == first {
                way.pop();
            } else if let Some(next) = self.nexts.pop() {
                entered = self.visit(node, next);
            }
        }
    }

    /// Goes on from where the bound cut a trace off as the counterexample does from any later place on.
    fn extend(&mut self, node: u32, start: usize) -> Result<(), Interrupt> {
        let steps = &self.plan.counterexample.steps;
        for place in start + self.plan.depth as usize..steps.len() {
            if self.followed > MOST_FOLLOWED {
                self.is_limited = true;
                return Ok(());
            }
            self.follow(node, &steps[place..])?;
        }
        Ok(())
    }

    fn follow(&mut self, mut node: u32, steps: &[Edge]) -> Result<(), Interrupt> {
        // The way is put into the tree only when it is known to lead to the end.
        let mut way: Vec<Edge> = Vec::new();
        let Some((last, before)) = steps.split_last() else { return Ok(()) };
        let mut state = self.tree.state(node);
        for step in before {
            let Some(edge) = self.step_like(state, step.label)? else { return Ok(()) };
            way.push(edge);
            state = edge.state;
        }
        let mut ends = Vec::new();
        let key = self.key(last.label);
        if !self.system.is_open(state) {
            self.system.successors(state, |label, target| {
                if self.plan.keys[label as usize] == key {
                    ends.push(Edge { label, state: target });
                }
            });
        }
        if !ends.is_empty() {
            for edge in way {
                node = self.known_child(node, edge);
            }
            for end in ends {
                self.note(node, end);
            }
        }
        Ok(())
    }

    /// A step with the same key to a state that was not visited and violates nothing.
    fn step_like(&mut self, state: u32, label: u32) -> Result<Option<Edge>, Interrupt> {
        let key = self.key(label);
        let degree = self.system.degree(state) + 1;
        self.followed += u64::from(degree);
        self.pulse.beat(degree)?;
        let mut found = None;
        if !self.system.is_open(state) {
            self.system.successors(state, |label, target| {
                if found.is_none()
                    && self.plan.keys[label as usize] == key
                    && target != OUTSIDE
                    && !self.system.is_violating(target)
                    && !self.visited.contains(target)
                {
                    found = Some(Edge { label, state: target });
                }
            });
        }
        Ok(found)
    }

    fn finish(self) -> Generated {
        let Self { tree, mut negatives, mut positives, states, is_limited, .. } = self;
        let mut on_negative = BitSet::new(tree.len());
        for negative in &negatives {
            let mut node = tree.parent(*negative);
            while let Some(at) = node.filter(|node| on_negative.insert(*node)) {
                node = tree.parent(at);
            }
        }
        positives.retain(|node| !on_negative.contains(*node));
        for list in [&mut negatives, &mut positives] {
            list.sort_by_cached_key(|node| (tree.length(*node), *node));
            list.dedup();
        }
        Generated { tree, negatives, positives, states, is_limited }
    }
}
