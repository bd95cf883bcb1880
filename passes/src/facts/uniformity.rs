//! How far a value may vary: not at all, by block, by warp, by thread; with the leaf that makes it
//! so.
//!
//! **Promises**: where a value is said not to vary among some threads, those of them that compute
//! it in the same iterations of the loops around it compute the same value.
//! **False alarms**: a value may be called varying that is not (`x - x` through memory, results of
//! atomics).
//! **Relies on**: race freedom, for loads. A plain load from one address gives one value to all
//! threads that do it between the same two barriers, because whoever changed it in between would
//! race with the load; the race checks report that race, and the first race of a run is found with
//! only race-free values behind it. That argument needs block barriers to be all that orders
//! threads (warp barriers aside, which a thread of the same warp passes at the same place; of
//! atomics, relaxed ones do not), and accesses that race with a plain load wherever nothing orders
//! them, as plain ones and atomics do: what an object holds that is accessed by volatiles, or
//! touched by something not modelled, varies by thread. For events of copies: that the threads of a
//! block issue them together, which `async-copies` decides. For shuffles from one lane: that lanes
//! which did not return come to an exchange that names them, which is the property of warp
//! collectives. What a lane that returned, or that the block does not have, gives is each reader's
//! own.
//!
//! Values that lanes combine crosswise are `alike`'s.
//!
//! Method: the least fixed point over expressions and loop variables. A value after a loop varies
//! as the value does inside, or as the number of iterations does.

mod alike;

use heddle_ir::cranelift_entity::{EntitySet, SecondaryMap};
use heddle_ir::{
    Access, AccessKind, AsyncCopy, Barrier, BinOp, CmpOp, CrossLaneKind, ExprId, ExprKind, Kernel,
    LoopId, ObjectId, ObjectKind, OpId, OpKind, Space, Special, TouchedBy,
};

pub(crate) use self::alike::bits_of_lane;
use self::alike::{ALL, Alike, is_combined};
use crate::facts::launch::Launch;
use crate::facts::memory::MemoryUse;
use crate::facts::order::ProgramOrder;

/// The clamp of a shuffle that reads any lane of the warp.
pub(crate) const ANY_LANE: u128 = 0x1f;

/// What a kernel is looked at with.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) launch: &'a Launch,
    pub(super) memory: &'a MemoryUse,
    pub(super) order: &'a ProgramOrder,
}

/// How far a value may vary, from not at all to by thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Varies {
    /// One value in the whole grid.
    #[default]
    Never,
    /// One value per block.
    ByBlock,
    /// One value per warp.
    ByWarp,
    /// Anything.
    ByThread,
}

/// How far a value varies, and the leaf to blame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Variation {
    /// How far.
    pub varies: Varies,
    /// A leaf (or the continue predicate of a loop) that varies as far. `None` for
    /// [`Varies::Never`].
    pub because: Option<ExprId>,
}

impl Variation {
    fn of(varies: Varies, because: ExprId) -> Variation {
        Variation { varies, because: (varies != Varies::Never).then_some(because) }
    }

    fn join(self, other: Variation) -> Variation {
        if other.varies > self.varies { other } else { self }
    }
}

/// The variation of every expression of a kernel.
#[derive(Debug)]
pub(crate) struct Uniformity {
    of: SecondaryMap<ExprId, Variation>,
    /// Values that lanes have alike though their operands are not.
    combined: EntitySet<ExprId>,
}

impl Uniformity {
    /// Computes it.
    pub(crate) fn of(
        kernel: &Kernel,
        launch: &Launch,
        memory: &MemoryUse,
        order: &ProgramOrder,
    ) -> Uniformity {
        let facts = Facts { kernel, launch, memory, order };
        let of = SecondaryMap::with_default(Variation::default());
        let mut it = Uniformity { of, combined: EntitySet::new() };
        let mut alike = Alike::new();
        let mut locals = SecondaryMap::with_default(Variation::default());
        loop {
            let mut changed = false;
            for (id, _) in kernel.exprs.iter() {
                let mut new = it.vary(facts, &locals, id);
                if new.varies == Varies::ByThread {
                    changed |= alike.update(facts, &it, id);
                    if alike.masks(id) == ALL {
                        new = Variation::of(Varies::ByWarp, id);
                    }
                }
                changed |= new.varies > it.of[id].varies;
                if new.varies > it.of[id].varies {
                    it.of[id] = new;
                }
            }
            changed |= it.update_locals(kernel, &mut locals);
            if !changed {
                it.note_combined(facts, &locals);
                return it;
            }
        }
    }

    fn note_combined(&mut self, facts: Facts<'_>, locals: &SecondaryMap<ObjectId, Variation>) {
        for (id, _) in facts.kernel.exprs.iter() {
            let alone = || self.vary(facts, locals, id).varies == Varies::ByThread;
            if self.of[id].varies == Varies::ByWarp && is_combined(facts.kernel, id) && alone() {
                self.combined.insert(id);
            }
        }
    }

    /// Whether the lanes of a warp agree on a value though what it is computed from is not known to
    /// agree: they have exchanged it.
    pub(crate) fn is_combined(&self, id: ExprId) -> bool {
        self.combined.contains(id)
    }

    /// How far an expression varies.
    pub(crate) fn variation(&self, id: ExprId) -> Variation {
        self.of[id]
    }

    /// Whether the threads of one block agree on it.
    pub(crate) fn block_uniform(&self, id: ExprId) -> bool {
        self.of[id].varies <= Varies::ByBlock
    }

    /// Whether the threads of one block agree on how often a loop runs, if they enter it together.
    pub(crate) fn trips_block_uniform(&self, kernel: &Kernel, of: LoopId) -> bool {
        self.block_uniform(kernel[of].cont)
    }

    fn vary(
        &self,
        facts: Facts<'_>,
        locals: &SecondaryMap<ObjectId, Variation>,
        id: ExprId,
    ) -> Variation {
        let Facts { kernel, launch, .. } = facts;
        match &kernel[id].kind {
            ExprKind::Const(_) | ExprKind::Param(_) | ExprKind::Sym(_) => Variation::default(),
            ExprKind::Base(object) => match kernel[*object].space {
                Space::Global | Space::Constant => Variation::default(),
                Space::Shared => Variation::of(Varies::ByBlock, id),
                Space::Local | Space::Generic => Variation::of(Varies::ByThread, id),
            },
            ExprKind::Special(special) => Variation::of(vary_special(*special, launch), id),
            ExprKind::Var(var) => {
                let var = &kernel[*var];
                self.of[var.init].join(self.of[var.next])
            }
            ExprKind::Exit(of, value) => self.of[*value].join(self.of[kernel[*of].cont]),
            ExprKind::Result(op, _) => self.vary_result(facts, locals, id, *op),
            ExprKind::Undef(_) => Variation::of(Varies::ByThread, id),
            ExprKind::Binary(BinOp::LShr | BinOp::UDiv | BinOp::SDiv | BinOp::AShr, _, a, b)
                if is_warp_index(kernel, launch, id, *a, *b) =>
            {
                Variation::of(Varies::ByWarp, id)
            }
            ExprKind::Cmp(op, a, b) if parts_warps(kernel, launch, *op, *a, *b) => {
                Variation::of(Varies::ByWarp, id)
            }
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cmp(..)
            | ExprKind::Select(..)
            | ExprKind::Cast(..)
            | ExprKind::Pure(..) => {
                let mut all = Variation::default();
                kernel.exprs.for_each_operand(id, |operand| all = all.join(self.of[operand]));
                all
            }
        }
    }

    fn vary_result(
        &self,
        facts: Facts<'_>,
        locals: &SecondaryMap<ObjectId, Variation>,
        id: ExprId,
        op: OpId,
    ) -> Variation {
        let Facts { kernel, memory, order: order_of, .. } = facts;
        match &kernel[op].kind {
            OpKind::Access(Access { address, kind: AccessKind::Load, order, volatile, .. }) => {
                let offset = self.of[address.offset];
                let object = &kernel[address.object];
                let plain = order.is_none() && !volatile && settles(memory, address.object);
                match object.space {
                    _ if object.kind == ObjectKind::Unknown => Variation::of(Varies::ByThread, id),
                    Space::Local => offset.join(locals[address.object]),
                    Space::Shared if order_of.settled(op).is_some() => {
                        offset.join(Variation::of(Varies::ByBlock, id))
                    }
                    _ if !plain => Variation::of(Varies::ByThread, id),
                    Space::Shared => offset.join(Variation::of(Varies::ByBlock, id)),
                    Space::Constant => offset,
                    Space::Global if memory.written(address.object) => {
                        offset.join(Variation::of(Varies::ByBlock, id))
                    }
                    Space::Global => offset,
                    Space::Generic => Variation::of(Varies::ByThread, id),
                }
            }
            OpKind::Barrier(Barrier::Block { .. }) => Variation::of(Varies::ByBlock, id),
            OpKind::CrossLane(lanes) => {
                let full = lanes
                    .mask
                    .is_some_and(|mask| kernel.exprs.as_const(mask) == Some(u128::from(u32::MAX)));
                let one_answer = match lanes.kind {
                    CrossLaneKind::VoteAll
                    | CrossLaneKind::VoteAny
                    | CrossLaneKind::VoteUniform
                    | CrossLaneKind::Ballot
                    | CrossLaneKind::MatchAll
                    | CrossLaneKind::ReduceAdd
                    | CrossLaneKind::ReduceUMin
                    | CrossLaneKind::ReduceUMax
                    | CrossLaneKind::ReduceSMin
                    | CrossLaneKind::ReduceSMax
                    | CrossLaneKind::ReduceAnd
                    | CrossLaneKind::ReduceOr
                    | CrossLaneKind::ReduceXor => true,
                    CrossLaneKind::ShuffleIdx => self.gives_one_value(facts, op, &lanes.args),
                    CrossLaneKind::ShuffleUp
                    | CrossLaneKind::ShuffleDown
                    | CrossLaneKind::ShuffleBfly
                    | CrossLaneKind::MatchAny
                    | CrossLaneKind::Elect
                    | CrossLaneKind::ActiveMask => false,
                };
                let varies = if full && one_answer { Varies::ByWarp } else { Varies::ByThread };
                Variation::of(varies, id)
            }
            // All threads of the block issue it together; `async-copies` decides that apart.
            OpKind::AsyncCopy(AsyncCopy { event: Some(given), .. }) => {
                self.of[*given].join(Variation::of(Varies::ByBlock, id))
            }
            OpKind::Access(_)
            | OpKind::Barrier(_)
            | OpKind::Fence { .. }
            | OpKind::AsyncCopy(_)
            | OpKind::AsyncCommit(_)
            | OpKind::AsyncWait { .. }
            | OpKind::EventWait(_)
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Claim(_)
            | OpKind::Exit(_)
            | OpKind::Registers(_)
            | OpKind::Opaque(_) => Variation::of(Varies::ByThread, id),
        }
    }

    /// Whether a load gives lanes of a warp that read from one place one value.
    pub(super) fn load_varies_by_place(&self, facts: Facts<'_>, op: OpId) -> bool {
        let Facts { kernel, memory, .. } = facts;
        let OpKind::Access(Access { address, kind: AccessKind::Load, order, volatile, .. }) =
            &kernel[op].kind
        else {
            return false;
        };
        let object = &kernel[address.object];
        let plain = order.is_none() && !volatile && settles(memory, address.object);
        plain
            && object.kind != ObjectKind::Unknown
            && match object.space {
                Space::Shared | Space::Constant | Space::Global => true,
                Space::Local | Space::Generic => false,
            }
    }

    /// Whether a shuffle of the whole warp gives all its lanes what one lane has, which is there.
    fn gives_one_value(&self, facts: Facts<'_>, op: OpId, args: &[ExprId]) -> bool {
        let Facts { kernel, launch, order, .. } = facts;
        let [_, from, clamp] = args[..] else { return false };
        let is_any = kernel.exprs.as_const(clamp) == Some(ANY_LANE);
        let from_one = self.of[from].varies <= Varies::ByWarp;
        let comes = || self.end_together(kernel, order) || self.done_together(kernel, order, op);
        is_any && from_one && launch.has_lane(kernel.exprs.as_const(from)) && comes()
    }

    /// Whether all lanes that a warp has do an operation in the same iterations, or none of them.
    pub(crate) fn done_together(&self, kernel: &Kernel, order: &ProgramOrder, op: OpId) -> bool {
        !order.ends_untold() && self.guarded_together(kernel, order, op)
    }

    /// Whether the lanes of a warp end together, where they end before the kernel does.
    fn end_together(&self, kernel: &Kernel, order: &ProgramOrder) -> bool {
        let mut ends = kernel.ops.iter().filter(|(_, it)| it.kind.effects().ends.is_some());
        ends.all(|(end, _)| self.guarded_together(kernel, order, end))
    }

    fn guarded_together(&self, kernel: &Kernel, order: &ProgramOrder, op: OpId) -> bool {
        let is_one = |id: ExprId| self.of[id].varies <= Varies::ByWarp;
        is_one(kernel[op].pred)
            && order.chain(op).iter().all(|of| is_one(kernel[*of].pred) && is_one(kernel[*of].cont))
    }

    /// What a thread's own memory holds varies as what it stores there, and where and when it does.
    fn update_locals(
        &self,
        kernel: &Kernel,
        locals: &mut SecondaryMap<ObjectId, Variation>,
    ) -> bool {
        let mut changed = false;
        let mut raise = |object: ObjectId, to: Variation| {
            if to.varies > locals[object].varies {
                locals[object] = to;
                changed = true;
            }
        };
        kernel.for_each_op(|op, around| {
            let mut guard = self.of[kernel[op].pred];
            for of in around {
                guard = guard.join(self.of[kernel[*of].pred]).join(self.of[kernel[*of].cont]);
            }
            for touch in kernel[op].kind.effects().touches {
                // All of the thread's own memory that may be meant: what a pointer that is not
                // followed leads to is more than the object it is taken for.
                let is_own = |object: ObjectId| kernel[object].space == Space::Local;
                let own = kernel.objects.keys().filter(|object| {
                    touch.writes && is_own(*object) && touch.place.may_be(kernel, *object)
                });
                let any = Variation::of(Varies::ByThread, kernel[op].pred);
                match touch.by {
                    TouchedBy::Access(Access { address, kind, .. }) => {
                        let known = match kind {
                            AccessKind::Store(values) if !values.is_empty() => {
                                let at = guard.join(self.of[address.offset]);
                                values.iter().fold(at, |all, it| all.join(self.of[*it]))
                            }
                            AccessKind::Load | AccessKind::Store(_) | AccessKind::Atomic(..) => any,
                        };
                        for object in own {
                            raise(object, if object == address.object { known } else { any });
                        }
                    }
                    TouchedBy::NotModelled => {
                        for (object, it) in &kernel.objects {
                            if it.space == Space::Local {
                                raise(object, Variation::of(Varies::ByThread, kernel[op].pred));
                            }
                        }
                    }
                    TouchedBy::Copy | TouchedBy::BarrierObject => {
                        for object in own {
                            raise(object, any);
                        }
                    }
                }
            }
        });
        changed
    }
}

/// Whether what an object holds is one for all that read it between two barriers.
fn settles(memory: &MemoryUse, object: ObjectId) -> bool {
    (!memory.written(object) || !memory.ordered_otherwise()) && memory.only_plain_or_atomic(object)
}

fn vary_special(special: Special, launch: &Launch) -> Varies {
    match special {
        Special::Tid(d) if launch.block[d as usize].known() == Some(1) => Varies::Never,
        Special::Ctaid(d) if launch.grid[d as usize].known() == Some(1) => Varies::Never,
        Special::Tid(_) | Special::LaneId => Varies::ByThread,
        Special::WarpId => Varies::ByWarp,
        Special::Ctaid(_) | Special::ClusterCtaRank => Varies::ByBlock,
        Special::Ntid(_)
        | Special::Nctaid(_)
        | Special::GlobalOffset(_)
        | Special::ClusterNctaRank
        | Special::DynamicSharedSize => Varies::Never,
    }
}

/// `threadIdx.x < 64` and its like, in a block of one dimension: the first warps from the others.
fn parts_warps(kernel: &Kernel, launch: &Launch, op: CmpOp, a: ExprId, b: ExprId) -> bool {
    let tid = |id: ExprId| kernel[id].kind == ExprKind::Special(Special::Tid(0));
    let (limit, swapped) = match (kernel.exprs.as_const(a), kernel.exprs.as_const(b)) {
        (None, Some(limit)) if tid(a) => (limit, false),
        (Some(limit), None) if tid(b) => (limit, true),
        _ => return false,
    };
    // The first number that is on the other side.
    let first = match (op, swapped) {
        (CmpOp::Ult | CmpOp::Slt, false) | (CmpOp::Ule | CmpOp::Sle, true) => limit,
        (CmpOp::Ule | CmpOp::Sle, false) | (CmpOp::Ult | CmpOp::Slt, true) => limit + 1,
        (CmpOp::Eq, _) => return false,
    };
    launch.is_row()
        && limit < 1 << 31
        && launch.warp_size.is_some_and(|it| first % u128::from(it) == 0)
}

/// `threadIdx.x / 32` or coarser, in a block of one dimension.
fn is_warp_index(kernel: &Kernel, launch: &Launch, id: ExprId, a: ExprId, b: ExprId) -> bool {
    let (Some(warp), Some(by)) = (launch.warp_size, kernel.exprs.as_const(b)) else {
        return false;
    };
    let ExprKind::Binary(op, ..) = kernel[id].kind else { return false };
    let size = match op {
        BinOp::UDiv | BinOp::SDiv => by,
        BinOp::LShr | BinOp::AShr if by < 32 => 1 << by,
        BinOp::LShr
        | BinOp::AShr
        | BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::URem
        | BinOp::SRem
        | BinOp::Shl
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::UMin
        | BinOp::UMax
        | BinOp::SMin
        | BinOp::SMax => return false,
    };
    launch.is_row()
        && kernel[a].kind == ExprKind::Special(Special::Tid(0))
        && size != 0
        && size % u128::from(warp) == 0
}
