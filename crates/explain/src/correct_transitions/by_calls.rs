//! Correct transitions call by call: the paper's Figures 5 and 6.
//!
//! Going back from where correct traces end must not leave a call by another caller than it was entered from. So
//! there are two phases. The first goes back inside of calls that are still open at the end, over calls that are
//! complete, and up to the callers of open ones. The second goes back inside of the complete calls, from their
//! returns, and never up. The paper's figures leave out the edges into and out of complete calls; they lie on
//! correct traces as well and belong to them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use graph::{BitSet, Interrupt, Nested, NestedStep, NestedTrace, Shortest, Taken, Target, Watch};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Engine;
use crate::pulse::Pulse;
use crate::recheck::{Recheck, on_no_correct_trace_of_calls};

/// An error trace of more steps is not written out.
const LONGEST: usize = 1 << 16;

/// Answers from a graph of calls that match their returns.
pub struct ByCalls<'g> {
    graph: &'g Nested,
    /// The errors: a node, and the label of the wrong step; none for a deadlock.
    errors: Vec<(u32, Option<u32>)>,
    /// Where correct traces end.
    ends: BitSet,
    /// Nodes from which a correct trace can go on without leaving their call.
    leading: BitSet,
    /// Nodes from which a complete call on a correct trace can go on to its return.
    inner: BitSet,
    /// Exits of such calls.
    exits: BitSet,
    labels: BitSet,
    unbarred: Shortest<'g>,
    watch: &'g dyn Watch,
}

impl std::fmt::Debug for ByCalls<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ByCalls").field("errors", &self.errors).finish_non_exhaustive()
    }
}

impl<'g> ByCalls<'g> {
    /// `ends` are the nodes where correct traces end.
    pub fn new(
        graph: &'g Nested,
        errors: Vec<(u32, Option<u32>)>,
        ends: BitSet,
        watch: &'g dyn Watch,
    ) -> Result<Self, Interrupt> {
        let labels = BitSet::new(graph.label_count());
        let unbarred = Shortest::new(graph, &labels, watch)?;
        let nodes = graph.node_count();
        let mut found = Self {
            graph,
            errors,
            ends,
            leading: BitSet::new(nodes),
            inner: BitSet::new(nodes),
            exits: BitSet::new(graph.exit_count()),
            labels,
            unbarred,
            watch,
        };
        found.go_up()?;
        found.go_down()?;
        Ok(found)
    }

    /// The first phase.
    fn go_up(&mut self) -> Result<(), Interrupt> {
        let mut pulse = Pulse::new("looking for correct transitions", self.watch);
        let mut waiting: Vec<u32> = self.ends.iter().collect();
        for node in &waiting {
            self.leading.insert(*node);
        }
        while let Some(node) = waiting.pop() {
            let arrivals = self.graph.arrivals(node);
            let entry = self.graph.entry_of(node);
            let callers = if self.graph.start(entry) == node { self.graph.callers(entry) } else { &[] };
            for arrival in arrivals.iter().chain(callers) {
                self.labels.insert(arrival.label);
                if let Some(exit) = arrival.over {
                    self.exits.insert(exit);
                }
                if self.leading.insert(arrival.source) {
                    waiting.push(arrival.source);
                }
            }
            pulse.beat((arrivals.len() + callers.len()) as u32)?;
        }
        Ok(())
    }

    /// The second phase.
    fn go_down(&mut self) -> Result<(), Interrupt> {
        let mut pulse = Pulse::new("looking for correct transitions", self.watch);
        let mut calls: Vec<u32> = self.exits.iter().collect();
        let mut waiting = Vec::new();
        while let Some(exit) = calls.pop() {
            for back in self.graph.returns(exit) {
                self.labels.insert(back.label);
                if self.inner.insert(back.source) {
                    waiting.push(back.source);
                }
            }
            while let Some(node) = waiting.pop() {
                let arrivals = self.graph.arrivals(node);
                for arrival in arrivals {
                    self.labels.insert(arrival.label);
                    if let Some(exit) = arrival.over
                        && self.exits.insert(exit)
                    {
                        calls.push(exit);
                    }
                    if self.inner.insert(arrival.source) {
                        waiting.push(arrival.source);
                    }
                }
                pulse.beat(arrivals.len() as u32)?;
            }
        }
        Ok(())
    }

    /// Whether a correct trace can go on from a node under these open calls.
    fn leads_on(&self, calls: &[NestedStep], node: u32) -> bool {
        let mut here = vec![node];
        for call in calls.iter().rev() {
            if here.iter().any(|node| self.leading.contains(*node)) {
                return true;
            }
            let exits = self.ways_out(here);
            let behind = self.graph.edges(call.node).iter().filter_map(|edge| match edge.target {
                Target::Over { exit, node } if edge.label == call.label && exits.contains(&exit) => {
                    Some(node)
                }
                _ => None,
            });
            here = behind.collect();
        }
        here.iter().any(|node| self.leading.contains(*node))
    }

    /// The exits of a call that can be reached from nodes in it.
    fn ways_out(&self, mut waiting: Vec<u32>) -> FxHashSet<u32> {
        let mut seen: FxHashSet<u32> = waiting.iter().copied().collect();
        let mut exits = FxHashSet::default();
        while let Some(node) = waiting.pop() {
            for edge in self.graph.edges(node) {
                match edge.target {
                    Target::Node(to) | Target::Over { node: to, .. } if seen.insert(to) => waiting.push(to),
                    Target::Exit(exit) => _ = exits.insert(exit),
                    _ => {}
                }
            }
        }
        exits
    }
}

/// The calls that are open after so many steps.
fn open_calls(steps: &[NestedStep]) -> Vec<NestedStep> {
    let mut calls = Vec::new();
    for step in steps {
        match step.taken {
            Taken::Call => calls.push(*step),
            Taken::Return => _ = calls.pop(),
            Taken::Onward | Taken::Wrong => {}
        }
    }
    calls
}

impl Engine for ByCalls<'_> {
    type Trace = NestedTrace;

    fn label_count(&self) -> usize {
        self.graph.label_count()
    }

    fn is_any_correct(&self) -> bool {
        self.graph.entry_count() > 0 && self.leading.contains(self.graph.start(0))
    }

    fn error_trace(&mut self, halted: &BitSet) -> Result<Option<NestedTrace>, Interrupt> {
        let shortest = Shortest::new(self.graph, halted, self.watch)?;
        let free = self.errors.iter().filter(|(_, label)| label.is_none_or(|label| !halted.contains(label)));
        let near = free.filter_map(|(node, label)| Some((shortest.to(*node)?, *node, *label)));
        let Some((_, node, label)) = near.min() else { return Ok(None) };
        Ok(shortest.trace(node, label, LONGEST))
    }

    fn labels(&self, trace: &NestedTrace) -> Vec<u32> {
        trace.steps.iter().map(|step| step.label).collect()
    }

    fn places(&self, trace: &NestedTrace) -> Vec<u32> {
        trace.steps.iter().map(|step| step.node).collect()
    }

    fn takes(&self, label: u32) -> bool {
        self.labels.contains(label)
    }

    fn led_on(&self, trace: &NestedTrace) -> Option<usize> {
        // Once no correct trace can come of it, none can ever after.
        let leads =
            |after: &usize| self.leads_on(&open_calls(&trace.steps[..*after]), node_after(trace, *after));
        let positions: Vec<usize> = (0..trace.steps.len()).collect();
        positions.partition_point(leads).checked_sub(1)
    }

    fn way_on(&self, trace: &NestedTrace, after: usize, without: Option<u32>) -> Option<Vec<u32>> {
        let mut barred = BitSet::new(self.graph.label_count());
        let fresh = match without {
            None => None,
            Some(label) => {
                barred.insert(label);
                Some(Shortest::new(self.graph, &barred, self.watch).ok()?)
            }
        };
        let shortest = fresh.as_ref().unwrap_or(&self.unbarred);
        let calls = open_calls(&trace.steps[..after]);
        let way = Way { graph: self.graph, shortest, barred: &barred, calls: &calls };
        way.to_an_end(node_after(trace, after), &self.ends)
    }

    fn visits(&self, visit: &mut dyn FnMut(u32, u32)) {
        for node in 0..self.graph.node_count() as u32 {
            for edge in self.graph.edges(node) {
                let goes_on = |to: u32| self.leading.contains(to) || self.inner.contains(to);
                let is_correct = match edge.target {
                    Target::Node(to) => goes_on(to),
                    Target::Over { exit, node } => goes_on(node) && self.exits.contains(exit),
                    Target::Entry(entry) => self.leading.contains(self.graph.start(entry)),
                    Target::Exit(exit) => self.exits.contains(exit),
                    Target::Wrong(_) => false,
                };
                if is_correct {
                    visit(edge.label, node);
                }
            }
        }
    }

    fn recheck(&self, is_such: &dyn Fn(u32, u32) -> bool) -> Recheck {
        on_no_correct_trace_of_calls(self.graph, is_such, &|node| self.ends.contains(node), self.watch)
    }
}

/// The node in which so many steps of a trace end; there is one for all but a wrong one.
fn node_after(trace: &NestedTrace, after: usize) -> u32 {
    trace.steps.get(after).map_or(trace.last, |step| step.node)
}

/// A shortest way from under some open calls.
struct Way<'a> {
    graph: &'a Nested,
    shortest: &'a Shortest<'a>,
    barred: &'a BitSet,
    calls: &'a [NestedStep],
}

/// How many of the open calls are left; one more for calls that were made on the way, from which no return is
/// needed.
type Spot = (usize, u32);

#[derive(Clone, Copy)]
enum Leg {
    Step(u32),
    Over { label: u32, exit: u32 },
}

impl Way<'_> {
    fn to_an_end(&self, start: u32, ends: &BitSet) -> Option<Vec<u32>> {
        let first: Spot = (self.calls.len(), start);
        let mut from: FxHashMap<Spot, (Spot, Leg)> = FxHashMap::default();
        let mut lengths: FxHashMap<Spot, u32> = FxHashMap::from_iter([(first, 0)]);
        let mut waiting = BinaryHeap::from([Reverse((0u32, first))]);
        while let Some(Reverse((length, spot))) = waiting.pop() {
            if length > lengths[&spot] {
                continue;
            }
            if ends.contains(spot.1) {
                return Some(self.labels(first, spot, &from));
            }
            self.legs(spot, &mut |to, leg, cost: u32| {
                let length = length.saturating_add(cost);
                let known = lengths.entry(to).or_insert(u32::MAX);
                if length < *known {
                    *known = length;
                    from.insert(to, (spot, leg));
                    waiting.push(Reverse((length, to)));
                }
            });
        }
        None
    }

    fn legs(&self, (left, node): Spot, visit: &mut dyn FnMut(Spot, Leg, u32)) {
        let made = self.calls.len() + 1;
        for edge in self.graph.edges(node).iter().filter(|edge| !self.barred.contains(edge.label)) {
            match edge.target {
                Target::Node(to) => visit((left, to), Leg::Step(edge.label), 1),
                Target::Entry(entry) => visit((made, self.graph.start(entry)), Leg::Step(edge.label), 1),
                Target::Over { exit, node: to } => {
                    if let Some(length) = self.shortest.through(exit) {
                        visit((left, to), Leg::Over { label: edge.label, exit }, length.saturating_add(1));
                    }
                }
                Target::Exit(exit) if left > 0 && left < made => {
                    let call = self.calls[left - 1];
                    for behind in self.graph.edges(call.node).iter().filter(|other| other.label == call.label)
                    {
                        if let Target::Over { exit: by, node: to } = behind.target
                            && by == exit
                        {
                            visit((left - 1, to), Leg::Step(edge.label), 1);
                        }
                    }
                }
                Target::Exit(_) | Target::Wrong(_) => {}
            }
        }
    }

    fn labels(&self, first: Spot, last: Spot, from: &FxHashMap<Spot, (Spot, Leg)>) -> Vec<u32> {
        let mut legs = Vec::new();
        let mut at = last;
        while at != first {
            let (before, leg) = from[&at];
            legs.push(leg);
            at = before;
        }
        let mut labels = Vec::new();
        let mut inside = Vec::new();
        for leg in legs.into_iter().rev() {
            match leg {
                Leg::Step(label) => labels.push(label),
                Leg::Over { label, exit } => {
                    labels.push(label);
                    inside.clear();
                    self.shortest.write_through(exit, &mut inside);
                    labels.extend(inside.iter().map(|step| step.label));
                }
            }
        }
        labels
    }
}
