//! NVVM's intrinsics for asynchronous copies and barrier objects (PTX ISA, sections 9.7.9.25 and
//! 9.7.13.15).

use heddle_ir::{
    Address, AsyncCopy, AsyncMechanism, Barrier, ExprId, MbarrierAction, MemoryOrder, OpKind,
    Phase, Space,
};

use super::Call;
use super::nvvm::given;
use crate::Lifter;
use crate::pointer::Pointer;
use crate::value::Val;
use heddle_llvm::TypeKind;
use heddle_ptx::{Intrinsic, MbarrierOp, MbarrierWhere, PhaseBy, Role};

impl<'m> Lifter<'m> {
    /// `cp.async`: its size stands in the name.
    pub(super) fn copy_of_bytes(&mut self, call: &Call<'m>, it: &Intrinsic) -> Option<()> {
        let size = self.out.exprs().constant(u128::from(it.size?), 64);
        let to = self.pointer(given(call, it, Role::Address)?);
        let from = self.pointer(given(call, it, Role::Source)?);
        let read = self.argument(call, it, Role::SourceSize).map(|read| self.fewer(size, read));
        self.copy(AsyncMechanism::CpAsync, &to, &from, (size, read), None);
        Some(())
    }

    /// Waits for all copies of `cp.async`, for those that no group has yet too (PTX ISA,
    /// 9.7.9.25.3.3).
    pub(super) fn wait_for_all_copies(&mut self) {
        self.emit(OpKind::AsyncCommit(AsyncMechanism::CpAsync), &[]);
        let none = self.out.exprs().constant(0, 32);
        self.wait_for_groups(AsyncMechanism::CpAsync, none, false);
    }

    /// Emits a wait for all but so many groups.
    pub(super) fn wait_for_groups(
        &mut self,
        mechanism: AsyncMechanism,
        pending: ExprId,
        read_only: bool,
    ) {
        let pending = self.out.exprs().resize(pending, 32);
        self.emit(OpKind::AsyncWait { mechanism, pending, read_only }, &[]);
    }

    /// Emits an asynchronous copy, one for each pair of places.
    pub(super) fn copy(
        &mut self,
        mechanism: AsyncMechanism,
        to: &Pointer,
        from: &Pointer,
        sizes: (ExprId, Option<ExprId>),
        mbarrier: Option<Address>,
    ) {
        self.copy_or_combine((mechanism, false), to, from, sizes, mbarrier);
    }

    /// The same of a copy that may combine the destination with what is copied.
    pub(super) fn copy_or_combine(
        &mut self,
        (mechanism, combines): (AsyncMechanism, bool),
        to: &Pointer,
        from: &Pointer,
        (size, read): (ExprId, Option<ExprId>),
        mbarrier: Option<Address>,
    ) {
        let (targets, sources) = match mechanism {
            AsyncMechanism::CpAsync => {
                (self.targets_in(to, Space::Shared), self.targets_in(from, Space::Global))
            }
            AsyncMechanism::BulkGroup
            | AsyncMechanism::BulkMbarrier
            | AsyncMechanism::Matrix
            | AsyncMechanism::Tensor
            | AsyncMechanism::WorkGroupEvent => (self.targets(to), self.targets(from)),
        };
        for &(to_guard, destination) in &targets {
            for &(from_guard, source) in &sources {
                let guard = crate::predicate::both(self.out.exprs(), to_guard, from_guard);
                let pred = crate::predicate::both(self.out.exprs(), self.pred, guard);
                let copy = AsyncCopy {
                    mechanism,
                    destination,
                    source,
                    size,
                    read,
                    mbarrier,
                    event: None,
                    strided: None,
                    combines,
                };
                self.emit_under(pred, OpKind::AsyncCopy(copy), &[]);
            }
        }
    }

    /// The bytes that a copy reads if `read` says so, and at most `size` (PTX ISA, 9.7.9.25.3.1).
    pub(super) fn fewer(&mut self, size: ExprId, read: ExprId) -> ExprId {
        let pool = self.out.exprs();
        let read = pool.resize(read, 64);
        let within = pool.ult(read, size);
        pool.select(within, read, size)
    }

    /// An intrinsic of a barrier object: none of those whose object may be another block's, and
    /// none that expect or complete bytes without an arrival.
    pub(super) fn barrier_object(
        &mut self,
        call: &Call<'m>,
        it: &Intrinsic,
        op: MbarrierOp,
        place: MbarrierWhere,
    ) -> Option<Val> {
        let at = self.pointer(given(call, it, Role::Mbarrier)?);
        let bytes_alone = matches!(op, MbarrierOp::ExpectBytes(_) | MbarrierOp::CompleteBytes(_));
        if bytes_alone || place == MbarrierWhere::Cluster {
            return None;
        }
        let (action, results) =
            self.barrier_action(op, &mut |lifter, role, _| lifter.argument(call, it, role))?;
        let value = self.on_barrier_object(&at, &action, results);
        Some(match (value, call.inst.ty().kind()) {
            (Some(value), TypeKind::Int(_)) => Val::Scalar(value),
            _ => Val::Nothing,
        })
    }

    /// What is done to a barrier object, and the widths of the results; `number` gives the operand
    /// of a role, of a width. None of what has no meaning here: relaxed actions order nothing, and
    /// that an arrival completes no phase (`.noComplete`) would have to be shown.
    pub(in crate::call) fn barrier_action(
        &mut self,
        op: MbarrierOp,
        number: &mut dyn FnMut(&mut Self, Role, u8) -> Option<ExprId>,
    ) -> Option<(MbarrierAction, &'static [u8])> {
        Some(match op {
            MbarrierOp::Arrive { order: MemoryOrder::Relaxed, .. }
            | MbarrierOp::Arrive { no_complete: true, .. }
            | MbarrierOp::Test { order: MemoryOrder::Relaxed, .. } => return None,
            MbarrierOp::Init => (MbarrierAction::Init(number(self, Role::Count, 32)?), &[]),
            MbarrierOp::Invalidate => (MbarrierAction::Invalidate, &[]),
            MbarrierOp::Arrive { drop, expect_bytes, no_complete: false, order: _, scope: _ } => {
                let count = match number(self, Role::Count, 32) {
                    Some(count) => count,
                    None => self.out.exprs().constant(1, 32),
                };
                let transactions = match expect_bytes {
                    true => Some(number(self, Role::Bytes, 32)?),
                    false => None,
                };
                (MbarrierAction::Arrive { count, transactions, drop }, &[64])
            }
            MbarrierOp::ExpectBytes(_) => {
                (MbarrierAction::ExpectTx(number(self, Role::Bytes, 32)?), &[])
            }
            MbarrierOp::CompleteBytes(_) => {
                (MbarrierAction::CompleteTx(number(self, Role::Bytes, 32)?), &[])
            }
            MbarrierOp::Test { by, may_wait, order: _, scope: _ } => {
                let phase = match by {
                    PhaseBy::Token => Phase::Token(number(self, Role::Token, 64)?),
                    PhaseBy::Parity => Phase::Parity(number(self, Role::Parity, 32)?),
                };
                (MbarrierAction::Test { phase, may_wait }, &[1])
            }
        })
    }

    /// Emits an action on a barrier object; its first result.
    pub(super) fn on_barrier_object(
        &mut self,
        at: &Pointer,
        action: &MbarrierAction,
        results: &[u8],
    ) -> Option<ExprId> {
        let ops: Vec<_> = self
            .targets_in(at, Space::Shared)
            .into_iter()
            .map(|(guard, address)| {
                let pred = crate::predicate::both(self.out.exprs(), self.pred, guard);
                let barrier = Barrier::Mbarrier { address, action: action.clone() };
                (guard, self.emit_under(pred, OpKind::Barrier(barrier), results))
            })
            .collect();
        (!results.is_empty()).then(|| self.joined_result(&ops, 0))
    }
}
