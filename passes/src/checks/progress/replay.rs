//! Replays a schedule in the interpreter: does each block do what the schedule says, with all its
//! threads?
//!
//! Each block is run alone. Before each access that the schedule has, memory is given what the
//! schedule says it holds there; after it, what the block wrote must be what the schedule says it
//! holds then. If that is so for each block, the schedule is an execution of the kernel, and the
//! blocks of the cycle went round it three times. The interpreter knows nothing of the lift.
//! A block that takes no step in the schedule is run up to its first one, as a trap on the way ends
//! the launch for all.
//!
//! **Does not**: replay grid barriers, or search for another schedule.

use std::ops::ControlFlow;

use heddle_diagnostics::{Confirmation, Unreplayed};
use heddle_interp::{AccessEvent, End, Launch, Moment, Rest, Session, Stop, ThreadAccess, Visitor};
use heddle_ir::{Kernel, ObjectId, OpId};
use heddle_progress::blocks::{Taken, Witness};
use heddle_progress::kernel::{KernelLaunch, Lifted, Place};

use super::{Answered, Followed};
use crate::engine::cx::Cx;

/// How often the cycle is gone round.
const ROUNDS: usize = 3;
/// Operations that the run of one block may take, over all its threads.
const STEPS: u64 = 4_000_000;

/// Runs the schedule of a witness.
pub(super) fn replay(
    cx: &Cx<'_>,
    followed: &Followed,
    answered: &Answered,
    witness: &Witness,
) -> Confirmation {
    let launch = launch(cx, followed);
    let cycle = (0..ROUNDS).flat_map(|_| witness.cycle.iter());
    let steps: Vec<&Taken> = witness.prefix.iter().chain(cycle).collect();
    rerun(cx.kernel, &followed.launch, &launch, &answered.lifted, &steps)
}

/// Runs a schedule of a kernel that was lifted, each block by itself: whether the kernel has it.
pub fn rerun(
    kernel: &Kernel,
    followed: &KernelLaunch,
    launch: &Launch,
    lifted: &Lifted,
    steps: &[&Taken],
) -> Confirmation {
    for block in 0..lifted.program.blocks.len() {
        let mine: Vec<&Taken> = steps.iter().copied().filter(|it| it.block == block).collect();
        let mut expected = Vec::new();
        for step in &mine {
            let op = lifted.origins[block].get(&step.position).copied();
            let (Some(op), Some(place)) = (op, lifted.places[step.location]) else {
                let why = "grid barriers are not replayed".to_owned();
                return Confirmation::NotReplayed(Unreplayed::NotExecuted, why);
            };
            expected.push(Expected { op, place, before: step.before, after: step.after });
        }
        let mut ops: Vec<OpId> = lifted.origins[block].values().copied().collect();
        ops.sort_unstable();
        ops.dedup();
        let leader = lifted.leaders[block].unwrap_or(0);
        let ends = mine.iter().any(|it| it.ends);
        let mut watch = Watch { expected, ops, leader, next: 0, wrong: None, ends };
        let index = followed.shape.block_index(block as u32);
        let mut budget = STEPS;
        let outcome = Session::new(kernel, launch)
            .map_err(Stop::Launch)
            .and_then(|mut session| session.run_block(index, &mut watch, &mut budget));
        if let Some(wrong) = watch.wrong {
            return Confirmation::Unconfirmed(format!("block {block} {wrong}"));
        }
        match outcome {
            Ok(End::Finished | End::Visitor) if watch.next == watch.expected.len() => {}
            Ok(End::Finished | End::Visitor) => {
                return Confirmation::Unconfirmed(format!("block {block} ended before its time"));
            }
            Err(stop) => {
                let why = format!("block {block}: {}", stop.describe(kernel));
                return Confirmation::NotReplayed(crate::engine::replay::class_of(&stop), why);
            }
        }
    }
    Confirmation::Confirmed
}

fn launch(cx: &Cx<'_>, followed: &Followed) -> Launch {
    let mut launch =
        Launch::new(cx.kernel, followed.launch.shape.grid, followed.launch.shape.block);
    launch.args = followed.launch.args.clone();
    launch.shape.warp_size = cx.launch.warp_size;
    launch.global_offset = followed.launch.global_offset.unwrap_or_default();
    launch.dynamic_shared = cx.launch.dynamic_shared.and_then(|bytes| u32::try_from(bytes).ok());
    launch.barriers = cx.launch.barriers;
    launch.other_contents = Rest::Zero;
    launch
}

/// A step that a block must take.
struct Expected {
    op: OpId,
    place: Place,
    before: Option<u64>,
    after: Option<u64>,
}

/// Gives a block what others wrote, and compares what it does.
struct Watch {
    expected: Vec<Expected>,
    /// The operations whose accesses are steps.
    ops: Vec<OpId>,
    leader: u32,
    next: usize,
    wrong: Option<String>,
    /// The block ends with its last step.
    ends: bool,
}

impl Watch {
    /// The access of the leader in an event, if it is a step.
    fn step<'e>(&self, op: OpId, threads: &'e [ThreadAccess]) -> Option<(usize, &'e ThreadAccess)> {
        self.ops.binary_search(&op).ok()?;
        threads.iter().enumerate().find(|(_, it)| it.thread == self.leader)
    }
}

impl Visitor for Watch {
    fn incoming(
        &mut self,
        at: &Moment<'_>,
        object: ObjectId,
        threads: &[ThreadAccess],
        written: &mut Vec<(u64, u32, u128)>,
    ) {
        let Some((_, mine)) = self.step(at.op, threads) else { return };
        if self.expected.is_empty() {
            return;
        }
        let Some(Expected { op, place, before, after: _ }) = self.expected.get(self.next) else {
            self.wrong.get_or_insert_with(|| "goes on after its last step".to_owned());
            return;
        };
        let Place { object: of, offset, size } = *place;
        if (at.op, object, mine.offset, mine.size) != (*op, of, offset, size) {
            self.wrong.get_or_insert_with(|| "does something else first".to_owned());
            return;
        }
        if let Some(before) = before {
            written.push((offset, size as u32, u128::from(*before)));
        }
    }

    fn access(&mut self, at: &Moment<'_>, event: &AccessEvent<'_>) -> ControlFlow<()> {
        let Some((index, _)) = self.step(at.op, event.threads) else {
            return ControlFlow::Continue(());
        };
        if self.expected.is_empty() {
            return ControlFlow::Break(());
        }
        let left = event.written(index).and_then(|values| values.first().copied());
        let after = self.expected.get(self.next).and_then(|it| it.after);
        if let (Some(left), Some(after)) = (left, after)
            && left != u128::from(after)
        {
            self.wrong.get_or_insert_with(|| format!("writes {left}, not {after}"));
        }
        self.next += 1;
        let done = self.next == self.expected.len() && !self.ends;
        match done || self.wrong.is_some() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
