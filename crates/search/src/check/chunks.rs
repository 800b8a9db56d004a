//! Arrays that grow without moving, shared by threads.
//!
//! An array is made of pieces. Pieces get larger as the array does, so that little is allocated in vain
//! and few pieces are needed. An element stays where it is, so nobody has to stop while another thread
//! makes a piece.

use std::sync::OnceLock;

/// The first pieces have this many elements, as a power of two.
const FIRST: u32 = 6;

/// `FINE` says into how many pieces each doubling of the array is cut, as a power of two.
pub(super) struct Chunks<T, const FINE: u32> {
    pieces: Box<[OnceLock<Box<[T]>>]>,
}

/// Elements that are made many at once.
pub(super) trait Fresh: Sized {
    /// So many new elements.
    fn fresh(count: usize) -> Box<[Self]>;
}

/// The system gives memory that is zero without writing to it, and each thread pays for the pages that it is
/// the first to use. Writing zeros would let all others wait for one.
impl<T: bytemuck::Zeroable> Fresh for T {
    fn fresh(count: usize) -> Box<[Self]> {
        bytemuck::zeroed_slice_box(count)
    }
}

impl<T: Fresh, const FINE: u32> Chunks<T, FINE> {
    pub(super) fn new() -> Self {
        Self { pieces: (0..(33 - FIRST - FINE) << FINE).map(|_| OnceLock::new()).collect() }
    }

    /// The element `number`, which is made if need be.
    #[inline]
    pub(super) fn get(&self, number: u32) -> &T {
        let (piece, offset) = self.piece(number);
        &piece[offset]
    }

    /// `count` elements from `number` on, unless they lie in several pieces.
    #[inline]
    pub(super) fn slice(&self, number: u32, count: usize) -> Option<&[T]> {
        let (piece, offset) = self.piece(number);
        piece.get(offset..offset + count)
    }

    /// The elements from `number` on that lie in the same piece; never none.
    #[inline]
    pub(super) fn rest(&self, number: u32) -> &[T] {
        let (piece, offset) = self.piece(number);
        &piece[offset..]
    }

    #[inline]
    fn piece(&self, number: u32) -> (&[T], usize) {
        let (piece, offset, size) = place::<FINE>(number);
        (self.pieces[piece].get_or_init(|| T::fresh(size)), offset)
    }

    /// The bytes of all elements that were made.
    pub(super) fn memory(&self) -> usize {
        let made = self.pieces.iter().filter_map(OnceLock::get);
        size_of_val(&*self.pieces) + made.map(|piece| size_of_val(&**piece)).sum::<usize>()
    }
}

impl<T: Fresh, const FINE: u32> Default for Chunks<T, FINE> {
    fn default() -> Self {
        Self::new()
    }
}

/// Which piece an element lies in, where in it, and how large that piece is.
#[inline]
fn place<const FINE: u32>(number: u32) -> (usize, usize, usize) {
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
            let (piece, offset, size) = place::<4>(number);
            assert_eq!((piece, offset), expected);
            expected = if offset + 1 == size { (piece + 1, 0) } else { (piece, offset + 1) };
        }
        let last = place::<4>(u32::MAX);
        assert!(last.0 < Chunks::<u8, 4>::new().pieces.len() && last.1 < last.2);
        assert!(place::<0>(u32::MAX).0 < Chunks::<u8, 0>::new().pieces.len());
    }

    #[test]
    fn slices_end_with_their_piece() {
        let chunks = Chunks::<u8, 0>::new();
        assert_eq!(chunks.slice(60, 4).map(<[u8]>::len), Some(4));
        assert!(chunks.slice(60, 5).is_none());
        assert!(chunks.slice(64, 128).is_some());
    }
}
