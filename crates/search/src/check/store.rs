//! All states of a check: their words and their records.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use super::index::hash;
use super::records::{Block, Looked, Reading, Records};
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
pub(super) struct StatePlace {
    pub(super) side: usize,
    pub(super) position: u32,
}

impl Store {
    /// For so many threads.
    pub(super) fn new(threads: usize) -> Self {
        let sides = [Records::new(false, threads), Records::new(true, threads)];
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
    pub(super) fn get(&self, place: StatePlace, form: &mut Form, state: &mut Vec<u8>) {
        let record = form.incoming();
        self.sides[place.side].read(place.position, |unit| record.push(unit));
        form.read(&self.dictionary, state);
    }

    /// A number that is kept for a state inside a sequence.
    #[inline]
    pub(super) fn counter(&self, inside: u32) -> &AtomicU32 {
        self.sides[1].counter(inside)
    }

    /// The positions of the states inside sequences between two of them.
    pub(super) fn inside(&self, begin: u32, end: u32) -> impl Iterator<Item = u32> {
        self.sides[1].positions(begin, end)
    }

    /// Cuts the states inside sequences into about so many pieces: from where to where.
    pub(super) fn pieces_of_inside(&self, pieces: usize) -> Vec<(u32, u32)> {
        self.sides[1].pieces(pieces)
    }

    /// All states between these positions.
    pub(super) fn places(&self, begin: [u32; 2], end: [u32; 2]) -> impl Iterator<Item = StatePlace> {
        [0, 1].into_iter().flat_map(move |side| {
            let positions = self.sides[side].positions(begin[side], end[side]);
            positions.map(move |position| StatePlace { side, position })
        })
    }
}

/// A state that somebody wants to know about, and why.
#[derive(Clone, Copy, Debug)]
struct Request<T> {
    hash: u64,
    /// Its record ends here in the list of all records.
    end: usize,
    side: usize,
    /// What was read on the way to it.
    seen: u32,
    purpose: T,
}

/// One thread's access to the store. Requests are collected and answered together, because many waits
/// for memory at once take little longer than one.
///
/// Tables are read only while requests are answered, so that others can make them larger in between.
pub(super) struct Access<'s, T> {
    store: &'s Store,
    thread: usize,
    form: Form,
    cache: Cache,
    requests: Vec<Request<T>>,
    records: Vec<u32>,
    /// Where new states of both sides go.
    blocks: [Block; 2],
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

impl<'s, T: Copy> Access<'s, T> {
    /// For one of the threads that the store was made for.
    pub(super) fn new(store: &'s Store, thread: usize) -> Self {
        Self {
            store,
            thread,
            form: Form::default(),
            cache: Cache::default(),
            requests: Vec::new(),
            records: Vec::new(),
            blocks: Default::default(),
        }
    }

    /// Asks for a state, quickly if it differs little from `before`; false if there is no room for it.
    #[inline]
    pub(super) fn request(&mut self, state: &[u8], side: usize, before: &Form, purpose: T) -> bool {
        let store = self.store;
        if store.most_words.load(Ordering::Relaxed) <= state.len() / 8 {
            store.most_words.fetch_max(state.len() / 8 + 1, Ordering::Relaxed);
        }
        let Some(record) = self.form.write(state, before, &store.dictionary, &mut self.cache) else {
            return false;
        };
        let hash = hash(record);
        self.records.extend_from_slice(record);
        self.requests.push(Request { hash, end: self.records.len(), side, seen: 0, purpose });
        true
    }

    /// From now on new states go behind all that there are.
    pub(super) fn begin_blocks(&mut self) {
        self.blocks = Default::default();
    }

    /// A point to go back to.
    pub(super) fn mark(&self) -> usize {
        self.requests.len()
    }

    /// Says why everything since then was asked for.
    pub(super) fn set_purposes(&mut self, mark: usize, purpose: T) {
        self.requests[mark..].iter_mut().for_each(|request| request.purpose = purpose);
    }

    /// Takes back all that was asked for since then.
    pub(super) fn forget_since(&mut self, mark: usize) {
        self.requests.truncate(mark);
        self.records.truncate(self.requests.last().map_or(0, |request| request.end));
    }

    /// Finds all states that were asked for, and adds those that are new if `add` is set.
    pub(super) fn answer(&mut self, add: bool, mut told: impl FnMut(T, usize, Put)) {
        let Self { store, thread, requests, records, blocks, .. } = self;
        let store: &'s Store = store;
        let read = || store.sides.each_ref().map(|side| side.reading(*thread));
        let mut sides: Option<[Reading<'s>; 2]> = Some(read());
        if let Some(sides) = &sides {
            for request in &mut *requests {
                request.seen = store.sides[request.side].first_slot(&sides[request.side], request.hash);
            }
            for request in &mut *requests {
                let Request { hash, side, seen, .. } = *request;
                request.seen = store.sides[side].first_unit(&sides[side], hash, seen);
            }
        }
        let mut begin = 0;
        for Request { hash, end, side, purpose, .. } in requests.drain(..) {
            let record = &records[begin..end];
            begin = end;
            let put = loop {
                let block = add.then_some(&mut blocks[side]);
                let looked =
                    store.sides[side].look(&sides.get_or_insert_with(read)[side], record, hash, block);
                match looked {
                    Looked::New(position) => break Put::New(position),
                    Looked::Known(position) => break Put::Known(position),
                    Looked::Missing => break Put::Missing,
                    Looked::Full => {}
                }
                sides = None;
                if !store.sides[side].grow(record.len()) {
                    break Put::NoRoom;
                }
            };
            told(purpose, side, put);
        }
        for (side, block) in store.sides.iter().zip(blocks) {
            side.settle(block);
        }
        records.clear();
    }
}
