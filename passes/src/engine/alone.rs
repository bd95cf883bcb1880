//! Questions about one thread that executes an operation.
//!
//! **What**: [`settle_alone`] asks whether some thread of some launch executes an operation, in
//! some iterations of the loops around it, while what a check calls wrong holds there.
//! **Method**: the two-thread reduction with both threads the same one.
//! **Sound because**: the facts that are stated hold for each thread that comes there; what other
//! threads do to memory makes loads arbitrary, or is named by what the answer relies on
//! ([`relies_for`]).
//! **Misses**: launches of OpenCL with a global offset, which nearly no host gives, unless
//! `--global-offset` says otherwise; the answer names it.
//! **Assumes**: what the answer names.

use std::collections::BTreeSet;

use heddle_diagnostics::Assumption;
use heddle_ir::{ExprId, OpId};

use super::cx::Cx;
use super::instance::{FrameId, Instance, Placement};
use super::settle::{Excuse, Seek, Settled, settle_but};
use crate::facts::loads::taken_for_granted;
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
        let mut frame = instance.root(Thread::One);
        for &of in cx.analysis.order.chain(op) {
            let k = instance.iteration_symbol(of, Some(Thread::One));
            frame = instance.enter(frame, of, k);
        }
        if cx.launch.without_offset(cx.kernel).is_some() {
            instance.state_no_offset();
        }
        instance.state_executed(op, frame);
        violation(instance, frame);
        frame
    })
}

/// What an answer about an operation takes for granted of loads: those that decide whether a thread
/// comes there, and those behind `values`.
pub(crate) fn relies_for(
    cx: &Cx<'_>,
    op: OpId,
    values: impl IntoIterator<Item = ExprId>,
) -> BTreeSet<Assumption> {
    let kernel = cx.kernel;
    let chain = cx.analysis.order.chain(op);
    let deciding = chain.iter().flat_map(|of| [kernel[*of].pred, kernel[*of].cont]);
    taken_for_granted(kernel, deciding.chain([kernel[op].pred]).chain(values))
}
