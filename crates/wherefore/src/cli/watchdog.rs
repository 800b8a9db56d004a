//! A thread that ends the program where nothing else does.
//!
//! Long loops pulse, and end by themselves with what they have. What cannot pulse (the system, which waits for a pipe
//! that nobody writes to; a parser that was written elsewhere; the freeing of a large graph) must not run on forever
//! when the time is over, somebody wants it to end or the memory is full. Then there is no report but a sentence.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::ending::{end, is_finishing};
use super::memory::{self, Most};

/// How often it looks.
const ROUND: Duration = Duration::from_millis(25);
/// How long what knows of a signal has to finish.
const AFTER_SIGNAL: Duration = Duration::from_millis(900);
/// How long what knows that the time is over has to finish, beside a fiftieth of the time.
const AFTER_TIMEOUT: Duration = Duration::from_millis(400);
/// How much more than the limit is in use before it steps in: an eighth, and so many bytes.
const ABOVE_LIMIT: u64 = 48 << 20;

static SIGNALLED: OnceLock<Instant> = OnceLock::new();

/// Somebody wants the program to end. Tells whether this is the first time.
pub(super) fn signalled() -> bool {
    SIGNALLED.set(Instant::now()).is_ok()
}

/// Begins to watch over one command.
pub(super) fn start(started: Instant, timeout: Option<Duration>, most: Option<Most>) {
    let latest = timeout.and_then(|timeout| timeout.checked_add(timeout / 50 + AFTER_TIMEOUT));
    let look = move || {
        loop {
            std::thread::sleep(ROUND);
            if SIGNALLED.get().is_some_and(|at| at.elapsed() >= AFTER_SIGNAL) {
                end("stopped: interrupted before there was anything more to tell");
            }
            if is_finishing() {
                continue;
            }
            if latest.is_some_and(|latest| started.elapsed() >= latest) {
                end("stopped: the time limit was reached before there was anything more to tell");
            }
            let is_full = |most: &Most| memory::used().is_some_and(|used| most.exceeded(used, ABOVE_LIMIT));
            if most.as_ref().is_some_and(is_full) {
                end("stopped: the memory limit was reached before there was anything more to tell");
            }
        }
    };
    // Where there is no thread to be had, loops still end by themselves.
    let _ = std::thread::Builder::new().name("watchdog".to_owned()).stack_size(256 << 10).spawn(look);
}
