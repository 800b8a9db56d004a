//! The refinable partition: a set of numbers divided into blocks that only ever split.
//!
//! The numbers stand in one array, every block a contiguous stretch of it, so that a block is split by
//! swapping its marked members to the front and drawing a line behind them (Valmari and Lehtinen,
//! STACS 2008). Marking a member takes constant time and a split takes time in proportion to the marked
//! members or, where they are the larger half, to the others: never to the whole.
//!
//! A split keeps both halves inside the old block's stretch. Whoever numbers the blocks so that a union
//! of blocks is one stretch can therefore rely on it staying one.

use std::ops::Range;

#[derive(Clone, Copy, Debug)]
struct Block {
    start: u32,
    end: u32,
    /// `start..line` are the marked members.
    line: u32,
}

#[derive(Debug)]
pub(crate) struct Partition {
    members: Vec<u32>,
    /// Where each number stands in `members`.
    place: Vec<u32>,
    block_of: Vec<u32>,
    blocks: Vec<Block>,
}

impl Partition {
    /// Numbers `0..key.len()` in blocks of equal keys; keys are below `count` and none of them is
    /// missing. Blocks have their keys as numbers and stand in that order.
    pub(crate) fn by_key(key: Vec<u32>, count: usize) -> Self {
        let mut blocks = vec![Block { start: 0, end: 0, line: 0 }; count];
        for block in &key {
            blocks[*block as usize].end += 1;
        }
        let mut sum = 0;
        for block in &mut blocks {
            let size = block.end;
            *block = Block { start: sum, end: sum, line: sum };
            sum += size;
        }
        let mut members = vec![0; key.len()];
        let mut place = vec![0; key.len()];
        for (number, block) in key.iter().enumerate() {
            let end = &mut blocks[*block as usize].end;
            members[*end as usize] = number as u32;
            place[number] = *end;
            *end += 1;
        }
        Self { members, place, block_of: key, blocks }
    }

    /// Numbers below `numbers`, none of them in a block yet: see [`append`](Self::append).
    pub(crate) fn empty(numbers: usize) -> Self {
        let nowhere = vec![u32::MAX; numbers];
        Self { members: Vec::new(), place: nowhere.clone(), block_of: nowhere, blocks: Vec::new() }
    }

    /// Makes a block of numbers that were in none.
    pub(crate) fn append(&mut self, numbers: &[u32]) -> u32 {
        let block = self.blocks.len() as u32;
        let start = self.members.len() as u32;
        for (place, number) in (start..).zip(numbers) {
            self.place[*number as usize] = place;
            self.block_of[*number as usize] = block;
        }
        self.members.extend_from_slice(numbers);
        self.blocks.push(Block { start, end: self.members.len() as u32, line: start });
        block
    }

    pub(crate) fn block_count(&self) -> usize {
        self.blocks.len()
    }

    #[inline]
    pub(crate) fn block_of(&self, number: u32) -> u32 {
        self.block_of[number as usize]
    }

    /// The stretch a block takes up.
    #[inline]
    pub(crate) fn range(&self, block: u32) -> Range<u32> {
        let Block { start, end, .. } = self.blocks[block as usize];
        start..end
    }

    #[inline]
    pub(crate) fn size(&self, block: u32) -> u32 {
        self.range(block).len() as u32
    }

    /// Which number stands at a place.
    #[inline]
    pub(crate) fn at(&self, place: u32) -> u32 {
        self.members[place as usize]
    }

    pub(crate) fn members(&self, block: u32) -> &[u32] {
        let Range { start, end } = self.range(block);
        &self.members[start as usize..end as usize]
    }

    /// The marked and the unmarked members.
    pub(crate) fn marked_and_unmarked(&self, block: u32) -> (&[u32], &[u32]) {
        let Block { start, line, .. } = self.blocks[block as usize];
        self.members(block).split_at((line - start) as usize)
    }

    /// Marks a number; true if it is the first marked one of its block. Marking twice is harmless.
    #[inline]
    pub(crate) fn mark(&mut self, number: u32) -> bool {
        let block = &mut self.blocks[self.block_of[number as usize] as usize];
        let (from, to) = (self.place[number as usize], block.line);
        if from < to {
            return false;
        }
        block.line += 1;
        let other = self.members[to as usize];
        self.members[to as usize] = number;
        self.members[from as usize] = other;
        self.place[number as usize] = to;
        self.place[other as usize] = from;
        to == block.start
    }

    /// Separates the marked from the unmarked members and forgets the marks. The smaller half becomes a
    /// new block, whose number is returned; nothing happens if all members are marked or none.
    pub(crate) fn split(&mut self, block: u32) -> Option<u32> {
        let (marked, unmarked) = self.halves(block)?;
        Some(if marked.len() <= unmarked.len() {
            self.divide(block, unmarked, marked)
        } else {
            self.divide(block, marked, unmarked)
        })
    }

    /// As [`split`](Self::split), but it is the marked half that becomes a new block. That costs no more
    /// than the marking did.
    pub(crate) fn split_off_marked(&mut self, block: u32) -> Option<u32> {
        let (marked, unmarked) = self.halves(block)?;
        Some(self.divide(block, unmarked, marked))
    }

    /// Makes members of a block a block of their own, whose number is returned. Nothing of the block was marked
    /// before, and nothing is afterwards.
    pub(crate) fn split_off(&mut self, block: u32, members: &[u32]) -> u32 {
        for member in members {
            self.mark(*member);
        }
        let Block { start, end, line } = self.blocks[block as usize];
        self.divide(block, line..end, start..line)
    }

    fn halves(&mut self, block: u32) -> Option<(Range<u32>, Range<u32>)> {
        let Block { start, end, line } = self.blocks[block as usize];
        self.blocks[block as usize].line = start;
        (start < line && line < end).then_some((start..line, line..end))
    }

    fn divide(&mut self, block: u32, old: Range<u32>, new: Range<u32>) -> u32 {
        let number = self.blocks.len() as u32;
        for member in &self.members[new.start as usize..new.end as usize] {
            self.block_of[*member as usize] = number;
        }
        self.blocks[block as usize] = Block { start: old.start, end: old.end, line: old.start };
        self.blocks.push(Block { start: new.start, end: new.end, line: new.start });
        number
    }

    /// The block of every number.
    pub(crate) fn into_blocks(self) -> Vec<u32> {
        self.block_of
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(partition: &Partition, block: u32) -> Vec<u32> {
        let mut members = partition.members(block).to_vec();
        members.sort_unstable();
        members
    }

    #[test]
    fn keys_become_blocks() {
        let partition = Partition::by_key(vec![1, 0, 1, 2, 0], 3);
        assert_eq!(partition.members(0), [1, 4]);
        assert_eq!(partition.members(1), [0, 2]);
        assert_eq!(partition.members(2), [3]);
        assert_eq!(partition.range(1), 2..4);
    }

    #[test]
    fn the_smaller_half_gets_the_new_number() {
        let mut partition = Partition::by_key(vec![0; 5], 1);
        assert!(partition.mark(3));
        assert!(!partition.mark(1));
        assert!(!partition.mark(3));
        assert_eq!(partition.split(0), Some(1));
        assert_eq!((sorted(&partition, 0), sorted(&partition, 1)), (vec![0, 2, 4], vec![1, 3]));
        for number in [0, 2] {
            partition.mark(number);
        }
        assert_eq!(partition.split(0), Some(2));
        assert_eq!((sorted(&partition, 0), sorted(&partition, 2)), (vec![0, 2], vec![4]));
    }

    #[test]
    fn the_marked_half_gets_the_new_number_if_asked() {
        let mut partition = Partition::empty(9);
        assert_eq!(partition.append(&[7, 3, 5]), 0);
        assert_eq!(partition.append(&[8]), 1);
        partition.mark(5);
        partition.mark(7);
        assert_eq!(partition.marked_and_unmarked(0), (&[5, 7][..], &[3][..]));
        assert_eq!(partition.split_off_marked(0), Some(2));
        assert_eq!((partition.members(0), partition.members(2)), (&[3][..], &[5, 7][..]));
        assert_eq!((partition.block_of(5), partition.block_of(3), partition.block_of(8)), (2, 0, 1));
    }

    #[test]
    fn named_members_get_the_new_number() {
        let mut partition = Partition::by_key(vec![0; 5], 1);
        assert_eq!(partition.split_off(0, &[4, 1]), 1);
        assert_eq!((sorted(&partition, 0), sorted(&partition, 1)), (vec![0, 2, 3], vec![1, 4]));
        assert_eq!((partition.block_of(4), partition.block_of(2)), (1, 0));
        assert!(partition.mark(4) && partition.mark(2), "no marks are left");
    }

    #[test]
    fn a_block_marked_as_a_whole_stays() {
        let mut partition = Partition::by_key(vec![0; 2], 1);
        assert_eq!(partition.split(0), None);
        partition.mark(0);
        partition.mark(1);
        assert_eq!(partition.split(0), None);
        assert!(partition.mark(1), "the marks are gone after a split");
        assert_eq!(partition.into_blocks(), [0, 0]);
    }
}
