//! All states of a check: their parts, and their roots level by level.

use super::intern::{Interner, Looked, Reading};
use super::tree::{NUMBER_BITS, Tree};

pub(super) struct Store {
    parts: Interner,
    /// The roots of states that are counted, and of those inside sequences that nothing interrupts.
    roots: [Interner; 2],
}

/// Where a state is: among the states that are counted (0) or the others (1), and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) side: usize,
    pub(super) number: u32,
}

impl Store {
    pub(super) fn new() -> Self {
        Self { parts: Interner::new(NUMBER_BITS), roots: [Interner::new(32), Interner::new(32)] }
    }

    /// How many states are counted, and how many are not.
    pub(super) fn states(&self) -> [u64; 2] {
        self.roots.each_ref().map(Interner::len)
    }

    /// Where the numbers of both sides end.
    pub(super) fn ends(&self) -> [u32; 2] {
        self.roots.each_ref().map(Interner::numbers)
    }

    pub(super) fn memory(&self) -> usize {
        self.parts.memory() + self.roots.iter().map(Interner::memory).sum::<usize>()
    }

    /// Takes a state apart; false if its number was given out in vain.
    pub(super) fn get(&self, place: Place, tree: &mut Tree, state: &mut Vec<u8>) -> bool {
        let root = self.roots[place.side].value(place.number);
        if root != 0 {
            tree.take_apart(root, state, |number| self.parts.value(number));
        }
        root != 0
    }
}

/// One thread's access to the store. It must be let go of between batches of work, so that others can
/// make tables larger.
pub(super) struct Access<'s> {
    store: &'s Store,
    reading: Option<(Reading<'s>, [Reading<'s>; 2])>,
    tree: Tree,
}

/// What became of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Put {
    Here(Place),
    /// It is not there, and was not to be added.
    Missing,
    /// There is no room left for it.
    NoRoom,
}

/// Which table is full.
enum Full {
    Parts,
    Roots(usize),
}

impl<'s> Access<'s> {
    pub(super) fn new(store: &'s Store) -> Self {
        Self { store, reading: None, tree: Tree::default() }
    }

    pub(super) fn let_go(&mut self) {
        self.reading = None;
    }

    /// Finds a state, and adds it if it is new and `add` is set. Looking is quick for states that
    /// differ little from `before`.
    pub(super) fn put(&mut self, state: &[u8], side: usize, before: &Tree, add: bool) -> Put {
        loop {
            let full = match self.try_to_put(state, side, before, add) {
                Ok(put) => return put,
                Err(full) => full,
            };
            self.let_go();
            let has_grown = match full {
                Full::Parts => self.store.parts.grow(),
                Full::Roots(side) => self.store.roots[side].grow(),
            };
            if !has_grown {
                return Put::NoRoom;
            }
        }
    }

    fn try_to_put(&mut self, state: &[u8], side: usize, before: &Tree, add: bool) -> Result<Put, Full> {
        let Self { store, reading, tree } = self;
        let store: &'s Store = store;
        let (parts, roots) = reading
            .get_or_insert_with(|| (store.parts.reading(), store.roots.each_ref().map(Interner::reading)));
        let mut is_full = false;
        let number = |word| match store.parts.look(parts, word, add) {
            Looked::Known(number) | Looked::New(number) => Some(number),
            Looked::Missing => None,
            Looked::Full => {
                is_full = true;
                None
            }
        };
        let Some(root) = tree.build(state, before, number) else {
            // Only states that are too long have no root though all of their parts have numbers.
            return if is_full {
                Err(Full::Parts)
            } else if add {
                Ok(Put::NoRoom)
            } else {
                Ok(Put::Missing)
            };
        };
        match store.roots[side].look(&roots[side], root, add) {
            Looked::Known(number) | Looked::New(number) => Ok(Put::Here(Place { side, number })),
            Looked::Missing => Ok(Put::Missing),
            Looked::Full => Err(Full::Roots(side)),
        }
    }
}
