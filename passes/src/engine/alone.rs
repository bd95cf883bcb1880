//! Questions about one thread that executes an operation.
//!
//! **What**: [`settle_alone`] asks whether some thread of some launch executes an operation, in
//! some iterations of the loops around it, while what a check calls wrong holds there.
//! **Method**: the two-thread reduction with both threads the same one.
//! **Sound because**: the facts that are stated hold for each thread that comes there; what other
//! threads do to memory makes loads arbitrary, or is named by what the answer relies on
//! ([`crate::facts::loads::relies_for`]).
//! **Misses**: launches of OpenCL with a global offset, which nearly no host gives, unless
//! `--global-offset` says otherwise; the answer names it.
//! **Assumes**: what the answer names.

use heddle_ir::OpId;

use super::cx::Cx;
use super::instance::{FrameId, Instance, Placement, WrapAround};
use super::settle::{Excuse, Seek, Settled, settle_but};
use crate::facts::analysis::Analysis;
use crate::facts::thread::Thread;

/// Settles whether a thread executes the operation while `violation` holds, which is stated in the
/// thread's frame.
pub(crate) fn settle_alone<'a>(
    cx: &'a Cx<'_>,
    op: OpId,
    excuse: Excuse,
    violation: impl Fn(&mut Instance<'a>, FrameId),
) -> Settled<'a, FrameId> {
    settle_placed(cx, op, Placement::SameThread, excuse, |instance, frame| {
        instance.state_placement();
        violation(instance, frame);
    })
}

/// The same beside any thread of its block, itself perhaps, of which nothing is stated.
pub(crate) fn settle_beside<'a>(
    cx: &'a Cx<'_>,
    op: OpId,
    violation: impl Fn(&mut Instance<'a>, FrameId),
) -> Settled<'a, FrameId> {
    settle_placed(cx, op, Placement::SameBlock, Excuse::WrapsAround, violation)
}

fn settle_placed<'a>(
    cx: &'a Cx<'_>,
    op: OpId,
    placement: Placement,
    excuse: Excuse,
    violation: impl Fn(&mut Instance<'a>, FrameId),
) -> Settled<'a, FrameId> {
    let (analysis, budget) = (&cx.analysis, &cx.options.budget);
    settle_but(analysis, placement, Seek::Run, excuse, budget, |instance| {
        let frame = some_iteration(instance, op);
        if cx.launch.without_offset(cx.kernel).is_some() {
            instance.state_no_offset();
        }
        instance.state_executed(op, frame);
        violation(instance, frame);
        frame
    })
}

/// One thread that executes an operation, for a check that asks about it in its own words.
pub(crate) fn alone_at<'a>(analysis: &'a Analysis<'a>, op: OpId) -> (Instance<'a>, FrameId) {
    let mut instance = Instance::new(analysis, Placement::SameThread, WrapAround::Happens);
    let frame = some_iteration(&mut instance, op);
    instance.state_placement();
    instance.state_executed(op, frame);
    (instance, frame)
}

/// The first thread, in some iteration of each loop around an operation.
fn some_iteration(instance: &mut Instance<'_>, op: OpId) -> FrameId {
    let mut frame = instance.root(Thread::One);
    for &of in instance.analysis.order.chain(op) {
        let k = instance.iteration_symbol(of, Some(Thread::One));
        frame = instance.enter(frame, of, k);
    }
    frame
}
