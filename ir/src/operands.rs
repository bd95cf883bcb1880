//! Which expressions an operation reads, in one fixed order: predicate first, then as printed.
//! The one place that takes every operation apart, so a new operand field is added here or does not
//! compile.

use crate::entity::{ExprId, ObjectId};
use crate::object::Address;
use crate::op::{
    Access, AccessKind, AsyncCopy, Barrier, Claim, CrossLane, MbarrierAction, Op, OpKind, Opaque,
    Phase, Strided, Touches,
};

impl Op {
    /// Calls `visit` on each expression the operation reads, its predicate first.
    pub fn for_each_expr(&self, mut visit: impl FnMut(ExprId)) {
        // One traversal serves reading and rewriting; a copy of an operation is small.
        self.clone().map_exprs(&mut |id| {
            visit(id);
            id
        });
    }

    /// Replaces each expression the operation reads, its predicate first.
    pub fn map_exprs(&mut self, map: &mut dyn FnMut(ExprId) -> ExprId) {
        let Op { pred, kind, results: _, origin: _ } = self;
        *pred = map(*pred);
        kind.map_exprs(map);
    }

    /// Calls `visit` on each object the operation names.
    pub fn for_each_object(&self, mut visit: impl FnMut(ObjectId)) {
        match &self.kind {
            OpKind::Access(access) => visit(access.address.object),
            OpKind::Barrier(Barrier::Mbarrier { address, .. }) => visit(address.object),
            OpKind::AsyncCopy(copy) => {
                visit(copy.destination.object);
                visit(copy.source.object);
                copy.mbarrier.iter().for_each(|at| visit(at.object));
            }
            OpKind::Opaque(opaque) => {
                let Touches { reads, writes, reads_spaces: _, writes_spaces: _ } = &opaque.touches;
                reads.iter().chain(writes).for_each(|at| visit(at.object));
            }
            OpKind::Barrier(
                Barrier::Block { .. }
                | Barrier::Named { .. }
                | Barrier::Warp { .. }
                | Barrier::Cluster { .. }
                | Barrier::Grid,
            )
            | OpKind::Fence { .. }
            | OpKind::AsyncCommit(_)
            | OpKind::AsyncWait { .. }
            | OpKind::EventWait(_)
            | OpKind::CrossLane(_)
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Claim(_)
            | OpKind::Exit(_)
            | OpKind::Registers(_) => {}
        }
    }
}

impl OpKind {
    fn map_exprs(&mut self, map: &mut dyn FnMut(ExprId) -> ExprId) {
        match self {
            OpKind::Access(Access {
                address,
                size,
                kind,
                order: _,
                volatile: _,
                align: _,
                by_warp: _,
            }) => {
                map_address(address, map);
                *size = map(*size);
                match kind {
                    AccessKind::Load => {}
                    AccessKind::Store(values) | AccessKind::Atomic(_, values) => {
                        values.iter_mut().for_each(|it| *it = map(*it));
                    }
                }
            }
            OpKind::Barrier(barrier) => map_barrier(barrier, map),
            OpKind::Fence { order: _, scope: _, proxy: _ } => {}
            OpKind::AsyncCopy(copy) => {
                let AsyncCopy {
                    mechanism: _,
                    destination,
                    source,
                    size,
                    read,
                    mbarrier,
                    event,
                    strided,
                    combines: _,
                } = copy;
                map_address(destination, map);
                *size = map(*size);
                map_address(source, map);
                read.iter_mut().for_each(|it| *it = map(*it));
                mbarrier.iter_mut().for_each(|at| map_address(at, map));
                event.iter_mut().for_each(|it| *it = map(*it));
                if let Some(Strided { of_source: _, count, each, apart }) = strided {
                    [count, each, apart].into_iter().for_each(|it| *it = map(*it));
                }
            }
            OpKind::AsyncCommit(_) => {}
            OpKind::AsyncWait { mechanism: _, pending, read_only: _ } => *pending = map(*pending),
            OpKind::EventWait(events) => events.iter_mut().for_each(|it| *it = map(*it)),
            OpKind::CrossLane(CrossLane { kind: _, mask, args }) => {
                args.iter_mut().for_each(|it| *it = map(*it));
                mask.iter_mut().for_each(|it| *it = map(*it));
            }
            OpKind::Assume(condition)
            | OpKind::Assert { condition, message: _ }
            | OpKind::Claim(Claim { kind: _, condition, text: _ }) => {
                *condition = map(*condition);
            }
            OpKind::Exit(_) | OpKind::Registers(_) => {}
            OpKind::Opaque(Opaque { name: _, args, touches, may_synchronize: _ }) => {
                args.iter_mut().for_each(|it| *it = map(*it));
                let Touches { reads, writes, reads_spaces: _, writes_spaces: _ } = touches;
                reads.iter_mut().chain(writes).for_each(|at| map_address(at, map));
            }
        }
    }
}

fn map_address(address: &mut Address, map: &mut dyn FnMut(ExprId) -> ExprId) {
    let Address { object: _, offset } = address;
    *offset = map(*offset);
}

fn map_barrier(barrier: &mut Barrier, map: &mut dyn FnMut(ExprId) -> ExprId) {
    match barrier {
        Barrier::Block { aligned: _, orders, reduce } => {
            *orders = map(*orders);
            reduce.iter_mut().for_each(|(_, it)| *it = map(*it));
        }
        Barrier::Named { action: _, id, count, aligned: _, reduce } => {
            *id = map(*id);
            count.iter_mut().for_each(|it| *it = map(*it));
            reduce.iter_mut().for_each(|(_, it)| *it = map(*it));
        }
        Barrier::Warp { mask, orders } => {
            *mask = map(*mask);
            *orders = map(*orders);
        }
        Barrier::Cluster { action: _, order: _, aligned: _ } | Barrier::Grid => {}
        Barrier::Mbarrier { address, action } => {
            map_address(address, map);
            match action {
                MbarrierAction::Init(it)
                | MbarrierAction::ExpectTx(it)
                | MbarrierAction::CompleteTx(it) => *it = map(*it),
                MbarrierAction::Invalidate
                | MbarrierAction::ProductsArrive
                | MbarrierAction::CopiesArrive { extra: _ } => {}
                MbarrierAction::Arrive { count, transactions, drop: _ } => {
                    *count = map(*count);
                    transactions.iter_mut().for_each(|it| *it = map(*it));
                }
                MbarrierAction::Test { phase, may_wait: _ } => match phase {
                    Phase::Token(it) | Phase::Parity(it) => *it = map(*it),
                },
            }
        }
    }
}
