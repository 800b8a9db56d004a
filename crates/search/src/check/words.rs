//! States in few bytes: a dictionary for every place in the state (collapse compression: Holzmann, "State
//! Compression in Spin", 1997, with places instead of processes).
//!
//! A state is cut into words of eight bytes. Few different words ever stand at one place, so each gets a
//! number, counted for this place alone, and mostly below 128. A record is the numbers of all words, one
//! byte for a small number and two or four for larger ones. A step changes few words, and only these are
//! looked up again.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use hashbrown::HashTable;

use super::chunks::{Chunks, Fresh};

/// States with more words than this are refused.
pub(super) const MOST_WORDS: usize = 1 << 16;
/// Numbers need 30 bits.
const MOST_NUMBERS: u32 = 1 << 30;
/// Smaller numbers take one byte.
const WIDE: u32 = 0x80;
/// No byte of a unit has this bit if none of its numbers is wide.
const WIDE_BYTES: u32 = 0x8080_8080;
/// Entries of a thread's own cache, as a power of two: as many as fit a core's own memory beside the rest.
const CACHE_BITS: u32 = 14;

/// The words at all places.
#[derive(Default)]
pub(super) struct Dictionary {
    places: Chunks<WordPlace, 2>,
}

#[derive(Default)]
struct WordPlace {
    values: Chunks<AtomicU64, 0>,
    /// Finds numbers; only those ask who have not met the word before.
    numbers: Mutex<HashTable<u32>>,
}

impl Fresh for WordPlace {
    fn fresh(count: usize) -> Box<[Self]> {
        (0..count).map(|_| Self::default()).collect()
    }
}

impl Dictionary {
    /// The word with this number.
    #[inline]
    pub(super) fn word(&self, place: usize, number: u32) -> u64 {
        self.places.get(place as u32).values.get(number).load(Ordering::Relaxed)
    }

    /// The number of a word, from 1; nothing if there are too many words at this place.
    fn number(&self, place: usize, word: u64) -> Option<u32> {
        let WordPlace { values, numbers } = self.places.get(place as u32);
        let mut numbers = numbers.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |number: &u32| values.get(*number).load(Ordering::Relaxed) == word;
        if let Some(number) = numbers.find(mix(word), same) {
            return Some(*number);
        }
        let number = numbers.len() as u32 + 1;
        if number >= MOST_NUMBERS {
            return None;
        }
        values.get(number).store(word, Ordering::Relaxed);
        numbers.insert_unique(mix(word), number, |number| mix(values.get(*number).load(Ordering::Relaxed)));
        Some(number)
    }

    /// The bytes of all words of the first places.
    pub(super) fn memory(&self, places: usize) -> usize {
        let of_place = |place: usize| {
            let WordPlace { values, numbers } = self.places.get(place as u32);
            let numbers = numbers.lock().unwrap_or_else(PoisonError::into_inner);
            values.memory() + numbers.capacity() * (size_of::<u32>() + 1)
        };
        (0..places).map(of_place).sum()
    }
}

#[inline]
fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (word ^ (word >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb)
}

/// The words one thread met lately, with their numbers.
#[derive(Default)]
pub(super) struct Cache {
    entries: Box<[(u64, u32, u32)]>,
}

impl Cache {
    #[inline]
    fn number(&mut self, dictionary: &Dictionary, place: usize, word: u64) -> Option<u32> {
        if self.entries.is_empty() {
            self.entries = vec![(0, 0, 0); 1 << CACHE_BITS].into_boxed_slice();
        }
        let at = mix(word.wrapping_add(place as u64)) >> (64 - CACHE_BITS);
        let entry = &mut self.entries[at as usize];
        // The number 0 is nobody's.
        if entry.0 != word || entry.1 != place as u32 || entry.2 == 0 {
            *entry = (word, place as u32, dictionary.number(place, word)?);
        }
        Some(entry.2)
    }
}

/// A state with its words, their numbers, and its record.
///
/// States that are looked at one after the other are much alike, and so are a state and those that its
/// steps lead to. So what is the same as before is not looked up again.
#[derive(Default)]
pub(super) struct Form {
    words: Vec<u64>,
    numbers: Vec<u32>,
    bytes: Vec<u8>,
    /// Whether every number takes one byte.
    narrow: bool,
    /// The record in units of four bytes. The first byte, or the three behind it if that is 255, tell how
    /// many units there are; zeros fill up the last.
    units: Vec<u32>,
    /// A record that is to be read.
    incoming: Vec<u32>,
}

impl Form {
    /// Makes the record of `state`, which is like `before` for the most part; nothing if there is none.
    #[inline]
    pub(super) fn write(
        &mut self,
        state: &[u8],
        before: &Form,
        dictionary: &Dictionary,
        cache: &mut Cache,
    ) -> Option<&[u32]> {
        self.cut(state);
        if self.words.len() > MOST_WORDS {
            return None;
        }
        self.numbers.clear();
        if self.words.len() == before.words.len() {
            self.numbers.extend_from_slice(&before.numbers);
            self.bytes.clear();
            self.bytes.extend_from_slice(&before.bytes);
            let mut narrow = before.narrow;
            let words = self.words.iter().zip(&before.words).enumerate();
            for (place, (word, _)) in words.filter(|(_, (word, old))| word != old) {
                let number = cache.number(dictionary, place, *word)?;
                self.numbers[place] = number;
                narrow &= number < WIDE;
                if narrow {
                    self.bytes[1 + place] = number as u8;
                }
            }
            if narrow {
                self.narrow = true;
                self.units_from_bytes();
                return Some(&self.units);
            }
        } else {
            for (place, word) in self.words.iter().enumerate() {
                let known = before.words.get(place).filter(|old| *old == word);
                let number = match known {
                    Some(_) => before.numbers[place],
                    None => cache.number(dictionary, place, *word)?,
                };
                self.numbers.push(number);
            }
        }
        self.encode();
        Some(&self.units)
    }

    /// Cuts a state into words. A 1 behind its last byte tells where it ends.
    #[inline]
    fn cut(&mut self, state: &[u8]) {
        self.words.clear();
        let mut chunks = state.chunks_exact(8);
        let whole = chunks.by_ref().map(|chunk| u64::from_le_bytes(chunk.try_into().unwrap_or([0; 8])));
        self.words.extend(whole);
        let mut last = [0; 8];
        let rest = chunks.remainder();
        last[..rest.len()].copy_from_slice(rest);
        last[rest.len()] = 1;
        self.words.push(u64::from_le_bytes(last));
    }

    fn encode(&mut self) {
        let bytes = &mut self.bytes;
        bytes.clear();
        bytes.push(0);
        for number in &self.numbers {
            match *number {
                0..WIDE => bytes.push(*number as u8),
                WIDE..0x4000 => bytes.extend_from_slice(&[0x80 | (number >> 8) as u8, *number as u8]),
                _ => bytes.extend_from_slice(&(0xc000_0000 | number).to_be_bytes()),
            }
        }
        self.narrow = bytes.len() == self.numbers.len() + 1;
        let units = bytes.len().div_ceil(4);
        if units < 255 {
            bytes[0] = units as u8;
        } else {
            self.narrow = false;
            // The three bytes behind the first count as well.
            let count = ((bytes.len() + 3).div_ceil(4) as u32).to_le_bytes();
            bytes.splice(..1, [255, count[0], count[1], count[2]]);
        }
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        self.units_from_bytes();
    }

    #[inline]
    fn units_from_bytes(&mut self) {
        self.units.clear();
        let units =
            self.bytes.chunks_exact(4).map(|unit| u32::from_le_bytes(unit.try_into().unwrap_or([0; 4])));
        self.units.extend(units);
    }

    /// Where to put a record that is to be read.
    #[inline]
    pub(super) fn incoming(&mut self) -> &mut Vec<u32> {
        self.incoming.clear();
        &mut self.incoming
    }

    /// Takes the record apart and puts the state together.
    pub(super) fn read(&mut self, dictionary: &Dictionary, state: &mut Vec<u8>) {
        let is_narrow = self.incoming.iter().all(|unit| unit & WIDE_BYTES == 0);
        if self.narrow && is_narrow && self.incoming.len() == self.units.len() {
            self.read_difference(dictionary);
        } else {
            self.read_whole(dictionary);
        }
        state.resize(self.words.len() * 8, 0);
        for (bytes, word) in state.chunks_exact_mut(8).zip(&self.words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        let end = state.iter().rposition(|byte| *byte != 0).unwrap_or(0);
        state.truncate(end);
    }

    /// Takes apart only what differs from the record that was read before; each has one byte a number.
    fn read_difference(&mut self, dictionary: &Dictionary) {
        let mut words = self.words.len();
        for (at, (new, old)) in self.incoming.iter().zip(&mut self.units).enumerate() {
            if new == old {
                continue;
            }
            *old = *new;
            let bytes = new.to_le_bytes();
            self.bytes[at * 4..at * 4 + 4].copy_from_slice(&bytes);
            for (byte, place) in bytes.into_iter().zip(at * 4..) {
                // The first byte is not a number, and zeros fill up the end.
                let Some(place) = place.checked_sub(1) else { continue };
                match self.numbers.get_mut(place) {
                    _ if byte == 0 => words = words.min(place),
                    Some(number) if *number == u32::from(byte) => {}
                    Some(number) => {
                        *number = u32::from(byte);
                        self.words[place] = dictionary.word(place, u32::from(byte));
                    }
                    None => {
                        self.numbers.push(u32::from(byte));
                        self.words.push(dictionary.word(place, u32::from(byte)));
                        words = self.words.len();
                    }
                }
            }
        }
        self.numbers.truncate(words);
        self.words.truncate(words);
    }

    fn read_whole(&mut self, dictionary: &Dictionary) {
        std::mem::swap(&mut self.units, &mut self.incoming);
        self.bytes.clear();
        self.bytes.extend(self.units.iter().flat_map(|unit| unit.to_le_bytes()));
        let start = if self.bytes.first() == Some(&255) { 4 } else { 1 };
        let mut rest = self.bytes.get(start..).unwrap_or_default();
        let mut place = 0;
        self.narrow = start == 1;
        loop {
            let number = match *rest {
                [first @ 1..0x80, ref tail @ ..] => {
                    rest = tail;
                    u32::from(first)
                }
                [first @ 0x80..0xc0, second, ref tail @ ..] => {
                    rest = tail;
                    u32::from_be_bytes([0, 0, first & 0x3f, second])
                }
                [first @ 0xc0..=0xff, second, third, fourth, ref tail @ ..] => {
                    rest = tail;
                    u32::from_be_bytes([first & 0x3f, second, third, fourth])
                }
                _ => break,
            };
            self.narrow &= number < WIDE;
            match self.numbers.get_mut(place) {
                Some(known) if *known == number => {}
                Some(known) => {
                    *known = number;
                    self.words[place] = dictionary.word(place, number);
                }
                None => {
                    self.numbers.push(number);
                    self.words.push(dictionary.word(place, number));
                }
            }
            place += 1;
        }
        self.numbers.truncate(place);
        self.words.truncate(place);
    }
}

/// How many units the record has that begins with this one.
#[inline]
pub(super) fn length(first: u32) -> usize {
    match first & 0xff {
        255 => (first >> 8) as usize,
        units => units as usize,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_kept(state: &[u8], before: &Form, dictionary: &Dictionary, cache: &mut Cache) -> (Form, Vec<u32>) {
        let mut form = Form::default();
        let mut other = state.to_vec();
        other.iter_mut().step_by(3).for_each(|byte| *byte ^= 1);
        let longer =
            if state.len().is_multiple_of(2) { state.len() + 9 } else { state.len().saturating_sub(9) };
        other.resize(longer, 1);
        let other = form.write(&other, &Form::default(), dictionary, cache).unwrap().to_vec();
        let record = form.write(state, before, dictionary, cache).unwrap().to_vec();
        assert_eq!(length(record[0]), record.len());
        let (mut back, mut bytes) = (Form::default(), Vec::new());
        // What another state has left there must not matter.
        back.incoming().extend(other);
        back.read(dictionary, &mut bytes);
        back.incoming().extend(&record);
        back.read(dictionary, &mut bytes);
        assert_eq!(bytes, state);
        assert_eq!((&back.words, &back.numbers), (&form.words, &form.numbers));
        (back, record)
    }

    #[test]
    fn states_come_back_as_they_were() {
        let (dictionary, mut cache) = (Dictionary::default(), Cache::default());
        let mut records = std::collections::BTreeMap::new();
        for length in (0..100).chain([1900, 2047, 2048]).chain((8100..8240).step_by(5)).chain([17_000]) {
            for fill in [0u8, 1, 7] {
                let mut state: Vec<u8> = (0..length).map(|n| (n as u8).wrapping_mul(fill)).collect();
                let (before, record) = is_kept(&state, &Form::default(), &dictionary, &mut cache);
                assert_eq!(*records.entry(record).or_insert_with(|| state.clone()), state);
                // After another state the record is the same as from scratch.
                if let Some(byte) = state.get_mut(length as usize / 3) {
                    *byte ^= 8;
                    let (_, record) = is_kept(&state, &before, &dictionary, &mut cache);
                    let mut cold = Cache::default();
                    assert_eq!(is_kept(&state, &Form::default(), &dictionary, &mut cold).1, record);
                    state.pop();
                    is_kept(&state, &before, &dictionary, &mut cache);
                }
            }
        }
        assert!(dictionary.memory(3) > 0);
    }

    #[test]
    fn numbers_of_all_sizes_are_kept() {
        let (dictionary, mut cache) = (Dictionary::default(), Cache::default());
        let before = Form::default();
        let mut lengths = std::collections::BTreeSet::new();
        for n in 0..20_000u64 {
            let mut state = n.to_le_bytes().to_vec();
            state.extend_from_slice(&(n % 7).to_le_bytes());
            lengths.insert(is_kept(&state, &before, &dictionary, &mut cache).1.len());
        }
        assert_eq!(lengths.into_iter().collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn a_state_that_is_too_long_is_refused() {
        let (dictionary, mut cache) = (Dictionary::default(), Cache::default());
        let state = vec![0; MOST_WORDS * 8];
        assert!(Form::default().write(&state, &Form::default(), &dictionary, &mut cache).is_none());
    }
}
