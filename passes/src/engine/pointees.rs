//! Runs in which pointers that lie in memory lead to buffers of their own.
//!
//! **What**: memory of such pointers in which each place holds an address far from the others, and
//! the name of a byte behind one.
//! **Method**: the pointer at a place is the number of the place, from one on, times the size of
//! the largest buffer.
//! **Sound because** answers take for granted that such pointers lead to buffers of their own; a
//! run whose memory says otherwise is none. What else lies between the pointers is another choice
//! of what the host may have passed.
//! **Misses**: runs whose buffers are larger.
//! **Assumes**: nothing.

use std::sync::Arc;

use heddle_interp::{Launch, Rest};
use heddle_ir::{Kernel, ObjectId};

/// The largest buffer has two to this power bytes.
const LARGEST: u32 = 36;

/// The objects that pointers are read from.
pub(crate) fn tables(kernel: &Kernel) -> Vec<ObjectId> {
    kernel.objects.values().filter_map(|it| it.kind.table()).collect()
}

/// The launch with pointers that lead apart, where there are pointers in memory.
pub(crate) fn leading_apart(kernel: &Kernel, launch: &Launch) -> Option<Launch> {
    let tables = tables(kernel);
    if tables.is_empty() {
        return None;
    }
    let mut launch = launch.clone();
    for table in tables {
        let contents = launch.buffers.entry(table).or_default();
        contents.rest = Rest::Function(Arc::new(|offset| Some(pointer_byte(offset))));
        // Numbers of 64 bits that a model has there may be its pointers.
        let words: Vec<u64> = contents.bytes.keys().map(|byte| byte / 8).collect();
        let whole = |word: u64| (0..8).all(|at| contents.bytes.contains_key(&(8 * word + at)));
        let pointers: Vec<u64> = words.into_iter().filter(|word| whole(*word)).collect();
        for word in pointers {
            (0..8).for_each(|at| _ = contents.bytes.remove(&(8 * word + at)));
        }
    }
    Some(launch)
}

/// A byte of the pointer that lies around it.
fn pointer_byte(offset: u64) -> u8 {
    let pointer = (offset / 8 + 1) << LARGEST;
    (pointer >> (8 * (offset % 8))) as u8
}

/// `rows[3]+64`, for an address behind a pointer of a table.
pub(crate) fn name_behind(kernel: &Kernel, table: ObjectId, address: u64) -> String {
    let (place, rest) = (address >> LARGEST, address & ((1 << LARGEST) - 1));
    let of = &kernel[table];
    match place.checked_sub(1) {
        Some(place) => format!("{}{}+{rest}", of.name, of.shape.path(8 * place)),
        None => format!("*{}+{address}", of.name),
    }
}
