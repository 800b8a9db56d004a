//! Records of states, each kept once and known by its position; many threads ask at the same time without
//! a lock.
//!
//! Records lie one behind the other in the order in which they came. They are found through an open
//! table of their positions with linear probing. Bits of a slot that positions do not need hold a part of
//! the record's hash, so that records are seldom looked at in vain. Everyone who brings a record probes the
//! same slots in the same order and claims the first empty one in one atomic exchange, so no record gets
//! two slots; what a loser of such a race has written becomes a gap of zeros.
//!
//! When the table is full, whoever notices makes it larger while nobody looks at it: those who look hold
//! a [`Reading`] for a batch of work and let go of it between batches. Every thread has a lock of its own
//! for that, which nobody else touches but who makes the table larger. As many threads help with that as
//! have to wait for it; where records begin is noted here and there, so that each can take a part.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::chunks::Chunks;
use super::index::{Hasher, Index};
use super::padded::Padded;
use super::threads;
use super::words::length;

const FIRST_BITS: u32 = 10;
const LEAST_POSITION_BITS: u32 = 20;
/// Where a record begins is noted every so many units, as a power of two.
const PART_BITS: u32 = 16;
/// Where there are several threads, each takes so many units at once and writes its records there, so that
/// no two threads write into the same lines of the cache; and counts so many records at once.
const BLOCK: u64 = 256;
const UNCOUNTED: u64 = 64;

pub(super) struct Records {
    units: Chunks<AtomicU32, 4>,
    /// How many records there are (upper half), and where the next one goes (lower half).
    used: Padded<AtomicU64>,
    /// The table, as every thread sees it.
    indexes: Box<[Padded<RwLock<Arc<Index>>>]>,
    /// Where the first record begins that lies in each part of the units; 0 where none is known.
    begins: Chunks<AtomicU32, 0>,
    /// Whether each record is followed by a counter.
    counts: bool,
}

/// Where one thread writes its next records, and how many of them are not counted yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    next: u32,
    end: u32,
    uncounted: u64,
}

/// The right to look at the table.
pub(super) struct Reading<'a>(RwLockReadGuard<'a, Arc<Index>>);

/// What became of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Looked {
    Known(u32),
    New(u32),
    /// It is not there, and was not to be added.
    Missing,
    /// The table must grow first.
    Full,
}

impl Records {
    pub(super) fn new(counts: bool, threads: usize) -> Self {
        let index = Arc::new(Index::new(FIRST_BITS, LEAST_POSITION_BITS));
        let indexes = (0..threads).map(|_| Padded(RwLock::new(Arc::clone(&index)))).collect();
        // No record has position 0.
        let used = Padded(AtomicU64::new(1));
        Self { units: Chunks::new(), used, indexes, begins: Chunks::new(), counts }
    }

    /// For the thread with this number.
    pub(super) fn reading(&self, thread: usize) -> Reading<'_> {
        Reading(self.indexes[thread].0.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_shared(&self) -> bool {
        self.indexes.len() > 1
    }

    pub(super) fn len(&self) -> u64 {
        self.used.0.load(Ordering::Acquire) >> 32
    }

    /// Where the next record goes.
    pub(super) fn end(&self) -> u32 {
        self.used.0.load(Ordering::Acquire) as u32
    }

    #[inline]
    fn unit(&self, position: u32) -> u32 {
        self.units.get(position).load(Ordering::Relaxed)
    }

    /// Calls `with` for the units of the record at a position.
    #[inline]
    pub(super) fn read(&self, position: u32, mut with: impl FnMut(u32)) {
        let length = length(self.unit(position));
        match self.units.slice(position, length) {
            Some(units) => units.iter().for_each(|unit| with(unit.load(Ordering::Relaxed))),
            None => (position..position + length as u32).for_each(|position| with(self.unit(position))),
        }
    }

    /// The counter of a record.
    #[inline]
    pub(super) fn counter(&self, position: u32) -> &AtomicU32 {
        let units = self.units.rest(position);
        let length = length(units[0].load(Ordering::Relaxed));
        units.get(length).unwrap_or_else(|| self.units.get(position + length as u32))
    }

    /// The positions of all records between two positions, in order.
    pub(super) fn positions(&self, begin: u32, end: u32) -> impl Iterator<Item = u32> {
        let mut at = begin.max(1);
        let mut units: &[AtomicU32] = &[];
        std::iter::from_fn(move || {
            while at < end {
                let Some((first, rest)) = units.split_first() else {
                    units = self.units.rest(at);
                    continue;
                };
                let first = first.load(Ordering::Relaxed);
                if first == 0 {
                    (at, units) = (at + 1, rest);
                    continue;
                }
                let (found, size) = (at, self.size(length(first)));
                (at, units) = (at + size, units.get(size as usize..).unwrap_or_default());
                return Some(found);
            }
            None
        })
    }

    /// Cuts all records into at most so many pieces, each from the start of a record to that of another.
    pub(super) fn pieces(&self, most: usize) -> Vec<(u32, u32)> {
        let end = self.end();
        let last = end >> PART_BITS;
        let mut starts = vec![0];
        for piece in 1..most {
            let wanted = ((u64::from(last) + 1) * piece as u64 / most as u64) as u32;
            let begin = self.begins.get(wanted).load(Ordering::Relaxed);
            if wanted > 0 && begin < end && starts.last().is_some_and(|last| *last < begin) {
                starts.push(begin);
            }
        }
        let ends = starts.iter().copied().skip(1).chain([end]);
        starts.iter().copied().zip(ends).collect()
    }

    /// What a record of so many units takes.
    fn size(&self, length: usize) -> u32 {
        length as u32 + u32::from(self.counts)
    }

    #[inline]
    fn is_at(&self, position: u32, record: &[u32]) -> bool {
        match self.units.slice(position, record.len()) {
            Some(units) => units.iter().zip(record).all(|(unit, own)| unit.load(Ordering::Relaxed) == *own),
            None => (position..).zip(record).all(|(position, own)| self.unit(position) == *own),
        }
    }

    /// What the first slot for this hash holds. Who asks this for many records before looking for them
    /// waits for memory once and not for each.
    #[inline]
    pub(super) fn first_slot(&self, index: &Reading<'_>, hash: u64) -> u32 {
        index.0.slots[index.0.slot(hash)].load(Ordering::Acquire)
    }

    /// The first unit of the record that a slot names, if it could be the one with this hash. Serves to
    /// wait for memory once, like [`Self::first_slot`].
    #[inline]
    pub(super) fn first_unit(&self, index: &Reading<'_>, hash: u64, slot: u32) -> u32 {
        let mask = index.0.tag_mask();
        if slot & mask == index.0.tag(hash) { self.unit(slot & !mask) } else { 0 }
    }

    /// The position of a record, which is added if it is new and there is a block to write it into.
    #[inline]
    pub(super) fn look(
        &self,
        index: &Reading<'_>,
        record: &[u32],
        hash: u64,
        block: Option<&mut Block>,
    ) -> Looked {
        let index = &*index.0;
        let mask = index.slots.len() - 1;
        let tag = index.tag(hash);
        let mut at = index.slot(hash);
        let (mut own, mut block) = (None, block);
        loop {
            let slot = &index.slots[at & mask];
            let mut found = slot.load(Ordering::Acquire);
            if found == 0 {
                let Some(block) = block.as_deref_mut() else { return Looked::Missing };
                let position = match own {
                    Some(position) => position,
                    None => match self.write(index, record, block) {
                        Some(position) => position,
                        None => return Looked::Full,
                    },
                };
                match slot.compare_exchange(0, tag | position, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => {
                        block.uncounted += 1;
                        if block.uncounted >= UNCOUNTED || !self.is_shared() {
                            self.settle(block);
                        }
                        return Looked::New(position);
                    }
                    Err(other) => (own, found) = (Some(position), other),
                }
            }
            if found & index.tag_mask() == tag && self.is_at(found & !index.tag_mask(), record) {
                if let Some(own) = own {
                    (own..own + record.len() as u32)
                        .for_each(|position| self.units.get(position).store(0, Ordering::Relaxed));
                }
                return Looked::Known(found & !index.tag_mask());
            }
            at += 1;
        }
    }

    /// Counts what was written into a block.
    pub(super) fn settle(&self, block: &mut Block) {
        if block.uncounted > 0 {
            self.used.0.fetch_add(block.uncounted << 32, Ordering::AcqRel);
            block.uncounted = 0;
        }
    }

    /// How many records may be there that are not counted yet.
    fn uncounted(&self) -> u64 {
        if self.is_shared() { UNCOUNTED * self.indexes.len() as u64 } else { 0 }
    }

    /// Writes a record into a block, or a new one behind the others, if there is room.
    fn write(&self, index: &Index, record: &[u32], block: &mut Block) -> Option<u32> {
        let size = self.size(record.len());
        let used = self.used.0.load(Ordering::Relaxed);
        if index.is_crowded((used >> 32) + self.uncounted()) {
            return None;
        }
        if block.end - block.next < size {
            let taken = if self.is_shared() { BLOCK.max(u64::from(size)) } else { u64::from(size) };
            if index.is_beyond(used, taken) {
                return None;
            }
            let position = self.used.0.fetch_add(taken, Ordering::AcqRel) as u32;
            let end = position.wrapping_add(taken as u32);
            if position >> PART_BITS != end >> PART_BITS {
                self.begins.get(end >> PART_BITS).store(end, Ordering::Relaxed);
            }
            if index.is_beyond(u64::from(position), taken) {
                // Others were quicker. What was taken stays a gap.
                return None;
            }
            (block.next, block.end) = (position, end);
        }
        let position = block.next;
        block.next += size;
        for (position, unit) in (position..).zip(record) {
            self.units.get(position).store(*unit, Ordering::Relaxed);
        }
        Some(position)
    }

    /// Makes the table larger, unless somebody else just did; false if it is as large as it can be.
    /// Whoever calls this must not be reading.
    pub(super) fn grow(&self, record: usize) -> bool {
        // All in the same order, so that of two who want this one comes first.
        let mut indexes: Vec<RwLockWriteGuard<'_, Arc<Index>>> =
            self.indexes.iter().map(|own| own.0.write().unwrap_or_else(PoisonError::into_inner)).collect();
        let index = &*indexes[0];
        let used = self.used.0.load(Ordering::Acquire);
        let size = BLOCK.max(u64::from(self.size(record)));
        let records = (used >> 32) + self.uncounted();
        if !(index.is_crowded(records) || index.is_beyond(used, size)) {
            return true;
        }
        let end = (used & u64::from(u32::MAX)) + size;
        let position_bits = (u64::BITS - (4 * end).leading_zeros()).clamp(index.position_bits, 32);
        let mut bits = index.bits;
        while bits < 32 && records >= Index::room(bits) {
            bits += 1;
        }
        if records >= Index::room(bits) || end >= Index::most_units(position_bits) {
            return false;
        }
        let larger = Index::new(bits, position_bits);
        let (end, next) = (used as u32, AtomicU32::new(0));
        std::thread::scope(|scope| {
            let helpers = (self.indexes.len() - 1).min((end >> PART_BITS) as usize);
            for _ in 0..helpers {
                threads::start(scope, || self.enter(&larger, &next, end));
            }
            self.enter(&larger, &next, end);
        });
        let larger = Arc::new(larger);
        indexes.iter_mut().for_each(|own| **own = Arc::clone(&larger));
        true
    }

    /// Enters the records before `end` into a table, part by part; `next` is the next part to take.
    fn enter(&self, table: &Index, next: &AtomicU32, end: u32) {
        let mask = table.slots.len() - 1;
        let last = end >> PART_BITS;
        let begin = |part: u32| match part {
            0 => Some(0),
            _ if part > last => Some(end),
            _ => Some(self.begins.get(part).load(Ordering::Relaxed)).filter(|begin| *begin != 0),
        };
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part > last {
                break;
            }
            // Where a long record covers a whole part, the part before it goes on to the next.
            let Some(from) = begin(part) else { continue };
            let to = (part + 1..=last + 1).find_map(begin).unwrap_or(end);
            for position in self.positions(from, to.min(end)) {
                let mut hasher = Hasher::default();
                self.read(position, |unit| hasher.add(unit));
                let hash = hasher.finish();
                let (mut at, entry) = (table.slot(hash), table.tag(hash) | position);
                while table.slots[at & mask]
                    .compare_exchange(0, entry, Ordering::Relaxed, Ordering::Relaxed)
                    .is_err()
                {
                    at += 1;
                }
            }
        }
    }

    /// The bytes of all records and of what finds them.
    pub(super) fn memory(&self) -> usize {
        self.units.memory() + self.begins.memory() + size_of_val(&*self.reading(0).0.slots)
    }
}

#[cfg(test)]
mod tests {
    use super::super::index::hash;
    use super::*;

    /// A record of one to three units.
    fn record(n: u32) -> Vec<u32> {
        let length = 1 + n % 3;
        (0..length).map(|unit| if unit == 0 { n << 8 | length } else { n }).collect()
    }

    fn add(records: &Records, thread: usize, record: &[u32], block: &mut Block) -> (u32, bool) {
        loop {
            // The right to look must be given back before the table can grow.
            let looked = records.look(&records.reading(thread), record, hash(record), Some(block));
            match looked {
                Looked::Known(position) => return (position, false),
                Looked::New(position) => return (position, true),
                Looked::Missing => unreachable!("it is to be added"),
                Looked::Full => assert!(records.grow(record.len())),
            }
        }
    }

    #[test]
    fn records_keep_their_positions_while_the_table_grows() {
        let records = Records::new(true, 2);
        let mut block = Block::default();
        let added: Vec<u32> = (0..10_000).map(|n| add(&records, 1, &record(n), &mut block).0).collect();
        for (n, position) in (0..).zip(&added) {
            assert_eq!(add(&records, 0, &record(n), &mut block), (*position, false));
            let mut units = Vec::new();
            records.read(*position, |unit| units.push(unit));
            assert_eq!(units, record(n));
            records.counter(*position).store(n, Ordering::Relaxed);
        }
        assert_eq!(records.positions(0, records.end()).collect::<Vec<_>>(), added);
        assert_eq!(records.counter(added[77]).load(Ordering::Relaxed), 77);
        let unknown = record(10_000);
        let looked = records.look(&records.reading(0), &unknown, hash(&unknown), None);
        assert_eq!(looked, Looked::Missing);
        records.settle(&mut block);
        assert_eq!(records.len(), 10_000);
    }

    #[test]
    fn positions_beyond_what_slots_hold_make_the_table_new() {
        let records = Records::new(false, 3);
        let long = |n: u32| -> Vec<u32> {
            let mut units = vec![n; 60_000];
            units[0] = 60_000 << 8 | 255;
            units
        };
        let mut block = Block::default();
        let added: Vec<u32> = (0..100).map(|n| add(&records, 2, &long(n), &mut block).0).collect();
        assert!(added[99] > 1 << LEAST_POSITION_BITS);
        assert!((0..100).all(|n| add(&records, 2, &long(n), &mut block) == (added[n as usize], false)));
    }

    #[test]
    fn threads_that_bring_the_same_records_agree() {
        let records = Records::new(false, 4);
        // Every thread brings all records, each from another start.
        let bring = |thread: usize| {
            let numbers = (0..40_000u32).map(|n| (n + thread as u32 * 10_000) % 40_000);
            let mut block = Block::default();
            let brought =
                numbers.map(|n| (n, add(&records, thread, &record(n), &mut block))).collect::<Vec<_>>();
            records.settle(&mut block);
            brought
        };
        let brought: Vec<Vec<(u32, (u32, bool))>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|thread| scope.spawn(move || bring(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let mut positions = vec![None; 40_000];
        let mut new = 0;
        for (n, (position, is_new)) in brought.into_iter().flatten() {
            new += u64::from(is_new);
            assert_eq!(*positions[n as usize].get_or_insert(position), position);
            assert!(records.is_at(position, &record(n)));
        }
        assert_eq!((new, records.len()), (40_000, 40_000));
        assert!(records.end() > 1 << PART_BITS, "one part is not enough for several helpers");
        assert_eq!(records.positions(0, records.end()).count(), 40_000);
        for pieces in [1, 2, 3, 50] {
            let pieces = records.pieces(pieces);
            let counted = pieces.iter().map(|(begin, end)| records.positions(*begin, *end).count());
            assert_eq!(counted.sum::<usize>(), 40_000);
        }
        assert_eq!(records.pieces(2).len(), 2);
    }
}
