//! Numbers for texts, each stored once.
//!
//! Every parser numbers the events it meets by itself, without asking others; the counting thread maps
//! those numbers to its own. An event is stored as the name of its process, a byte that UTF-8 never
//! has, and the masked text.

use std::hash::{DefaultHasher, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::error::Error;

/// Stands between process and action.
pub(crate) const SEPARATOR: u8 = 0xff;

/// What happened, and who did it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    pub process: Option<String>,
    pub action: String,
}

impl Event {
    pub(crate) fn of_key(key: &[u8]) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match memchr::memchr(SEPARATOR, key) {
            Some(at) if at > 0 => Self { process: Some(text(&key[..at])), action: text(&key[at + 1..]) },
            Some(_) => Self { process: None, action: text(&key[1..]) },
            None => Self { process: None, action: text(key) },
        }
    }
}

/// Texts by number and numbers by text.
#[derive(Debug, Default)]
pub(crate) struct Interner {
    numbers: HashTable<u32>,
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Interner {
    /// The number of `text`, a new one if it has none.
    #[inline]
    pub(crate) fn number(&mut self, text: &[u8]) -> Result<u32, Error> {
        let Self { numbers, bytes, ends } = self;
        let hash = hash(text);
        if let Some(number) = numbers.find(hash, |number| text_of(bytes, ends, *number) == text) {
            return Ok(*number);
        }
        let number = u32::try_from(ends.len()).ok().filter(|number| *number < u32::MAX);
        let number = number.ok_or(Error::TooMany("events"))?;
        bytes.extend_from_slice(text);
        ends.push(bytes.len());
        numbers.insert_unique(hash, number, |number| self::hash(text_of(bytes, ends, *number)));
        Ok(number)
    }

    pub(crate) fn get(&self, number: u32) -> &[u8] {
        text_of(&self.bytes, &self.ends, number)
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }
}

fn text_of<'a>(bytes: &'a [u8], ends: &[usize], number: u32) -> &'a [u8] {
    let number = number as usize;
    let start = if number == 0 { 0 } else { ends[number - 1] };
    &bytes[start..ends[number]]
}

/// A number for the name of a trace or process. With a million traces two share one with odds of one to
/// thirty million.
#[inline]
pub(crate) fn fingerprint(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text);
    hasher.finish()
}

#[inline]
fn hash(text: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text);
    hasher.finish()
}

/// Scatters the bits of a number (the finaliser of Steele, Lea and Flood's SplitMix).
#[inline]
pub(crate) fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_one_number() {
        let mut texts = Interner::default();
        let words = ["a", "", "b", "a", "", "ab"];
        let numbers: Vec<u32> = words.iter().map(|word| texts.number(word.as_bytes()).unwrap()).collect();
        assert_eq!(numbers, [0, 1, 2, 0, 1, 3]);
        assert_eq!((texts.get(3), texts.get(1), texts.len()), (&b"ab"[..], &b""[..], 4));
    }

    #[test]
    fn an_event_is_process_and_action() {
        let event = Event::of_key(b"server\xffopen");
        assert_eq!((event.process.as_deref(), event.action.as_str()), (Some("server"), "open"));
        assert_eq!(Event::of_key(b"\xffopen"), Event { process: None, action: "open".to_owned() });
    }
}
