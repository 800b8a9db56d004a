//! How the program ends before it is finished: what it leaves behind, and with which exit code.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

use super::exit;
use super::messages::message;

/// Whether a report is being written, which nobody may cut short but the user.
static FINISHING: AtomicBool = AtomicBool::new(false);
/// The exit code; another one as soon as a verdict was told.
static CODE: AtomicU8 = AtomicU8::new(exit::UNDECIDED);
/// A file that is not yet whole.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// A verdict was told.
pub(super) fn told(code: u8) {
    CODE.store(code, Ordering::Relaxed);
}

/// From now on a report is written.
pub(super) fn finishing() {
    FINISHING.store(true, Ordering::Relaxed);
}

pub(super) fn is_finishing() -> bool {
    FINISHING.load(Ordering::Relaxed)
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
