//! States as trees (tree compression: Laarman, van de Pol, Weber, "Parallel Recursive State Compression
//! for Free", SPIN 2011).
//!
//! A state is cut into words of eight bytes. Every word gets a number, every pair of neighbouring numbers
//! is a word that gets a number in turn, and so on until two are left, which together are the state's
//! root. Most states share nearly all of their parts with others, so what a state costs is its root.
//! A step changes little, so of a new state only the words that differ from those of the state before
//! it, and what lies above them, are looked up.

/// Bits of a number inside a root.
pub(super) const NUMBER_BITS: u32 = 27;
/// Up to here a shape is a number of words. Shapes above are (64 + m) * 2^e words, rounded up.
const EXACT: usize = 512;

/// The parts of one state.
#[derive(Debug, Default)]
pub(super) struct Tree {
    words: Vec<u64>,
    /// The numbers of the words, then of the pairs of those, and so on to the last two.
    numbers: Vec<u32>,
}

impl Tree {
    /// The root of `state`, whose parts become those of this tree. `number` gives a word its number, if
    /// it has one. What is the same in `before` is not asked for.
    #[inline]
    pub(super) fn build(
        &mut self,
        state: &[u8],
        before: &Tree,
        mut number: impl FnMut(u64) -> Option<u32>,
    ) -> Option<u64> {
        let (shape, leaves) = shape(state.len() / 8 + 1)?;
        let alike = before.words.len() == leaves;
        self.words.clear();
        self.numbers.clear();
        let mut chunks = state.chunks_exact(8);
        self.words
            .extend(chunks.by_ref().map(|chunk| u64::from_le_bytes(chunk.try_into().unwrap_or([0; 8]))));
        // A single 1 tells where the state ends.
        let mut last = [0; 8];
        let rest = chunks.remainder();
        last[..rest.len()].copy_from_slice(rest);
        last[rest.len()] = 1;
        self.words.push(u64::from_le_bytes(last));
        self.words.resize(leaves, 0);
        if alike {
            for ((word, old), known) in self.words.iter().zip(&before.words).zip(&before.numbers) {
                self.numbers.push(if word == old { *known } else { number(*word)? });
            }
        } else {
            for word in &self.words {
                self.numbers.push(number(*word)?);
            }
        }
        let (mut start, mut size) = (0, leaves);
        while size > 2 {
            let above = start + size;
            for at in 0..size / 2 {
                let left = start + 2 * at;
                let pair = [self.numbers[left], self.numbers[left + 1]];
                let known = alike && pair == before.numbers[left..left + 2];
                let made = if known { before.numbers[above + at] } else { number(join(pair))? };
                self.numbers.push(made);
            }
            if size % 2 == 1 {
                self.numbers.push(self.numbers[above - 1]);
            }
            (start, size) = (above, size.div_ceil(2));
        }
        let [left, right] = [self.numbers[start], self.numbers[start + 1]].map(u64::from);
        Some(shape << (2 * NUMBER_BITS) | left << NUMBER_BITS | right)
    }

    /// Takes a root apart and puts the state together; `word` gives the word of a number.
    pub(super) fn take_apart(&mut self, root: u64, state: &mut Vec<u8>, word: impl Fn(u32) -> u64) {
        let leaves = words_of(root >> (2 * NUMBER_BITS));
        let mask = (1 << NUMBER_BITS) - 1;
        let total = std::iter::successors(Some(leaves), |size| (*size > 2).then(|| size.div_ceil(2))).sum();
        self.numbers.clear();
        self.numbers.resize(total, 0);
        self.numbers[total - 2] = (root >> NUMBER_BITS & mask) as u32;
        self.numbers[total - 1] = (root & mask) as u32;
        let (mut above, mut start) = (total - 2, total - 2);
        // Rows are gone through from the last to the first; their sizes follow from that of the first.
        let mut row = total.ilog2();
        while start > 0 {
            row -= 1;
            let size = leaves.div_ceil(1 << row);
            if size <= 2 {
                continue;
            }
            start = above - size;
            for at in 0..size / 2 {
                let pair = split(word(self.numbers[above + at]));
                self.numbers[start + 2 * at..start + 2 * at + 2].copy_from_slice(&pair);
            }
            if size % 2 == 1 {
                self.numbers[above - 1] = self.numbers[above + size / 2];
            }
            above = start;
        }
        self.words.clear();
        self.words.extend(self.numbers[..leaves].iter().map(|number| word(*number)));
        state.clear();
        self.words.iter().for_each(|word| state.extend_from_slice(&word.to_le_bytes()));
        let end = state.iter().rposition(|byte| *byte != 0).unwrap_or(0);
        state.truncate(end);
    }
}

fn join([left, right]: [u32; 2]) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

fn split(word: u64) -> [u32; 2] {
    [(word >> 32) as u32, word as u32]
}

/// The shape for so many words, and how many it has; nothing if a state is too long.
#[inline]
fn shape(words: usize) -> Option<(u64, usize)> {
    let words = words.max(2);
    if words < EXACT {
        return Some((words as u64, words));
    }
    let fitting = (3..=10).find(|exponent| words.div_ceil(1 << exponent) < 128)?;
    let rounded = words.div_ceil(1 << fitting);
    Some((EXACT as u64 + (fitting as u64 - 3) * 64 + (rounded as u64 - 64), rounded << fitting))
}

fn words_of(shape: u64) -> usize {
    let shape = shape as usize;
    if shape < EXACT {
        return shape;
    }
    let (exponent, mantissa) = ((shape - EXACT) / 64 + 3, (shape - EXACT) % 64);
    (64 + mantissa) << exponent
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn shapes_hold_what_they_are_made_for() {
        for words in (0..3000).chain([20_000, 100_000, 127 << 10]) {
            let (shape, made) = shape(words).unwrap();
            assert!(shape < 1024 && made >= words && made <= (words + words / 64).max(2), "{words}");
            assert_eq!(words_of(shape), made);
        }
        assert_eq!(shape((127 << 10) + 1), None);
    }

    #[test]
    fn states_come_back_as_they_were() {
        let known: RefCell<Vec<u64>> = RefCell::default();
        let number = |word: u64| {
            let mut known = known.borrow_mut();
            let at = known.iter().position(|other| *other == word);
            Some(at.unwrap_or_else(|| {
                known.push(word);
                known.len() - 1
            }) as u32)
        };
        let mut roots = std::collections::BTreeMap::new();
        let (mut before, mut tree, mut back) = (Tree::default(), Tree::default(), Tree::default());
        let mut bytes = Vec::new();
        for length in (0..200).chain([4094, 4095, 4096, 9000]) {
            for fill in [0u8, 1, 7] {
                let mut state: Vec<u8> = (0..length).map(|n| (n as u8).wrapping_mul(fill)).collect();
                let root = tree.build(&state, &Tree::default(), number).unwrap();
                before.take_apart(root, &mut bytes, |number| known.borrow()[number as usize]);
                assert_eq!(bytes, state);
                assert_eq!((&before.words, &before.numbers), (&tree.words, &tree.numbers));
                assert_eq!(*roots.entry(root).or_insert_with(|| state.clone()), state);
                // A state that differs in one byte, from scratch and after the other one.
                if let Some(byte) = state.get_mut(length as usize / 3) {
                    *byte ^= 8;
                    let root = tree.build(&state, &before, number).unwrap();
                    assert_eq!(back.build(&state, &Tree::default(), number), Some(root));
                    back.take_apart(root, &mut bytes, |number| known.borrow()[number as usize]);
                    assert_eq!(bytes, state);
                }
            }
        }
    }
}
