//! An allocator that counts, so tests can say "none".
#![allow(unsafe_code, reason = "a global allocator cannot be written without it")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

fn add(bytes: i64) {
    // During the end of a thread its counters may be gone already; nobody reads them then.
    let _ = COUNT.try_with(|count| count.set(count.get() + u64::from(bytes > 0)));
    let _ = BYTES.try_with(|total| {
        total.set(total.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(total.get())));
    });
}

// SAFETY: every call is handed on to the system's allocator unchanged; counting touches no memory of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as i64);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        add(-(layout.size() as i64));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// What happened on this thread while `work` ran.
pub(crate) struct Used<T> {
    pub(crate) value: T,
    /// How many times memory was allocated.
    pub(crate) allocations: u64,
    /// How many more bytes are held than before.
    pub(crate) held: i64,
    /// How many more bytes were held at most.
    pub(crate) peak: i64,
}

/// Runs `work` and counts.
pub(crate) fn counted<T>(work: impl FnOnce() -> T) -> Used<T> {
    let (count, bytes) = (COUNT.get(), BYTES.get());
    PEAK.set(bytes);
    let value = work();
    Used { value, allocations: COUNT.get() - count, held: BYTES.get() - bytes, peak: PEAK.get() - bytes }
}

#[test]
fn it_counts() {
    let used = counted(|| vec![0_u8; 1000]);
    assert_eq!((used.allocations, used.held, used.value.len()), (1, 1000, 1000));
    let used = counted(|| drop(vec![0_u8; 1000]));
    assert_eq!((used.allocations, used.held, used.peak), (1, 0, 1000));
}
