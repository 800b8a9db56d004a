//! The edges of a graph in slices: one slice for every source block, label and target constellation,
//! once for edges from bottom states and once for edges from others.
//!
//! A *bottom* state has no inert step, that is no silent step inside its block. A block is stable if its
//! bottom states all offer the same, and nothing is offered that they do not offer: every slice from
//! states that are not bottom has a *twin*, the slice from bottom states with the same block, label and
//! constellation. A slice without one is *lonely*, which is how the need of a split is noticed.
//!
//! Slices only ever split: edges that change their block or their constellation are marked and
//! separated, in time proportional to their number.

use crate::adjacency::Adjacency;
use crate::partition::Partition;

const NONE: u32 = u32::MAX;

pub(crate) struct Slices {
    edges: Partition,
    twin: Vec<u32>,
    from_bottom: Vec<bool>,
    /// Slices that lost or never had a twin; to be checked again when they are looked at.
    lonely: Vec<u32>,
    /// Slices from bottom states that may not have all of them as sources.
    unchecked: Vec<u32>,
    is_unchecked: Vec<bool>,
    touched: Vec<u32>,
    /// Per touched slice where its marked edges went.
    piece: Vec<u32>,
}

impl Slices {
    /// One constellation of some blocks. All slices from bottom states are unchecked, except those of
    /// states that are alone in their blocks: they need none, and share the first slice.
    pub(crate) fn new(labels: usize, adjacency: &Adjacency, blocks: &Partition, inert: &[u32]) -> Self {
        let mut key = vec![0; adjacency.label.len()];
        let mut twins = Vec::new();
        let mut count = 1;
        // Per label its slices in the block at hand: off the bottom, and from bottom states.
        let mut slices_of = vec![[NONE; 2]; labels];
        let mut labels_of_block = Vec::new();
        for block in (0..blocks.block_count() as u32).filter(|block| blocks.size(*block) > 1) {
            for state in blocks.members(block) {
                let is_bottom = inert[*state as usize] == 0;
                for edge in adjacency.outgoing(*state) {
                    let label = adjacency.label[edge as usize];
                    let pair = &mut slices_of[label as usize];
                    if *pair == [NONE; 2] {
                        labels_of_block.push(label);
                    }
                    let slice = &mut pair[usize::from(is_bottom)];
                    if *slice == NONE {
                        *slice = count;
                        count += 1;
                    }
                    key[edge as usize] = *slice;
                }
            }
            let pairs = labels_of_block.drain(..);
            twins.extend(pairs.map(|label| std::mem::replace(&mut slices_of[label as usize], [NONE; 2])));
        }
        let count = count as usize;
        let mut slices = Self {
            edges: Partition::by_key(key, count),
            twin: vec![NONE; count],
            from_bottom: vec![false; count],
            lonely: Vec::new(),
            unchecked: Vec::new(),
            is_unchecked: vec![false; count],
            touched: Vec::new(),
            piece: vec![NONE; count],
        };
        for [off_bottom, bottom] in twins {
            if bottom != NONE {
                slices.from_bottom[bottom as usize] = true;
                slices.doubt(bottom);
            }
            slices.pair(off_bottom, bottom);
        }
        slices
    }

    pub(crate) fn members(&self, slice: u32) -> &[u32] {
        self.edges.members(slice)
    }

    /// A lonely slice, if there is one left; some are none of the caller's business.
    pub(crate) fn next_lonely(&mut self) -> Option<u32> {
        while let Some(slice) = self.lonely.pop() {
            if self.is_lonely(slice) {
                return Some(slice);
            }
        }
        None
    }

    fn is_lonely(&self, slice: u32) -> bool {
        self.twin[slice as usize] == NONE && !self.from_bottom[slice as usize]
    }

    /// Notes a slice to be looked at if it is lonely.
    fn note(&mut self, slice: u32) {
        if self.is_lonely(slice) {
            self.lonely.push(slice);
        }
    }

    pub(crate) fn next_unchecked(&mut self) -> Option<u32> {
        let slice = self.unchecked.pop()?;
        self.is_unchecked[slice as usize] = false;
        Some(slice)
    }

    fn doubt(&mut self, slice: u32) {
        self.is_unchecked[slice as usize] = true;
        self.unchecked.push(slice);
    }

    /// Marks an edge that leaves its slice with the next [`separate`](Self::separate).
    #[inline]
    pub(crate) fn mark(&mut self, edge: u32) {
        if self.edges.mark(edge) {
            self.touched.push(self.edges.block_of(edge));
        }
    }

    /// Separates the marked edges: they all got another source block, or all another target
    /// constellation, so twins among them stay twins.
    pub(crate) fn separate(&mut self) {
        self.split_touched();
        let mut touched = std::mem::take(&mut self.touched);
        for slice in touched.drain(..) {
            let moved = std::mem::replace(&mut self.piece[slice as usize], NONE);
            if moved == NONE {
                // Done together with its twin.
                continue;
            }
            let twin = self.twin[slice as usize];
            let moved_twin =
                if twin == NONE { NONE } else { std::mem::replace(&mut self.piece[twin as usize], NONE) };
            let left = if moved == slice { NONE } else { slice };
            let left_twin = if moved_twin == twin { NONE } else { twin };
            self.pair(moved, moved_twin);
            self.pair(left, left_twin);
        }
        self.touched = touched;
    }

    /// Separates the marked edges, whose sources have become the only bottom states of a block: the
    /// edges are twins of those they leave behind.
    pub(crate) fn separate_bottom(&mut self) {
        self.split_touched();
        let mut touched = std::mem::take(&mut self.touched);
        for slice in touched.drain(..) {
            let moved = std::mem::replace(&mut self.piece[slice as usize], NONE);
            self.from_bottom[moved as usize] = true;
            self.doubt(moved);
            if moved != slice {
                self.pair(slice, moved);
            }
        }
        self.touched = touched;
    }

    fn split_touched(&mut self) {
        for slice in &self.touched {
            self.piece[*slice as usize] = match self.edges.split_off_marked(*slice) {
                None => *slice,
                Some(new) => {
                    self.twin.push(NONE);
                    self.piece.push(NONE);
                    self.from_bottom.push(self.from_bottom[*slice as usize]);
                    self.is_unchecked.push(self.is_unchecked[*slice as usize]);
                    if self.is_unchecked[*slice as usize] {
                        self.unchecked.push(new);
                    }
                    new
                }
            };
        }
    }

    /// Makes two slices twins, or one lonely if the other is none.
    fn pair(&mut self, one: u32, other: u32) {
        for (slice, twin) in [(one, other), (other, one)] {
            if slice != NONE {
                self.twin[slice as usize] = twin;
                self.note(slice);
            }
        }
    }
}
