//! 64-bit values, each kept once and known by a number; many threads ask at the same time without a lock.
//!
//! Values lie in the order in which they came. They are found through an open table of their numbers
//! with linear probing. Bits of a slot that the number does not need hold a part of the value's hash,
//! so that values are seldom looked at in vain. Everyone who brings a value probes the same slots in the
//! same order and claims the first empty one in one atomic exchange, so no value gets two slots.
//!
//! When the table is full, whoever notices makes it larger while nobody looks at it: those who look hold
//! a [`Reading`] for a batch of work and let go of it between batches.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use super::chunks::Chunks;

const FIRST_BITS: u32 = 10;

pub(super) struct Interner {
    values: Chunks<AtomicU64>,
    /// Numbers given out, in vain or not.
    given: AtomicU32,
    /// Numbers given out to a value that another thread brought at the same time.
    in_vain: AtomicU32,
    index: RwLock<Index>,
    /// The table never has more slots than two to the power of this.
    most_bits: u32,
}

struct Index {
    /// 0, or a number plus 1 in the lower `bits` bits and a part of the hash above.
    slots: Box<[AtomicU32]>,
    bits: u32,
}

/// The right to look at the table.
pub(super) struct Reading<'a>(RwLockReadGuard<'a, Index>);

/// What became of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Looked {
    Known(u32),
    New(u32),
    /// It is not there, and was not to be added.
    Missing,
    /// The table must grow first.
    Full,
}

impl Interner {
    pub(super) fn new(most_bits: u32) -> Self {
        let index = RwLock::new(Index::new(FIRST_BITS));
        let (given, in_vain) = (AtomicU32::new(0), AtomicU32::new(0));
        Self { values: Chunks::new(), given, in_vain, index, most_bits }
    }

    pub(super) fn reading(&self) -> Reading<'_> {
        Reading(self.index.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Numbers given out so far.
    pub(super) fn numbers(&self) -> u32 {
        self.given.load(Ordering::Acquire)
    }

    /// How many values there are.
    pub(super) fn len(&self) -> u64 {
        u64::from(self.numbers()) - u64::from(self.in_vain.load(Ordering::Acquire))
    }

    /// The value of a number; 0 for a number that was given out in vain.
    #[inline]
    pub(super) fn value(&self, number: u32) -> u64 {
        self.values.get(number).load(Ordering::Acquire)
    }

    /// The number of a value, which is added if it is new and `add` is set.
    #[inline]
    pub(super) fn look(&self, index: &Reading<'_>, value: u64, add: bool) -> Looked {
        let index = &*index.0;
        let hash = hash(value);
        let mask = index.slots.len() - 1;
        let tag = index.tag(hash);
        let mut at = index.slot(hash);
        let mut own = None;
        loop {
            let slot = &index.slots[at & mask];
            let mut found = slot.load(Ordering::Acquire);
            if found == 0 {
                if !add {
                    return Looked::Missing;
                }
                let number = match own {
                    Some(number) => number,
                    None => {
                        if self.given.load(Ordering::Relaxed) as usize >= index.room() {
                            return Looked::Full;
                        }
                        let number = self.given.fetch_add(1, Ordering::AcqRel);
                        self.values.get(number).store(value, Ordering::Release);
                        own = Some(number);
                        number
                    }
                };
                let entry = tag | (number + 1);
                match slot.compare_exchange(0, entry, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => return Looked::New(number),
                    Err(other) => found = other,
                }
            }
            if found & index.tag_mask() == tag {
                let number = (found & !index.tag_mask()).wrapping_sub(1);
                if self.value(number) == value {
                    if let Some(own) = own {
                        self.values.get(own).store(0, Ordering::Release);
                        self.in_vain.fetch_add(1, Ordering::AcqRel);
                    }
                    return Looked::Known(number);
                }
            }
            at += 1;
        }
    }

    /// Makes the table larger, unless somebody else just did; false if it is as large as it can be.
    /// Whoever calls this must not be reading.
    pub(super) fn grow(&self) -> bool {
        let mut index = self.index.write().unwrap_or_else(PoisonError::into_inner);
        if (self.numbers() as usize) < index.room() {
            return true;
        }
        if index.bits >= self.most_bits {
            return false;
        }
        let larger = Index::new(index.bits + 1);
        let mask = larger.slots.len() - 1;
        for slot in &index.slots {
            let found = slot.load(Ordering::Relaxed);
            if found == 0 {
                continue;
            }
            let entry = found & !index.tag_mask();
            let hash = hash(self.value(entry - 1));
            let mut at = larger.slot(hash);
            while larger.slots[at & mask].load(Ordering::Relaxed) != 0 {
                at += 1;
            }
            larger.slots[at & mask].store(larger.tag(hash) | entry, Ordering::Relaxed);
        }
        *index = larger;
        true
    }

    /// The bytes of all values and of what finds them.
    pub(super) fn memory(&self) -> usize {
        self.values.memory() + self.reading().0.slots.len() * size_of::<AtomicU32>()
    }
}

impl Index {
    fn new(bits: u32) -> Self {
        Self { slots: (0..1usize << bits).map(|_| AtomicU32::new(0)).collect(), bits }
    }

    /// How many numbers may be given out: three quarters. Threads that check at the same time exceed it
    /// by one each.
    fn room(&self) -> usize {
        self.slots.len() / 4 * 3
    }

    #[inline]
    fn slot(&self, hash: u64) -> usize {
        (hash >> (64 - self.bits)) as usize
    }

    #[inline]
    fn tag_mask(&self) -> u32 {
        u32::MAX.checked_shl(self.bits).unwrap_or(0)
    }

    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        hash as u32 & self.tag_mask()
    }
}

/// Mixes all bits into all bits (the finaliser of MurmurHash3, with the constants of SplitMix).
#[inline]
fn hash(value: u64) -> u64 {
    let value = (value ^ (value >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(interner: &Interner, value: u64) -> (u32, bool) {
        loop {
            match interner.look(&interner.reading(), value, true) {
                Looked::Known(number) => return (number, false),
                Looked::New(number) => return (number, true),
                Looked::Missing => unreachable!("it is to be added"),
                Looked::Full => {}
            }
            assert!(interner.grow());
        }
    }

    #[test]
    fn values_keep_their_numbers_while_the_table_grows() {
        let interner = Interner::new(32);
        for value in 0..10_000u64 {
            assert_eq!(add(&interner, value * 77), (value as u32, true));
        }
        for value in 0..10_000u64 {
            assert_eq!(add(&interner, value * 77), (value as u32, false));
            assert_eq!(interner.value(value as u32), value * 77);
        }
        assert_eq!(interner.look(&interner.reading(), 5, false), Looked::Missing);
        assert_eq!(interner.len(), 10_000);
    }

    #[test]
    fn a_table_at_its_limit_says_so() {
        let interner = Interner::new(FIRST_BITS);
        let mut value = 0;
        while interner.look(&interner.reading(), value, true) != Looked::Full {
            value += 1;
        }
        assert!(!interner.grow());
        assert_eq!(interner.look(&interner.reading(), 0, true), Looked::Known(0));
    }

    #[test]
    fn threads_that_bring_the_same_values_agree() {
        let interner = Interner::new(32);
        // Every thread brings all values, each from another start.
        let bring = |thread: u64| {
            let values = (0..40_000u64).map(|n| (n + thread * 10_000) % 40_000);
            values.map(|value| (value, add(&interner, value + 1))).collect::<Vec<_>>()
        };
        let brought: Vec<Vec<(u64, (u32, bool))>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|thread| scope.spawn(move || bring(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let mut numbers = vec![None; 40_000];
        let mut new = 0;
        for (value, (number, is_new)) in brought.into_iter().flatten() {
            new += usize::from(is_new);
            assert_eq!(*numbers[value as usize].get_or_insert(number), number);
            assert_eq!(interner.value(number), value + 1);
        }
        assert_eq!((new, interner.len()), (40_000, 40_000));
        let alive = (0..interner.numbers()).filter(|number| interner.value(*number) != 0).count();
        assert_eq!(alive, 40_000);
    }
}
