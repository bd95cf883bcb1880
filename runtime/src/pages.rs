//! Pages from the operating system.
//!
//! **Promises**: pages are zero, and taken when they are touched. **Does not**: know what is in
//! them; who maps pages gives them back, once. Under Miri, which knows no mappings, memory from the
//! allocator stands in for them, at any address.

use std::io;

/// Zeroed pages that a process copied from this one has in common with it, taken when touched.
pub(crate) fn map_shared(len: usize) -> io::Result<*mut u8> {
    mapped(0, len, libc::MAP_SHARED)
}

/// Zeroed pages, taken when touched; at an address where nothing is, or anywhere.
pub(crate) fn map(at: Option<usize>, len: usize) -> io::Result<*mut u8> {
    let fixed = if at.is_some() { libc::MAP_FIXED_NOREPLACE } else { 0 };
    mapped(at.unwrap_or(0), len, libc::MAP_PRIVATE | fixed)
}

#[cfg(not(miri))]
fn mapped(at: usize, len: usize, how: i32) -> io::Result<*mut u8> {
    // SAFETY: a new mapping; a fixed one fails where something is mapped.
    let pages = unsafe {
        libc::mmap(
            at as *mut libc::c_void,
            len.max(1),
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | how,
            -1,
            0,
        )
    };
    if pages == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(pages.cast()) }
}

#[cfg(miri)]
fn mapped(_at: usize, len: usize, _how: i32) -> io::Result<*mut u8> {
    // SAFETY: the layout is of one byte at least.
    let pages = unsafe { std::alloc::alloc_zeroed(layout(len)) };
    if pages.is_null() { Err(io::ErrorKind::OutOfMemory.into()) } else { Ok(pages) }
}

/// Gives pages back.
pub(crate) fn unmap(pages: *mut u8, len: usize) {
    // SAFETY: what `map` gave, given back once by the owner's drop.
    #[cfg(not(miri))]
    let _result = unsafe { libc::munmap(pages.cast(), len.max(1)) };
    // SAFETY: as above.
    #[cfg(miri)]
    unsafe {
        std::alloc::dealloc(pages, layout(len));
    }
}

#[cfg(miri)]
fn layout(len: usize) -> std::alloc::Layout {
    match std::alloc::Layout::from_size_align(len.max(1), 4096) {
        Ok(layout) => layout,
        Err(_) => std::alloc::Layout::new::<[u8; 4096]>(),
    }
}
