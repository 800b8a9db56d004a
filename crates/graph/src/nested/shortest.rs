//! Shortest traces with matched calls and returns.
//!
//! How far a node lies from the entry of its call is found for all entries at once, nearest first: a step over a
//! call is as long as the shortest way through it, which is known once its exit is (Knuth 1977, Dijkstra's
//! algorithm for grammars). How far an entry lies from the start of the program is an ordinary shortest way over
//! calls. Labels can be barred; then traces without them are found.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Nested, Target};
use crate::{BitSet, Interrupt, PULSE, Progress, Watch};

const FAR: u32 = u32::MAX;

/// How a step of a trace goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    Onward,
    Call,
    Return,
    Wrong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NestedStep {
    /// The node before the step.
    pub node: u32,
    pub label: u32,
    pub taken: Taken,
}

/// A trace with all its calls written out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NestedTrace {
    pub steps: Vec<NestedStep>,
    /// The node it ends in; that before its last step if that is wrong.
    pub last: u32,
}

/// How far everything is.
#[derive(Debug)]
pub struct Shortest<'g> {
    graph: &'g Nested,
    /// From the entry of its call to each node; to each exit.
    within: Vec<u32>,
    through: Vec<u32>,
    /// From the start of the program to each entry.
    to_entry: Vec<u32>,
    /// The last edge of the shortest ways: its source and label, and the exit it steps over or [`FAR`].
    by: Vec<[u32; 3]>,
    exit_by: Vec<[u32; 2]>,
    entry_by: Vec<[u32; 2]>,
}

impl<'g> Shortest<'g> {
    /// Without edges whose labels are in `barred`.
    pub fn new(graph: &'g Nested, barred: &BitSet, watch: &dyn Watch) -> Result<Self, Interrupt> {
        let mut shortest = Self {
            graph,
            within: vec![FAR; graph.node_count()],
            through: vec![FAR; graph.exit_count()],
            to_entry: vec![FAR; graph.entry_count()],
            by: vec![[FAR; 3]; graph.node_count()],
            exit_by: vec![[FAR; 2]; graph.exit_count()],
            entry_by: vec![[FAR; 2]; graph.entry_count()],
        };
        shortest.find_within(barred, watch)?;
        shortest.find_entries(barred);
        Ok(shortest)
    }

    fn find_within(&mut self, barred: &BitSet, watch: &dyn Watch) -> Result<(), Interrupt> {
        let graph = self.graph;
        let nodes = graph.node_count() as u32;
        // Exits are numbered behind the nodes.
        let mut waiting: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
        for start in &graph.starts {
            self.within[*start as usize] = 0;
            waiting.push(Reverse((0, *start)));
        }
        let mut settled = BitSet::new(graph.node_count() + graph.exit_count());
        let (mut work, mut next_pulse) = (0u64, PULSE);
        while let Some(Reverse((length, which))) = waiting.pop() {
            if !settled.insert(which) {
                continue;
            }
            if let Some(exit) = which.checked_sub(nodes) {
                for passage in graph.passages(exit) {
                    work += 1;
                    if settled.contains(passage.source) && !barred.contains(passage.label) {
                        let far = longer(longer(self.within[passage.source as usize], length), 1);
                        let by = [passage.source, passage.label, exit];
                        self.offer(passage.node, far, by, &mut waiting);
                    }
                }
            } else {
                for edge in graph.edges(which) {
                    work += 1;
                    if barred.contains(edge.label) {
                        continue;
                    }
                    match edge.target {
                        Target::Node(node) => {
                            self.offer(node, longer(length, 1), [which, edge.label, FAR], &mut waiting);
                        }
                        Target::Over { exit, node } if settled.contains(nodes + exit) => {
                            let far = longer(longer(length, self.through[exit as usize]), 1);
                            self.offer(node, far, [which, edge.label, exit], &mut waiting);
                        }
                        Target::Exit(exit) if longer(length, 1) < self.through[exit as usize] => {
                            self.through[exit as usize] = longer(length, 1);
                            self.exit_by[exit as usize] = [which, edge.label];
                            waiting.push(Reverse((longer(length, 1), nodes + exit)));
                        }
                        _ => {}
                    }
                }
            }
            if work >= next_pulse {
                next_pulse = work + PULSE;
                let phase = "looking for a shortest trace";
                watch.pulse(Progress { phase, edges: work, ..Progress::default() })?;
            }
        }
        Ok(())
    }

    fn offer(&mut self, node: u32, length: u32, by: [u32; 3], waiting: &mut BinaryHeap<Reverse<(u32, u32)>>) {
        if length < self.within[node as usize] {
            self.within[node as usize] = length;
            self.by[node as usize] = by;
            waiting.push(Reverse((length, node)));
        }
    }

    fn find_entries(&mut self, barred: &BitSet) {
        let graph = self.graph;
        let mut calls: Vec<Vec<(u32, u32, u32)>> = vec![Vec::new(); graph.entry_count()];
        for entry in 0..graph.entry_count() as u32 {
            for call in graph.callers(entry).iter().filter(|call| !barred.contains(call.label)) {
                if self.within[call.source as usize] != FAR {
                    calls[graph.entry_of(call.source) as usize].push((call.source, call.label, entry));
                }
            }
        }
        let mut waiting = BinaryHeap::new();
        if let Some(first) = self.to_entry.first_mut() {
            *first = 0;
            waiting.push(Reverse((0, 0u32)));
        }
        while let Some(Reverse((length, entry))) = waiting.pop() {
            if length > self.to_entry[entry as usize] {
                continue;
            }
            for (source, label, called) in &calls[entry as usize] {
                let far = longer(longer(length, self.within[*source as usize]), 1);
                if far < self.to_entry[*called as usize] {
                    self.to_entry[*called as usize] = far;
                    self.entry_by[*called as usize] = [*source, *label];
                    waiting.push(Reverse((far, *called)));
                }
            }
        }
    }

    /// How many steps it takes to a node from the start of the program.
    pub fn to(&self, node: u32) -> Option<u32> {
        let entry = self.to_entry[self.graph.entry_of(node) as usize];
        let within = self.within[node as usize];
        (entry != FAR && within != FAR).then(|| longer(entry, within))
    }

    /// How many steps it takes from the entry of its call to a node.
    pub fn within(&self, node: u32) -> Option<u32> {
        Some(self.within[node as usize]).filter(|length| *length != FAR)
    }

    /// How many steps it takes from an entry to an exit of it, the return included.
    pub fn through(&self, exit: u32) -> Option<u32> {
        Some(self.through[exit as usize]).filter(|length| *length != FAR)
    }

    /// A shortest trace to a node, and behind it a wrong step with a label if one is given; nothing if there is
    /// none of at most `most` steps.
    pub fn trace(&self, node: u32, wrong: Option<u32>, most: usize) -> Option<NestedTrace> {
        if self.to(node)? as usize >= most {
            return None;
        }
        let mut calls = Vec::new();
        let mut at = self.graph.entry_of(node);
        while at != 0 {
            let [source, label] = self.entry_by[at as usize];
            calls.push(NestedStep { node: source, label, taken: Taken::Call });
            at = self.graph.entry_of(source);
        }
        let mut steps = Vec::new();
        for call in calls.into_iter().rev() {
            self.write_within(call.node, &mut steps);
            steps.push(call);
        }
        self.write_within(node, &mut steps);
        steps.extend(wrong.map(|label| NestedStep { node, label, taken: Taken::Wrong }));
        Some(NestedTrace { steps, last: node })
    }

    /// Writes a shortest way through a call to an exit, the return included.
    pub fn write_through(&self, exit: u32, steps: &mut Vec<NestedStep>) {
        let [source, label] = self.exit_by[exit as usize];
        self.write_within(source, steps);
        steps.push(NestedStep { node: source, label, taken: Taken::Return });
    }

    /// Writes the way from the entry of its call to a node.
    fn write_within(&self, node: u32, steps: &mut Vec<NestedStep>) {
        enum Task {
            Way(u32),
            Step(NestedStep),
        }
        let mut tasks = vec![Task::Way(node)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Step(step) => steps.push(step),
                Task::Way(node) => {
                    let [source, label, exit] = self.by[node as usize];
                    if source == FAR {
                        continue;
                    }
                    let step = |node, label, taken| Task::Step(NestedStep { node, label, taken });
                    if exit == FAR {
                        tasks.push(step(source, label, Taken::Onward));
                    } else {
                        let [last, back] = self.exit_by[exit as usize];
                        tasks.push(step(last, back, Taken::Return));
                        tasks.push(Task::Way(last));
                        tasks.push(step(source, label, Taken::Call));
                    }
                    tasks.push(Task::Way(source));
                }
            }
        }
    }
}

/// The sum, below the mark of what is not reached.
fn longer(one: u32, other: u32) -> u32 {
    one.saturating_add(other).min(FAR - 1)
}
