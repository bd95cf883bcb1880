//! Buffers of the grid and shared memory of the blocks, each with a shadow, and the names of both.
//!
//! Buffers lie in one mapping with forbidden bytes between them, so that an access beyond one is
//! seen and hurts nobody. Shared memory lies below 4 GiB: programs keep its addresses in 32 bits,
//! as on the device.
//!
//! **Does not**: read files; a buffer starts with the bytes it is given.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::facts::Span;
use crate::pages::{map, map_shared, unmap};
use crate::shadow::Region;

/// Something with a name and an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name in the source.
    pub name: String,
    /// Its first byte; for shared memory, from the start of the block's.
    pub address: usize,
    /// Bytes.
    pub len: usize,
    /// Bytes of an element, by which bytes are named: `s[6]`.
    pub element: usize,
}

impl Variable {
    /// How the source would name bytes of it.
    pub fn bytes(&self, offset: usize, len: usize) -> String {
        let element = self.element.max(1);
        let (first, last) = (offset / element, (offset + len.max(1) - 1) / element);
        let name = &self.name;
        if self.len <= element && first == 0 {
            return name.clone();
        }
        match (first == last, offset.is_multiple_of(element) && len.is_multiple_of(element)) {
            (true, true) => format!("{name}[{first}]"),
            (true, false) => {
                format!("{name}[{first}] (bytes {}..{})", offset % element, offset % element + len)
            }
            (false, _) => format!("{name}[{first}..{}]", last + 1),
        }
    }
}

/// A request that no memory can be made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLayout(pub String);

impl fmt::Display for BadLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadLayout {}

/// What a launch can touch.
#[derive(Debug)]
pub struct Memory {
    base: usize,
    mapped: usize,
    pub(crate) global: Region,
    buffers: Vec<Variable>,
    /// What `malloc` has given so far ends here; what it may give ends there.
    heap: AtomicUsize,
    heap_end: usize,
    /// Variables of the module, with the region of each.
    pub(crate) others: Vec<(Variable, Region)>,
}

/// Bytes between two buffers, at least.
const GAP: usize = 256;
/// Bytes that the kernel may ask for with `malloc`.
const HEAP: usize = if cfg!(miri) { 1 << 12 } else { 64 << 20 };
/// Bytes after each piece of the heap that belong to nothing.
const HEAP_GAP: usize = 16;

impl Memory {
    /// Buffers of these names, sizes in bytes and element sizes, all zero.
    ///
    /// # Errors
    /// The system gives no address space for them and their shadow.
    pub fn new(buffers: &[(String, usize, usize)]) -> Result<Memory, BadLayout> {
        let room = |len: &usize| len.next_multiple_of(GAP) + GAP;
        let total = GAP + buffers.iter().map(|(_, len, _)| room(len)).sum::<usize>() + HEAP;
        let refused = |error: io::Error| {
            BadLayout(format!("no memory for {total} bytes of buffers and their shadow: {error}"))
        };
        let base = map_shared(total).map_err(refused)? as usize;
        let global = Region::over(base, total).map_err(refused)?;
        let mut at = base + GAP;
        global.forbid(base, GAP);
        let mut placed = Vec::new();
        for (name, len, element) in buffers {
            placed.push(Variable { name: name.clone(), address: at, len: *len, element: *element });
            let end = (at + len).next_multiple_of(4);
            global.forbid(end, at + room(len) - end);
            at += room(len);
        }
        // What nobody has asked for yet belongs to nothing.
        global.limit(at - base);
        Ok(Memory {
            base,
            mapped: total,
            global,
            buffers: placed,
            heap: AtomicUsize::new(at),
            heap_end: base + total,
            others: Vec::new(),
        })
    }

    /// The buffers, as compiled code sees them. What the kernel asks for with `malloc` it does not.
    pub(crate) fn span(&self) -> Span {
        Span::of(&self.global, self.base, self.heap.load(Relaxed) - self.base)
    }

    /// Bytes of the heap of the device, which are not given back before the launch ends; zero where
    /// there are no more.
    pub(crate) fn allocate(&self, size: u64) -> usize {
        let size = size.clamp(1, 1 << 40).next_multiple_of(16) as usize;
        let take = |heap: usize| {
            let end = heap + size + HEAP_GAP;
            (end <= self.heap_end).then_some(end)
        };
        let Ok(address) = self.heap.fetch_update(Relaxed, Relaxed, take) else { return 0 };
        let end = address + size + HEAP_GAP;
        self.global.limit(self.global.bytes().max(end - self.global.base));
        self.global.forbid(address + size, HEAP_GAP);
        address
    }

    /// The region that an address is in, of buffers, heap and variables.
    pub(crate) fn region(&self, address: usize) -> Option<&Region> {
        let all = std::iter::once(&self.global).chain(self.others.iter().map(|(_, it)| it));
        all.into_iter().find(|it| it.has(address))
    }

    /// Adds a variable of the module, which the compiled code has placed.
    ///
    /// # Errors
    /// The system gives no address space for its shadow.
    pub fn add_variable(&mut self, variable: Variable) -> Result<(), BadLayout> {
        let region = Region::over(variable.address, variable.len).map_err(|error| {
            BadLayout(format!("no memory for the shadow of `{}`: {error}", variable.name))
        })?;
        self.others.push((variable, region));
        Ok(())
    }

    /// The buffers, in the order given.
    pub fn buffers(&self) -> &[Variable] {
        &self.buffers
    }

    /// The bytes of the n-th buffer.
    pub fn bytes(&self, index: usize) -> &[u8] {
        let Variable { address, len, .. } = self.buffers[index];
        // SAFETY: inside the mapping, which lives as long as `self`; no kernel runs while it is
        // borrowed.
        unsafe { std::slice::from_raw_parts(address as *const u8, len) }
    }

    /// The bytes of the n-th buffer, to be filled.
    pub fn bytes_mut(&mut self, index: usize) -> &mut [u8] {
        let Variable { address, len, .. } = self.buffers[index];
        // SAFETY: as in `bytes`, and `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(address as *mut u8, len) }
    }

    /// How an address is named: in a buffer, a variable, or near one.
    pub fn name(&self, address: usize, len: usize) -> String {
        let all = || self.buffers.iter().chain(self.others.iter().map(|(variable, _)| variable));
        if let Some(v) = all().find(|v| address >= v.address && address < v.address + v.len) {
            return v.bytes(address - v.address, len);
        }
        let before =
            all().filter(|v| v.address + v.len <= address && address - v.address - v.len < 1 << 20);
        match before.max_by_key(|v| v.address) {
            Some(v) => format!(
                "{} bytes after `{}`, which has {} bytes",
                address - v.address - v.len,
                v.name,
                v.len
            ),
            None => "memory that no buffer of the launch covers".to_owned(),
        }
    }

    /// Bytes that the shadow of all of it may take.
    pub fn shadow_bytes(&self) -> usize {
        self.global.shadow_bytes()
            + self.others.iter().map(|(_, it)| it.shadow_bytes()).sum::<usize>()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        unmap(self.base as *mut u8, self.mapped);
    }
}

/// Shared memory of all resident blocks, one after the other.
#[derive(Debug)]
pub(crate) struct Shared {
    base: usize,
    mapped: usize,
    /// Bytes of one block's.
    pub(crate) bytes: usize,
    /// Bytes from one block's to the next's.
    pub(crate) stride: usize,
    pub(crate) region: Region,
}

impl Shared {
    /// For `slots` blocks of `len` bytes each.
    pub(crate) fn new(slots: usize, len: usize) -> Result<Shared, BadLayout> {
        let stride = len.next_multiple_of(1024) + 1024;
        let mapped = stride * slots;
        let refused = |error: io::Error| {
            BadLayout(format!("no memory for the shared memory of {slots} blocks: {error}"))
        };
        // Any free place below 4 GiB; several runs of one process look for their own.
        let low = (1..15usize).map(|n| n << 28).find_map(|hint| map(Some(hint), mapped).ok());
        let base = match low {
            Some(base) => base,
            None => map(None, mapped).map_err(refused)?,
        } as usize;
        let region = Region::over(base, mapped).map_err(refused)?;
        Ok(Shared { base, mapped, bytes: len, stride, region })
    }

    /// Where the shared memory of a block's slot starts.
    pub(crate) fn start(&self, slot: usize) -> usize {
        self.base + slot * self.stride
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        unmap(self.base as *mut u8, self.mapped);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_zero_apart_and_named() {
        let layout = [("x".to_owned(), 40, 4), ("y".to_owned(), 8, 8)];
        let mut memory = Memory::new(&layout).expect("a few pages");
        assert!(memory.bytes(0).iter().all(|byte| *byte == 0));
        memory.bytes_mut(0)[39] = 7;
        let x = memory.buffers()[0].address;
        assert_eq!(memory.name(x + 36, 4), "x[9]");
        assert_eq!(memory.name(x + 4, 8), "x[1..3]");
        assert_eq!(memory.name(x + 40, 4), "0 bytes after `x`, which has 40 bytes");
        assert_eq!(memory.name(memory.buffers()[1].address, 8), "y");
    }
}
