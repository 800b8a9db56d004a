//! From the names a file gives its states to dense indices, in order of first mention.
//!
//! DOT and CSV files call their states what they like: numbers, 64-bit fingerprints, words. Numbers
//! are kept as numbers as long as there is nothing else; the first word turns all names into texts.
//! `7` is a number; `007` and `+7`, which a file may hold apart from `7`, are words.

use graph::{Labels, StateNames};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::outcome::Stop;
use crate::scan::Decoder;

#[derive(Debug)]
pub(crate) struct Naming {
    names: Names,
    /// Numbers below this are looked up in a table, others in a hash table.
    small: i64,
}

#[derive(Debug)]
enum Names {
    Numbers(Numbers),
    Texts(Labels),
}

#[derive(Debug, Default)]
struct Numbers {
    /// The state with a small number; [`UNKNOWN`] if there is none yet.
    table: Vec<u32>,
    large: HashMap<i64, u32, FxBuildHasher>,
    /// The last two large numbers: the edges of one source stand together in most files.
    recent: [Option<(i64, u32)>; 2],
    calls: usize,
    list: Vec<i64>,
}

const UNKNOWN: u32 = u32::MAX;

impl Naming {
    /// For a file of `length` bytes, which bounds the table for small numbers.
    pub(crate) fn new(length: usize) -> Self {
        Self { names: Names::Numbers(Numbers::default()), small: (length / 4) as i64 }
    }

    pub(crate) fn len(&self) -> usize {
        match &self.names {
            Names::Numbers(numbers) => numbers.list.len(),
            Names::Texts(labels) => labels.len(),
        }
    }

    /// The index of the state called `raw`, mentioned at `at`.
    pub(crate) fn index(&mut self, raw: &[u8], decoder: &mut Decoder, at: usize) -> Result<u32, Stop> {
        if self.len() >= UNKNOWN as usize {
            return Err(Stop::fault(at, "more than 4,294,967,294 states"));
        }
        match (&mut self.names, canonical_number(raw)) {
            (Names::Numbers(numbers), Some(number)) if (0..self.small).contains(&number) => {
                Ok(numbers.small(number))
            }
            (Names::Numbers(numbers), Some(number)) => Ok(numbers.large(number)),
            (Names::Texts(labels), _) => decoder.intern(labels, raw, at),
            (Names::Numbers(numbers), None) => {
                let mut labels = Labels::new();
                for number in &numbers.list {
                    labels.intern(&number.to_string());
                }
                let state = decoder.intern(&mut labels, raw, at)?;
                self.names = Names::Texts(labels);
                Ok(state)
            }
        }
    }

    /// The names, in order of first mention.
    pub(crate) fn finish(self) -> StateNames {
        match self.names {
            Names::Texts(labels) => StateNames::Texts(Box::new(labels)),
            Names::Numbers(numbers) => listed(numbers.list),
        }
    }

    /// The names, numbers ascending; and for every state its new index, if that is another one.
    pub(crate) fn finish_sorted(self) -> (StateNames, Option<Vec<u32>>) {
        match self.names {
            Names::Numbers(Numbers { list, .. }) if !list.is_sorted() => {
                let mut order: Vec<u32> = (0..list.len() as u32).collect();
                order.sort_unstable_by_key(|state| list[*state as usize]);
                let mut rank = vec![0; list.len()];
                for (new, old) in order.iter().enumerate() {
                    rank[*old as usize] = new as u32;
                }
                let sorted = order.iter().map(|state| list[*state as usize]).collect();
                (listed(sorted), Some(rank))
            }
            _ => (self.finish(), None),
        }
    }
}

impl Numbers {
    #[inline]
    fn small(&mut self, number: i64) -> u32 {
        let slot = number as usize;
        if slot >= self.table.len() {
            self.table.resize(slot + 1, UNKNOWN);
        }
        if self.table[slot] == UNKNOWN {
            self.table[slot] = self.list.len() as u32;
            self.list.push(number);
        }
        self.table[slot]
    }

    #[inline]
    fn large(&mut self, number: i64) -> u32 {
        let Self { large, list, recent, .. } = self;
        let known = recent.iter().flatten().find(|(recent, _)| *recent == number);
        let state = known.map(|(_, state)| *state).unwrap_or_else(|| {
            *large.entry(number).or_insert_with(|| {
                list.push(number);
                list.len() as u32 - 1
            })
        });
        self.calls += 1;
        self.recent[self.calls % 2] = Some((number, state));
        state
    }
}

/// Numbers one after the other need no list.
fn listed(list: Vec<i64>) -> StateNames {
    let first = list.first().copied().unwrap_or(0);
    let in_order = list.iter().enumerate().all(|(n, number)| first.checked_add(n as i64) == Some(*number));
    if in_order { StateNames::Counted { first } } else { StateNames::Listed(list) }
}

/// The number `raw` spells, if it is the one way to spell it.
fn canonical_number(raw: &[u8]) -> Option<i64> {
    let (digits, negative) = match raw {
        [b'-', digits @ ..] => (digits, true),
        digits => (digits, false),
    };
    let leading_zero = digits.first() == Some(&b'0') && raw.len() > 1;
    // Nineteen digits fit into 64 bits without a sign.
    if digits.is_empty() || digits.len() > 19 || leading_zero {
        return None;
    }
    let mut value = 0u64;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + u64::from(digit - b'0');
    }
    if negative { 0i64.checked_sub_unsigned(value) } else { i64::try_from(value).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naming(names: &[&str]) -> (Naming, Vec<u32>) {
        let mut naming = Naming::new(24);
        let mut decoder = Decoder::default();
        let indices =
            names.iter().map(|name| naming.index(name.as_bytes(), &mut decoder, 0).unwrap()).collect();
        (naming, indices)
    }

    fn list(names: &StateNames, count: u32) -> Vec<String> {
        (0..count).map(|state| names.name(state).to_string()).collect()
    }

    #[test]
    fn only_canonical_numbers_are_numbers() {
        assert_eq!(canonical_number(b"-9223372036854775808"), Some(i64::MIN));
        assert_eq!(canonical_number(b"0"), Some(0));
        for word in ["", "-", "-0", "00", "01", "+1", "1a", "9223372036854775808", "1.5"] {
            assert_eq!(canonical_number(word.as_bytes()), None, "{word}");
        }
    }

    #[test]
    fn the_first_word_turns_numbers_into_texts() {
        let (naming, indices) = naming(&["7", "-3", "7", "x", "-3", "07"]);
        assert_eq!(indices, [0, 1, 0, 2, 1, 3]);
        assert_eq!(list(&naming.finish(), 4), ["7", "-3", "x", "07"]);
    }

    #[test]
    fn small_and_large_numbers_are_told_apart() {
        let names = ["5", "6", "-5", "5", "6", "0", "-5", "0"];
        assert_eq!(naming(&names).1, [0, 1, 2, 0, 1, 3, 2, 3]);
    }

    #[test]
    fn numbers_can_be_sorted() {
        let (naming, _) = naming(&["5", "-1", "3"]);
        let (names, rank) = naming.finish_sorted();
        assert_eq!(list(&names, 3), ["-1", "3", "5"]);
        assert_eq!(rank, Some(vec![2, 0, 1]));
    }

    #[test]
    fn numbers_in_a_row_need_no_list() {
        let (naming, _) = naming(&["4", "5", "6"]);
        assert!(matches!(naming.finish(), StateNames::Counted { first: 4 }));
    }
}
