//! Where threads meet between the levels of a check.
//!
//! Most levels take less than a millisecond, and waking a thread that sleeps takes a tenth of that. So who
//! waits looks again and again for a short while, and sleeps only when that was in vain.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use super::padded::Padded;

/// So often one looks before going to sleep: some tens of microseconds.
const LOOKS: u32 = 2000;
/// The round in which everybody goes home.
const CLOSED: usize = usize::MAX;

/// One who calls the others to work, round by round, and waits until all are done.
#[derive(Default)]
pub(super) struct Gate {
    round: Padded<AtomicUsize>,
    /// How many are still at work.
    busy: Padded<AtomicUsize>,
    asleep: Mutex<()>,
    awake: Condvar,
}

impl Gate {
    /// Does `work` in every round until the gate is closed.
    pub(super) fn attend(&self, mut work: impl FnMut()) {
        let mut last = 0;
        loop {
            self.wait(|| self.round.0.load(Ordering::Acquire) != last);
            last = self.round.0.load(Ordering::Acquire);
            if last == CLOSED {
                break;
            }
            // Whoever panics counts as done, so that nobody waits in vain.
            let _done = OnLeaving(|| {
                if self.busy.0.fetch_sub(1, Ordering::AcqRel) == 1 {
                    self.wake();
                }
            });
            work();
        }
    }

    /// Begins a round for so many others, does one's own part, and waits for theirs.
    pub(super) fn hold_round(&self, others: usize, own: impl FnOnce()) {
        self.busy.0.store(others, Ordering::Release);
        self.round.0.fetch_add(1, Ordering::AcqRel);
        self.wake();
        let _all_done = OnLeaving(|| self.wait(|| self.busy.0.load(Ordering::Acquire) == 0));
        own();
    }

    /// Closes the gate when dropped, so that those who attend do not wait for ever.
    pub(super) fn closing(&self) -> impl Drop {
        OnLeaving(|| {
            self.round.0.store(CLOSED, Ordering::Release);
            self.wake();
        })
    }

    fn wait(&self, done: impl Fn() -> bool) {
        for _ in 0..LOOKS {
            if done() {
                return;
            }
            std::hint::spin_loop();
        }
        let mut asleep = self.asleep.lock().unwrap_or_else(PoisonError::into_inner);
        while !done() {
            asleep = self.awake.wait(asleep).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn wake(&self) {
        // Who is about to fall asleep holds the lock from its last look on.
        drop(self.asleep.lock().unwrap_or_else(PoisonError::into_inner));
        self.awake.notify_all();
    }
}

/// Does something when it is left, however that happens.
struct OnLeaving<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnLeaving<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_works_once_in_every_round() {
        let gate = Gate::default();
        let worked = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let _closing = gate.closing();
            for _ in 0..3 {
                scope.spawn(|| gate.attend(|| _ = worked.fetch_add(1, Ordering::Relaxed)));
            }
            for round in 1..=500 {
                if round % 100 == 0 {
                    // Long enough for the others to fall asleep.
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
                gate.hold_round(3, || _ = worked.fetch_add(1, Ordering::Relaxed));
                assert_eq!(worked.load(Ordering::Relaxed), 4 * round);
            }
        });
    }

    #[test]
    fn a_panic_ends_the_work_and_is_passed_on() {
        let gate = Gate::default();
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            std::thread::scope(|scope| {
                let _closing = gate.closing();
                scope.spawn(|| gate.attend(|| panic!("as planned")));
                gate.hold_round(1, || {});
            });
        }));
        assert!(ended.is_err());
    }
}
