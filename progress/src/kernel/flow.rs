//! What a value depends on: the operations that it comes from, through registers, loop variables
//! and memory of the block.
//!
//! Global memory is where a chain ends: what another block wrote there is not this block's doing.
//! Not so where the kernel stores to that very place what it reads again: a block may pass on
//! through it what it has read elsewhere.

use heddle_ir::cranelift_entity::{EntitySet, SecondaryMap};
use heddle_ir::{
    Access, AccessKind, Barrier, CrossLane, CrossLaneKind, ExprId, ExprKind, Kernel, LoopId,
    ObjectId, ObjectKind, OpId, OpKind, Place, Scopes, Space, Special,
};

/// Which threads meet at an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meeting {
    Block,
    Warp,
}

/// A kernel with where its operations are and what writes what.
pub(super) struct Flow<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) scopes: Scopes,
    around: SecondaryMap<OpId, Vec<LoopId>>,
    writers: Vec<OpId>,
}

impl<'k> Flow<'k> {
    pub(super) fn of(kernel: &'k Kernel) -> Self {
        let mut around: SecondaryMap<OpId, Vec<LoopId>> = SecondaryMap::new();
        let mut writers = Vec::new();
        kernel.for_each_op(|op, loops| {
            around[op] = loops.to_vec();
            if kernel[op].kind.effects().writes().next().is_some() {
                writers.push(op);
            }
        });
        Self { kernel, scopes: Scopes::of(kernel), around, writers }
    }

    /// The loops around an operation, outermost first.
    pub(super) fn around(&self, op: OpId) -> &[LoopId] {
        &self.around[op]
    }

    /// The loop and those around it, outermost first.
    pub(super) fn chain(&self, of: LoopId) -> Vec<LoopId> {
        self.scopes.chain(Some(of))
    }

    /// The operations that may write an object, in the order of the text.
    pub(super) fn writers_of(&self, object: ObjectId) -> impl Iterator<Item = OpId> {
        self.writers.iter().copied().filter(move |op| {
            let effects = self.kernel[*op].kind.effects();
            effects.writes().any(|touch| match touch.place {
                Place::At(at) => self.may_alias(at.object, object),
                Place::Anywhere(_) => touch.place.may_be(self.kernel, object),
            })
        })
    }

    /// Whether two objects may be the same memory. Distinct pointer arguments are distinct memory.
    pub(super) fn may_alias(&self, a: ObjectId, b: ObjectId) -> bool {
        let (x, y) = (&self.kernel[a], &self.kernel[b]);
        let unknown = x.kind == ObjectKind::Unknown || y.kind == ObjectKind::Unknown;
        a == b || (unknown && x.space.may_be(y.space))
    }

    /// Whether blocks share the object.
    pub(super) fn is_shared_by_blocks(&self, object: ObjectId) -> bool {
        match self.kernel[object].space {
            Space::Global | Space::Generic => true,
            Space::Shared | Space::Constant | Space::Local => false,
        }
    }

    /// Whether all threads that meet in `among` and are in the same rounds of their loops compute
    /// the same: from constants, parameters, sizes and what votes and reductions over them give.
    pub(super) fn is_uniform(&self, root: ExprId, among: Meeting) -> bool {
        let kernel = self.kernel;
        let (mut seen, mut work) = (EntitySet::new(), vec![root]);
        while let Some(expr) = work.pop() {
            if !seen.insert(expr) {
                continue;
            }
            kernel.exprs.for_each_operand(expr, |operand| work.push(operand));
            match kernel[expr].kind {
                // The same in each round, if it starts the same and goes on the same.
                ExprKind::Var(var) => work.extend([kernel[var].init, kernel[var].next]),
                ExprKind::Exit(of, _) => work.push(kernel[of].cont),
                ExprKind::Result(op, _) => match &kernel[op].kind {
                    OpKind::Barrier(Barrier::Block { .. }) => {}
                    OpKind::CrossLane(it) if among == Meeting::Warp && self.is_vote_of_all(it) => {}
                    OpKind::CrossLane(_)
                    | OpKind::Access(_)
                    | OpKind::Opaque(_)
                    | OpKind::Barrier(
                        Barrier::Named { .. }
                        | Barrier::Warp { .. }
                        | Barrier::Cluster { .. }
                        | Barrier::Grid
                        | Barrier::Mbarrier { .. },
                    )
                    | OpKind::Fence { .. }
                    | OpKind::AsyncCopy(_)
                    | OpKind::AsyncCommit(_)
                    | OpKind::AsyncWait { .. }
                    | OpKind::EventWait(_)
                    | OpKind::Assume(_)
                    | OpKind::Claim(_)
                    | OpKind::Registers(_)
                    | OpKind::Assert { .. }
                    | OpKind::Exit(_) => return false,
                },
                ExprKind::Special(special) => match special {
                    Special::Tid(_) | Special::LaneId | Special::WarpId => return false,
                    Special::Ctaid(_)
                    | Special::Ntid(_)
                    | Special::Nctaid(_)
                    | Special::GlobalOffset(_)
                    | Special::ClusterCtaRank
                    | Special::ClusterNctaRank
                    | Special::DynamicSharedSize => {}
                },
                ExprKind::Undef(_) | ExprKind::Sym(_) | ExprKind::Pure(..) => return false,
                ExprKind::Base(object) if kernel[object].space.may_be(Space::Local) => {
                    return false;
                }
                ExprKind::Base(_)
                | ExprKind::Const(_)
                | ExprKind::Param(_)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Cmp(..)
                | ExprKind::Select(..)
                | ExprKind::Cast(..) => {}
            }
        }
        true
    }

    fn is_vote_of_all(&self, cross: &CrossLane) -> bool {
        let mask = cross.mask.and_then(|it| self.kernel.exprs.as_const(it));
        let votes = matches!(cross.kind, CrossLaneKind::VoteAll | CrossLaneKind::VoteAny);
        votes && mask == Some(u128::from(u32::MAX))
    }

    /// The operations whose results flow into an expression.
    pub(super) fn behind(&self, root: ExprId) -> Vec<OpId> {
        let mut search =
            Search { flow: self, seen: EntitySet::new(), work: vec![root], ops: Vec::new() };
        while let Some(expr) = search.work.pop() {
            if search.seen.insert(expr) {
                search.visit(expr);
            }
        }
        search.ops
    }
}

struct Search<'f, 'k> {
    flow: &'f Flow<'k>,
    seen: EntitySet<ExprId>,
    work: Vec<ExprId>,
    ops: Vec<OpId>,
}

impl Search<'_, '_> {
    fn visit(&mut self, expr: ExprId) {
        let kernel = self.flow.kernel;
        kernel.exprs.for_each_operand(expr, |operand| self.work.push(operand));
        match kernel[expr].kind {
            ExprKind::Var(var) => self.work.extend([kernel[var].init, kernel[var].next]),
            ExprKind::Exit(of, _) => self.work.push(kernel[of].cont),
            ExprKind::Result(op, _) => {
                if !self.ops.contains(&op) {
                    self.ops.push(op);
                    self.result(op);
                }
            }
            ExprKind::Const(_)
            | ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cmp(..)
            | ExprKind::Select(..)
            | ExprKind::Cast(..)
            | ExprKind::Pure(..) => {}
        }
    }

    fn result(&mut self, op: OpId) {
        let kernel = self.flow.kernel;
        match &kernel[op].kind {
            OpKind::Access(Access { address, kind, volatile, order, .. }) => {
                self.work.push(address.offset);
                let may_pass_on = !self.flow.is_shared_by_blocks(address.object);
                let is_plain = *kind == AccessKind::Load && !volatile && order.is_none();
                let writers: Vec<OpId> = self.flow.writers_of(address.object).collect();
                let same_place = |writer: &OpId| {
                    is_plain && kernel.access(*writer).is_some_and(|it| it.address == *address)
                };
                for writer in writers.into_iter().filter(|it| may_pass_on || same_place(it)) {
                    self.work.push(kernel[writer].pred);
                    let Some(written) = kernel.access(writer) else {
                        // A copy, or what is not modelled.
                        self.ops.extend((!self.ops.contains(&writer)).then_some(writer));
                        continue;
                    };
                    match &written.kind {
                        AccessKind::Load => {}
                        // Bytes from elsewhere, as `memcpy` brings them.
                        AccessKind::Store(values) if values.is_empty() => {
                            self.ops.extend((!self.ops.contains(&writer)).then_some(writer));
                        }
                        AccessKind::Store(values) | AccessKind::Atomic(_, values) => {
                            self.work.extend(values);
                        }
                    }
                }
            }
            OpKind::CrossLane(cross) => self.work.extend(&cross.args),
            OpKind::Barrier(Barrier::Block { reduce, .. } | Barrier::Named { reduce, .. }) => {
                self.work.extend(reduce.iter().map(|(_, it)| *it));
            }
            OpKind::Opaque(opaque) => self.work.extend(&opaque.args),
            OpKind::Barrier(
                Barrier::Warp { .. }
                | Barrier::Cluster { .. }
                | Barrier::Grid
                | Barrier::Mbarrier { .. },
            )
            | OpKind::Fence { .. }
            | OpKind::AsyncCopy(_)
            | OpKind::AsyncCommit(_)
            | OpKind::AsyncWait { .. }
            | OpKind::EventWait(_)
            | OpKind::Assume(_)
            | OpKind::Registers(_)
            | OpKind::Assert { .. }
            | OpKind::Claim(_)
            | OpKind::Exit(_) => {}
        }
    }
}
