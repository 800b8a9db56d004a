//! All states seen, each once.
//!
//! States are byte strings of varying length, kept one after the other in one array and found through
//! a table of their numbers. Nothing is stored twice and nothing is allocated a state at a time.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

#[derive(Default)]
pub struct Store {
    bytes: Vec<u8>,
    /// Where each state ends in `bytes`.
    ends: Vec<u64>,
    index: HashTable<u32>,
}

impl Store {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes of state `number`.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn get(&self, number: u32) -> &[u8] {
        slice(&self.bytes, &self.ends, number)
    }

    pub fn find(&self, state: &[u8]) -> Option<u32> {
        self.index.find(hash(state), |number| self.get(*number) == state).copied()
    }

    /// The number of `state`, and whether it is new.
    pub fn insert(&mut self, state: &[u8]) -> (u32, bool) {
        let hash_of_state = hash(state);
        let Self { bytes, ends, index } = self;
        if let Some(number) = index.find(hash_of_state, |number| slice(bytes, ends, *number) == state) {
            return (*number, false);
        }
        let number = ends.len() as u32;
        bytes.extend_from_slice(state);
        ends.push(bytes.len() as u64);
        index.insert_unique(hash_of_state, number, |number| hash(slice(bytes, ends, *number)));
        (number, true)
    }

    /// How many bytes the states themselves have.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// How many bytes the states and what finds them take.
    pub fn memory(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * 8 + self.index.capacity() * 5
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("states", &self.len()).field("bytes", &self.bytes.len()).finish()
    }
}

fn slice<'a>(bytes: &'a [u8], ends: &[u64], number: u32) -> &'a [u8] {
    let number = number as usize;
    let start = if number == 0 { 0 } else { ends[number - 1] as usize };
    &bytes[start..ends[number] as usize]
}

fn hash(state: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(state);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_kept_once() {
        let mut store = Store::new();
        assert_eq!(store.insert(b"one"), (0, true));
        assert_eq!(store.insert(b""), (1, true));
        assert_eq!(store.insert(b"one"), (0, false));
        for n in 0..5000u32 {
            assert_eq!(store.insert(&n.to_le_bytes()), (n + 2, true));
        }
        assert_eq!(store.find(&77u32.to_le_bytes()), Some(79));
        assert_eq!(store.get(1), b"");
        assert_eq!(store.find(b"two"), None);
    }
}
