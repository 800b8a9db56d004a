//! Strong bisimulation in O(m log n): Paige and Tarjan's partition refinement (SIAM J. Comput. 1987)
//! with labels.
//!
//! Blocks of states lie in *constellations*. Every block is stable under every constellation: if one of
//! its members has an `a`-edge into the constellation, all have. As long as a constellation holds
//! several blocks, its smaller end is taken out as a constellation of its own, and blocks whose members
//! now differ are split in three by where their `a`-edges lead: only into the part taken out, into both
//! parts, only into the rest. The last group is never looked at. Every state is in the part taken out at
//! most log n times, because that part is at most half of its constellation.
//!
//! To tell "only" from "both" in constant time, all edges with the same source, label and target
//! constellation share a counter, as in the original. Valmari's variant (Petri Nets 2009) keeps the
//! edges themselves in refinable partitions instead; counters need one array where those need three,
//! and at millions of edges the running time is the number of arrays that are touched out of order.
//!
//! The refinement starts from the [`colour`](crate::colour) rounds: the colours before the last round
//! are the constellations, those after it the blocks. That blocks are stable is checked without hashes;
//! should two hashes ever have collided, refinement starts from a single constellation. States alone in
//! their block cannot be split, so their edges are left out: after the colour rounds that is often most
//! of the graph.

use std::ops::Range;

use graph::{Interrupt, StateGraph};

use crate::colour::{Colours, colour};
use crate::constellations::Constellations;
use crate::counters::Counters;
use crate::label_sort::LabelSort;
use crate::partition::Partition;
use crate::pulse::Pulse;
use crate::quotient::Classes;

/// The classes of states under strong bisimilarity, in no particular order.
pub(crate) fn strong_classes(graph: &StateGraph, pulse: &mut Pulse<'_>) -> Result<Classes, Interrupt> {
    let colours = colour(graph, pulse)?;
    if colours.after_count == graph.state_count() {
        return Ok(Classes::of_alike(colours.after, colours.after_count));
    }
    let refinement = match Refinement::from_colours(graph, colours, pulse)? {
        Some(refinement) => refinement,
        None => Refinement::from_labels(graph, pulse)?,
    };
    refinement.run(LabelSort::new(graph.labels.len()), pulse)
}

#[derive(Clone, Copy)]
struct Incoming {
    source: u32,
    label: u32,
    /// Which counter counts the edge.
    counter: u32,
}

struct Refinement {
    blocks: Partition,
    constellations: Constellations,
    /// The edges whose sources are not alone in their blocks, by target.
    incoming: Vec<Incoming>,
    offsets: Vec<u32>,
    counters: Counters,
    touched: Vec<u32>,
}

impl Refinement {
    /// Constellations and blocks from the last two rounds of colouring; nothing if hashes collided.
    fn from_colours(
        graph: &StateGraph,
        colours: Colours,
        pulse: &mut Pulse<'_>,
    ) -> Result<Option<Self>, Interrupt> {
        let Colours { before, before_count, mut after, after_count } = colours;
        let Some(constellation_of) = order_by_constellation(&before, before_count, &mut after, after_count)
        else {
            return Ok(None);
        };
        let blocks = Partition::by_key(after, after_count);
        let stable = is_stable(graph, &blocks, &before, pulse)?;
        if !stable {
            return Ok(None);
        }
        Self::new(graph, blocks, constellation_of, &before, pulse).map(Some)
    }

    /// One constellation; states in one block if they offer the same labels.
    fn from_labels(graph: &StateGraph, pulse: &mut Pulse<'_>) -> Result<Self, Interrupt> {
        let states = graph.state_count();
        let mut blocks = Partition::by_key(vec![0; states], states.min(1));
        let mut by_label = LabelSort::new(graph.labels.len());
        for state in 0..states as u32 {
            for edges in graph.edges(state).chunk_by(|one, other| one.label == other.label) {
                by_label.push(edges[0].label, state);
            }
            pulse.work(1, 1)?;
        }
        by_label.sort();
        let mut touched = Vec::new();
        for group in by_label.groups() {
            for state in group {
                if blocks.mark(*state) {
                    touched.push(blocks.block_of(*state));
                }
            }
            pulse.work(group.len(), blocks.block_count())?;
            for block in touched.drain(..) {
                blocks.split(block);
            }
        }
        let constellation_of = vec![0; blocks.block_count()];
        Self::new(graph, blocks, constellation_of, &vec![0; states], pulse)
    }

    /// `constellation` is that of every state.
    fn new(
        graph: &StateGraph,
        blocks: Partition,
        constellation_of: Vec<u32>,
        constellation: &[u32],
        pulse: &mut Pulse<'_>,
    ) -> Result<Self, Interrupt> {
        let constellations = Constellations::new(&blocks, constellation_of);
        let (offsets, incoming, counters) = incoming_edges(graph, &blocks, constellation, pulse)?;
        Ok(Self { blocks, constellations, incoming, offsets, counters, touched: Vec::new() })
    }

    fn run(mut self, mut by_label: LabelSort, pulse: &mut Pulse<'_>) -> Result<Classes, Interrupt> {
        while !self.incoming.is_empty()
            && let Some(places) = self.constellations.take(&self.blocks)
        {
            pulse.work(places.len(), self.blocks.block_count())?;
            self.gather(places, &mut by_label);
            for edges in by_label.groups() {
                pulse.work(edges.len(), self.blocks.block_count())?;
                self.refine(edges);
            }
        }
        let count = self.blocks.block_count();
        Ok(Classes::of_alike(self.blocks.into_blocks(), count))
    }

    /// Sorts the edges into the states at these places by label.
    fn gather(&self, places: Range<u32>, by_label: &mut LabelSort) {
        for place in places {
            let state = self.blocks.at(place) as usize;
            for edge in self.offsets[state]..self.offsets[state + 1] {
                by_label.push(self.incoming[edge as usize].label, edge);
            }
        }
        by_label.sort();
    }

    /// Splits blocks by the edges of one label into the block taken out.
    fn refine(&mut self, edges: &[u32]) {
        let Self { blocks, counters, touched, .. } = self;
        for edge in edges {
            let Incoming { source, counter, .. } = &mut self.incoming[*edge as usize];
            let block = blocks.block_of(*source);
            if blocks.size(block) > 1 && counters.shift(*source, counter) && blocks.mark(*source) {
                touched.push(block);
            }
        }
        self.split_touched();
        let Self { blocks, counters, touched, .. } = self;
        counters.settle(|source| {
            if blocks.mark(source) {
                touched.push(blocks.block_of(source));
            }
        });
        self.split_touched();
    }

    fn split_touched(&mut self) {
        for block in self.touched.drain(..) {
            if self.blocks.split(block).is_some() {
                self.constellations.block_split(block);
            }
        }
    }
}

/// Numbers the colours after the last round such that those of one colour before it are neighbours;
/// returns that colour of each. Nothing if a colour afterwards has two before: hashes collided.
fn order_by_constellation(
    before: &[u32],
    before_count: usize,
    after: &mut [u32],
    after_count: usize,
) -> Option<Vec<u32>> {
    let mut parent = vec![u32::MAX; after_count];
    for (before, after) in before.iter().zip(&*after) {
        let known = &mut parent[*after as usize];
        if *known == u32::MAX {
            *known = *before;
        } else if *known != *before {
            return None;
        }
    }
    let order = Partition::by_key(parent, before_count);
    let mut constellation_of = Vec::with_capacity(after_count);
    let mut renumbered = vec![0; after_count];
    for constellation in 0..before_count as u32 {
        for old in order.members(constellation) {
            renumbered[*old as usize] = constellation_of.len() as u32;
            constellation_of.push(constellation);
        }
    }
    for colour in after {
        *colour = renumbered[*colour as usize];
    }
    Some(constellation_of)
}

/// Whether all members of every block offer the same labels into the same constellations.
fn is_stable(
    graph: &StateGraph,
    blocks: &Partition,
    constellation: &[u32],
    pulse: &mut Pulse<'_>,
) -> Result<bool, Interrupt> {
    let signature = |state: u32, into: &mut Vec<(u32, u32)>| {
        into.clear();
        into.extend(graph.edges(state).iter().map(|edge| (edge.label, constellation[edge.state as usize])));
        into.sort_unstable();
        into.dedup();
    };
    let (mut first, mut other) = (Vec::new(), Vec::new());
    for block in 0..blocks.block_count() as u32 {
        let members = blocks.members(block);
        if members.len() < 2 {
            continue;
        }
        signature(members[0], &mut first);
        for member in &members[1..] {
            signature(*member, &mut other);
            if first != other {
                return Ok(false);
            }
            pulse.work(other.len() + 1, blocks.block_count())?;
        }
    }
    Ok(true)
}

type IncomingEdges = (Vec<u32>, Vec<Incoming>, Counters);

/// The edges whose sources are not alone in their blocks, by target, with their counters.
fn incoming_edges(
    graph: &StateGraph,
    blocks: &Partition,
    constellation: &[u32],
    pulse: &mut Pulse<'_>,
) -> Result<IncomingEdges, Interrupt> {
    let states = graph.state_count() as u32;
    let in_company = |state: u32| blocks.size(blocks.block_of(state)) > 1;
    let mut next = vec![0u32; states as usize + 1];
    for state in (0..states).filter(|state| in_company(*state)) {
        for edge in graph.edges(state) {
            next[edge.state as usize] += 1;
        }
        pulse.work(graph.edges(state).len(), blocks.block_count())?;
    }
    let mut sum = 0;
    for slot in &mut next {
        sum += std::mem::replace(slot, sum);
    }
    let offsets = next.clone();
    let mut incoming = vec![Incoming { source: 0, label: 0, counter: 0 }; sum as usize];
    let mut counters = Counters::new(graph.state_count());
    let mut run_by_constellation = Vec::new();
    for source in (0..states).filter(|state| in_company(*state)) {
        for run in graph.edges(source).chunk_by(|one, other| one.label == other.label) {
            run_by_constellation.clear();
            run_by_constellation
                .extend(run.iter().map(|edge| (constellation[edge.state as usize], edge.state)));
            if run.len() > 1 {
                run_by_constellation.sort_unstable();
            }
            for same in run_by_constellation.chunk_by(|one, other| one.0 == other.0) {
                let counter = counters.add(same.len());
                for (_, target) in same {
                    let slot = &mut next[*target as usize];
                    incoming[*slot as usize] = Incoming { source, label: run[0].label, counter };
                    *slot += 1;
                }
            }
        }
        pulse.work(graph.edges(source).len(), blocks.block_count())?;
    }
    Ok((offsets, incoming, counters))
}

#[cfg(test)]
mod tests {
    use graph::Unwatched;
    use testkit::naive_bisimulation::strong;
    use testkit::random::{Shape, for_random_inputs, random_graph};

    use super::*;

    /// No hash collision can be had for a test, so what happens after one is tested directly.
    #[test]
    fn refinement_from_labels_agrees_with_the_definition() {
        for_random_inputs(5_000, |random| {
            let shape = Shape::small(random);
            let graph = random_graph(random, shape);
            let mut pulse = Pulse::new(&Unwatched, "reducing");
            let start = Refinement::from_labels(&graph, &mut pulse).expect("nobody interrupts");
            let classes =
                start.run(LabelSort::new(graph.labels.len()), &mut pulse).expect("nobody interrupts");
            for (s, row) in strong(&graph).iter().enumerate() {
                for (t, related) in row.iter().enumerate() {
                    assert_eq!(classes.of[s] == classes.of[t], *related, "{s} and {t} of\n{graph:#?}");
                }
            }
        });
    }

    #[test]
    fn colours_that_are_not_stable_are_refused() {
        let graph = testkit::shapes::chain("a", 3);
        let mut pulse = Pulse::new(&Unwatched, "reducing");
        for (before, after, before_count) in
            [(vec![0, 0, 0], vec![0, 0, 0], 1), (vec![0, 1, 1], vec![0, 0, 0], 2)]
        {
            let colours = Colours { before, before_count, after, after_count: 1 };
            let start = Refinement::from_colours(&graph, colours, &mut pulse).expect("nobody interrupts");
            assert!(start.is_none());
        }
    }
}
