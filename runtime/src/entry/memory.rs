//! Entry points for accesses and copies.

use crate::abi;
use crate::block::Pause;
use crate::bytes::Bytes;
use crate::combine::Reduction;
use crate::fibers::suspend;
use crate::group_copies::{Elements, MOST_EVENTS};
use crate::schedule::Schedule;
use crate::turn::{Turn, turn};

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
    let synchronizes = flags & (abi::ATOMIC | abi::VOLATILE) != 0;
    let check = |turn: &mut Turn<'_, '_>| {
        let bytes = turn.access(address, size as usize, site, flags, value);
        if flags & abi::ATOMIC != 0
            && let Some(bytes) = bytes
        {
            turn.checks.before = bytes.load();
        }
        bytes.is_some()
    };
    let made = turn(|turn| match turn.settle_turn() && turn.takes_fibers(flags) {
        true => Some(false),
        false => (!synchronizes).then(|| check(turn)),
    });
    end_unless(made.unwrap_or_else(|| {
        before_synchronizing(flags);
        turn(check)
    }));
}

/// Ends the thread if something must not be made.
fn end_unless(made: bool) {
    if !made {
        suspend(Pause::End);
    }
}

/// Gives others a chance to come first: always before a load that may be of a spin loop, else as
/// the schedule says.
fn before_synchronizing(flags: u32) {
    let schedule = turn(|turn| turn.host.launch.schedule);
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
    let gives_way = turn(|turn| {
        // SAFETY: the operation was made there.
        let after = unsafe { Bytes::new(address, size as usize) };
        let changed = size == 0 || after.load() != turn.checks.before;
        if changed {
            turn.grid.idle = 0;
        }
        // What a thread does after it has released a lock, say, may come late.
        !changed || is_eager(turn.host.launch.schedule)
    });
    if gives_way {
        suspend(Pause::Yield);
    }
}

/// An access beyond an array of the thread's own, or one in it that is `aligned` to more than its
/// distance from the array's start: ends the thread.
extern "C" fn beyond(offset: i64, len: u64, bytes: u64, aligned: u64, site: u32, write: u32) {
    turn(|turn| {
        let _stackless = turn.settle_turn();
        match aligned {
            0 | 1 => turn.beyond(offset, len, bytes, site, write != 0),
            _ => turn.misaligned_in_array((offset, bytes), aligned, site, write != 0),
        }
    });
    suspend(Pause::End);
}

/// Before `memcpy` and its like. Of the flags of an access: whether it writes, and the alignment.
extern "C" fn range(address: usize, size: u64, site: u32, flags: u32) {
    let made = turn(|turn| {
        let _stackless = turn.settle_turn();
        let flags = flags & (1 | 15 << abi::ALIGNMENT_AT);
        size == 0 || turn.access(address, size as usize, site, flags, 0).is_some()
    });
    end_unless(made);
}

extern "C" fn copy(target: usize, source: usize, size: u32, filled: u32) {
    let filled = filled.min(size) as usize;
    end_unless(turn(|turn| turn.issue_copy(target, source, size as usize, filled)));
}

/// A bulk copy, which belongs to a barrier object or, without one, to a group; how it combines what
/// is there.
extern "C" fn bulk(target: usize, source: usize, size: u32, object: usize, how: u32) {
    let combines = Reduction::from_number(how);
    end_unless(turn(|turn| turn.issue_bulk(target, source, size as usize, object, combines)));
}

/// A bulk copy into the shared memory of the blocks of the cluster whose bits are set.
extern "C" fn multicast(target: usize, source: usize, size: u32, object: usize, blocks: u32) {
    let places = (target, source);
    end_unless(turn(|turn| turn.issue_multicast(places, size as usize, object, blocks)));
}

extern "C" fn bulk_commit() {
    turn(|turn| turn.commit_bulk());
}

extern "C" fn bulk_wait(pending: u32) {
    turn(|turn| turn.wait_bulk(pending as usize));
}

extern "C" fn copy_commit() {
    turn(|turn| turn.commit_copies());
}

extern "C" fn copy_wait(pending: u32, all: u32) {
    turn(|turn| turn.wait_copies(pending as usize, all != 0));
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
    match turn(|turn| turn.issue_group_copy(elements, event)) {
        Some(event) => event,
        None => {
            suspend(Pause::End);
            0
        }
    }
}

/// The copies of the events of a list are waited for; all threads of the block have met.
extern "C" fn group_wait(count: u32, list: *const u64) {
    // SAFETY: the program hands over a list with this number of events.
    let event = |n: u32| unsafe { list.add(n as usize).read_unaligned() };
    let events: Vec<u64> = (0..count.min(MOST_EVENTS)).map(event).collect();
    turn(|turn| turn.wait_for_events(&events));
}

/// Which memory an address is of: 1 global, 3 shared, 4 constant, 5 local, 7 shared memory of
/// another block of the cluster.
extern "C" fn space(address: usize) -> u32 {
    turn(|turn| {
        let (low, high) = turn.thread().stack;
        if address.wrapping_sub(turn.block().shared) < turn.checks.shared.stride {
            3
        } else if turn.slot_of(address).is_some() {
            7
        } else if (low..high).contains(&address) {
            5
        } else {
            1
        }
    })
}

/// Device memory that is not given back before the launch ends.
extern "C" fn malloc(size: u64) -> usize {
    turn(|turn| turn.host.memory.allocate(size))
}
