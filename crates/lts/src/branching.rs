//! Branching bisimulation in O(m log n).
//!
//! After Groote, Jansen, Keiren and Wijs (ACM TOCL 2017; for labels TACAS 2020): partition refinement in
//! which inert steps, silent ones inside a block, are looked through. Blocks lie in
//! [constellations](crate::constellations) and edges in [slices](crate::slices). A block is stable if
//! every label it offers into a constellation is offered there by each of its *bottom* states, those
//! without an inert step; every other state reaches a bottom state by inert steps, and so offers it,
//! too. Silent steps off the bottom into the block's own constellation are exempt, because they may be
//! inert.
//!
//! Two kinds of splits make blocks stable again, and either way the price is that of the
//! [smaller half](crate::halves):
//!
//! - Some bottom states offer a label into a constellation, and some do not. States that reach one of
//!   the former by inert steps are separated from those that do not. Both halves keep their bottom
//!   states and get no new ones, because whoever reaches a bottom state does so inside its half.
//! - A label is offered only off the bottom: its slice is lonely. States that reach it by inert steps are
//!   separated from those that do not. All old bottom states are among the latter, so the bottom states
//!   of the former are all new. Their edges are sorted into slices afresh, which every state pays for
//!   once in its life, and the new slices are checked.
//!
//! Asking the bottom states first is what keeps this simple: old and new bottom states never share a
//! block. It is right, because a state that reaches a bottom state `b` and a state that does not reach
//! any like it are not bisimilar: `b` can make no silent step inside the block, so whatever is
//! bisimilar to `b` has only bottom states like `b` below it.
//!
//! The refinement starts from the [`colour`](crate::colour) rounds. States alone in their block cannot
//! be split, so no books are kept on their edges.
//!
//! A block taken out of a constellation makes the constellation's slices split in two. For a bottom
//! state, [counters](crate::counters) tell which of the two it offers, as for strong bisimulation.

use std::ops::Range;

use graph::{Interrupt, StateGraph};

use crate::adjacency::Adjacency;
use crate::colour::colour_silently;
use crate::constellations::Constellations;
use crate::counters::Counters;
use crate::halves::{Half, SearchedBlock, Searches};
use crate::label_sort::LabelSort;
use crate::partition::Partition;
use crate::pulse::Pulse;
use crate::quotient::{Classes, NOWHERE};
use crate::silent_cycles::Silence;
use crate::slices::Slices;

/// The classes of states under branching bisimilarity, in no particular order. The graph has no cycles
/// of silent steps.
pub(crate) fn branching_classes(
    graph: &StateGraph,
    silence: &Silence,
    pulse: &mut Pulse<'_>,
) -> Result<Classes, Interrupt> {
    let Silence { tau, order } = silence;
    let colours = colour_silently(graph, *tau, order, pulse)?;
    let blocks = Partition::by_key(colours.after, colours.after_count);
    Refinement::new(graph, *tau, blocks).run(graph.labels.len(), pulse)
}

struct Refinement {
    edges: Adjacency,
    tau: u32,
    blocks: Partition,
    constellations: Constellations,
    slices: Slices,
    counters: Counters,
    /// Per edge.
    counter_of: Vec<u32>,
    /// Per state how many silent steps it has inside its block; a bottom state has none.
    inert: Vec<u32>,
    /// The bottom states, one set for every block.
    bottoms: Partition,
    bottoms_of: Vec<u32>,
    new_bottoms: Vec<u32>,
    searches: Searches,
    /// Blocks of which bottom states are marked.
    touched: Vec<u32>,
}

impl Refinement {
    /// One constellation of blocks that need not be stable.
    fn new(graph: &StateGraph, tau: u32, blocks: Partition) -> Self {
        let edges = Adjacency::new(graph, tau);
        let constellations = Constellations::new(&blocks, vec![0; blocks.block_count()]);
        let is_inert = |edge: &u32| {
            let (source, target) = (edges.source[*edge as usize], edges.target[*edge as usize]);
            blocks.block_of(source) == blocks.block_of(target)
        };
        let states = graph.state_count();
        let inert_steps = |state| edges.outgoing_with(state, tau).filter(is_inert).count() as u32;
        let inert: Vec<u32> = (0..states as u32).map(inert_steps).collect();
        let slices = Slices::new(graph.labels.len(), &edges, &blocks, &inert);
        let mut bottoms = Partition::empty(states);
        let mut bottoms_of = Vec::with_capacity(blocks.block_count());
        let mut new_bottoms = Vec::new();
        for block in 0..blocks.block_count() as u32 {
            new_bottoms.extend(blocks.members(block).iter().filter(|state| inert[**state as usize] == 0));
            bottoms_of.push(bottoms.append(&new_bottoms));
            new_bottoms.clear();
        }
        let (counters, counter_of) = Counters::by_label(graph);
        Self {
            edges,
            tau,
            blocks,
            constellations,
            slices,
            counters,
            counter_of,
            inert,
            bottoms,
            bottoms_of,
            new_bottoms,
            searches: Searches::new(states),
            touched: Vec::new(),
        }
    }

    fn run(mut self, labels: usize, pulse: &mut Pulse<'_>) -> Result<Classes, Interrupt> {
        let mut by_label = LabelSort::new(labels);
        self.settle(pulse)?;
        while let Some(places) = self.constellations.take(&self.blocks) {
            self.refine(places, &mut by_label, pulse)?;
            self.settle(pulse)?;
        }
        Ok(self.into_classes())
    }

    /// Splits blocks by a block that was taken out of its constellation, as far as bottom states go.
    fn refine(
        &mut self,
        places: Range<u32>,
        by_label: &mut LabelSort,
        pulse: &mut Pulse<'_>,
    ) -> Result<(), Interrupt> {
        pulse.work(places.len(), self.blocks.block_count())?;
        for place in places {
            for edge in self.edges.incoming(self.blocks.at(place)) {
                // A state alone in its block needs no book-keeping any more.
                if self.blocks.size(self.blocks.block_of(self.edges.source[*edge as usize])) > 1 {
                    by_label.push(self.edges.label[*edge as usize], *edge);
                }
            }
        }
        by_label.sort();
        for edges in by_label.groups() {
            pulse.work(edges.len(), self.blocks.block_count())?;
            self.refine_by_label(edges, pulse)?;
        }
        Ok(())
    }

    /// `edges` have the same label and lead into the block taken out.
    fn refine_by_label(&mut self, edges: &[u32], pulse: &mut Pulse<'_>) -> Result<(), Interrupt> {
        for edge in edges {
            self.slices.mark(*edge);
            let source = self.edges.source[*edge as usize];
            if self.counters.shift(source, &mut self.counter_of[*edge as usize]) {
                self.mark_bottom(source);
            }
        }
        self.slices.separate();
        self.split_touched(pulse)?;
        let Self { blocks, bottoms, counters, touched, inert, .. } = self;
        counters.settle(|source| {
            if inert[source as usize] == 0 && bottoms.mark(source) {
                touched.push(blocks.block_of(source));
            }
        });
        self.split_touched(pulse)
    }

    fn mark_bottom(&mut self, state: u32) {
        if self.inert[state as usize] == 0 && self.bottoms.mark(state) {
            self.touched.push(self.blocks.block_of(state));
        }
    }

    fn target_constellation(&self, edge: u32) -> u32 {
        self.constellations.of(self.blocks.block_of(self.edges.target[edge as usize]))
    }

    /// Whether the slice of an edge consists of silent steps into the constellation of its block. When
    /// that constellation is divided, so is the slice: the inert steps among its edges stay, and steps
    /// into the other part are noted as lonely then.
    fn is_exempt(&self, edge: u32) -> bool {
        let block = self.blocks.block_of(self.edges.source[edge as usize]);
        self.edges.label[edge as usize] == self.tau
            && self.constellations.of(block) == self.target_constellation(edge)
    }

    /// Makes all blocks stable under all constellations.
    fn settle(&mut self, pulse: &mut Pulse<'_>) -> Result<(), Interrupt> {
        loop {
            if let Some(slice) = self.slices.next_unchecked() {
                let size = self.slices.members(slice).len();
                for at in 0..size {
                    self.mark_bottom(self.edges.source[self.slices.members(slice)[at] as usize]);
                }
                pulse.work(size, self.blocks.block_count())?;
                self.split_touched(pulse)?;
            } else if let Some(slice) = self.slices.next_lonely() {
                if !self.is_exempt(self.slices.members(slice)[0]) {
                    self.split_by_lonely(slice, pulse)?;
                }
            } else {
                return Ok(());
            }
        }
    }

    fn split_touched(&mut self, pulse: &mut Pulse<'_>) -> Result<(), Interrupt> {
        while let Some(block) = self.touched.pop() {
            self.split_by_bottoms(block, pulse)?;
        }
        Ok(())
    }

    /// Separates the states of a block that reach marked bottom states from those that do not.
    fn split_by_bottoms(&mut self, block: u32, pulse: &mut Pulse<'_>) -> Result<(), Interrupt> {
        let others = self.bottoms_of[block as usize];
        let (marked, unmarked) = self.bottoms.marked_and_unmarked(others);
        let half = if marked.is_empty() || unmarked.is_empty() {
            None
        } else {
            let searched = searched(&self.edges, &self.blocks, block, &self.inert);
            let (goal, off_goal) = (marked.iter().copied(), unmarked.iter().copied());
            Some(self.searches.divide(&searched, goal, off_goal, |_| (false, 0)))
        };
        let (Some(half), Some(marked)) = (half, self.bottoms.split_off_marked(others)) else { return Ok(()) };
        self.split_block(block, half, pulse)?;
        match half {
            Half::Reaching => self.bottoms_of.push(marked),
            Half::Avoiding => {
                self.bottoms_of[block as usize] = marked;
                self.bottoms_of.push(others);
            }
        }
        debug_assert!(self.new_bottoms.is_empty());
        Ok(())
    }

    /// Separates the states that reach a slice which no bottom state is part of.
    fn split_by_lonely(&mut self, slice: u32, pulse: &mut Pulse<'_>) -> Result<(), Interrupt> {
        let members = self.slices.members(slice);
        let label = self.edges.label[members[0] as usize];
        let constellation = self.target_constellation(members[0]);
        let block = self.blocks.block_of(self.edges.source[members[0] as usize]);
        let old_bottoms = self.bottoms_of[block as usize];
        let half = self.searches.divide(
            &searched(&self.edges, &self.blocks, block, &self.inert),
            members.iter().map(|edge| self.edges.source[*edge as usize]),
            self.bottoms.members(old_bottoms).iter().copied(),
            |state| {
                let mut edges = self.edges.outgoing_with(state, label);
                let cost = edges.len();
                let offers = edges.any(|edge| {
                    let target = self.edges.target[edge as usize];
                    self.constellations.of(self.blocks.block_of(target)) == constellation
                });
                (offers, cost)
            },
        );
        let new_block = self.split_block(block, half, pulse)?;
        let new_bottoms = self.bottoms.append(&self.new_bottoms);
        match half {
            Half::Reaching => self.bottoms_of.push(new_bottoms),
            Half::Avoiding => {
                self.bottoms_of[block as usize] = new_bottoms;
                self.bottoms_of.push(old_bottoms);
            }
        }
        debug_assert_eq!(new_block as usize + 1, self.bottoms_of.len());
        for state in self.new_bottoms.drain(..) {
            for edge in self.edges.outgoing(state) {
                self.slices.mark(edge);
            }
        }
        self.slices.separate_bottom();
        Ok(())
    }

    /// Makes the half that was found a block of its own and notes states that have become bottom ones.
    fn split_block(&mut self, block: u32, half: Half, pulse: &mut Pulse<'_>) -> Result<u32, Interrupt> {
        let Self { edges, blocks, slices, inert, new_bottoms, searches, .. } = self;
        pulse.work(searches.work(), blocks.block_count())?;
        let found = searches.found(half);
        let new_block = blocks.split_off(block, found);
        self.constellations.block_split(block);
        let mut lose_inert_step = |state: u32| {
            inert[state as usize] -= 1;
            if inert[state as usize] == 0 {
                new_bottoms.push(state);
            }
        };
        for state in found {
            for edge in edges.outgoing(*state) {
                slices.mark(edge);
                if edges.label[edge as usize] == self.tau
                    && blocks.block_of(edges.target[edge as usize]) == block
                {
                    lose_inert_step(*state);
                }
            }
            for source in edges.silent_incoming(*state) {
                if blocks.block_of(*source) == block {
                    lose_inert_step(*source);
                }
            }
        }
        slices.separate();
        Ok(new_block)
    }

    /// Every class is represented by its first bottom state, which offers all that the class does.
    fn into_classes(self) -> Classes {
        let mut representative = vec![NOWHERE; self.blocks.block_count()];
        for state in (0..self.edges.states() as u32).rev().filter(|state| self.inert[*state as usize] == 0) {
            representative[self.blocks.block_of(state) as usize] = state;
        }
        Classes { of: self.blocks.into_blocks(), representative }
    }
}

fn searched<'a>(
    edges: &'a Adjacency,
    blocks: &'a Partition,
    block: u32,
    inert: &'a [u32],
) -> SearchedBlock<'a> {
    SearchedBlock {
        blocks,
        block,
        silent_sources: &edges.silent_sources,
        silent_offsets: &edges.silent_offsets,
        inert,
    }
}

#[cfg(test)]
mod tests {
    use graph::Unwatched;
    use testkit::naive_bisimulation::branching;
    use testkit::random::{Random, Shape, for_random_inputs, random_graph};

    use super::*;
    use crate::Tau;
    use crate::silent_cycles::{Contraction, contract};

    /// Colours leave little to do in small graphs, so here refinement starts from a single block.
    fn check_from_one_block(random: &mut Random, shape: Shape) {
        let mut pulse = Pulse::new(&Unwatched, "reducing");
        let original = random_graph(random, shape);
        let silent = Tau::default().silent(&original.labels);
        let contraction = contract(&original, &silent, &mut pulse).expect("nobody interrupts");
        let Contraction { graph, silence: Some(Silence { tau, .. }), .. } = contraction else { return };
        let states = graph.state_count();
        let start = Refinement::new(&graph, tau, Partition::by_key(vec![0; states], states.min(1)));
        let classes = start.run(graph.labels.len(), &mut pulse).expect("nobody interrupts");
        for (s, row) in branching(&graph, |label| Tau::default().is_silent(label)).iter().enumerate() {
            for (t, related) in row.iter().enumerate() {
                assert_eq!(classes.of[s] == classes.of[t], *related, "{s} and {t} of\n{graph:#?}");
            }
        }
    }

    #[test]
    fn refinement_agrees_with_the_definition_on_random_graphs() {
        for_random_inputs(20_000, |random| {
            let shape = Shape::small(random);
            check_from_one_block(random, shape);
        });
    }

    #[test]
    fn refinement_agrees_with_the_definition_on_larger_graphs() {
        for_random_inputs(100, |random| {
            let states = random.between(20, 60);
            let (edges, labels) = (random.between(states, 2 * states), random.between(1, 2));
            let (silent, back) = (random.between(30, 80), random.below(30));
            check_from_one_block(random, Shape { states, labels, edges, silent, back });
        });
    }
}
