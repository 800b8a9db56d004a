//! Which unions of blocks have served as splitters.
//!
//! A partition is refined until every block is stable under every block. On the way it is stable under
//! *constellations*, unions of blocks. A constellation of several blocks is work to do: one block of at
//! most half its size is taken out (Paige and Tarjan's "process the smaller half"). Blocks lie in one
//! array, and a constellation is a stretch of it; the smaller of its first and last block is at most
//! half of it, so no lists are kept.

use std::ops::Range;

use crate::partition::Partition;

struct Constellation {
    start: u32,
    end: u32,
    queued: bool,
}

pub(crate) struct Constellations {
    all: Vec<Constellation>,
    of_block: Vec<u32>,
    /// Those that may hold several blocks.
    queue: Vec<u32>,
}

impl Constellations {
    /// `of_block` is the constellation of every block; blocks of one constellation are neighbours.
    pub(crate) fn new(blocks: &Partition, of_block: Vec<u32>) -> Self {
        let count = of_block.iter().max().map_or(0, |last| *last + 1);
        let mut all = Vec::new();
        all.resize_with(count as usize, || Constellation { start: u32::MAX, end: 0, queued: true });
        for (block, constellation) in of_block.iter().enumerate() {
            let range = blocks.range(block as u32);
            let whole = &mut all[*constellation as usize];
            whole.start = whole.start.min(range.start);
            whole.end = whole.end.max(range.end);
        }
        Self { all, of_block, queue: (0..count).rev().collect() }
    }

    #[inline]
    pub(crate) fn of(&self, block: u32) -> u32 {
        self.of_block[block as usize]
    }

    /// Takes a block out of a constellation of several, if there is one left; returns where its states
    /// stand, however they are divided into blocks later.
    pub(crate) fn take(&mut self, blocks: &Partition) -> Option<Range<u32>> {
        while let Some(constellation) = self.queue.pop() {
            let whole = &mut self.all[constellation as usize];
            let first = blocks.block_of(blocks.at(whole.start));
            let last = blocks.block_of(blocks.at(whole.end - 1));
            if first == last {
                whole.queued = false;
                continue;
            }
            self.queue.push(constellation);
            let taken = if blocks.size(first) <= blocks.size(last) { first } else { last };
            let places = blocks.range(taken);
            if taken == first {
                whole.start = places.end;
            } else {
                whole.end = places.start;
            }
            self.of_block[taken as usize] = self.all.len() as u32;
            self.all.push(Constellation { start: places.start, end: places.end, queued: false });
            return Some(places);
        }
        None
    }

    /// The block with the next number was split off `block`.
    pub(crate) fn block_split(&mut self, block: u32) {
        let constellation = self.of(block);
        self.of_block.push(constellation);
        let whole = &mut self.all[constellation as usize];
        if !whole.queued {
            whole.queued = true;
            self.queue.push(constellation);
        }
    }
}
