//! Where variables lie in the bytes of states, so that values can be compared without being spelled.
//!
//! What a state holds is laid out by a few of its bytes: which processes live, which calls are open, what points
//! where. States that agree in those have all variables in the same places. So the layout is worked out for one
//! of them, and of the others only bytes are compared.

use std::ops::Range;

/// The layout of all states that agree with one in certain bytes.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    length: usize,
    /// The places of the bytes that lay a state out, and what they are.
    places: Vec<Range<usize>>,
    bytes: Vec<u8>,
    pub slots: Vec<Slot>,
}

/// A variable and where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// As [`crate::Story::values`] calls it.
    pub name: String,
    pub held: Held,
}

/// What a variable holds in the states of an outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// What these bytes say.
    Bytes(Range<usize>),
    /// What these bytes say up to the first that is zero.
    Text(Range<usize>),
    /// What some bits of these bytes say, by the first of them and their number, which is 64 at most.
    Bits { at: Range<usize>, first: u32, count: u32 },
    /// The same in all of them.
    Always(String),
}

/// What a variable holds, for comparison: equal exactly where the values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key<'s> {
    Bytes(&'s [u8]),
    Number(u64),
    Word(&'s str),
}

impl Outline {
    /// The outline of `state`, which is laid out by its bytes in `places`.
    pub fn new(state: &[u8], places: Vec<Range<usize>>, slots: Vec<Slot>) -> Self {
        let bytes = places.iter().flat_map(|place| state[place.clone()].iter().copied()).collect();
        Self { length: state.len(), places, bytes, slots }
    }

    /// Whether another state is laid out like this.
    pub fn fits(&self, state: &[u8]) -> bool {
        let mut bytes = &self.bytes[..];
        self.length == state.len()
            && self.places.iter().all(|place| {
                let (own, rest) = bytes.split_at(place.len());
                bytes = rest;
                *own == state[place.clone()]
            })
    }
}

impl Slot {
    /// What the variable holds in a state that its outline fits.
    #[inline]
    pub fn key<'s>(&'s self, state: &'s [u8]) -> Key<'s> {
        match &self.held {
            Held::Bytes(at) => Key::Bytes(&state[at.clone()]),
            Held::Text(at) => {
                let bytes = &state[at.clone()];
                Key::Bytes(&bytes[..bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len())])
            }
            Held::Bits { at, first, count } => {
                let bytes = &state[at.clone()];
                let bit = |number: u32| {
                    let place = first + number;
                    let byte = bytes.get(place as usize / 8).copied().unwrap_or(0);
                    u64::from(byte >> (place % 8) & 1) << number
                };
                Key::Number((0..(*count).min(64)).map(bit).sum())
            }
            Held::Always(text) => Key::Word(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(held: Held) -> Slot {
        Slot { name: String::new(), held }
    }

    #[test]
    fn states_fit_that_agree_in_what_lays_them_out() {
        let outline = Outline::new(b"a1b2", vec![0..1, 2..3], Vec::new());
        assert!(outline.fits(b"a3b4") && outline.fits(b"a1b2"));
        for other in [&b"x1b2"[..], b"a1x2", b"a1b", b"a1b22", b""] {
            assert!(!outline.fits(other), "{other:?}");
        }
    }

    #[test]
    fn values_are_compared_by_what_counts_of_them() {
        let text = slot(Held::Text(0..4));
        assert_eq!(text.key(b"ab\0x"), text.key(b"ab\0y"));
        assert_ne!(text.key(b"ab\0x"), text.key(b"abc\0"));
        assert_eq!(text.key(b"abcd"), Key::Bytes(b"abcd"));
        let bits = slot(Held::Bits { at: 0..2, first: 6, count: 3 });
        assert_eq!(bits.key(&[0b0100_0001, 0b11]), Key::Number(0b101));
        assert_eq!(bits.key(&[0b0111_1110, 0b01]), bits.key(&[0b0100_0001, 0b11]));
        assert_eq!(slot(Held::Always("x".to_owned())).key(b""), Key::Word("x"));
    }
}
