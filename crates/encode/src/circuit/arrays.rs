//! Elements of small arrays, by an index that is a vector.
//!
//! Reading is a tree of choices, one level a bit of the index; writing compares the index with every place.
//! An index is an unsigned number of any width; one that is outside reads some element and writes none.

use super::Circuit;
use crate::bits::Bits;
use crate::solver::Literal;

impl Circuit<'_> {
    /// The element at `index`.
    ///
    /// # Panics
    /// If there are none, or their widths differ.
    pub fn select(&mut self, elements: &[Bits], index: &Bits) -> Bits {
        assert!(!elements.is_empty(), "an array without elements");
        let mut level = elements.to_vec();
        for bit in index.literals() {
            if level.len() == 1 {
                break;
            }
            let mut pairs = level.chunks_exact(2);
            let mut next: Vec<Bits> =
                pairs.by_ref().map(|pair| self.choose_bits(*bit, &pair[1], &pair[0])).collect();
            next.extend(pairs.remainder().iter().cloned());
            level = next;
        }
        level.swap_remove(0)
    }

    /// Sets the element at `index` where `when` holds.
    pub fn update(&mut self, elements: &mut [Bits], index: &Bits, value: &Bits, when: Literal) {
        for (at, element) in elements.iter_mut().enumerate() {
            let here = self.is_number(index, at as u64);
            let here = self.and(when, here);
            *element = self.choose_bits(here, value, element);
        }
    }

    /// Whether the unsigned number is this one.
    pub fn is_number(&mut self, bits: &Bits, number: u64) -> Literal {
        if bits.width() < 64 && number >> bits.width() != 0 {
            return Literal::FALSE;
        }
        self.all(bits.literals().iter().enumerate().map(|(at, bit)| bit.flipped(number >> at & 1 == 0)))
    }
}
