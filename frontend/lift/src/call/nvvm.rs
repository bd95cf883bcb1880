//! NVVM's intrinsics (`llvm/IR/IntrinsicsNVVM.td`): what each class of the table in `heddle_ptx`
//! becomes.
//!
//! **Does not**: read names, but those of special registers and of `wmma`. A class that is not
//! followed here is what the attributes of the call let it be.

use heddle_ir::{
    ALL_MEMORY, AccessKind, AsyncMechanism, AtomicOp, Barrier, BarrierAction, BinOp, CrossLane,
    CrossLaneKind, Ending, ExprId, MbarrierAction, MemoryOrder, OpKind, Proxy, Reduction,
    RegisterMove, Scope, Space, Special,
};
use smallvec::SmallVec;

use super::Call;
use crate::Lifter;
use crate::pointer::Place;
use crate::strength::Strength;
use crate::value::Val;
use heddle_llvm::{TypeKind, Value};
use heddle_ptx::{Class, Effect, Intrinsic, PureOp, Role, TensorCore, Warpgroup};

impl<'m> Lifter<'m> {
    /// An intrinsic by its name after `llvm.nvvm.`.
    pub(super) fn nvvm(&mut self, call: &Call<'m>, name: &str) -> Option<Val> {
        if let Some(register) = name.strip_prefix("read.ptx.sreg.") {
            let register = heddle_ptx::special_register(register)?;
            return self.register(register).map(Val::Scalar);
        }
        match heddle_ptx::intrinsic(name) {
            Some(it) => self.understood(call, name, &it),
            None if name == "reflect" => self.reflect(call),
            None => self.tile(call, name),
        }
    }

    /// An intrinsic of the table; its name is that of the function that it computes.
    fn understood(&mut self, call: &Call<'m>, name: &str, it: &Intrinsic) -> Option<Val> {
        match &it.class {
            Class::Barrier { action, reduce, aligned } => {
                return self.block_barrier(call, it, *action, *reduce, *aligned);
            }
            Class::WarpBarrier => {
                let mask = self.argument(call, it, Role::Mask)?;
                let orders = self.out.exprs().constant(ALL_MEMORY, 32);
                self.emit(OpKind::Barrier(Barrier::Warp { mask, orders }), &[]);
            }
            Class::ClusterBarrier { action, order, aligned } => {
                let (action, order, aligned) = (*action, *order, *aligned);
                self.emit(OpKind::Barrier(Barrier::Cluster { action, order, aligned }), &[]);
            }
            Class::Fence { order, scope, restricted_to } => {
                return self.fence(*order, *scope, restricted_to.map(|_| Proxy::Restricted));
            }
            Class::FenceMbarrierInit => {
                return self.fence(MemoryOrder::Release, Scope::Cluster, Some(Proxy::MbarrierInit));
            }
            Class::ProxyFence { proxy, order } => return self.proxy_fence(*proxy, *order),
            Class::CrossLane { kind, ty: _ } => return self.lanes(call, it, *kind),
            Class::SetMaxRegisters { increase } => {
                let how = if *increase { RegisterMove::Take } else { RegisterMove::Give };
                self.emit(OpKind::Registers(how), &[]);
            }
            Class::Exit => {
                let truth = self.out.exprs().truth();
                self.leave(truth, Ending::Return);
            }
            Class::Mbarrier { op, place } => return self.barrier_object(call, it, *op, *place),
            Class::CpAsync(_) => self.copy_of_bytes(call, it)?,
            Class::CpAsyncCommit => {
                self.emit(OpKind::AsyncCommit(AsyncMechanism::CpAsync), &[]);
            }
            Class::CpAsyncWait => match it.argument(Role::Pending) {
                Some(n) => {
                    let pending = self.arg(call, n)?;
                    self.wait_for_groups(AsyncMechanism::CpAsync, pending, false);
                }
                None => self.wait_for_all_copies(),
            },
            Class::CpAsyncArrive { no_increment, space: _ } => {
                let at = self.pointer(given(call, it, Role::Mbarrier)?);
                let action = MbarrierAction::CopiesArrive { extra: !no_increment };
                self.on_barrier_object(&at, &action, &[]);
            }
            Class::BulkCommit => {
                self.emit(OpKind::AsyncCommit(AsyncMechanism::BulkGroup), &[]);
            }
            Class::BulkWait { read_only } => {
                let pending = self.argument(call, it, Role::Pending)?;
                self.wait_for_groups(AsyncMechanism::BulkGroup, pending, *read_only);
            }
            // `does_nothing` leaves their calls out before.
            Class::Hint | Class::Sleep => {}
            // That nobody writes what it reads (`non_coherent`) is believed of inline PTX alone.
            Class::Load(access) => {
                let source = given(call, it, Role::Address)?;
                let pointer = self.pointer(source);
                let strength = Self::strength_of_statement(access.semantics);
                return Some(self.load(&pointer, source, call.inst.ty(), strength));
            }
            Class::Atomic { op, order, scope, space: _, ty: _, elements: _ } => {
                return self.scoped_atomic(call, it, *op, (*order, *scope));
            }
            Class::Pure { op: PureOp::IsSpace(space), ty: _ } => {
                return self.is_in_space(given(call, it, Role::Value)?, *space);
            }
            Class::Pure { op: PureOp::MapToBlock, ty: _ } => {
                return self.map_to_block(call, name, it);
            }
            Class::LoadMatrix { space: _, row_bytes, rows } => {
                let at = given(call, it, Role::Address)?;
                return Some(self.matrix_rows(call, at, (*row_bytes, *rows), &AccessKind::Load));
            }
            Class::StoreMatrix { space: _, row_bytes, rows } => {
                let at = given(call, it, Role::Address)?;
                let kind = AccessKind::Store(SmallVec::new());
                return Some(self.matrix_rows(call, at, (*row_bytes, *rows), &kind));
            }
            Class::Warpgroup(Warpgroup::Commit) => {
                self.emit(OpKind::AsyncCommit(AsyncMechanism::Matrix), &[]);
            }
            Class::Warpgroup(Warpgroup::Wait) => {
                let pending = self.argument(call, it, Role::Pending)?;
                self.wait_for_groups(AsyncMechanism::Matrix, pending, false);
            }
            Class::TensorCore(TensorCore::Commit) => {
                let at = self.pointer(given(call, it, Role::Mbarrier)?);
                self.on_barrier_object(&at, &MbarrierAction::ProductsArrive, &[]);
            }
            Class::Warpgroup(Warpgroup::Fence) | Class::Opaque(Effect::RegistersOnly) => {
                return Some(self.in_registers(call));
            }
            Class::Opaque(Effect::ReadsTexture) => {
                self.out.kernel_mut().fetches = true;
                return None;
            }
            Class::BulkCopy(_)
            | Class::GridDependency { .. }
            | Class::Store(_)
            | Class::Surface(_)
            | Class::Pure { .. }
            | Class::Warpgroup(Warpgroup::Product(_))
            | Class::TensorCore(
                TensorCore::Alloc | TensorCore::Product { .. } | TensorCore::Copy { .. },
            )
            | Class::Opaque(Effect::WritesSurface | Effect::Anything)
            | Class::Trap
            | Class::Breakpoint
            | Class::Branch { .. }
            | Class::Unknown => return None,
        }
        Some(Val::Nothing)
    }

    /// The argument of a role, as a number.
    pub(super) fn argument(
        &mut self,
        call: &Call<'m>,
        it: &Intrinsic,
        role: Role,
    ) -> Option<ExprId> {
        it.argument(role).and_then(|n| self.arg(call, n))
    }

    /// A special register (PTX ISA, section 10) as an expression, where it is one.
    pub(super) fn register(&mut self, register: heddle_ptx::Special) -> Option<ExprId> {
        use heddle_ptx::Special as Register;
        let axis = |axis: heddle_ptx::Axis| match axis {
            heddle_ptx::Axis::X => 0,
            heddle_ptx::Axis::Y => 1,
            heddle_ptx::Axis::Z => 2,
        };
        let special = match register {
            Register::Tid(a) => Special::Tid(axis(a)),
            Register::Ntid(a) => Special::Ntid(axis(a)),
            Register::Ctaid(a) => Special::Ctaid(axis(a)),
            Register::Nctaid(a) => Special::Nctaid(axis(a)),
            Register::LaneId => Special::LaneId,
            Register::ClusterCtarank => Special::ClusterCtaRank,
            Register::ClusterNctarank => Special::ClusterNctaRank,
            Register::DynamicSmemSize => Special::DynamicSharedSize,
            Register::WarpSize => return Some(self.out.exprs().constant(32, 32)),
            Register::LanemaskEq
            | Register::LanemaskLe
            | Register::LanemaskLt
            | Register::LanemaskGe
            | Register::LanemaskGt => return Some(self.lane_mask(register)),
            Register::Clusterid(_)
            | Register::Nclusterid(_)
            | Register::ClusterCtaid(_)
            | Register::ClusterNctaid(_) => return self.of_cluster(register),
            // A thread may be moved to another slot while it runs (10.4).
            Register::WarpId
            | Register::NwarpId
            | Register::SmId
            | Register::NsmId
            | Register::GridId
            | Register::IsExplicitCluster
            | Register::Clock
            | Register::ClockHi
            | Register::Clock64
            | Register::GlobalTimer
            | Register::GlobalTimerLo
            | Register::GlobalTimerHi
            | Register::TotalSmemSize
            | Register::AggrSmemSize
            | Register::CurrentGraphExec
            | Register::ReservedSmemBegin
            | Register::ReservedSmemEnd
            | Register::ReservedSmemCap
            | Register::ReservedSmem(_)
            | Register::EnvReg(_)
            | Register::Pm(_) => return None,
        };
        Some(self.out.exprs().special(special))
    }

    /// `%lanemask_lt` and its like, from the lane's index.
    fn lane_mask(&mut self, register: heddle_ptx::Special) -> ExprId {
        let pool = self.out.exprs();
        let one = pool.constant(1, 32);
        let lane = pool.special(Special::LaneId);
        let own = pool.binary(BinOp::Shl, one, lane);
        let below = pool.sub(own, one);
        if register == heddle_ptx::Special::LanemaskEq {
            return own;
        }
        let with_own =
            [heddle_ptx::Special::LanemaskLe, heddle_ptx::Special::LanemaskGt].contains(&register);
        let mask = if with_own { pool.or(below, own) } else { below };
        let above =
            [heddle_ptx::Special::LanemaskGe, heddle_ptx::Special::LanemaskGt].contains(&register);
        if above { pool.not(mask) } else { mask }
    }

    fn block_barrier(
        &mut self,
        call: &Call<'m>,
        it: &Intrinsic,
        action: BarrierAction,
        reduce: Option<Reduction>,
        aligned: bool,
    ) -> Option<Val> {
        let id = self.argument(call, it, Role::Id)?;
        let count = match it.argument(Role::Count) {
            Some(n) => Some(self.arg(call, n)?),
            None => None,
        };
        let reduce = match reduce {
            Some(reduction) => Some((reduction, self.argument(call, it, Role::Predicate)?)),
            None => None,
        };
        let result = self.barrier(action, id, count, aligned, reduce);
        Some(match (result, call.inst.ty().kind()) {
            (Some(value), TypeKind::Int(width)) => {
                let width = u8::try_from(width).ok()?;
                Val::Scalar(self.out.exprs().resize(value, width))
            }
            _ => Val::Nothing,
        })
    }

    /// A barrier of the block: the one all threads take part in, or a named one. What a reduction
    /// gives.
    pub(super) fn barrier(
        &mut self,
        action: BarrierAction,
        id: ExprId,
        count: Option<ExprId>,
        aligned: bool,
        reduce: Option<(Reduction, ExprId)>,
    ) -> Option<ExprId> {
        let reduce = reduce.map(|(reduction, value)| {
            let width = self.out.exprs().width(value);
            let zero = self.out.exprs().constant(0, width);
            (reduction, self.out.exprs().ne(value, zero))
        });
        let results: &[u8] = match reduce {
            Some((Reduction::Popc, _)) => &[32],
            Some((Reduction::And | Reduction::Or, _)) => &[1],
            None => &[],
        };
        let whole = self.out.exprs().as_const(id) == Some(0)
            && count.is_none()
            && action == BarrierAction::Sync;
        let barrier = if whole {
            let orders = self.out.exprs().constant(ALL_MEMORY, 32);
            Barrier::Block { aligned, orders, reduce }
        } else {
            Barrier::Named { action, id, count, aligned, reduce }
        };
        let op = self.emit(OpKind::Barrier(barrier), results);
        (!results.is_empty()).then(|| self.out.result(op, 0))
    }

    /// Emits a fence.
    pub(super) fn fence(
        &mut self,
        order: MemoryOrder,
        scope: Scope,
        proxy: Option<Proxy>,
    ) -> Option<Val> {
        self.emit(OpKind::Fence { order, scope, proxy }, &[]);
        Some(Val::Nothing)
    }

    /// Emits a fence of a proxy.
    pub(super) fn proxy_fence(
        &mut self,
        proxy: heddle_ptx::Proxy,
        order: Option<(MemoryOrder, Scope)>,
    ) -> Option<Val> {
        let proxy = match proxy {
            heddle_ptx::Proxy::Alias => Proxy::Alias,
            heddle_ptx::Proxy::Async(Some(heddle_ptx::Space::Global)) => Proxy::AsyncGlobal,
            heddle_ptx::Proxy::Async(_) => Proxy::Async,
            heddle_ptx::Proxy::AsyncToGeneric(_) => Proxy::AsyncToGeneric,
            heddle_ptx::Proxy::Tensormap => Proxy::Tensormap,
        };
        let (order, scope) = order.unwrap_or((MemoryOrder::AcqRel, Scope::System));
        self.fence(order, scope, Some(proxy))
    }

    /// An atomic; what it gives has its type.
    fn scoped_atomic(
        &mut self,
        call: &Call<'m>,
        it: &Intrinsic,
        op: AtomicOp,
        order: (MemoryOrder, Scope),
    ) -> Option<Val> {
        let pointer = self.pointer(given(call, it, Role::Address)?);
        let operands: Vec<ExprId> = [Role::Value, Role::Second]
            .into_iter()
            .filter_map(|role| self.argument(call, it, role))
            .collect();
        let width = self.bits_of(call.inst.ty())?;
        let strength = Strength { order: Some(order), volatile: false, align: 1 };
        Some(Val::Scalar(self.atomic(&pointer, op, &operands, width, strength)))
    }

    /// Whether an address is in a space; the shared memory of the cluster is taken for the block's.
    fn is_in_space(&mut self, address: Value<'m>, space: heddle_ptx::Space) -> Option<Val> {
        let asked = match space {
            heddle_ptx::Space::SharedBlock | heddle_ptx::Space::SharedCluster => Space::Shared,
            heddle_ptx::Space::Global => Space::Global,
            heddle_ptx::Space::Constant => Space::Constant,
            heddle_ptx::Space::Local => Space::Local,
            heddle_ptx::Space::Generic | heddle_ptx::Space::Parameter => return None,
        };
        let pointer = self.pointer(address);
        let mut answer = self.out.exprs().falsity();
        for alternative in &pointer.alternatives {
            let space = match alternative.place {
                Place::Object(object) => self.out.kernel().objects[object].space,
                Place::Absolute(space) => space,
            };
            if space == Space::Generic {
                return None;
            }
            if space == asked {
                answer = self.out.exprs().or(answer, alternative.guard);
            }
        }
        Some(Val::Scalar(answer))
    }

    /// Shuffles, votes, matches and reductions of a warp.
    fn lanes(&mut self, call: &Call<'m>, it: &Intrinsic, kind: CrossLaneKind) -> Option<Val> {
        let mask = match it.argument(Role::Mask) {
            Some(n) => Some(self.arg(call, n)?),
            None => None,
        };
        let operands = [Role::Value, Role::Predicate, Role::Lane, Role::Clamp];
        let given = operands.iter().filter_map(|role| it.argument(*role));
        let args: Option<Vec<ExprId>> = given.map(|n| self.arg(call, n)).collect();
        let results = self.exchange(kind, mask, &args?);
        Some(match (&results[..], call.inst.ty().kind()) {
            ([first, second, ..], TypeKind::Struct { .. }) => {
                Val::Aggregate(vec![Val::Scalar(*first), Val::Scalar(*second)])
            }
            ([first, ..], _) => Val::Scalar(*first),
            ([], _) => return None,
        })
    }

    /// Emits an exchange among lanes; its results.
    pub(super) fn exchange(
        &mut self,
        kind: CrossLaneKind,
        mask: Option<ExprId>,
        args: &[ExprId],
    ) -> Vec<ExprId> {
        use CrossLaneKind as K;
        let value_width = args.first().map_or(32, |&a| self.out.exprs().width(a));
        let widths: &[u8] = match kind {
            K::ShuffleIdx | K::ShuffleUp | K::ShuffleDown | K::ShuffleBfly => &[value_width, 1],
            K::VoteAll | K::VoteAny | K::VoteUniform => &[1],
            K::Ballot | K::MatchAny | K::ActiveMask => &[32],
            K::MatchAll | K::Elect => &[32, 1],
            K::ReduceAdd
            | K::ReduceUMin
            | K::ReduceUMax
            | K::ReduceSMin
            | K::ReduceSMax
            | K::ReduceAnd
            | K::ReduceOr
            | K::ReduceXor => &[value_width],
        };
        let exchange = CrossLane { kind, mask, args: args.iter().copied().collect() };
        let op = self.emit(OpKind::CrossLane(exchange), widths);
        (0..widths.len()).map(|n| self.out.result(op, n as u32)).collect()
    }
}

/// The argument of a role.
pub(super) fn given<'m>(call: &Call<'m>, it: &Intrinsic, role: Role) -> Option<Value<'m>> {
    call.args.get(it.argument(role)?).copied()
}
