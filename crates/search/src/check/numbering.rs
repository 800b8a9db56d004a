//! Numbers for the states inside sequences, so that ways through them can be counted.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::store::Store;
use super::threads;
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
        let (made, next) = (pieces.iter().map(|_| OnceLock::new()).collect::<Vec<_>>(), AtomicUsize::new(0));
        let work = || {
            let take = || next.fetch_add(1, Ordering::Relaxed);
            while let Some((at, piece)) = Some(take()).and_then(|at| Some((at, pieces.get(at)?))) {
                made[at].get_or_init(|| number(*piece));
            }
        };
        std::thread::scope(|scope| {
            let _ = (1..pieces.len()).all(|_| threads::start(scope, work));
            work();
        });
        let numbered: Vec<Vec<Inside>> = made.into_iter().filter_map(OnceLock::into_inner).collect();
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
