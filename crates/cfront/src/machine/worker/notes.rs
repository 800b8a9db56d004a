//! What a step reads and writes, by place in the state it starts from.
//!
//! Nobody pays for this who does not ask. Frames and objects that come or go move what lies behind them, and
//! that happens last in a step, so places are those of the state before; what comes to life with the step is
//! told by who compares the names of both states.

use std::cell::RefCell;
use std::ops::Range;

use super::super::events::{event, thread_of};
use super::super::halt::Halt;
use super::super::scene::{Bytes, THREADS};
use super::CWorker;

/// Places that were read or written, and what was done to locks and signals, in order.
#[derive(Debug, Default)]
pub(in super::super) struct Notes(RefCell<Vec<Noted>>, RefCell<Vec<Synchronised>>);

/// What a step does to locks, counters and signals, which are pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Synchronised {
    Acquire(i64),
    Release(i64),
    Sleep { signal: i64, lock: i64 },
    Wake { signal: i64, lock: i64 },
    Signal { signal: i64, all: bool },
}

/// A place that was read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Noted {
    pub(crate) at: Range<usize>,
    pub(crate) writes: bool,
}

impl Notes {
    pub(in super::super) fn add(&self, at: Bytes, size: usize, writes: bool) {
        if let Bytes::State(start) = at {
            self.0.borrow_mut().push(Noted { at: start..start + size, writes });
        }
    }

    pub(in super::super) fn synchronised(&self, what: Synchronised) {
        self.1.borrow_mut().push(what);
    }

    pub(super) fn clear(&self) {
        self.0.borrow_mut().clear();
        self.1.borrow_mut().clear();
    }

    fn take(&self) -> Vec<Noted> {
        self.0.take()
    }
}

impl CWorker<'_> {
    /// What the step of an event from a state reads and writes, and where it leads.
    pub(crate) fn touched(&mut self, state: &[u8], wanted: u64) -> Option<(Vec<Noted>, Vec<u8>)> {
        let thread = thread_of(wanted) as usize;
        self.notes = Some(Notes::default());
        let mut found = None;
        self.explore(state, thread, |worker, halted| {
            let is_taken = matches!(halted, Ok(()) | Err(Halt::Fault(_) | Halt::Wrong(_)));
            if is_taken && found.is_none() && event(thread, worker.label, &worker.given) == wanted {
                found = worker.notes.as_ref().map(|notes| (notes.take(), worker.next.clone()));
            }
        });
        self.notes = None;
        found
    }

    /// What the step of an event from a state does to locks, counters and signals.
    pub(crate) fn synchronised(&mut self, state: &[u8], wanted: u64) -> Vec<Synchronised> {
        let thread = thread_of(wanted) as usize;
        self.notes = Some(Notes::default());
        let mut found = None;
        self.explore(state, thread, |worker, halted| {
            let is_taken = matches!(halted, Ok(()) | Err(Halt::Fault(_) | Halt::Wrong(_)));
            if is_taken && found.is_none() && event(thread, worker.label, &worker.given) == wanted {
                found = worker.notes.as_ref().map(|notes| notes.1.take());
            }
        });
        self.notes = None;
        found.unwrap_or_default()
    }

    /// What the threads ask that have to wait in a state.
    pub(crate) fn asked_in_vain(&mut self, state: &[u8]) -> Vec<Noted> {
        self.notes = Some(Notes::default());
        let mut found = Vec::new();
        for thread in 0..usize::from(state[THREADS]) {
            if self.waits_for(state, thread).is_some() {
                self.explore(state, thread, |worker, _| {
                    found.extend(worker.notes.iter().flat_map(Notes::take));
                });
            }
        }
        self.notes = None;
        found
    }
}
