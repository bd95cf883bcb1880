//! NVVM's intrinsics for ids, barriers, fences and lanes (`llvm/IR/IntrinsicsNVVM.td`, PTX ISA
//! sections 9.7.13 and 10).

use heddle_ir::{
    ALL_MEMORY, AtomicOp, Barrier, BarrierAction, BinOp, ClusterAction, CrossLane, CrossLaneKind,
    Ending, ExprId, OpKind, Order, Proxy, Reduction, RegisterMove, Scope, Space, Special,
};

use super::Call;
use crate::lift::Lifter;
use crate::lift::memory::Strength;
use crate::lift::pointer::Place;
use crate::lift::value::Val;
use crate::llvm::TypeKind;

impl<'m> Lifter<'m> {
    /// An intrinsic by its name after `llvm.nvvm.`.
    pub(super) fn nvvm(&mut self, call: &Call<'m>, name: &str) -> Option<Val> {
        if let Some(register) = name.strip_prefix("read.ptx.sreg.") {
            return self.special_register(register).map(Val::Scalar);
        }
        if let Some(form) = name.strip_prefix("barrier.cta.") {
            return self.block_barrier(call, form);
        }
        if let Some(form) = name.strip_prefix("barrier.cluster.") {
            return self.cluster_barrier(form);
        }
        if let Some(scope) = name.strip_prefix("membar.") {
            let scope = match scope {
                "cta" => Scope::Block,
                "gl" => Scope::Device,
                _ => Scope::System,
            };
            return self.fence(Order::SeqCst, scope, None);
        }
        if let Some(form) = name.strip_prefix("fence.") {
            return self.nvvm_fence(form);
        }
        if let Some(form) = name.strip_prefix("atomic.") {
            return self.scoped_atomic(call, form);
        }
        if let Some(space) = name.strip_prefix("isspacep.") {
            return self.is_in_space(call, space);
        }
        self.lanes(call, name)
            .or_else(|| self.asynchronous(call, name))
            .or_else(|| self.matrix(call, name))
            .or_else(|| self.nvvm_rest(call, name))
    }

    fn nvvm_rest(&mut self, call: &Call<'m>, name: &str) -> Option<Val> {
        match name {
            "bar.warp.sync" => {
                let mask = self.arg(call, 0)?;
                let orders = self.out.exprs().constant(ALL_MEMORY, 32);
                self.emit(OpKind::Barrier(Barrier::Warp { mask, orders }), &[]);
                Some(Val::Nothing)
            }
            "setmaxnreg.inc.sync.aligned.u32" => {
                self.emit(OpKind::Registers(RegisterMove::Take), &[]);
                Some(Val::Nothing)
            }
            "setmaxnreg.dec.sync.aligned.u32" => {
                self.emit(OpKind::Registers(RegisterMove::Give), &[]);
                Some(Val::Nothing)
            }
            "reflect" => self.reflect(call),
            "exit" => {
                let truth = self.out.exprs().truth();
                self.leave(truth, Ending::Return);
                Some(Val::Nothing)
            }
            _ if name.starts_with("ldu.global.") || name.starts_with("ldg.global.") => {
                let source = *call.args.first()?;
                let pointer = self.pointer(source);
                Some(self.load(&pointer, source, call.inst.ty(), Strength::default()))
            }
            _ => None,
        }
    }

    /// A special register (PTX ISA, section 10) as an expression.
    pub(super) fn special_register(&mut self, register: &str) -> Option<ExprId> {
        let dimension = |axis: &str| match axis {
            "x" => Some(0),
            "y" => Some(1),
            "z" => Some(2),
            _ => None,
        };
        let special = match register.split_once('.') {
            Some(("tid", axis)) => Special::Tid(dimension(axis)?),
            Some(("ntid", axis)) => Special::Ntid(dimension(axis)?),
            Some(("ctaid", axis)) => Special::Ctaid(dimension(axis)?),
            Some(("nctaid", axis)) => Special::Nctaid(dimension(axis)?),
            Some(("cluster", "ctarank")) => Special::ClusterCtaRank,
            Some(("cluster", "nctarank")) => Special::ClusterNctaRank,
            Some(("lanemask", which)) => return self.lane_mask(which),
            Some(_) => return None,
            None => match register {
                "laneid" => Special::LaneId,
                "warpid" => Special::WarpId,
                "cluster_ctarank" => Special::ClusterCtaRank,
                "cluster_nctarank" => Special::ClusterNctaRank,
                "dynamic_smem_size" => Special::DynamicSharedSize,
                "warpsize" | "WARP_SZ" => return Some(self.out.exprs().constant(32, 32)),
                _ => match register.strip_prefix("lanemask_") {
                    Some(which) => return self.lane_mask(which),
                    None => return None,
                },
            },
        };
        Some(self.out.exprs().special(special))
    }

    /// `lanemask.lt` and its like, from the lane's index.
    fn lane_mask(&mut self, which: &str) -> Option<ExprId> {
        let pool = self.out.exprs();
        let one = pool.constant(1, 32);
        let lane = pool.special(Special::LaneId);
        let own = pool.binary(BinOp::Shl, one, lane);
        let below = pool.sub(own, one);
        match which {
            "eq" => Some(own),
            "lt" => Some(below),
            "le" => Some(pool.or(below, own)),
            "ge" => Some(pool.not(below)),
            "gt" => {
                let up_to = pool.or(below, own);
                Some(pool.not(up_to))
            }
            _ => None,
        }
    }

    /// `barrier.cta.<sync|arrive|red.op>[.aligned].<all|count>`.
    fn block_barrier(&mut self, call: &Call<'m>, form: &str) -> Option<Val> {
        let words: Vec<&str> = form.split('.').collect();
        let aligned = words.contains(&"aligned");
        let counted = words.last() == Some(&"count");
        let id = self.arg(call, 0)?;
        let count = if counted { Some(self.arg(call, 1)?) } else { None };
        let (action, reduce) = match words[..] {
            ["sync", ..] => (BarrierAction::Sync, None),
            ["arrive", ..] => (BarrierAction::Arrive, None),
            ["red", op, ..] => {
                let reduction = Reduction::from_name(op)?;
                (BarrierAction::Sync, Some((reduction, self.arg(call, call.args.len() - 1)?)))
            }
            _ => return None,
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

    fn cluster_barrier(&mut self, form: &str) -> Option<Val> {
        let words: Vec<&str> = form.split('.').collect();
        let action = ClusterAction::from_name(words.first()?)?;
        let order = match (words.contains(&"relaxed"), action) {
            (true, _) => Order::Relaxed,
            (false, ClusterAction::Arrive) => Order::Release,
            (false, ClusterAction::Wait) => Order::Acquire,
            (false, ClusterAction::Sync) => Order::AcqRel,
        };
        let aligned = words.contains(&"aligned");
        self.emit(OpKind::Barrier(Barrier::Cluster { action, order, aligned }), &[]);
        Some(Val::Nothing)
    }

    /// Emits a fence.
    pub(super) fn fence(
        &mut self,
        order: Order,
        scope: Scope,
        proxy: Option<Proxy>,
    ) -> Option<Val> {
        self.emit(OpKind::Fence { order, scope, proxy }, &[]);
        Some(Val::Nothing)
    }

    fn nvvm_fence(&mut self, form: &str) -> Option<Val> {
        let words: Vec<&str> = form.split('.').collect();
        let scope = words.iter().rev().find_map(|w| scope_word(w));
        match words[..] {
            ["sc", ..] => self.fence(Order::SeqCst, scope?, None),
            ["acq_rel", ..] => self.fence(Order::AcqRel, scope?, None),
            ["mbarrier_init", ..] => {
                self.fence(Order::Release, Scope::Cluster, Some(Proxy::MbarrierInit))
            }
            ["proxy", kind, ..] => {
                let order = match () {
                    () if words.contains(&"acquire") => Order::Acquire,
                    () if words.contains(&"release") => Order::Release,
                    () => Order::AcqRel,
                };
                let proxy = match kind {
                    "alias" => Proxy::Alias,
                    "async" => Proxy::Async,
                    "async_generic" => Proxy::AsyncToGeneric,
                    "tensormap_generic" => Proxy::Tensormap,
                    _ => return None,
                };
                self.fence(order, scope.unwrap_or(Scope::System), Some(proxy))
            }
            _ => None,
        }
    }

    /// `atomic.<op>.gen.<i|f>.<cta|sys>`.
    fn scoped_atomic(&mut self, call: &Call<'m>, form: &str) -> Option<Val> {
        let words: Vec<&str> = form.split('.').collect();
        // The types that the intrinsic is made for follow.
        let [op, "gen", kind, scope, ..] = words[..] else { return None };
        let float = kind == "f";
        let op = match op {
            "add" if float => AtomicOp::FAdd,
            "add" => AtomicOp::Add,
            "exch" => AtomicOp::Exchange,
            "max" if float => AtomicOp::FMax,
            "max" => AtomicOp::SMax,
            "min" if float => AtomicOp::FMin,
            "min" => AtomicOp::SMin,
            "inc" => AtomicOp::IncWrap,
            "dec" => AtomicOp::DecWrap,
            "and" => AtomicOp::And,
            "or" => AtomicOp::Or,
            "xor" => AtomicOp::Xor,
            "cas" => AtomicOp::CompareExchange,
            _ => return None,
        };
        let scope = scope_word(scope)?;
        let pointer = self.pointer(*call.args.first()?);
        let operands: Vec<ExprId> =
            (1..call.args.len()).filter_map(|n| self.arg(call, n)).collect();
        let width = self.bits_of(call.inst.ty())?;
        let strength = Strength { order: Some((Order::Relaxed, scope)), volatile: false };
        Some(Val::Scalar(self.atomic(&pointer, op, &operands, width, strength)))
    }

    fn is_in_space(&mut self, call: &Call<'m>, space: &str) -> Option<Val> {
        let asked = match space {
            "shared" | "shared.cluster" => Space::Shared,
            "global" => Space::Global,
            "const" => Space::Constant,
            "local" => Space::Local,
            _ => return None,
        };
        let pointer = self.pointer(*call.args.first()?);
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
    fn lanes(&mut self, call: &Call<'m>, name: &str) -> Option<Val> {
        use CrossLaneKind as K;
        let words: Vec<&str> = name.split('.').collect();
        let (kind, mask, args): (K, Option<usize>, &[usize]) = match words[..] {
            ["shfl", "sync", mode, ..] => (shuffle(mode)?, Some(0), &[1, 2, 3]),
            ["shfl", mode, ..] => (shuffle(mode)?, None, &[0, 1, 2]),
            ["vote", "ballot", "sync"] => (K::Ballot, Some(0), &[1]),
            ["vote", "all", "sync"] => (K::VoteAll, Some(0), &[1]),
            ["vote", "any", "sync"] => (K::VoteAny, Some(0), &[1]),
            ["vote", "uni", "sync"] => (K::VoteUniform, Some(0), &[1]),
            ["vote", "ballot"] => (K::Ballot, None, &[0]),
            ["vote", "all"] => (K::VoteAll, None, &[0]),
            ["vote", "any"] => (K::VoteAny, None, &[0]),
            ["vote", "uni"] => (K::VoteUniform, None, &[0]),
            ["match", "any", "sync", ..] => (K::MatchAny, Some(0), &[1]),
            ["match", "all", "sync", ..] => (K::MatchAll, Some(0), &[1]),
            ["redux", "sync", op] => (reduction(op)?, Some(1), &[0]),
            ["elect", "sync"] => (K::Elect, Some(0), &[]),
            ["activemask"] => (K::ActiveMask, None, &[]),
            _ => return None,
        };
        let mask = match mask {
            Some(n) => Some(self.arg(call, n)?),
            None => None,
        };
        let args: Option<Vec<ExprId>> = args.iter().map(|&n| self.arg(call, n)).collect();
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

fn shuffle(mode: &str) -> Option<CrossLaneKind> {
    match mode {
        "idx" => Some(CrossLaneKind::ShuffleIdx),
        "up" => Some(CrossLaneKind::ShuffleUp),
        "down" => Some(CrossLaneKind::ShuffleDown),
        "bfly" => Some(CrossLaneKind::ShuffleBfly),
        _ => None,
    }
}

fn reduction(op: &str) -> Option<CrossLaneKind> {
    match op {
        "add" => Some(CrossLaneKind::ReduceAdd),
        "umin" => Some(CrossLaneKind::ReduceUMin),
        "umax" => Some(CrossLaneKind::ReduceUMax),
        "min" => Some(CrossLaneKind::ReduceSMin),
        "max" => Some(CrossLaneKind::ReduceSMax),
        "and" => Some(CrossLaneKind::ReduceAnd),
        "or" => Some(CrossLaneKind::ReduceOr),
        "xor" => Some(CrossLaneKind::ReduceXor),
        _ => None,
    }
}

/// A scope as PTX and NVVM spell it.
pub(super) fn scope_word(word: &str) -> Option<Scope> {
    match word {
        "cta" => Some(Scope::Block),
        "cluster" => Some(Scope::Cluster),
        "gpu" | "gl" => Some(Scope::Device),
        "sys" => Some(Scope::System),
        _ => None,
    }
}
