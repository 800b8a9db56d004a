//! The system's allocator, and what happens when it has nothing more to give: a sentence and an exit code instead of
//! an abort. Searches end before that, because they ask how large the largest table is and what its next size would take.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::ending;

/// Blocks from this size on count as tables.
const LARGE: usize = 1 << 20;
/// The size of the largest of them.
static LARGEST: AtomicUsize = AtomicUsize::new(0);

struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// The size of the largest block in use; half of that once it was freed.
pub(super) fn largest() -> u64 {
    LARGEST.load(Ordering::Relaxed) as u64
}

fn grown(size: usize) {
    if size >= LARGE {
        LARGEST.fetch_max(size, Ordering::Relaxed);
    }
}

fn freed(size: usize) {
    if size >= LARGE {
        // Others may be nearly as large; the next one that grows says so.
        let _ = LARGEST.compare_exchange(size, size / 2, Ordering::Relaxed, Ordering::Relaxed);
    }
}

#[cold]
fn exhausted(size: usize) -> ! {
    ending::out_of_memory(size)
}

// SAFETY: everything is left to the system's allocator, with what it was given; what it returns is passed on, unless it
// is null, and then nothing returns.
#[allow(unsafe_code, reason = "the only way to have a say where memory ends, without an abort")]
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        let block = unsafe { System.alloc(layout) };
        if block.is_null() {
            exhausted(layout.size());
        }
        grown(layout.size());
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        let block = unsafe { System.alloc_zeroed(layout) };
        if block.is_null() {
            exhausted(layout.size());
        }
        grown(layout.size());
        block
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        let moved = unsafe { System.realloc(block, layout, size) };
        if moved.is_null() {
            exhausted(size);
        }
        freed(layout.size());
        grown(size);
        moved
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        freed(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }
}
