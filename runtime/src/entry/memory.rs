//! Entry points for accesses and copies.

use super::suspend;
use crate::abi;
use crate::block::Pause;
use crate::combine::Reduction;
use crate::detect::load;
use crate::group_copies::Elements;
use crate::schedule::Schedule;
use crate::worker::current;

pub(super) fn symbols() -> [(&'static str, usize); 15] {
    [
        ("__heddle_access_slow", access as *const () as usize),
        ("__heddle_beyond", beyond as *const () as usize),
        ("__heddle_range", range as *const () as usize),
        ("__heddle_atomic_done", atomic_done as *const () as usize),
        ("__heddle_copy", copy as *const () as usize),
        ("__heddle_bulk", bulk as *const () as usize),
        ("__heddle_multicast", multicast as *const () as usize),
        ("__heddle_bulk_commit", bulk_commit as *const () as usize),
        ("__heddle_bulk_wait", bulk_wait as *const () as usize),
        ("__heddle_copy_commit", copy_commit as *const () as usize),
        ("__heddle_copy_wait", copy_wait as *const () as usize),
        ("__heddle_group_copy", group_copy as *const () as usize),
        ("__heddle_group_wait", group_wait as *const () as usize),
        ("__heddle_space", space as *const () as usize),
        ("__heddle_malloc", malloc as *const () as usize),
    ]
}

/// Before an access of at most a few elements that the short way does not answer. An access that
/// cannot be made ends the thread.
extern "C" fn access(address: usize, size: u32, site: u32, flags: u32, value: u64) {
    // SAFETY: a fiber runs.
    let stackless = unsafe { (*current()).settle_turn() };
    // SAFETY: as above.
    if stackless && unsafe { (*current()).takes_fibers(flags) } {
        suspend(Pause::End);
    } else if flags & (abi::ATOMIC | abi::VOLATILE) != 0 {
        before_synchronizing(flags);
    }
    // SAFETY: a fiber runs.
    let worker = unsafe { &mut *current() };
    if !worker.access(address, size as usize, site, flags, value) {
        suspend(Pause::End);
    }
    if flags & abi::ATOMIC != 0 {
        worker.before = load(address, size as usize);
    }
}

/// Gives others a chance to come first: always before a load that may be of a spin loop, else as
/// the schedule says.
fn before_synchronizing(flags: u32) {
    // SAFETY: a fiber runs.
    let schedule = unsafe { (*current()).launch.schedule };
    if is_eager(schedule) || flags & 3 == 0 {
        suspend(Pause::Yield);
    }
}

/// Whether a schedule switches at each atomic operation.
fn is_eager(schedule: Schedule) -> bool {
    match schedule {
        Schedule::Random | Schedule::Priorities => true,
        Schedule::RoundRobin | Schedule::Reverse => false,
    }
}

/// After an atomic operation: one that changed nothing may be of a spin loop. No bytes: nobody
/// looks at its result.
extern "C" fn atomic_done(address: usize, size: u32) {
    // SAFETY: a fiber runs.
    let worker = unsafe { &mut *current() };
    let changed = size == 0 || load(address, size as usize) != worker.before;
    if changed {
        worker.idle = 0;
    }
    // What a thread does after it has released a lock, say, may come late.
    if !changed || is_eager(worker.launch.schedule) {
        suspend(Pause::Yield);
    }
}

/// An access beyond an array of the thread's own: ends the thread.
extern "C" fn beyond(offset: i64, len: u64, bytes: u64, site: u32, write: u32) {
    // SAFETY: a fiber runs.
    let worker = unsafe { &mut *current() };
    let _stackless = worker.settle_turn();
    worker.beyond(offset, len, bytes, site, write != 0);
    suspend(Pause::End);
}

/// Before `memcpy` and its like. Of the flags of an access: whether it writes, and the alignment.
extern "C" fn range(address: usize, size: u64, site: u32, flags: u32) {
    // SAFETY: a fiber runs.
    let _stackless = unsafe { (*current()).settle_turn() };
    let flags = flags & (1 | 15 << abi::ALIGNMENT_AT);
    // SAFETY: as above.
    if size > 0 && unsafe { !(*current()).access(address, size as usize, site, flags, 0) } {
        suspend(Pause::End);
    }
}

extern "C" fn copy(target: usize, source: usize, size: u32, filled: u32) {
    // SAFETY: a fiber runs.
    let made = unsafe {
        (*current()).issue_copy(target, source, size as usize, filled.min(size) as usize)
    };
    if !made {
        suspend(Pause::End);
    }
}

/// A bulk copy, which belongs to a barrier object or, without one, to a group; how it combines what
/// is there.
extern "C" fn bulk(target: usize, source: usize, size: u32, object: usize, how: u32) {
    let combines = Reduction::from_number(how);
    // SAFETY: a fiber runs.
    if unsafe { !(*current()).issue_bulk(target, source, size as usize, object, combines) } {
        suspend(Pause::End);
    }
}

/// A bulk copy into the shared memory of the blocks of the cluster whose bits are set.
extern "C" fn multicast(target: usize, source: usize, size: u32, object: usize, blocks: u32) {
    let places = (target, source);
    // SAFETY: a fiber runs.
    if unsafe { !(*current()).issue_multicast(places, size as usize, object, blocks) } {
        suspend(Pause::End);
    }
}

extern "C" fn bulk_commit() {
    // SAFETY: a fiber runs.
    unsafe { (*current()).commit_bulk() };
}

extern "C" fn bulk_wait(pending: u32) {
    // SAFETY: a fiber runs.
    unsafe { (*current()).wait_bulk(pending as usize) };
}

extern "C" fn copy_commit() {
    // SAFETY: a fiber runs.
    unsafe { (*current()).commit_copies() };
}

extern "C" fn copy_wait(pending: u32, all: u32) {
    // SAFETY: a fiber runs.
    unsafe { (*current()).wait_copies(pending as usize, all != 0) };
}

/// A copy of the whole block: the bytes of an element, how many elements, and how far apart they
/// are written and read; the event that it joins, or zero. Its event.
extern "C" fn group_copy(
    target: usize,
    source: usize,
    each: u64,
    count: u64,
    written_apart: u64,
    read_apart: u64,
    event: u64,
) -> u64 {
    let apart = [written_apart as usize, read_apart as usize];
    let elements = Elements { target, source, each: each as usize, count: count as usize, apart };
    // SAFETY: a fiber runs.
    match unsafe { (*current()).issue_group_copy(elements, event) } {
        Some(event) => event,
        None => {
            suspend(Pause::End);
            0
        }
    }
}

/// The copies of the events of a list are waited for; all threads of the block have met.
extern "C" fn group_wait(count: u32, list: *const u64) {
    // SAFETY: a fiber runs.
    unsafe { (*current()).wait_for_events(count, list) };
}

/// Which memory an address is of: 1 global, 3 shared, 4 constant, 5 local, 7 shared memory of
/// another block of the cluster.
extern "C" fn space(address: usize) -> u32 {
    // SAFETY: a fiber runs.
    let (worker, thread, block) = unsafe {
        let worker = &*current();
        (worker, &*worker.thread, &*worker.block)
    };
    if address.wrapping_sub(block.shared) < worker.shared.stride {
        3
    } else if worker.slot_of(address).is_some() {
        7
    } else if address >= thread.stack.0 && address < thread.stack.1 {
        5
    } else {
        1
    }
}

/// Device memory that is not given back before the launch ends.
extern "C" fn malloc(size: u64) -> usize {
    // SAFETY: a fiber runs, and the memory outlives the run.
    let memory = unsafe { &mut *(*current()).memory };
    let size = size.clamp(1, 1 << 40).next_multiple_of(16) as usize;
    if memory.heap + size + 16 > memory.heap_end {
        return 0;
    }
    let address = memory.heap;
    memory.heap += size + 16;
    memory.global.len = memory.heap - memory.global.base;
    memory.global.clear(address, size);
    memory.global.forbid(address + size, 16);
    address
}
