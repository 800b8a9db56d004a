//! Graphs whose calls and returns match (Reps, Horwitz, Sagiv 1995; Ball, Rajamani: Bebop, 2000).
//!
//! A node is a path edge: a local state, together with the entry of the call it is reached in. So one node stands
//! for that state under every stack of callers, and the graph is finite where stacks have no bound. Besides plain
//! steps there are calls, which lead to an entry, returns, which lead to an exit of that entry, and steps over a
//! whole call: from the node that calls to where it goes on after one of the exits. A trace of the system is a
//! way through calls and returns that match; a step over a call stands for all ways through it.

mod shortest;

pub use shortest::{NestedStep, NestedTrace, Shortest, Taken};

use crate::BitSet;

/// Where an edge leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Node(u32),
    /// The entry of a call.
    Entry(u32),
    /// The node behind a call that ended in this exit.
    Over {
        exit: u32,
        node: u32,
    },
    /// Out of the call.
    Exit(u32),
    /// Something is wrong, as a number; nothing comes after it.
    Wrong(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NestedEdge {
    pub label: u32,
    pub target: Target,
}

/// The same edge seen from its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    pub source: u32,
    pub label: u32,
    /// The exit of the call that the edge steps over.
    pub over: Option<u32>,
}

/// A step over a call, by the exit of the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    pub source: u32,
    pub label: u32,
    pub node: u32,
}

#[derive(Debug, Default)]
pub struct Nested {
    entry_of: Vec<u32>,
    /// The node that each entry begins with.
    starts: Vec<u32>,
    /// The entry that each exit belongs to.
    exits: Vec<u32>,
    /// How many labels there are.
    labels: usize,
    edges: Lists<NestedEdge>,
    arrivals: Lists<Arrival>,
    callers: Lists<Arrival>,
    returns: Lists<Arrival>,
    passages: Lists<Passage>,
}

/// What a graph is made of.
#[derive(Debug, Default)]
pub struct NestedParts {
    /// The entry of the call that each node lies in.
    pub entry_of: Vec<u32>,
    /// The node that each entry begins with; the program begins with the first one.
    pub starts: Vec<u32>,
    /// The entry that each exit belongs to.
    pub exits: Vec<u32>,
    pub labels: usize,
    /// Edges in the order of their sources.
    pub edges: Vec<(u32, NestedEdge)>,
}

impl Nested {
    pub fn new(parts: NestedParts) -> Self {
        let NestedParts { entry_of, starts, exits, labels, edges } = parts;
        let (nodes, entries, outs) = (entry_of.len(), starts.len(), exits.len());
        let all = || edges.iter().map(|(source, edge)| (*source, *edge));
        let arrival = |source, label, over| Arrival { source, label, over };
        Self {
            edges: Lists::new(nodes, all()),
            arrivals: Lists::new(
                nodes,
                all().filter_map(|(source, edge)| match edge.target {
                    Target::Node(node) => Some((node, arrival(source, edge.label, None))),
                    Target::Over { exit, node } => Some((node, arrival(source, edge.label, Some(exit)))),
                    _ => None,
                }),
            ),
            callers: Lists::new(
                entries,
                all().filter_map(|(source, edge)| match edge.target {
                    Target::Entry(entry) => Some((entry, arrival(source, edge.label, None))),
                    _ => None,
                }),
            ),
            returns: Lists::new(
                outs,
                all().filter_map(|(source, edge)| match edge.target {
                    Target::Exit(exit) => Some((exit, arrival(source, edge.label, None))),
                    _ => None,
                }),
            ),
            passages: Lists::new(
                outs,
                all().filter_map(|(source, edge)| match edge.target {
                    Target::Over { exit, node } => Some((exit, Passage { source, label: edge.label, node })),
                    _ => None,
                }),
            ),
            entry_of,
            starts,
            exits,
            labels,
        }
    }

    pub fn node_count(&self) -> usize {
        self.entry_of.len()
    }

    pub fn edge_count(&self) -> usize {
        self.edges.items.len()
    }

    pub fn entry_count(&self) -> usize {
        self.starts.len()
    }

    pub fn exit_count(&self) -> usize {
        self.exits.len()
    }

    pub fn label_count(&self) -> usize {
        self.labels
    }

    /// The entry of the call that a node lies in.
    #[inline]
    pub fn entry_of(&self, node: u32) -> u32 {
        self.entry_of[node as usize]
    }

    /// The node that an entry begins with.
    #[inline]
    pub fn start(&self, entry: u32) -> u32 {
        self.starts[entry as usize]
    }

    #[inline]
    pub fn edges(&self, node: u32) -> &[NestedEdge] {
        self.edges.of(node)
    }

    /// The edges that lead to a node, those over calls included.
    #[inline]
    pub fn arrivals(&self, node: u32) -> &[Arrival] {
        self.arrivals.of(node)
    }

    /// The calls of an entry.
    #[inline]
    pub fn callers(&self, entry: u32) -> &[Arrival] {
        self.callers.of(entry)
    }

    /// The returns that leave by an exit.
    #[inline]
    pub fn returns(&self, exit: u32) -> &[Arrival] {
        self.returns.of(exit)
    }

    /// The steps over calls that ended in an exit.
    #[inline]
    pub fn passages(&self, exit: u32) -> &[Passage] {
        self.passages.of(exit)
    }

    /// Whether the program begins with this entry.
    pub fn is_first(&self, entry: u32) -> bool {
        entry == 0
    }

    /// Whether an entry can come to call itself: then the stack of calls has no bound.
    pub fn goes_round(&self) -> bool {
        let entries = self.entry_count();
        let mut calls = vec![0u32; entries];
        let mut callers: Vec<Vec<u32>> = vec![Vec::new(); entries];
        for entry in 0..entries as u32 {
            for caller in self.callers(entry) {
                callers[entry as usize].push(self.entry_of(caller.source));
            }
            callers[entry as usize].sort_unstable();
            callers[entry as usize].dedup();
            for caller in &callers[entry as usize] {
                calls[*caller as usize] += 1;
            }
        }
        let mut done: Vec<u32> = (0..entries as u32).filter(|entry| calls[*entry as usize] == 0).collect();
        let mut next = 0;
        while let Some(entry) = done.get(next).copied() {
            next += 1;
            for caller in &callers[entry as usize] {
                calls[*caller as usize] -= 1;
                if calls[*caller as usize] == 0 {
                    done.push(*caller);
                }
            }
        }
        done.len() < entries
    }

    /// The labels of all edges from which something is wrong, each once with what is wrong.
    pub fn wrong(&self) -> Vec<(u32, u32)> {
        let mut seen = BitSet::new(self.labels);
        let mut wrong: Vec<(u32, u32)> = Vec::new();
        for edge in &self.edges.items {
            if let Target::Wrong(what) = edge.target
                && (seen.insert(edge.label) || !wrong.contains(&(edge.label, what)))
            {
                wrong.push((edge.label, what));
            }
        }
        wrong
    }
}

/// A list of items for each number, all in one array.
#[derive(Debug)]
struct Lists<T> {
    ends: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { ends: Vec::new(), items: Vec::new() }
    }
}

impl<T: Copy> Lists<T> {
    /// Sorts the items by their numbers, keeping the order of those with the same number.
    fn new(count: usize, items: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut ends = vec![0u32; count + 1];
        for (number, _) in items.clone() {
            ends[number as usize + 1] += 1;
        }
        for number in 0..count {
            ends[number + 1] += ends[number];
        }
        let mut next: Vec<u32> = ends[..count].to_vec();
        let mut sorted: Vec<Option<T>> = vec![None; ends[count] as usize];
        for (number, item) in items {
            let at = &mut next[number as usize];
            sorted[*at as usize] = Some(item);
            *at += 1;
        }
        Self { ends: ends[1..].to_vec(), items: sorted.into_iter().flatten().collect() }
    }

    #[inline]
    fn of(&self, number: u32) -> &[T] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        &self.items[start..self.ends[number] as usize]
    }
}
