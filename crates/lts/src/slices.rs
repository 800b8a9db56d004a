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
    /// One block, one constellation: `label` and `is_bottom` of the source for every edge in turn. All
    /// slices from bottom states are unchecked.
    pub(crate) fn new(labels: usize, edges: impl ExactSizeIterator<Item = (u32, bool)>) -> Self {
        let mut slice_of_kind = vec![NONE; 2 * labels];
        let mut count = 0;
        let mut key = Vec::with_capacity(edges.len());
        for (label, is_bottom) in edges {
            let slice = &mut slice_of_kind[2 * label as usize + usize::from(is_bottom)];
            if *slice == NONE {
                *slice = count;
                count += 1;
            }
            key.push(*slice);
        }
        let size = count as usize;
        let mut slices = Self {
            edges: Partition::by_key(key, size),
            twin: vec![NONE; size],
            from_bottom: vec![false; size],
            lonely: Vec::new(),
            unchecked: Vec::new(),
            is_unchecked: vec![false; size],
            touched: Vec::new(),
            piece: vec![NONE; size],
        };
        for kinds in slice_of_kind.chunks_exact(2) {
            if kinds[1] != NONE {
                slices.from_bottom[kinds[1] as usize] = true;
                slices.doubt(kinds[1]);
            }
            slices.pair(kinds[0], kinds[1]);
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
