//! Work that descends as deep as a program is nested, on a stack that is deep enough for it.

use std::thread;

const STACK: usize = 256 << 20;

/// Nothing comes of it if there is no room for the stack.
pub(crate) fn run<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("lowering".to_owned()).stack_size(STACK);
        builder.spawn_scoped(scope, work).ok()?.join().ok()
    })
}
