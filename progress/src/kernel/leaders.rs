//! The one thread of each block that does everything that decides the polls.
//!
//! A block is followed as one thread. That is exact if, in the block, one thread makes all accesses
//! by which blocks wait for or answer each other, and no other thread writes the shared memory that
//! they depend on. The other threads then wait at barriers or compute; they read what they like.
//! Anything else is refused, since several threads that poll need not see the same.

use heddle_ir::{AccessKind, Kernel, ObjectId, OpId, Space};

use super::flow::Flow;
use super::polls::Polls;
use super::slice::Slice;
use super::translate::Thread;
use super::{KernelLaunch, Refusal};

/// The number of the thread in each block, `None` where no thread has anything to do with polls.
pub(super) fn leaders(
    flow: &Flow<'_>,
    slice: &Slice,
    polls: &Polls,
    launch: &KernelLaunch,
) -> Result<Vec<Option<u32>>, Refusal> {
    let kernel = flow.kernel;
    let poll_reads: Vec<OpId> = polls.waiting().flat_map(|poll| &poll.reads).copied().collect();
    let mut sites = Vec::new();
    let mut shared_writes = Vec::new();
    kernel.for_each_op(|op, _| {
        let Some(it) = kernel.access(op).filter(|_| slice.ops.contains(op)) else { return };
        if flow.is_shared_by_blocks(it.address.object) {
            if it.writes() || poll_reads.contains(&op) {
                sites.push(op);
            }
        } else if it.writes() && kernel[it.address.object].space == Space::Shared {
            shared_writes.push(op);
        }
    });
    let mut leaders = Vec::new();
    for block in 0..launch.shape.blocks() as u32 {
        let block = launch.shape.block_index(block);
        let mut leader = None;
        for number in 0..launch.shape.threads() {
            let mut thread = Thread::new(kernel, launch, block, number);
            let mine = sites.iter().find(|op| may_run(flow, &mut thread, **op));
            match (mine, leader) {
                (Some(_), None) => leader = Some(number),
                (Some(op), Some(first)) => {
                    return Err(several(kernel, *op, [first, number], poll_reads.contains(op)));
                }
                (None, _) => {}
            }
        }
        if leader.is_none() && !polls.grid_barriers.is_empty() {
            leader = Some(0);
        }
        if let Some(leader) = leader {
            others_leave_alone(flow, slice, launch, block, leader, &shared_writes)?;
        }
        leaders.push(leader);
    }
    Ok(leaders)
}

/// Whether a thread may come to an operation.
fn may_run(flow: &Flow<'_>, thread: &mut Thread<'_>, op: OpId) -> bool {
    let kernel = flow.kernel;
    flow.around(op).iter().all(|of| thread.may_hold(kernel[*of].pred))
        && thread.may_hold(kernel[op].pred)
}

fn several(kernel: &Kernel, op: OpId, [first, second]: [u32; 2], polls: bool) -> Refusal {
    let object = kernel.access(op).map_or("memory", |it| kernel[it.address.object].name.as_str());
    let does = if polls { "poll" } else { "write what is polled in" };
    Refusal::undecided(format!(
        "threads {first} and {second} of one block {does} `{object}`, and a block is followed as one thread; \
         let one thread do it and the others wait at a barrier"
    ))
    .at(kernel, op)
}

/// Refuses shared memory that decides a poll and that a thread other than the leader may write.
fn others_leave_alone(
    flow: &Flow<'_>,
    slice: &Slice,
    launch: &KernelLaunch,
    block: [u32; 3],
    leader: u32,
    writes: &[OpId],
) -> Result<(), Refusal> {
    let kernel = flow.kernel;
    if writes.is_empty() {
        return Ok(());
    }
    let mut leading = Thread::new(kernel, launch, block, leader);
    let mut read: Vec<(ObjectId, Option<(u64, u64)>)> = Vec::new();
    kernel.for_each_op(|op, _| {
        let Some(it) = kernel.access(op).filter(|_| slice.ops.contains(op)) else { return };
        let reads = match it.kind {
            AccessKind::Load | AccessKind::Atomic(..) => true,
            AccessKind::Store(_) => false,
        };
        if reads && kernel[it.address.object].space == Space::Shared {
            let start = leading.number_of(it.address.offset);
            let bytes = start.zip(leading.number_of(it.size));
            read.push((it.address.object, bytes.map(|(start, size)| (start, start + size))));
        }
    });
    for number in (0..launch.shape.threads()).filter(|number| *number != leader) {
        let mut thread = Thread::new(kernel, launch, block, number);
        for op in writes {
            let Some(it) = kernel.access(*op) else { continue };
            if !may_run(flow, &mut thread, *op) {
                continue;
            }
            let start = thread.number_of(it.address.offset);
            let bytes =
                start.zip(thread.number_of(it.size)).map(|(start, size)| (start, start + size));
            let meets = |(object, other): &(ObjectId, Option<(u64, u64)>)| {
                let apart = match (bytes, other) {
                    (Some((start, end)), Some((from, to))) => end <= *from || *to <= start,
                    (None, _) | (_, None) => false,
                };
                flow.may_alias(*object, it.address.object) && !apart
            };
            if read.iter().any(meets) {
                let object = &kernel[it.address.object].name;
                let reason = format!(
                    "thread {number} writes shared `{object}`, which decides what thread {leader} of the block polls; \
                     a block is followed as one thread"
                );
                return Err(Refusal::undecided(reason).at(kernel, *op));
            }
        }
    }
    Ok(())
}
