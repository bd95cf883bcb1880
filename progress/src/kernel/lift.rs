//! The block program of a kernel for one launch.
//!
//! Refuses what cannot be followed as a whole, then writes the code of each block twice: once to
//! see which locations there are, once to name them.

use std::collections::BTreeMap;

use heddle_ir::{Kernel, ObjectId, OpId, TouchedBy};

use super::code::BlockCode;
use super::flow::Flow;
use super::leaders::leaders;
use super::memory::{Memory, Place};
use super::polls::{PollKind, Polls};
use super::slice::Slice;
use super::translate::Thread;
use super::{KernelLaunch, Refusal};
use crate::blocks::{BlockProgram, Code, CodeBuilder, Location};
use crate::threads::ThreadSet;

/// A kernel as a block program, and what its parts stand for.
#[derive(Clone, Debug)]
pub struct Lifted {
    /// The program.
    pub program: BlockProgram,
    /// By block and position in its code, the operation of the kernel that an atomic operation is.
    pub origins: Vec<BTreeMap<usize, OpId>>,
    /// By location, where it is; `None` for the state of grid barriers.
    pub places: Vec<Option<Place>>,
    /// The thread that is followed in each block; `None` where none has to do with polls.
    pub leaders: Vec<Option<u32>>,
}

/// Lifts a kernel that polls.
///
/// # Errors
/// What is in the way, for which the answer must be `unknown`.
pub fn lift(kernel: &Kernel, polls: &Polls, launch: &KernelLaunch) -> Result<Lifted, Refusal> {
    if launch.shape.blocks() > ThreadSet::CAPACITY as u64 {
        return Err(Refusal::undecided(format!(
            "the grid has {} blocks, and at most {} are followed; `--blocks 3` answers for three",
            launch.shape.blocks(),
            ThreadSet::CAPACITY
        )));
    }
    for poll in polls.waiting() {
        refuse_kind(kernel, poll.kind, poll.reads.first().copied())?;
    }
    let flow = Flow::of(kernel);
    let slice = Slice::of(&flow, polls);
    refuse_other_writers(&flow, &slice)?;
    let leaders = leaders(&flow, &slice, polls, launch)?;
    let mut memory = Memory::default();
    // Once to see which elements there are, once more to place them.
    let mut blocks = Vec::new();
    for last in [false, true] {
        blocks.clear();
        for (number, leader) in (0u32..).zip(&leaders) {
            blocks.push(match leader {
                Some(leader) => {
                    let thread =
                        Thread::new(kernel, launch, launch.shape.block_index(number), *leader);
                    BlockCode::new(&flow, &slice, thread, &mut memory).finish()?
                }
                None => (CodeBuilder::new().finish(), BTreeMap::new()),
            });
        }
        if !last {
            memory.lay_out();
        }
    }
    let (codes, origins): (Vec<Code>, Vec<_>) = blocks.into_iter().unzip();
    let (mut locations, places): (Vec<Location>, Vec<Place>) =
        memory.locations(kernel).into_iter().unzip();
    let mut places: Vec<Option<Place>> = places.into_iter().map(Some).collect();
    if !polls.grid_barriers.is_empty() {
        for name in ["arrivals at the grid barrier", "phase of the grid barrier"] {
            locations.push(Location { name: name.to_owned(), initial: 0 });
            places.push(None);
        }
    }
    let program = BlockProgram { name: kernel.display_name.clone(), locations, blocks: codes };
    Ok(Lifted { program, origins, places, leaders })
}

fn refuse_kind(kernel: &Kernel, kind: PollKind, op: Option<OpId>) -> Result<(), Refusal> {
    let refusal = match kind {
        PollKind::Global | PollKind::Retry => return Ok(()),
        PollKind::Plain => Refusal::undecided(
            "a loop polls with a plain load, which the compiler may read once; make it volatile or atomic",
        ),
        PollKind::Shared => Refusal::undecided(
            "threads of one block wait for each other by polling shared memory; a block is followed as one thread",
        ),
        PollKind::Unmodelled => Refusal::unmodelled(
            "whether a loop goes on depends on an operation that is not modelled",
        ),
    };
    Err(match op {
        Some(op) => refusal.at(kernel, op),
        None => refusal,
    })
}

/// Operations that are no accesses and may write what decides a poll.
fn refuse_other_writers(flow: &Flow<'_>, slice: &Slice) -> Result<(), Refusal> {
    let kernel = flow.kernel;
    let decides =
        |object: ObjectId| slice.objects.iter().any(|followed| flow.may_alias(followed, object));
    for (id, op) in kernel.ops.iter() {
        let effects = op.kind.effects();
        let writes = effects.writes().any(|touch| match (touch.by, touch.place) {
            (TouchedBy::Access(_), _) => false,
            (TouchedBy::Copy | TouchedBy::BarrierObject | TouchedBy::NotModelled, place) => {
                match place {
                    heddle_ir::Place::At(at) => decides(at.object),
                    heddle_ir::Place::Anywhere(_) => {
                        slice.objects.iter().any(|object| place.may_be(kernel, object))
                    }
                }
            }
        });
        if writes {
            let reason = "an operation that is not modelled may write what blocks wait for";
            return Err(Refusal::unmodelled(reason).at(kernel, id));
        }
    }
    Ok(())
}
