//! A thread that ends the program where nothing else does.
//!
//! Long loops pulse, and end by themselves with what they have. What cannot pulse (the system, which waits for a pipe
//! that nobody writes to; a parser that was written elsewhere; the freeing of a large graph) must not run on for ever
//! when the time is over, somebody wants it to end or the memory is full. Then there is no report but a sentence.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::exit;
use super::host::message;
use super::memory::{self, Most};

/// How often it looks.
const ROUND: Duration = Duration::from_millis(25);
/// How long what knows of a signal has to finish.
const AFTER_SIGNAL: Duration = Duration::from_millis(900);
/// How long what knows that the time is over has to finish, beside a fiftieth of the time.
const AFTER_TIMEOUT: Duration = Duration::from_millis(400);
/// How much more than the limit is in use before it steps in: an eighth, and so many bytes.
const ABOVE_LIMIT: u64 = 48 << 20;

/// Whether a report is being written, which nobody may cut short but the user.
static FINISHING: AtomicBool = AtomicBool::new(false);
/// The exit code; another one as soon as a verdict was told.
static CODE: AtomicU8 = AtomicU8::new(exit::UNDECIDED);
static SIGNALLED: OnceLock<Instant> = OnceLock::new();
/// A file that is not yet whole.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Somebody wants the program to end. Tells whether this is the first time.
pub(super) fn signalled() -> bool {
    SIGNALLED.set(Instant::now()).is_ok()
}

/// A verdict was told.
pub(super) fn told(code: u8) {
    CODE.store(code, Ordering::Relaxed);
}

/// From now on a report is written.
pub(super) fn finishing() {
    FINISHING.store(true, Ordering::Relaxed);
}

/// A file is being written that must not stay as it is.
pub(super) fn unfinished(path: Option<&Path>) {
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = path.map(Path::to_owned);
}

/// Ends the program at once.
pub(super) fn end(why: &str) -> ! {
    message(why);
    quit()
}

/// Ends the program because the system has no more memory for it. Nothing is allocated on the way.
pub(super) fn out_of_memory(size: usize) -> ! {
    let _ = writeln!(
        std::io::stderr(),
        "stopped: out of memory: {size} bytes more were refused; with --max-memory or --max-states less is looked at"
    );
    quit()
}

fn quit() -> ! {
    // Whoever holds the lock puts in or takes out a name, and is not waited for.
    if let Some(path) = UNFINISHED.try_lock().ok().and_then(|mut path| path.take()) {
        let _ = std::fs::remove_file(path);
    }
    std::process::exit(i32::from(CODE.load(Ordering::Relaxed)))
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
            if FINISHING.load(Ordering::Relaxed) {
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
