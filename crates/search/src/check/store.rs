//! All states of a check: their words and their records.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use super::records::{Looked, Reading, Records};
use super::words::{Cache, Dictionary, Form};

pub(super) struct Store {
    dictionary: Dictionary,
    /// How many words the longest state has.
    most_words: AtomicUsize,
    /// The states that are counted, and those inside sequences that nothing interrupts.
    sides: [Records; 2],
}

/// Where a state is: among the states that are counted (0) or the others (1), and its position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) side: usize,
    pub(super) position: u32,
}

impl Store {
    pub(super) fn new() -> Self {
        let sides = [Records::new(false), Records::new(true)];
        Self { dictionary: Dictionary::default(), most_words: AtomicUsize::new(0), sides }
    }

    /// How many states are counted, and how many are not.
    pub(super) fn states(&self) -> [u64; 2] {
        self.sides.each_ref().map(Records::len)
    }

    /// Where the positions of both sides end.
    pub(super) fn ends(&self) -> [u32; 2] {
        self.sides.each_ref().map(Records::end)
    }

    pub(super) fn memory(&self) -> usize {
        let words = self.dictionary.memory(self.most_words.load(Ordering::Relaxed));
        words + self.sides.iter().map(Records::memory).sum::<usize>()
    }

    /// Puts a state together.
    pub(super) fn get(&self, place: Place, form: &mut Form, state: &mut Vec<u8>) {
        form.read(self.sides[place.side].get(place.position), &self.dictionary, state);
    }

    /// A number that is kept for a state inside a sequence.
    #[inline]
    pub(super) fn counter(&self, inside: u32) -> &AtomicU32 {
        self.sides[1].counter(inside)
    }

    /// All states between these positions.
    pub(super) fn places(&self, begin: [u32; 2], end: [u32; 2]) -> impl Iterator<Item = Place> {
        [0, 1].into_iter().flat_map(move |side| {
            let positions = self.sides[side].positions(begin[side], end[side]);
            positions.map(move |position| Place { side, position })
        })
    }
}

/// One thread's access to the store. It must be let go of between batches of work, so that others can
/// make tables larger.
pub(super) struct Access<'s> {
    store: &'s Store,
    reading: Option<[Reading<'s>; 2]>,
    form: Form,
    cache: Cache,
}

/// What became of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Put {
    New(u32),
    Known(u32),
    /// It is not there, and was not to be added.
    Missing,
    /// There is no room left for it.
    NoRoom,
}

impl<'s> Access<'s> {
    pub(super) fn new(store: &'s Store) -> Self {
        Self { store, reading: None, form: Form::default(), cache: Cache::default() }
    }

    pub(super) fn let_go(&mut self) {
        self.reading = None;
    }

    /// Finds a state, and adds it if it is new and `add` is set. Looking is quick for states that
    /// differ little from `before`.
    #[inline]
    pub(super) fn put(&mut self, state: &[u8], side: usize, before: &Form, add: bool) -> Put {
        let Self { store, reading, form, cache } = self;
        let store: &'s Store = store;
        if store.most_words.load(Ordering::Relaxed) <= state.len() / 8 {
            store.most_words.fetch_max(state.len() / 8 + 1, Ordering::Relaxed);
        }
        let Some(record) = form.write(state, before, &store.dictionary, cache) else { return Put::NoRoom };
        loop {
            let sides = reading.get_or_insert_with(|| store.sides.each_ref().map(Records::reading));
            match store.sides[side].look(&sides[side], record, add) {
                Looked::New(position) => return Put::New(position),
                Looked::Known(position) => return Put::Known(position),
                Looked::Missing => return Put::Missing,
                Looked::Full => {}
            }
            *reading = None;
            if !store.sides[side].grow(record.len()) {
                return Put::NoRoom;
            }
        }
    }
}
