//! Shifts by a distance that is itself a vector: a barrel of one choice a bit of the distance.
//!
//! The distance is an unsigned number of any width. Distances of the width or more push everything out: what
//! remains is zeros, or copies of the sign.

use super::Circuit;
use crate::bits::Bits;
use crate::solver::Literal;

impl Circuit<'_> {
    pub fn shift_left(&mut self, bits: &Bits, distance: &Bits) -> Bits {
        self.barrel(bits, distance, Literal::FALSE, |literals, at, by| {
            at.checked_sub(by).map(|from| literals[from])
        })
    }

    /// Fills up with zeros.
    pub fn shift_right(&mut self, bits: &Bits, distance: &Bits) -> Bits {
        self.barrel(bits, distance, Literal::FALSE, |literals, at, by| literals.get(at + by).copied())
    }

    /// Fills up with the sign.
    pub fn shift_right_signed(&mut self, bits: &Bits, distance: &Bits) -> Bits {
        self.barrel(bits, distance, bits.top(), |literals, at, by| literals.get(at + by).copied())
    }

    /// `from` finds the bit that comes to a place when everything moves by so many; without one `fill` comes.
    fn barrel(
        &mut self,
        bits: &Bits,
        distance: &Bits,
        fill: Literal,
        from: impl Fn(&[Literal], usize, usize) -> Option<Literal>,
    ) -> Bits {
        let width = bits.width();
        // Bits of the distance with a weight of the width or more: any of them pushes everything out.
        let small = (usize::BITS - (width - 1).leading_zeros()) as usize;
        let mut current = bits.literals().to_vec();
        for (weight, step) in distance.literals().iter().take(small).enumerate() {
            let by = 1 << weight;
            current = (0..width)
                .map(|at| self.choose(*step, from(&current, at, by).unwrap_or(fill), current[at]))
                .collect();
        }
        let out = self.any(distance.literals().iter().skip(small).copied());
        Bits::new(current.into_iter().map(|bit| self.choose(out, fill, bit)).collect::<Vec<_>>())
    }
}
