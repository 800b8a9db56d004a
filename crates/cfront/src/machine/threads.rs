//! Threads: how they start and end, and what they wait for.
//!
//! A lock is a number in the program's own memory: 0 while it is free, else one more than the number of
//! the thread that has it, with the times it was locked again above. A lock for reading and writing counts
//! its readers, and is -1 while somebody writes. Who waits for a signal sleeps until it is woken, and then
//! waits for its lock; who comes to a barrier sleeps until the last one has come.

use model::{Builtin, Fault, Scalar};

use super::halt::{Halt, Wait};
use super::limits::Stuck;
use super::scene;
use super::scene::{
    DEPTH, ENDS, HOLDER, JOINED, NESTED, RUNS, SLEEPS, STATUS, THREAD_HEADER, THREADS, VALUE, WOKEN,
};
use super::worker::{CWorker, Synchronised};

const MOST_THREADS: u8 = 64;
/// One more time locked.
pub(crate) const TAKEN_AGAIN: i64 = 1 << 16;
const INT: Scalar = Scalar::I32;

/// What became of an operation.
pub(super) enum Done {
    Value(i64),
    /// The step ends here, and the thread stays where it is.
    Stay,
    /// The thread is over.
    Over,
}

impl CWorker<'_> {
    /// Does what concerns threads, with the arguments in `values`.
    pub(super) fn synchronise(&mut self, thread: usize, which: Builtin) -> Result<Done, Halt> {
        let argument = |index: usize| self.values.get(index).copied().unwrap_or(0);
        let (first, second) = (argument(0), argument(1));
        let own = thread as i64 + 1;
        match which {
            Builtin::StartThread => return self.start(first, second).map(Done::Value),
            Builtin::JoinThread => return self.ended(first).map(Done::Value),
            Builtin::CurrentThread => return Ok(Done::Value(own)),
            Builtin::EndThread => {
                self.end_thread(thread, first);
                return Ok(Done::Over);
            }
            Builtin::BeginAtomic => {
                let nested = self.nested(thread);
                *nested = nested.saturating_add(1);
                self.keep_control(thread);
            }
            Builtin::EndAtomic => {
                let nested = self.nested(thread);
                *nested = nested.saturating_sub(1);
                self.keep_control(thread);
            }
            Builtin::Lock => {
                self.lock(first, own)?;
                self.note_synchronised(Synchronised::Acquire(first));
            }
            Builtin::TryLock => {
                return match self.lock(first, own) {
                    Ok(()) => {
                        self.note_synchronised(Synchronised::Acquire(first));
                        Ok(Done::Value(1))
                    }
                    Err(Halt::Waits(_)) => Ok(Done::Value(0)),
                    Err(other) => Err(other),
                };
            }
            Builtin::Unlock => {
                self.check_held(first, own)?;
                self.note_synchronised(Synchronised::Release(first));
                self.unlock(first)?;
            }
            Builtin::LockShared => {
                let readers = self.number(first)?;
                if readers < 0 {
                    return Err(Halt::Waits(Wait::Shared(first)));
                }
                self.store(first, INT, readers + 1)?;
                self.note_synchronised(Synchronised::Acquire(first));
            }
            Builtin::LockAlone => {
                if self.number(first)? != 0 {
                    return Err(Halt::Waits(Wait::Shared(first)));
                }
                self.store(first, INT, -1)?;
                self.note_synchronised(Synchronised::Acquire(first));
            }
            Builtin::UnlockShared => {
                let readers = self.number(first)?;
                // Who the readers are is not kept, but there must be one.
                if readers == 0 {
                    return Err(Halt::Fault(Fault::NotHeld));
                }
                self.store(first, INT, (readers - 1).max(0))?;
                self.note_synchronised(Synchronised::Release(first));
            }
            Builtin::TryLockShared | Builtin::TryLockAlone => {
                let readers = self.number(first)?;
                let shared = which == Builtin::TryLockShared;
                let taken = if shared { readers >= 0 } else { readers == 0 };
                if taken {
                    self.store(first, INT, if shared { readers + 1 } else { -1 })?;
                    self.note_synchronised(Synchronised::Acquire(first));
                }
                return Ok(Done::Value(i64::from(taken)));
            }
            Builtin::BeginOnce => match self.number(first)? {
                0 => {
                    self.store(first, INT, 1)?;
                    return Ok(Done::Value(1));
                }
                1 => return Err(Halt::Waits(Wait::Once(first))),
                _ => {}
            },
            Builtin::Gather => return self.gather(thread, first),
            Builtin::Await => return self.sleep_until(thread, first, second),
            Builtin::Signal | Builtin::SignalAll => {
                self.note_signal(first, true);
                self.note_synchronised(Synchronised::Signal {
                    signal: first,
                    all: which == Builtin::SignalAll,
                });
                self.wake(first, which == Builtin::SignalAll);
            }
            Builtin::CountDown => {
                let count = self.number(first)?;
                if count <= 0 {
                    return Err(Halt::Waits(Wait::Counter(first)));
                }
                self.store(first, INT, count - 1)?;
                self.note_synchronised(Synchronised::Acquire(first));
            }
            Builtin::TryCountDown => {
                let count = self.number(first)?;
                if count > 0 {
                    self.store(first, INT, count - 1)?;
                    self.note_synchronised(Synchronised::Acquire(first));
                }
                return Ok(Done::Value(i64::from(count > 0)));
            }
            Builtin::CountUp => {
                let count = self.number(first)?;
                self.store(first, INT, count + 1)?;
                self.note_synchronised(Synchronised::Release(first));
            }
            Builtin::DestroyLock => {
                if self.number(first)? != 0 {
                    return Err(Halt::Fault(Fault::InUse));
                }
            }
            Builtin::DestroySignal => {
                if (0..self.scene.threads.len()).any(|thread| self.sleeps_on(thread, first)) {
                    return Err(Halt::Fault(Fault::InUse));
                }
            }
            other => return self.builtin(thread, other).map(Done::Value),
        }
        Ok(Done::Value(0))
    }

    /// In how many atomic sequences a thread is.
    fn nested(&mut self, thread: usize) -> &mut u8 {
        let at = self.scene.threads[thread].start + NESTED;
        &mut self.next[at]
    }

    /// Who is in an atomic sequence keeps control. A thread that had to wait in one has lost it to others, and has it
    /// again as soon as it moves.
    pub(super) fn keep_control(&mut self, thread: usize) {
        let is_atomic = *self.nested(thread) > 0;
        self.next[HOLDER] = if is_atomic { thread as u8 + 1 } else { 0 };
    }

    /// Notes what is done to a lock, a counter or a signal, if anybody asks.
    fn note_synchronised(&self, what: Synchronised) {
        if let Some(notes) = &self.notes {
            notes.synchronised(what);
        }
    }

    /// Signals leave nothing in memory; who waits for one reads it, and who gives it writes it.
    fn note_signal(&self, signal: i64, gives: bool) {
        if let Ok(at) = self.scene.resolve(&self.machine.program, signal, 1, false) {
            self.note(at, 1, gives);
        }
    }

    fn number(&self, pointer: i64) -> Result<i64, Fault> {
        let at = self.scene.resolve(&self.machine.program, pointer, INT.bytes(), true)?;
        Ok(INT.load(self.bytes(at, INT.bytes() as usize)))
    }

    fn lock(&mut self, lock: i64, own: i64) -> Result<(), Halt> {
        let held = self.number(lock)?;
        let owner = held % TAKEN_AGAIN;
        if held == 0 {
            self.store(lock, INT, own)?;
            return Ok(());
        }
        let again = self.number(lock.wrapping_add(i64::from(INT.bytes()))).unwrap_or(0) == 1;
        if owner == own && again {
            self.store(lock, INT, held + TAKEN_AGAIN)?;
            return Ok(());
        }
        Err(Halt::Waits(Wait::Lock(lock, (owner - 1).clamp(0, 255) as u8)))
    }

    /// Nobody gives back a lock that somebody else has, or nobody.
    fn check_held(&self, lock: i64, own: i64) -> Result<(), Halt> {
        if self.number(lock)? % TAKEN_AGAIN == own { Ok(()) } else { Err(Halt::Fault(Fault::NotHeld)) }
    }

    fn unlock(&mut self, lock: i64) -> Result<(), Halt> {
        let held = self.number(lock)?;
        let left = if held > TAKEN_AGAIN { held - TAKEN_AGAIN } else { 0 };
        self.store(lock, INT, left)?;
        Ok(())
    }

    fn status(&mut self, thread: usize) -> &mut u8 {
        let at = self.scene.threads[thread].start + STATUS;
        &mut self.next[at]
    }

    fn set_value(&mut self, thread: usize, value: i64) {
        let at = self.scene.threads[thread].start + VALUE;
        self.next[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }

    fn sleep_until(&mut self, thread: usize, signal: i64, lock: i64) -> Result<Done, Halt> {
        self.note_signal(signal, false);
        if *self.status(thread) == WOKEN {
            self.lock(lock, thread as i64 + 1)?;
            self.note_synchronised(Synchronised::Wake { signal, lock });
            *self.status(thread) = RUNS;
            self.set_value(thread, 0);
            return Ok(Done::Value(0));
        }
        // Who sleeps already has given it back, and is only asked what it waits for.
        if *self.status(thread) == RUNS {
            self.check_held(lock, thread as i64 + 1)?;
        }
        self.unlock(lock)?;
        self.note_synchronised(Synchronised::Sleep { signal, lock });
        self.sleep(thread, signal, Wait::Signal(signal));
        Ok(Done::Stay)
    }

    fn sleep(&mut self, thread: usize, on: i64, what: Wait) {
        *self.status(thread) = SLEEPS;
        self.set_value(thread, on);
        self.sleeps_for = what;
    }

    /// A barrier counts those who have come and sleep; the last one wakes them all.
    fn gather(&mut self, thread: usize, barrier: i64) -> Result<Done, Halt> {
        if *self.status(thread) == WOKEN {
            *self.status(thread) = RUNS;
            self.set_value(thread, 0);
            return Ok(Done::Value(0));
        }
        let come = self.number(barrier)? + 1;
        let wanted = self.number(barrier.wrapping_add(i64::from(INT.bytes())))?;
        if come >= wanted {
            self.store(barrier, INT, 0)?;
            self.wake(barrier, true);
            return Ok(Done::Value(-1));
        }
        self.store(barrier, INT, come)?;
        self.sleep(thread, barrier, Wait::Barrier(barrier, (wanted - come) as u32));
        Ok(Done::Stay)
    }

    fn sleeps_on(&self, thread: usize, signal: i64) -> bool {
        let start = self.scene.threads[thread].start;
        self.next[start + STATUS] == SLEEPS && Scalar::I64.load(&self.next[start + VALUE..]) == signal
    }

    /// Wakes those who wait for the signal; which one, if it is one, is a choice.
    fn wake(&mut self, signal: i64, all: bool) {
        let count = self.scene.threads.len();
        let sleeping = (0..count).filter(|thread| self.sleeps_on(*thread, signal)).count() as u64;
        if sleeping == 0 {
            return;
        }
        let chosen = if all || sleeping == 1 { 0 } else { self.choose(sleeping) };
        let mut met = 0;
        for thread in 0..count {
            if self.sleeps_on(thread, signal) {
                if all || met == chosen {
                    *self.status(thread) = WOKEN;
                }
                met += 1;
            }
        }
    }

    fn start(&mut self, function: i64, argument: i64) -> Result<i64, Halt> {
        let function = self.function_at(function)?;
        if self.next[THREADS] >= MOST_THREADS {
            return Err(Halt::Stuck(Stuck::Threads));
        }
        self.make_room(self.scene.heap, THREAD_HEADER)?;
        self.next[THREADS] += 1;
        self.scene.find(self.machine, &self.next);
        let thread = self.scene.threads.len() - 1;
        self.values.clear();
        self.values.push(argument);
        self.begin_call(thread, function)?;
        Ok(thread as i64 + 1)
    }

    /// What a thread ended with.
    fn ended(&mut self, number: i64) -> Result<i64, Halt> {
        let thread = usize::try_from(number - 1).ok().filter(|thread| *thread < self.scene.threads.len());
        let thread = thread.ok_or(Halt::Fault(Fault::NoProcess(number)))?;
        match *self.status(thread) {
            ENDS => *self.status(thread) = JOINED,
            JOINED => return Err(Halt::Fault(Fault::JoinedAgain)),
            _ => return Err(Halt::Waits(Wait::Thread(thread as u8))),
        }
        let start = self.scene.threads[thread].start;
        Ok(Scalar::I64.load(&self.next[start + VALUE..]))
    }

    fn end_thread(&mut self, thread: usize, value: i64) {
        let at = self.scene.threads[thread];
        let frames = at.start + THREAD_HEADER;
        self.take_out(frames, at.end - frames);
        self.next[at.start + DEPTH..at.start + DEPTH + 2].fill(0);
        self.next[at.start + STATUS] = ENDS;
        self.scene.find(self.machine, &self.next);
        self.set_value(thread, value);
        while let Some(object) = self.scene.objects.iter().find(|object| {
            object.on_heap
                && scene::block_owner(&self.next, object.start - scene::BLOCK_HEADER) >> 16
                    == thread as u32 + 1
        }) {
            let (start, size) = (object.start, object.size);
            self.remove_block(start, size);
        }
    }
}
