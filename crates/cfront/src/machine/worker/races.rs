//! Data races: two threads whose next steps access the same memory, one of them writing, and not both as
//! atomic operations.
//!
//! Memory is sequentially consistent here, so a program has a race in some execution if and only if there is
//! a state in which two such steps are both possible (Adve and Hill): all interleavings of visible accesses
//! are explored, and nothing has to be said about clocks or sets of locks.

use super::super::halt::Halt;
use super::super::scene::{Bytes, THREADS};
use super::CWorker;

/// An access to memory that other threads see, by its place in the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    start: usize,
    end: usize,
    writes: bool,
    atomic: bool,
}

impl Access {
    fn races_with(self, other: Self) -> bool {
        let meet = self.start < other.end && other.start < self.end;
        meet && (self.writes || other.writes) && !(self.atomic && other.atomic)
    }
}

/// The next accesses of all threads, with who makes them and in which step.
#[derive(Clone, Debug, Default)]
pub(super) struct Accesses(Vec<(usize, u32, Access)>);

impl CWorker<'_> {
    pub(in super::super) fn note_access(&mut self, at: Bytes, size: u32, writes: bool, atomic: bool) {
        if let Bytes::State(start) = at {
            self.accessed.push(Access { start, end: start + size as usize, writes, atomic });
        }
    }

    fn find_accesses(&mut self, state: &[u8]) {
        let mut found = std::mem::take(&mut self.accesses);
        found.0.clear();
        for thread in 0..usize::from(state[THREADS]) {
            if !self.is_alive(state, thread) {
                continue;
            }
            self.explore(state, thread, |worker, halted| {
                if !matches!(halted, Err(Halt::Waits(_))) {
                    let label = worker.label;
                    found.0.extend(worker.accessed.iter().map(|access| (thread, label, *access)));
                }
            });
        }
        self.accesses = found;
    }

    /// The threads that race in a state, each a bit.
    pub(super) fn racing(&mut self, state: &[u8]) -> u64 {
        if !self.machine.races || state[THREADS] < 2 {
            return 0;
        }
        self.find_accesses(state);
        let mut racing = 0;
        let all = &self.accesses.0;
        for (index, (thread, _, access)) in all.iter().enumerate() {
            for (other, _, with) in &all[index + 1..] {
                if thread != other && access.races_with(*with) {
                    racing |= 1 << thread | 1 << other;
                }
            }
        }
        racing
    }

    /// Whom a thread races with in a state, and in which step of theirs.
    pub(crate) fn rival(&mut self, state: &[u8], thread: usize) -> Option<(u8, u32)> {
        if self.racing(state) >> thread & 1 == 0 {
            return None;
        }
        let all = &self.accesses.0;
        let own = || all.iter().filter(|(who, ..)| *who == thread);
        let meets = |with: Access| own().any(|(_, _, access)| access.races_with(with));
        let rival = all.iter().find(|(who, _, with)| *who != thread && meets(*with));
        rival.map(|(who, label, _)| (*who as u8, *label))
    }
}
