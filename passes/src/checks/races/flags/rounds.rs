//! Writes of a flag in the rounds of loops: which round's write a read gets its value from.
//!
//! **What**: of a write in the loops that an access is in, the frame of the thread that does it in
//! the access's own rounds, and the condition under which an earlier round's write is the source of
//! a value that was read.
//! **Method**: the source is named by symbols for its rounds. They come before the access's rounds,
//! the write is done there, to the flag's place, and stores what was read.
//! **Sound because**: all writes of one place that release are by one thread, whose rounds are in
//! program order. In the access's own round the write comes after the access. A later round's write
//! comes after the release of this round, and is by itself a release pattern with it: a fence and
//! any later strong write of the thread are one, and so are a release of the flag's place and a
//! later strong write to the same place (PTX ISA, section 8.8; OpenCL's release sequences). So the
//! value orders the access unless it comes from an earlier round. Who stores a sum that overflows
//! against its flags stores some number; the flags are left out.
//! **Misses**: flags that are set in a loop after the one of the access, or one round later; rounds
//! in which the flag is not set; what additions store.
//! **Assumes**: loops run fewer than 2^31 iterations.

use heddle_ir::{AccessKind, AtomicOp, ExprId, Kernel, LoopId, OpId};

use super::sides::Acquired;
use super::{conjunction, writes_here};
use crate::engine::instance::{FrameId, Instance};

/// The highest number of a round, in loops without a limit of their own.
const LAST: u32 = 0x7fff_ffff;

/// That what was read is what a write has stored in rounds before those of its frame.
pub(super) fn from_earlier_rounds(
    instance: &mut Instance<'_>,
    write: OpId,
    frame: FrameId,
    acquired: &Acquired,
) -> ExprId {
    let kernel = instance.analysis.kernel;
    let chain = instance.analysis.order.chain(write);
    let mut any = instance.pool.falsity();
    for depth in 0..chain.len() {
        let around = instance.outer(frame, chain.len() - depth);
        let Some(round) = instance.iteration(frame, chain[depth]) else { continue };
        let earlier = round_symbol(instance, chain[depth]);
        let comes_before = instance.pool.ult(earlier, round);
        let mut at = instance.enter(around, chain[depth], earlier);
        for &of in &chain[depth + 1..] {
            let inner = round_symbol(instance, of);
            at = instance.enter(at, of, inner);
        }
        let mut parts = vec![comes_before, writes_here(instance, write, at, acquired.offset)];
        if let Some(value) = stored(kernel, write) {
            let value = instance.at(at, value);
            let value = instance.pool.without_flags(value);
            if instance.pool.width(value) == instance.pool.width(acquired.value) {
                parts.push(instance.pool.eq(value, acquired.value));
            }
        }
        let source = conjunction(instance, &parts);
        any = instance.pool.or(any, source);
    }
    any
}

fn round_symbol(instance: &mut Instance<'_>, of: LoopId) -> ExprId {
    let last = instance.analysis.trips(of).map_or(LAST, |limit| limit.last);
    instance.index_symbol(32, u128::from(last))
}

/// What a write leaves where it does not depend on what it found: stores, exchanges, and
/// compare-and-swaps that succeed.
pub(super) fn stored(kernel: &Kernel, write: OpId) -> Option<ExprId> {
    match &kernel.access(write)?.kind {
        AccessKind::Store(values) => values.first().copied(),
        AccessKind::Atomic(AtomicOp::Exchange, operands) => operands.first().copied(),
        AccessKind::Atomic(op, operands) if op.compares() => operands.get(1).copied(),
        AccessKind::Atomic(..) | AccessKind::Load => None,
    }
}
