//! Arrays that grow without moving, shared by threads.
//!
//! An array is made of pieces. Pieces get larger as the array does, sixteen to each doubling, so that
//! little is allocated in vain and few pieces are needed. An element stays where it is, so nobody has to
//! stop while another thread makes a piece.

use std::sync::OnceLock;

/// The first pieces have this many elements, as a power of two.
const FIRST: u32 = 6;
/// Pieces to a doubling, as a power of two.
const FINE: u32 = 4;
const PIECES: usize = (32 - FIRST as usize) << FINE;

pub(super) struct Chunks<T> {
    pieces: Box<[OnceLock<Box<[T]>>]>,
}

impl<T: Default> Chunks<T> {
    pub(super) fn new() -> Self {
        Self { pieces: (0..PIECES).map(|_| OnceLock::new()).collect() }
    }

    /// The element `number`, which is made if need be.
    #[inline]
    pub(super) fn get(&self, number: u32) -> &T {
        let (piece, offset, size) = place(number);
        let made = self.pieces[piece].get_or_init(|| (0..size).map(|_| T::default()).collect());
        &made[offset]
    }

    /// The bytes of all elements that were made.
    pub(super) fn memory(&self) -> usize {
        let made = self.pieces.iter().filter_map(OnceLock::get);
        made.map(|piece| piece.len() * size_of::<T>()).sum()
    }
}

/// Which piece an element lies in, where in it, and how large that piece is.
#[inline]
fn place(number: u32) -> (usize, usize, usize) {
    let shifted = u64::from(number) + (1 << (FIRST + FINE));
    let top = shifted.ilog2();
    let bits = top - FINE;
    let fine = (shifted >> bits) as usize & ((1 << FINE) - 1);
    let piece = (((top - FIRST - FINE) as usize) << FINE) + fine;
    (piece, shifted as usize & ((1 << bits) - 1), 1 << bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_lie_one_behind_the_other() {
        let mut expected = (0, 0);
        for number in 0..200_000 {
            let (piece, offset, size) = place(number);
            assert_eq!((piece, offset), expected);
            expected = if offset + 1 == size { (piece + 1, 0) } else { (piece, offset + 1) };
        }
        let (piece, offset, size) = place(u32::MAX);
        assert!(piece < PIECES && offset < size);
    }
}
