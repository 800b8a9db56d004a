//! Numbers for the states inside sequences, so that ways through them can be counted.

use std::panic::resume_unwind;
use std::sync::atomic::Ordering;

use super::store::Store;
use super::ways::Inside;

/// The states inside sequences one after the other. The counter of each, which said how often it was come to,
/// becomes its number in its piece of the store, so that threads can number pieces at the same time.
pub(super) struct Numbering<'s> {
    store: &'s Store,
    pub(super) inside: Vec<Inside>,
    /// Where each piece begins, and the number of its first state.
    pieces: Vec<(u32, u32)>,
}

impl<'s> Numbering<'s> {
    pub(super) fn new(store: &'s Store, threads: usize) -> Self {
        let number = |(begin, end): (u32, u32)| -> Vec<Inside> {
            let positions = store.inside(begin, end).zip(0..);
            let numbered = positions.map(|(position, number)| Inside {
                arrivals: store.counter(position).swap(number, Ordering::Relaxed),
                ..Inside::default()
            });
            numbered.collect()
        };
        let pieces = store.pieces_of_inside(threads);
        let numbered: Vec<Vec<Inside>> = std::thread::scope(|scope| {
            let number = &number;
            let (first, others) =
                pieces.split_first().map_or((None, &[][..]), |(first, others)| (Some(first), others));
            let others: Vec<_> = others.iter().map(|piece| scope.spawn(move || number(*piece))).collect();
            let first = first.map(|piece| number(*piece));
            // Whoever panicked there panics here.
            let others =
                others.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
            first.into_iter().chain(others).collect()
        });
        let mut next = 0;
        let mut begins = Vec::with_capacity(pieces.len());
        for ((begin, _), states) in pieces.iter().zip(&numbered) {
            begins.push((*begin, next));
            next += states.len() as u32;
        }
        Self { store, inside: numbered.concat(), pieces: begins }
    }

    #[inline]
    pub(super) fn of(&self, position: u32) -> u32 {
        let piece = self.pieces.iter().rev().find(|(begin, _)| *begin <= position);
        let first = piece.map_or(0, |(_, first)| *first);
        first + self.store.counter(position).load(Ordering::Relaxed)
    }
}
