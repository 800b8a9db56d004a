//! Panics of the library are caught and become errors; this keeps them from being printed as well.
//!
//! The panic hook belongs to the whole process, so it is wrapped once and for all, and asks a flag of the
//! panicking thread whether to stay quiet. Other threads panic as before.

use std::cell::Cell;
use std::panic;
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

static WRAPPED: Once = Once::new();

/// From now on this thread panics without a word.
pub(super) fn quiet_panics() {
    WRAPPED.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                before(info);
            }
        }));
    });
    QUIET.set(true);
}
