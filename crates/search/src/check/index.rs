//! The open table through which records are found: where slots are, what they hold, and the hash that says so.

use std::sync::atomic::AtomicU32;

use super::chunks::Fresh;

/// Far enough below 2^32 that threads that add at the same time do not exceed that.
const MOST_UNITS: u64 = (1 << 32) - (1 << 26);

pub(super) struct Index {
    /// 0, or a position in the lower bits and a part of the hash above.
    pub(super) slots: Box<[AtomicU32]>,
    pub(super) bits: u32,
    pub(super) position_bits: u32,
}

impl Index {
    pub(super) fn new(bits: u32, position_bits: u32) -> Self {
        Self { slots: AtomicU32::fresh(1 << bits), bits, position_bits }
    }

    /// How many records may be there: three quarters. Threads that add at the same time exceed it by one
    /// each.
    pub(super) fn room(bits: u32) -> u64 {
        (1 << bits) / 4 * 3
    }

    pub(super) fn most_units(position_bits: u32) -> u64 {
        MOST_UNITS.min(1 << position_bits)
    }

    /// Whether there is no room for more than these records.
    pub(super) fn is_crowded(&self, records: u64) -> bool {
        records >= Self::room(self.bits)
    }

    /// Whether `size` units more cannot be told apart by their positions.
    pub(super) fn is_beyond(&self, used: u64, size: u64) -> bool {
        (used & u64::from(u32::MAX)) + size >= Self::most_units(self.position_bits)
    }

    #[inline]
    pub(super) fn slot(&self, hash: u64) -> usize {
        (hash >> (64 - self.bits)) as usize
    }

    #[inline]
    pub(super) fn tag_mask(&self) -> u32 {
        u32::MAX.checked_shl(self.position_bits).unwrap_or(0)
    }

    /// Taken from other bits of the hash than the slot.
    #[inline]
    pub(super) fn tag(&self, hash: u64) -> u32 {
        hash as u32 & self.tag_mask()
    }
}

/// Mixes all units into all bits, by the multiplication of SplitMix.
#[derive(Clone, Copy, Default)]
pub(super) struct Hasher(u64);

impl Hasher {
    #[inline]
    pub(super) fn add(&mut self, unit: u32) {
        self.0 = (self.0.rotate_left(23) ^ u64::from(unit)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }

    #[inline]
    pub(super) fn finish(self) -> u64 {
        let hash = (self.0 ^ (self.0 >> 31)).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^ (hash >> 32)
    }
}

#[inline]
pub(super) fn hash(record: &[u32]) -> u64 {
    let mut hasher = Hasher::default();
    record.iter().for_each(|unit| hasher.add(*unit));
    hasher.finish()
}
