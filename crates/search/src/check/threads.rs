//! Threads where the system has some to give. Whoever asks for one does the work alone if there is none.

use std::thread::{Builder, Scope};

/// More do not make a search faster, and each takes room.
pub(super) const MOST: usize = 256;

/// Starts a thread; tells whether there was one to be had.
pub(super) fn start<'scope>(scope: &'scope Scope<'scope, '_>, work: impl FnOnce() + Send + 'scope) -> bool {
    Builder::new().spawn_scoped(scope, work).is_ok()
}
