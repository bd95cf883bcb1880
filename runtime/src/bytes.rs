//! Bytes that native code reads and writes, reached here by their address.
//!
//! **Promises**: who has [`Bytes`] may read and write them for as long as the run lasts. That they
//! are there is said once, where they are made: by the check of an access (`detect`), or where
//! native code hands over bytes of its own.
//!
//! **Does not**: order anything. Workers may read and write the same bytes at once, as the threads
//! do that they run; to find that is what the checks are for.

use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Bytes of the launch's memory, or of a stack, for as long as the run lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes {
    address: usize,
    len: usize,
}

impl Bytes {
    /// No bytes.
    pub(crate) const NONE: Bytes = Bytes { address: 0, len: 0 };

    /// Bytes by their address.
    ///
    /// # Safety
    /// They can be read and written for as long as the run lasts.
    pub(crate) unsafe fn new(address: usize, len: usize) -> Bytes {
        Bytes { address, len }
    }

    /// The first one's address.
    pub(crate) fn address(self) -> usize {
        self.address
    }

    /// How many.
    pub(crate) fn len(self) -> usize {
        self.len
    }

    /// Up to eight of them as a number, the first one lowest.
    pub(crate) fn load(self) -> u64 {
        let mut bytes = [0; 8];
        let len = self.len.min(8);
        // SAFETY: they can be read, as `new` was told.
        unsafe {
            std::ptr::copy_nonoverlapping(self.address as *const u8, bytes.as_mut_ptr(), len)
        };
        u64::from_le_bytes(bytes)
    }

    /// Whether they hold a value of at most eight bytes.
    pub(crate) fn holds(self, value: u64) -> bool {
        self.load() == value & (u64::MAX >> (64 - 8 * self.len.clamp(1, 8)))
    }

    /// A copy of all of them.
    pub(crate) fn read(self) -> Vec<u8> {
        let mut bytes = vec![0; self.len];
        // SAFETY: they can be read, as `new` was told.
        unsafe {
            std::ptr::copy_nonoverlapping(self.address as *const u8, bytes.as_mut_ptr(), self.len);
        }
        bytes
    }

    /// Sets the first ones to those of another place, which may overlap, and the rest to zero.
    pub(crate) fn copy_from(self, source: Bytes) {
        let len = self.len.min(source.len);
        // SAFETY: both can be reached, as `new` was told.
        unsafe {
            std::ptr::copy(source.address as *const u8, self.address as *mut u8, len);
            std::ptr::write_bytes((self.address + len) as *mut u8, 0, self.len - len);
        }
    }

    /// Sets all of them to one value.
    pub(crate) fn fill(self, value: u8) {
        // SAFETY: they can be written, as `new` was told.
        unsafe { std::ptr::write_bytes(self.address as *mut u8, value, self.len) };
    }

    /// Consecutive pieces of `len` bytes; a shorter rest is left out.
    pub(crate) fn chunks(self, len: usize) -> impl Iterator<Item = Bytes> {
        let starts = (0..self.len / len.max(1)).map(move |n| self.address + n * len);
        starts.map(move |address| Bytes { address, len })
    }

    /// Makes another number of the one that two, four or eight bytes hold, at once for all who do
    /// the same where the address is a multiple of the size.
    pub(crate) fn update(self, new: impl Fn(u64) -> u64) {
        macro_rules! at_once {
            ($atomic:ty, $number:ty) => {{
                // SAFETY: the bytes are there, as `new` was told, and aligned.
                let there = unsafe { <$atomic>::from_ptr(self.address as *mut $number) };
                // It gives no reason to stop.
                let _ =
                    there.fetch_update(Relaxed, Relaxed, |old| Some(new(old.into()) as $number));
            }};
        }
        match self.len {
            2 if self.address.is_multiple_of(2) => at_once!(AtomicU16, u16),
            4 if self.address.is_multiple_of(4) => at_once!(AtomicU32, u32),
            8 if self.address.is_multiple_of(8) => at_once!(AtomicU64, u64),
            len => {
                let bytes = new(self.load()).to_le_bytes();
                // SAFETY: they can be written, as `new` was told.
                unsafe {
                    std::ptr::copy_nonoverlapping(
                        bytes.as_ptr(),
                        self.address as *mut u8,
                        len.min(8),
                    );
                }
            }
        }
    }
}
